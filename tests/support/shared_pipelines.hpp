// Pipelines that Devices have in common. Devices of tests differ by what is tuned and by diagnostics, and shaders have not all
// constants: nearly half of the pipelines that tests ask for are there already, and a CPU takes long to make one.
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstdint>
#include <map>
#include <vector>

namespace vkprims::test {

/// Stands between Devices over one VkDevice and the driver. Pipelines that are shared are never destroyed.
class SharedPipelines {
 public:
  /// This has to be told of every module that is made, whose code has to stay where it is.
  void module_made(VkShaderModule module, const VkShaderModuleCreateInfo& info);

  /// Does for one pipeline what the driver's function does, or finds what it has done before.
  VkResult create(PFN_vkCreateComputePipelines driver, VkDevice device, VkPipelineCache cache,
                  const VkComputePipelineCreateInfo& info, const VkAllocationCallbacks* allocator,
                  VkPipeline& pipeline);

 private:
  struct Module {
    const std::uint32_t* code;
    std::vector<std::uint32_t> constants;  // their ids
  };
  // The code, the flags of the stage, and the constants that the module has.
  using Key = std::vector<std::uint64_t>;

  Key key_of(const VkComputePipelineCreateInfo& info) const;

  std::map<VkShaderModule, Module> modules_;
  std::map<Key, VkPipeline> pipelines_;
};

}  // namespace vkprims::test
