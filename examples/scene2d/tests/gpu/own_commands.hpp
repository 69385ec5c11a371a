// The commands that the renderer records itself, as the library's hazard checker sees them.
#pragma once

#include <vulkan/vulkan_core.h>

namespace scene2d {

// Tells the checker of them from now on, which forgets what it knows. There may be one device at a
// time.
void watch_own_commands(VkDevice device);

}  // namespace scene2d
