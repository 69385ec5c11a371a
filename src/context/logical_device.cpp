#include "logical_device.hpp"

#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

#include "selection.hpp"

namespace vkprims {
namespace {

// This name is declared in vulkan_beta.h only.
constexpr char kPortabilitySubset[] = "VK_KHR_portability_subset";

const Adopt& checked(const Adopt& adopt) {
  const char* missing = nullptr;
  if (!adopt.queue) missing = "queue";
  if (!adopt.device) missing = "device";
  if (!adopt.physical_device) missing = "physical_device";
  if (missing) throw Error(Status::error(Status::invalid_argument, "Adopt: %s is null", missing));
  return adopt;
}

void apply_mask(Features& features, DeviceHooks& hooks, const std::string& mask) {
  const char* variable = mask.empty() ? std::getenv("VKPRIMS_MASK") : nullptr;
  const std::string names = take_hooks(variable ? variable : mask, hooks);
  const Status status = features.mask(names.c_str());
  if (status) return;
  throw Error(
      Status::error(status.code(), "%s%s", variable ? "VKPRIMS_MASK: " : "", status.message()));
}

}  // namespace

LogicalDevice::LogicalDevice(const Instance& instance_, VkPhysicalDevice physical_)
    : instance(instance_), physical(physical_) {
  std::uint32_t count = 0;
  instance.vk.vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> extensions(count);
  instance.vk.vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, extensions.data());
  instance.vk.vkGetPhysicalDeviceProperties(physical, &properties);
  maintenance4_ = properties.apiVersion >= VK_API_VERSION_1_3;
  for (const VkExtensionProperties& e : extensions) {
    const auto is = [&](const char* name) { return !std::strcmp(e.extensionName, name); };
    memory_budget = memory_budget || is(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
    maintenance4_ = maintenance4_ || is(VK_KHR_MAINTENANCE_4_EXTENSION_NAME);
    portability_subset_ = portability_subset_ || is(kPortabilitySubset);
  }
  driver = driver_name(instance, physical);
  read_limits();
}

LogicalDevice::LogicalDevice(const Instance& instance_, const ContextInfo& info)
    : LogicalDevice(instance_, choose(enumerate(instance_), info.device).handle) {
  throw_if_error(query_features(instance.get_proc, instance.handle, physical, enabled));
  apply_mask(enabled, hooks, info.mask);
  create(info.graphics_queue);
}

LogicalDevice::LogicalDevice(const Instance& instance_, const Adopt& adopt)
    : LogicalDevice(instance_, checked(adopt).physical_device) {
  handle = adopt.device;
  queue = adopt.queue;
  family = adopt.queue_family;
  enabled = adopt.enabled;
  sparse = adopt.sparse_binding;
  vk.load(instance.vk.vkGetDeviceProcAddr, handle);
  const std::vector<VkQueueFamilyProperties> families = queue_families(instance, physical);
  if (family >= families.size() || !(families[family].queueFlags & VK_QUEUE_COMPUTE_BIT)) {
    throw Error(
        Status::error(Status::invalid_argument,
                      "Adopt: queue_family %u is not one of the device's %zu, or cannot compute",
                      family, families.size()));
  }
  describe_queue(families[family]);
}

void LogicalDevice::describe_queue(const VkQueueFamilyProperties& properties_of_family) {
  timestamp_bits = properties_of_family.timestampValidBits;
  has_graphics = properties_of_family.queueFlags & VK_QUEUE_GRAPHICS_BIT;
}

void LogicalDevice::create(bool graphics_queue) {
  const std::vector<VkQueueFamilyProperties> families = queue_families(instance, physical);
  const int found = compute_family(families, graphics_queue);
  if (found < 0) {
    throw Error(Status::error(Status::unsupported,
                              "ContextInfo: graphics_queue is true, but %s has no queue that has "
                              "graphics and can compute",
                              properties.deviceName));
  }
  family = static_cast<std::uint32_t>(found);
  describe_queue(families[family]);

  VkPhysicalDeviceFeatures offered{};
  instance.vk.vkGetPhysicalDeviceFeatures(physical, &offered);
  sparse = offered.sparseBinding && (families[family].queueFlags & VK_QUEUE_SPARSE_BINDING_BIT);
  VkPhysicalDeviceFeatures wanted{};
  wanted.sparseBinding = sparse;

  std::vector<const char*> extensions;
  // An implementation that offers this extension demands that it be enabled.
  if (portability_subset_) extensions.push_back(kPortabilitySubset);
  if (memory_budget) extensions.push_back(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);

  constexpr float priority = 1.0f;
  const VkDeviceQueueCreateInfo queue_info{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
  VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                          .queueCreateInfoCount = 1,
                          .pQueueCreateInfos = &queue_info,
                          .pEnabledFeatures = &wanted};
  enabled.merge_into(info, extensions);
  info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  throw_if_error(Status::from(instance.vk.vkCreateDevice(physical, &info, nullptr, &handle),
                              "vkCreateDevice"));
  owned_ = true;
  vk.load(instance.vk.vkGetDeviceProcAddr, handle);
  vk.vkGetDeviceQueue(handle, family, 0, &queue);
}

void LogicalDevice::read_limits() {
  VkPhysicalDeviceMaintenance4Properties maintenance4{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES};
  VkPhysicalDeviceMaintenance3Properties maintenance3{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES,
      .pNext = maintenance4_ ? &maintenance4 : nullptr};
  VkPhysicalDeviceProperties2 all{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                  .pNext = &maintenance3};
  instance.vk.vkGetPhysicalDeviceProperties2(physical, &all);
  max_allocation = maintenance3.maxMemoryAllocationSize;
  max_buffer =
      maintenance4_ ? maintenance4.maxBufferSize : std::numeric_limits<VkDeviceSize>::max();

  VkPhysicalDeviceMemoryProperties memory{};
  instance.vk.vkGetPhysicalDeviceMemoryProperties(physical, &memory);
  for (std::uint32_t i = 0; i < memory.memoryHeapCount; ++i) {
    const VkMemoryHeap& heap = memory.memoryHeaps[i];
    if ((heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) && heap.size > heap_bytes) {
      heap_bytes = heap.size;
      heap_ = i;
    }
  }
}

VkDeviceSize LogicalDevice::heap_budget() const {
  if (!memory_budget) return heap_bytes;
  VkPhysicalDeviceMemoryBudgetPropertiesEXT budget{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
  VkPhysicalDeviceMemoryProperties2 memory{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2, .pNext = &budget};
  instance.vk.vkGetPhysicalDeviceMemoryProperties2(physical, &memory);
  // The budget includes what this process has already allocated.
  const VkDeviceSize used = budget.heapUsage[heap_];
  return budget.heapBudget[heap_] > used ? budget.heapBudget[heap_] - used : 0;
}

LogicalDevice::~LogicalDevice() {
  if (owned_ && vk.vkDestroyDevice) vk.vkDestroyDevice(handle, nullptr);
}

}  // namespace vkprims
