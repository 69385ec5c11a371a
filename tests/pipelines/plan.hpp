// Which pipelines the library would make on a device, found without making any.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "vkprims/device.hpp"
#include "vkprims/spirv.hpp"

namespace vkprims::pipelines {

/// A pipeline as the library asks for it. Plain data, which processes share.
struct Request {
  static constexpr std::uint32_t kMaxConstants = 32;

  const char* primitive;  ///< that asked for it first
  const Spirv* spirv;
  VkPipelineShaderStageCreateFlags stage_flags;
  VkPushConstantRange push_constants;
  std::uint32_t constant_count;
  std::uint32_t constants[kMaxConstants];  ///< by their number
  std::uint32_t subgroup_size;             ///< that is required; 0: the driver's choice

  /// Its specialization constants, without the zeros at the end.
  std::string constants_text() const;
};

struct Plan {
  std::vector<Request> requests;
  std::vector<const Spirv*> unreached;  ///< modules of the library that no pipeline is made of
};

/// All requests of warm_up_everything() on a Device with `features`, and for modules that it needs none of, those of
/// devices that lack something or are tuned otherwise. Nothing is compiled: `physical` is only asked what it can do.
Plan make_plan(PFN_vkGetInstanceProcAddr get_proc, VkInstance instance, VkPhysicalDevice physical,
               const Features& features);

/// The first request of each module.
std::vector<Request> one_of_each_module(std::span<const Request> requests);
/// So many that each value which a specialization constant of a module takes is among them.
std::vector<Request> one_of_each_value(std::span<const Request> requests);

}  // namespace vkprims::pipelines
