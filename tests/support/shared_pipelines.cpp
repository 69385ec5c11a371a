#include "support/shared_pipelines.hpp"

#include <vulkan/vulkan.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <string_view>

#include "support/turns.hpp"

namespace vkprims::test {
namespace {

// Returns the ids of the specialization constants of a module.
std::vector<std::uint32_t> constants_of(const VkShaderModuleCreateInfo& info) {
  constexpr std::uint32_t kHeader = 5, kDecorate = 71, kSpecId = 1;  // from the SPIR-V standard
  std::vector<std::uint32_t> ids;
  const std::size_t words = info.codeSize / 4;
  for (std::size_t i = kHeader; i < words; i += info.pCode[i] >> 16) {
    const std::uint32_t* w = info.pCode + i;
    if ((w[0] & 0xffff) == kDecorate && w[2] == kSpecId) ids.push_back(w[3]);
  }
  return ids;
}

// The pipelines are never destroyed, like the Devices of tests.
SharedPipelines& shared() {
  static SharedPipelines& instance = *new SharedPipelines;
  return instance;
}

PFN_vkGetDeviceProcAddr real_get_device_proc_addr;
PFN_vkCreateComputePipelines real_create_pipelines;
PFN_vkCreateShaderModule real_create_shader_module;

VKAPI_ATTR VkResult VKAPI_CALL create_pipelines(VkDevice device, VkPipelineCache cache,
                                                std::uint32_t n,
                                                const VkComputePipelineCreateInfo* infos,
                                                const VkAllocationCallbacks* allocator,
                                                VkPipeline* pipelines) {
  for (std::uint32_t i = 0; i < n; ++i) {
    const VkResult result =
        shared().create(real_create_pipelines, device, cache, infos[i], allocator, pipelines[i]);
    if (result != VK_SUCCESS) return result;
  }
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL keep_pipeline(VkDevice, VkPipeline, const VkAllocationCallbacks*) {}

VKAPI_ATTR VkResult VKAPI_CALL create_shader_module(VkDevice device,
                                                    const VkShaderModuleCreateInfo* info,
                                                    const VkAllocationCallbacks* allocator,
                                                    VkShaderModule* module) {
  const VkResult result =
      create_counted_module(real_create_shader_module, device, *info, allocator, module);
  if (result == VK_SUCCESS) shared().module_made(*module, *info);
  return result;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device_proc_addr(VkDevice device, const char* name) {
  const PFN_vkVoidFunction function = real_get_device_proc_addr(device, name);
  const std::string_view wanted = name;
  if (wanted == "vkCreateComputePipelines") {
    real_create_pipelines = reinterpret_cast<PFN_vkCreateComputePipelines>(function);
    return reinterpret_cast<PFN_vkVoidFunction>(create_pipelines);
  }
  if (wanted == "vkCreateShaderModule") {
    real_create_shader_module = reinterpret_cast<PFN_vkCreateShaderModule>(function);
    return reinterpret_cast<PFN_vkVoidFunction>(create_shader_module);
  }
  if (wanted == "vkDestroyPipeline") return reinterpret_cast<PFN_vkVoidFunction>(keep_pipeline);
  return function;
}

}  // namespace

void SharedPipelines::module_made(VkShaderModule module, const VkShaderModuleCreateInfo& info) {
  const std::string_view bytes(reinterpret_cast<const char*>(info.pCode), info.codeSize);
  modules_[module] = {std::hash<std::string_view>()(bytes), constants_of(info)};
}

SharedPipelines::Key SharedPipelines::key_of(const VkComputePipelineCreateInfo& info) const {
  const Module& module = modules_.at(info.stage.module);
  Key key{module.hash, info.stage.flags};
  const VkSpecializationInfo& constants = *info.stage.pSpecializationInfo;
  for (std::uint32_t i = 0; i < constants.mapEntryCount; ++i) {
    const VkSpecializationMapEntry& entry = constants.pMapEntries[i];
    if (std::ranges::find(module.constants, entry.constantID) == module.constants.end()) continue;
    std::uint32_t value = 0;
    std::memcpy(&value, static_cast<const char*>(constants.pData) + entry.offset, sizeof value);
    key.push_back(std::uint64_t{entry.constantID} << 32 | value);
  }
  return key;
}

VkResult SharedPipelines::create(PFN_vkCreateComputePipelines driver, VkDevice device,
                                 VkPipelineCache cache, const VkComputePipelineCreateInfo& info,
                                 const VkAllocationCallbacks* allocator, VkPipeline& pipeline) {
  const Key key = key_of(info);
  if (const auto found = pipelines_.find(key); found != pipelines_.end()) {
    pipeline = found->second;
    return VK_SUCCESS;
  }
  const VkResult result = driver(device, cache, 1, &info, allocator, &pipeline);
  if (result == VK_SUCCESS) pipelines_.emplace(key, pipeline);
  return result;
}

PFN_vkVoidFunction VKAPI_CALL sharing_get_instance_proc_addr(VkInstance instance,
                                                             const char* name) {
  const PFN_vkVoidFunction function = vkGetInstanceProcAddr(instance, name);
  if (std::strcmp(name, "vkGetDeviceProcAddr") != 0) return function;
  real_get_device_proc_addr = reinterpret_cast<PFN_vkGetDeviceProcAddr>(function);
  return reinterpret_cast<PFN_vkVoidFunction>(get_device_proc_addr);
}

}  // namespace vkprims::test
