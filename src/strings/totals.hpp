// Operations that add up a number over a column: the host side of
// shaders/strings/totals/totals.comp.
#pragma once

#include <vector>

#include "strings/call.hpp"
#include "strings/totals/totals.abi.h"

namespace vkprims::strings {

struct TotalsCall {
  std::uint32_t operation;
  std::vector<Operand> operands;  // that it reads
  abi::TotalsPush push;           // addresses and sizes of these
  BufferView out;                 // 8 bytes
};

ScratchNeed totals_scratch(const DeviceState& state, std::uint64_t items);

/// Checks the operands of a call and adds its commands.
Status check_and_add_totals(Commands& commands, TotalsCall call, const Scratch& scratch);

Status warm_up_totals(Commands& commands, std::uint32_t operation);

}  // namespace vkprims::strings
