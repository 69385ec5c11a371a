// Change case: the strings of a column in upper or lower case.
/// @ingroup strings
#pragma once

#include "vkprims/device.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims::strings {

/// The case of the results.
enum class Case : std::uint32_t {
  upper,  ///< upper case
  lower   ///< lower case
};

/// out[i] = in[i] with each code point up to 0xFFFF in upper or lower case; null where in[i] is
/// null.
///
/// The mapping is Unicode's for all languages: one code point may become up to three (ß becomes
/// SS), neighbouring characters have no influence, and a row may get longer or shorter in bytes.
/// All other bytes are copied, whether they are UTF-8 or not.
struct ChangeCaseDesc {
  Case to = Case::upper;                    ///< the case of the results
  std::uint64_t longest_row_bytes = 0;      ///< no row of in has more bytes; 0: not known
  Schedule schedule = Schedule::automatic;  ///< which algorithm, where there are two
};

/// Largest number of bytes of a result for each byte of a row.
inline constexpr std::uint32_t kMostCaseGrowth = 3;

/// Memory for record_change_case().
struct ChangeCaseBuffers {
  StringColumnView in;     ///< the rows
  StringColumnOut out;     ///< as many rows
  BufferView report = {};  ///< address 0: not wanted
  Scratch scratch = {};    ///< change_case_scratch() bytes
};

/// out[i] = in[i] in upper or lower case.
///
/// vkprims/strings/column.hpp describes in, out, report, scratch, barriers, errors and determinism.
/// out.chars needs at most kMostCaseGrowth times the bytes of in. The results of any 1024
/// neighbouring rows must have less than 2^31 bytes together.
Status record_change_case(VkCommandBuffer cmd, const Device& device, const ChangeCaseDesc& desc,
                          const ChangeCaseBuffers& buffers);

/// Scratch that record_change_case() needs for a column of `rows` rows with `chars_bytes` bytes in
/// chars.
ScratchNeed change_case_scratch(const Device& device, const ChangeCaseDesc& desc,
                                std::uint64_t rows, std::uint64_t chars_bytes);

/// Compiles the pipelines that record_change_case() uses for `desc`.
Status warm_up(const Device& device, const ChangeCaseDesc& desc);

}  // namespace vkprims::strings
