// What operations whose results are bits or numbers record: the kernels of shaders/strings that include map.glsl.
#pragma once

#include "strings/call.hpp"

namespace vkprims::strings {

struct MapOut {
  BufferView results;
  VkDeviceSize bytes;   // of them
  BufferView validity;  // address 0: not wanted
};

/// A kernel and what it is asked.
struct MapKernel {
  const Spirv* spirv;
  std::uint32_t operation;
  /// What the kernels of long rows (shaders/strings/long_parts.comp) are asked of rows that are left to them.
  std::uint32_t of_long = 0;
  bool leaves_long = false;  // some may be
  bool in_window = false;    // only some characters are searched
  std::uint32_t entries =
      0;  // of a text that overlaps itself (shaders/strings/part_numbers.glsl); 0: none are asked
};

/// `chars_bytes`: of the column.
ScratchNeed map_scratch(const MapKernel& kernel, std::uint64_t text_bytes,
                        std::uint64_t chars_bytes);

Status record_map(VkCommandBuffer cmd, DeviceState& state, const MapKernel& kernel,
                  const Call& call, const MapOut& out, const Scratch& scratch);

Status warm_up_map(DeviceState& state, const MapKernel& kernel);

}  // namespace vkprims::strings
