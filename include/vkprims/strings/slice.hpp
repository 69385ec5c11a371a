// Slice: a range of characters of each string.
/// @ingroup strings
#pragma once

#include <optional>

#include "vkprims/device.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims::strings {

/// Works as Python's s[start:stop:step]: positions count characters, and negative ones count from
/// the end. A start or stop that is not given is the end of the row that lies in its direction. A
/// negative step goes backwards.
struct SliceDesc {
  std::optional<std::int32_t> start = {};  ///< the first character
  std::optional<std::int32_t> stop = {};   ///< the character before which the slice ends
  std::int32_t step = 1;                   ///< not 0
  /// Each row has its own positions, in SliceBuffers::starts and stops. start, stop and step must
  /// keep their defaults then.
  bool per_row = false;
  std::uint64_t longest_row_bytes = 0;      ///< no row of in has more bytes; 0: not known
  Schedule schedule = Schedule::automatic;  ///< which algorithm, where there are two
};

/// Memory for record_slice().
struct SliceBuffers {
  StringColumnView in;  ///< the rows
  /// Only with SliceDesc::per_row: one i32 for each row; address multiple of 4. As in libcudf, a
  /// start below 0 is the beginning and a stop below 0 the end of the row. Address 0 means the
  /// beginning (starts) or end (stops) of every row.
  BufferView starts = {}, stops = {};
  StringColumnOut out;     ///< as many rows
  BufferView report = {};  ///< address 0: not wanted
  Scratch scratch = {};    ///< slice_scratch() bytes
};

/// out[i] = the characters of in[i] at start, start + step, … before stop, as far as they exist;
/// null where in[i] is null.
///
/// vkprims/strings/column.hpp describes in, out, report, scratch, barriers, errors and determinism.
/// out.chars needs at most as many bytes as in has. Further errors are: step 0, per_row with a
/// start, a stop or a step other than 1. If step is not 1, the results of any 1024 neighbouring
/// rows must have less than 2^31 bytes together.
Status record_slice(VkCommandBuffer cmd, const Device& device, const SliceDesc& desc,
                    const SliceBuffers& buffers);

/// Scratch that record_slice() needs for a column of `rows` rows with `chars_bytes` bytes in chars.
ScratchNeed slice_scratch(const Device& device, const SliceDesc& desc, std::uint64_t rows,
                          std::uint64_t chars_bytes);

/// Compiles the pipelines that record_slice() uses for `desc`.
Status warm_up(const Device& device, const SliceDesc& desc);

}  // namespace vkprims::strings
