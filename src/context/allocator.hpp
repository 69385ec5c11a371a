// Device memory: the part of VulkanMemoryAllocator that a Context uses. VMA itself is compiled
// inside allocator.cpp, and none of its names leaves that file.
#pragma once

#include <cstdint>

#include "logical_device.hpp"

namespace vkprims {

/// Usage of every buffer in device memory.
inline constexpr VkBufferUsageFlags kDeviceBufferUsage =
    kScratchBufferUsage | VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
/// Alignment of every buffer's address.
inline constexpr VkDeviceSize kBufferAlignment = 256;

class Allocator {
 public:
  struct Allocation;  // opaque

  explicit Allocator(const LogicalDevice& device);
  Allocator(const Allocator&) = delete;
  Allocator& operator=(const Allocator&) = delete;
  ~Allocator();

  /// A buffer of usage kDeviceBufferUsage in device-local memory.
  VkResult create_device_buffer(VkDeviceSize bytes, VkBuffer& buffer, Allocation*& allocation);
  /// A mapped buffer to copy from and to.
  VkResult create_staging_buffer(VkDeviceSize bytes, VkBuffer& buffer, Allocation*& allocation,
                                 void*& mapped);
  void destroy(VkBuffer buffer, Allocation* allocation) noexcept;

  /// A device-local VkDeviceMemory of its own, for a part of a sparse buffer.
  VkResult allocate_part(const VkMemoryRequirements& requirements, Allocation*& allocation,
                         VkDeviceMemory& memory);
  void free_part(Allocation* allocation) noexcept;

  /// Make host writes visible to the device, and device writes to the host.
  VkResult flush(Allocation* allocation, VkDeviceSize offset, VkDeviceSize bytes);
  VkResult invalidate(Allocation* allocation, VkDeviceSize offset, VkDeviceSize bytes);

  std::uint64_t allocations() const { return counters_.allocations; }
  std::uint64_t bytes() const { return counters_.bytes; }

  /// Counters that VMA's callbacks change.
  struct Counters {
    std::uint64_t allocations = 0;  // vkAllocateMemory calls so far
    std::uint64_t bytes = 0;        // allocated now
  };

 private:
  Counters counters_;
  void* vma_ = nullptr;
};

}  // namespace vkprims
