// What operations whose results are strings record: the kernels of shaders/strings that include rope.glsl.
#pragma once

#include "strings/call.hpp"

namespace vkprims::strings {

/// The variants of a kernel.
struct RopeKernel {
  const Spirv* sizes;
  const Spirv* write;
  const Spirv* single64;
  const Spirv* single32;
  std::uint32_t pieces = 1;       // of a row, at most; 0: 2 for each column but the first, and 1
  const Spirv* before = nullptr;  // a kernel without variants that goes ahead of the others
  bool marks = false;  // all bytes of rows of `a`, as many at a time as there is room for
};

/// Scratch for `rows` rows, with texts of so many bytes in all and a table of so many columns.
ScratchNeed rope_scratch(const DeviceState& state, const RopeKernel& kernel, std::uint64_t rows,
                         std::uint64_t text_bytes, std::uint64_t columns);

/// `operation`: the kernel's constant VKP_STRINGS_SPEC_OP.
Status record_rope(VkCommandBuffer cmd, DeviceState& state, const RopeKernel& kernel,
                   const Call& call, const StringColumnOut& out, const BufferView& report,
                   const Scratch& scratch, std::uint32_t operation = 0);

Status warm_up_rope(DeviceState& state, const RopeKernel& kernel, Schedule schedule,
                    std::uint32_t operation = 0);

}  // namespace vkprims::strings
