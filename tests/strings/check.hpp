// Columns of strings in device memory for tests: views that begin anywhere, guards, and
// comparisons.
#pragma once

#include "oracles/strings/rows.hpp"
#include "strings/difference.hpp"
#include "support/support.hpp"
#include "vkprims/string_column.hpp"

namespace vkprims::test {

/// How a column lies in memory.
struct Placement {
  IndexWidth width = IndexWidth::u32;
  std::uint64_t chars_at = 0;     // bytes before the first character
  std::uint64_t rows_before = 0;  // rows of another column in front, which the view leaves out
  bool garbage_in_nulls = true;   // null rows have bytes
};

/// The largest number of bytes that a column of these rows has, wherever it lies.
std::uint64_t most_chars(const HostStrings& rows);

class PlacedColumn {
 public:
  PlacedColumn(const HostStrings& rows, const Placement& p);
  const StringColumnView& view() const { return view_; }
  static bool nullable(const HostStrings& rows);

 private:
  Guarded chars_, offsets_, validity_;
  StringColumnView view_;
};

/// Bits that begin anywhere in a word, with other bits around them. Null bits are set or not.
class PlacedBits {
 public:
  PlacedBits(const oracle::strings::Bools& rows, std::uint32_t first_bit)
      : bits_(words_of(rows, first_bit, [](const auto& row) { return row.value_or(true); })),
        validity_(words_of(rows, first_bit, [](const auto& row) { return row.has_value(); })),
        view_{.bits = bits_.view(), .rows = rows.size(), .first_bit = first_bit} {
    const auto is_null = [](const auto& row) { return !row; };
    if (std::any_of(rows.begin(), rows.end(), is_null)) view_.validity = validity_.view();
  }
  const BitsView& view() const { return view_; }

 private:
  template <class F>
  static std::vector<std::uint32_t> words_of(const oracle::strings::Bools& rows,
                                             std::uint32_t first_bit, F&& is_set) {
    std::vector<std::uint32_t> words(bit_bytes(rows.size(), first_bit) / 4, ~0u);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::size_t bit = i + first_bit;
      if (!is_set(rows[i])) words[bit / 32] &= ~(1u << bit % 32);
    }
    return words;
  }

  Guarded bits_, validity_;
  BitsView view_;
};

inline bool bit_of(const std::vector<std::uint32_t>& words, std::size_t i) {
  return (words[i / 32] >> i % 32 & 1) != 0;
}

/// Room for bits or numbers of rows and for their validity.
class PlacedRows {
 public:
  PlacedRows(std::size_t rows, VkDeviceSize bytes)
      : rows_(rows), values_(bytes, 4), validity_(bit_bytes(rows), 8) {}
  BufferView values() const { return values_.view(); }
  BufferView validity() const { return validity_.view(); }

  oracle::strings::Bools bits() const;
  /// Null numbers must be 0.
  oracle::strings::Numbers numbers() const;

 private:
  std::size_t rows_;
  Guarded values_, validity_;
};

/// Room for a result of exactly these rows, or of fewer bytes, with which it is compared
/// afterwards.
class PlacedResult {
 public:
  PlacedResult(const HostStrings& expected, IndexWidth width, std::uint64_t chars_at,
               std::uint64_t too_few = 0)
      : expected_(expected),
        width_(width),
        offsets_((expected.size() + 1) * size_of(width)),
        chars_(bytes_of(expected) - std::min(bytes_of(expected), too_few), chars_at),
        validity_((expected.size() + 31) / 32 * 4) {}
  StringColumnOut out(bool nullable) const {
    return {.offsets = offsets_.view(),
            .chars = chars_.view(),
            .validity = nullable ? validity_.view() : BufferView{},
            .offset_width = width_};
  }
  static std::uint64_t bytes_of(const HostStrings& rows) {
    std::uint64_t bytes = 0;
    for (const auto& row : rows) bytes += row ? row->size() : 0;
    return bytes;
  }

  void check(bool nullable) const;

 private:
  HostStrings expected_;
  IndexWidth width_;
  Guarded offsets_, chars_, validity_;
};

/// Records an operation whose result is a column, and compares the result with the expected rows.
/// `record(cmd, out, scratch)` returns a Status.
template <class Record>
void check_rows(const HostStrings& expected, const Placement& to, const ScratchNeed& need,
                Record&& record) {
  // A result without nulls may have validity all the same.
  const bool nullable = PlacedColumn::nullable(expected) || to.width == IndexWidth::u64;
  const PlacedResult result(expected, to.width, to.chars_at);
  const DirtyScratch scratch(need);
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record(cmd, result.out(nullable), scratch.get()));
  });
  result.check(nullable);
}

}  // namespace vkprims::test
