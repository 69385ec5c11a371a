// The size of a tile of compaction, for the tests of select, partition and unique.
#pragma once

#include "support/support.hpp"

namespace vkprims::test {

/// The most elements that a tile has on a device, for sizes at its edges.
inline std::uint64_t compact_tile(const Device& d, std::uint64_t element_bytes) {
  const Tuning& t = d.state()->tuning;
  const std::uint64_t cell_items = 16 / element_bytes;
  return t.scan_workgroup_size *
         std::min(32 / cell_items, std::uint64_t{t.compact_rows} * t.compact_batches) * cell_items;
}

}  // namespace vkprims::test
