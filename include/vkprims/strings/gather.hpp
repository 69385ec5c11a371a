// Gather of strings: rows of a column by their numbers.
/// @ingroup strings
#pragma once

#include "vkprims/device.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims::strings {

/// out[i] = in[indices[i]]; null where there is no such row or it is null.
struct GatherStringsDesc {
  Schedule schedule = Schedule::automatic;  ///< which algorithm, where there are two
  /// Number of indices, 0 … kMaxStringRows. If it or its max is not given, it is the number that
  /// GatherStringsBuffers::indices has bytes for.
  Count count = {};
  std::uint64_t longest_row_bytes = 0;  ///< no row of in has more bytes; 0: not known
};

/// Memory for record_gather().
struct GatherStringsBuffers {
  StringColumnView in;     ///< the rows to choose from
  BufferView indices;      ///< one u32 each; address multiple of 4
  StringColumnOut out;     ///< a row for each index
  BufferView report = {};  ///< address 0: not wanted
  Scratch scratch = {};    ///< gather_scratch() bytes
};

/// out[i] = in[indices[i]] for i below the count. out has count.max rows; those behind the count
/// are null and have no bytes, so that later operations can use out without knowing the count on
/// the host.
///
/// vkprims/strings/column.hpp describes in, out, report, scratch, barriers, errors and determinism.
/// The caller has to know how many bytes come out; record_gathered_bytes() counts them beforehand,
/// and the report tells whether there was room.
///
/// indices   not read behind the count
/// count     a host value, or a u32 or u64 of at most max that is read on the GPU at an address
///           that is a multiple of its size. Rows behind the count cost only the time to write
///           their offsets
Status record_gather(VkCommandBuffer cmd, const Device& device, const GatherStringsDesc& desc,
                     const GatherStringsBuffers& buffers);

/// Scratch that record_gather() needs for at most `indices` indices.
ScratchNeed gather_scratch(const Device& device, const GatherStringsDesc& desc,
                           std::uint64_t indices);

/// Compiles the pipelines that record_gather() uses for `desc`.
Status warm_up(const Device& device, const GatherStringsDesc& desc);

/// Counts the bytes that record_gather() will write to out.chars.
struct GatheredBytesDesc {};

/// Memory for record_gathered_bytes().
struct GatheredBytesBuffers {
  StringColumnView in;   ///< as in GatherStringsBuffers
  BufferView indices;    ///< as in GatherStringsBuffers
  BufferView out;        ///< one u64; address multiple of 8
  Scratch scratch = {};  ///< gathered_bytes_scratch() bytes
};

/// out = the number of bytes that record_gather() makes of these rows.
///
/// vkprims/strings/column.hpp describes in, scratch, barriers, errors and determinism.
Status record_gathered_bytes(VkCommandBuffer cmd, const Device& device,
                             const GatheredBytesDesc& desc, const GatheredBytesBuffers& buffers);

/// Scratch that record_gathered_bytes() needs for `indices` indices.
ScratchNeed gathered_bytes_scratch(const Device& device, const GatheredBytesDesc& desc,
                                   std::uint64_t indices);

/// Compiles the pipelines that record_gathered_bytes() uses.
Status warm_up(const Device& device, const GatheredBytesDesc& desc);

}  // namespace vkprims::strings
