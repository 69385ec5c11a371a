// A Vulkan loader whose devices fail on demand, and which counts some of the calls.
#pragma once

#include <atomic>

#include "vkprims/context.hpp"

namespace vkprims::test {

struct Faults {
  bool lose_submit = false;
  bool lose_wait = false;
  bool no_memory = false;
  bool no_memory_until_free = false;
  VkDeviceSize max_allocation = 0;  // 0: the device's
  bool refuses_larger = true;       // than max_allocation; a device may, or may not
  VkDeviceSize budget =
      0;  // free memory of every heap, if set before the Context is made; 0: the device's
  std::atomic<int> created{0};
  std::atomic<int> barriers{0};
};

/// There is one per process, since Vulkan functions carry no user pointer.
Faults& faults();

/// Returns settings of a Context on that loader, which has no faults at first.
ContextInfo faulty();

}  // namespace vkprims::test
