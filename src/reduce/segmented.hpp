// The host side of shaders/vkprims/device/segmented_reduce.glsl, for the primitives that are built
// on it.
#pragma once

#include <array>
#include <initializer_list>

#include "runtime/commands.hpp"
#include "vkprims/device/segmented_reduce.h"

namespace vkprims {

/// How the work for `segments` segments of `value_count` values altogether is cut into tiles.
struct SegmentedPlan {
  std::uint32_t workgroup_size, rows;
  std::uint32_t tile_items;  // segments plus values
  std::uint64_t max_tiles;
  std::uint32_t mode;          // VKP_SEGMENTED_…_TILES
  bool starts_by_subgroup;     // of many tiles
  std::uint32_t record_bytes;  // of a record in scratch
  ScratchNeed need;
};
/// `lane_items` is the number of values that an invocation may have in flight; their heads are the
/// bits of a word.
SegmentedPlan segmented_plan(const DeviceState& state, std::uint32_t element_words,
                             const Count& segments, std::uint64_t value_count,
                             std::uint32_t lane_items = 32);

/// Numbers of segments, and of as many values of so many words, that together lead to every plan
/// that there is.
std::array<std::uint64_t, 4> segmented_counts(const DeviceState& state, std::uint32_t words);

/// The lane_items of spmv, where a value also takes a column and an element of x.
inline constexpr std::uint32_t kSpmvLaneItems = 16;

/// The specialization without the constants that the primitive has of its own.
Specialization segmented_specialization(const SegmentedPlan& plan, IndexWidth offset_width);

/// What all kernels work on.
struct SegmentedInput {
  Operand offsets;
  Count segments;
  std::uint64_t value_count;
  Scratch scratch;
};

/// What the kernels `tiles` and `fix_up` write in scratch: the header and the records, but not the
/// sizes of grids between these.
inline Access writes_header(const SegmentedPlan& plan, const Scratch& scratch) {
  return writes(scratch.address, plan.max_tiles > 1 ? VKP_SEGMENTED_GRID_OFFSET : 0);
}
inline Access writes_records(const SegmentedPlan& plan, const Scratch& scratch) {
  const VkDeviceSize bytes = plan.need.bytes;
  return writes(scratch.address + VKP_SEGMENTED_RECORDS_OFFSET,
                plan.max_tiles > 1 ? bytes - VKP_SEGMENTED_RECORDS_OFFSET : 0);
}

/// Adds the command that finds where tiles start, unless they find that themselves.
Status add_segmented_starts(Commands& commands, const SegmentedPlan& plan,
                            const Specialization& constants, const SegmentedInput& input);
/// A grid with a workgroup for so many tiles. If the number of segments is read on the GPU, that of
/// tiles is computed there as well, so that no workgroups are dispatched in vain, unless they are
/// few. The sizes of two such grids have room in scratch.
Grid segmented_grid(const SegmentedPlan& plan, const SegmentedInput& input,
                    std::uint32_t tiles_per_group, std::uint32_t number);

/// Adds all commands. `accesses` are those of the kernels `tiles` and `fix_up`, scratch included.
template <class Push>
Status add_segmented(Commands& commands, const SegmentedPlan& plan, const Spirv& tiles,
                     const Spirv& fix_up, const Specialization& constants,
                     const SegmentedInput& input, const Push& push,
                     std::initializer_list<Access> accesses) {
  VKPRIMS_TRY(add_segmented_starts(commands, plan, constants, input));
  VKPRIMS_TRY(
      commands.dispatch(tiles, constants, push, segmented_grid(plan, input, 1, 0), accesses));
  if (plan.mode == VKP_SEGMENTED_ONE_TILE) return {};
  return commands.dispatch(fix_up, constants, push,
                           segmented_grid(plan, input, plan.workgroup_size, 1), accesses);
}

}  // namespace vkprims
