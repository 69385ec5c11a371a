// The Vulkan functions that the benchmark program calls itself, loaded through a Context.
#pragma once

#include <vulkan/vulkan_core.h>

#include "vkprims/context.hpp"

namespace vkprims::bench {

#define VKPRIMS_BENCH_INSTANCE_FUNCTIONS(X) \
  X(vkGetDeviceProcAddr)                    \
  X(vkGetPhysicalDeviceProperties2)         \
  X(vkGetPhysicalDeviceFeatures2)           \
  X(vkGetPhysicalDeviceMemoryProperties)    \
  X(vkCreateDevice)

#define VKPRIMS_BENCH_DEVICE_FUNCTIONS(X) \
  X(vkDestroyDevice)                      \
  X(vkGetDeviceQueue)                     \
  X(vkCreateShaderModule)                 \
  X(vkDestroyShaderModule)                \
  X(vkCreatePipelineLayout)               \
  X(vkDestroyPipelineLayout)              \
  X(vkCreateComputePipelines)             \
  X(vkDestroyPipeline)                    \
  X(vkCreatePipelineCache)                \
  X(vkDestroyPipelineCache)               \
  X(vkCreateQueryPool)                    \
  X(vkDestroyQueryPool)                   \
  X(vkGetQueryPoolResults)                \
  X(vkCreateCommandPool)                  \
  X(vkDestroyCommandPool)                 \
  X(vkResetCommandPool)                   \
  X(vkAllocateCommandBuffers)             \
  X(vkBeginCommandBuffer)                 \
  X(vkEndCommandBuffer)                   \
  X(vkCmdResetQueryPool)                  \
  X(vkCmdWriteTimestamp)                  \
  X(vkCmdPipelineBarrier)                 \
  X(vkCmdCopyBuffer)                      \
  X(vkCmdFillBuffer)                      \
  X(vkCmdBindPipeline)                    \
  X(vkCmdPushConstants)                   \
  X(vkCmdDispatch)

struct VulkanFunctions {
#define VKPRIMS_BENCH_DECLARE(name) PFN_##name name = nullptr;
  VKPRIMS_BENCH_INSTANCE_FUNCTIONS(VKPRIMS_BENCH_DECLARE)
  VKPRIMS_BENCH_DEVICE_FUNCTIONS(VKPRIMS_BENCH_DECLARE)
#undef VKPRIMS_BENCH_DECLARE

  explicit VulkanFunctions(const Context& context) {
    const auto missing = [](const char* name) {
      return Error(Status::error(Status::unsupported, "%s cannot be loaded", name));
    };
#define VKPRIMS_BENCH_LOAD(name)                                                                 \
  name =                                                                                         \
      reinterpret_cast<PFN_##name>(context.get_instance_proc_addr()(context.instance(), #name)); \
  if (!name) throw missing(#name);
    VKPRIMS_BENCH_INSTANCE_FUNCTIONS(VKPRIMS_BENCH_LOAD)
#undef VKPRIMS_BENCH_LOAD
#define VKPRIMS_BENCH_LOAD(name)                                                        \
  name = reinterpret_cast<PFN_##name>(vkGetDeviceProcAddr(context.vk_device(), #name)); \
  if (!name) throw missing(#name);
    VKPRIMS_BENCH_DEVICE_FUNCTIONS(VKPRIMS_BENCH_LOAD)
#undef VKPRIMS_BENCH_LOAD
  }
};

/// Throws Error unless a Vulkan call has succeeded.
inline void check_vk(VkResult result, const char* call) {
  throw_if_error(Status::from(result, call));
}

/// Completes everything before and makes it visible to everything after.
inline void full_barrier(const VulkanFunctions& vk, VkCommandBuffer cmd) {
  constexpr VkAccessFlags kAll = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  const VkMemoryBarrier memory{
      .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = kAll, .dstAccessMask = kAll};
  vk.vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                          VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &memory, 0, nullptr, 0,
                          nullptr);
}

}  // namespace vkprims::bench
