#include "selection.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "hints.hpp"

namespace vkprims {
namespace {

const char* name_of(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return "discrete GPU";
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      return "integrated GPU";
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      return "virtual GPU";
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      return "CPU";
    default:
      return "other";
  }
}

int rank(const Candidate& candidate) {
  if (!candidate.entry.usable) return 5;
  switch (candidate.type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return 0;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      return 1;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      return 2;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      return 3;
    default:
      return 4;
  }
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::string hex(const std::uint8_t (&bytes)[VK_UUID_SIZE]) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

Candidate inspect(const Instance& instance, VkPhysicalDevice physical, std::uint32_t index) {
  VkPhysicalDeviceIDProperties id{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
  VkPhysicalDeviceProperties2 properties{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                         .pNext = &id};
  VkPhysicalDeviceProperties core{};
  instance.vk.vkGetPhysicalDeviceProperties(physical, &core);
  if (core.apiVersion >= VK_API_VERSION_1_1) {
    instance.vk.vkGetPhysicalDeviceProperties2(physical, &properties);
  }

  Candidate candidate{.handle = physical, .type = core.deviceType, .entry = {}};
  DeviceEntry& entry = candidate.entry;
  entry.index = index;
  entry.name = core.deviceName;
  entry.uuid = hex(id.deviceUUID);
  entry.type = name_of(core.deviceType);
  entry.driver = driver_name(instance, physical);

  Features features;
  const Status status = query_features(instance.get_proc, instance.handle, physical, features);
  if (!status) {
    entry.reason = status.message();
  } else if (compute_family(queue_families(instance, physical)) < 0) {
    entry.reason = entry.name + " has no queue that can compute";
  }
  entry.usable = entry.reason.empty();
  return candidate;
}

std::string table(const std::vector<Candidate>& candidates) {
  std::string text;
  for (const Candidate& c : candidates) {
    const DeviceEntry& e = c.entry;
    text += "\n  " + std::to_string(e.index) + ": " + e.name + " (" + e.type + ", " + e.driver +
            ", uuid " + e.uuid + ")";
    if (!e.usable) text += ": not usable: " + e.reason;
  }
  return text.empty() ? " none: " + device_hints(false) : text;
}

// `wanted` as a number, or -1.
long long as_index(const std::string& wanted) {
  if (wanted.empty() || wanted.size() > 9) return -1;
  if (!std::all_of(wanted.begin(), wanted.end(), [](unsigned char c) { return std::isdigit(c); })) {
    return -1;
  }
  return std::strtoll(wanted.c_str(), nullptr, 10);
}

// A number beyond the last index may still be part of a name, such as "4090".
std::vector<const Candidate*> matches(const std::vector<Candidate>& candidates,
                                      const std::string& wanted) {
  const long long index = as_index(wanted);
  if (index >= 0 && index < static_cast<long long>(candidates.size())) {
    return {&candidates[static_cast<std::size_t>(index)]};
  }
  const std::string text = lower(wanted);
  std::string uuid = text;
  uuid.erase(std::remove(uuid.begin(), uuid.end(), '-'), uuid.end());
  std::vector<const Candidate*> found;
  for (const Candidate& c : candidates) {
    if (c.entry.uuid == uuid || lower(c.entry.name).find(text) != std::string::npos) {
      found.push_back(&c);
    }
  }
  return found;
}

}  // namespace

std::string driver_name(const Instance& instance, VkPhysicalDevice physical) {
  VkPhysicalDeviceProperties core{};
  instance.vk.vkGetPhysicalDeviceProperties(physical, &core);
  if (core.apiVersion < VK_API_VERSION_1_2) return "version " + std::to_string(core.driverVersion);
  VkPhysicalDeviceDriverProperties driver{.sType =
                                              VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
  VkPhysicalDeviceProperties2 properties{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                         .pNext = &driver};
  instance.vk.vkGetPhysicalDeviceProperties2(physical, &properties);
  return std::string(driver.driverName) + " " + driver.driverInfo;
}

std::vector<VkQueueFamilyProperties> queue_families(const Instance& instance,
                                                    VkPhysicalDevice physical) {
  std::uint32_t count = 0;
  instance.vk.vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  instance.vk.vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families.data());
  return families;
}

int compute_family(const std::vector<VkQueueFamilyProperties>& families, bool graphics) {
  // A family without graphics is better: with it an H200 reduces 2^20 elements in 9.0 us instead of
  // 12.4, as on a graphics queue its driver changes between transfers and compute for nothing.
  int found = -1;
  for (std::size_t i = 0; i < families.size(); ++i) {
    if (!(families[i].queueFlags & VK_QUEUE_COMPUTE_BIT)) continue;
    const bool has_graphics = families[i].queueFlags & VK_QUEUE_GRAPHICS_BIT;
    if (has_graphics == graphics) return static_cast<int>(i);
    if (found < 0 && !graphics) found = static_cast<int>(i);
  }
  return found;
}

std::vector<Candidate> enumerate(const Instance& instance) {
  std::uint32_t count = 0;
  VkResult result = instance.vk.vkEnumeratePhysicalDevices(instance.handle, &count, nullptr);
  // Some loaders say in this way that there is no device.
  if (result == VK_ERROR_INITIALIZATION_FAILED) return {};
  throw_if_error(Status::from(result, "vkEnumeratePhysicalDevices"));
  std::vector<VkPhysicalDevice> handles(count);
  result = instance.vk.vkEnumeratePhysicalDevices(instance.handle, &count, handles.data());
  throw_if_error(Status::from(result, "vkEnumeratePhysicalDevices"));
  std::vector<Candidate> candidates;
  for (std::uint32_t i = 0; i < count; ++i) candidates.push_back(inspect(instance, handles[i], i));
  return candidates;
}

const Candidate& choose(const std::vector<Candidate>& candidates, const std::string& wanted) {
  const char* variable = wanted.empty() ? std::getenv("VKPRIMS_DEVICE") : nullptr;
  const std::string text = variable ? variable : wanted;
  const std::vector<const Candidate*> found = matches(candidates, text);
  const auto best = std::min_element(
      found.begin(), found.end(), [](const auto* a, const auto* b) { return rank(*a) < rank(*b); });
  if (best != found.end() && (*best)->entry.usable) return **best;

  const char* origin = variable ? "VKPRIMS_DEVICE" : "device";
  const std::string problem =
      text.empty() ? std::string("no usable device")
      : found.empty()
          ? std::string(origin) + " '" + text + "' is no index, part of a name, or UUID"
          : std::string(origin) + " '" + text + "' is not usable: " + (*best)->entry.reason;
  throw Error(
      Status::error(found.empty() && !text.empty() ? Status::invalid_argument : Status::unsupported,
                    "%s. Devices:%s", problem.c_str(), table(candidates).c_str()));
}

std::vector<DeviceEntry> list_devices(std::string* note) {
  std::vector<DeviceEntry> entries;
  std::string remark;
  try {
    Messages silent(nullptr);
    const Instance instance(ContextInfo{}, silent);
    bool only_cpu = true;
    for (Candidate& c : enumerate(instance)) {
      only_cpu = only_cpu && c.type == VK_PHYSICAL_DEVICE_TYPE_CPU;
      entries.push_back(std::move(c.entry));
    }
    if (only_cpu) remark = device_hints(!entries.empty());
  } catch (const Error& error) {
    remark = error.what();
  }
  if (note) *note = remark;
  return entries;
}

}  // namespace vkprims
