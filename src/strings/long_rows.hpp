// The table of the long rows of a column: the host side of shaders/strings/long_rows.glsl.
#pragma once

#include "record.hpp"
#include "strings.abi.h"
#include "vkprims/strings/column.hpp"

namespace vkprims::strings {

/// Whether some row of a column of so many bytes may be long. `longest_row_bytes`: what no row is longer than, 0: not known.
constexpr bool may_have_long_rows(std::uint64_t chars_bytes, std::uint64_t longest_row_bytes) {
  const bool short_by_promise =
      longest_row_bytes != 0 && longest_row_bytes < VKP_STRINGS_PART_BYTES;
  return chars_bytes >= VKP_STRINGS_PART_BYTES && !short_by_promise;
}

/// Milestones of a column of so many bytes, which are parts of long rows at most.
constexpr std::uint64_t milestones(std::uint64_t chars_bytes) {
  return (chars_bytes + VKP_STRINGS_PART_BYTES - 1) / VKP_STRINGS_PART_BYTES;
}

/// Bytes of the table, a multiple of 16; it needs an address that is one of 4.
constexpr VkDeviceSize long_row_table_bytes(std::uint64_t chars_bytes) {
  return (4 * milestones(chars_bytes) + 15) / 16 * 16;
}

struct LongRowsPipeline {
  VkPipeline table = VK_NULL_HANDLE;
};

Status get_long_rows(DeviceState& state, bool may_compile, LongRowsPipeline& pipeline);

/// Writes the table, in one dispatch of a few microseconds for each GiB of chars. `independent`: of the command before, why.
void record_long_rows(CommandStream& stream, const DeviceState& state,
                      const LongRowsPipeline& pipeline, const StringColumnView& column,
                      VkDeviceAddress table, const Independent* independent = nullptr);

}  // namespace vkprims::strings
