// Oracle of strings: upper and lower case.
#pragma once

#include <array>
#include <map>

#include "oracles/strings/characters.hpp"
#include "oracles/strings/rows.hpp"

namespace vkprims::oracle::strings {

/// Changes letters of ASCII only; all other bytes stay.
inline HostStrings to_upper(const HostStrings& rows) {
  return map_rows(rows, [](std::string_view row) {
    std::string result(row);
    for (char& c : result) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    return result;
  });
}

inline HostStrings to_lower(const HostStrings& rows) {
  return map_rows(rows, [](std::string_view row) {
    std::string result(row);
    for (char& c : result) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    return result;
  });
}

/// What a code point becomes: one to three code points; those after the last one are 0.
struct CaseMapping {
  std::uint32_t from = 0;
  std::array<std::uint32_t, 3> to = {};
};

/// Changes the code points of the table wherever their UTF-8 stands; all other bytes stay.
inline HostStrings map_case(const HostStrings& rows, const std::vector<CaseMapping>& table) {
  std::map<std::uint32_t, std::string> mapped;
  for (const CaseMapping& entry : table) {
    std::string to = encode(entry.to[0]);
    for (std::size_t i = 1; i < 3 && entry.to[i] != 0; ++i) to += encode(entry.to[i]);
    mapped[entry.from] = to;
  }
  return map_rows(rows, [&](std::string_view row) {
    std::string result;
    for (std::size_t at = 0; at < row.size();) {
      const std::optional<Decoded> decoded = decode(row, at);
      const auto entry = decoded ? mapped.find(decoded->code_point) : mapped.end();
      const std::size_t bytes = decoded ? decoded->bytes : 1;
      result += entry != mapped.end() ? std::string_view(entry->second) : row.substr(at, bytes);
      at += bytes;
    }
    return result;
  });
}

}  // namespace vkprims::oracle::strings
