// Dropout of single elements: the host side of shaders/random/dropout/elements.comp.
#pragma once

#include "runtime/commands.hpp"
#include "vkprims/dropout.hpp"

namespace vkprims {

/// What is read and written in the forward or the backward direction. Operands that a call has no
/// use for have no bytes.
struct DropoutOperands {
  Operand in, bias, residual, out, mask;
};

/// A flag of cells.glsl, which is set for f16 if the device may round halves otherwise than to
/// nearest even.
std::uint32_t dropout_half_flag(const DeviceState& state, DropoutType type);

ScratchNeed dropout_elements_need(const DeviceState& state, const DropoutDesc& desc, bool backward);

/// Adds one dispatch, if there are elements. In the backward direction the bias of `desc` must be
/// DropoutBias::none.
Status add_dropout_elements(Commands& commands, const DropoutDesc& desc,
                            const DropoutOperands& operands, const Scratch& scratch, bool backward);

}  // namespace vkprims
