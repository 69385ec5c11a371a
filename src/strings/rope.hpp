// What operations whose results are strings record: the kernels of shaders/strings that include rope.glsl.
#pragma once

#include "strings/call.hpp"
#include "vkprims/strings/rope.hpp"

namespace vkprims::strings {

// The library's own kernels may have RopeKernel::pieces 0: 2 for each column of the table but the first, and 1.

/// Kernels for long rows, which there need not be: ahead of all others one that sums up blocks of a
/// (shaders/strings/blocks.glsl), and behind it one that cuts them (shaders/strings/long_cuts.glsl); or one that makes
/// them behind all others, in place of that which copies spans (shaders/strings/spans.glsl).
struct LongKernels {
  const Spirv *blocks = nullptr, *cuts = nullptr, *behind = nullptr;
};

/// Scratch for `rows` rows, with texts of so many bytes in all and a table of so many columns.
ScratchNeed rope_scratch(const DeviceState& state, const RopeKernel& kernel, std::uint64_t rows,
                         std::uint64_t text_bytes, std::uint64_t columns);

/// `operation`: the kernel's constant VKP_STRINGS_SPEC_OP.
Status record_rope(VkCommandBuffer cmd, DeviceState& state, const RopeKernel& kernel,
                   const Call& call, const StringColumnOut& out, const BufferView& report,
                   const Scratch& scratch, std::uint32_t operation = 0,
                   const LongKernels& long_kernels = {});

Status warm_up_rope(DeviceState& state, const RopeKernel& kernel, Schedule schedule,
                    std::uint32_t operation = 0, const LongKernels& long_kernels = {});

}  // namespace vkprims::strings
