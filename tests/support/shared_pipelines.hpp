// Pipelines that Devices have in common. The Devices of tests differ in tuning and diagnostics, but
// no shader has all constants: nearly half of the pipelines that tests ask for exist already, and a
// CPU takes long to make one.
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstdint>
#include <map>
#include <vector>

namespace vkprims::test {

/// Stands between the driver and the Devices over one VkDevice. Shared pipelines are never
/// destroyed.
class SharedPipelines {
 public:
  /// Must be called for every module that is made.
  void module_made(VkShaderModule module, const VkShaderModuleCreateInfo& info);

  /// Does what the driver's function does for one pipeline, or returns an equal pipeline made
  /// before.
  VkResult create(PFN_vkCreateComputePipelines driver, VkDevice device, VkPipelineCache cache,
                  const VkComputePipelineCreateInfo& info, const VkAllocationCallbacks* allocator,
                  VkPipeline& pipeline);

 private:
  struct Module {
    std::uint64_t hash;                    // of its words
    std::vector<std::uint32_t> constants;  // their ids
  };
  // Hash of the words, flags of the stage, and values of the constants that the module has.
  using Key = std::vector<std::uint64_t>;

  Key key_of(const VkComputePipelineCreateInfo& info) const;

  std::map<VkShaderModule, Module> modules_;
  std::map<Key, VkPipeline> pipelines_;
};

/// Wraps the loader's function, so that all Devices share pipelines. They must be over one
/// VkDevice.
PFN_vkVoidFunction VKAPI_CALL sharing_get_instance_proc_addr(VkInstance instance, const char* name);

}  // namespace vkprims::test
