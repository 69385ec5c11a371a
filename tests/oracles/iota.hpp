// Oracle of vkprims/iota.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

namespace vkprims::oracle {

/// Returns element i of the sequence. Integers wrap. For floats, i is rounded to T, multiplied by
/// step, and added to start, each operation rounded once: `volatile` keeps the compiler from fusing
/// the last two.
template <class T>
T iota_element(std::uint64_t i, T start, T step) {
  if constexpr (std::is_floating_point_v<T>) {
    volatile T scaled = static_cast<T>(i) * step;
    return start + scaled;
  } else {
    // This computes in 64 bits, so that neither promotion nor signed overflow interferes.
    return static_cast<T>(static_cast<std::uint64_t>(start) + i * static_cast<std::uint64_t>(step));
  }
}

/// Does out[i] = start + i * step.
template <class T>
void iota(std::span<T> out, std::type_identity_t<T> start = T(0),
          std::type_identity_t<T> step = T(1)) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = iota_element<T>(i, start, step);
}

}  // namespace vkprims::oracle
