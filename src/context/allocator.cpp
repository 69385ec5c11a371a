#include "allocator.hpp"

// What vk_mem_alloc.h includes must come before it, outside the namespace that it is put in.
#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cassert>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <shared_mutex>
#include <type_traits>
#include <utility>

#define VMA_IMPLEMENTATION
#define VMA_CALL_PRE static
#define VMA_STATIC_VULKAN_FUNCTIONS 0
#define VMA_DYNAMIC_VULKAN_FUNCTIONS 1
#define VMA_STATS_STRING_ENABLED 0
// A Context lives in one thread and must not abort the program it is part of.
#define VMA_ASSERT(expr) ((void)0)
#define VMA_ASSERT_LEAK(expr) ((void)0)

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-function"
#elif defined(_MSC_VER)
#pragma warning(push, 0)
#endif
// VMA's functions are static, but its classes have members with external linkage, which would clash
// with those of an application's own VMA.
namespace {
#include <vk_mem_alloc.h>
}  // namespace
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#elif defined(_MSC_VER)
#pragma warning(pop)
#endif

namespace vkprims {
namespace {

// Buffers above half of this size get memory of their own, so that freeing them gives it back; VMA
// keeps one empty block for the others. On an H200 random loads from 16 MiB are twice as fast if
// the buffer has memory of its own (gather 37 us instead of 71, spmv 466 instead of 887), whatever
// the size of the block.
constexpr VkDeviceSize kSharedBlockBytes = VkDeviceSize{8} << 20;

VmaAllocator as_vma(void* p) { return static_cast<VmaAllocator>(p); }
VmaAllocation as_vma(Allocator::Allocation* p) { return reinterpret_cast<VmaAllocation>(p); }
Allocator::Allocation* opaque(VmaAllocation p) {
  return reinterpret_cast<Allocator::Allocation*>(p);
}

void VKAPI_PTR on_allocate(VmaAllocator, uint32_t, VkDeviceMemory, VkDeviceSize bytes, void* user) {
  auto& counters = *static_cast<Allocator::Counters*>(user);
  ++counters.allocations;
  counters.bytes += bytes;
}

void VKAPI_PTR on_free(VmaAllocator, uint32_t, VkDeviceMemory, VkDeviceSize bytes, void* user) {
  static_cast<Allocator::Counters*>(user)->bytes -= bytes;
}

VkBufferCreateInfo buffer_info(VkDeviceSize bytes, VkBufferUsageFlags usage) {
  return {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = bytes, .usage = usage};
}

}  // namespace

Allocator::Allocator(const LogicalDevice& device) {
  VmaVulkanFunctions functions{};
  functions.vkGetInstanceProcAddr = device.instance.get_proc;
  functions.vkGetDeviceProcAddr = device.instance.vk.vkGetDeviceProcAddr;
  const VmaDeviceMemoryCallbacks callbacks{
      .pfnAllocate = on_allocate, .pfnFree = on_free, .pUserData = &counters_};
  VmaAllocatorCreateInfo info{};
  info.flags = VMA_ALLOCATOR_CREATE_BUFFER_DEVICE_ADDRESS_BIT |
               VMA_ALLOCATOR_CREATE_EXTERNALLY_SYNCHRONIZED_BIT;
  info.physicalDevice = device.physical;
  info.device = device.handle;
  info.preferredLargeHeapBlockSize = kSharedBlockBytes;
  info.pDeviceMemoryCallbacks = &callbacks;
  info.pVulkanFunctions = &functions;
  info.instance = device.instance.handle;
  info.vulkanApiVersion = VK_API_VERSION_1_2;
  VmaAllocator vma = VK_NULL_HANDLE;
  throw_if_error(Status::from(vmaCreateAllocator(&info, &vma), "vmaCreateAllocator"));
  vma_ = vma;
}

Allocator::~Allocator() { vmaDestroyAllocator(as_vma(vma_)); }

VkResult Allocator::create_device_buffer(VkDeviceSize bytes, VkBuffer& buffer,
                                         Allocation*& allocation) {
  const VkBufferCreateInfo info = buffer_info(bytes, kDeviceBufferUsage);
  // Device-local memory is required, not just preferred: falling back to host memory would be a
  // silent loss of speed.
  const VmaAllocationCreateInfo memory{.usage = VMA_MEMORY_USAGE_AUTO_PREFER_DEVICE,
                                       .requiredFlags = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT};
  VmaAllocation made = VK_NULL_HANDLE;
  const VkResult result = vmaCreateBufferWithAlignment(as_vma(vma_), &info, &memory,
                                                       kBufferAlignment, &buffer, &made, nullptr);
  allocation = opaque(made);
  return result;
}

VkResult Allocator::create_staging_buffer(VkDeviceSize bytes, VkBuffer& buffer,
                                          Allocation*& allocation, void*& mapped) {
  const VkBufferCreateInfo info =
      buffer_info(bytes, VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  const VmaAllocationCreateInfo memory{.flags = VMA_ALLOCATION_CREATE_HOST_ACCESS_RANDOM_BIT |
                                                VMA_ALLOCATION_CREATE_MAPPED_BIT |
                                                VMA_ALLOCATION_CREATE_DEDICATED_MEMORY_BIT,
                                       .usage = VMA_MEMORY_USAGE_AUTO_PREFER_HOST};
  VmaAllocation made = VK_NULL_HANDLE;
  VmaAllocationInfo made_info{};
  const VkResult result = vmaCreateBuffer(as_vma(vma_), &info, &memory, &buffer, &made, &made_info);
  allocation = opaque(made);
  mapped = made_info.pMappedData;
  return result;
}

void Allocator::destroy(VkBuffer buffer, Allocation* allocation) noexcept {
  vmaDestroyBuffer(as_vma(vma_), buffer, as_vma(allocation));
}

VkResult Allocator::allocate_part(const VkMemoryRequirements& requirements, Allocation*& allocation,
                                  VkDeviceMemory& memory) {
  const VmaAllocationCreateInfo info{.flags = VMA_ALLOCATION_CREATE_DEDICATED_MEMORY_BIT,
                                     .requiredFlags = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT};
  VmaAllocation made = VK_NULL_HANDLE;
  VmaAllocationInfo made_info{};
  const VkResult result = vmaAllocateMemory(as_vma(vma_), &requirements, &info, &made, &made_info);
  allocation = opaque(made);
  memory = made_info.deviceMemory;
  return result;
}

void Allocator::free_part(Allocation* allocation) noexcept {
  vmaFreeMemory(as_vma(vma_), as_vma(allocation));
}

VkResult Allocator::flush(Allocation* allocation, VkDeviceSize offset, VkDeviceSize bytes) {
  return vmaFlushAllocation(as_vma(vma_), as_vma(allocation), offset, bytes);
}

VkResult Allocator::invalidate(Allocation* allocation, VkDeviceSize offset, VkDeviceSize bytes) {
  return vmaInvalidateAllocation(as_vma(vma_), as_vma(allocation), offset, bytes);
}

}  // namespace vkprims
