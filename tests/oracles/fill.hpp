// Oracle of vkprims/fill.hpp.
#pragma once

#include <span>
#include <type_traits>

namespace vkprims::oracle {

/// Does out[i] = value.
template <class T>
void fill(std::span<T> out, const std::type_identity_t<T>& value) {
  for (T& x : out) x = value;
}

}  // namespace vkprims::oracle
