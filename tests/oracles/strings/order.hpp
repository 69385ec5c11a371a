// Oracle of strings: their order, sorts by it, and dictionaries.
#pragma once

#include <algorithm>
#include <numeric>

#include "oracles/strings/copying.hpp"

namespace vkprims::oracle::strings {

/// Returns a number < 0, 0 or > 0. Strings are compared byte by byte, unsigned; a prefix of a
/// string comes before it. In UTF-8 this is the order of code points.
inline int compare(std::string_view a, std::string_view b) {
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    const int difference = static_cast<unsigned char>(a[i]) - static_cast<unsigned char>(b[i]);
    if (difference != 0) return difference;
  }
  return a.size() < b.size() ? -1 : a.size() > b.size() ? 1 : 0;
}

enum class Nulls { first, last };

/// Says whether row a sorts before row b. The place of nulls does not depend on `descending`.
inline bool sorts_before(const std::optional<std::string>& a, const std::optional<std::string>& b,
                         Nulls nulls, bool descending = false) {
  if (a && b) return descending ? compare(*a, *b) > 0 : compare(*a, *b) < 0;
  return nulls == Nulls::first ? !a && b : a && !b;
}

/// Returns the row that each row of a stable sort comes from.
inline std::vector<std::uint32_t> argsort(const HostStrings& rows, Nulls nulls = Nulls::last,
                                          bool descending = false) {
  std::vector<std::uint32_t> indices(rows.size());
  std::iota(indices.begin(), indices.end(), 0u);
  std::stable_sort(indices.begin(), indices.end(), [&](std::uint32_t a, std::uint32_t b) {
    return sorts_before(rows[a], rows[b], nulls, descending);
  });
  return indices;
}

inline HostStrings sort(const HostStrings& rows, Nulls nulls = Nulls::last,
                        bool descending = false) {
  return gather(rows, argsort(rows, nulls, descending));
}

/// The different strings of a column in ascending order, none of them null, and for each row the
/// place of its string there.
struct Dictionary {
  std::vector<std::string> keys;
  std::vector<std::optional<std::uint32_t>> codes;  ///< null where the row is
};

inline Dictionary dictionary_encode(const HostStrings& rows) {
  Dictionary result;
  const auto before = [](std::string_view a, std::string_view b) { return compare(a, b) < 0; };
  for (const std::optional<std::string>& row : rows) {
    if (row) result.keys.push_back(*row);
  }
  std::sort(result.keys.begin(), result.keys.end(), before);
  result.keys.erase(std::unique(result.keys.begin(), result.keys.end()), result.keys.end());
  result.codes = map_rows(rows, [&](std::string_view row) {
    const auto key = std::lower_bound(result.keys.begin(), result.keys.end(), row, before);
    return static_cast<std::uint32_t>(key - result.keys.begin());
  });
  return result;
}

}  // namespace vkprims::oracle::strings
