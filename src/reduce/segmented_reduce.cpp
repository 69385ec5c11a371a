// The host side of the primitive segmented_reduce.
#include "vkprims/segmented_reduce.hpp"

#include "blocks/operators.hpp"
#include "runtime/push.hpp"
#include "reduce/segmented.hpp"
#include "reduce/segmented_reduce/segmented_reduce.abi.h"
#include "spirv/segmented_reduce_fix_up.hpp"
#include "spirv/segmented_reduce_tiles.hpp"
#include "runtime/validate.hpp"

namespace vkprims {
namespace {

constexpr const Spirv* kTiles[kFoldTypes] = {
    &spirv::segmented_reduce_tiles_u32, &spirv::segmented_reduce_tiles_f32,
    &spirv::segmented_reduce_tiles_u64, &spirv::segmented_reduce_tiles_f64};
constexpr const Spirv* kFixUps[kFoldTypes] = {
    &spirv::segmented_reduce_fix_up_u32, &spirv::segmented_reduce_fix_up_f32,
    &spirv::segmented_reduce_fix_up_u64, &spirv::segmented_reduce_fix_up_f64};

Status check_desc(const DeviceState& state, const SegmentedReduceDesc& desc) {
  VKPRIMS_TRY(check_type("segmented_reduce", state, desc.type));
  VKPRIMS_TRY(check_op("segmented_reduce", desc.type, desc.op));
  VKPRIMS_TRY(check_enum("segmented_reduce", "offset_width", desc.offset_width, IndexWidth::u64));
  VKPRIMS_TRY(check_count("segmented_reduce", desc.count));
  VKPRIMS_TRY(check_count("segmented_reduce", desc.value_count, "value_count"));
  return check_value("segmented_reduce", "initial", desc.initial, desc.type);
}

SegmentedShape shape_of(const DeviceState& state, const SegmentedReduceDesc& desc) {
  SegmentedShape shape =
      segmented_shape(state, size_of(desc.type) / 4, desc.count, desc.value_count);
  if (desc.count.max == 0) shape.need.bytes = 0;
  return shape;
}

Status get_pipelines(DeviceState& state, const SegmentedReduceDesc& desc,
                     const SegmentedShape& shape, bool may_compile, SegmentedPipelines& pipelines) {
  Specialization constants = segmented_specialization(shape, desc.offset_width);
  constants.op = fold_operator(desc.type, desc.op);
  const FoldType type = fold_type(desc.type);
  return get_pipelines(state, shape, constants, *kTiles[type], *kFixUps[type], may_compile,
                       pipelines);
}

}  // namespace

ScratchNeed segmented_reduce_scratch(const Device& device, const SegmentedReduceDesc& desc) {
  if (!device || !check_desc(*device.state(), desc)) return {};
  return shape_of(*device.state(), desc).need;
}

Status record_segmented_reduce(VkCommandBuffer cmd, const Device& device,
                               const SegmentedReduceDesc& desc,
                               const SegmentedReduceBuffers& buffers) {
  VKPRIMS_RECORD_CALL("segmented_reduce", cmd, device);
  DeviceState& state = *device.state();
  VKPRIMS_TRY(check_desc(state, desc));
  const SegmentedShape shape = shape_of(state, desc);
  if (desc.count.max == 0) return {};
  const std::uint32_t size = size_of(desc.type), offset_size = size_of(desc.offset_width);
  const VkDeviceSize value_bytes = desc.value_count * size;
  const VkDeviceSize offset_bytes = (desc.count.max + 1) * offset_size;
  const VkDeviceSize out_bytes = desc.count.max * size;
  VKPRIMS_TRY(check_arguments(
      "segmented_reduce",
      {{"values", buffers.values, value_bytes, size, false, "", "value_count"},
       {"offsets", buffers.offsets, offset_bytes, offset_size, false, "", "count + 1"},
       {"out", buffers.out, out_bytes, size, true},
       argument_of(desc.count),
       argument_of("initial", desc.initial, size),
       argument_of(buffers.scratch, shape.need)}));

  const bool may_compile = state.info.pipelines == PipelinePolicy::lazy;
  SegmentedPipelines pipelines;
  VKPRIMS_TRY(get_pipelines(state, desc, shape, may_compile, pipelines));
  SegmentedGrids grids;
  VKPRIMS_TRY(make_grids(state, shape, desc.count, buffers.scratch, may_compile, grids));
  const abi::SegmentedReducePush push{.value_base = push_u64(buffers.values.address),
                                      .offset_base = push_u64(buffers.offsets.address),
                                      .out_base = push_u64(buffers.out.address),
                                      .scratch = push_u64(buffers.scratch.address),
                                      .count = push_count(desc.count),
                                      .value_count = push_u64(desc.value_count),
                                      .max_tiles = static_cast<std::uint32_t>(shape.max_tiles),
                                      .has_initial = desc.initial.given(),
                                      .initial = push_value(desc.initial, desc.type)};
  CommandStream stream(state, cmd);
  dispatch_segmented(
      stream, shape, pipelines, grids,
      {{buffers.offsets.address, offset_bytes}, desc.count, desc.value_count}, buffers.scratch,
      push,
      {reads(desc.count), reads(desc.initial, size), reads(buffers.values.address, value_bytes),
       reads(buffers.offsets.address, offset_bytes), writes_header(shape, buffers.scratch),
       writes_records(shape, buffers.scratch), writes(buffers.out.address, out_bytes)});
  return {};
}

Status warm_up(const Device& device, const SegmentedReduceDesc& desc) {
  VKPRIMS_WARM_UP_CALL("segmented_reduce", device);
  DeviceState& state = *device.state();
  VKPRIMS_TRY(check_desc(state, desc));
  for (const std::uint64_t count : {std::uint64_t{0}, kMaxCount}) {
    SegmentedReduceDesc any = desc;
    any.count.max = any.value_count = count;
    const SegmentedShape shape = shape_of(state, any);
    SegmentedPipelines pipelines;
    VKPRIMS_TRY(get_pipelines(state, any, shape, true, pipelines));
    SegmentedGrids grids;
    VKPRIMS_TRY(make_grids(state, shape, any.count, {}, true, grids));
  }
  return {};
}

}  // namespace vkprims
