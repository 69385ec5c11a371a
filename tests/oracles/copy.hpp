// Oracle of vkprims/copy.hpp.
#pragma once

#include <cstddef>
#include <span>

namespace vkprims::oracle {

/// Does out[i] = in[i] for the elements of `in`; the rest of `out` is kept.
template <class T>
void copy(std::span<const T> in, std::span<T> out) {
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i];
}

}  // namespace vkprims::oracle
