#include "reduce/segmented.hpp"

#include <algorithm>

#include "runtime/push.hpp"
#include "reduce/segmented_starts/segmented_starts.abi.h"
#include "spirv/segmented_starts.hpp"
#include "runtime/validate.hpp"
#include "runtime/arithmetic.hpp"

namespace vkprims {
namespace {

// The most rows of an invocation that fit into shared memory. Each takes 16 bytes and its bits of
// heads; besides, there are the partial results of subgroups and a few words.
std::uint32_t max_rows(const DeviceState& state, std::uint32_t workgroup_size,
                       std::uint32_t element_words) {
  const bool small =
      state.info.enabled.shared16k || state.limits.maxComputeSharedMemorySize < 32768;
  const std::uint32_t fixed = workgroup_size * (element_words + 1) + 128;
  const std::uint32_t row = workgroup_size * (16 * ceil_div(element_words, 4) + 1);
  return ((small ? 16384 : 32768) - fixed) / row;
}

}  // namespace

SegmentedShape segmented_shape(const DeviceState& state, std::uint32_t element_words,
                               const Count& segments, std::uint64_t value_count,
                               std::uint32_t lane_items) {
  SegmentedShape shape{};
  shape.workgroup_size = std::min(state.tuning.csr_workgroup_size, 512u);
  while (max_rows(state, shape.workgroup_size, element_words) == 0) shape.workgroup_size /= 2;
  const std::uint32_t cell_items = element_words <= 2 ? 4 / element_words : 1;
  shape.rows = std::min({state.tuning.csr_rows, lane_items / cell_items,
                         max_rows(state, shape.workgroup_size, element_words)});
  shape.tile_items = shape.workgroup_size * shape.rows * cell_items - (cell_items - 1);
  shape.max_tiles =
      std::max<std::uint64_t>(1, ceil_div(segments.max + value_count, shape.tile_items));
  shape.record_bytes = VKP_SEGMENTED_RECORD_BYTES(4 * element_words);
  if (shape.max_tiles > 1) {
    const std::uint64_t groups = ceil_div(shape.max_tiles, shape.workgroup_size);
    shape.need.bytes =
        VKP_SEGMENTED_RECORDS_OFFSET + (shape.max_tiles + 1 + groups) * shape.record_bytes;
  }
  return shape;
}

Specialization segmented_specialization(const SegmentedShape& shape, IndexWidth offset_width) {
  Specialization constants{.workgroup_size = shape.workgroup_size, .rows = shape.rows};
  constants.own[VKP_SEGMENTED_SPEC_OFFSET_WORDS - VKP_SPEC_FIRST_OWN] = size_of(offset_width) / 4;
  constants.own[VKP_SEGMENTED_SPEC_ALONE - VKP_SPEC_FIRST_OWN] = shape.max_tiles == 1;
  return constants;
}

Status get_pipelines(DeviceState& state, const SegmentedShape& shape,
                     const Specialization& constants, const Spirv& tiles, const Spirv& fix_up,
                     bool may_compile, SegmentedPipelines& pipelines) {
  VKPRIMS_TRY(state.pipelines.get(state.vk, tiles, constants, may_compile, pipelines.tiles));
  if (shape.max_tiles == 1) return {};
  VKPRIMS_TRY(state.pipelines.get(state.vk, fix_up, constants, may_compile, pipelines.fix_up));
  Specialization starts{.workgroup_size = shape.workgroup_size};
  const int offset_words = VKP_SEGMENTED_SPEC_OFFSET_WORDS - VKP_SPEC_FIRST_OWN;
  starts.own[offset_words] = constants.own[offset_words];
  return state.pipelines.get(state.vk, spirv::segmented_starts, starts, may_compile,
                             pipelines.starts);
}

Status make_grids(DeviceState& state, const SegmentedShape& shape, const Count& segments,
                  const Scratch& scratch, bool may_compile, SegmentedGrids& grids) {
  grids.starts.groups = ceil_div(shape.max_tiles + 1, shape.workgroup_size);
  Count tiles = shape.max_tiles;
  if (segments.address && shape.max_tiles > 1) {
    tiles = {shape.max_tiles, scratch.address + VKP_SEGMENTED_TILES_OFFSET, CountWidth::u64};
  }
  const auto grid_scratch = [&](std::uint32_t i) {
    const VkDeviceSize at = VKP_SEGMENTED_GRID_OFFSET + i * kGridScratchBytes;
    return Scratch{scratch.buffer, scratch.offset + at, scratch.address + at, kGridScratchBytes};
  };
  VKPRIMS_TRY(make_grid(state, tiles, 1, grid_scratch(0), may_compile, grids.tiles));
  return make_grid(state, tiles, shape.workgroup_size, grid_scratch(1), may_compile, grids.fix_up);
}

void dispatch_starts(CommandStream& stream, const SegmentedShape& shape, VkPipeline pipeline,
                     const OldGrid& grid, const SegmentedInput& input, const Scratch& scratch) {
  const abi::SegmentedStartsPush push{.offset_base = push_u64(input.offsets.address),
                                      .scratch = push_u64(scratch.address),
                                      .count = push_count(input.segments),
                                      .value_count = push_u64(input.value_count),
                                      .max_tiles = static_cast<std::uint32_t>(shape.max_tiles),
                                      .tile_items = shape.tile_items,
                                      .record_bytes = shape.record_bytes};
  stream.dispatch(pipeline, push, grid,
                  {reads(input.segments), reads(input.offsets.address, input.offsets.bytes),
                   writes(scratch.address, shape.need.bytes)});
}

}  // namespace vkprims
