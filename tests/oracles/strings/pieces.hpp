// Oracle of strings: pieces of rows, and rows made of pieces.
#pragma once

#include <limits>

#include "oracles/strings/characters.hpp"
#include "oracles/strings/rows.hpp"

namespace vkprims::oracle::strings {

/// Works like a[start:stop:step] of Python, on characters. Each part may be left out; step is not
/// 0.
struct Slice {
  std::optional<std::int32_t> start = {}, stop = {}, step = {};
};

inline std::string slice_row(std::string_view row, const Slice& s) {
  const std::vector<std::string_view> chars = characters(row);
  const auto length = static_cast<std::int64_t>(chars.size());
  const std::int64_t step = s.step.value_or(1);
  // Backwards, the end may be the place before the first character, just as forwards it may be the
  // place after the last one.
  const std::int64_t least = step > 0 ? 0 : -1;
  const std::int64_t most = step > 0 ? length : length - 1;
  const auto place = [&](std::optional<std::int32_t> given, std::int64_t otherwise) {
    if (!given) return otherwise;
    const std::int64_t from_front = *given < 0 ? *given + length : *given;
    return std::clamp(from_front, least, most);
  };
  const std::int64_t start = place(s.start, step > 0 ? least : most);
  const std::int64_t stop = place(s.stop, step > 0 ? most : least);
  std::string result;
  for (std::int64_t i = start; step > 0 ? i < stop : i > stop; i += step) {
    result += chars[static_cast<std::size_t>(i)];
  }
  return result;
}

inline HostStrings slice(const HostStrings& rows, const Slice& s) {
  return map_rows(rows, [&](std::string_view row) { return slice_row(row, s); });
}

/// Returns characters starts[i] … stops[i] - 1 of row i. A start < 0 is 0, and a stop < 0 is the
/// end.
inline HostStrings slice(const HostStrings& rows, const std::vector<std::int32_t>& starts,
                         const std::vector<std::int32_t>& stops) {
  HostStrings result(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i]) continue;
    Slice s{.start = std::max(starts[i], 0)};
    if (stops[i] >= 0) s.stop = stops[i];
    result[i] = slice_row(*rows[i], s);
  }
  return result;
}

enum class Side { left, right, both };

/// Removes what begins (left) or ends (right) the row: characters of `set`, or whitespace if `set`
/// is empty.
inline std::string strip_row(std::string_view row, Side side, std::string_view set) {
  const std::vector<std::string_view> stripped = characters(set);
  const auto goes = [&](std::string_view part) {
    if (set.empty()) return is_whitespace(part.front());
    return std::find(stripped.begin(), stripped.end(), part) != stripped.end();
  };
  // Whitespace consists of single bytes. Other characters reach from one beginning to the next.
  const auto begins = [&](std::size_t i) { return set.empty() || begins_character(row, i); };
  std::size_t begin = 0, end = row.size();
  while (side != Side::right && begin < end) {
    std::size_t next = begin + 1;
    while (next < row.size() && !begins(next)) ++next;
    if (!goes(row.substr(begin, next - begin))) break;
    begin = next;
  }
  while (side != Side::left && begin < end) {
    std::size_t last = end - 1;
    while (!begins(last)) --last;
    if (!goes(row.substr(last, end - last))) break;
    end = last;
  }
  return std::string(row.substr(begin, end - begin));
}

inline HostStrings strip(const HostStrings& rows, Side side = Side::both,
                         std::string_view set = "") {
  return map_rows(rows, [&](std::string_view row) { return strip_row(row, side, set); });
}

/// What concatenate puts between the columns, and in the place of nulls.
struct Joint {
  std::string separator = {};
  /// What replaces nulls. Without it, a row with a null is null.
  std::optional<std::string> replacement = {};
  /// If false, a separator stands only before an element that is not null and follows another such
  /// one.
  bool separator_on_nulls = true;
};

/// Concatenates one column or more, row by row.
inline HostStrings concatenate(const std::vector<HostStrings>& columns, const Joint& joint = {}) {
  HostStrings result(columns.front().size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    std::string row;
    bool null = false;
    bool separate = false;  // an element is there that the next one is to be separated from
    for (const HostStrings& column : columns) {
      const bool counts = column[i] || joint.separator_on_nulls;
      if (separate && counts) row += joint.separator;
      separate = separate || counts;
      null = null || (!column[i] && !joint.replacement);
      row += column[i] ? *column[i] : joint.replacement.value_or("");
    }
    if (!null) result[i] = row;
  }
  return result;
}

/// Returns the tokens of a row. An empty delimiter means runs of whitespace, which leave no empty
/// tokens at the ends, so there may be no token at all. Other delimiters are taken from the left,
/// and tokens may be empty. The last of `most` tokens is the whole remainder.
inline std::vector<std::string> tokens(std::string_view row, std::string_view delimiter,
                                       std::size_t most) {
  std::vector<std::string> result;
  std::size_t begin = 0;
  while (true) {
    if (delimiter.empty()) {
      while (begin < row.size() && is_whitespace(row[begin])) ++begin;
      if (begin == row.size()) return result;
    }
    std::size_t end = begin;
    if (delimiter.empty()) {
      while (end < row.size() && !is_whitespace(row[end])) ++end;
    } else {
      end = std::min(row.find(delimiter, begin), row.size());
    }
    if (result.size() + 1 == most) end = row.size();
    result.emplace_back(row.substr(begin, end - begin));
    if (end == row.size()) return result;
    begin = end + std::max<std::size_t>(delimiter.size(), 1);
  }
}

/// Counts the tokens of each row.
inline Numbers count_tokens(const HostStrings& rows, std::string_view delimiter) {
  return map_rows(rows, [&](std::string_view row) {
    const std::size_t most = std::numeric_limits<std::size_t>::max();
    return static_cast<std::int32_t>(tokens(row, delimiter, most).size());
  });
}

/// Column j has token j of each row, null where there is none. If `rest` is set, the last column
/// has the remainder of the row from there on; otherwise further tokens are dropped.
inline std::vector<HostStrings> split(const HostStrings& rows, std::string_view delimiter,
                                      std::size_t max_columns, bool rest) {
  std::vector<HostStrings> columns(max_columns, HostStrings(rows.size()));
  const std::size_t most = rest ? max_columns : std::numeric_limits<std::size_t>::max();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i]) continue;
    const std::vector<std::string> found = tokens(*rows[i], delimiter, most);
    for (std::size_t j = 0; j < std::min(max_columns, found.size()); ++j) columns[j][i] = found[j];
  }
  return columns;
}

/// Rows of the first byte of a row, then its first two, and so on, up to `steps` bytes.
inline HostStrings stairs(HostStrings rows, std::size_t steps) {
  for (std::optional<std::string>& row : rows) {
    if (!row) continue;
    std::string all;
    for (std::size_t k = 1; k <= steps; ++k) all += row->substr(0, k);
    row = all;
  }
  return rows;
}

}  // namespace vkprims::oracle::strings
