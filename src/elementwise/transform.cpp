// The host side of the primitive transform.
#include "vkprims/transform.hpp"

#include "elementwise/map.hpp"
#include "runtime/push.hpp"
#include "runtime/record.hpp"
#include "spirv/transform_arithmetic.hpp"
#include "spirv/transform_cast.hpp"
#include "spirv/transform_compare.hpp"
#include "blocks/tile.hpp"
#include "elementwise/transform/transform.abi.h"
#include "runtime/validate.hpp"

namespace vkprims {
namespace {

constexpr const Spirv* kArithmetic[] = {
    &spirv::transform_arithmetic_u32, &spirv::transform_arithmetic_i32,
    &spirv::transform_arithmetic_f32, &spirv::transform_arithmetic_u64,
    &spirv::transform_arithmetic_i64, &spirv::transform_arithmetic_f64};
// The indices say whether elements have 8 bytes; for casts the second one is about elements of
// `to`.
constexpr const Spirv* kCompare[] = {&spirv::transform_compare_w32, &spirv::transform_compare_w64};
constexpr const Spirv* kCast[2][2] = {
    {&spirv::transform_cast_w32_w32, &spirv::transform_cast_w32_w64},
    {&spirv::transform_cast_w64_w32, &spirv::transform_cast_w64_w64}};

std::uint32_t kind_of(Type type) {
  if (type == Type::f32 || type == Type::f64) return VKP_KIND_FLOAT;
  return type == Type::i32 || type == Type::i64 ? VKP_KIND_SIGNED : VKP_KIND_UNSIGNED;
}

bool compares(MapOp op) { return op >= MapOp::less && op <= MapOp::greater_equal; }
bool is_unary(MapOp op) {
  return op == MapOp::neg || op == MapOp::abs || op == MapOp::bit_not || op == MapOp::cast;
}

Status check_desc(const DeviceState& state, const TransformDesc& desc) {
  VKPRIMS_TRY(check_enum("transform", "op", desc.op, MapOp::cast));
  if (compares(desc.op) || desc.op == MapOp::cast) {
    VKPRIMS_TRY(check_type("transform", desc.type));
  } else {
    VKPRIMS_TRY(check_type("transform", state, desc.type));
  }
  if (desc.op == MapOp::cast) VKPRIMS_TRY(check_enum("transform", "to", desc.to, Type::f64));
  VKPRIMS_TRY(check_count("transform", desc.count));
  VKPRIMS_TRY(check_map_op("transform", desc.type, desc.op));
  if (desc.scalar.given() && is_unary(desc.op)) {
    return Status::error(Status::invalid_argument,
                         "transform: scalar is given, but op is %s, which takes one operand",
                         name_of(desc.op));
  }
  if (desc.alpha.given() && desc.op != MapOp::scale_add) {
    return Status::error(Status::invalid_argument,
                         "transform: alpha is given, but op is %s; it is for scale_add",
                         name_of(desc.op));
  }
  VKPRIMS_TRY(check_value("transform", "scalar", desc.scalar, desc.type));
  return check_value("transform", "alpha", desc.alpha, desc.type);
}

// Whether operand b is a sequence.
bool takes_sequence(const TransformDesc& desc) {
  return !is_unary(desc.op) && !desc.scalar.given();
}

Status check_operands(const TransformDesc& desc, const TransformBuffers& buffers) {
  if (buffers.b.address && is_unary(desc.op)) {
    return Status::error(Status::invalid_argument,
                         "transform: b is given, but op is %s, which takes one operand",
                         name_of(desc.op));
  }
  if (buffers.b.address && desc.scalar.given()) {
    return Status::error(Status::invalid_argument,
                         "transform: both b and scalar are given, op %s takes one of them",
                         name_of(desc.op));
  }
  if (buffers.b.address || !takes_sequence(desc)) return {};
  return Status::error(Status::invalid_argument,
                       "transform: neither b nor scalar is given, op %s needs one of them",
                       name_of(desc.op));
}

MapCell cell_of(const TransformDesc& desc) {
  return {size_of(desc.type), size_of(result_type(desc))};
}

Status get_pipeline(DeviceState& state, const TransformDesc& desc, bool aligned, bool may_compile,
                    VkPipeline& pipeline) {
  Specialization constants = tile_specialization(state.tuning, aligned ? 4 : 1);
  constants.op = static_cast<std::uint32_t>(desc.op);
  constants.own[VKP_MAP_SPEC_INPUTS - VKP_SPEC_FIRST_OWN] = takes_sequence(desc) ? 2 : 1;
  const bool wide = size_of(desc.type) == 8;
  const Spirv* spirv = kArithmetic[static_cast<std::uint32_t>(desc.type)];
  if (compares(desc.op)) {
    spirv = kCompare[wide];
    constants.own[VKP_TRANSFORM_SPEC_FROM - VKP_SPEC_FIRST_OWN] = kind_of(desc.type);
  } else if (desc.op == MapOp::cast) {
    spirv = kCast[wide][size_of(desc.to) == 8];
    constants.own[VKP_TRANSFORM_SPEC_FROM - VKP_SPEC_FIRST_OWN] = kind_of(desc.type);
    constants.own[VKP_TRANSFORM_SPEC_TO - VKP_SPEC_FIRST_OWN] = kind_of(desc.to);
  }
  return state.pipelines.get(state.vk, *spirv, constants, may_compile, pipeline);
}

}  // namespace

ScratchNeed transform_scratch(const Device& device, const TransformDesc& desc) {
  if (!device || !check_desc(*device.state(), desc)) return {};
  const std::uint64_t items = cell_of(desc).items_per_tile(device.state()->tuning);
  return {grid_is_indirect(desc.count, items) ? kGridScratchBytes : 0};
}

Status record_transform(VkCommandBuffer cmd, const Device& device, const TransformDesc& desc,
                        const TransformBuffers& buffers) {
  VKPRIMS_RECORD_CALL("transform", cmd, device);
  DeviceState& state = *device.state();
  VKPRIMS_TRY(check_desc(state, desc));
  VKPRIMS_TRY(check_operands(desc, buffers));
  const ScratchNeed need = transform_scratch(device, desc);
  const MapCell cell = cell_of(desc);
  const VkDeviceSize in_bytes = desc.count.max * cell.in_bytes;
  const VkDeviceSize out_bytes = desc.count.max * cell.out_bytes;
  const Argument a{"a", buffers.a, in_bytes, cell.in_bytes, false};
  const Argument b{"b", buffers.b, buffers.b.address ? in_bytes : 0, cell.in_bytes, false};
  const Argument scratch = argument_of(buffers.scratch, need);
  // An operand that is overwritten in place is left out here, because it is checked on its own.
  const auto other_place = [&](const Argument& in) {
    const bool in_place = cell.in_bytes == cell.out_bytes && in.view.address == buffers.out.address;
    return in_place ? Argument{} : in;
  };
  VKPRIMS_TRY(check_arguments("transform", {a, b, scratch}));
  VKPRIMS_TRY(check_arguments("transform", {other_place(a),
                                            other_place(b),
                                            {"out", buffers.out, out_bytes, cell.out_bytes, true},
                                            argument_of(desc.count),
                                            argument_of("scalar", desc.scalar, cell.in_bytes),
                                            argument_of("alpha", desc.alpha, cell.in_bytes),
                                            scratch}));
  if (desc.count.max == 0) return {};

  const bool may_compile = state.info.pipelines == PipelinePolicy::lazy;
  const VkDeviceAddress out = buffers.out.address;
  const bool aligned = cell.aligned(buffers.a.address, out) &&
                       (!buffers.b.address || cell.aligned(buffers.b.address, out));
  VkPipeline pipeline;
  VKPRIMS_TRY(get_pipeline(state, desc, aligned, may_compile, pipeline));
  OldGrid grid;
  VKPRIMS_TRY(make_grid(state, desc.count, cell.items_per_tile(state.tuning), buffers.scratch,
                        may_compile, grid));

  const abi::TransformPush push{.a_base = push_u64(buffers.a.address),
                                .b_base = push_u64(buffers.b.address),
                                .out_base = push_u64(out),
                                .count = push_count(desc.count),
                                .scalar = push_value(desc.scalar, desc.type),
                                .alpha = push_value(desc.alpha, desc.type, 1)};
  CommandStream stream(state, cmd);
  stream.dispatch(pipeline, push, grid,
                  {reads(desc.count), reads(desc.scalar, cell.in_bytes),
                   reads(desc.alpha, cell.in_bytes), reads(buffers.a.address, in_bytes),
                   reads(buffers.b.address, b.need), writes(out, out_bytes)});
  return {};
}

Status warm_up(const Device& device, const TransformDesc& desc) {
  VKPRIMS_WARM_UP_CALL("transform", device);
  DeviceState& state = *device.state();
  VKPRIMS_TRY(check_desc(state, desc));
  VkPipeline pipeline;
  for (const bool aligned : {false, true}) {
    VKPRIMS_TRY(get_pipeline(state, desc, aligned, true, pipeline));
  }
  OldGrid grid;
  return make_grid(state, desc.count, cell_of(desc).items_per_tile(state.tuning), {}, true, grid);
}

}  // namespace vkprims
