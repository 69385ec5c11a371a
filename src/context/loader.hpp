// The system's Vulkan loader.
#pragma once

#include <vulkan/vulkan_core.h>

namespace vkprims {

/// Returns vkGetInstanceProcAddr of the system's loader, or null if there is none. May be called
/// from any thread.
PFN_vkGetInstanceProcAddr system_loader();

}  // namespace vkprims
