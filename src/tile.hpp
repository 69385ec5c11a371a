// Host side of shaders/vkprims/tile.glsl: which moves addresses allow, and what a tile holds.
#pragma once

#include <initializer_list>

#include "pipelines.hpp"

namespace vkprims {

/// Words that one load or store may move: 4 where all addresses are multiples of 16, else those of
/// an element (1 for elements below 4 bytes).
inline std::uint32_t row_words_for(std::initializer_list<VkDeviceAddress> addresses,
                                   std::uint32_t element_bytes) {
  VkDeviceAddress all = 0;
  for (const VkDeviceAddress a : addresses) all |= a;
  if (all % 16 == 0) return 4;
  return element_bytes < 4 ? 1 : element_bytes / 4;
}

inline std::uint64_t tile_bytes(const Tuning& tuning) {
  return std::uint64_t{16} * tuning.workgroup_size * tuning.rows_per_tile;
}

inline Specialization tile_specialization(const Tuning& tuning, std::uint32_t row_words) {
  return {.workgroup_size = tuning.workgroup_size,
          .rows = tuning.rows_per_tile,
          .row_words = row_words};
}

constexpr std::uint32_t lo(std::uint64_t v) { return static_cast<std::uint32_t>(v); }
constexpr std::uint32_t hi(std::uint64_t v) { return static_cast<std::uint32_t>(v >> 32); }

}  // namespace vkprims
