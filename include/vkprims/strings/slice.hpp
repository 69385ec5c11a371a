// Slices of strings, in characters.
#pragma once

#include <optional>

#include "vkprims/device.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims::strings {

/// As Python's s[start:stop:step]: positions count characters, negative ones from the end; left out: the end that lies
/// that way. A step below 0 goes backward.
struct SliceDesc {
  std::optional<std::int32_t> start = {};
  std::optional<std::int32_t> stop = {};
  std::int32_t step = 1;  ///< not 0
  /// Positions are SliceBuffers::starts and stops: then there is no start, stop or step here.
  bool per_row = false;
  std::uint64_t longest_row_bytes = 0;  ///< what no row of in is longer than; 0: not known
  Schedule schedule = Schedule::automatic;
};

struct SliceBuffers {
  StringColumnView in;
  /// With SliceDesc::per_row: rows i32 each, address multiple of 4. As in libcudf, a start below 0 is the beginning and a
  /// stop below 0 the end of the row. Address 0: the beginning of each row, the end.
  BufferView starts = {}, stops = {};
  StringColumnOut out;
  BufferView report = {};  ///< address 0: not wanted
  Scratch scratch = {};
};

/// out[i] = the characters start, start + step, … before stop of in[i], as many as there are; null where in[i] is null.
///
/// in, out, report, scratch, barriers, errors, determinism: see vkprims/strings/column.hpp. out.chars: at most as many
/// bytes as in has. Errors, besides: step 0, per_row with start, stop or another step than 1. Limit, where step is not 1:
/// of 1024 neighbouring rows come less than 2^31 bytes together
Status record_slice(VkCommandBuffer cmd, const Device& device, const SliceDesc& desc,
                    const SliceBuffers& buffers);

/// Scratch that record_slice() needs for a column of so many rows, and bytes in chars.
ScratchNeed slice_scratch(const Device& device, const SliceDesc& desc, std::uint64_t rows,
                          std::uint64_t chars_bytes);

/// Compiles what record_slice() uses for `desc`.
Status warm_up(const Device& device, const SliceDesc& desc);

}  // namespace vkprims::strings
