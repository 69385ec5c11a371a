// What operations whose results are bits or numbers record: the kernels of shaders/strings that include map.glsl.
#pragma once

#include "strings/call.hpp"

namespace vkprims::strings {

struct MapOut {
  BufferView results;
  VkDeviceSize bytes;   // of them
  BufferView validity;  // address 0: not wanted
};

ScratchNeed map_scratch(std::uint64_t text_bytes);

Status record_map(VkCommandBuffer cmd, DeviceState& state, const Spirv& kernel, const Call& call,
                  const MapOut& out, const Scratch& scratch, std::uint32_t operation);

Status warm_up_map(DeviceState& state, const Spirv& kernel, std::uint32_t operation);

}  // namespace vkprims::strings
