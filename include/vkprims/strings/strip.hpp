// Strings without characters of a set at their ends.
#pragma once

#include <string_view>

#include "vkprims/device.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims::strings {

/// All characters of Unicode's property White_Space, in UTF-8: for StripDesc::characters.
inline constexpr std::string_view kUnicodeWhiteSpace =
    "\t\n\v\f\r "
    "\xc2\x85\xc2\xa0\xe1\x9a\x80"
    "\xe2\x80\x80\xe2\x80\x81\xe2\x80\x82\xe2\x80\x83\xe2\x80\x84\xe2\x80\x85"
    "\xe2\x80\x86\xe2\x80\x87\xe2\x80\x88\xe2\x80\x89\xe2\x80\x8a"
    "\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xaf\xe2\x81\x9f\xe3\x80\x80";

enum class StripSide : std::uint32_t { both, left, right };

/// out[i] = in[i] without the characters of `characters` at its ends; null where in[i] is null.
struct StripDesc {
  StripSide side = StripSide::both;
  std::string_view characters =
      {};  ///< copied during the call, e.g. kUnicodeWhiteSpace; empty: whitespace, bytes up to 0x20.
           ///< Characters of more than four bytes, which are no UTF-8, are not taken off
  std::uint64_t longest_row_bytes = 0;  ///< what no row of in is longer than; 0: not known
  Schedule schedule = Schedule::automatic;
};

struct StripBuffers {
  StringColumnView in;
  StringColumnOut out;
  BufferView report = {};  ///< address 0: not wanted
  Scratch scratch = {};
};

/// out[i] = in[i] without characters of a set at its ends; null where in[i] is null.
///
/// in, out, report, scratch, barriers, errors, determinism: see vkprims/strings/column.hpp. out.chars: at most as many
/// bytes as in has
Status record_strip(VkCommandBuffer cmd, const Device& device, const StripDesc& desc,
                    const StripBuffers& buffers);

/// Scratch that record_strip() needs for a column of so many rows, and bytes in chars.
ScratchNeed strip_scratch(const Device& device, const StripDesc& desc, std::uint64_t rows,
                          std::uint64_t chars_bytes);

/// Compiles what record_strip() uses for `desc`.
Status warm_up(const Device& device, const StripDesc& desc);

}  // namespace vkprims::strings
