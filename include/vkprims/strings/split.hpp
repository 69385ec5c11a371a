// Split: one token of each string.
/// @ingroup strings
#pragma once

#include <string_view>

#include "vkprims/device.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims::strings {

/// out[i] = token number `token` of in[i]; null where in[i] has fewer tokens or is null.
///
/// Tokens between delimiters may be empty. Whitespace is any byte up to 0x20 (see
/// vkprims/strings/column.hpp); a run of it is one delimiter, and there are no empty tokens. An
/// empty delimiter means whitespace, as in libcudf and pandas; Python's split("") is an error.
struct SplitDesc {
  std::string_view delimiter = {};          ///< copied during the call; empty: whitespace
  std::uint32_t token = 0;                  ///< less than 2^31
  bool rest = false;                        ///< the token extends to the end of the row
  std::uint32_t row_bytes = 0;              ///< hint for rows of in, see strings/column.hpp
  std::uint64_t longest_row_bytes = 0;      ///< no row of in has more bytes; 0: not known
  Schedule schedule = Schedule::automatic;  ///< which algorithm, where there are two
};

/// Memory for record_split().
struct SplitBuffers {
  StringColumnView in;     ///< the rows
  StringColumnOut out;     ///< as many rows
  BufferView report = {};  ///< address 0: not wanted
  Scratch scratch = {};    ///< split_scratch() bytes
};

/// out[i] = a token of in[i]; null where there is none.
///
/// vkprims/strings/column.hpp describes in, out, report, scratch, barriers, errors and determinism.
/// out.chars needs at most as many bytes as in has. A token of 2^31 or more is an error, too.
Status record_split(VkCommandBuffer cmd, const Device& device, const SplitDesc& desc,
                    const SplitBuffers& buffers);

/// Scratch that record_split() needs for a column of `rows` rows with `chars_bytes` bytes in chars.
ScratchNeed split_scratch(const Device& device, const SplitDesc& desc, std::uint64_t rows,
                          std::uint64_t chars_bytes);

/// Compiles the pipelines that record_split() uses for `desc`.
Status warm_up(const Device& device, const SplitDesc& desc);

}  // namespace vkprims::strings
