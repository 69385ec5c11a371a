// The compaction that finds the numbers of some of the rows.
#pragma once

#include "compact/compact.hpp"

namespace vkprims::strings {

/// `source` says what the flags of rows are: VKP_COMPACT_BYTES or VKP_COMPACT_BITS.
inline Compaction row_numbers(std::uint32_t source, std::uint64_t rows, Schedule schedule) {
  return {.type = Type::u32,
          .item_bytes = 4,
          .source = source,
          .count = rows,
          .index_width = IndexWidth::u32,
          .schedule = schedule};
}

}  // namespace vkprims::strings
