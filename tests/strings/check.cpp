// The columns and results of check.hpp.
#include "strings/check.hpp"

namespace vkprims::test {
namespace {

std::string text_of(const HostStrings& rows, const Placement& p, std::size_t i) {
  if (i < p.rows_before) return "before";
  const auto& row = rows[i - p.rows_before];
  return row ? *row : p.garbage_in_nulls ? "null" : "";
}

std::vector<std::uint8_t> chars_of(const HostStrings& rows, const Placement& p) {
  std::string all;
  for (std::size_t i = 0; i < rows.size() + p.rows_before; ++i) all += text_of(rows, p, i);
  return {all.begin(), all.end()};
}

std::vector<std::uint32_t> offsets_of(const HostStrings& rows, const Placement& p) {
  std::vector<std::uint32_t> words;
  std::uint64_t at = 0;
  for (std::size_t i = 0; i <= rows.size() + p.rows_before; ++i) {
    words.push_back(static_cast<std::uint32_t>(at));
    if (p.width == IndexWidth::u64) words.push_back(0);
    if (i < rows.size() + p.rows_before) at += text_of(rows, p, i).size();
  }
  return words;
}

std::vector<std::uint32_t> validity_of(const HostStrings& rows, const Placement& p) {
  std::vector<std::uint32_t> bits((rows.size() + p.rows_before + 31) / 32);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t bit = i + p.rows_before;
    bits[bit / 32] |= static_cast<std::uint32_t>(rows[i].has_value()) << (bit % 32);
  }
  return bits;
}

}  // namespace

std::uint64_t most_chars(const HostStrings& rows) {
  std::uint64_t bytes = 4096;
  for (const auto& row : rows) bytes += row ? row->size() : 8;
  return bytes;
}

PlacedColumn::PlacedColumn(const HostStrings& rows, const Placement& p)
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

bool PlacedColumn::nullable(const HostStrings& rows) {
  return std::any_of(rows.begin(), rows.end(), [](const auto& row) { return !row; });
}

oracle::strings::Bools PlacedRows::bits() const {
  const auto words = values_.read<std::uint32_t>(), valid = validity_.read<std::uint32_t>();
  oracle::strings::Bools result(rows_);
  for (std::size_t i = 0; i < rows_; ++i) {
    if (bit_of(valid, i)) result[i] = bit_of(words, i);
  }
  return result;
}

oracle::strings::Numbers PlacedRows::numbers() const {
  const auto values = values_.read<std::int32_t>();
  const auto valid = validity_.read<std::uint32_t>();
  oracle::strings::Numbers result(rows_);
  for (std::size_t i = 0; i < rows_; ++i) {
    if (bit_of(valid, i) || values[i] != 0) result[i] = values[i];
  }
  return result;
}

void PlacedResult::check(bool nullable) const {
  const auto offsets = offsets_.read<std::uint32_t>();
  const std::uint32_t words = size_of(width_) / 4;
  const auto chars = chars_.read<std::uint8_t>();
  const auto validity = validity_.read<std::uint32_t>();
  std::uint64_t wrong_offsets = 0, wrong_bits = 0;
  std::string all;
  HostStrings rows(expected_.size());
  for (std::size_t i = 0; i <= expected_.size(); ++i) {
    wrong_offsets += offsets[i * words] != all.size() || (words == 2 && offsets[2 * i + 1] != 0);
    if (i == expected_.size()) break;
    const bool valid = nullable ? bit_of(validity, i) : expected_[i].has_value();
    wrong_bits += valid != expected_[i].has_value();
    const std::size_t begin = std::min(all.size(), chars.size());
    if (expected_[i]) all += *expected_[i];
    const std::size_t end = std::min(all.size(), chars.size());
    if (valid)
      rows[i].emplace(chars.begin() + std::ptrdiff_t(begin), chars.begin() + std::ptrdiff_t(end));
  }
  CHECK(wrong_offsets == 0);
  CHECK(wrong_bits == 0);
  if (all.size() == chars.size()) {
    CHECK(difference(rows, expected_) == "");
  } else {
    CHECK(std::equal(chars.begin(), chars.end(), all.begin(),
                     [](std::uint8_t a, char b) { return a == static_cast<std::uint8_t>(b); }));
  }
}

}  // namespace vkprims::test
