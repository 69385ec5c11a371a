// Copies within other primitives.
#pragma once

#include "runtime/commands.hpp"
#include "vkprims/copy.hpp"

namespace vkprims {

/// What a copy needs, whose descriptor is right.
ScratchNeed copy_need(const DeviceState& state, const CopyDesc& desc);

/// Adds the commands of a copy whose descriptor and buffers have been checked.
Status add_copy(Commands& commands, const CopyDesc& desc, const CopyBuffers& buffers);

/// Adds what a descriptor may need at any alignment and count.
Status warm_up_copy(Commands& commands, const CopyDesc& desc);

}  // namespace vkprims
