// Oracle of strings: whether a row contains a target, and where. Bytes are compared; positions
// count characters.
#pragma once

#include "oracles/strings/characters.hpp"
#include "oracles/strings/rows.hpp"

namespace vkprims::oracle::strings {

/// Tests whether a target holds for each row. All rows have the same target.
template <class Holds>
Bools test_rows(const HostStrings& rows, std::string_view target, Holds&& holds) {
  return map_rows(rows, [&](std::string_view row) { return holds(row, target); });
}

/// Does the same with a target for each row. A null target never holds. The result is null where
/// the row is, not where the target is.
template <class Holds>
Bools test_rows(const HostStrings& rows, const HostStrings& targets, Holds&& holds) {
  Bools result(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i]) result[i] = targets[i] && holds(*rows[i], *targets[i]);
  }
  return result;
}

/// `targets` is a string or a column. An empty target is in every row.
template <class Targets>
Bools contains(const HostStrings& rows, const Targets& targets) {
  return test_rows(rows, targets, [](std::string_view row, std::string_view target) {
    return row.find(target) != std::string_view::npos;
  });
}

template <class Targets>
Bools starts_with(const HostStrings& rows, const Targets& targets) {
  return test_rows(rows, targets, [](std::string_view row, std::string_view target) {
    return row.substr(0, target.size()) == target;
  });
}

template <class Targets>
Bools ends_with(const HostStrings& rows, const Targets& targets) {
  return test_rows(rows, targets, [](std::string_view row, std::string_view target) {
    return row.size() >= target.size() && row.substr(row.size() - target.size()) == target;
  });
}

enum class Occurrence { first, last };

/// Returns the character in which an occurrence of `target` begins, or -1. Only occurrences count
/// that lie in characters start … stop - 1 with all their bytes. A stop that is < 0 or past the end
/// means the end. An empty target is found at `start` first and at `stop` last, if the row has
/// `start` characters.
inline std::int32_t position(std::string_view row, std::string_view target, Occurrence which,
                             std::int32_t start, std::int32_t stop) {
  std::vector<std::size_t> begins;  // beginnings of characters, and the end of the row
  for (std::size_t byte = 0; byte < row.size(); ++byte) {
    if (begins_character(row, byte)) begins.push_back(byte);
  }
  begins.push_back(row.size());
  const auto length = static_cast<std::int32_t>(begins.size() - 1);
  if (start > length) return -1;
  const std::int32_t end = stop < 0 ? length : std::min(stop, length);
  if (target.empty()) return which == Occurrence::first ? start : end;
  if (end < start) return -1;
  const std::size_t from = begins[static_cast<std::size_t>(start)];
  const std::string_view range = row.substr(from, begins[static_cast<std::size_t>(end)] - from);
  const std::size_t at = which == Occurrence::first ? range.find(target) : range.rfind(target);
  if (at == std::string_view::npos) return -1;
  const auto after = std::upper_bound(begins.begin(), begins.end(), from + at);
  return static_cast<std::int32_t>(after - begins.begin() - 1);
}

/// `start` is >= 0 and, unless stop < 0, not past `stop`.
inline Numbers find(const HostStrings& rows, std::string_view target, std::int32_t start = 0,
                    std::int32_t stop = -1) {
  return map_rows(rows, [&](std::string_view row) {
    return position(row, target, Occurrence::first, start, stop);
  });
}

inline Numbers rfind(const HostStrings& rows, std::string_view target, std::int32_t start = 0,
                     std::int32_t stop = -1) {
  return map_rows(rows, [&](std::string_view row) {
    return position(row, target, Occurrence::last, start, stop);
  });
}

inline Numbers count_characters(const HostStrings& rows) {
  return map_rows(rows, [](std::string_view row) {
    std::int32_t count = 0;
    for (std::size_t byte = 0; byte < row.size(); ++byte) count += begins_character(row, byte);
    return count;
  });
}

inline Numbers count_bytes(const HostStrings& rows) {
  return map_rows(rows, [](std::string_view row) { return static_cast<std::int32_t>(row.size()); });
}

/// Counts the occurrences of `target` in a row, from the left and without overlap; an empty target
/// has none.
inline Numbers count(const HostStrings& rows, std::string_view target) {
  return map_rows(rows, [&](std::string_view row) {
    std::int32_t n = 0;
    if (target.empty()) return n;
    for (std::size_t at = row.find(target); at != std::string_view::npos; ++n) {
      at = row.find(target, at + target.size());
    }
    return n;
  });
}

}  // namespace vkprims::oracle::strings
