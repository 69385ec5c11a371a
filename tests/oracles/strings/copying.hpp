// Oracle of strings: columns whose rows are copied or chosen from others.
#pragma once

#include <algorithm>

#include "oracles/strings/rows.hpp"

namespace vkprims::oracle::strings {

/// A scalar that takes the place of a column; it may be null.
using Scalar = std::optional<std::string>;

inline const Scalar& row_of(const HostStrings& column, std::size_t i) { return column[i]; }
inline const Scalar& row_of(const Scalar& scalar, std::size_t) { return scalar; }

/// Takes lhs where the mask is true, else rhs; each of them is a column or a Scalar. A row is null
/// where the chosen one is.
template <class Lhs, class Rhs>
HostStrings copy_if_else(const Lhs& lhs, const Rhs& rhs, const Bools& mask) {
  HostStrings result;
  for (std::size_t i = 0; i < mask.size(); ++i) {
    result.push_back(chosen(mask[i]) ? row_of(lhs, i) : row_of(rhs, i));
  }
  return result;
}

/// Returns row indices[i], or null if the index is null or not below `count`.
inline HostStrings gather(const HostStrings& rows, const std::vector<std::uint32_t>& indices,
                          std::uint64_t count = ~0ull) {
  HostStrings result;
  for (const std::uint32_t index : indices) {
    const bool there = result.size() < count && index < rows.size();
    result.push_back(there ? rows[index] : std::nullopt);
  }
  return result;
}

/// Returns the bytes of `chars` from offsets[i] on, lengths[i] of them or fewer where `chars` ends;
/// a row is null where its length says so.
inline HostStrings from_views(std::string_view chars, const std::vector<std::uint64_t>& offsets,
                              const std::vector<std::uint32_t>& lengths,
                              std::uint32_t null_length = 0xffffffff) {
  HostStrings result(lengths.size());
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] == null_length) continue;
    const std::uint64_t first = std::min<std::uint64_t>(offsets[i], chars.size());
    result[i] = chars.substr(first, lengths[i]);
  }
  return result;
}

/// Returns the rows, null or not, where the mask is true, in order.
inline HostStrings select(const HostStrings& rows, const Bools& mask) {
  HostStrings result;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (chosen(mask[i])) result.push_back(rows[i]);
  }
  return result;
}

}  // namespace vkprims::oracle::strings
