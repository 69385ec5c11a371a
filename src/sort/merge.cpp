// The host side of the primitive merge.
#include "vkprims/merge.hpp"

#include <algorithm>
#include <cinttypes>

#include "blocks/key_type.hpp"
#include "sort/merge/merge.abi.h"
#include "runtime/push.hpp"
#include "runtime/record.hpp"
#include "spirv/merge_partition.hpp"
#include "spirv/merge_tiles.hpp"
#include "runtime/validate.hpp"

namespace vkprims {
namespace {

Status check_desc(const MergeDesc& desc) {
  VKPRIMS_TRY(check_type("merge", desc.type));
  VKPRIMS_TRY(check_enum("merge", "float_order", desc.float_order, FloatOrder::by_bits));
  if (desc.value_bytes != 0 && desc.value_bytes != 4 && desc.value_bytes != 8) {
    return Status::error(Status::invalid_argument, "merge: value_bytes is %u, must be 0, 4 or 8",
                         desc.value_bytes);
  }
  VKPRIMS_TRY(check_count("merge", desc.a_count, "a_count"));
  VKPRIMS_TRY(check_count("merge", desc.b_count, "b_count"));
  if (desc.a_count.max + desc.b_count.max <= kMaxCount) return {};
  return Status::error(Status::invalid_argument,
                       "merge: a_count and b_count are together %" PRIu64 ", at most %" PRIu64
                       " (kMaxCount) are allowed",
                       desc.a_count.max + desc.b_count.max, kMaxCount);
}

// How a descriptor is carried out on a device.
struct Shape {
  std::uint32_t workgroup_size;
  std::uint32_t tile_items;
  std::uint64_t total;  // elements at most
  std::uint64_t tiles;
  bool alone;  // there is one tile: nothing to find, nothing in scratch
  ScratchNeed need;
};

Shape shape_of(const DeviceState& state, const MergeDesc& desc) {
  Shape shape{};
  shape.workgroup_size =
      std::min<std::uint32_t>(state.tuning.workgroup_size, VKP_MERGE_MAX_WORKGROUP);
  shape.tile_items = shape.workgroup_size * VKP_MERGE_ITEMS(size_of(desc.type) / 4);
  shape.total = desc.a_count.max + desc.b_count.max;
  shape.tiles = (shape.total + shape.tile_items - 1) / shape.tile_items;
  shape.alone = shape.tiles <= 1;
  if (!shape.alone) shape.need.bytes = VKP_MERGE_SPLITS_OFFSET + 8 * (shape.tiles + 1);
  return shape;
}

// The number of elements of the output, as the first dispatch leaves it.
Count total_count(const MergeDesc& desc, const Shape& shape, const Scratch& scratch) {
  if (!desc.a_count.address && !desc.b_count.address) return shape.total;
  return {shape.total, scratch.address + VKP_MERGE_TOTAL_OFFSET, CountWidth::u64};
}

// Whether the output can be stored in units of 16 bytes of keys.
bool is_aligned(const MergeDesc& desc, const MergeBuffers& buffers) {
  const std::uint32_t unit_values = 16 / size_of(desc.type) * desc.value_bytes;
  return buffers.out.address % 16 == 0 &&
         (unit_values == 0 || buffers.out_values.address % std::min(unit_values, 16u) == 0);
}

struct MergePipelines {
  VkPipeline partition = VK_NULL_HANDLE;
  VkPipeline tiles = VK_NULL_HANDLE;
};

Status get_pipelines(DeviceState& state, const MergeDesc& desc, const Shape& shape, bool aligned,
                     bool may_compile, MergePipelines& pipelines) {
  const bool word = size_of(desc.type) == 4;
  Specialization constants{.workgroup_size = shape.workgroup_size};
  constants.own[VKP_MERGE_SPEC_TYPE - VKP_SPEC_FIRST_OWN] = key_type(desc.type, desc.float_order);
  if (!shape.alone) {
    VKPRIMS_TRY(state.pipelines.get(
        state.vk, word ? spirv::merge_partition_word : spirv::merge_partition_pair, constants,
        may_compile, pipelines.partition));
  }
  constants.row_words = aligned ? 4 : 1;
  constants.own[VKP_MERGE_SPEC_VALUE_WORDS - VKP_SPEC_FIRST_OWN] = desc.value_bytes / 4;
  constants.own[VKP_MERGE_SPEC_ALONE - VKP_SPEC_FIRST_OWN] = shape.alone;
  return state.pipelines.get(state.vk, word ? spirv::merge_tiles_word : spirv::merge_tiles_pair,
                             constants, may_compile, pipelines.tiles);
}

}  // namespace

ScratchNeed merge_scratch(const Device& device, const MergeDesc& desc) {
  if (!device || !check_desc(desc)) return {};
  return shape_of(*device.state(), desc).need;
}

Status record_merge(VkCommandBuffer cmd, const Device& device, const MergeDesc& desc,
                    const MergeBuffers& buffers) {
  VKPRIMS_RECORD_CALL("merge", cmd, device);
  DeviceState& state = *device.state();
  VKPRIMS_TRY(check_desc(desc));
  const Shape shape = shape_of(state, desc);
  const std::uint32_t size = size_of(desc.type);
  const std::uint32_t value = desc.value_bytes;
  const std::uint64_t a = desc.a_count.max;
  const std::uint64_t b = desc.b_count.max;
  const VkDeviceSize count_bytes = buffers.count_out.address ? 8 : 0;
  VKPRIMS_TRY(check_arguments(
      "merge",
      {{"a", buffers.a, a * size, size, false, "", "a_count"},
       {"b", buffers.b, b * size, size, false, "", "b_count"},
       {"out", buffers.out, (a + b) * size, size, true, "", "a_count + b_count"},
       sized({"a_values", buffers.a_values, a * value, value, false, "", "a_count"}, value),
       sized({"b_values", buffers.b_values, b * value, value, false, "", "b_count"}, value),
       sized({"out_values", buffers.out_values, (a + b) * value, value, true, "",
              "a_count + b_count"},
             value),
       argument_of_u64("count_out", buffers.count_out, count_bytes != 0),
       argument_of(desc.a_count, "a_count"),
       argument_of(desc.b_count, "b_count"),
       argument_of(buffers.scratch, shape.need)}));
  if (shape.total == 0 && count_bytes == 0) return {};

  const bool may_compile = state.info.pipelines == PipelinePolicy::lazy;
  MergePipelines pipelines;
  VKPRIMS_TRY(get_pipelines(state, desc, shape, is_aligned(desc, buffers), may_compile, pipelines));
  OldGrid partition_grid, grid;
  grid.groups = 1;
  if (!shape.alone) {
    partition_grid.groups =
        shape.tiles / shape.workgroup_size + 1;  // there is one more split than tiles
    VKPRIMS_TRY(make_grid(state, total_count(desc, shape, buffers.scratch), shape.tile_items,
                          buffers.scratch, may_compile, grid));
  }

  const abi::MergePush push{.a_base = push_u64(buffers.a.address),
                            .b_base = push_u64(buffers.b.address),
                            .out_base = push_u64(buffers.out.address),
                            .a_values = push_u64(buffers.a_values.address),
                            .b_values = push_u64(buffers.b_values.address),
                            .out_values = push_u64(buffers.out_values.address),
                            .count_out = push_u64(buffers.count_out.address),
                            .scratch = push_u64(buffers.scratch.address),
                            .a_count = push_count(desc.a_count),
                            .b_count = push_count(desc.b_count),
                            .tile_items = shape.tile_items};
  const VkDeviceAddress splits = buffers.scratch.address + VKP_MERGE_TOTAL_OFFSET;
  const VkDeviceSize split_bytes = shape.alone ? 0 : shape.need.bytes - VKP_MERGE_TOTAL_OFFSET;
  CommandStream stream(state, cmd);
  stream.dispatch(pipelines.partition, push, partition_grid,
                  {reads(desc.a_count), reads(desc.b_count), reads(buffers.a.address, a * size),
                   reads(buffers.b.address, b * size), writes(splits, split_bytes),
                   writes(buffers.count_out.address, count_bytes)});
  stream.dispatch(pipelines.tiles, push, grid,
                  {reads(desc.a_count), reads(desc.b_count), reads(buffers.a.address, a * size),
                   reads(buffers.b.address, b * size), reads(buffers.a_values.address, a * value),
                   reads(buffers.b_values.address, b * value), reads(splits, split_bytes),
                   writes(buffers.count_out.address, shape.alone ? count_bytes : 0),
                   writes(buffers.out.address, (a + b) * size),
                   writes(buffers.out_values.address, (a + b) * value)});
  return {};
}

Status warm_up(const Device& device, const MergeDesc& desc) {
  VKPRIMS_WARM_UP_CALL("merge", device);
  VKPRIMS_TRY(check_desc(desc));
  DeviceState& state = *device.state();
  for (const std::uint64_t count : {std::uint64_t{1}, kMaxCount}) {
    MergeDesc any = desc;
    any.a_count.max = count;
    any.b_count.max = 0;
    const Shape shape = shape_of(state, any);
    MergePipelines pipelines;
    VKPRIMS_TRY(get_pipelines(state, any, shape, true, true, pipelines));
    VKPRIMS_TRY(get_pipelines(state, any, shape, false, true, pipelines));
    OldGrid grid;
    VKPRIMS_TRY(make_grid(state, total_count(any, shape, {}), shape.tile_items, {}, true, grid));
  }
  return {};
}

}  // namespace vkprims
