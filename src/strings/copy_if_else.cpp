#include "vkprims/strings/copy_if_else.hpp"

#include "spirv/strings_copy_if_else.hpp"
#include "strings/rope.hpp"

namespace vkprims::strings {
namespace {

constexpr RopeKernel kKernel = {
    &spirv::strings_copy_if_else_sizes, &spirv::strings_copy_if_else_write,
    &spirv::strings_copy_if_else_single64, &spirv::strings_copy_if_else_single32};

std::uint32_t operation(const CopyIfElseDesc& desc) {
  return (desc.a_is_scalar ? VKP_STRINGS_FIRST_IS_SCALAR : 0u) |
         (desc.b_is_scalar ? VKP_STRINGS_SECOND_IS_SCALAR : 0u);
}

}  // namespace

ScratchNeed copy_if_else_scratch(const Device& device, const CopyIfElseDesc& desc,
                                 std::uint64_t rows) {
  if (!device || rows > kMaxStringRows) return {};
  return rope_scratch(*device.state(), kKernel, rows,
                      text_bytes(desc.a_text) + text_bytes(desc.b_text), 0);
}

Status record_copy_if_else(VkCommandBuffer cmd, const Device& device, const CopyIfElseDesc& desc,
                           const CopyIfElseBuffers& buffers) {
  VKPRIMS_TRY(check_recording("strings::copy_if_else", cmd, device));
  return record_rope(cmd, *device.state(), kKernel,
                     {.primitive = "strings::copy_if_else",
                      .a = desc.a_is_scalar ? NamedColumn{} : NamedColumn{"a", buffers.a},
                      .b = desc.b_is_scalar ? NamedColumn{} : NamedColumn{"b", buffers.b},
                      .text = desc.a_text,
                      .more = desc.b_text,
                      .mask = buffers.mask,
                      .rows = buffers.mask.rows,
                      .schedule = desc.schedule},
                     buffers.out, buffers.report, buffers.scratch, operation(desc));
}

Status warm_up(const Device& device, const CopyIfElseDesc& desc) {
  VKPRIMS_TRY(check_device("strings::copy_if_else", device));
  return warm_up_rope(*device.state(), kKernel, desc.schedule, operation(desc));
}

}  // namespace vkprims::strings
