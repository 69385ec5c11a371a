// Oracle of vkprims/group_by.hpp: a map from keys to rows, then one row after another.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "vkprims/group_by.hpp"

namespace vkprims::oracle {

/// A column of any type, as bits.
struct GroupColumn {
  Type type = Type::u32;
  std::vector<std::uint64_t> bits;
  std::vector<bool> valid = {};  // empty: all are

  bool is_valid(std::uint64_t row) const { return valid.empty() || valid[row]; }
};

inline bool is_float(Type type) { return type == Type::f32 || type == Type::f64; }
inline bool is_signed(Type type) { return type == Type::i32 || type == Type::i64; }

inline long double group_number(Type type, std::uint64_t bits) {
  switch (type) {
    case Type::i32:
      return static_cast<std::int32_t>(bits);
    case Type::f32:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case Type::i64:
      return static_cast<long double>(static_cast<std::int64_t>(bits));
    case Type::f64:
      return std::bit_cast<double>(bits);
    default:
      return static_cast<long double>(bits);
  }
}

/// Ranks numbers in the order of min and max, in which -0 is below +0.
inline std::uint64_t group_rank(Type type, std::uint64_t bits) {
  if (size_of(type) == 4) {
    const auto x = static_cast<std::uint32_t>(bits);
    if (is_signed(type)) return x ^ 0x80000000u;
    if (is_float(type)) return x >> 31 ? ~x : x | 0x80000000u;
    return x;
  }
  const std::uint64_t sign = std::uint64_t{1} << 63;
  if (is_signed(type)) return bits ^ sign;
  if (is_float(type)) return bits & sign ? ~bits : bits | sign;
  return bits;
}

inline bool is_nan(Type type, std::uint64_t bits) {
  return is_float(type) && std::isnan(group_number(type, bits));
}

/// Returns the identity of a key: rows with equal results have the same key.
inline std::pair<bool, std::uint64_t> group_key(const GroupColumn& c, std::uint64_t row,
                                                FloatOrder order) {
  if (!c.is_valid(row)) return {true, 0};
  if (order == FloatOrder::by_bits) return {false, group_rank(c.type, c.bits[row])};
  if (is_nan(c.type, c.bits[row])) return {false, ~std::uint64_t{0}};
  const bool zero = is_float(c.type) && group_number(c.type, c.bits[row]) == 0;
  return {false, group_rank(c.type, zero ? 0 : c.bits[row])};
}

/// Returns the rows of each group.
inline std::vector<std::vector<std::uint32_t>> group_rows(const std::vector<GroupColumn>& keys,
                                                          std::uint64_t rows, NullKeys null_keys,
                                                          FloatOrder order = FloatOrder::by_value) {
  std::map<std::vector<std::pair<bool, std::uint64_t>>, std::vector<std::uint32_t>> groups;
  for (std::uint32_t row = 0; row < rows; ++row) {
    std::vector<std::pair<bool, std::uint64_t>> key;
    bool null = false;
    for (const GroupColumn& c : keys) {
      key.push_back(group_key(c, row, order));
      null |= key.back().first;
    }
    if (!null || null_keys == NullKeys::group) groups[key].push_back(row);
  }
  std::vector<std::vector<std::uint32_t>> result;
  for (auto& group : groups) result.push_back(std::move(group.second));
  return result;
}

/// The result of an aggregation over one group: its bits or, if it is rounded, the exact number and
/// the allowed error.
struct GroupResult {
  std::uint64_t bits = 0;
  bool rounded = false;
  long double exact = 0, error = 0;
  long double unsorted = 0;  // additional error where keys were not sorted
};

inline GroupResult rounded_sum(const GroupColumn& c, const std::vector<std::uint32_t>& rows) {
  GroupResult r{.rounded = true};
  long double magnitudes = 0, largest = 0;
  for (const std::uint32_t row : rows) {
    const long double x = group_number(c.type, c.bits[row]);
    r.exact += x;
    magnitudes += std::fabs(x);
    largest = std::max(largest, std::fabs(x));
  }
  const auto n = static_cast<long double>(rows.size());
  if (c.type == Type::f32) r.unsorted = n * 0x1p-25L * largest;
  r.error = c.type == Type::f32 ? 0x1p-24L * std::fabs(r.exact) + n * 0x1p-44L * magnitudes
                                : 1.1L * n * 0x1p-53L * magnitudes;
  return r;
}

inline GroupResult moment(const GroupColumn& c, const std::vector<std::uint32_t>& rows,
                          const GroupAggregation& a) {
  GroupResult r{.rounded = true, .exact = std::nanl("")};
  if (rows.empty()) return r;
  long double sum = 0, magnitudes = 0, squares = 0;
  for (const std::uint32_t row : rows) {
    sum += group_number(c.type, c.bits[row]);
    magnitudes += std::fabs(group_number(c.type, c.bits[row]));
  }
  const auto n = static_cast<long double>(rows.size());
  const long double factor = n * 0x1p-20L + 1;
  r.exact = sum / n;
  r.error = 0x1p-42L * factor * magnitudes / n;
  if (a.op == Aggregate::mean) return r;
  for (const std::uint32_t row : rows) {
    const long double distance = group_number(c.type, c.bits[row]) - sum / n;
    squares += distance * distance;
  }
  const long double divisor = a.population ? n : n - 1;
  r.exact = divisor > 0 ? squares / divisor : std::nanl("");
  // If means are off by e, squares are off by up to 2 e times the distances.
  r.error = 0x1p-40L * factor * std::fabs(r.exact) + 4 * r.error * std::sqrt(std::fabs(r.exact)) +
            r.error * r.error;
  return r;
}

/// Says whether a group has a result: without values there is neither a least value nor a mean.
inline bool group_has_result(const GroupColumn& c, const std::vector<std::uint32_t>& all,
                             const GroupAggregation& a) {
  std::uint64_t values = 0, numbers = 0;
  for (const std::uint32_t row : all) {
    if (a.op == Aggregate::count_rows || !c.is_valid(row)) continue;
    ++values;
    numbers += !is_nan(c.type, c.bits[row]);
  }
  switch (a.op) {
    case Aggregate::min:
    case Aggregate::max:
    case Aggregate::arg_min:
    case Aggregate::arg_max:
      return numbers > 0;
    case Aggregate::mean:
    case Aggregate::first:
    case Aggregate::last:
      return values > 0;
    case Aggregate::variance:
      return values > (a.population ? 0u : 1u);
    default:
      return true;
  }
}

/// Returns the result of an aggregation over the rows of a group.
inline GroupResult group_result(const GroupColumn& c, const std::vector<std::uint32_t>& all,
                                const GroupAggregation& a,
                                FloatOrder order = FloatOrder::by_value) {
  std::vector<std::uint32_t> rows,
      numbers;  // the rows that are not null, and those of them that are not NaN
  for (const std::uint32_t row : all) {
    if (a.op == Aggregate::count_rows || !c.is_valid(row)) continue;
    rows.push_back(row);
    if (!is_nan(c.type, c.bits[row])) numbers.push_back(row);
  }
  const std::uint64_t none = 0xffffffffu;
  const std::uint64_t mask = size_of(c.type) == 4 ? none : ~std::uint64_t{0};
  const bool least = a.op == Aggregate::min || a.op == Aggregate::arg_min;
  std::uint64_t best = none;
  for (const std::uint32_t row : numbers) {
    const bool better =
        best == none ||
        (least ? group_rank(c.type, c.bits[row]) < group_rank(c.type, c.bits[best])
               : group_rank(c.type, c.bits[best]) < group_rank(c.type, c.bits[row]));
    if (better) best = row;
  }
  switch (a.op) {
    case Aggregate::sum: {
      if (is_float(c.type)) return rounded_sum(c, rows);
      std::uint64_t sum = 0;
      for (const std::uint32_t row : rows) {
        sum += c.type == Type::i32 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(
                                         static_cast<std::int32_t>(c.bits[row])))
                                   : c.bits[row];
      }
      return {.bits = sum};
    }
    case Aggregate::min:
    case Aggregate::max: {
      if (best != none) return {.bits = c.bits[best]};
      const bool negative = !least;
      if (c.type == Type::f32) return {.bits = negative ? 0xff800000u : 0x7f800000u};
      if (c.type == Type::f64)
        return {.bits = std::bit_cast<std::uint64_t>(negative ? -HUGE_VAL : HUGE_VAL)};
      const std::uint64_t highest = is_signed(c.type) ? mask >> 1 : mask;
      return {.bits = least ? highest : ~highest & mask};
    }
    case Aggregate::count_rows:
      return {.bits = all.size()};
    case Aggregate::count:
      return {.bits = rows.size()};
    case Aggregate::mean:
    case Aggregate::variance:
      return moment(c, rows, a);
    case Aggregate::arg_min:
    case Aggregate::arg_max:
      return {.bits = best};
    case Aggregate::first:
      return {.bits = rows.empty() ? 0 : c.bits[rows.front()]};
    case Aggregate::last:
      return {.bits = rows.empty() ? 0 : c.bits[rows.back()]};
    case Aggregate::distinct: {
      std::set<std::pair<bool, std::uint64_t>> values;
      for (const std::uint32_t row : rows) values.insert(group_key(c, row, order));
      return {.bits = values.size()};
    }
  }
  return {};
}

}  // namespace vkprims::oracle
