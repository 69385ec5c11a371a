// The Vulkan functions that the library calls, loaded from the caller's vkGetInstanceProcAddr. The
// library defines and links no vk* symbol.
#pragma once

#include <vulkan/vulkan_core.h>

namespace vkprims {

#define VKPRIMS_INSTANCE_FUNCTIONS(X) \
  X(vkGetDeviceProcAddr)              \
  X(vkGetPhysicalDeviceProperties)    \
  X(vkGetPhysicalDeviceProperties2)   \
  X(vkGetPhysicalDeviceFeatures2)     \
  X(vkEnumerateDeviceExtensionProperties)

#define VKPRIMS_DEVICE_FUNCTIONS(X) \
  X(vkCreateShaderModule)           \
  X(vkDestroyShaderModule)          \
  X(vkCreatePipelineLayout)         \
  X(vkDestroyPipelineLayout)        \
  X(vkCreateComputePipelines)       \
  X(vkDestroyPipeline)              \
  X(vkGetBufferDeviceAddress)       \
  X(vkGetBufferMemoryRequirements)  \
  X(vkCmdBindPipeline)              \
  X(vkCmdPushConstants)             \
  X(vkCmdDispatch)                  \
  X(vkCmdDispatchIndirect)          \
  X(vkCmdPipelineBarrier)           \
  X(vkCmdFillBuffer)                \
  X(vkCmdUpdateBuffer)

// Null unless VK_EXT_debug_utils is enabled on the instance.
#define VKPRIMS_OPTIONAL_FUNCTIONS(X) \
  X(vkCmdBeginDebugUtilsLabelEXT)     \
  X(vkCmdEndDebugUtilsLabelEXT)       \
  X(vkSetDebugUtilsObjectNameEXT)

struct Functions {
#define VKPRIMS_DECLARE(name) PFN_##name name = nullptr;
  VKPRIMS_INSTANCE_FUNCTIONS(VKPRIMS_DECLARE)
  VKPRIMS_DEVICE_FUNCTIONS(VKPRIMS_DECLARE)
  VKPRIMS_OPTIONAL_FUNCTIONS(VKPRIMS_DECLARE)
#undef VKPRIMS_DECLARE

  /// Returns the name of the first function that cannot be loaded, or null.
  const char* load_instance(PFN_vkGetInstanceProcAddr get_proc, VkInstance instance);
  const char* load_device(PFN_vkGetInstanceProcAddr get_proc, VkInstance instance, VkDevice device);
};

}  // namespace vkprims
