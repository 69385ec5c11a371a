// A compute shader of the benchmark program itself: pipeline, push constants, dispatch.
#pragma once

#include <initializer_list>
#include <vector>

#include "vkprims/spirv.hpp"
#include "vulkan_functions.hpp"

namespace vkprims::bench {

class Kernel {
 public:
  /// Compiles the pipeline; `constants` are the values of specialization constants 0, 1, 2 …
  Kernel(const Context& context, const VulkanFunctions& vk, const Spirv& spirv,
         const std::vector<std::uint32_t>& constants);
  ~Kernel();
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  /// Records a dispatch of `groups` workgroups, folded into y past 65,535.
  void dispatch(VkCommandBuffer cmd, std::uint64_t groups,
                std::initializer_list<std::uint32_t> push) const;

 private:
  const VulkanFunctions& vk_;
  VkDevice device_;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
};

constexpr std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
constexpr std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

}  // namespace vkprims::bench
