// Oracle of examples/json_brackets: one byte after another, with a stack.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace vkprims::oracle {

struct JsonBrackets {
  enum Error { none, wrong_close, extra_close, endless_string, never_closed };
  std::uint64_t brackets = 0;
  std::uint64_t deepest = 0;
  Error error = none;    // the first error
  std::size_t at = 0;    // its place
  std::size_t open = 0;  // if it is wrong_close: the open that is closed
};

/// A byte is escaped by a backslash before it that is not escaped itself, in strings and outside. A
/// close of the wrong type closes all the same. At the end, a string that has not ended is reported
/// before brackets that are open, of which the outermost one is named.
inline JsonBrackets json_brackets(const std::string& text) {
  JsonBrackets result;
  std::vector<std::size_t> stack;
  bool in_string = false, escaped = false;
  std::size_t string = 0;
  const auto fail = [&](JsonBrackets::Error error, std::size_t at, std::size_t open = 0) {
    if (result.error != JsonBrackets::none) return;
    result.error = error;
    result.at = at;
    result.open = open;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (escaped) {
      escaped = false;
      if (c == '\\' || c == '"') continue;
    } else if (c == '\\') {
      escaped = true;
      continue;
    } else if (c == '"') {
      in_string = !in_string;
      string = i;
      continue;
    }
    if (in_string) continue;
    if (c == '[' || c == '{') {
      ++result.brackets;
      stack.push_back(i);
      result.deepest = std::max<std::uint64_t>(result.deepest, stack.size());
    } else if (c == ']' || c == '}') {
      ++result.brackets;
      if (stack.empty()) {
        fail(JsonBrackets::extra_close, i);
        continue;
      }
      if ((text[stack.back()] == '[') != (c == ']')) {
        fail(JsonBrackets::wrong_close, i, stack.back());
      }
      stack.pop_back();
    }
  }
  if (in_string) fail(JsonBrackets::endless_string, string);
  if (!stack.empty()) fail(JsonBrackets::never_closed, stack.front());
  return result;
}

}  // namespace vkprims::oracle
