// What is recorded by operations whose results are bits or numbers: the kernels of shaders/strings
// that include map.glsl.
#pragma once

#include "strings/call.hpp"
#include "strings/long_rows.hpp"

namespace vkprims::strings {

struct MapOut {
  BufferView results;
  VkDeviceSize bytes;   // of the results
  BufferView validity;  // address 0: not wanted
};

/// A kernel and what it is asked for.
struct MapKernel {
  const Spirv* spirv;
  std::uint32_t operation;
  LongKernels long_kernels = {};  // none: no row is left to such kernels
  std::uint32_t of_long = 0;      // what those are asked: shaders/strings/numbers/number_marks.glsl
};

/// Scratch for a column of `chars_bytes` bytes, no row of which is longer than `longest_row_bytes`;
/// 0: not known.
ScratchNeed map_scratch(const MapKernel& kernel, std::uint64_t text_bytes,
                        std::uint64_t chars_bytes, std::uint64_t longest_row_bytes);

Status record_map(VkCommandBuffer cmd, DeviceState& state, const MapKernel& kernel,
                  const Call& call, const MapOut& out, const Scratch& scratch);

Status warm_up_map(DeviceState& state, const MapKernel& kernel);

}  // namespace vkprims::strings
