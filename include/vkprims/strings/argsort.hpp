// Argsort of strings: the sorted order of the rows of a column.
/// @ingroup strings
#pragma once

#include "vkprims/device.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims::strings {

/// Where null rows go, in ascending and in descending order alike.
enum class NullOrder : std::uint32_t {
  last,  ///< behind all other rows
  first  ///< before all other rows
};

/// Rows are compared byte by byte as unsigned numbers, which in UTF-8 is the order of code points.
/// A row that another row begins with comes before it. The sort is stable: equal rows keep their
/// order, ascending and descending, and so do null rows.
struct ArgsortStringsDesc {
  SortOrder order = SortOrder::ascending;  ///< the direction
  NullOrder nulls = NullOrder::last;       ///< where null rows go
  /// No row has more bytes; 0: not known. A value below 512 saves scratch and some dispatches for
  /// longer rows.
  std::uint64_t longest_row_bytes = 0;
  Schedule schedule = Schedule::automatic;  ///< which algorithm, where there are two
};

/// Memory for record_argsort().
struct ArgsortStringsBuffers {
  StringColumnView in;   ///< the rows to sort
  BufferView indices;    ///< room for in.rows u32; address multiple of 4
  Scratch scratch = {};  ///< argsort_scratch() bytes
};

/// indices[i] = the number of the row that comes i-th in the order.
///
/// vkprims/strings/column.hpp describes in and determinism.
///
/// indices   in.rows u32; must not overlap any other view
/// scratch   argsort_scratch() bytes: about 42 for each row, and 1/16 of in.chars if a row may have
///           512 bytes
/// Cost      A sort of 64-bit numbers orders rows by their first eight bytes. Only the n rows that
///           share these with another row are sorted further, by at most about 3 log2(n)
///           comparisons each, which read rows with 16 bytes in common as far as they agree. Rows
///           of 512 bytes or more that tie are read once as a whole; comparisons then read a few
///           numbers in their stead, however long the rows are. If offsets descend anywhere, one
///           invocation compares two rows as far as they agree instead
/// Before    in: last writer -> COMPUTE_SHADER / SHADER_READ. indices: all earlier users ->
///           COMPUTE_SHADER / SHADER_READ | SHADER_WRITE. scratch: all earlier users ->
///           COMPUTE_SHADER | TRANSFER | DRAW_INDIRECT / SHADER_READ | SHADER_WRITE |
///           TRANSFER_WRITE | INDIRECT_COMMAND_READ
/// After     indices: COMPUTE_SHADER / SHADER_WRITE -> your reader. in, scratch: free after
///           COMPUTE_SHADER
/// Errors    enumerations out of range, rows above kMaxStringRows, views missing, too small,
///           unaligned or overlapping, invalid scratch
/// Source    the same as radix_sort.hpp; O. Green, R. McColl, D. Bader, "GPU Merge Path" (2012)
Status record_argsort(VkCommandBuffer cmd, const Device& device, const ArgsortStringsDesc& desc,
                      const ArgsortStringsBuffers& buffers);

/// Scratch that record_argsort() needs for `rows` rows with `chars_bytes` bytes in in.chars.
ScratchNeed argsort_scratch(const Device& device, const ArgsortStringsDesc& desc,
                            std::uint64_t rows, std::uint64_t chars_bytes);

/// Compiles the pipelines that record_argsort() uses for `desc`.
Status warm_up(const Device& device, const ArgsortStringsDesc& desc);

}  // namespace vkprims::strings
