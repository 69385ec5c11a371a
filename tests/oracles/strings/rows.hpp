// What the oracles of strings return, and how they treat nulls. A column is HostStrings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vkprims/string_column.hpp"

namespace vkprims::oracle::strings {

using Bools = std::vector<std::optional<bool>>;
using Numbers = std::vector<std::optional<std::int32_t>>;

/// Returns f of each row that is not null, and null where the row is.
template <class F>
auto map_rows(const HostStrings& rows, F&& f) {
  std::vector<std::optional<decltype(f(std::string_view()))>> result(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i]) result[i] = f(std::string_view(*rows[i]));
  }
  return result;
}

/// A mask chooses a row only where it is true; null counts as false.
inline bool chosen(const std::optional<bool>& bit) { return bit.value_or(false); }

}  // namespace vkprims::oracle::strings
