// Oracle of vkprims/rolling.hpp: every window by itself, one element after another.
#pragma once

#include <algorithm>
#include <vector>

#include "oracles/reduce.hpp"
#include "vkprims/rolling.hpp"

namespace vkprims::oracle {

/// The input that windows roll over.
template <class T>
struct RollingColumn {
  std::span<const T> in;
  std::vector<bool> valid = {};             // empty: all are valid
  std::vector<std::uint64_t> offsets = {};  // offsets of groups; empty: one group
};

/// The results that a row may have: `value`, or a number at most `tolerance` from it.
struct RollingRow {
  bool valid = true;
  long double value = 0;      // result if it is a float
  std::uint64_t integer = 0;  // result if it is an integer or an index, converted to 64 bits
  long double tolerance = 0;
};

/// The longest chain of additions in a sum, as vkprims/rolling.hpp states it.
inline constexpr long double kRollingChain = 150;

/// Returns the elements of row i's window that are not null.
template <class T>
std::vector<std::uint64_t> rolling_elements(const RollingDesc& desc, const RollingColumn<T>& column,
                                            std::uint64_t i) {
  std::int64_t begin = 0, end = static_cast<std::int64_t>(column.in.size());
  const auto row = static_cast<std::int64_t>(i);
  for (const std::uint64_t offset : column.offsets) {
    if (offset >= column.in.size()) continue;
    const auto at = static_cast<std::int64_t>(offset);
    if (at <= row) begin = std::max(begin, at);
    if (at > row) end = std::min(end, at);
  }
  begin = std::max(begin, row - desc.preceding + 1);
  end = std::min(end, row + desc.following + 1);
  std::vector<std::uint64_t> elements;
  for (std::int64_t e = begin; e < end; ++e) {
    const auto at = static_cast<std::size_t>(e);
    if (column.valid.empty() || column.valid[at]) elements.push_back(at);
  }
  return elements;
}

template <class T>
RollingRow rolling_row(const RollingDesc& desc, const RollingColumn<T>& column, std::uint64_t i) {
  const std::vector<std::uint64_t> elements = rolling_elements(desc, column, i);
  const auto n = static_cast<long double>(elements.size());
  const long double nan = std::numeric_limits<long double>::quiet_NaN();
  const Type type = result_type(desc);
  const long double eps = type == Type::f32 ? 0x1p-24L : 0x1p-53L;
  RollingRow result;
  const auto window = static_cast<std::uint64_t>(desc.preceding + desc.following);
  result.valid =
      elements.size() >= (desc.partial == RollingPartial::keep ? desc.min_periods : window);
  if (desc.op == RollingOp::count) {
    result.integer = elements.size();
    return result;
  }
  if (!result.valid) {
    if (desc.partial == RollingPartial::infinity) result.valid = true;
    result.value = result.valid ? std::numeric_limits<long double>::infinity() : nan;
    if (desc.op >= RollingOp::arg_min) result.integer = ~std::uint64_t{0};
    return result;
  }
  std::vector<T> values;
  for (const std::uint64_t e : elements) values.push_back(column.in[e]);
  switch (desc.op) {
    case RollingOp::sum:
    case RollingOp::mean: {
      if constexpr (std::is_integral_v<T>) {
        if (desc.op == RollingOp::sum) {
          result.integer = static_cast<std::uint64_t>(reduce<T>(values, Op::add));
          return result;
        }
      }
      const Sum exact = sum<T>(values);
      const bool finite = std::isfinite(exact.magnitudes);
      long double plain = 0;
      for (const T x : values) plain += static_cast<long double>(x);
      result.value = finite ? exact.value : plain;
      result.tolerance = finite ? 1.1L * kRollingChain * eps * exact.magnitudes : 0;
      if (desc.op == RollingOp::mean) {
        result.value /= n;
        result.tolerance = result.tolerance / n + 3 * eps * std::fabs(result.value);
      }
      return result;
    }
    case RollingOp::min:
    case RollingOp::max: {
      const T best = reduce<T>(values, desc.op == RollingOp::min ? Op::min : Op::max);
      result.value = static_cast<long double>(best);
      if constexpr (std::is_integral_v<T>) result.integer = static_cast<std::uint64_t>(best);
      return result;
    }
    case RollingOp::variance: {
      if (n <= desc.ddof) {
        result.value = nan;
        return result;
      }
      const long double mean = sum<T>(values).value / n;
      long double squares = 0, magnitudes = 0;
      for (const T x : values) {
        const long double apart = static_cast<long double>(x) - mean;
        squares += apart * apart;
        magnitudes += std::fabs(apart) * std::fabs(static_cast<long double>(x));
      }
      result.value = squares / (n - desc.ddof);
      result.tolerance = 8 * kRollingChain * eps * (squares + magnitudes) / (n - desc.ddof);
      return result;
    }
    default: {
      result.integer = ~std::uint64_t{0};
      for (const std::uint64_t e : elements) {
        const T x = column.in[e];
        if (is_nan(x)) continue;
        const bool first = result.integer == ~std::uint64_t{0};
        const T best = first ? x : column.in[result.integer];
        if (first || (desc.op == RollingOp::arg_min ? less(x, best) : less(best, x))) {
          result.integer = e;
        }
      }
      return result;
    }
  }
  return result;
}

/// Says whether a row may have the result `out`. Signs of zeros count where there is no tolerance.
template <class Out>
bool rolling_matches(const RollingRow& row, Out out) {
  if constexpr (std::is_floating_point_v<Out>) {
    if (std::isnan(row.value)) return std::isnan(out);
    if (std::isinf(row.value) || std::isinf(out)) return static_cast<long double>(out) == row.value;
    return std::fabs(static_cast<long double>(out) - row.value) <= row.tolerance &&
           (row.tolerance != 0 || std::signbit(out) == std::signbit(row.value));
  } else {
    return out == static_cast<Out>(row.integer);
  }
}

}  // namespace vkprims::oracle
