// Spirv: a shader module as constant data, made by vkprims_add_shaders() (VkprimsShaders.cmake).
#pragma once

#include <cstddef>
#include <cstdint>

namespace vkprims {

struct Spirv {
  const char* name;            ///< file and variant, e.g. "reduce_u32"
  const std::uint32_t* words;  ///< null: left out of this build (VKPRIMS_VARIANTS)
  std::size_t bytes;
};

}  // namespace vkprims
