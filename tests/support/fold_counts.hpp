// Sizes of the input of kernels that fold all of it, for the tests of reduce and arg_reduce.
#pragma once

#include "blocks/tile.hpp"
#include "support/support.hpp"

namespace vkprims::test {

/// Elements of a tile.
inline std::uint64_t fold_tile(const Device& d, Type type) {
  return fold_tile_bytes(d.state()->tuning) / size_of(type);
}

/// Numbers of elements around the edges of subgroups and tiles, and around the most that one
/// workgroup folds alone.
inline std::vector<std::uint64_t> fold_counts(const Device& d, Type type) {
  std::vector<std::uint64_t> counts = edge_counts(fold_tile(d, type));
  const std::uint64_t alone = d.state()->tuning.single_group_bytes / size_of(type);
  counts.insert(counts.end(), {alone, alone + 1});
  return counts;
}

}  // namespace vkprims::test
