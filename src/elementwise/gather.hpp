// Gathers within other primitives.
#pragma once

#include "runtime/commands.hpp"
#include "vkprims/gather.hpp"

namespace vkprims {

/// What a gather needs, whose descriptor is right.
ScratchNeed gather_need(const DeviceState& state, const GatherDesc& desc);

/// Adds the commands of a gather whose descriptor and buffers have been checked.
Status add_gather(Commands& commands, const GatherDesc& desc, const GatherBuffers& buffers);

/// Adds what a descriptor may need at any alignment and count.
Status warm_up_gather(Commands& commands, const GatherDesc& desc);

}  // namespace vkprims
