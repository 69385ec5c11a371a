// Oracle of strings: columns of rows as they are, chosen from others.
#pragma once

#include <algorithm>

#include "oracles/strings/rows.hpp"

namespace vkprims::oracle::strings {

/// A scalar that takes the place of a column; may be null.
using Scalar = std::optional<std::string>;

inline const Scalar& row_of(const HostStrings& column, std::size_t i) { return column[i]; }
inline const Scalar& row_of(const Scalar& scalar, std::size_t) { return scalar; }

/// lhs where the mask is true, else rhs; each is a column or a Scalar. Null where the chosen one
/// is.
template <class Lhs, class Rhs>
HostStrings copy_if_else(const Lhs& lhs, const Rhs& rhs, const Bools& mask) {
  HostStrings result;
  for (std::size_t i = 0; i < mask.size(); ++i) {
    result.push_back(chosen(mask[i]) ? row_of(lhs, i) : row_of(rhs, i));
  }
  return result;
}

/// Row indices[i], or null if there is none, or i is not below `count`.
inline HostStrings gather(const HostStrings& rows, const std::vector<std::uint32_t>& indices,
                          std::uint64_t count = ~0ull) {
  HostStrings result;
  for (const std::uint32_t index : indices) {
    const bool there = result.size() < count && index < rows.size();
    result.push_back(there ? rows[index] : std::nullopt);
  }
  return result;
}

/// lengths[i] bytes of `chars` from offsets[i] on, as far as there are such; null where the length says so.
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

/// The rows, null or not, where the mask is true, in order.
inline HostStrings select(const HostStrings& rows, const Bools& mask) {
  HostStrings result;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (chosen(mask[i])) result.push_back(rows[i]);
  }
  return result;
}

}  // namespace vkprims::oracle::strings
