// Shapes of a workgroup's work, from the tuning table.
#pragma once

#include <algorithm>

#include "runtime/arithmetic.hpp"
#include "runtime/commands.hpp"
#include "vkprims/device/reduce.h"

namespace vkprims {

// Kernels that stream through memory: the host side of shaders/vkprims/memory/tile.glsl.
// `row_words` is the number of words that one load or store moves: 4 if addresses are multiples of
// 16.

inline std::uint64_t tile_bytes(const Tuning& tuning) {
  return std::uint64_t{16} * tuning.workgroup_size * tuning.stream_rows;
}

inline Specialization tile_specialization(const Tuning& tuning, std::uint32_t row_words) {
  return {
      .workgroup_size = tuning.workgroup_size, .rows = tuning.stream_rows, .row_words = row_words};
}

/// The scratch of a primitive that has but the size of a grid there.
inline ScratchNeed grid_need(const Grid& grid) {
  return {grid.is_indirect ? kGridScratchBytes : 0};
}

// Kernels that fold: an invocation has rows_per_tile rows of 16 bytes in flight. If the input's
// address is not a multiple of 16, a row is one element of 4 or 8 bytes, and there are as many more
// rows.

inline std::uint64_t fold_tile_bytes(const Tuning& tuning) {
  return std::uint64_t{16} * tuning.workgroup_size * tuning.rows_per_tile;
}

// The workgroup that folds `count` elements alone, if there is but one: as large as it may be, or
// smaller where few invocations have little to do, as its barriers then take less time. The
// operator commutes: all of vkprims::Op do.
inline Specialization fold_specialization(const DeviceState& state, std::uint32_t element_bytes,
                                          std::uint32_t op, VkDeviceAddress input,
                                          std::uint32_t groups, std::uint64_t count) {
  const std::uint32_t few = std::min(state.largest_workgroup, 256u);
  const bool is_few = count * element_bytes <= std::uint64_t{16} * few * state.tuning.rows_per_tile;
  const std::uint32_t alone = is_few ? few : state.largest_workgroup;
  Specialization constants{.workgroup_size = groups == 1 ? alone : state.tuning.workgroup_size,
                           .rows = state.tuning.rows_per_tile,
                           .row_words = input % 16 == 0 ? 4 : std::min(element_bytes / 4, 2u),
                           .op = op};
  return constants.set(VKP_REDUCE_SPEC_COMMUTES, 1);
}

// The most workgroups that share `count` elements: one, or so many that each has at least one tile
// of work. The kernel derives the same number, or a smaller one, from the count that it reads.
inline std::uint32_t max_fold_groups(const Tuning& tuning, std::uint32_t element_bytes,
                                     std::uint64_t count) {
  if (count <= tuning.single_group_bytes / element_bytes) return 1;
  const std::uint64_t tiles = ceil_div(count, fold_tile_bytes(tuning) / element_bytes);
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(tiles, tuning.max_reduce_groups));
}

}  // namespace vkprims
