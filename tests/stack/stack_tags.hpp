// Strings of symbols for tests of stack_match and stack_fold.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "vkprims/stack_match.hpp"

namespace vkprims::test::stack {

using Tags = std::vector<std::uint8_t>;

inline std::string repeat(const std::string& text, std::uint64_t times) {
  std::string all;
  for (std::uint64_t i = 0; i < times; ++i) all += text;
  return all;
}

/// Parses a text in which ( ) . and R mean open, close, none and reset.
inline Tags tags_of(const std::string& text) {
  Tags tags;
  for (const char c : text) tags.push_back(c == '(' ? 1 : c == ')' ? 2 : c == 'R' ? 3 : 0);
  return tags;
}

/// Returns random symbols. The weights say how many of each kind there are on average.
inline Tags random_tags(std::uint64_t n, std::uint32_t seed, std::uint32_t opens,
                        std::uint32_t closes, std::uint32_t nones = 0, std::uint32_t resets = 0) {
  Tags tags(n);
  std::mt19937 engine(seed);
  for (std::uint8_t& tag : tags) {
    const std::uint32_t x = engine() % (opens + closes + nones + resets);
    tag = x < opens ? 1 : x < opens + closes ? 2 : x < opens + closes + nones ? 0 : 3;
  }
  return tags;
}

}  // namespace vkprims::test::stack
