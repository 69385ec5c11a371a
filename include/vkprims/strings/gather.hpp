// Rows of a column of strings by their numbers.
#pragma once

#include "vkprims/device.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims::strings {

/// out[i] = in[indices[i]]; null where there is no such row, or it is null.
struct GatherStringsDesc {
  Schedule schedule = Schedule::automatic;
  Count count =
      {};  ///< indices, 0 … kMaxStringRows; not given, or its max: as many as `indices` has
           ///< bytes for
  std::uint64_t longest_row_bytes = 0;  ///< what no row of in is longer than; 0: not known
};

struct GatherStringsBuffers {
  StringColumnView in;
  BufferView indices;  ///< u32 each, address multiple of 4
  StringColumnOut out;
  BufferView report = {};  ///< address 0: not wanted
  Scratch scratch = {};
};

/// out[i] = in[indices[i]] for i below the count; out has count.max rows, and those behind the count are null and have
/// no bytes: whatever is done to them next, nobody has to know on the host how many there are.
///
/// indices   is not read behind the count
/// count     a host value, or read on the GPU: u32 or u64 at an address multiple of its size, at most max. The time for
///           rows behind it is that of writing their offsets
/// in, out, report, scratch, barriers, errors, determinism: see vkprims/strings/column.hpp. How many bytes come out is
/// for the caller to know, record_gathered_bytes() to count, or the report to say
Status record_gather(VkCommandBuffer cmd, const Device& device, const GatherStringsDesc& desc,
                     const GatherStringsBuffers& buffers);

/// Scratch that record_gather() needs for so many indices, at most.
ScratchNeed gather_scratch(const Device& device, const GatherStringsDesc& desc,
                           std::uint64_t indices);

/// Compiles what record_gather() uses for `desc`.
Status warm_up(const Device& device, const GatherStringsDesc& desc);

/// What record_gather() will write to chars.
struct GatheredBytesDesc {};

struct GatheredBytesBuffers {
  StringColumnView in;
  BufferView indices;  ///< as in GatherStringsBuffers
  BufferView out;      ///< one u64; address multiple of 8
  Scratch scratch = {};
};

/// out = how many bytes record_gather() makes of these rows.
///
/// in, scratch, barriers, errors, determinism: see vkprims/strings/column.hpp
Status record_gathered_bytes(VkCommandBuffer cmd, const Device& device,
                             const GatheredBytesDesc& desc, const GatheredBytesBuffers& buffers);

/// Scratch that record_gathered_bytes() needs for so many indices.
ScratchNeed gathered_bytes_scratch(const Device& device, const GatheredBytesDesc& desc,
                                   std::uint64_t indices);

/// Compiles what record_gathered_bytes() uses.
Status warm_up(const Device& device, const GatheredBytesDesc& desc);

}  // namespace vkprims::strings
