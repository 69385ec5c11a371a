// The host side of the primitive strings::strip.
#include "vkprims/strings/strip.hpp"

#include "spirv/strings_long_rows.hpp"
#include "spirv/strings_strip.hpp"
#include "spirv/strings_strip_long.hpp"
#include "spirv/strings_unit_sums.hpp"
#include "strings/rope.hpp"
#include "strings/strip_table.hpp"

namespace vkprims::strings {
namespace {

RopeKernels kernels_of(const StripDesc& desc) {
  return {.of_rows = {.word64 = &spirv::strings_strip_word64,
                      .word32 = &spirv::strings_strip_word32,
                      .marks = true},
          .of_long = {.list = &spirv::strings_long_rows_ends,
                      .sums = &spirv::strings_unit_sums_strip,
                      .rows = &spirv::strings_strip_long},
          .operation = desc.side == StripSide::both ? 3u : static_cast<std::uint32_t>(desc.side)};
}

Call call_of(const StripDesc& desc, const StringColumnView& in, std::string_view table) {
  return {.a = {"in", in},
          .text = table,
          .rows = in.rows,
          .longest_row_bytes = desc.longest_row_bytes,
          .schedule = desc.schedule};
}

// There is room for the set or for its table, whichever is longer.
std::string_view longer_text(const StripDesc& desc, std::string_view table) {
  return table.size() < desc.characters.size() ? desc.characters : table;
}

}  // namespace

ScratchNeed strip_scratch(const Device& device, const StripDesc& desc, std::uint64_t rows,
                          std::uint64_t chars_bytes) {
  const std::string table = strip_table(desc.characters);
  return rope_scratch(
      device, kernels_of(desc),
      call_of(desc, {.chars = {0, chars_bytes}, .rows = rows}, longer_text(desc, table)));
}

Status record_strip(VkCommandBuffer cmd, const Device& device, const StripDesc& desc,
                    const StripBuffers& buffers) {
  return record_call("strings::strip", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_enum(commands.primitive(), "side", desc.side, StripSide::right));
    const std::string table = strip_table(desc.characters);
    VKPRIMS_TRY(check_argument_bytes(commands.primitive(),
                                     argument_bytes(text_bytes(longer_text(desc, table)), 0)));
    return check_and_add_rope(commands, kernels_of(desc), call_of(desc, buffers.in, table),
                              {buffers.out, buffers.report, buffers.scratch});
  });
}

Status warm_up(const Device& device, const StripDesc& desc) {
  return warm_up_call("strings::strip", device, [&](Commands& commands) {
    return warm_up_rope(commands, kernels_of(desc), desc.schedule);
  });
}

}  // namespace vkprims::strings
