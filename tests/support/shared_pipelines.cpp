#include "support/shared_pipelines.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <string_view>

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

}  // namespace vkprims::test
