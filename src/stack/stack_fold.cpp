// The host side of the primitive stack_fold.
#include "vkprims/stack_fold.hpp"

#include <cinttypes>

#include "blocks/operators.hpp"
#include "runtime/push.hpp"
#include "stack/stack_fold_plan.hpp"
#include "stack/stack_match_plan.hpp"

namespace vkprims {
namespace {

Status check_desc(const DeviceState& state, const StackFoldDesc& desc) {
  const Fold fold{Type::u32, Op::add, desc.own};
  VKPRIMS_TRY(check_fold("stack_fold", state, fold));
  VKPRIMS_TRY(check_no_conversion("stack_fold", fold));
  VKPRIMS_TRY(check_enum("stack_fold", "input", desc.input, StackInput::bits));
  VKPRIMS_TRY(check_enum("stack_fold", "monoid", desc.monoid, StackMonoid::affine));
  VKPRIMS_TRY(check_enum("stack_fold", "over", desc.over, StackFoldOver::enclosed));
  VKPRIMS_TRY(check_enum("stack_fold", "kind", desc.kind, StackFoldKind::after));
  VKPRIMS_TRY(check_enum("stack_fold", "index_width", desc.index_width, IndexWidth::u64));
  VKPRIMS_TRY(check_count("stack_fold", desc.count));
  if (desc.over == StackFoldOver::enclosed && desc.count.max > 0xffffffffu) {
    return Status::error(Status::invalid_argument,
                         "stack_fold: count.max is %" PRIu64
                         ", must be 0 … 2^32 - 1 with StackFoldOver::enclosed",
                         desc.count.max);
  }
  if (desc.over == StackFoldOver::enclosed && desc.index_width != IndexWidth::u32) {
    return Status::error(
        Status::invalid_argument,
        "stack_fold: index_width is u64, must be u32 with StackFoldOver::enclosed");
  }
  return {};
}

ScratchNeed need_of(const DeviceState& state, const StackFoldDesc& desc) {
  return desc.over == StackFoldOver::enclosed ? stack_fold_enclosed_need(state, desc)
                                              : stack_fold_enclosing_need(state, desc);
}

Status check_buffers(const DeviceState& state, const StackFoldDesc& desc,
                     const StackFoldBuffers& buffers) {
  VKPRIMS_TRY(check_closes("stack_fold", desc.input, buffers.closes));
  if (buffers.match.address && desc.index_width == IndexWidth::u32 &&
      desc.count.max > 0xffffffffu) {
    return Status::error(Status::invalid_argument,
                         "stack_fold: count.max is %" PRIu64
                         ", must be 0 … 2^32 - 1 for match with IndexWidth::u32",
                         desc.count.max);
  }
  const auto [symbols, closes, values, out, match, header, count] =
      stack_fold_operands(desc, buffers);
  return check_operands("stack_fold", {symbols, closes, values, out, match, header, count,
                                       operand_of(buffers.scratch, need_of(state, desc))});
}

}  // namespace

StackFoldOperands stack_fold_operands(const StackFoldDesc& desc, const StackFoldBuffers& buffers) {
  const std::uint64_t n = desc.count.max;
  const VkDeviceSize value_bytes = n * stack_fold_value_bytes(desc);
  return {.symbols = operand_of_symbols(desc.input, n, buffers.symbols),
          .closes = operand_of_closes(desc.input, n, buffers.closes),
          .values = {"values", buffers.values, value_bytes, 4, false},
          .out = {"out", buffers.out, value_bytes, 4, true},
          .match = operand_of_stack_indices("match", buffers.match, n, desc.index_width),
          .header = operand_of_stack_header(buffers.header),
          .count = operand_of(desc.count)};
}

abi::StackFoldPush stack_fold_push(const StackFoldDesc& desc, const StackFoldOperands& operands) {
  const VkDeviceAddress symbols = operands.symbols.address();
  return {.stack = {.symbols = push_u64(stack_first_cell(desc.input, symbols)),
                    .closes = push_u64(operands.closes),
                    .match = push_u64(operands.match),
                    .header = push_u64(operands.header),
                    .count = push_count(desc.count),
                    .head = stack_head(desc.input, symbols)},
          .values = push_u64(operands.values),
          .out_base = push_u64(operands.out)};
}

std::uint32_t stack_fold_variant(StackMonoid monoid) {
  constexpr std::uint32_t variants[] = {0, 0, 1, 2};  // for three monoids each; i32 as u32
  return monoid == StackMonoid::affine ? 3 : variants[static_cast<std::uint32_t>(monoid) / 3];
}

std::uint32_t stack_fold_value_bytes(const StackFoldDesc& desc) {
  return desc.own ? desc.own->bytes : size_of(desc.monoid);
}

std::uint32_t stack_fold_op(const StackFoldDesc& desc) {
  if (desc.own) return 0;
  constexpr Op ops[] = {Op::add, Op::min, Op::max};
  const auto number = static_cast<std::uint32_t>(desc.monoid);
  if (desc.monoid >= StackMonoid::rectangle_intersection) return number % 3;
  constexpr Type types[] = {Type::u32, Type::i32, Type::f32};
  return fold_operator(types[number / 3], ops[number % 3]);
}

std::uint32_t stack_fold_words(const StackFoldDesc& desc, const StackFoldOperands& operands) {
  const VkDeviceAddress both = operands.values.address() | operands.out.address();
  const std::uint32_t bytes = stack_fold_value_bytes(desc);
  if (bytes % 16 == 0 && both % 16 == 0) return 4;
  return bytes % 8 == 0 && both % 8 == 0 ? 2 : 1;
}

namespace {

// Adds the commands of a fold whose descriptor and buffers have been checked. Without symbols there
// is nothing to fold, but there may be a header.
Status add_stack_fold(Commands& commands, const StackFoldDesc& desc,
                      const StackFoldBuffers& buffers) {
  if (desc.count.max == 0) {
    if (buffers.header.address == 0) return {};
    return add_stack_match(commands, {.input = desc.input, .count = 0}, {.header = buffers.header});
  }
  return desc.over == StackFoldOver::enclosed ? add_stack_fold_enclosed(commands, desc, buffers)
                                              : add_stack_fold_enclosing(commands, desc, buffers);
}

}  // namespace

ScratchNeed stack_fold_scratch(const Device& device, const StackFoldDesc& desc) {
  if (!device || !check_desc(*device.state(), desc)) return {};
  return need_of(*device.state(), desc);
}

Status record_stack_fold(VkCommandBuffer cmd, const Device& device, const StackFoldDesc& desc,
                         const StackFoldBuffers& buffers) {
  return record_call("stack_fold", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(commands.state(), desc));
    VKPRIMS_TRY(check_buffers(commands.state(), desc, buffers));
    return add_stack_fold(commands, desc, buffers);
  });
}

Status warm_up(const Device& device, const StackFoldDesc& desc) {
  return warm_up_call("stack_fold", device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(commands.state(), desc));
    StackFoldDesc nothing = desc;
    nothing.count = 0;
    VKPRIMS_TRY(add_stack_fold(commands, nothing, {.header = {16}}));
    return desc.over == StackFoldOver::enclosed ? warm_up_stack_fold_enclosed(commands, desc)
                                                : warm_up_stack_fold_enclosing(commands, desc);
  });
}

}  // namespace vkprims
