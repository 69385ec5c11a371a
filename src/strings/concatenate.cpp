// The host side of the primitive strings::concatenate.
#include "vkprims/strings/concatenate.hpp"

#include <algorithm>

#include "spirv/strings_concatenate.hpp"
#include "spirv/strings_concatenate_short.hpp"
#include "strings/rope.hpp"

namespace vkprims::strings {
namespace {

constexpr RopeKernel kOfTwo = {&spirv::strings_concatenate_two_word64,
                               &spirv::strings_concatenate_two_word32, 3};
constexpr RopeKernel kOfMany = {&spirv::strings_concatenate_many_word64,
                                &spirv::strings_concatenate_many_word32, 0};
constexpr RopeKernel kShort = {.word64 = &spirv::strings_concatenate_short_word64,
                               .word32 = &spirv::strings_concatenate_short_word32,
                               .pieces = 3,
                               .strip_words = VKP_STRINGS_SHORT_WORDS};

// The kernel for rows of any length.
const RopeKernel& kernel_of(std::uint64_t columns) { return columns <= 2 ? kOfTwo : kOfMany; }

bool may_be_short(const ConcatenateDesc& desc) {
  return desc.separator.size() <= 8 && !desc.null_replacement;
}

const RopeKernel& kernel_of(const ConcatenateDesc& desc, std::uint64_t columns,
                            std::uint32_t row_bytes) {
  const bool is_short = columns == 2 && may_be_short(desc) && are_short(row_bytes);
  return is_short ? kShort : kernel_of(columns);
}

std::uint32_t row_bytes_of(const ConcatenateDesc& desc, const ConcatenateBuffers& buffers) {
  if (desc.row_bytes) return desc.row_bytes;
  std::uint64_t bytes = (buffers.columns.size() - 1) * desc.separator.size();
  for (const StringColumnView& column : buffers.columns) bytes += row_bytes(0, column);
  return static_cast<std::uint32_t>(std::min(bytes, kMaxStringBytes));
}

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
  VKPRIMS_RECORD_CALL("strings::concatenate", cmd, device);
  VKPRIMS_TRY(check_enum("strings::concatenate", "separator_on_nulls", desc.separator_on_nulls,
                         SeparatorOnNulls::no));
  if (buffers.columns.empty()) {
    return Status::error(Status::invalid_argument,
                         "strings::concatenate: there are 0 columns, at least 1 is needed");
  }
  const bool keeps_separators = desc.separator_on_nulls == SeparatorOnNulls::yes;
  const std::uint32_t row_bytes = row_bytes_of(desc, buffers);
  return record_rope(cmd, *device.state(), kernel_of(desc, buffers.columns.size(), row_bytes),
                     {.primitive = "strings::concatenate",
                      .columns = buffers.columns,
                      .text = desc.separator,
                      .more = desc.null_replacement.value_or(""),
                      .flags = (desc.null_replacement ? VKP_STRINGS_REPLACES_NULLS : 0u) |
                               (keeps_separators ? 0u : VKP_STRINGS_NO_SEPARATOR_AT_NULLS),
                      .rows = buffers.columns[0].rows,
                      .row_bytes = row_bytes,
                      .longest_row_bytes = desc.longest_row_bytes,
                      .schedule = desc.schedule},
                     buffers.out, buffers.report, buffers.scratch);
}

Status warm_up(const Device& device, const ConcatenateDesc& desc) {
  VKPRIMS_WARM_UP_CALL("strings::concatenate", device);
  if (may_be_short(desc)) VKPRIMS_TRY(warm_up_rope(*device.state(), kShort, desc.schedule));
  VKPRIMS_TRY(warm_up_rope(*device.state(), kOfTwo, desc.schedule));
  return warm_up_rope(*device.state(), kOfMany, desc.schedule);
}

}  // namespace vkprims::strings
