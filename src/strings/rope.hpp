// What is recorded by operations whose results are strings: the kernels of shaders/strings that
// include rope.glsl.
#pragma once

#include "strings/call.hpp"
#include "strings/long_rows.hpp"
#include "vkprims/strings/rope.hpp"

namespace vkprims::strings {

// The library's own kernels may have RopeKernel::pieces 0, which stands for 2 for each column of
// the table except the first, and 1 more.

/// Scratch for `rows` rows, with texts of so many bytes in all and a table of so many columns; if
/// there are kernels for long rows, also for the tables of these.
ScratchNeed rope_scratch(const DeviceState& state, const RopeKernel& kernel, std::uint64_t rows,
                         std::uint64_t text_bytes, std::uint64_t columns,
                         const LongRowTables& tables = {});

/// `operation` is the kernel's constant VKP_STRINGS_SPEC_OP.
Status record_rope(VkCommandBuffer cmd, DeviceState& state, const RopeKernel& kernel,
                   const Call& call, const StringColumnOut& out, const BufferView& report,
                   const Scratch& scratch, std::uint32_t operation = 0,
                   const LongKernels& long_kernels = {});

Status warm_up_rope(DeviceState& state, const RopeKernel& kernel, Schedule schedule,
                    std::uint32_t operation = 0, const LongKernels& long_kernels = {});

}  // namespace vkprims::strings
