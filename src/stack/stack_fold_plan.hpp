// The two kinds of stack_fold, for valid arguments.
#pragma once

#include "blocks/fold.hpp"
#include "runtime/commands.hpp"
#include "stack/stack_fold/stack_fold.abi.h"
#include "vkprims/stack_fold.hpp"

namespace vkprims {

/// What kernels read and write, without scratch.
struct StackFoldOperands {
  Operand symbols, closes, values, out, match, header, count;
};
StackFoldOperands stack_fold_operands(const StackFoldDesc& desc, const StackFoldBuffers& buffers);

/// The push constants without places in scratch.
abi::StackFoldPush stack_fold_push(const StackFoldDesc& desc, const StackFoldOperands& operands);

/// Size of a value in bytes.
std::uint32_t stack_fold_value_bytes(const StackFoldDesc& desc);
/// Numbers of the variants of kernels: u32, f32, rectangle, affine.
std::uint32_t stack_fold_variant(StackMonoid monoid);
/// The operator as monoids.glsl takes it.
std::uint32_t stack_fold_op(const StackFoldDesc& desc);
/// The words of a value that one load takes, as far as the addresses of views allow.
std::uint32_t stack_fold_words(const StackFoldDesc& desc, const StackFoldOperands& operands);

/// Adds a dispatch of a kernel, the built-in one or that of the application's monoid.
template <class... Arguments>
Status dispatch_stack_fold(Commands& commands, const StackFoldDesc& desc, MonoidKernel kernel,
                           const Spirv& built_in, const Arguments&... arguments) {
  const Spirv* spirv = nullptr;
  const Fold fold{Type::u32, Op::add, desc.own};
  VKPRIMS_TRY(find_kernel("stack_fold", fold, kernel, built_in, spirv));
  return commands.dispatch(*spirv, arguments...);
}

ScratchNeed stack_fold_enclosing_need(const DeviceState& state, const StackFoldDesc& desc);
Status add_stack_fold_enclosing(Commands& commands, const StackFoldDesc& desc,
                                const StackFoldBuffers& buffers);
Status warm_up_stack_fold_enclosing(Commands& commands, const StackFoldDesc& desc);

ScratchNeed stack_fold_enclosed_need(const DeviceState& state, const StackFoldDesc& desc);
Status add_stack_fold_enclosed(Commands& commands, const StackFoldDesc& desc,
                               const StackFoldBuffers& buffers);
Status warm_up_stack_fold_enclosed(Commands& commands, const StackFoldDesc& desc);

}  // namespace vkprims
