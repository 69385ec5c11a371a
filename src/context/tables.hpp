// The Vulkan functions that a Context calls: one table per instance and per device, so that any
// number of Contexts on different loaders, instances and devices live side by side.
#pragma once

#include <vulkan/vulkan_core.h>

namespace vkprims {

#define VKPRIMS_CONTEXT_GLOBAL_FUNCTIONS(X) \
  X(vkCreateInstance)                       \
  X(vkEnumerateInstanceExtensionProperties) \
  X(vkEnumerateInstanceLayerProperties)

#define VKPRIMS_CONTEXT_INSTANCE_FUNCTIONS(X) \
  X(vkDestroyInstance)                        \
  X(vkEnumeratePhysicalDevices)               \
  X(vkEnumerateDeviceExtensionProperties)     \
  X(vkGetPhysicalDeviceFeatures)              \
  X(vkGetPhysicalDeviceProperties)            \
  X(vkGetPhysicalDeviceProperties2)           \
  X(vkGetPhysicalDeviceMemoryProperties)      \
  X(vkGetPhysicalDeviceMemoryProperties2)     \
  X(vkGetPhysicalDeviceQueueFamilyProperties) \
  X(vkCreateDevice)                           \
  X(vkGetDeviceProcAddr)

// Null unless VK_EXT_debug_utils is enabled.
#define VKPRIMS_CONTEXT_OPTIONAL_FUNCTIONS(X) \
  X(vkCreateDebugUtilsMessengerEXT)           \
  X(vkDestroyDebugUtilsMessengerEXT)

#define VKPRIMS_CONTEXT_DEVICE_FUNCTIONS(X) \
  X(vkDestroyDevice)                        \
  X(vkGetDeviceQueue)                       \
  X(vkQueueSubmit)                          \
  X(vkQueueWaitIdle)                        \
  X(vkQueueBindSparse)                      \
  X(vkCreateFence)                          \
  X(vkDestroyFence)                         \
  X(vkResetFences)                          \
  X(vkGetFenceStatus)                       \
  X(vkWaitForFences)                        \
  X(vkCreateQueryPool)                      \
  X(vkDestroyQueryPool)                     \
  X(vkGetQueryPoolResults)                  \
  X(vkCreateCommandPool)                    \
  X(vkDestroyCommandPool)                   \
  X(vkTrimCommandPool)                      \
  X(vkAllocateCommandBuffers)               \
  X(vkFreeCommandBuffers)                   \
  X(vkBeginCommandBuffer)                   \
  X(vkEndCommandBuffer)                     \
  X(vkResetCommandBuffer)                   \
  X(vkCreateBuffer)                         \
  X(vkDestroyBuffer)                        \
  X(vkGetBufferMemoryRequirements)          \
  X(vkGetBufferDeviceAddress)               \
  X(vkCreatePipelineCache)                  \
  X(vkDestroyPipelineCache)                 \
  X(vkGetPipelineCacheData)                 \
  X(vkCmdPipelineBarrier)                   \
  X(vkCmdCopyBuffer)                        \
  X(vkCmdUpdateBuffer)                      \
  X(vkCmdResetQueryPool)                    \
  X(vkCmdWriteTimestamp)

#define VKPRIMS_CONTEXT_DECLARE(name) PFN_##name name = nullptr;

struct GlobalTable {
  VKPRIMS_CONTEXT_GLOBAL_FUNCTIONS(VKPRIMS_CONTEXT_DECLARE)
  /// Throws Error naming the first function that is missing.
  void load(PFN_vkGetInstanceProcAddr get_proc);
};

struct InstanceTable {
  VKPRIMS_CONTEXT_INSTANCE_FUNCTIONS(VKPRIMS_CONTEXT_DECLARE)
  VKPRIMS_CONTEXT_OPTIONAL_FUNCTIONS(VKPRIMS_CONTEXT_DECLARE)
  /// Throws likewise. The functions that were found before the missing one are set.
  void load(PFN_vkGetInstanceProcAddr get_proc, VkInstance instance);
};

struct DeviceTable {
  VKPRIMS_CONTEXT_DEVICE_FUNCTIONS(VKPRIMS_CONTEXT_DECLARE)
  void load(PFN_vkGetDeviceProcAddr get_proc, VkDevice device);
};

#undef VKPRIMS_CONTEXT_DECLARE

}  // namespace vkprims
