#include "strings_check.hpp"
#include "vkprims/strings/slice.hpp"

namespace vkprims::test {
namespace {

// Where the characters of a text begin, and its end.
std::vector<std::size_t> starts_of(const std::string& s) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (i == 0 || (static_cast<unsigned char>(s[i]) & 0xc0) != 0x80) starts.push_back(i);
  }
  starts.push_back(s.size());
  return starts;
}

std::string sliced(const std::string& s, std::int64_t start, std::int64_t stop) {
  const auto starts = starts_of(s);
  const auto n = static_cast<std::int64_t>(starts.size()) - 1;
  const auto place = [&](std::int64_t i) {
    return std::clamp<std::int64_t>(i < 0 ? i + n : i, 0, n);
  };
  const std::int64_t a = place(start), b = place(stop);
  if (b <= a) return "";
  return s.substr(starts[std::size_t(a)], starts[std::size_t(b)] - starts[std::size_t(a)]);
}

HostStrings random_strings(std::size_t n, std::size_t longest, std::uint32_t seed, bool nulls) {
  static constexpr const char* kCharacters[] = {"a",  "B", " ",    "é",    "ß",
                                                "漢", "😀", "\xff", "\x80", "z"};
  std::mt19937 random(seed);
  HostStrings rows(n);
  for (auto& row : rows) {
    if (nulls && random() % 5 == 0) continue;
    row.emplace();
    const std::size_t length = random() % (longest + 1);
    for (std::size_t i = 0; i < length; ++i) *row += kCharacters[random() % 10];
  }
  return rows;
}

void check_slice(const HostStrings& rows, const strings::SliceDesc& desc, const Placement& in,
                 const Placement& to, const Device& d = device()) {
  HostStrings expected;
  for (const auto& row : rows) {
    expected.emplace_back();
    if (row) expected.back() = sliced(*row, desc.start.value_or(0), desc.stop.value_or(INT32_MAX));
  }
  const PlacedColumn column(rows, in);
  const PlacedResult result(expected, to.width, to.chars_at);
  const bool nullable = PlacedColumn::nullable(rows);
  const DirtyScratch scratch(strings::slice_scratch(d, desc, rows.size()));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(strings::record_slice(
        cmd, d, desc,
        {.in = column.view(), .out = result.out(nullable), .scratch = scratch.get()}));
  });
  result.check(nullable);
}

}  // namespace

TEST_CASE("strings slice: positions from both ends, of characters of any size") {
  const HostStrings rows = random_strings(700, 12, 1, true);
  for (const std::optional<std::int32_t> start :
       {std::optional<std::int32_t>(), {0}, {1}, {5}, {-1}, {-4}, {100}}) {
    for (const std::optional<std::int32_t> stop :
         {std::optional<std::int32_t>(), {0}, {1}, {6}, {-1}, {-3}, {100}}) {
      CAPTURE(start.value_or(77));
      CAPTURE(stop.value_or(77));
      check_slice(rows, {.start = start, .stop = stop}, {}, {});
    }
  }
}

TEST_CASE("strings slice: columns and results that begin anywhere, offsets of 32 and 64 bits") {
  const HostStrings rows = random_strings(300, 20, 2, true);
  for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass}) {
    for (std::uint64_t at = 0; at < 5; ++at) {
      for (std::uint64_t to = 0; to < 4; ++to) {
        CAPTURE(at);
        CAPTURE(to);
        const IndexWidth width = at % 2 ? IndexWidth::u64 : IndexWidth::u32;
        check_slice(rows, {.start = 1, .stop = 9, .schedule = schedule},
                    {.width = width, .chars_at = at, .rows_before = at * 13},
                    {.width = to % 2 ? IndexWidth::u64 : IndexWidth::u32, .chars_at = to});
      }
    }
  }
}

TEST_CASE("strings slice: numbers of rows around the edges of tiles, with long rows among them") {
  for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass}) {
    for (const std::size_t n : {0, 1, 31, 32, 33, 511, 512, 513, 1024, 5000}) {
      CAPTURE(n);
      HostStrings rows = random_strings(n, 10, 3, n % 2 == 1);
      if (n > 40) rows[37] = std::string(30'000, 'x');
      if (n > 512) rows[511] = std::string(8191, 'y');
      if (n > 513) rows[512] = std::string(100'001, 'z');
      check_slice(rows, {.start = 0, .schedule = schedule}, {}, {.chars_at = n % 3});
    }
  }
}

}  // namespace vkprims::test
