// Oracle of vkprims/select.hpp: std::copy_if.
#pragma once

#include <type_traits>
#include <vector>

#include "vkprims/select.hpp"

namespace vkprims::oracle {

template <class T>
bool compares(Predicate predicate, T x, T operand) {
  switch (predicate) {
    case Predicate::less:
      return x < operand;
    case Predicate::less_equal:
      return x <= operand;
    case Predicate::equal:
      return x == operand;
    case Predicate::not_equal:
      return x != operand;
    case Predicate::greater_equal:
      return x >= operand;
    case Predicate::greater:
      return x > operand;
    case Predicate::has_bits:
      if constexpr (std::is_integral_v<T>) return (x & operand) != 0;
  }
  return false;
}

/// The elements whose flag is set, and their indices.
template <class T>
struct Selected {
  std::vector<T> elements;
  std::vector<std::uint64_t> indices;
};

template <class T>
Selected<T> select(const std::vector<T>& in, const std::vector<bool>& flags) {
  Selected<T> result;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (!flags[i]) continue;
    result.elements.push_back(in[i]);
    result.indices.push_back(i);
  }
  return result;
}

}  // namespace vkprims::oracle
