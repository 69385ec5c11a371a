// Oracle of vkprims/draw_args.hpp: the structures of Vulkan, member by member.
#pragma once

#include <cstring>
#include <vector>

#include "vkprims/draw_args.hpp"

namespace vkprims::oracle {

template <class T>
std::vector<std::uint32_t> words_of(const T& x) {
  std::vector<std::uint32_t> words(sizeof(T) / 4);
  std::memcpy(words.data(), &x, sizeof(T));
  return words;
}

/// Returns the words of a draw of `count` items, which the caller has clamped to Count::max.
inline std::vector<std::uint32_t> draw_args(const DrawArgsDesc& desc, std::uint64_t count) {
  const auto number = static_cast<std::uint32_t>(count * desc.per_item);
  const bool instances = desc.number == DrawNumber::instances;
  switch (desc.command) {
    case DrawCommand::draw: {
      VkDrawIndirectCommand draw{};
      draw.instanceCount = instances ? number : desc.other_number;
      draw.vertexCount = instances ? desc.other_number : number;
      draw.firstVertex = desc.first_vertex;
      draw.firstInstance = desc.first_instance;
      return words_of(draw);
    }
    case DrawCommand::draw_indexed: {
      VkDrawIndexedIndirectCommand draw{};
      draw.instanceCount = instances ? number : desc.other_number;
      draw.indexCount = instances ? desc.other_number : number;
      draw.firstIndex = desc.first_vertex;
      draw.vertexOffset = desc.vertex_offset;
      draw.firstInstance = desc.first_instance;
      return words_of(draw);
    }
    default:
      return {number};
  }
}

}  // namespace vkprims::oracle
