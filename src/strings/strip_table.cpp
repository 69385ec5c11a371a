#include "strings/strip_table.hpp"

#include <cstdint>
#include <cstring>
#include <set>
#include <vector>

#include "strings/strip/strip.abi.h"

namespace vkprims::strings {
namespace {

bool continues(char byte) { return (static_cast<std::uint8_t>(byte) & 0xc0) == 0x80; }

}  // namespace

std::string strip_table(std::string_view characters) {
  if (characters.empty()) return {};
  std::vector<std::uint32_t> words(VKP_STRIP_ASCII_WORDS);
  std::set<std::uint32_t> others;
  for (std::size_t begin = 0, end = 0; begin < characters.size(); begin = end) {
    end = begin + 1;
    while (end < characters.size() && continues(characters[end])) ++end;
    std::uint32_t word = 0;
    if (end - begin > sizeof word) continue;
    for (std::size_t i = begin; i < end; ++i) {
      word |= std::uint32_t{static_cast<std::uint8_t>(characters[i])} << (8 * (i - begin));
    }
    if (word < 0x80) {
      words[word / 32] |= 1u << (word % 32);
    } else {
      others.insert(word);
    }
  }
  words.insert(words.end(), others.begin(), others.end());
  std::string table(4 * words.size(), '\0');
  std::memcpy(table.data(), words.data(), table.size());
  return table;
}

}  // namespace vkprims::strings
