#include "kernel.hpp"

#include <algorithm>

namespace vkprims::bench {

Kernel::Kernel(const Context& context, const VulkanFunctions& vk, const Spirv& spirv,
               const std::vector<std::uint32_t>& constants)
    : vk_(vk), device_(context.vk_device()) {
  const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, 128};
  const VkPipelineLayoutCreateInfo layout{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                          .pushConstantRangeCount = 1,
                                          .pPushConstantRanges = &range};
  check_vk(vk.vkCreatePipelineLayout(device_, &layout, nullptr, &layout_),
           "vkCreatePipelineLayout");
  const std::vector<std::uint32_t> words = words_of(spirv);
  const VkShaderModuleCreateInfo module_info{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                             .codeSize = spirv.bytes,
                                             .pCode = words.data()};
  VkShaderModule module = VK_NULL_HANDLE;
  VkResult result = vk.vkCreateShaderModule(device_, &module_info, nullptr, &module);
  if (result == VK_SUCCESS) {
    std::vector<VkSpecializationMapEntry> entries;
    for (std::uint32_t i = 0; i < constants.size(); ++i) entries.push_back({i, 4 * i, 4});
    const VkSpecializationInfo specialization{static_cast<std::uint32_t>(entries.size()),
                                              entries.data(), 4 * constants.size(),
                                              constants.data()};
    const VkComputePipelineCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main",
                  .pSpecializationInfo = &specialization},
        .layout = layout_};
    result = vk.vkCreateComputePipelines(device_, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline_);
    vk.vkDestroyShaderModule(device_, module, nullptr);
  }
  if (result < 0) {
    vk.vkDestroyPipelineLayout(device_, layout_, nullptr);
    throw Error(Status::error(Status::vulkan_error, "shader %s: VkResult %d", spirv.name, result));
  }
}

Kernel::~Kernel() {
  vk_.vkDestroyPipeline(device_, pipeline_, nullptr);
  vk_.vkDestroyPipelineLayout(device_, layout_, nullptr);
}

void Kernel::dispatch(VkCommandBuffer cmd, std::uint64_t groups,
                      std::initializer_list<std::uint32_t> push) const {
  if (groups == 0) return;
  vk_.vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_);
  vk_.vkCmdPushConstants(cmd, layout_, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                         static_cast<std::uint32_t>(4 * push.size()), push.begin());
  const std::uint64_t x = std::min<std::uint64_t>(groups, 65535);
  vk_.vkCmdDispatch(cmd, static_cast<std::uint32_t>(x),
                    static_cast<std::uint32_t>((groups + x - 1) / x), 1);
}

}  // namespace vkprims::bench
