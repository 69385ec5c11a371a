// Names and visibilities of any number of rows, for the rows of redact, and how many bytes these
// take.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "harness.hpp"
#include "oracles/strings/redact.hpp"
#include "strings/data.hpp"
#include "vkprims/string_column.hpp"

namespace vkprims::bench {

/// A block of 2^16 rows, sampled once from lists of names; larger columns repeat it.
struct RedactBlock {
  static constexpr std::uint64_t kRows = 1 << 16;
  std::vector<std::string> names, visibilities, results;

  RedactBlock() {
    const test::RedactRows rows = test::redact_rows(kRows, 1);
    for (std::uint64_t i = 0; i < kRows; ++i) {
      names.push_back(*rows.names[i]);
      visibilities.push_back(*rows.visibilities[i]);
      results.push_back(oracle::strings::redact_row(names[i], visibilities[i]));
    }
  }
  static const RedactBlock& get() {
    static const RedactBlock block;
    return block;
  }
};

/// The bytes of `n` rows that repeat the kRows rows of `rows`.
inline std::uint64_t repeated_bytes(const std::vector<std::string>& rows, std::uint64_t n) {
  std::uint64_t all = 0, rest = 0;
  for (std::uint64_t i = 0; i < rows.size(); ++i) {
    all += rows[i].size();
    if (i < n % rows.size()) rest += rows[i].size();
  }
  return n / rows.size() * all + rest;
}

/// Calls f(first, offsets, chars) for some millions of rows at a time, the first of which is
/// `first`. The offsets are where these rows begin, followed by the end of the last.
template <class F>
void for_repeated_rows(const std::vector<std::string>& rows, std::uint64_t n, F&& f) {
  constexpr std::uint64_t kAtOnce = 64 * RedactBlock::kRows;
  std::uint64_t end = 0;
  for (std::uint64_t first = 0; first < n || first == 0; first += kAtOnce) {
    std::vector<std::uint32_t> offsets{static_cast<std::uint32_t>(end)};
    std::string chars;
    for (std::uint64_t i = first; i < std::min(n, first + kAtOnce); ++i) {
      chars += rows[i % rows.size()];
      offsets.push_back(static_cast<std::uint32_t>(end + chars.size()));
    }
    end += chars.size();
    f(first, offsets, chars);
  }
}

inline StringColumn upload_repeated(Context& context, const std::vector<std::string>& rows,
                                    std::uint64_t n) {
  const std::uint64_t bytes = repeated_bytes(rows, n);
  auto offsets = context.allocate<std::uint32_t>(n + 1);
  auto chars = context.allocate<std::uint8_t>(bytes);
  for_repeated_rows(rows, n, [&](std::uint64_t first, const auto& part, const std::string& text) {
    context.write(offsets, part, first);
    const auto* begin = reinterpret_cast<const std::uint8_t*>(text.data());
    context.write(chars, {begin, text.size()}, part.front());
  });
  StringColumn column(std::move(offsets), std::move(chars), {}, bytes);
  std::size_t longest = 1;
  for (const std::string& row : rows) longest = std::max(longest, row.size());
  column.set_longest_row_bytes(longest);
  return column;
}

/// Empty, or where offsets, of 32 or 64 bits, and bytes differ from those of the repeated rows.
template <class Offset>
std::string repeated_mismatch(Context& context, const Buffer<Offset>& offsets,
                              const Buffer<std::uint8_t>& chars,
                              const std::vector<std::string>& rows, std::uint64_t n) {
  std::string wrong;
  for_repeated_rows(rows, n, [&](std::uint64_t first, const auto& part, const std::string& text) {
    if (!wrong.empty()) return;
    const auto got = context.download(offsets, first, part.size());
    const std::string at = " behind row " + std::to_string(first);
    if (!std::equal(got.begin(), got.end(), part.begin())) {
      wrong = "offsets are wrong" + at;
      return;
    }
    const auto bytes = context.download(chars, part.front(), text.size());
    if (!std::equal(bytes.begin(), bytes.end(), text.begin(),
                    [](std::uint8_t a, char b) { return a == static_cast<std::uint8_t>(b); })) {
      wrong = "bytes are wrong" + at;
    }
  });
  return wrong;
}

}  // namespace vkprims::bench
