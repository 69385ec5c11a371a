// Required and optional features: query, merge into a caller's device creation, mask.
#include <cstring>

#include "runtime/functions.hpp"
#include "vkprims/device.hpp"

namespace vkprims {
namespace {

struct OptionalFeature {
  const char* name;
  bool Features::*flag;
};

constexpr OptionalFeature kOptional[] = {
    {"int64", &Features::int64},
    {"float64", &Features::float64},
    {"int64_atomics", &Features::int64_atomics},
    {"storage8", &Features::storage8},
    {"storage16", &Features::storage16},
    {"subgroup_size_control", &Features::subgroup_size_control},
    {"full_subgroups", &Features::full_subgroups},
    {"subgroup_extended_types", &Features::subgroup_extended_types},
};

// Finds the structure of type `type` in a chain.
template <class T>
T* find(const void* chain, VkStructureType type) {
  for (auto* s = static_cast<const VkBaseInStructure*>(chain); s; s = s->pNext) {
    if (s->sType == type) return const_cast<T*>(reinterpret_cast<const T*>(s));
  }
  return nullptr;
}

template <class T>
void link(const void*& chain, T& structure) {
  structure.pNext = const_cast<void*>(chain);
  chain = &structure;
}

// Sets a feature flag, as it appears in the single structure and in the Vulkan12/13 one.
void set(VkBool32& flag, bool on) {
  if (on) flag = VK_TRUE;
}

constexpr VkSubgroupFeatureFlags kSubgroupOperations =
    VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT |
    VK_SUBGROUP_FEATURE_ARITHMETIC_BIT | VK_SUBGROUP_FEATURE_BALLOT_BIT |
    VK_SUBGROUP_FEATURE_SHUFFLE_BIT;

Status missing(const char* device, const char* what) {
  return Status::error(Status::unsupported, "%s lacks %s, which vkprims requires", device, what);
}

}  // namespace

Status query_features(PFN_vkGetInstanceProcAddr get_instance_proc_addr, VkInstance instance,
                      VkPhysicalDevice physical, Features& features) {
  if (!get_instance_proc_addr) {
    return Status::error(Status::invalid_argument,
                         "query_features: get_instance_proc_addr is null");
  }
  if (!instance || !physical) {
    return Status::error(Status::invalid_argument, "query_features: %s is null",
                         instance ? "physical" : "instance");
  }
  Functions vk;
  if (const char* name = vk.load_instance(get_instance_proc_addr, instance)) {
    return Status::error(Status::unsupported,
                         "query_features: %s cannot be loaded; the instance must be created with "
                         "apiVersion 1.2 or later",
                         name);
  }
  VkPhysicalDeviceProperties core_properties{};
  vk.vkGetPhysicalDeviceProperties(physical, &core_properties);
  const char* device = core_properties.deviceName;
  if (core_properties.apiVersion < VK_API_VERSION_1_2) {
    return Status::error(Status::unsupported, "%s offers Vulkan %u.%u, vkprims requires 1.2",
                         device, VK_API_VERSION_MAJOR(core_properties.apiVersion),
                         VK_API_VERSION_MINOR(core_properties.apiVersion));
  }

  std::uint32_t count = 0;
  vk.vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> extensions(count);
  vk.vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, extensions.data());
  Features found;
  for (const VkExtensionProperties& e : extensions) {
    if (!std::strcmp(e.extensionName, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME)) {
      found.size_control_extension_ = true;
    }
  }
  const bool has_size_control =
      found.size_control_extension_ || core_properties.apiVersion >= VK_API_VERSION_1_3;

  VkPhysicalDeviceVulkan11Features vulkan11{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES};
  VkPhysicalDeviceVulkan12Features vulkan12{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &vulkan11};
  VkPhysicalDeviceSubgroupSizeControlFeatures size_control{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES,
      .pNext = &vulkan12};
  VkPhysicalDeviceFeatures2 all{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                .pNext = &vulkan12};
  if (has_size_control) all.pNext = &size_control;
  vk.vkGetPhysicalDeviceFeatures2(physical, &all);

  VkPhysicalDeviceSubgroupProperties subgroup{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
  VkPhysicalDeviceProperties2 properties{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                         .pNext = &subgroup};
  vk.vkGetPhysicalDeviceProperties2(physical, &properties);

  if (!vulkan12.bufferDeviceAddress) return missing(device, "the feature bufferDeviceAddress");
  if (!vulkan12.vulkanMemoryModel) return missing(device, "the feature vulkanMemoryModel");
  if (!(subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT)) {
    return missing(device, "subgroup operations in compute shaders");
  }
  if ((subgroup.supportedOperations & kSubgroupOperations) != kSubgroupOperations) {
    return missing(device,
                   "some of the subgroup operations basic, vote, arithmetic, ballot, shuffle");
  }
  if (subgroup.subgroupSize < 4 || subgroup.subgroupSize > 128) {
    return missing(device, "a subgroup size from 4 to 128");
  }
  if (core_properties.limits.maxComputeSharedMemorySize < 16384) {
    return missing(device, "16 KiB of shared memory");
  }
  if (core_properties.limits.maxComputeWorkGroupInvocations < 128) {
    return missing(device, "workgroups of 128 invocations");
  }

  found.int64 = all.features.shaderInt64;
  found.float64 = all.features.shaderFloat64;
  found.int64_atomics = all.features.shaderInt64 && vulkan12.shaderBufferInt64Atomics;
  found.storage8 = vulkan12.storageBuffer8BitAccess;
  found.storage16 = vulkan11.storageBuffer16BitAccess;
  found.subgroup_size_control = has_size_control && size_control.subgroupSizeControl;
  found.full_subgroups = has_size_control && size_control.computeFullSubgroups;
  found.subgroup_extended_types = vulkan12.shaderSubgroupExtendedTypes;
  features = found;
  return {};
}

void Features::merge_into(VkDeviceCreateInfo& info, std::vector<const char*>& extensions) {
  // Flags of VkPhysicalDeviceFeatures are set wherever the caller keeps them.
  if (auto* all = find<VkPhysicalDeviceFeatures2>(info.pNext,
                                                  VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2)) {
    set(all->features.shaderInt64, int64 || int64_atomics);
    set(all->features.shaderFloat64, float64);
  } else {
    if (info.pEnabledFeatures) core_ = *info.pEnabledFeatures;
    set(core_.shaderInt64, int64 || int64_atomics);
    set(core_.shaderFloat64, float64);
    info.pEnabledFeatures = &core_;
  }

  if (auto* v11 = find<VkPhysicalDeviceVulkan11Features>(
          info.pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES)) {
    set(v11->storageBuffer16BitAccess, storage16);
  } else if (auto* single = find<VkPhysicalDevice16BitStorageFeatures>(
                 info.pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES)) {
    set(single->storageBuffer16BitAccess, storage16);
  } else if (storage16) {
    storage16_ = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES,
                  .storageBuffer16BitAccess = VK_TRUE};
    link(info.pNext, storage16_);
  }

  // Vulkan12Features must not stand beside the single structures that it replaces.
  if (auto* v12 = find<VkPhysicalDeviceVulkan12Features>(
          info.pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES)) {
    v12->bufferDeviceAddress = VK_TRUE;
    v12->vulkanMemoryModel = VK_TRUE;
    set(v12->shaderBufferInt64Atomics, int64_atomics);
    set(v12->storageBuffer8BitAccess, storage8);
    set(v12->shaderSubgroupExtendedTypes, subgroup_extended_types);
  } else {
    const auto merge = [&](auto& own, VkStructureType type, auto flag, bool on) {
      using S = std::remove_reference_t<decltype(own)>;
      if (!on) return;
      S* structure = find<S>(info.pNext, type);
      if (!structure) {
        own = {};
        own.sType = type;
        link(info.pNext, own);
        structure = &own;
      }
      structure->*flag = VK_TRUE;
    };
    merge(buffer_device_address_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
          &VkPhysicalDeviceBufferDeviceAddressFeatures::bufferDeviceAddress, true);
    merge(memory_model_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES,
          &VkPhysicalDeviceVulkanMemoryModelFeatures::vulkanMemoryModel, true);
    merge(atomic_int64_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES,
          &VkPhysicalDeviceShaderAtomicInt64Features::shaderBufferInt64Atomics, int64_atomics);
    merge(storage8_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES,
          &VkPhysicalDevice8BitStorageFeatures::storageBuffer8BitAccess, storage8);
    merge(extended_types_,
          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_EXTENDED_TYPES_FEATURES,
          &VkPhysicalDeviceShaderSubgroupExtendedTypesFeatures::shaderSubgroupExtendedTypes,
          subgroup_extended_types);
  }

  if (!subgroup_size_control && !full_subgroups) return;
  if (auto* v13 = find<VkPhysicalDeviceVulkan13Features>(
          info.pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES)) {
    set(v13->subgroupSizeControl, subgroup_size_control);
    set(v13->computeFullSubgroups, full_subgroups);
    return;
  }
  auto* single = find<VkPhysicalDeviceSubgroupSizeControlFeatures>(
      info.pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES);
  if (!single) {
    size_control_ = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES};
    link(info.pNext, size_control_);
    single = &size_control_;
  }
  set(single->subgroupSizeControl, subgroup_size_control);
  set(single->computeFullSubgroups, full_subgroups);
  if (size_control_extension_) {
    for (const char* e : extensions) {
      if (!std::strcmp(e, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME)) return;
    }
    extensions.push_back(VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME);
  }
}

Status Features::mask(const char* names) {
  const char* at = names ? names : "";
  while (*at) {
    const size_t length = std::strcspn(at, ",");
    const auto matches = [&](const OptionalFeature& f) {
      return std::strlen(f.name) == length && !std::memcmp(f.name, at, length);
    };
    bool known = length == 0;
    for (const OptionalFeature& f : kOptional) {
      if (matches(f)) this->*f.flag = false, known = true;
    }
    if (!known) {
      std::string all;
      for (const OptionalFeature& f : kOptional) all.append(all.empty() ? "" : ", ").append(f.name);
      return Status::error(Status::invalid_argument, "mask: '%.*s' is not one of %s",
                           static_cast<int>(length), at, all.c_str());
    }
    at += length;
    if (*at == ',') ++at;
  }
  // Features that need a masked feature are masked as well.
  if (!int64) int64_atomics = false;
  return {};
}

std::string Features::names() const {
  std::string text;
  for (const OptionalFeature& f : kOptional) {
    if (this->*f.flag) text.append(text.empty() ? "" : ",").append(f.name);
  }
  return text;
}

}  // namespace vkprims
