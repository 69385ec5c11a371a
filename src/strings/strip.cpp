// The host side of the primitive strings::strip.
#include "vkprims/strings/strip.hpp"

#include <cinttypes>

#include "spirv/strings_long_rows.hpp"
#include "spirv/strings_strip.hpp"
#include "spirv/strings_strip_long.hpp"
#include "spirv/strings_unit_sums.hpp"
#include "strings/rope.hpp"
#include "strings/strip_table.hpp"

namespace vkprims::strings {
namespace {

constexpr RopeKernel kKernel = {
    .word64 = &spirv::strings_strip_word64, .word32 = &spirv::strings_strip_word32, .marks = true};
constexpr LongKernels kLong = {.list = &spirv::strings_long_rows_ends,
                               .sums = &spirv::strings_unit_sums_strip,
                               .rows = &spirv::strings_strip_long};

// The room for the set or for its table, whichever is longer.
std::uint64_t most_text_bytes(const StripDesc& desc, std::string_view table) {
  return text_bytes(table.size() < desc.characters.size() ? desc.characters : table);
}

std::uint32_t operation(const StripDesc& desc) {
  return desc.side == StripSide::both ? 3u : static_cast<std::uint32_t>(desc.side);
}

}  // namespace

ScratchNeed strip_scratch(const Device& device, const StripDesc& desc, std::uint64_t rows,
                          std::uint64_t chars_bytes) {
  if (!device || rows > kMaxStringRows) return {};
  return rope_scratch(*device.state(), kKernel, rows,
                      most_text_bytes(desc, strip_table(desc.characters)), 0,
                      {kLong, chars_bytes, desc.longest_row_bytes});
}

Status record_strip(VkCommandBuffer cmd, const Device& device, const StripDesc& desc,
                    const StripBuffers& buffers) {
  VKPRIMS_RECORD_CALL("strings::strip", cmd, device);
  VKPRIMS_TRY(check_enum("strings::strip", "side", desc.side, StripSide::right));
  const std::string table = strip_table(desc.characters);
  const VkDeviceSize bytes = argument_bytes(most_text_bytes(desc, table), 0);
  if (bytes > VKP_STRINGS_MOST_ARGUMENT_BYTES) {
    return Status::error(Status::invalid_argument,
                         "strings::strip: scalars and columns take %" PRIu64
                         " bytes, at most %u are "
                         "allowed",
                         std::uint64_t{bytes}, VKP_STRINGS_MOST_ARGUMENT_BYTES);
  }
  return record_rope(cmd, *device.state(), kKernel,
                     {.primitive = "strings::strip",
                      .a = {"in", buffers.in},
                      .text = table,
                      .rows = buffers.in.rows,
                      .longest_row_bytes = desc.longest_row_bytes,
                      .schedule = desc.schedule},
                     buffers.out, buffers.report, buffers.scratch, operation(desc), kLong);
}

Status warm_up(const Device& device, const StripDesc& desc) {
  VKPRIMS_WARM_UP_CALL("strings::strip", device);
  return warm_up_rope(*device.state(), kKernel, desc.schedule, operation(desc), kLong);
}

}  // namespace vkprims::strings
