// Oracle of vkprims/key_ranges.hpp: counts of keys, added up.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace vkprims::oracle {

template <class Index, class T>
std::vector<Index> key_ranges(std::span<const T> in, std::uint32_t first_bit,
                              std::uint64_t ranges) {
  std::vector<Index> begins(ranges + 1);
  for (const T x : in) {
    if (x >> first_bit < ranges) ++begins[static_cast<std::size_t>(x >> first_bit) + 1];
  }
  for (std::uint64_t k = 0; k < ranges; ++k) begins[k + 1] += begins[k];
  return begins;
}

}  // namespace vkprims::oracle
