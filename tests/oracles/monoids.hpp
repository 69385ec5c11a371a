// The monoids of tests/shaders/monoids/ on the host: elements are 32-bit words, in the order in
// which the shaders pack them, and inputs are chosen so that no prefix becomes trivial.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "vkprims/scan.hpp"

namespace vkprims::oracle {

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  std::uint32_t operator()() { return static_cast<std::uint32_t>(engine_()); }

 private:
  std::mt19937 engine_;
};

/// Members: closes, opens.
struct Bicyclic {
  using Element = std::array<std::uint32_t, 2>;
  static constexpr Element kIdentity{};
  static Element combine(const Element& a, const Element& b) {
    const std::uint32_t matched = std::min(a[1], b[0]);
    return {a[0] + b[0] - matched, a[1] - matched + b[1]};
  }
  static Element element(std::uint32_t, Random& random) { return {random() % 4, random() % 4}; }
};

/// A number of two words, the lower one first; the sum of a hundred thousand of them is below 2^62.
struct Count {
  using Element = std::array<std::uint32_t, 2>;
  static constexpr Element kIdentity{};
  static Element combine(const Element& a, const Element& b) {
    const std::uint64_t sum = number(a) + number(b);
    return {static_cast<std::uint32_t>(sum), static_cast<std::uint32_t>(sum >> 32)};
  }
  static Element element(std::uint32_t, Random& random) { return {random(), random() % 8192}; }

 private:
  static std::uint64_t number(const Element& x) { return std::uint64_t{x[1]} << 32 | x[0]; }
};

/// Returns the product of two 2x2 matrices that are stored by rows, left times right.
inline std::array<std::uint32_t, 4> product(const std::uint32_t* a, const std::uint32_t* b) {
  return {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2],
          a[2] * b[1] + a[3] * b[3]};
}

/// Returns a matrix with an odd determinant: products of other matrices are soon 0 modulo 2^32.
inline std::array<std::uint32_t, 4> invertible_matrix(Random& random) {
  return {random() | 1, random(), random() & ~1u, random() | 1};
}

/// Members: m (by rows) and t of the map v -> m v + t. The left map is applied first.
struct Affine {
  using Element = std::array<std::uint32_t, 6>;
  static constexpr Element kIdentity{1, 0, 0, 1, 0, 0};
  static Element combine(const Element& a, const Element& b) {
    const auto m = product(b.data(), a.data());
    return {
        m[0], m[1], m[2], m[3], b[0] * a[4] + b[1] * a[5] + b[4], b[2] * a[4] + b[3] * a[5] + b[5]};
  }
  static Element element(std::uint32_t, Random& random) {
    const auto m = invertible_matrix(random);
    return {m[0], m[1], m[2], m[3], random(), random()};
  }
};

/// Members: m (by rows), closes, opens, the last number that is not 0, sum.
struct Wide {
  using Element = std::array<std::uint32_t, 8>;
  static constexpr Element kIdentity{1, 0, 0, 1, 0, 0, 0, 0};
  static Element combine(const Element& a, const Element& b) {
    const auto m = product(a.data(), b.data());
    const auto brackets = Bicyclic::combine({a[4], a[5]}, {b[4], b[5]});
    return {m[0], m[1], m[2], m[3], brackets[0], brackets[1], b[6] ? b[6] : a[6], a[7] + b[7]};
  }
  static Element element(std::uint32_t index, Random& random) {
    const auto m = invertible_matrix(random);
    const auto brackets = Bicyclic::element(index, random);
    const std::uint32_t last = random() % 100 ? 0 : index;  // rare: mostly from other tiles
    return {m[0], m[1], m[2], m[3], brackets[0], brackets[1], last, random()};
  }
};

/// Members: first, last, exists, errors. Errors count the pairs that were combined although the
/// second does not follow the first.
struct Illegal {
  using Element = std::array<std::uint32_t, 4>;
  static constexpr Element kIdentity{};
  static Element combine(const Element& a, const Element& b) {
    const std::uint32_t errors = a[3] + b[3];
    if (!a[2]) return {b[0], b[1], b[2], errors};
    if (!b[2]) return {a[0], a[1], a[2], errors};
    return {a[0], b[1], 1, errors + (a[1] + 1 != b[0])};
  }
  static Element element(std::uint32_t index, Random&) { return {index, index, 1, 0}; }
};

/// Returns elements [first, first + n) of a random sequence.
template <class M>
std::vector<typename M::Element> elements(std::uint32_t first, std::uint64_t n) {
  Random random(first + 1);
  std::vector<typename M::Element> result(n);
  for (std::uint32_t i = 0; i < n; ++i) result[i] = M::element(first + i, random);
  return result;
}

/// Returns the running fold from left to right, after `seed`.
template <class M>
std::vector<typename M::Element> scan(const std::vector<typename M::Element>& in, ScanKind kind,
                                      const typename M::Element& seed) {
  std::vector<typename M::Element> out(in.size());
  typename M::Element total = seed;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const typename M::Element next = M::combine(total, in[i]);
    out[i] = kind == ScanKind::inclusive ? next : total;
    total = next;
  }
  return out;
}

}  // namespace vkprims::oracle
