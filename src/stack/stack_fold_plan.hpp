// The two kinds of stack_fold, for valid arguments.
#pragma once

#include "runtime/device_state.hpp"
#include "vkprims/stack_fold.hpp"

namespace vkprims {

/// Numbers of the variants of kernels: u32, f32, rectangle, affine.
std::uint32_t stack_fold_variant(StackMonoid monoid);
/// The operator as monoids.glsl takes it.
std::uint32_t stack_fold_op(StackMonoid monoid);
/// The words of a value that one load takes, as far as the addresses of views allow. An address of
/// 0 allows all.
std::uint32_t stack_fold_words(StackMonoid monoid, VkDeviceAddress values, VkDeviceAddress out);

ScratchNeed stack_fold_enclosing_scratch(const DeviceState& state, const StackFoldDesc& desc);
Status record_stack_fold_enclosing(VkCommandBuffer cmd, DeviceState& state,
                                   const StackFoldDesc& desc, const StackFoldBuffers& buffers);
Status warm_up_stack_fold_enclosing(DeviceState& state, const StackFoldDesc& desc);

ScratchNeed stack_fold_enclosed_scratch(const Device& device, const StackFoldDesc& desc);
Status record_stack_fold_enclosed(VkCommandBuffer cmd, const Device& device,
                                  const StackFoldDesc& desc, const StackFoldBuffers& buffers);
Status warm_up_stack_fold_enclosed(const Device& device, const StackFoldDesc& desc);

}  // namespace vkprims
