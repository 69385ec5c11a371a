// StackSchedule::seed_window: stack_match as the stack monoid was published, with the kernel
// shaders/stack/stack_match/seed_window.comp.
#pragma once

#include "runtime/device_state.hpp"
#include "vkprims/stack_match.hpp"

namespace vkprims {

/// These do what stack_match's own functions do, for a descriptor with this schedule that is
/// otherwise valid.
Status record_seed_window(VkCommandBuffer cmd, DeviceState& state, const StackMatchDesc& desc,
                          const StackMatchBuffers& buffers);
ScratchNeed seed_window_scratch(const DeviceState& state, const StackMatchDesc& desc);
Status warm_up_seed_window(DeviceState& state, const StackMatchDesc& desc);

}  // namespace vkprims
