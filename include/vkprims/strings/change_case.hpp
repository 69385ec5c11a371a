// Strings in upper or lower case.
#pragma once

#include "vkprims/device.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims::strings {

enum class Case : std::uint32_t { upper, lower };

/// out[i] = in[i] with each code point up to 0xFFFF in upper or lower case; null where in[i] is null.
///
/// As Unicode has it for all languages: one code point may become up to three (ß: SS), neighbours do not matter, and
/// what a row becomes may have more bytes or fewer. All other bytes are copied, whether they are UTF-8 or not.
struct ChangeCaseDesc {
  Case to = Case::upper;
  std::uint64_t longest_row_bytes = 0;  ///< what no row of in is longer than; 0: not known
  Schedule schedule = Schedule::automatic;
};

/// Bytes of a result for each byte of a row, at most.
inline constexpr std::uint32_t kMostCaseGrowth = 3;

struct ChangeCaseBuffers {
  StringColumnView in;
  StringColumnOut out;
  BufferView report = {};  ///< address 0: not wanted
  Scratch scratch = {};
};

/// out[i] = in[i] in upper or lower case.
///
/// in, out, report, scratch, barriers, errors, determinism: see vkprims/strings/column.hpp. out.chars: at most
/// kMostCaseGrowth times the bytes of in. Limit: 1024 neighbouring rows become less than 2^31 bytes together
Status record_change_case(VkCommandBuffer cmd, const Device& device, const ChangeCaseDesc& desc,
                          const ChangeCaseBuffers& buffers);

/// Scratch that record_change_case() needs for a column of so many rows, and bytes in chars.
ScratchNeed change_case_scratch(const Device& device, const ChangeCaseDesc& desc,
                                std::uint64_t rows, std::uint64_t chars_bytes);

/// Compiles what record_change_case() uses for `desc`.
Status warm_up(const Device& device, const ChangeCaseDesc& desc);

}  // namespace vkprims::strings
