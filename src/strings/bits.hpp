// Bits of rows that begin with a word: the host side of shaders/strings/bits/bits.comp.
#pragma once

#include "runtime/commands.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims::strings {

/// Writes to `out` the bits that are set (all, if bits.address is 0) and not null, from bit 0 on.
/// These are bit_bytes(in.rows) bytes, with 0 behind the last row.
Status add_bits(Commands& commands, const BitsView& in, VkDeviceAddress out);

}  // namespace vkprims::strings
