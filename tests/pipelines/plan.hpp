// Which pipelines the library would make on a device, found without making any.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "vkprims/device.hpp"
#include "vkprims/spirv.hpp"

namespace vkprims::pipelines {

/// A pipeline as the library asks for it. This is plain data, which processes share.
struct Request {
  static constexpr std::uint32_t kMaxConstants = 32;

  const char* primitive;  ///< primitive that asked for it first
  const Spirv* spirv;
  VkPipelineShaderStageCreateFlags stage_flags;
  VkPushConstantRange push_constants;
  std::uint32_t constant_count;
  std::uint32_t constants[kMaxConstants];  ///< indexed by constant number
  std::uint32_t subgroup_size;             ///< required size; 0: the driver's choice

  /// Returns its specialization constants, without the zeros at the end.
  std::string constants_text() const;
};

struct Plan {
  std::vector<Request> requests;
  std::vector<const Spirv*> unreached;  ///< modules of the library that no pipeline is made of
};

/// Returns all requests of warm_up_everything() on a Device with `features` and `tuning`. For
/// modules that this Device does not need, it adds the requests of devices that lack something or
/// are tuned otherwise. Nothing is compiled: `physical` is only asked for its properties.
Plan make_plan(PFN_vkGetInstanceProcAddr get_proc, VkInstance instance, VkPhysicalDevice physical,
               const Features& features, const Tuning& tuning);

/// Returns the first request of each module.
std::vector<Request> one_of_each_module(std::span<const Request> requests);
/// Returns enough requests that every value of every specialization constant of a module occurs.
std::vector<Request> one_of_each_value(std::span<const Request> requests);

}  // namespace vkprims::pipelines
