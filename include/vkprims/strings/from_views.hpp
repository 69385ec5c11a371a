// From views: makes a column of strings from pairs of an offset and a length.
/// @ingroup strings
#pragma once

#include "vkprims/device.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims::strings {

/// out[i] = the lengths[i] bytes from offsets[i] on; null where lengths[i] is null_length.
///
/// The views may overlap and come in any order. Views that reach past the end of chars are cut
/// there.
struct FromViewsDesc {
  std::uint32_t null_length = 0xffffffff;  ///< the length that stands for a null row
  /// Width of the elements of FromViewsBuffers::offsets.
  IndexWidth offset_width = IndexWidth::u32;
  std::uint64_t longest_row_bytes = 0;      ///< no row of out has more bytes; 0: not known
  Schedule schedule = Schedule::automatic;  ///< which algorithm, where there are two
};

/// Memory for record_from_views().
struct FromViewsBuffers {
  BufferView chars;  ///< bytes, at any address
  /// one u32 or u64 for each row, counted from chars; address multiple of their size
  BufferView offsets;
  /// One u32 for each row; address multiple of 4. Its size in bytes determines the number of rows.
  BufferView lengths;
  StringColumnOut out;     ///< a row for each view
  BufferView report = {};  ///< address 0: not wanted
  Scratch scratch = {};    ///< from_views_scratch() bytes
};

/// out[i] = the bytes of view i. A row has at most kMaxStringBytes bytes.
///
/// vkprims/strings/column.hpp describes chars, offsets, lengths, out, report, scratch, barriers,
/// errors and determinism. The caller has to know how many bytes come out; record_view_bytes()
/// counts them beforehand, and the report tells whether there was room.
Status record_from_views(VkCommandBuffer cmd, const Device& device, const FromViewsDesc& desc,
                         const FromViewsBuffers& buffers);

/// Scratch that record_from_views() needs for `rows` rows.
ScratchNeed from_views_scratch(const Device& device, const FromViewsDesc& desc, std::uint64_t rows);

/// Compiles the pipelines that record_from_views() uses for `desc`.
Status warm_up(const Device& device, const FromViewsDesc& desc);

/// Counts the bytes that record_from_views() will write to out.chars.
struct ViewBytesDesc {
  std::uint32_t null_length = 0xffffffff;  ///< the length that stands for a null row
  /// Width of the elements of ViewBytesBuffers::offsets.
  IndexWidth offset_width = IndexWidth::u32;
};

/// Memory for record_view_bytes().
struct ViewBytesBuffers {
  BufferView chars, offsets, lengths;  ///< as in FromViewsBuffers
  BufferView out;                      ///< one u64; address multiple of 8
  Scratch scratch = {};                ///< view_bytes_scratch() bytes
};

/// out = the number of bytes that record_from_views() makes of these views.
Status record_view_bytes(VkCommandBuffer cmd, const Device& device, const ViewBytesDesc& desc,
                         const ViewBytesBuffers& buffers);

/// Scratch that record_view_bytes() needs for `rows` rows.
ScratchNeed view_bytes_scratch(const Device& device, const ViewBytesDesc& desc, std::uint64_t rows);

/// Compiles the pipelines that record_view_bytes() uses.
Status warm_up(const Device& device, const ViewBytesDesc& desc);

}  // namespace vkprims::strings
