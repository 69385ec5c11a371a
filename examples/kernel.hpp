// Kernel: a compute pipeline of the program's own, made from SPIR-V that vkprims_add_shaders() has
// embedded. It reaches data by device addresses and takes push constants, but no descriptor sets.
#pragma once

#include <vulkan/vulkan.h>

#include <algorithm>

#include "vkprims/context.hpp"
#include "vkprims/spec.h"
#include "vkprims/spirv.hpp"

namespace examples {

template <class Push>
class Kernel {
 public:
  static constexpr std::uint32_t kWorkgroupSize = 128;  // every device of vkprims allows it
  static_assert(sizeof(Push) <= 128);                   // every Vulkan device allows so much

  Kernel(const vkprims::Context& context, const vkprims::Spirv& spirv)
      : Kernel(context.vk_device()) {  // from here on the destructor runs, whatever is thrown
    const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(Push)};
    const VkPipelineLayoutCreateInfo layout{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                            .pushConstantRangeCount = 1,
                                            .pPushConstantRanges = &range};
    check(vkCreatePipelineLayout(device_, &layout, nullptr, &layout_), "vkCreatePipelineLayout");

    const std::vector<std::uint32_t> words = vkprims::words_of(spirv);
    const VkShaderModuleCreateInfo code{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                        .codeSize = spirv.bytes,
                                        .pCode = words.data()};
    check(vkCreateShaderModule(device_, &code, nullptr, &module_), "vkCreateShaderModule");

    const VkSpecializationMapEntry entry{VKP_SPEC_WORKGROUP_SIZE, 0, sizeof kWorkgroupSize};
    const VkSpecializationInfo constants{1, &entry, sizeof kWorkgroupSize, &kWorkgroupSize};
    const VkComputePipelineCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module_,
                  .pName = "main",
                  .pSpecializationInfo = &constants},
        .layout = layout_};
    check(vkCreateComputePipelines(device_, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline_),
          "vkCreateComputePipelines");
  }
  Kernel(const Kernel&) = delete;
  ~Kernel() {
    vkDestroyPipeline(device_, pipeline_, nullptr);
    vkDestroyShaderModule(device_, module_, nullptr);
    vkDestroyPipelineLayout(device_, layout_, nullptr);
  }

  /// Records a step with one invocation for each of `items`. Devices need not allow more than
  /// 65,535 groups in a row, so the grid is folded, and vkp_group_index() is the number of a group
  /// in it.
  void run(vkprims::Recorder& recorder, const Push& push, std::uint64_t items) const {
    const std::uint64_t groups = (items + kWorkgroupSize - 1) / kWorkgroupSize;
    const auto x = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(groups, 1, 65535));
    recorder.commands([&](VkCommandBuffer cmd) {
      bind(cmd, push);
      vkCmdDispatch(cmd, x, static_cast<std::uint32_t>((groups + x - 1) / x), 1);
    });
  }
  /// Does the same if only the GPU knows the number: `args` is a VkDispatchIndirectCommand.
  void run(vkprims::Recorder& recorder, const Push& push,
           const vkprims::Buffer<VkDispatchIndirectCommand>& args) const {
    recorder.commands([&](VkCommandBuffer cmd) {
      bind(cmd, push);
      vkCmdDispatchIndirect(cmd, args.handle(), 0);
    });
  }

 private:
  explicit Kernel(VkDevice device) : device_(device) {}
  static void check(VkResult result, const char* call) {
    vkprims::throw_if_error(vkprims::Status::from(result, call));
  }
  void bind(VkCommandBuffer cmd, const Push& push) const {
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_);
    vkCmdPushConstants(cmd, layout_, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push, &push);
  }

  VkDevice device_;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkShaderModule module_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
};

}  // namespace examples
