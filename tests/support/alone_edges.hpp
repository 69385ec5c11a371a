// Numbers of elements for kernels whose workgroups need nothing from each other.
#pragma once

#include <vector>

#include "blocks/alone.hpp"
#include "support/support.hpp"

namespace vkprims::test {

// So that all shapes are used, and one large workgroup, too.
inline constexpr Tuning kAloneTuning{.single_scan_bytes = 1 << 19};

/// Numbers of elements around which the shape changes, with `items` elements in a cell of 16 bytes.
inline std::vector<std::uint64_t> alone_edges(const Device& d, std::uint64_t items) {
  const std::uint64_t one = items * alone_workgroup(*d.state()), several = one * kAloneRows;
  const std::uint64_t all = several * kAloneGroups;
  return {one - items + 1, one,         one + 1,         3 * one - 1, several - items + 1,
          several,         several + 1, 3 * several - 5, all,         all + 1};
}

}  // namespace vkprims::test
