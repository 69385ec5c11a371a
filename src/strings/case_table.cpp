#include "strings/case_table.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "strings/case_mappings.hpp"
#include "strings/change_case/change_case.abi.h"

namespace vkprims::strings {
namespace {

// Words of a table that is being made.
struct Table {
  std::array<std::uint32_t, 4096> words = {};
  std::size_t size = VKP_CASE_INDEX_WORDS + VKP_CASE_PAGE_WORDS;  // page 0: nothing changes
};

constexpr void set(Table& t, std::uint32_t from, std::uint32_t to) {
  const std::uint32_t block = from / VKP_CASE_PAGE;
  std::uint32_t page = t.words[block / 4] >> (8 * (block % 4)) & 0xff;
  if (page == 0) {
    page = static_cast<std::uint32_t>(t.size - VKP_CASE_INDEX_WORDS) / VKP_CASE_PAGE_WORDS;
    t.words[block / 4] |= page << (8 * (block % 4));
    t.size += VKP_CASE_PAGE_WORDS;
  }
  const std::uint32_t i = from % VKP_CASE_PAGE;
  t.words[VKP_CASE_INDEX_WORDS + page * VKP_CASE_PAGE_WORDS + i / 2] |= to << (16 * (i % 2));
}

// The bytes of an expansion as two words.
constexpr std::array<std::uint32_t, 2> utf8_of(const CaseExpansion& expansion) {
  std::array<std::uint32_t, 2> words = {};
  std::uint32_t bytes = 0;
  const auto put = [&](std::uint32_t byte) {
    words[bytes / 4] |= byte << (8 * (bytes % 4));
    ++bytes;
  };
  for (const std::uint32_t x : expansion.to) {
    if (x == 0) break;
    if (x < 0x80) {
      put(x);
      continue;
    }
    if (x < 0x800) {
      put(0xc0 | x >> 6);
    } else {
      put(0xe0 | x >> 12);
      put(0x80 | (x >> 6 & 0x3f));
    }
    put(0x80 | (x & 0x3f));
  }
  words[1] |= bytes << 24;
  return words;
}

constexpr Table make_table(std::span<const CaseRange> ranges,
                           std::span<const CaseExpansion> expansions) {
  Table t;
  for (const CaseRange& range : ranges) {
    for (std::uint32_t x = range.first; x <= range.last; x += range.step) {
      set(t, x, x + static_cast<std::uint32_t>(range.delta));
    }
  }
  // Pages come first; expansions lie behind them.
  for (const CaseExpansion& expansion : expansions) set(t, expansion.from, 0);
  t.size += t.size % 2;
  for (const CaseExpansion& expansion : expansions) {
    set(t, expansion.from, VKP_CASE_EXPANSION + static_cast<std::uint32_t>(t.size / 2));
    for (const std::uint32_t word : utf8_of(expansion)) t.words[t.size++] = word;
  }
  return t;
}

template <std::size_t size>
constexpr std::array<std::uint32_t, size> first_words(const Table& t) {
  std::array<std::uint32_t, size> words = {};
  for (std::size_t i = 0; i < size; ++i) words[i] = t.words[i];
  return words;
}

constexpr Table kUpper = make_table(kUpperRanges, kUpperExpansions);
constexpr Table kLower = make_table(kLowerRanges, kLowerExpansions);
static_assert(kUpper.size / 2 < VKP_CASE_EXPANSION_END - VKP_CASE_EXPANSION);
static_assert(kLower.size / 2 < VKP_CASE_EXPANSION_END - VKP_CASE_EXPANSION);

constexpr std::array kUpperWords = first_words<kUpper.size>(kUpper);
constexpr std::array kLowerWords = first_words<kLower.size>(kLower);

template <std::size_t size>
std::string_view bytes_of(const std::array<std::uint32_t, size>& words) {
  return {reinterpret_cast<const char*>(words.data()), 4 * size};
}

}  // namespace

std::string_view case_table(Case to) {
  return to == Case::upper ? bytes_of(kUpperWords) : bytes_of(kLowerWords);
}

}  // namespace vkprims::strings
