#include "vkprims/strings/find.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "spirv/strings_numbers.hpp"
#include "strings/long_rows.abi.h"
#include "strings/long_rows.hpp"
#include "strings/map.hpp"

namespace vkprims::strings {

namespace {

// Whether a text may begin in itself, behind its first byte: a border of it.
bool overlaps_itself(std::string_view text) {
  std::vector<std::size_t> border(text.size() + 1);  // of the first bytes, the longest one
  for (std::size_t i = 1, k = 0; i < text.size(); ++i) {
    while (k != 0 && text[i] != text[k]) k = border[k];
    if (text[i] == text[k]) ++k;
    border[i + 1] = k;
  }
  return border.back() != 0;
}

// Whether it matters how the text overlaps itself.
bool counts_overlapping(const FindDesc& desc) {
  const bool counts =
      desc.number == StringNumber::count || desc.number == StringNumber::count_tokens;
  return counts && overlaps_itself(desc.text);
}

MapKernel kernel_of(const FindDesc& desc, std::uint64_t chars_bytes) {
  const auto number = static_cast<std::uint32_t>(desc.number);
  const bool finds = desc.number == StringNumber::find || desc.number == StringNumber::rfind;
  const bool has_entries = desc.text.size() <= VKP_STRINGS_MOST_ENTRIES && counts_overlapping(desc);
  return {.spirv = &spirv::strings_numbers,
          .operation = number,
          .of_long = number,
          .leaves_long = desc.number != StringNumber::count_bytes &&
                         may_have_long_rows(chars_bytes, desc.longest_row_bytes),
          .in_window = finds && !desc.text.empty() && (desc.start != 0 || desc.stop),
          .entries = has_entries ? static_cast<std::uint32_t>(desc.text.size()) : 0};
}

// Of finding, the characters of the text that begin behind its first byte; of counting, whether it overlaps itself.
std::uint32_t flags_of(const FindDesc& desc) {
  const bool finds = desc.number == StringNumber::find || desc.number == StringNumber::rfind;
  if (!finds || desc.text.empty()) return counts_overlapping(desc);
  const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xc0u) != 0x80u; };
  return static_cast<std::uint32_t>(std::ranges::count_if(desc.text.substr(1), begins));
}

}  // namespace

ScratchNeed find_scratch(const Device& device, const FindDesc& desc, std::uint64_t chars_bytes) {
  if (!device) return {};
  return map_scratch(kernel_of(desc, chars_bytes), text_bytes(desc.text), chars_bytes);
}

Status record_find(VkCommandBuffer cmd, const Device& device, const FindDesc& desc,
                   const FindBuffers& buffers) {
  VKPRIMS_RECORD_CALL("strings::find", cmd, device);
  VKPRIMS_TRY(check_enum("strings::find", "number", desc.number, StringNumber::count_tokens));
  const std::uint32_t stop = desc.stop.value_or(INT32_MAX);
  if (desc.start > stop || stop > INT32_MAX) {
    return Status::error(Status::invalid_argument,
                         "strings::find: start is %u and stop is %u, must ascend and be below 2^31",
                         desc.start, stop);
  }
  return record_map(cmd, *device.state(), kernel_of(desc, buffers.in.chars.bytes),
                    {.primitive = "strings::find",
                     .a = {"in", buffers.in},
                     .text = desc.text,
                     .start = static_cast<std::int32_t>(desc.start),
                     .stop = desc.stop ? static_cast<std::int32_t>(stop) : -1,
                     .flags = flags_of(desc),
                     .rows = buffers.in.rows},
                    {buffers.out, 4 * buffers.in.rows, buffers.validity}, buffers.scratch);
}

Status warm_up(const Device& device, const FindDesc& desc) {
  VKPRIMS_WARM_UP_CALL("strings::find", device);
  return warm_up_map(*device.state(), kernel_of(desc, kMaxStringBytes));
}

}  // namespace vkprims::strings
