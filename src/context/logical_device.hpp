// The VkDevice and queue of a Context, created or adopted, and their properties.
#pragma once

#include <string>

#include "instance.hpp"
#include "runtime/device_hooks.hpp"

namespace vkprims {

class LogicalDevice {
 public:
  /// Chooses a physical device and creates a device with one queue.
  LogicalDevice(const Instance& instance, const ContextInfo& info);
  LogicalDevice(const Instance& instance, const Adopt& adopt);
  LogicalDevice(const LogicalDevice&) = delete;
  LogicalDevice& operator=(const LogicalDevice&) = delete;
  ~LogicalDevice();

  /// Waits until the queue is idle. A lost device is idle.
  VkResult wait() const { return vk.vkQueueWaitIdle(queue); }
  VkDeviceSize heap_budget() const;

  const Instance& instance;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkDevice handle = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  std::uint32_t family = 0;
  DeviceTable vk;
  Features enabled;
  DeviceHooks hooks;
  bool sparse = false;         // sparse buffers can be bound on the queue
  bool memory_budget = false;  // VK_EXT_memory_budget is offered

  VkPhysicalDeviceProperties properties{};
  std::string driver;
  std::uint32_t timestamp_bits = 0;
  bool has_graphics = false;        // the queue
  VkDeviceSize max_allocation = 0;  // maxMemoryAllocationSize
  VkDeviceSize max_buffer = 0;      // maxBufferSize; the largest number where it is not known
  VkDeviceSize heap_bytes = 0;      // of the largest device-local heap

 private:
  LogicalDevice(const Instance& instance, VkPhysicalDevice physical);
  void read_limits();
  void create(bool graphics_queue);
  void describe_queue(const VkQueueFamilyProperties& properties_of_family);

  std::uint32_t heap_ = 0;
  bool maintenance4_ = false;
  bool portability_subset_ = false;
  bool owned_ = false;
};

}  // namespace vkprims
