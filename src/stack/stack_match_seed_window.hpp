// StackSchedule::seed_window: stack_match as the stack monoid was published, with the kernel
// shaders/stack/stack_match/seed_window.comp.
#pragma once

#include "runtime/commands.hpp"
#include "vkprims/stack_match.hpp"

namespace vkprims {

/// These do what stack_match's own functions do, for a descriptor with this schedule that is
/// otherwise valid.
Status check_seed_window(const DeviceState& state, const StackMatchDesc& desc,
                         const StackMatchBuffers& buffers);
ScratchNeed seed_window_need(const DeviceState& state, const StackMatchDesc& desc);
Status add_seed_window(Commands& commands, const StackMatchDesc& desc,
                       const StackMatchBuffers& buffers);
Status warm_up_seed_window(Commands& commands, const StackMatchDesc& desc);

}  // namespace vkprims
