// The two kinds of stack_fold, for valid arguments.
#pragma once

#include "runtime/commands.hpp"
#include "stack/stack_fold/stack_fold.abi.h"
#include "vkprims/stack_fold.hpp"

namespace vkprims {

/// What kernels read and write, without scratch.
struct StackFoldOperands {
  Operand symbols, closes, values, out, count;
};
StackFoldOperands stack_fold_operands(const StackFoldDesc& desc, const StackFoldBuffers& buffers);

/// The push constants without places in scratch.
abi::StackFoldPush stack_fold_push(const StackFoldDesc& desc, const StackFoldOperands& operands);

/// Numbers of the variants of kernels: u32, f32, rectangle, affine.
std::uint32_t stack_fold_variant(StackMonoid monoid);
/// The operator as monoids.glsl takes it.
std::uint32_t stack_fold_op(StackMonoid monoid);
/// The words of a value that one load takes, as far as the addresses of views allow.
std::uint32_t stack_fold_words(StackMonoid monoid, const StackFoldOperands& operands);

ScratchNeed stack_fold_enclosing_need(const DeviceState& state, const StackFoldDesc& desc);
Status add_stack_fold_enclosing(Commands& commands, const StackFoldDesc& desc,
                                const StackFoldBuffers& buffers);
Status warm_up_stack_fold_enclosing(Commands& commands, const StackFoldDesc& desc);

ScratchNeed stack_fold_enclosed_need(const DeviceState& state, const StackFoldDesc& desc);
Status add_stack_fold_enclosed(Commands& commands, const StackFoldDesc& desc,
                               const StackFoldBuffers& buffers);
Status warm_up_stack_fold_enclosed(Commands& commands, const StackFoldDesc& desc);

}  // namespace vkprims
