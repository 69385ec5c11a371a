// A column of strings from views into bytes.
#pragma once

#include "vkprims/device.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims::strings {

/// out[i] = the lengths[i] bytes from offsets[i] on; null where lengths[i] is null_length.
///
/// Nothing is assumed of the views: they may overlap, in any order, and those that reach past the bytes are cut.
struct FromViewsDesc {
  std::uint32_t null_length = 0xffffffff;
  IndexWidth offset_width = IndexWidth::u32;
  std::uint64_t longest_row_bytes = 0;  ///< what no row of out is longer than; 0: not known
  Schedule schedule = Schedule::automatic;
};

struct FromViewsBuffers {
  BufferView chars;  ///< bytes; any address
  BufferView
      offsets;  ///< u32 or u64 for each row; address multiple of their size. They count from chars
  BufferView
      lengths;  ///< u32 for each row, address multiple of 4; rows are as many as it has bytes for
  StringColumnOut out;
  BufferView report = {};  ///< address 0: not wanted
  Scratch scratch = {};
};

/// out[i] = a view into chars. A row has at most kMaxStringBytes.
///
/// chars, offsets, lengths, out, report, scratch, barriers, errors, determinism: see vkprims/strings/column.hpp. How many
/// bytes come out is for the caller to know, record_view_bytes() to count, or the report to say
Status record_from_views(VkCommandBuffer cmd, const Device& device, const FromViewsDesc& desc,
                         const FromViewsBuffers& buffers);

/// Scratch that record_from_views() needs for so many rows.
ScratchNeed from_views_scratch(const Device& device, const FromViewsDesc& desc, std::uint64_t rows);

/// Compiles what record_from_views() uses for `desc`.
Status warm_up(const Device& device, const FromViewsDesc& desc);

/// What record_from_views() will write to chars.
struct ViewBytesDesc {
  std::uint32_t null_length = 0xffffffff;
  IndexWidth offset_width = IndexWidth::u32;
};

struct ViewBytesBuffers {
  BufferView chars, offsets, lengths;  ///< as in FromViewsBuffers
  BufferView out;                      ///< one u64; address multiple of 8
  Scratch scratch = {};
};

/// out = how many bytes record_from_views() makes of these views.
Status record_view_bytes(VkCommandBuffer cmd, const Device& device, const ViewBytesDesc& desc,
                         const ViewBytesBuffers& buffers);

/// Scratch that record_view_bytes() needs for so many rows.
ScratchNeed view_bytes_scratch(const Device& device, const ViewBytesDesc& desc, std::uint64_t rows);

/// Compiles what record_view_bytes() uses.
Status warm_up(const Device& device, const ViewBytesDesc& desc);

}  // namespace vkprims::strings
