// The shapes of scans and compactions of few elements, which need no scratch. Latency is all that
// counts there: the barriers of a large workgroup, and rows one behind the other, cost more than
// several small workgroups, each of which finds by itself what comes before its own tile.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "runtime/arithmetic.hpp"
#include "runtime/device_state.hpp"

namespace vkprims {

struct AloneShape {
  std::uint32_t workgroup_size;
  std::uint32_t rows;        // cells that an invocation has in flight
  std::uint32_t groups = 1;  // workgroups
};

/// The workgroup of most such shapes, and the rows and the most workgroups of those that gain by
/// several.
inline std::uint32_t alone_workgroup(const DeviceState& state) {
  return std::min(state.largest_workgroup, 256u);
}
inline constexpr std::uint32_t kAloneRows = 4, kAloneGroups = 16;

/// An address at which elements of any size have as many others before them in their first cell as
/// they can have. Scratch is asked for it, and suffices for others.
inline constexpr VkDeviceAddress kWorstAddress = 12;

/// Gives `several`, the shape for several rows, what it needs for so many cells: one row, or more
/// workgroups. These are 0 if they were more than `most_groups`, as all of them read what comes
/// before their own tiles. A workgroup must not read what another one may have replaced, so where
/// results replace the input there may be only one.
inline AloneShape alone_shape(const DeviceState& state, AloneShape several, std::uint64_t cells,
                              std::uint32_t most_groups) {
  const std::uint32_t one_row = std::min(several.workgroup_size, alone_workgroup(state));
  if (cells <= one_row) return {one_row, 1};
  const std::uint64_t groups =
      ceil_div(cells, std::uint64_t{several.workgroup_size} * several.rows);
  several.groups = groups <= most_groups ? static_cast<std::uint32_t>(groups) : 0;
  return several;
}

/// Numbers of elements, up to `most`, that have all these shapes, for warm_up().
inline std::array<std::uint64_t, 3> alone_counts(const DeviceState& state, std::uint32_t items,
                                                 std::uint64_t most) {
  const std::uint64_t several_rows = std::uint64_t{items} * (alone_workgroup(state) + 1);
  return {1, std::min(several_rows, most), most};
}

}  // namespace vkprims
