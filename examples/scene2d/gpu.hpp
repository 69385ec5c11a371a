// The Vulkan objects of the renderer, which owns all of them: the library only records.
#pragma once

#include <vulkan/vulkan.h>

#include <cstdint>
#include <string>
#include <vector>

#include "vk_mem_alloc.h"
#include "vkprims/vkprims.hpp"

namespace scene2d {

// Throws std::runtime_error with the message of a Status, or the name of a call that failed.
void check(const vkprims::Status& status);
void check(VkResult result, const char* call);

struct GpuOptions {
  std::string device;       // part of the name; empty: the first one that will do
  bool validation = false;  // with the validation layer, whose messages are counted and printed
  vkprims::RecordHook on_record = {};
  // Where the library gets its Vulkan functions from; a test looks at what it records.
  PFN_vkGetInstanceProcAddr get_instance_proc_addr = vkGetInstanceProcAddr;
};

class Gpu {
 public:
  explicit Gpu(const GpuOptions& options);
  ~Gpu();
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  VkDevice device() const { return device_; }
  VkQueue queue() const { return queue_; }
  VmaAllocator allocator() const { return allocator_; }
  const vkprims::Device& prims() const { return prims_; }
  std::uint32_t family() const { return family_; }
  const std::string& name() const { return name_; }
  double nanoseconds_per_tick() const { return nanoseconds_per_tick_; }
  std::uint32_t messages() const { return messages_; }        // of the validation layer
  std::uint32_t allocations() const { return allocations_; }  // of memory, so far

 private:
  friend class Memory;
  friend class Image;
  void create_instance(const GpuOptions& options);
  void choose_device(const std::string& part_of_name);
  void create_device();

  VkInstance instance_ = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  VkPhysicalDevice physical_ = VK_NULL_HANDLE;
  VkDevice device_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
  VmaAllocator allocator_ = VK_NULL_HANDLE;
  vkprims::Features features_;
  vkprims::Device prims_;
  std::uint32_t family_ = 0;
  std::string name_;
  double nanoseconds_per_tick_ = 1;
  std::uint32_t messages_ = 0;
  std::uint32_t allocations_ = 0;
};

enum class Where { device, upload, download };

// A buffer and its memory. Those for upload and download are mapped.
class Memory {
 public:
  Memory() = default;
  Memory(Gpu& gpu, VkDeviceSize bytes, Where where);
  Memory(Memory&& other) noexcept { swap(other); }
  Memory& operator=(Memory&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Memory();

  VkBuffer buffer() const { return buffer_; }
  VkDeviceSize bytes() const { return bytes_; }
  void* mapped() const { return mapped_; }
  vkprims::BufferView view(VkDeviceSize offset, VkDeviceSize bytes) const {
    return {address_ + offset, bytes, buffer_, offset};
  }

 private:
  void swap(Memory& other) noexcept;
  Gpu* gpu_ = nullptr;
  VkBuffer buffer_ = VK_NULL_HANDLE;
  VmaAllocation allocation_ = VK_NULL_HANDLE;
  VkDeviceAddress address_ = 0;
  VkDeviceSize bytes_ = 0;
  void* mapped_ = nullptr;
};

// An image of RGBA pixels of 8 bits, and a view of it.
class Image {
 public:
  Image() = default;
  Image(Gpu& gpu, VkExtent2D size, VkImageUsageFlags usage);
  Image(Image&& other) noexcept { swap(other); }
  Image& operator=(Image&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Image();

  VkImage image() const { return image_; }
  VkImageView view() const { return view_; }

 private:
  void swap(Image& other) noexcept;
  Gpu* gpu_ = nullptr;
  VkImage image_ = VK_NULL_HANDLE;
  VmaAllocation allocation_ = VK_NULL_HANDLE;
  VkImageView view_ = VK_NULL_HANDLE;
};

}  // namespace scene2d
