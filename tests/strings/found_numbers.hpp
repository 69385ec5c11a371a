// Returns the numbers that record_find() computes for a column.
#pragma once

#include "strings/check.hpp"
#include "vkprims/strings/find.hpp"

namespace vkprims::test {

inline auto found_numbers(const StringColumnView& in, const strings::FindDesc& desc) {
  const Device& d = device();
  const PlacedRows result(in.rows, 4 * in.rows);
  const DirtyScratch scratch(strings::find_scratch(d, desc, in.chars.bytes));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(strings::record_find(cmd, d, desc,
                                        {.in = in,
                                         .out = result.values(),
                                         .validity = result.validity(),
                                         .scratch = scratch.get()}));
  });
  return result.numbers();
}

}  // namespace vkprims::test
