// The host side of the primitive transform.
#include "vkprims/transform.hpp"

#include <array>

#include "elementwise/map.hpp"
#include "elementwise/transform/transform.abi.h"
#include "runtime/push.hpp"
#include "spirv/transform_arithmetic.hpp"
#include "spirv/transform_cast.hpp"
#include "spirv/transform_compare.hpp"

namespace vkprims {
namespace {

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

Status check_given(const TransformDesc& desc, const TransformBuffers& buffers) {
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

const Spirv& module_of(const TransformDesc& desc) {
  const bool wide = size_of(desc.type) == 8;
  if (compares(desc.op)) return spirv::transform_compare(wide);
  if (desc.op == MapOp::cast) return spirv::transform_cast(wide, size_of(desc.to) == 8);
  return spirv::transform_arithmetic(static_cast<std::uint32_t>(desc.type));
}

Specialization specialization_of(const Tuning& tuning, const TransformDesc& desc, bool aligned) {
  Specialization constants = tile_specialization(tuning, aligned ? 4 : 1);
  constants.op = static_cast<std::uint32_t>(desc.op);
  constants.set(VKP_MAP_SPEC_INPUTS, takes_sequence(desc) ? 2 : 1);
  if (compares(desc.op) || desc.op == MapOp::cast) {
    constants.set(VKP_TRANSFORM_SPEC_FROM, kind_of(desc.type));
  }
  if (desc.op == MapOp::cast) constants.set(VKP_TRANSFORM_SPEC_TO, kind_of(desc.to));
  return constants;
}

std::array<Operand, 7> operands_of(const DeviceState& state, const TransformDesc& desc,
                                   const TransformBuffers& buffers) {
  const MapCell cell = cell_of(desc);
  const VkDeviceSize in_bytes = desc.count.max * cell.in_bytes;
  Operand a{"a", buffers.a, in_bytes, cell.in_bytes, false};
  Operand b{"b", buffers.b, buffers.b.address ? in_bytes : 0, cell.in_bytes, false};
  if (cell.in_bytes == cell.out_bytes) a.in_place_of = b.in_place_of = "out";
  return {{a,
           b,
           {"out", buffers.out, desc.count.max * cell.out_bytes, cell.out_bytes, true},
           operand_of(desc.count),
           operand_of("scalar", desc.scalar, cell.in_bytes),
           operand_of("alpha", desc.alpha, cell.in_bytes),
           operand_of(buffers.scratch, grid_need(cell.grid(state.tuning, desc.count)))}};
}

Status add_transform(Commands& commands, const TransformDesc& desc,
                     const TransformBuffers& buffers) {
  if (desc.count.max == 0) return {};
  const Tuning& tuning = commands.tuning();
  const MapCell cell = cell_of(desc);
  const auto [a, b, out, count, scalar, alpha, scratch] =
      operands_of(commands.state(), desc, buffers);
  const bool aligned = cell.aligned(a.address(), out.address()) &&
                       (!b.address() || cell.aligned(b.address(), out.address()));
  const abi::TransformPush push{.a_base = push_u64(a),
                                .b_base = push_u64(b),
                                .out_base = push_u64(out),
                                .count = push_count(desc.count),
                                .scalar = push_value(desc.scalar, desc.type),
                                .alpha = push_value(desc.alpha, desc.type, 1)};
  return commands.dispatch(module_of(desc), specialization_of(tuning, desc, aligned), push,
                           cell.grid(tuning, desc.count, buffers.scratch),
                           {count, scalar, alpha, a, b, out});
}

}  // namespace

ScratchNeed transform_scratch(const Device& device, const TransformDesc& desc) {
  if (!device || !check_desc(*device.state(), desc)) return {};
  return grid_need(cell_of(desc).grid(device.state()->tuning, desc.count));
}

Status record_transform(VkCommandBuffer cmd, const Device& device, const TransformDesc& desc,
                        const TransformBuffers& buffers) {
  return record_call("transform", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(commands.state(), desc));
    VKPRIMS_TRY(check_given(desc, buffers));
    VKPRIMS_TRY(check_operands("transform", operands_of(commands.state(), desc, buffers)));
    return add_transform(commands, desc, buffers);
  });
}

Status warm_up(const Device& device, const TransformDesc& desc) {
  return warm_up_call("transform", device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(commands.state(), desc));
    TransformDesc any = desc;
    any.count.max = kMaxCount;
    const VkDeviceAddress aligned = 1 << 20, unaligned = aligned + size_of(desc.type);
    for (const VkDeviceAddress a : {aligned, unaligned}) {
      VKPRIMS_TRY(add_transform(commands, any, {.a = {a}, .out = {aligned}}));
    }
    return Status();
  });
}

}  // namespace vkprims
