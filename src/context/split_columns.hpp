// split() with the number of columns, and the room in each, that the caller has found out.
#pragma once

#include <span>

#include "vkprims/strings.hpp"

namespace vkprims::strings {

/// How column number `column` out of `columns` is made.
SplitDesc split_desc(const StringColumn& in, const SplitOptions& options, std::uint32_t column,
                     std::size_t columns);

/// Makes a column for each element of `bytes`, with room for that many bytes.
std::vector<StringColumn> split_columns(Recorder& r, const StringColumn& in,
                                        const SplitOptions& options,
                                        std::span<const std::uint64_t> bytes);

}  // namespace vkprims::strings
