// The set of characters that strip takes: shaders/strings/strip/strip.abi.h.
#pragma once

#include <string>
#include <string_view>

namespace vkprims::strings {

/// The table of a set; it is empty for an empty set. Characters of more than four bytes, which are
/// not UTF-8, are in no set.
std::string strip_table(std::string_view characters);

}  // namespace vkprims::strings
