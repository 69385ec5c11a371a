// The host side of shaders/vkprims/device/segmented_reduce.glsl, for the primitives that are built
// on it.
#pragma once

#include <initializer_list>

#include "runtime/record.hpp"
#include "vkprims/device/segmented_reduce.h"
#include "vkprims/spirv.hpp"

namespace vkprims {

/// How the work for `segments` segments of `value_count` values altogether is cut into tiles.
struct SegmentedShape {
  std::uint32_t workgroup_size, rows;
  std::uint32_t tile_items;    // segments plus values
  std::uint64_t max_tiles;     // 1: one workgroup does everything
  std::uint32_t record_bytes;  // of a record in scratch
  ScratchNeed need;
};
/// `lane_items` is the number of values that an invocation may have in flight; their heads are the
/// bits of a word.
SegmentedShape segmented_shape(const DeviceState& state, std::uint32_t element_words,
                               const Count& segments, std::uint64_t value_count,
                               std::uint32_t lane_items = 32);

/// The lane_items of spmv, where a value also takes a column and an element of x.
inline constexpr std::uint32_t kSpmvLaneItems = 16;

/// The specialization without the constants that the primitive has of its own.
Specialization segmented_specialization(const SegmentedShape& shape, IndexWidth offset_width);

struct SegmentedPipelines {
  VkPipeline starts = VK_NULL_HANDLE, tiles = VK_NULL_HANDLE, fix_up = VK_NULL_HANDLE;
};
Status get_pipelines(DeviceState& state, const SegmentedShape& shape,
                     const Specialization& constants, const Spirv& tiles, const Spirv& fix_up,
                     bool may_compile, SegmentedPipelines& pipelines);

struct SegmentedGrids {
  OldGrid starts, tiles, fix_up;
};
/// If `segments` is read on the GPU, the number of tiles is computed there as well, so that no
/// workgroups are dispatched in vain; otherwise the host computes it.
Status make_grids(DeviceState& state, const SegmentedShape& shape, const Count& segments,
                  const Scratch& scratch, bool may_compile, SegmentedGrids& grids);

/// What the first dispatch reads besides the count.
struct SegmentedInput {
  BufferView offsets;
  Count segments;
  std::uint64_t value_count;
};
void dispatch_starts(CommandStream& stream, const SegmentedShape& shape, VkPipeline pipeline,
                     const OldGrid& grid, const SegmentedInput& input, const Scratch& scratch);

/// What the kernels `tiles` and `fix_up` write in scratch: the header and the records, but not the
/// sizes of grids between these.
inline Access writes_header(const SegmentedShape& shape, const Scratch& scratch) {
  return writes(scratch.address, shape.max_tiles > 1 ? VKP_SEGMENTED_GRID_OFFSET : 0);
}
inline Access writes_records(const SegmentedShape& shape, const Scratch& scratch) {
  const VkDeviceSize bytes = shape.need.bytes;
  return writes(scratch.address + VKP_SEGMENTED_RECORDS_OFFSET,
                shape.max_tiles > 1 ? bytes - VKP_SEGMENTED_RECORDS_OFFSET : 0);
}

/// Records all commands. `accesses` are those of the kernels `tiles` and `fix_up`, scratch
/// included.
template <class Push>
void dispatch_segmented(CommandStream& stream, const SegmentedShape& shape,
                        const SegmentedPipelines& pipelines, const SegmentedGrids& grids,
                        const SegmentedInput& input, const Scratch& scratch, const Push& push,
                        std::initializer_list<Access> accesses) {
  if (shape.max_tiles > 1) {
    dispatch_starts(stream, shape, pipelines.starts, grids.starts, input, scratch);
  }
  stream.dispatch(pipelines.tiles, push, grids.tiles, accesses);
  if (shape.max_tiles > 1) stream.dispatch(pipelines.fix_up, push, grids.fix_up, accesses);
}

}  // namespace vkprims
