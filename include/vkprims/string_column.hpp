// Columns that own their device memory: strings and bits. Link vkprims::context.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vkprims/context.hpp"
#include "vkprims/strings/column.hpp"

namespace vkprims {

/// Strings on the host, null where there is none.
using HostStrings = std::vector<std::optional<std::string>>;

/// A column of strings in memory of a Context; moves, but does not copy.
class StringColumn {
 public:
  using Offsets32 = Buffer<std::uint32_t>;
  using Offsets64 = Buffer<std::uint64_t>;

  StringColumn() = default;
  /// Of what is there already: nothing is copied. offsets has rows + 1 elements. validity: bits as StringColumnView has
  /// them, from bit 0 on; empty: no row is null. `bytes`: what the last offset is at most. Throws Error naming what is
  /// too small: offsets, validity, or chars for so many bytes.
  StringColumn(Offsets32 offsets, Buffer<std::uint8_t> chars, Buffer<std::uint32_t> validity,
               std::uint64_t bytes)
      : StringColumn(offsets.size(), std::move(chars), std::move(validity), bytes) {
    offsets32_ = std::move(offsets);
  }
  StringColumn(Offsets64 offsets, Buffer<std::uint8_t> chars, Buffer<std::uint32_t> validity,
               std::uint64_t bytes)
      : StringColumn(offsets.size(), std::move(chars), std::move(validity), bytes) {
    offsets64_ = std::move(offsets);
  }

  std::uint64_t rows() const { return rows_; }
  /// Bytes of all rows at most: exact for columns that came from the host, a bound for results.
  std::uint64_t byte_bound() const { return bytes_; }
  /// Bytes of a row on average, about: what operations take as a hint (vkprims/strings/column.hpp), and guess of results.
  /// byte_bound() says it where nobody did.
  std::uint32_t row_bytes() const;
  void set_row_bytes(std::uint32_t bytes) { row_bytes_ = bytes; }
  /// What no row is longer than; 0: not known. It is a promise to operations (vkprims/strings/column.hpp). Columns that came
  /// from the host know it, and so do results of operations on such, but those of make_strings() and of kernels of your own.
  std::uint64_t longest_row_bytes() const { return longest_row_bytes_; }
  void set_longest_row_bytes(std::uint64_t bytes) { longest_row_bytes_ = bytes; }
  bool nullable() const { return validity_.size() != 0; }
  StringColumnView view() const {
    const bool wide = offsets64_.size() != 0;
    return {.offsets = wide ? offsets64_.view() : offsets32_.view(),
            .chars = {chars_.address(), chars_.size()},
            .validity = validity_.size() ? validity_.view() : BufferView{},
            .rows = rows_,
            .offset_width = wide ? IndexWidth::u64 : IndexWidth::u32};
  }
  const Offsets32& offsets32() const { return offsets32_; }  ///< empty: offsets have 64 bits
  const Offsets64& offsets64() const { return offsets64_; }
  const Buffer<std::uint8_t>& chars() const { return chars_; }
  const Buffer<std::uint32_t>& validity() const { return validity_; }

 private:
  StringColumn(std::uint64_t offsets, Buffer<std::uint8_t> chars, Buffer<std::uint32_t> validity,
               std::uint64_t bytes)
      : bytes_(bytes), chars_(std::move(chars)), validity_(std::move(validity)) {
    rows_ = checked_rows(offsets);
  }
  std::uint64_t checked_rows(std::uint64_t offsets) const;

  std::uint64_t rows_ = 0, bytes_ = 0, longest_row_bytes_ = 0;
  std::uint32_t row_bytes_ = 0;  // 0: nobody said
  Offsets32 offsets32_;
  Offsets64 offsets64_;
  Buffer<std::uint8_t> chars_;
  Buffer<std::uint32_t> validity_;
};

/// Bits of rows, with validity if some may be null, in memory of a Context.
struct BitColumn {
  Buffer<std::uint32_t> bits;
  Buffer<std::uint32_t> validity;  ///< empty: no row is null
  std::uint64_t rows = 0;

  BitsView view() const {
    return {.bits = bits.view(),
            .validity = validity.size() ? validity.view() : BufferView{},
            .rows = rows};
  }
};

/// A column with a copy of strings of the host; with validity bits if one of them is null. Waits.
StringColumn upload_strings(Context& context, const HostStrings& rows,
                            IndexWidth width = IndexWidth::u32);
StringColumn upload_strings(Context& context, const std::vector<std::string>& rows,
                            IndexWidth width = IndexWidth::u32);

/// The rows of a column. Waits.
HostStrings download_strings(Context& context, const StringColumn& column);
/// The bits of a column; no value where a row is null. Waits.
std::vector<std::optional<bool>> download_bits(Context& context, const BitColumn& column);

}  // namespace vkprims
