// Oracle of vkprims/expand.hpp: a loop over the items and their places.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace vkprims::oracle {

struct Expansion {
  /// These are the results of each place that is filled; places before the first offset have none.
  std::vector<std::optional<std::uint64_t>> indices, ranks;
  std::uint64_t needed = 0;  ///< places, whether there is room for them or not
};

template <class T>
Expansion expand_offsets(std::span<const T> offsets, std::uint64_t capacity) {
  Expansion x;
  const auto add = [&](std::optional<std::uint64_t> index, std::optional<std::uint64_t> rank) {
    if (x.needed++ >= capacity) return;
    x.indices.push_back(index);
    x.ranks.push_back(rank);
  };
  while (x.needed < offsets.front()) add({}, {});
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    for (T rank = 0; rank < offsets[i + 1] - offsets[i]; ++rank) add(i, rank);
  }
  return x;
}

template <class T>
Expansion expand_counts(std::span<const T> counts, std::uint64_t capacity) {
  std::vector<std::uint64_t> offsets(counts.size() + 1);
  for (std::size_t i = 0; i < counts.size(); ++i) offsets[i + 1] = offsets[i] + counts[i];
  return expand_offsets<std::uint64_t>(offsets, capacity);
}

}  // namespace vkprims::oracle
