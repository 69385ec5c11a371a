// The monoids that tests/CMakeLists.txt makes for all forms, as the GPU and the host have them.
#pragma once

#include <cstring>
#include <vector>

#include "oracles/monoids.hpp"
#include "support/support.hpp"
#include "vkprims-tests/affine.hpp"
#include "vkprims-tests/illegal.hpp"
#include "vkprims-tests/wide.hpp"

namespace vkprims::test {

/// 24 bytes; does not commute. The build packs the struct.
struct OwnAffine {
  using M = oracle::Affine;
  static constexpr const Monoid& monoid() { return own::affine::monoid; }
};
/// 16 bytes; counts operands that are not neighbours.
struct OwnIllegal {
  using M = oracle::Illegal;
  static constexpr const Monoid& monoid() { return own::illegal::monoid; }
};
/// 32 bytes; does not commute. The source packs the struct itself.
struct OwnWide {
  using M = oracle::Wide;
  static constexpr const Monoid& monoid() { return own::wide::monoid; }
};

template <class E>
std::vector<std::uint32_t> words_of(const std::vector<E>& elements) {
  std::vector<std::uint32_t> words(elements.size() * sizeof(E) / 4);
  if (!words.empty()) std::memcpy(words.data(), elements.data(), words.size() * 4);
  return words;
}

template <class M>
constexpr std::uint32_t kWords = std::tuple_size_v<typename M::Element>;

inline constexpr std::uint64_t kAll = ~std::uint64_t{0};

/// A count of which the GPU may have another value than `most`.
struct AnyCount {
  AnyCount(std::uint64_t most, std::uint64_t value) : used(std::min(most, value)), count(most) {
    if (value == kAll) return;
    memory = device_count<std::uint64_t>(value);
    count.address = memory.address();
    count.width = CountWidth::u64;
  }
  std::uint64_t used;
  Count count;
  Buffer<std::uint64_t> memory;
};

/// Compares the first elements of `got` with `expected`; those behind them must be unchanged, which
/// means `before`.
template <class E>
std::string difference_in(const std::vector<std::uint32_t>& got, const std::vector<E>& expected,
                          const std::vector<std::uint32_t>& before) {
  std::vector<std::uint32_t> all = words_of(expected);
  all.insert(all.end(), before.begin() + static_cast<std::ptrdiff_t>(all.size()), before.end());
  return difference(got, all);
}

inline std::vector<std::uint32_t> untouched(std::uint64_t bytes) {
  return std::vector<std::uint32_t>(bytes / 4, 0xcdcdcdcd);
}

}  // namespace vkprims::test
