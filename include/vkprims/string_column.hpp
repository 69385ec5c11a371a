// Owning columns: strings and bits in device memory that the column owns. Link vkprims::context.
/// @ingroup strings
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vkprims/context.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims {

/// Strings on the host; rows without a value are null.
using HostStrings = std::vector<std::optional<std::string>>;

/// A column of strings in memory of a Context. It can be moved, but not copied.
class StringColumn {
 public:
  using Offsets32 = Buffer<std::uint32_t>;  ///< offsets of 32 bits
  using Offsets64 = Buffer<std::uint64_t>;  ///< offsets of 64 bits

  /// A column without rows.
  StringColumn() = default;
  /// Makes a column of existing buffers without copying. offsets has rows + 1 elements. validity
  /// has bits as in StringColumnView, from bit 0 on; if it is empty, no row is null. `bytes` is an
  /// upper bound of the last offset. Throws Error and names what is too small: offsets, validity,
  /// or chars for that many bytes.
  StringColumn(Offsets32 offsets, Buffer<std::uint8_t> chars, Buffer<std::uint32_t> validity,
               std::uint64_t bytes)
      : StringColumn(offsets.size(), std::move(chars), std::move(validity), bytes) {
    offsets32_ = std::move(offsets);
  }
  /// Makes a column in the same way, with offsets of 64 bits.
  StringColumn(Offsets64 offsets, Buffer<std::uint8_t> chars, Buffer<std::uint32_t> validity,
               std::uint64_t bytes)
      : StringColumn(offsets.size(), std::move(chars), std::move(validity), bytes) {
    offsets64_ = std::move(offsets);
  }

  /// Number of rows.
  std::uint64_t rows() const { return rows_; }
  /// Upper bound of the bytes of all rows: exact for columns that came from the host, a bound for
  /// results.
  std::uint64_t byte_bound() const { return bytes_; }
  /// About how many bytes a row has on average. Operations take it as a hint
  /// (vkprims/strings/column.hpp) and estimate it for their results. If it was never set, it
  /// follows from byte_bound().
  std::uint32_t row_bytes() const;
  /// Sets what row_bytes() returns; 0: that follows from byte_bound().
  void set_row_bytes(std::uint32_t bytes) { row_bytes_ = bytes; }
  /// No row has more bytes; 0: not known. It is a promise to operations
  /// (vkprims/strings/column.hpp). Columns that came from the host know it, and so do the results
  /// of operations on such columns, except those of make_strings() and of kernels of your own.
  std::uint64_t longest_row_bytes() const { return longest_row_bytes_; }
  /// Sets what longest_row_bytes() returns; 0: not known.
  void set_longest_row_bytes(std::uint64_t bytes) { longest_row_bytes_ = bytes; }
  /// Whether the column has validity bits.
  bool nullable() const { return validity_.size() != 0; }
  /// The column as record functions take it.
  StringColumnView view() const {
    const bool wide = offsets64_.size() != 0;
    return {.offsets = wide ? offsets64_.view() : offsets32_.view(),
            .chars = {chars_.address(), chars_.size()},
            .validity = validity_.size() ? validity_.view() : BufferView{},
            .rows = rows_,
            .offset_width = wide ? IndexWidth::u64 : IndexWidth::u32};
  }
  const Offsets32& offsets32() const { return offsets32_; }  ///< empty if offsets have 64 bits
  const Offsets64& offsets64() const { return offsets64_; }  ///< empty if offsets have 32 bits
  /// The bytes of all rows.
  const Buffer<std::uint8_t>& chars() const { return chars_; }
  /// The validity bits; empty: no row is null.
  const Buffer<std::uint32_t>& validity() const { return validity_; }

 private:
  StringColumn(std::uint64_t offsets, Buffer<std::uint8_t> chars, Buffer<std::uint32_t> validity,
               std::uint64_t bytes)
      : bytes_(bytes), chars_(std::move(chars)), validity_(std::move(validity)) {
    rows_ = checked_rows(offsets);
  }
  std::uint64_t checked_rows(std::uint64_t offsets) const;

  std::uint64_t rows_ = 0, bytes_ = 0, longest_row_bytes_ = 0;
  std::uint32_t row_bytes_ = 0;  // 0: never set
  Offsets32 offsets32_;
  Offsets64 offsets64_;
  Buffer<std::uint8_t> chars_;
  Buffer<std::uint32_t> validity_;
};

/// One bit for each row, with validity bits if rows may be null, in memory of a Context.
struct BitColumn {
  Buffer<std::uint32_t> bits;      ///< bit i % 32 of word i / 32 is that of row i
  Buffer<std::uint32_t> validity;  ///< empty: no row is null
  std::uint64_t rows = 0;          ///< number of rows

  /// The column as record functions take it.
  BitsView view() const {
    return {.bits = bits.view(),
            .validity = validity.size() ? validity.view() : BufferView{},
            .rows = rows};
  }
};

/// Makes a column with a copy of strings on the host, and with validity bits if one of them is
/// null. Waits.
StringColumn upload_strings(Context& context, const HostStrings& rows,
                            IndexWidth width = IndexWidth::u32);
/// Makes a column of rows none of which is null. Waits.
StringColumn upload_strings(Context& context, const std::vector<std::string>& rows,
                            IndexWidth width = IndexWidth::u32);

/// Returns the rows of a column. Waits.
HostStrings download_strings(Context& context, const StringColumn& column);
/// Returns the bits of a column, without a value where a row is null. Waits.
std::vector<std::optional<bool>> download_bits(Context& context, const BitColumn& column);

}  // namespace vkprims
