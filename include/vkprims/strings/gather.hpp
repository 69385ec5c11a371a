// Rows of a column of strings by their numbers.
#pragma once

#include "vkprims/device.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims::strings {

/// out[i] = in[indices[i]]; null where there is no such row, or it is null.
struct GatherStringsDesc {
  Schedule schedule = Schedule::automatic;
};

struct GatherStringsBuffers {
  StringColumnView in;
  BufferView indices;  ///< u32 each, address multiple of 4; as many as it has bytes for
  StringColumnOut out;
  BufferView report = {};  ///< address 0: not wanted
  Scratch scratch = {};
};

/// out[i] = in[indices[i]].
///
/// in, out, report, scratch, barriers, errors, determinism: see vkprims/strings/column.hpp. How many bytes come out is
/// for the caller to know, or for the report to say
Status record_gather(VkCommandBuffer cmd, const Device& device, const GatherStringsDesc& desc,
                     const GatherStringsBuffers& buffers);

/// Scratch that record_gather() needs for so many indices.
ScratchNeed gather_scratch(const Device& device, const GatherStringsDesc& desc,
                           std::uint64_t indices);

/// Compiles what record_gather() uses for `desc`.
Status warm_up(const Device& device, const GatherStringsDesc& desc);

}  // namespace vkprims::strings
