// Oracle of vkprims/reverse.hpp.
#pragma once

#include <cstddef>
#include <span>

namespace vkprims::oracle {

/// Does out[i] = in[n - 1 - i] for the n elements of `in`; the rest of `out` is kept.
template <class T>
void reverse(std::span<const T> in, std::span<T> out) {
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[in.size() - 1 - i];
}

}  // namespace vkprims::oracle
