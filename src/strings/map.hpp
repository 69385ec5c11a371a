// Operations whose results are bits or numbers: the kernels of shaders/strings that include
// map.glsl.
#pragma once

#include "strings/long_rows.hpp"

namespace vkprims::strings {

struct MapOut {
  BufferView results;
  VkDeviceSize bytes;   // of the results
  BufferView validity;  // address 0: not wanted
};

/// A kernel and what it is asked for.
struct MapKernels {
  const Spirv* spirv;
  std::uint32_t operation;
  LongKernels long_kernels = {};  // none: no row is left to such kernels
  std::uint32_t of_long = 0;      // what those are asked: shaders/strings/numbers/number_marks.glsl
};

/// Scratch for a call of which nothing need be known but its texts and how long its rows are.
ScratchNeed map_scratch(const Device& device, const MapKernels& kernel, const Call& call);

/// Checks a call and adds its commands.
Status check_and_add_map(Commands& commands, const MapKernels& kernel, const Call& call,
                         const MapOut& out, const Scratch& scratch);

Status warm_up_map(Commands& commands, const MapKernels& kernel);

}  // namespace vkprims::strings
