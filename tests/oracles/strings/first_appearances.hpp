// Oracle of strings::dictionary_encode, DictionaryOrder::first_appearance.
#pragma once

#include <unordered_map>

#include "oracles/strings/rows.hpp"

namespace vkprims::oracle::strings {

struct FirstAppearances {
  std::vector<std::uint32_t> codes;  // 0xffffffff where the row is null
  std::vector<std::uint32_t> rows;   // where each string appears first
};

inline FirstAppearances first_appearances(const HostStrings& rows) {
  FirstAppearances result;
  std::unordered_map<std::string, std::uint32_t> codes;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i]) {
      result.codes.push_back(0xffffffff);
      continue;
    }
    const auto next = static_cast<std::uint32_t>(codes.size());
    const auto [entry, is_new] = codes.try_emplace(*rows[i], next);
    if (is_new) result.rows.push_back(static_cast<std::uint32_t>(i));
    result.codes.push_back(entry->second);
  }
  return result;
}

}  // namespace vkprims::oracle::strings
