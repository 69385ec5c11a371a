// Sequences cut into segments, for the tests of scans in segments.
#pragma once

#include <bit>
#include <cmath>

#include "support/support.hpp"

namespace vkprims::test {

/// Mean lengths of segments: with 1 every element is a segment, and 0 means one segment for all.
inline constexpr std::uint64_t kSegmentLengths[] = {1, 4, 50, 0};

/// Says for each element whether a segment begins there; one always begins at the first.
inline std::vector<bool> random_heads(std::uint64_t n, std::uint64_t mean_length,
                                      std::uint32_t seed) {
  std::mt19937 engine(seed);
  std::vector<bool> heads(n);
  for (std::uint64_t i = 0; i < n; ++i) {
    heads[i] = i == 0 || (mean_length != 0 && engine() % mean_length == 0);
  }
  return heads;
}

/// Returns keys with a run for each segment. Keys recur, and those of neighbouring runs differ in
/// one bit.
template <class Key>
std::vector<Key> keys_of(const std::vector<bool>& heads, std::uint32_t seed) {
  using Bits = std::conditional_t<sizeof(Key) == 8, std::uint64_t, std::uint32_t>;
  std::mt19937 engine(seed);
  Bits bits = static_cast<Bits>(0xc0ffee00c0ffee00);
  std::vector<Key> keys;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    if (heads[i]) bits ^= Bits{1} << (engine() % (8 * sizeof(Key)));
    keys.push_back(std::bit_cast<Key>(bits));
  }
  return keys;
}

/// Returns values whose folds are exact in any order: floats are small integers, or factors near 1.
template <class T>
std::vector<T> exact_values(Op op, std::uint64_t n, std::uint32_t seed) {
  std::vector<T> values = random_values<T>(n, seed);
  if constexpr (std::is_floating_point_v<T>) {
    for (std::uint64_t i = 0; i < n; ++i) {
      if (op == Op::add) values[i] = std::floor(values[i] * T(9));
      if (op == Op::mul)
        values[i] = (values[i] < 0 ? T(-1) : T(1)) * (i % 64 == 0    ? T(2)
                                                      : i % 64 == 32 ? T(0.5)
                                                                     : T(1));
    }
  } else if (op == Op::mul) {
    for (T& v : values) v = v | 1;
  }
  return values;
}

/// Returns bytes for segmented_scan: 0, or any other number at a head.
inline std::vector<std::uint8_t> flags_of(const std::vector<bool>& heads) {
  std::vector<std::uint8_t> flags(heads.size());
  for (std::size_t i = 0; i < heads.size(); ++i) {
    if (heads[i]) flags[i] = static_cast<std::uint8_t>(1 << i % 8);
  }
  return flags;
}

/// Returns bits for segmented_scan; those behind the last element are set.
inline std::vector<std::uint32_t> bits_of(const std::vector<bool>& heads) {
  std::vector<std::uint32_t> bits((heads.size() + 31) / 32);
  for (std::size_t i = 0; i < 32 * bits.size(); ++i) {
    if (i >= heads.size() || heads[i]) bits[i / 32] |= 1u << i % 32;
  }
  return bits;
}

/// Returns offsets for segmented_scan: ascending, with the end, and with empty segments.
template <class Offset>
std::vector<Offset> offsets_of(const std::vector<bool>& heads) {
  std::vector<Offset> offsets;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    if (heads[i]) offsets.insert(offsets.end(), i % 7 == 0 ? 2 : 1, static_cast<Offset>(i));
  }
  offsets.push_back(static_cast<Offset>(heads.size()));
  return offsets;
}

}  // namespace vkprims::test
