// The test columns of strings have the properties that they promise. This test needs no GPU.
#include "strings/data.hpp"

#include "oracles/strings/redact.hpp"
#include "strings/difference.hpp"
#include "support/support.hpp"

namespace vkprims::test {
namespace {

bool is_utf8(std::string_view row) {
  for (std::size_t at = 0; at < row.size();) {
    const auto decoded = oracle::strings::decode(row, at);
    if (!decoded) return false;
    at += decoded->bytes;
  }
  return true;
}

std::uint64_t bytes_of(const HostStrings& rows) {
  std::uint64_t bytes = 0;
  for (const auto& row : rows) bytes += row ? row->size() : 0;
  return bytes;
}

// Counts the rows for which a condition holds; it holds for no null row.
template <class F>
std::int64_t rows_where(const HostStrings& rows, F&& holds) {
  return std::count_if(rows.begin(), rows.end(),
                       [&](const auto& row) { return row && holds(*row); });
}

TEST_CASE(
    "strings data: random strings have all lengths, all characters, and only UTF-8 if so wanted") {
  const HostStrings rows = random_strings(4000, 1);
  CHECK(difference(rows, random_strings(4000, 1)) == "");
  CHECK(difference(rows, random_strings(4000, 2)) != "");
  for (std::size_t bytes = 0; bytes <= 24; ++bytes) {
    CAPTURE(bytes);
    CHECK(rows_where(rows, [&](const std::string& row) { return row.size() == bytes; }) > 80);
  }
  CHECK(rows_where(rows, is_utf8) == 4000);
  for (const char* part : {"ab", "é", "数", "😀", " ", "\t"}) {
    CAPTURE(shown(part));
    CHECK(rows_where(rows, [&](const std::string& row) { return row.find(part) != row.npos; }) >
          40);
  }
  const HostStrings broken = random_strings(4000, 1, {.invalid = 20});
  CHECK(rows_where(broken, is_utf8) < 3000);
  CHECK(rows_where(broken, [](const std::string& row) { return row.find('\xff') != row.npos; }) >
        40);
  const HostStrings ascii = random_strings(1000, 1, {.wide = 0});
  CHECK(rows_where(ascii, [](const std::string& row) {
          return std::all_of(row.begin(), row.end(), [](char c) { return c >= 0; });
        }) == 1000);
}

TEST_CASE("strings data: few rows are long, as many as wanted are null or empty") {
  const HostStrings skewed = random_strings(5000, 3, {.lengths = Lengths::mostly_short});
  const auto is_long = [](const std::string& row) { return row.size() >= kLongRow; };
  CHECK(rows_where(skewed, is_long) > 20);
  CHECK(rows_where(skewed, is_long) < 100);
  CHECK(rows_where(skewed, [](const std::string& row) { return row.size() <= 24; }) ==
        5000 - rows_where(skewed, is_long));

  const auto empty = [](const std::string& row) { return row.empty(); };
  const auto any = [](const std::string&) { return true; };
  const HostStrings mixed = random_strings(4000, 4, {.nulls = 50, .empties = 100});
  CHECK(rows_where(mixed, empty) == rows_where(mixed, any));
  CHECK(rows_where(mixed, any) > 1500);
  CHECK(rows_where(mixed, any) < 2500);
  CHECK(rows_where(random_strings(100, 5, {.nulls = 100}), any) == 0);
  CHECK(rows_where(random_strings(100, 5, {.empties = 100}), empty) == 100);
}

TEST_CASE("strings data: edge strings have each length at each alignment") {
  const HostStrings edges = edge_strings();
  std::array<int, 21> lengths{};
  for (const auto& row : edges) ++lengths.at(row->size());
  CHECK(*std::min_element(lengths.begin(), lengths.end()) >= 4);
  CHECK(rows_where(edges, is_utf8) > 100);
  CHECK(rows_where(edges, is_utf8) < static_cast<std::int64_t>(edges.size()) - 100);

  const HostStrings rows = at_every_alignment({"abc", std::nullopt, ""});
  REQUIRE(rows.size() == 3 * 16 * 2);
  std::uint64_t at = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i % 2) CHECK(at % 16 == i / 2 % 16);
    at += rows[i] ? rows[i]->size() : 0;
  }
  CHECK(rows_where(rows, [](const std::string& row) { return row == "abc"; }) == 16);
}

TEST_CASE("strings data: rows to redact have 37.9 bytes with their result") {
  constexpr std::uint64_t kCount = 100000;
  const RedactRows rows = redact_rows(kCount, 1);
  CHECK(rows.names.size() == kCount);
  const HostStrings redacted = oracle::strings::redact_by_kernel(rows.names, rows.visibilities);
  const std::uint64_t bytes =
      bytes_of(rows.names) + bytes_of(rows.visibilities) + bytes_of(redacted) + 12 * kCount;
  CHECK(static_cast<double>(bytes) / kCount == doctest::Approx(37.9).epsilon(0.002));
  // The names have two words each, for which both ways to redact agree.
  CHECK(difference(oracle::strings::redact_by_chain(rows.names, rows.visibilities), redacted) ==
        "");
  const auto is_public = [](const std::string& row) { return row == "public"; };
  CHECK(rows_where(rows.visibilities, is_public) == doctest::Approx(0.7 * kCount).epsilon(0.01));

  const RedactRows traps = redact_traps();
  CHECK(traps.names.size() == traps.visibilities.size());
  CHECK(difference(oracle::strings::redact_by_chain(traps.names, traps.visibilities),
                   oracle::strings::redact_by_kernel(traps.names, traps.visibilities)) != "");
}

}  // namespace
}  // namespace vkprims::test
