// Tokens of strings.
#pragma once

#include <string_view>

#include "vkprims/device.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims::strings {

/// out[i] = token number `token` of in[i]; null where there are not so many, or in[i] is null.
///
/// Between delimiters tokens may be empty. Whitespace is any byte up to 0x20 (see vkprims/strings/column.hpp); a run of it is
/// one delimiter, and there are no empty tokens. An empty delimiter means whitespace, as in libcudf and pandas; Python's split("")
/// is an error.
struct SplitDesc {
  std::string_view delimiter = {};      ///< copied during the call; empty: whitespace
  std::uint32_t token = 0;              ///< less than 2^31
  bool rest = false;                    ///< the token goes on to the end of the row
  std::uint32_t row_bytes = 0;          ///< a hint, see vkprims/strings/column.hpp: of `in`
  std::uint64_t longest_row_bytes = 0;  ///< what no row of in is longer than; 0: not known
  Schedule schedule = Schedule::automatic;
};

struct SplitBuffers {
  StringColumnView in;
  StringColumnOut out;
  BufferView report = {};  ///< address 0: not wanted
  Scratch scratch = {};
};

/// out[i] = a token of in[i]; null where there is none.
///
/// in, out, report, scratch, barriers, errors, determinism: see vkprims/strings/column.hpp. out.chars: at most as many
/// bytes as in has. Errors, besides: token of 2^31 or more
Status record_split(VkCommandBuffer cmd, const Device& device, const SplitDesc& desc,
                    const SplitBuffers& buffers);

/// Scratch that record_split() needs for a column of so many rows, and bytes in chars.
ScratchNeed split_scratch(const Device& device, const SplitDesc& desc, std::uint64_t rows,
                          std::uint64_t chars_bytes);

/// Compiles what record_split() uses for `desc`.
Status warm_up(const Device& device, const SplitDesc& desc);

}  // namespace vkprims::strings
