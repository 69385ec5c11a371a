// Compiles pipelines and reads what the driver tells of them.
#pragma once

#include <cstdint>

#include "context/instance.hpp"
#include "plan.hpp"

namespace vkprims::pipelines {

/// What a driver counts, by whatever name; -1: it does not tell.
struct Figures {
  std::int64_t registers = -1;         ///< of an invocation
  std::int64_t scalar_registers = -1;  ///< of a subgroup
  std::int64_t spills = -1;            ///< registers, or stores and loads of them
  std::int64_t scalar_spills = -1;     ///< scalar registers, which mostly go to vector registers
  std::int64_t scratch = -1;           ///< bytes of memory of an invocation or a subgroup
  std::int64_t shared = -1;            ///< bytes of memory of a workgroup
  std::int64_t waves = -1;             ///< subgroups at once on a SIMD unit or core, at most
  std::int64_t code = -1;              ///< bytes or instructions
  std::int64_t subgroup_size = -1;     ///< that the driver has chosen

  /// Keeps of both the most of everything, and the fewest waves.
  void join(const Figures& other);
};

class Compiler {
 public:
  /// Makes a VkDevice with the library's features, and with VK_KHR_pipeline_executable_properties where there is one.
  Compiler(const Instance& instance, VkPhysicalDevice physical, const Features& features);
  Compiler(const Compiler&) = delete;
  Compiler& operator=(const Compiler&) = delete;
  ~Compiler();

  /// Whether the driver has statistics at all.
  bool has_statistics() const { return has_statistics_; }

  /// `milliseconds` are of the processor, whatever else it does. `figures` only `with_statistics`, as some drivers fail
  /// at them.
  VkResult compile(const Request& request, bool with_statistics, double& milliseconds,
                   Figures& figures) const;

 private:
  Figures read(VkPipeline pipeline) const;

  VkDevice device_ = VK_NULL_HANDLE;
  bool has_statistics_ = false;
  std::uint32_t wave_lanes_ = 0;  // of what the driver counts as a wave; 0: of a subgroup
#define VKPRIMS_PIPELINES_FUNCTIONS(X)    \
  X(vkDestroyDevice)                      \
  X(vkCreateShaderModule)                 \
  X(vkDestroyShaderModule)                \
  X(vkCreatePipelineLayout)               \
  X(vkDestroyPipelineLayout)              \
  X(vkCreateComputePipelines)             \
  X(vkDestroyPipeline)                    \
  X(vkGetPipelineExecutablePropertiesKHR) \
  X(vkGetPipelineExecutableStatisticsKHR)
#define VKPRIMS_PIPELINES_DECLARE(name) PFN_##name name = nullptr;
  VKPRIMS_PIPELINES_FUNCTIONS(VKPRIMS_PIPELINES_DECLARE)
#undef VKPRIMS_PIPELINES_DECLARE
};

}  // namespace vkprims::pipelines
