// Slices of strings, in characters.
#pragma once

#include <optional>

#include "vkprims/device.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims::strings {

/// As Python's s[start:stop]: positions count characters, negative ones from the end; left out: the beginning, the end.
struct SliceDesc {
  std::optional<std::int32_t> start = {};
  std::optional<std::int32_t> stop = {};
  Schedule schedule = Schedule::automatic;
};

struct SliceBuffers {
  StringColumnView in;
  StringColumnOut out;
  BufferView report = {};  ///< address 0: not wanted
  Scratch scratch = {};
};

/// out[i] = the characters start … stop - 1 of in[i], as many as there are; null where in[i] is null.
///
/// in, out, report, scratch, barriers, errors, determinism: see vkprims/strings/column.hpp. out.chars: at most as many
/// bytes as in has
Status record_slice(VkCommandBuffer cmd, const Device& device, const SliceDesc& desc,
                    const SliceBuffers& buffers);

/// Scratch that record_slice() needs for so many rows.
ScratchNeed slice_scratch(const Device& device, const SliceDesc& desc, std::uint64_t rows);

/// Compiles what record_slice() uses for `desc`.
Status warm_up(const Device& device, const SliceDesc& desc);

}  // namespace vkprims::strings
