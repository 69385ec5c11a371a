// The host side of the primitive strings::copy_if_else.
#include "vkprims/strings/copy_if_else.hpp"

#include <algorithm>

#include "spirv/strings_copy_if_else.hpp"
#include "spirv/strings_copy_if_else_short.hpp"
#include "strings/rope.hpp"

namespace vkprims::strings {
namespace {

std::uint32_t row_bytes_of(const CopyIfElseDesc& desc, const CopyIfElseBuffers& buffers) {
  const auto bytes = [](bool is_scalar, std::string_view text, const StringColumnView& view) {
    return is_scalar ? static_cast<std::uint32_t>(text.size()) : row_bytes(0, view);
  };
  return desc.row_bytes ? desc.row_bytes
                        : std::max(bytes(desc.a_is_scalar, desc.a_text, buffers.a),
                                   bytes(desc.b_is_scalar, desc.b_text, buffers.b));
}

std::uint32_t operation(const CopyIfElseDesc& desc) {
  return (desc.a_is_scalar ? VKP_STRINGS_FIRST_IS_SCALAR : 0u) |
         (desc.b_is_scalar ? VKP_STRINGS_SECOND_IS_SCALAR : 0u);
}

RopeKernels kernels_of(const CopyIfElseDesc& desc, bool is_short) {
  constexpr RopeKernel kAny = {.word64 = &spirv::strings_copy_if_else_word64,
                               .word32 = &spirv::strings_copy_if_else_word32};
  constexpr RopeKernel kShort = {.word64 = &spirv::strings_copy_if_else_short_word64,
                                 .word32 = &spirv::strings_copy_if_else_short_word32,
                                 .lane_words = VKP_STRINGS_SHORT_WORDS};
  return {.of_rows = is_short ? kShort : kAny, .operation = operation(desc)};
}

Call call_of(const CopyIfElseDesc& desc, const CopyIfElseBuffers& buffers) {
  return {.a = desc.a_is_scalar ? NamedColumn{} : NamedColumn{"a", buffers.a},
          .b = desc.b_is_scalar ? NamedColumn{} : NamedColumn{"b", buffers.b},
          .text = desc.a_text,
          .more = desc.b_text,
          .mask = buffers.mask,
          .rows = buffers.mask.rows,
          .row_bytes = row_bytes_of(desc, buffers),
          .longest_row_bytes = desc.longest_row_bytes,
          .schedule = desc.schedule};
}

}  // namespace

ScratchNeed copy_if_else_scratch(const Device& device, const CopyIfElseDesc& desc,
                                 std::uint64_t rows) {
  return rope_scratch(device, kernels_of(desc, false), call_of(desc, {.mask = {.rows = rows}}));
}

Status record_copy_if_else(VkCommandBuffer cmd, const Device& device, const CopyIfElseDesc& desc,
                           const CopyIfElseBuffers& buffers) {
  return record_call("strings::copy_if_else", cmd, device, [&](Commands& commands) {
    const Call call = call_of(desc, buffers);
    return check_and_add_rope(commands, kernels_of(desc, are_short(call.row_bytes)), call,
                              {buffers.out, buffers.report, buffers.scratch});
  });
}

Status warm_up(const Device& device, const CopyIfElseDesc& desc) {
  return warm_up_call("strings::copy_if_else", device, [&](Commands& commands) {
    VKPRIMS_TRY(warm_up_rope(commands, kernels_of(desc, false), desc.schedule));
    return warm_up_rope(commands, kernels_of(desc, true), desc.schedule);
  });
}

}  // namespace vkprims::strings
