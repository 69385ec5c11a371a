// Oracle of vkprims/partition_three.hpp: std::stable_partition, twice.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace vkprims::oracle {

/// Returns the elements of the three parts. part(x, i) says which one element i, x, is of.
template <class T>
std::array<std::vector<T>, 3> partition_three(
    const std::vector<T>& values,
    const std::function<std::uint32_t(const T&, std::uint64_t)>& part) {
  using Numbered = std::pair<T, std::uint32_t>;
  std::vector<Numbered> all;
  for (std::uint64_t i = 0; i < values.size(); ++i) {
    all.emplace_back(values[i], part(values[i], i));
  }
  const auto second =
      std::ranges::stable_partition(all, [](const Numbered& x) { return x.second == 0; });
  const auto third =
      std::ranges::stable_partition(second, [](const Numbered& x) { return x.second == 1; });
  const auto elements = [](auto begin, auto end) {
    std::vector<T> result;
    for (auto x = begin; x != end; ++x) result.push_back(x->first);
    return result;
  };
  return {elements(all.begin(), second.begin()), elements(second.begin(), third.begin()),
          elements(third.begin(), all.end())};
}

}  // namespace vkprims::oracle
