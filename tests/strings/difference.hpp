// Finds where two columns of results first differ, and shows bytes that cannot be printed as
// numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace vkprims::test {

/// Returns the bytes in quotes; for a long string, its beginning and the number of bytes.
inline std::string shown(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  constexpr std::size_t kMost = 60;
  std::string text = "\"";
  for (const char c : bytes.substr(0, kMost)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) {
      text += c;
    } else {
      text += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return text + (bytes.size() > kMost ? "…\" of " + std::to_string(bytes.size()) : "\"");
}

/// Returns "" if both columns are the same, else the first row that differs. The columns are
/// HostStrings, bits or numbers.
template <class T>
std::string difference(const std::vector<std::optional<T>>& result,
                       const std::vector<std::optional<T>>& expected) {
  const auto text = [](const std::optional<T>& row) -> std::string {
    if (!row) return "null";
    if constexpr (std::is_convertible_v<T, std::string_view>) {
      return shown(*row);
    } else {
      return std::to_string(*row);
    }
  };
  if (result.size() != expected.size()) {
    return std::to_string(result.size()) + " rows, expected " + std::to_string(expected.size());
  }
  const auto [at, other] = std::mismatch(result.begin(), result.end(), expected.begin());
  if (at == result.end()) return "";
  return "row " + std::to_string(at - result.begin()) + " is " + text(*at) + ", expected " +
         text(*other);
}

}  // namespace vkprims::test
