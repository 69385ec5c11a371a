// The host side of the primitive strings::concatenate.
#include "vkprims/strings/concatenate.hpp"

#include <algorithm>

#include "spirv/strings_concatenate.hpp"
#include "spirv/strings_concatenate_short.hpp"
#include "strings/rope.hpp"

namespace vkprims::strings {
namespace {

constexpr RopeKernels kOfTwo = {{.word64 = &spirv::strings_concatenate_two_word64,
                                 .word32 = &spirv::strings_concatenate_two_word32,
                                 .pieces = 3}};
constexpr RopeKernels kOfMany = {{.word64 = &spirv::strings_concatenate_many_word64,
                                  .word32 = &spirv::strings_concatenate_many_word32,
                                  .pieces = 0}};
constexpr RopeKernels kShort = {{.word64 = &spirv::strings_concatenate_short_word64,
                                 .word32 = &spirv::strings_concatenate_short_word32,
                                 .pieces = 3,
                                 .lane_words = VKP_STRINGS_SHORT_WORDS}};

bool may_be_short(const ConcatenateDesc& desc) {
  return desc.separator.size() <= 8 && !desc.null_replacement;
}

// About how many bytes a row of the result has.
std::uint32_t row_bytes_of(const ConcatenateDesc& desc, std::span<const StringColumnView> columns) {
  if (desc.row_bytes) return desc.row_bytes;
  std::uint64_t bytes = (columns.size() - 1) * desc.separator.size();
  for (const StringColumnView& column : columns) bytes += row_bytes(0, column);
  return static_cast<std::uint32_t>(std::min(bytes, kMaxStringBytes));
}

const RopeKernels& kernels_of(const ConcatenateDesc& desc, const Call& call) {
  if (call.columns.size() > 2) return kOfMany;
  const bool is_short = call.columns.size() == 2 && may_be_short(desc) && are_short(call.row_bytes);
  return is_short ? kShort : kOfTwo;
}

Call call_of(const ConcatenateDesc& desc, std::span<const StringColumnView> columns) {
  const bool keeps_separators = desc.separator_on_nulls == SeparatorOnNulls::yes;
  return {.columns = columns,
          .text = desc.separator,
          .more = desc.null_replacement.value_or(""),
          .flags = (desc.null_replacement ? VKP_STRINGS_REPLACES_NULLS : 0u) |
                   (keeps_separators ? 0u : VKP_STRINGS_NO_SEPARATOR_AT_NULLS),
          .rows = columns[0].rows,
          .row_bytes = row_bytes_of(desc, columns),
          .longest_row_bytes = desc.longest_row_bytes,
          .schedule = desc.schedule};
}

}  // namespace

ScratchNeed concatenate_scratch(const Device& device, const ConcatenateDesc& desc,
                                std::uint64_t columns, std::uint64_t rows) {
  constexpr std::uint64_t kMost = VKP_STRINGS_MOST_ARGUMENT_BYTES / sizeof(abi::VkpStrings);
  if (columns == 0 || columns > kMost) return {};
  const std::vector<StringColumnView> views(columns, {.rows = rows});
  const Call call = call_of(desc, views);
  return rope_scratch(device, kernels_of(desc, call), call);
}

Status record_concatenate(VkCommandBuffer cmd, const Device& device, const ConcatenateDesc& desc,
                          const ConcatenateBuffers& buffers) {
  return record_call("strings::concatenate", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_enum(commands.primitive(), "separator_on_nulls", desc.separator_on_nulls,
                           SeparatorOnNulls::no));
    if (buffers.columns.empty()) {
      return Status::error(Status::invalid_argument,
                           "strings::concatenate: there are 0 columns, at least 1 is needed");
    }
    const Call call = call_of(desc, buffers.columns);
    return check_and_add_rope(commands, kernels_of(desc, call), call,
                              {buffers.out, buffers.report, buffers.scratch});
  });
}

Status warm_up(const Device& device, const ConcatenateDesc& desc) {
  return warm_up_call("strings::concatenate", device, [&](Commands& commands) {
    if (may_be_short(desc)) VKPRIMS_TRY(warm_up_rope(commands, kShort, desc.schedule));
    VKPRIMS_TRY(warm_up_rope(commands, kOfTwo, desc.schedule));
    return warm_up_rope(commands, kOfMany, desc.schedule);
  });
}

}  // namespace vkprims::strings
