#include "vkprims/strings/concatenate.hpp"

#include "spirv/strings_concatenate.hpp"
#include "strings/rope.hpp"

namespace vkprims::strings {
namespace {

constexpr RopeKernel kOfTwo = {
    &spirv::strings_concatenate_two_sizes, &spirv::strings_concatenate_two_write,
    &spirv::strings_concatenate_two_single64, &spirv::strings_concatenate_two_single32, 3};
constexpr RopeKernel kOfMany = {
    &spirv::strings_concatenate_many_sizes, &spirv::strings_concatenate_many_write,
    &spirv::strings_concatenate_many_single64, &spirv::strings_concatenate_many_single32, 0};

const RopeKernel& kernel_of(std::uint64_t columns) { return columns <= 2 ? kOfTwo : kOfMany; }

}  // namespace

ScratchNeed concatenate_scratch(const Device& device, const ConcatenateDesc& desc,
                                std::uint64_t columns, std::uint64_t rows) {
  if (!device || rows > kMaxStringRows) return {};
  if (columns == 0 || columns > VKP_STRINGS_MOST_ARGUMENT_BYTES) return {};
  const std::uint64_t bytes =
      text_bytes(desc.separator) + text_bytes(desc.null_replacement.value_or(""));
  return rope_scratch(*device.state(), kernel_of(columns), rows, bytes, columns);
}

Status record_concatenate(VkCommandBuffer cmd, const Device& device, const ConcatenateDesc& desc,
                          const ConcatenateBuffers& buffers) {
  VKPRIMS_TRY(check_recording("strings::concatenate", cmd, device));
  VKPRIMS_TRY(check_enum("strings::concatenate", "separator_on_nulls", desc.separator_on_nulls,
                         SeparatorOnNulls::no));
  if (buffers.columns.empty()) {
    return Status::error(Status::invalid_argument,
                         "strings::concatenate: there are 0 columns, at least 1 is needed");
  }
  const bool keeps_separators = desc.separator_on_nulls == SeparatorOnNulls::yes;
  return record_rope(cmd, *device.state(), kernel_of(buffers.columns.size()),
                     {.primitive = "strings::concatenate",
                      .columns = buffers.columns,
                      .text = desc.separator,
                      .more = desc.null_replacement.value_or(""),
                      .flags = (desc.null_replacement ? VKP_STRINGS_REPLACES_NULLS : 0u) |
                               (keeps_separators ? 0u : VKP_STRINGS_NO_SEPARATOR_AT_NULLS),
                      .rows = buffers.columns[0].rows,
                      .schedule = desc.schedule},
                     buffers.out, buffers.report, buffers.scratch);
}

Status warm_up(const Device& device, const ConcatenateDesc& desc) {
  VKPRIMS_TRY(check_device("strings::concatenate", device));
  VKPRIMS_TRY(warm_up_rope(*device.state(), kOfTwo, desc.schedule));
  return warm_up_rope(*device.state(), kOfMany, desc.schedule);
}

}  // namespace vkprims::strings
