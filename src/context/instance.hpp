// The VkInstance of a Context, created or adopted.
#pragma once

#include "messages.hpp"
#include "tables.hpp"

namespace vkprims {

class Instance {
 public:
  /// Creates an instance that enumerates portability devices, with VK_EXT_debug_utils if there is
  /// one and with validation as asked. `messages` must outlive it.
  Instance(const ContextInfo& info, Messages& messages);
  explicit Instance(const Adopt& adopt);
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;
  ~Instance();

  PFN_vkGetInstanceProcAddr get_proc = nullptr;
  VkInstance handle = VK_NULL_HANDLE;
  InstanceTable vk;

 private:
  Instance() = default;

  bool owned_ = false;
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
};

}  // namespace vkprims
