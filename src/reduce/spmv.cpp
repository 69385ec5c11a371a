// The host side of the primitive spmv.
#include "vkprims/spmv.hpp"

#include "blocks/indexed.hpp"
#include "runtime/push.hpp"
#include "reduce/segmented.hpp"
#include "spirv/spmv_fix_up.hpp"
#include "spirv/spmv_tiles.hpp"
#include "reduce/spmv/spmv.abi.h"
#include "runtime/validate.hpp"

namespace vkprims {
namespace {

Status check_desc(const DeviceState& state, const SpmvDesc& desc) {
  VKPRIMS_TRY(check_type("spmv", state, desc.type));
  if (desc.type != Type::f32 && desc.type != Type::f64) {
    return Status::error(Status::invalid_argument, "spmv: type is %s, must be f32 or f64",
                         name_of(desc.type));
  }
  VKPRIMS_TRY(check_enum("spmv", "offset_width", desc.offset_width, IndexWidth::u64));
  VKPRIMS_TRY(check_enum("spmv", "out_of_range", desc.out_of_range, OutOfRange::clamp));
  if (desc.out_of_range == OutOfRange::fill) {
    return Status::error(Status::invalid_argument,
                         "spmv: out_of_range is fill (2), must be unchecked, skip or clamp");
  }
  VKPRIMS_TRY(check_count("spmv", desc.count));
  VKPRIMS_TRY(check_count("spmv", desc.value_count, "value_count"));
  VKPRIMS_TRY(check_count("spmv", desc.x_count, "x_count"));
  VKPRIMS_TRY(check_value("spmv", "alpha", desc.alpha, desc.type));
  return check_value("spmv", "beta", desc.beta, desc.type);
}

SegmentedShape shape_of(const DeviceState& state, const SpmvDesc& desc) {
  SegmentedShape shape =
      segmented_shape(state, size_of(desc.type) / 4, desc.count, desc.value_count, kSpmvLaneItems);
  if (desc.count.max == 0) shape.need.bytes = 0;
  return shape;
}

// Whether the columns of each cell of values are aligned to their joint size.
bool is_aligned(std::uint32_t size, VkDeviceAddress values, VkDeviceAddress columns) {
  const std::uint32_t cell_items = 16 / size;
  return (columns - values % 16 / size * 4) % (4 * cell_items) == 0;
}

Status get_pipelines(DeviceState& state, const SpmvDesc& desc, const SegmentedShape& shape,
                     bool aligned, bool may_compile, SegmentedPipelines& pipelines) {
  Specialization constants = segmented_specialization(shape, desc.offset_width);
  constants.row_words = aligned ? 4 : 1;
  constants.own[VKP_SPMV_SPEC_OUT_OF_RANGE - VKP_SPEC_FIRST_OWN] =
      static_cast<std::uint32_t>(desc.out_of_range);
  const bool wide = desc.type == Type::f64;
  return get_pipelines(
      state, shape, constants, wide ? spirv::spmv_tiles_f64 : spirv::spmv_tiles_f32,
      wide ? spirv::spmv_fix_up_f64 : spirv::spmv_fix_up_f32, may_compile, pipelines);
}

}  // namespace

ScratchNeed spmv_scratch(const Device& device, const SpmvDesc& desc) {
  if (!device || !check_desc(*device.state(), desc)) return {};
  return shape_of(*device.state(), desc).need;
}

Status record_spmv(VkCommandBuffer cmd, const Device& device, const SpmvDesc& desc,
                   const SpmvBuffers& buffers) {
  VKPRIMS_RECORD_CALL("spmv", cmd, device);
  DeviceState& state = *device.state();
  VKPRIMS_TRY(check_desc(state, desc));
  const SegmentedShape shape = shape_of(state, desc);
  VKPRIMS_TRY(check_report("spmv", buffers.report, desc.out_of_range));
  if (desc.count.max == 0) return {};
  const std::uint32_t size = size_of(desc.type), offset_size = size_of(desc.offset_width);
  const VkDeviceSize value_bytes = desc.value_count * size;
  const VkDeviceSize column_bytes = desc.value_count * 4;
  const VkDeviceSize offset_bytes = (desc.count.max + 1) * offset_size;
  const VkDeviceSize x_bytes = desc.x_count * size;
  const VkDeviceSize y_bytes = desc.count.max * size;
  VKPRIMS_TRY(check_arguments(
      "spmv", {{"values", buffers.values, value_bytes, size, false, "", "value_count"},
               {"columns", buffers.columns, column_bytes, 4, false, "", "value_count"},
               {"offsets", buffers.offsets, offset_bytes, offset_size, false, "", "count + 1"},
               {"x", buffers.x, x_bytes, size, false, "", "x_count"},
               {"y", buffers.y, y_bytes, size, true},
               argument_of_report(buffers.report),
               argument_of(desc.count),
               argument_of("alpha", desc.alpha, size),
               argument_of("beta", desc.beta, size),
               argument_of(buffers.scratch, shape.need)}));

  const bool may_compile = state.info.pipelines == PipelinePolicy::lazy;
  SegmentedPipelines pipelines;
  VKPRIMS_TRY(get_pipelines(state, desc, shape,
                            is_aligned(size, buffers.values.address, buffers.columns.address),
                            may_compile, pipelines));
  SegmentedGrids grids;
  VKPRIMS_TRY(make_grids(state, shape, desc.count, buffers.scratch, may_compile, grids));
  // Without columns all products count as 0, but something is read, which is then the first value.
  const VkDeviceAddress x = desc.x_count ? buffers.x.address : buffers.values.address;
  const abi::SpmvPush push{.value_base = push_u64(buffers.values.address),
                           .column_base = push_u64(buffers.columns.address),
                           .offset_base = push_u64(buffers.offsets.address),
                           .x_base = push_u64(x),
                           .y_base = push_u64(buffers.y.address),
                           .report = push_u64(buffers.report.address),
                           .scratch = push_u64(buffers.scratch.address),
                           .count = push_count(desc.count),
                           .value_count = push_u64(desc.value_count),
                           .x_count = push_u64(desc.x_count),
                           .max_tiles = static_cast<std::uint32_t>(shape.max_tiles),
                           .alpha = push_value(desc.alpha, desc.type, 1),
                           .beta = push_value(desc.beta, desc.type)};
  CommandStream stream(state, cmd);
  dispatch_segmented(
      stream, shape, pipelines, grids,
      {{buffers.offsets.address, offset_bytes}, desc.count, desc.value_count}, buffers.scratch,
      push,
      {reads(desc.count), reads(desc.alpha, size), reads(desc.beta, size),
       reads(buffers.values.address, value_bytes), reads(buffers.columns.address, column_bytes),
       reads(buffers.offsets.address, offset_bytes), reads(buffers.x.address, x_bytes),
       writes_header(shape, buffers.scratch), writes_records(shape, buffers.scratch),
       writes(buffers.y.address, y_bytes),
       operand_of_report(buffers.report)});
  return {};
}

Status warm_up(const Device& device, const SpmvDesc& desc) {
  VKPRIMS_WARM_UP_CALL("spmv", device);
  DeviceState& state = *device.state();
  VKPRIMS_TRY(check_desc(state, desc));
  for (const std::uint64_t count : {std::uint64_t{0}, kMaxCount}) {
    SpmvDesc any = desc;
    any.count.max = any.value_count = count;
    const SegmentedShape shape = shape_of(state, any);
    for (const bool aligned : {false, true}) {
      SegmentedPipelines pipelines;
      VKPRIMS_TRY(get_pipelines(state, any, shape, aligned, true, pipelines));
    }
    SegmentedGrids grids;
    VKPRIMS_TRY(make_grids(state, shape, any.count, {}, true, grids));
  }
  return {};
}

}  // namespace vkprims
