// Fills within other primitives.
#pragma once

#include "runtime/commands.hpp"
#include "vkprims/fill.hpp"

namespace vkprims {

/// Adds the commands of a fill whose descriptor and buffers have been checked.
Status add_fill(Commands& commands, const FillDesc& desc, const FillBuffers& buffers);

}  // namespace vkprims
