// Columns of strings in device memory for tests: views that begin anywhere, guards, and a comparison.
#pragma once

#include "support.hpp"
#include "vkprims/string_column.hpp"

namespace vkprims::test {

/// How a column lies in memory.
struct Placement {
  IndexWidth width = IndexWidth::u32;
  std::uint64_t chars_at = 0;     // bytes before the first character, in the same word and before
  std::uint64_t rows_before = 0;  // of another column in front, which the view leaves out
  bool garbage_in_nulls = true;   // null rows have bytes
};

class PlacedColumn {
 public:
  PlacedColumn(const HostStrings& rows, const Placement& p)
      : chars_(chars_of(rows, p), p.chars_at),
        offsets_(offsets_of(rows, p)),
        validity_(validity_of(rows, p)) {
    view_ = {.offsets = offsets_.view(),
             .chars = chars_.view(),
             .validity = nullable(rows) ? validity_.view() : BufferView{},
             .rows = rows.size() + p.rows_before,
             .offset_width = p.width};
    view_ = view_.slice(p.rows_before, rows.size());
  }
  const StringColumnView& view() const { return view_; }
  static bool nullable(const HostStrings& rows) {
    return std::any_of(rows.begin(), rows.end(), [](const auto& row) { return !row; });
  }

 private:
  static std::string text_of(const HostStrings& rows, const Placement& p, std::size_t i) {
    if (i < p.rows_before) return "before";
    const auto& row = rows[i - p.rows_before];
    return row ? *row : p.garbage_in_nulls ? "null" : "";
  }
  static std::vector<std::uint8_t> chars_of(const HostStrings& rows, const Placement& p) {
    std::string all;
    for (std::size_t i = 0; i < rows.size() + p.rows_before; ++i) all += text_of(rows, p, i);
    return {all.begin(), all.end()};
  }
  static std::vector<std::uint32_t> offsets_of(const HostStrings& rows, const Placement& p) {
    std::vector<std::uint32_t> words;
    std::uint64_t at = 0;
    for (std::size_t i = 0; i <= rows.size() + p.rows_before; ++i) {
      words.push_back(static_cast<std::uint32_t>(at));
      if (p.width == IndexWidth::u64) words.push_back(0);
      if (i < rows.size() + p.rows_before) at += text_of(rows, p, i).size();
    }
    return words;
  }
  static std::vector<std::uint32_t> validity_of(const HostStrings& rows, const Placement& p) {
    std::vector<std::uint32_t> bits((rows.size() + p.rows_before + 31) / 32);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::size_t bit = i + p.rows_before;
      bits[bit / 32] |= static_cast<std::uint32_t>(rows[i].has_value()) << (bit % 32);
    }
    return bits;
  }

  Guarded chars_, offsets_, validity_;
  StringColumnView view_;
};

/// Room for a result of exactly these rows, or of fewer bytes; compares it afterwards.
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

  void check(bool nullable) const {
    const auto offsets = offsets_.read<std::uint32_t>();
    const std::uint32_t words = size_of(width_) / 4;
    const auto chars = chars_.read<std::uint8_t>();
    const auto validity = validity_.read<std::uint32_t>();
    std::uint64_t at = 0, wrong_offsets = 0, wrong_bits = 0;
    std::string all;
    for (std::size_t i = 0; i <= expected_.size(); ++i) {
      wrong_offsets += offsets[i * words] != at || (words == 2 && offsets[i * words + 1] != 0);
      if (i == expected_.size()) break;
      if (expected_[i]) all += *expected_[i];
      at = all.size();
      const bool valid = (validity[i / 32] >> (i % 32) & 1) != 0;
      wrong_bits += nullable && valid != expected_[i].has_value();
    }
    CHECK(wrong_offsets == 0);
    CHECK(wrong_bits == 0);
    std::uint64_t wrong = 0, first_wrong = 0;
    for (std::size_t i = 0; i < chars.size(); ++i) {
      const bool same = chars[i] == static_cast<std::uint8_t>(all[i]);
      if (!same && wrong++ == 0) first_wrong = i;
    }
    CAPTURE(first_wrong);
    CHECK(wrong == 0);
  }

 private:
  HostStrings expected_;
  IndexWidth width_;
  Guarded offsets_, chars_, validity_;
};

}  // namespace vkprims::test
