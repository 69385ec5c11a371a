// Null count: the number of null rows of a column.
/// @ingroup strings
#pragma once

#include "vkprims/device.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims::strings {

/// Counts the zeros among `rows` validity bits from bit first_bit on.
struct NullCountDesc {
  std::uint64_t rows = 0;       ///< 0 … kMaxStringRows
  std::uint32_t first_bit = 0;  ///< 0 … 31
};

/// Memory for record_null_count().
struct NullCountBuffers {
  BufferView validity;   ///< bits, lowest first; address multiple of 4. Address 0: no row is null
  BufferView out;        ///< one u64; address multiple of 8
  Scratch scratch = {};  ///< null_count_scratch() bytes
};

/// out = the number of null rows of a StringColumnView, a BitsView or any other column with
/// validity bits.
///
/// vkprims/strings/column.hpp describes scratch, barriers, errors and determinism.
Status record_null_count(VkCommandBuffer cmd, const Device& device, const NullCountDesc& desc,
                         const NullCountBuffers& buffers);

/// Scratch that record_null_count() needs for `desc`.
ScratchNeed null_count_scratch(const Device& device, const NullCountDesc& desc);

/// Compiles the pipelines that record_null_count() uses.
Status warm_up(const Device& device, const NullCountDesc& desc);

}  // namespace vkprims::strings
