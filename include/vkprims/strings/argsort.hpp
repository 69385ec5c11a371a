// In which order the rows of a column of strings come.
#pragma once

#include "vkprims/device.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims::strings {

/// Where nulls go, in both orders.
enum class NullOrder : std::uint32_t { last, first };

/// Rows order byte by byte, without signs, which in UTF-8 is the order of code points; what another row begins with
/// comes before it. Equal rows keep their order, ascending and descending, and so do nulls.
struct ArgsortStringsDesc {
  SortOrder order = SortOrder::ascending;
  NullOrder nulls = NullOrder::last;
  /// What no row is longer than; 0: not known. Below 512, scratch and some dispatches for longer rows are saved.
  std::uint64_t longest_row_bytes = 0;
  Schedule schedule = Schedule::automatic;
};

struct ArgsortStringsBuffers {
  StringColumnView in;
  BufferView indices;  ///< room for in.rows u32; address multiple of 4
  Scratch scratch = {};
};

/// indices[i] = the number of the row that comes i-th.
///
/// in, determinism: see vkprims/strings/column.hpp
/// indices   in.rows u32; must not overlap any other
/// scratch   argsort_scratch() bytes: about 42 for each row, and 1/16 of in.chars where a row may have 512 bytes
/// Cost      a sort of 64-bit numbers, the first eight bytes of rows. Those n that share them with another row, and
///           only those, are sorted by at most about 3 log2(n) comparisons each, which read rows with 16 bytes in
///           common as far as they are the same. Of rows of 512 bytes or more that tie, all bytes are read, and a
///           comparison reads a few numbers in their stead, however long the rows are: unless offsets descend
///           anywhere, where one invocation compares two rows as far as they are the same
/// Before    in: last writer -> COMPUTE_SHADER / SHADER_READ. indices: all earlier users -> COMPUTE_SHADER /
///           SHADER_READ | SHADER_WRITE. scratch: all earlier users -> COMPUTE_SHADER | TRANSFER | DRAW_INDIRECT /
///           SHADER_READ | SHADER_WRITE | TRANSFER_WRITE | INDIRECT_COMMAND_READ
/// After     indices: COMPUTE_SHADER / SHADER_WRITE -> your reader. in, scratch: free after COMPUTE_SHADER
/// Errors    enumerations out of range, rows above kMaxStringRows, views missing, too small, unaligned or overlapping,
///           scratch
/// Source    as radix_sort; O. Green, R. McColl, D. Bader, "GPU Merge Path" (2012)
Status record_argsort(VkCommandBuffer cmd, const Device& device, const ArgsortStringsDesc& desc,
                      const ArgsortStringsBuffers& buffers);

/// Scratch that record_argsort() needs for so many rows with so many bytes in in.chars.
ScratchNeed argsort_scratch(const Device& device, const ArgsortStringsDesc& desc,
                            std::uint64_t rows, std::uint64_t chars_bytes);

/// Compiles what record_argsort() uses for `desc`.
Status warm_up(const Device& device, const ArgsortStringsDesc& desc);

}  // namespace vkprims::strings
