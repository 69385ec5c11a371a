// Strip: removes characters of a set from the ends of strings.
/// @ingroup strings
#pragma once

#include <string_view>

#include "vkprims/device.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims::strings {

/// All characters with Unicode's property White_Space, in UTF-8, for use as StripDesc::characters.
inline constexpr std::string_view kUnicodeWhiteSpace =
    "\t\n\v\f\r "
    "\xc2\x85\xc2\xa0\xe1\x9a\x80"
    "\xe2\x80\x80\xe2\x80\x81\xe2\x80\x82\xe2\x80\x83\xe2\x80\x84\xe2\x80\x85"
    "\xe2\x80\x86\xe2\x80\x87\xe2\x80\x88\xe2\x80\x89\xe2\x80\x8a"
    "\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xaf\xe2\x81\x9f\xe3\x80\x80";

/// The ends of a row that are stripped.
enum class StripSide : std::uint32_t {
  both,  ///< the beginning and the end
  left,  ///< the beginning
  right  ///< the end
};

/// out[i] = in[i] without the characters of `characters` at its ends; null where in[i] is null.
struct StripDesc {
  StripSide side = StripSide::both;  ///< the ends that are stripped
  /// The set, e.g. kUnicodeWhiteSpace; empty: whitespace, which is any byte up to 0x20. It is
  /// copied during the call. Characters of more than four bytes, which are not UTF-8, are never
  /// removed.
  std::string_view characters = {};
  std::uint64_t longest_row_bytes = 0;      ///< no row of in has more bytes; 0: not known
  Schedule schedule = Schedule::automatic;  ///< which algorithm, where there are two
};

/// Memory for record_strip().
struct StripBuffers {
  StringColumnView in;     ///< the rows
  StringColumnOut out;     ///< as many rows
  BufferView report = {};  ///< address 0: not wanted
  Scratch scratch = {};    ///< strip_scratch() bytes
};

/// out[i] = in[i] without characters of a set at its ends; null where in[i] is null.
///
/// vkprims/strings/column.hpp describes in, out, report, scratch, barriers, errors and determinism.
/// out.chars needs at most as many bytes as in has.
Status record_strip(VkCommandBuffer cmd, const Device& device, const StripDesc& desc,
                    const StripBuffers& buffers);

/// Scratch that record_strip() needs for a column of `rows` rows with `chars_bytes` bytes in chars.
ScratchNeed strip_scratch(const Device& device, const StripDesc& desc, std::uint64_t rows,
                          std::uint64_t chars_bytes);

/// Compiles the pipelines that record_strip() uses for `desc`.
Status warm_up(const Device& device, const StripDesc& desc);

}  // namespace vkprims::strings
