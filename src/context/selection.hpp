// The devices of an instance, and the choice among them.
#pragma once

#include <string>
#include <vector>

#include "instance.hpp"

namespace vkprims {

struct Candidate {
  VkPhysicalDevice handle = VK_NULL_HANDLE;
  VkPhysicalDeviceType type = VK_PHYSICAL_DEVICE_TYPE_OTHER;
  DeviceEntry entry;
};

/// The devices in the driver's order, which is the order of their indices.
std::vector<Candidate> enumerate(const Instance& instance);

/// The best usable device, or the one that `wanted` (ContextInfo::device, else $VKPRIMS_DEVICE)
/// names. Throws Error that lists all devices and says why they are not usable.
const Candidate& choose(const std::vector<Candidate>& candidates, const std::string& wanted);

/// The queue family to use; -1 if there is none: the first that can compute and has no graphics, or
/// else the first that can compute. With `graphics` it is the first that has both.
int compute_family(const std::vector<VkQueueFamilyProperties>& families, bool graphics = false);
std::vector<VkQueueFamilyProperties> queue_families(const Instance& instance,
                                                    VkPhysicalDevice physical);

/// "NVIDIA 580.82.09": the driver's name and version.
std::string driver_name(const Instance& instance, VkPhysicalDevice physical);

}  // namespace vkprims
