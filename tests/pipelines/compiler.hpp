// Compiles pipelines and reads what the driver reports about them.
#pragma once

#include <cstdint>

#include "context/instance.hpp"
#include "plan.hpp"

namespace vkprims::pipelines {

/// The numbers that a driver reports, whatever it calls them; -1: it does not report one.
struct Figures {
  std::int64_t registers = -1;         ///< per invocation
  std::int64_t scalar_registers = -1;  ///< per subgroup
  std::int64_t spills = -1;            ///< spilled registers, or stores and loads of them
  std::int64_t scalar_spills = -1;     ///< of scalar registers, mostly to vector registers
  std::int64_t scratch = -1;           ///< bytes of memory per invocation or subgroup
  std::int64_t shared = -1;            ///< bytes of memory per workgroup
  std::int64_t waves = -1;             ///< most subgroups at once on a SIMD unit or core
  std::int64_t code = -1;              ///< bytes or instructions
  std::int64_t subgroup_size = -1;     ///< the driver's choice

  /// Keeps the larger of both values of every figure, but the smaller number of waves.
  void join(const Figures& other);
};

class Compiler {
 public:
  /// Makes a VkDevice with the library's features and, where it exists, with
  /// VK_KHR_pipeline_executable_properties.
  Compiler(const Instance& instance, VkPhysicalDevice physical, const Features& features);
  Compiler(const Compiler&) = delete;
  Compiler& operator=(const Compiler&) = delete;
  ~Compiler();

  /// Says whether the driver offers statistics.
  bool has_statistics() const { return has_statistics_; }

  /// `milliseconds` is processor time, whatever else the processor does. `figures` is set only if
  /// `with_statistics`, because some drivers fail when asked for statistics.
  VkResult compile(const Request& request, bool with_statistics, double& milliseconds,
                   Figures& figures) const;

 private:
  Figures read(VkPipeline pipeline) const;

  VkDevice device_ = VK_NULL_HANDLE;
  bool has_statistics_ = false;
  // The lanes of what the driver counts as a wave; 0: those of a subgroup.
  std::uint32_t wave_lanes_ = 0;
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
