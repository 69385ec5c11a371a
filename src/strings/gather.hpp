// A gather of rows, as part of other primitives.
#pragma once

#include "runtime/commands.hpp"
#include "vkprims/strings/gather.hpp"

namespace vkprims::strings {

/// Adds the commands of a gather that has been checked and whose count is given.
Status add_gather(Commands& commands, const GatherStringsDesc& desc,
                  const GatherStringsBuffers& buffers);
Status warm_up_gather(Commands& commands, const GatherStringsDesc& desc);

}  // namespace vkprims::strings
