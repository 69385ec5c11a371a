#include "support/faulty_loader.hpp"

#include <vulkan/vulkan.h>

#include <cstring>
#include <vector>

namespace vkprims::test {
namespace {

struct Real {
  PFN_vkGetDeviceProcAddr vkGetDeviceProcAddr;
  PFN_vkGetPhysicalDeviceProperties2 vkGetPhysicalDeviceProperties2;
  PFN_vkGetPhysicalDeviceMemoryProperties2 vkGetPhysicalDeviceMemoryProperties2;
  PFN_vkEnumerateDeviceExtensionProperties vkEnumerateDeviceExtensionProperties;
  PFN_vkCreateDevice vkCreateDevice;
  PFN_vkQueueSubmit vkQueueSubmit;
  PFN_vkWaitForFences vkWaitForFences;
  PFN_vkGetFenceStatus vkGetFenceStatus;
  PFN_vkAllocateMemory vkAllocateMemory;
  PFN_vkFreeMemory vkFreeMemory;
  PFN_vkAllocateCommandBuffers vkAllocateCommandBuffers;
  PFN_vkCreateBuffer vkCreateBuffer;
  PFN_vkCreateFence vkCreateFence;
  PFN_vkCreateQueryPool vkCreateQueryPool;
  PFN_vkCmdPipelineBarrier vkCmdPipelineBarrier;
} real;

VKAPI_ATTR VkResult VKAPI_CALL queue_submit(VkQueue queue, std::uint32_t n,
                                            const VkSubmitInfo* infos, VkFence fence) {
  return faults().lose_submit ? VK_ERROR_DEVICE_LOST : real.vkQueueSubmit(queue, n, infos, fence);
}
VKAPI_ATTR VkResult VKAPI_CALL wait_for_fences(VkDevice device, std::uint32_t n,
                                               const VkFence* fences, VkBool32 all,
                                               std::uint64_t timeout) {
  const VkResult result = real.vkWaitForFences(device, n, fences, all, timeout);
  return faults().lose_wait ? VK_ERROR_DEVICE_LOST : result;
}
// The work always completes before the device is reported lost.
VKAPI_ATTR VkResult VKAPI_CALL fence_status(VkDevice device, VkFence fence) {
  const VkResult result = real.vkGetFenceStatus(device, fence);
  return faults().lose_wait && result != VK_NOT_READY ? VK_ERROR_DEVICE_LOST : result;
}
// Says whether memory is for a buffer with a device address; staging memory is not.
bool has_address(const VkMemoryAllocateInfo* info) {
  for (auto* s = static_cast<const VkBaseInStructure*>(info->pNext); s; s = s->pNext) {
    if (s->sType != VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO) continue;
    const auto* flags = reinterpret_cast<const VkMemoryAllocateFlagsInfo*>(s);
    return flags->flags & VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  }
  return false;
}

VKAPI_ATTR VkResult VKAPI_CALL allocate_memory(VkDevice device, const VkMemoryAllocateInfo* info,
                                               const VkAllocationCallbacks* host,
                                               VkDeviceMemory* memory) {
  if (faults().no_memory || faults().no_memory_until_free) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  const VkDeviceSize limit = faults().max_allocation;
  if (limit && faults().refuses_larger && info->allocationSize > limit && has_address(info)) {
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  }
  ++faults().created;
  return real.vkAllocateMemory(device, info, host, memory);
}
VKAPI_ATTR void VKAPI_CALL free_memory(VkDevice device, VkDeviceMemory memory,
                                       const VkAllocationCallbacks* host) {
  faults().no_memory_until_free = false;
  real.vkFreeMemory(device, memory, host);
}
VKAPI_ATTR VkResult VKAPI_CALL allocate_commands(VkDevice device,
                                                 const VkCommandBufferAllocateInfo* info,
                                                 VkCommandBuffer* buffers) {
  ++faults().created;
  return real.vkAllocateCommandBuffers(device, info, buffers);
}
VKAPI_ATTR VkResult VKAPI_CALL create_buffer(VkDevice device, const VkBufferCreateInfo* info,
                                             const VkAllocationCallbacks* host, VkBuffer* buffer) {
  ++faults().created;
  return real.vkCreateBuffer(device, info, host, buffer);
}
VKAPI_ATTR VkResult VKAPI_CALL create_fence(VkDevice device, const VkFenceCreateInfo* info,
                                            const VkAllocationCallbacks* host, VkFence* fence) {
  ++faults().created;
  return real.vkCreateFence(device, info, host, fence);
}
VKAPI_ATTR VkResult VKAPI_CALL create_queries(VkDevice device, const VkQueryPoolCreateInfo* info,
                                              const VkAllocationCallbacks* host,
                                              VkQueryPool* pool) {
  ++faults().created;
  return real.vkCreateQueryPool(device, info, host, pool);
}
VKAPI_ATTR void VKAPI_CALL pipeline_barrier(VkCommandBuffer cmd, VkPipelineStageFlags from,
                                            VkPipelineStageFlags to, VkDependencyFlags flags,
                                            std::uint32_t n, const VkMemoryBarrier* memory,
                                            std::uint32_t buffers, const VkBufferMemoryBarrier* b,
                                            std::uint32_t images, const VkImageMemoryBarrier* i) {
  ++faults().barriers;
  real.vkCmdPipelineBarrier(cmd, from, to, flags, n, memory, buffers, b, images, i);
}
VKAPI_ATTR void VKAPI_CALL physical_properties(VkPhysicalDevice physical,
                                               VkPhysicalDeviceProperties2* properties) {
  real.vkGetPhysicalDeviceProperties2(physical, properties);
  for (auto* s = static_cast<VkBaseOutStructure*>(properties->pNext); s; s = s->pNext) {
    if (s->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES) continue;
    auto* limits = reinterpret_cast<VkPhysicalDeviceMaintenance3Properties*>(s);
    if (faults().max_allocation) limits->maxMemoryAllocationSize = faults().max_allocation;
  }
}

// If a budget is set, VK_EXT_memory_budget is listed, even if the device itself lacks it.
VKAPI_ATTR VkResult VKAPI_CALL extension_properties(VkPhysicalDevice physical, const char* layer,
                                                    std::uint32_t* count,
                                                    VkExtensionProperties* list) {
  const bool adds = faults().budget && !layer;
  if (!adds || !list) {
    const VkResult result = real.vkEnumerateDeviceExtensionProperties(physical, layer, count, list);
    *count += adds;
    return result;
  }
  --*count;
  const VkResult result = real.vkEnumerateDeviceExtensionProperties(physical, layer, count, list);
  list[*count] = {VK_EXT_MEMORY_BUDGET_EXTENSION_NAME, VK_EXT_MEMORY_BUDGET_SPEC_VERSION};
  ++*count;
  return result;
}
VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical,
                                             const VkDeviceCreateInfo* info,
                                             const VkAllocationCallbacks* host, VkDevice* device) {
  VkDeviceCreateInfo own = *info;
  std::vector<const char*> names;
  for (std::uint32_t i = 0; i < info->enabledExtensionCount; ++i) {
    const char* name = info->ppEnabledExtensionNames[i];
    const bool added = !std::strcmp(name, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
    if (!faults().budget || !added) names.push_back(name);
  }
  own.enabledExtensionCount = static_cast<std::uint32_t>(names.size());
  own.ppEnabledExtensionNames = names.data();
  return real.vkCreateDevice(physical, &own, host, device);
}
VKAPI_ATTR void VKAPI_CALL memory_properties(VkPhysicalDevice physical,
                                             VkPhysicalDeviceMemoryProperties2* properties) {
  real.vkGetPhysicalDeviceMemoryProperties2(physical, properties);
  for (auto* s = static_cast<VkBaseOutStructure*>(properties->pNext); s; s = s->pNext) {
    if (s->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT) continue;
    auto* heaps = reinterpret_cast<VkPhysicalDeviceMemoryBudgetPropertiesEXT*>(s);
    for (std::uint32_t i = 0; faults().budget && i < VK_MAX_MEMORY_HEAPS; ++i) {
      heaps->heapBudget[i] = faults().budget;
      heaps->heapUsage[i] = 0;
    }
  }
}

PFN_vkVoidFunction wrap(const char* name, PFN_vkVoidFunction found);

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL faulty_device_proc(VkDevice device, const char* name) {
  return wrap(name, real.vkGetDeviceProcAddr(device, name));
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL faulty_instance_proc(VkInstance instance,
                                                              const char* name) {
  return wrap(name, vkGetInstanceProcAddr(instance, name));
}

PFN_vkVoidFunction wrap(const char* name, PFN_vkVoidFunction found) {
#define VKPRIMS_WRAP(vk_name, wrapper)                     \
  if (found && !std::strcmp(name, #vk_name)) {             \
    real.vk_name = reinterpret_cast<PFN_##vk_name>(found); \
    return reinterpret_cast<PFN_vkVoidFunction>(wrapper);  \
  }
  VKPRIMS_WRAP(vkGetDeviceProcAddr, faulty_device_proc)
  VKPRIMS_WRAP(vkGetPhysicalDeviceProperties2, physical_properties)
  VKPRIMS_WRAP(vkGetPhysicalDeviceMemoryProperties2, memory_properties)
  VKPRIMS_WRAP(vkEnumerateDeviceExtensionProperties, extension_properties)
  VKPRIMS_WRAP(vkCreateDevice, create_device)
  VKPRIMS_WRAP(vkQueueSubmit, queue_submit)
  VKPRIMS_WRAP(vkWaitForFences, wait_for_fences)
  VKPRIMS_WRAP(vkGetFenceStatus, fence_status)
  VKPRIMS_WRAP(vkAllocateMemory, allocate_memory)
  VKPRIMS_WRAP(vkFreeMemory, free_memory)
  VKPRIMS_WRAP(vkAllocateCommandBuffers, allocate_commands)
  VKPRIMS_WRAP(vkCreateBuffer, create_buffer)
  VKPRIMS_WRAP(vkCreateFence, create_fence)
  VKPRIMS_WRAP(vkCreateQueryPool, create_queries)
  VKPRIMS_WRAP(vkCmdPipelineBarrier, pipeline_barrier)
#undef VKPRIMS_WRAP
  return found;
}

}  // namespace

Faults& faults() {
  static Faults instance;
  return instance;
}

ContextInfo faulty() {
  faults().lose_submit = faults().lose_wait = false;
  faults().no_memory = faults().no_memory_until_free = false;
  faults().max_allocation = 0;
  faults().refuses_larger = true;
  faults().budget = 0;
  faults().created = 0;
  faults().barriers = 0;
  ContextInfo info;
  info.pipeline_cache_file = false;
  info.get_instance_proc_addr = faulty_instance_proc;
  return info;
}

}  // namespace vkprims::test
