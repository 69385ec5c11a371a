// Oracle of strings: names are made unreadable unless they are public, by one function and by a
// chain of operations.
#pragma once

#include "oracles/strings/copying.hpp"
#include "oracles/strings/pieces.hpp"
#include "oracles/strings/search.hpp"

namespace vkprims::oracle::strings {

/// The replacement of a name whose visibility is not "public".
inline constexpr std::string_view kRedacted = "X X";

/// A public name becomes the initial of its second part, a space, and its first part. The first
/// 0x20 separates the parts, each of which counts as a row; a name without 0x20 serves as both
/// parts. An initial has at most 4 bytes.
inline std::string redact_row(std::string_view name, std::string_view visibility) {
  if (visibility != "public") return std::string(kRedacted);
  const std::size_t space = name.find(' ');
  const bool whole = space == std::string_view::npos;
  const std::string_view first = whole ? name : name.substr(0, space);
  const std::string_view second = whole ? name : name.substr(space + 1);
  return std::string(first_character(second).substr(0, 4)) + " " + std::string(first);
}

/// A row is null if the name or its visibility is.
inline HostStrings redact_by_kernel(const HostStrings& names, const HostStrings& visibilities) {
  HostStrings result(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] && visibilities[i]) result[i] = redact_row(*names[i], *visibilities[i]);
  }
  return result;
}

/// Does the same by operations on columns. The result differs where a public name is not two parts
/// with one space between: here runs of whitespace separate parts, and with fewer than two parts
/// the result is null. A visibility is public if it contains "public"; a null one is not public,
/// and a name that is not public becomes "X X" even if it is null.
inline HostStrings redact_by_chain(const HostStrings& names, const HostStrings& visibilities) {
  const Bools is_public = contains(visibilities, std::string_view("public"));
  const HostStrings shown = copy_if_else(names, Scalar(kRedacted), is_public);
  const std::vector<HostStrings> parts = split(shown, "", 2, false);
  const HostStrings initials = slice(parts[1], {.start = 0, .stop = 1});
  return concatenate({initials, parts[0]}, {.separator = " "});
}

}  // namespace vkprims::oracle::strings
