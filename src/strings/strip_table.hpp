// The set of characters that strip takes: shaders/strings/strip/strip.abi.h.
#pragma once

#include <string>
#include <string_view>

namespace vkprims::strings {

/// The table of a set; nothing for an empty one. Characters of more than four bytes, which are no UTF-8, are in none.
std::string strip_table(std::string_view characters);

}  // namespace vkprims::strings
