// Oracle of vkprims/dropout.hpp: one element after another; halves by arithmetic on doubles.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "vkprims/dropout.hpp"

namespace vkprims::oracle {

struct Half {
  std::uint16_t bits;
};
struct BFloat {
  std::uint16_t bits;
};

// These functions convert elements to the numbers that are computed with, and back to the nearest
// element, to the even one of two.
inline float real_of(float x) { return x; }
inline double real_of(double x) { return x; }
inline float real_of(BFloat x) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(x.bits) << 16);
}
inline float real_of(Half x) {
  const int exponent = x.bits >> 10 & 31, fraction = x.bits & 1023;
  float magnitude = std::ldexp(static_cast<float>(exponent ? fraction + 1024 : fraction),
                               (exponent ? exponent : 1) - 25);
  if (exponent == 31) magnitude = fraction ? std::nanf("") : std::numeric_limits<float>::infinity();
  return x.bits >> 15 ? -magnitude : magnitude;
}

inline void round_to(float& out, float x) { out = x; }
inline void round_to(double& out, double x) { out = x; }
// Rounds to `bits` bits of significand, with exponents from `least` on. Numbers that are too large
// are kept.
inline double rounded(double x, int bits, int least) {
  if (x == 0 || !std::isfinite(x)) return x;
  const int unit = std::max(std::ilogb(x), least) - bits + 1;
  return std::ldexp(std::nearbyint(std::ldexp(x, -unit)), unit);
}
inline void round_to(BFloat& out, float x) {
  const float y = static_cast<float>(rounded(x, 8, -126));
  out.bits = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(std::isnan(x) ? x : y) >> 16);
  if (std::isnan(x)) out.bits |= 0x40;
}
inline void round_to(Half& out, float x) {
  const double y = std::fabs(rounded(x, 11, -14));
  out.bits = std::signbit(x) ? 0x8000 : 0;
  if (std::isnan(x)) {
    out.bits |= 0x7e00;
  } else if (y >= 65536) {
    out.bits |= 0x7c00;
  } else if (y < std::ldexp(1.0, -14)) {
    out.bits |= static_cast<std::uint16_t>(std::ldexp(y, 24));
  } else {
    const int exponent = std::ilogb(y);
    out.bits |= static_cast<std::uint16_t>((exponent + 15) << 10 |
                                           (static_cast<int>(std::ldexp(y, 10 - exponent)) & 1023));
  }
}

/// Says whether element i is kept.
inline bool dropout_keeps(const DropoutDesc& desc, std::uint64_t i) {
  if (!desc.training) return true;
  const std::uint64_t draw = i / desc.run;
  const bool half = desc.draw == DropoutDraw::bits16;
  const std::uint64_t word = desc.rng.offset + (half ? draw / 2 : draw), block = word / 4;
  const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  const std::uint32_t drawn =
      philox4x32({low(block), low(block >> 32), low(desc.rng.stream), low(desc.rng.stream >> 32)},
                 {low(desc.rng.seed), low(desc.rng.seed >> 32)}, desc.rng.rounds)[word % 4];
  if (desc.p == 1) return false;
  const double range = half ? 65536 : 4294967296.0;
  const double threshold = std::min(std::round(desc.p * range), range - 1);
  return (!half ? drawn : draw % 2 ? drawn / 65536 : drawn % 65536) >= threshold;
}

/// Returns what becomes of an element; bias and residual may be null.
template <class T>
T dropout(const DropoutDesc& desc, bool keeps, T in, const T* bias, const T* residual) {
  using Real = decltype(real_of(in));
  double p = desc.training ? desc.p : 0;
  if (desc.draw == DropoutDraw::bits16 && p < 1) {
    p = std::min(std::round(p * 65536), 65535.0) / 65536;
  }
  const double limit = 1.7580993408473766;
  const double scale = p == 1 ? 0
                       : desc.alpha && desc.training
                           ? 1 / std::sqrt((limit * limit * p + 1) * (1 - p))
                           : 1 / (1 - p);
  volatile Real x = real_of(in);  // every operation is rounded by itself
  if (bias) x = x + real_of(*bias);
  x = x * static_cast<Real>(scale);
  if (desc.alpha && desc.training && p < 1) {
    x = x + static_cast<Real>(static_cast<float>(limit * scale * p));
    if (!keeps) x = static_cast<Real>(static_cast<float>(-limit * scale * (1 - p)));
  } else if (!keeps) {
    x = 0;
  }
  if (residual) x = x + real_of(*residual);
  T out;
  round_to(out, x);
  return out;
}

}  // namespace vkprims::oracle
