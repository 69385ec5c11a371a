#include "devices.hpp"

#include <cstdio>

#include "vulkan_functions.hpp"

namespace vkprims::bench {
namespace {

std::string uuid_of(const Context& context) {
  const VulkanFunctions vk(context);
  VkPhysicalDeviceIDProperties id{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
  VkPhysicalDeviceProperties2 properties{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                         .pNext = &id};
  vk.vkGetPhysicalDeviceProperties2(context.physical_device(), &properties);
  std::string text;
  for (const std::uint8_t byte : id.deviceUUID) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", byte);
    text += digits;
  }
  return text;
}

double gib(VkDeviceSize bytes) { return static_cast<double>(bytes) / (1 << 30); }

}  // namespace

int print_devices(const ContextInfo& info) {
  std::string note;
  const std::vector<DeviceEntry> devices = list_devices(&note);
  std::string chosen, chosen_name, problem;
  try {
    const Context context(info);
    chosen = uuid_of(context);
    chosen_name = context.properties().deviceName;
  } catch (const Error& error) {
    problem = error.what();
  }
  bool seen = false;  // two devices may report the same UUID
  for (const DeviceEntry& d : devices) {
    const bool is_chosen = !seen && !chosen.empty() && d.uuid == chosen && d.name == chosen_name;
    seen = seen || is_chosen;
    std::printf("%u  %s (%s)\n   driver %s, UUID %s\n", d.index, d.name.c_str(), d.type.c_str(),
                d.driver.c_str(), d.uuid.c_str());
    if (!d.usable) {
      std::printf("   cannot be used: %s\n", d.reason.c_str());
    } else if (is_chosen) {
      std::printf("   chosen\n");
    } else if (chosen.empty()) {
      std::printf("   can be used: --device %u\n", d.index);
    } else {
      std::printf("   can be used (--device %u), not chosen: %s comes first\n", d.index,
                  info.device.empty() ? chosen_name.c_str() : "the device asked for");
    }
  }
  if (devices.empty()) std::printf("no Vulkan device found\n");
  if (!note.empty()) std::printf("%s\n", note.c_str());
  if (!problem.empty()) std::printf("%s\n", problem.c_str());
  return problem.empty() ? 0 : 1;
}

void print_info(const Context& context) {
  std::printf("%s", describe(context.device()).c_str());
  std::printf("UUID: %s\n", uuid_of(context).c_str());
  std::printf("queue family %u: %u timestamp bits, %g ns a tick\n", context.queue_family(),
              context.timestamp_bits(), context.timestamp_period());
  std::printf("memory: %.2f GiB, of which %.2f GiB are free now\n", gib(context.heap_bytes()),
              gib(context.heap_budget()));
  const VulkanFunctions vk(context);
  VkPhysicalDeviceMemoryProperties memory{};
  vk.vkGetPhysicalDeviceMemoryProperties(context.physical_device(), &memory);
  for (std::uint32_t i = 0; i < memory.memoryHeapCount; ++i) {
    std::printf(
        "  heap %u: %.2f GiB%s\n", i, gib(memory.memoryHeaps[i].size),
        memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT ? ", device-local" : "");
  }
  const VkPhysicalDeviceLimits& limits = context.properties().limits;
  std::printf("limits: workgroups %u x %u x %u, storage buffer range %u, push constants %u bytes\n",
              limits.maxComputeWorkGroupCount[0], limits.maxComputeWorkGroupCount[1],
              limits.maxComputeWorkGroupCount[2], limits.maxStorageBufferRange,
              limits.maxPushConstantsSize);
}

}  // namespace vkprims::bench
