// split() with so many columns, and so much room in each, as the caller has found out.
#pragma once

#include <span>

#include "vkprims/strings.hpp"

namespace vkprims::strings {

/// How column number `column` of so many is made.
SplitDesc split_desc(const StringColumn& in, const SplitOptions& options, std::uint32_t column,
                     std::size_t columns);

/// A column for each of `bytes`, with room for so many.
std::vector<StringColumn> split_columns(Recorder& r, const StringColumn& in,
                                        const SplitOptions& options,
                                        std::span<const std::uint64_t> bytes);

}  // namespace vkprims::strings
