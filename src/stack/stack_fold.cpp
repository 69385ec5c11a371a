// The host side of the primitive stack_fold.
#include "vkprims/stack_fold.hpp"

#include <cinttypes>

#include "blocks/operators.hpp"
#include "stack/stack_fold_plan.hpp"
#include "stack/stack_match_plan.hpp"
#include "runtime/validate.hpp"

namespace vkprims {
namespace {

Status check_desc(const StackFoldDesc& desc) {
  VKPRIMS_TRY(check_enum("stack_fold", "input", desc.input, StackInput::bits));
  VKPRIMS_TRY(check_enum("stack_fold", "monoid", desc.monoid, StackMonoid::affine));
  VKPRIMS_TRY(check_enum("stack_fold", "over", desc.over, StackFoldOver::enclosed));
  VKPRIMS_TRY(check_enum("stack_fold", "kind", desc.kind, StackFoldKind::after));
  VKPRIMS_TRY(check_count("stack_fold", desc.count));
  if (desc.over == StackFoldOver::enclosed && desc.count.max > 0xffffffffu) {
    return Status::error(Status::invalid_argument,
                         "stack_fold: count.max is %" PRIu64
                         ", must be 0 … 2^32 - 1 with StackFoldOver::enclosed",
                         desc.count.max);
  }
  return {};
}

ScratchNeed need_of(const Device& device, const StackFoldDesc& desc) {
  return desc.over == StackFoldOver::enclosed ? stack_fold_enclosed_scratch(device, desc)
                                              : stack_fold_enclosing_scratch(*device.state(), desc);
}

}  // namespace

std::uint32_t stack_fold_variant(StackMonoid monoid) {
  constexpr std::uint32_t variants[] = {0, 0, 1, 2};  // for three monoids each; i32 as u32
  return monoid == StackMonoid::affine ? 3 : variants[static_cast<std::uint32_t>(monoid) / 3];
}

std::uint32_t stack_fold_op(StackMonoid monoid) {
  constexpr Op ops[] = {Op::add, Op::min, Op::max};
  const auto number = static_cast<std::uint32_t>(monoid);
  if (monoid >= StackMonoid::rectangle_intersection) return number % 3;
  constexpr Type types[] = {Type::u32, Type::i32, Type::f32};
  return fold_operator(types[number / 3], ops[number % 3]);
}

std::uint32_t stack_fold_words(StackMonoid monoid, VkDeviceAddress values, VkDeviceAddress out) {
  const VkDeviceAddress both = values | out;
  if (size_of(monoid) == sizeof(StackRectangle) && both % 16 == 0) return 4;
  return size_of(monoid) == sizeof(StackAffine) && both % 8 == 0 ? 2 : 1;
}

ScratchNeed stack_fold_scratch(const Device& device, const StackFoldDesc& desc) {
  if (!device || !check_desc(desc)) return {};
  return need_of(device, desc);
}

Status record_stack_fold(VkCommandBuffer cmd, const Device& device, const StackFoldDesc& desc,
                         const StackFoldBuffers& buffers) {
  VKPRIMS_RECORD_CALL("stack_fold", cmd, device);
  VKPRIMS_TRY(check_desc(desc));
  const bool bits = desc.input == StackInput::bits;
  VKPRIMS_TRY(check_closes("stack_fold", desc.input, buffers.closes));
  const ScratchNeed need = need_of(device, desc);
  const std::uint64_t n = desc.count.max;
  const VkDeviceSize in_bytes = stack_symbol_bytes(desc.input, n);
  const VkDeviceSize value_bytes = n * size_of(desc.monoid);
  const VkDeviceSize tag_size = desc.input == StackInput::tags_u8 ? 1 : 4;
  VKPRIMS_TRY(
      check_arguments("stack_fold", {{"symbols", buffers.symbols, in_bytes, tag_size, false},
                                     {"closes", buffers.closes, bits ? in_bytes : 0, 4, false},
                                     {"values", buffers.values, value_bytes, 4, false},
                                     {"out", buffers.out, value_bytes, 4, true},
                                     argument_of(desc.count),
                                     argument_of(buffers.scratch, need)}));
  if (n == 0) return {};
  return desc.over == StackFoldOver::enclosed
             ? record_stack_fold_enclosed(cmd, device, desc, buffers)
             : record_stack_fold_enclosing(cmd, *device.state(), desc, buffers);
}

Status warm_up(const Device& device, const StackFoldDesc& desc) {
  VKPRIMS_WARM_UP_CALL("stack_fold", device);
  VKPRIMS_TRY(check_desc(desc));
  return desc.over == StackFoldOver::enclosed ? warm_up_stack_fold_enclosed(device, desc)
                                              : warm_up_stack_fold_enclosing(*device.state(), desc);
}

}  // namespace vkprims
