// Arithmetic with sizes.
#pragma once

#include <cstdint>

namespace vkprims {

constexpr std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return a / b + (a % b != 0); }

/// The least multiple of `unit` that is not below `size`.
constexpr std::uint64_t round_up(std::uint64_t size, std::uint64_t unit) {
  return ceil_div(size, unit) * unit;
}

/// Bytes of a mask with one bit for each of `count` items, in whole 32-bit words.
constexpr std::uint64_t mask_bytes(std::uint64_t count) { return ceil_div(count, 32) * 4; }

}  // namespace vkprims
