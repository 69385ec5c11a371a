// Buffers of the application's own VulkanMemoryAllocator serve as views of the library.
// WITH_CONTEXT adds a Context, which has another allocator inside.
#include <vk_mem_alloc.h>

#include "../shared/checks.hpp"
#ifdef WITH_CONTEXT
#include "../shared/context_checks.hpp"
#endif

namespace {

struct Allocation {
  VkBuffer buffer = VK_NULL_HANDLE;
  VmaAllocation memory = VK_NULL_HANDLE;
  VmaAllocationInfo info{};
};

Allocation allocate(VmaAllocator allocator, VkDeviceSize bytes) {
  Allocation a;
  VkBufferCreateInfo buffer{};
  buffer.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  buffer.size = bytes;
  buffer.usage = vkprims::kRequiredBufferUsage;
  VmaAllocationCreateInfo info{};
  info.usage = VMA_MEMORY_USAGE_AUTO;
  info.flags = VMA_ALLOCATION_CREATE_HOST_ACCESS_RANDOM_BIT | VMA_ALLOCATION_CREATE_MAPPED_BIT;
  check(vmaCreateBuffer(allocator, &buffer, &info, &a.buffer, &a.memory, &a.info),
        "vmaCreateBuffer");
  return a;
}

}  // namespace

int main() {
  App app;
  VmaAllocatorCreateInfo info{};
  info.flags = VMA_ALLOCATOR_CREATE_BUFFER_DEVICE_ADDRESS_BIT;
  info.instance = app.instance;
  info.physicalDevice = app.physical;
  info.device = app.device;
  info.vulkanApiVersion = VK_API_VERSION_1_2;
  VmaAllocator allocator = VK_NULL_HANDLE;
  check(vmaCreateAllocator(&info, &allocator), "vmaCreateAllocator");

  constexpr std::uint32_t kCount = 100003;
  const Allocation a = allocate(allocator, 4 * kCount);
  const Allocation b = allocate(allocator, 4 * kCount);
  const Allocation out = allocate(allocator, 4);
  record_sum(app, vkprims::view(app.prims, a.buffer, 0, 4 * kCount),
             vkprims::view(app.prims, b.buffer, 0, 4 * kCount),
             vkprims::view(app.prims, out.buffer, 0, 4));
  check(vmaInvalidateAllocation(allocator, out.memory, 0, VK_WHOLE_SIZE),
        "vmaInvalidateAllocation");
  check(*static_cast<const std::uint32_t*>(out.info.pMappedData) == sum_below(kCount), "wrong sum");
  for (const Allocation& x : {a, b, out}) vmaDestroyBuffer(allocator, x.buffer, x.memory);
  vmaDestroyAllocator(allocator);
#ifdef WITH_CONTEXT
  try {
    vkprims::Context context;
    check_context(context);
  } catch (const vkprims::Error& error) {
    ::check(error.status());
  }
#endif
}
