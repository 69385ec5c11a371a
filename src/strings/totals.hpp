// What is recorded by operations that add up a number over a column:
// shaders/strings/totals/totals.comp.
#pragma once

#include <vector>

#include "strings/call.hpp"
#include "strings/totals/totals.abi.h"

namespace vkprims::strings {

struct TotalsCall {
  const char* primitive;
  std::uint32_t operation;
  std::vector<Argument> arguments;  // views that it reads
  abi::TotalsPush push;             // addresses and sizes of these
  BufferView out;                   // 8 bytes
};

ScratchNeed totals_scratch(const DeviceState& state, std::uint64_t items);

Status record_totals(VkCommandBuffer cmd, DeviceState& state, TotalsCall call,
                     const Scratch& scratch);

Status warm_up_totals(DeviceState& state, std::uint32_t operation);

}  // namespace vkprims::strings
