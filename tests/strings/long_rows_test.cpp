// Rows that are too long for one invocation: numbers and predicates of columns of every shape that
// has such rows.
#include <numeric>

#include "oracles/strings/characters.hpp"
#include "vkprims/strings/strings.abi.h"
#include "strings/check.hpp"
#include "strings/data.hpp"
#include "strings/found_numbers.hpp"
#include "strings/hostile.hpp"
#include "support/turns.hpp"
#include "vkprims/strings/find.hpp"
#include "vkprims/strings/match.hpp"

namespace vkprims::test {
namespace {

using strings::FindDesc;
using strings::Match;
using strings::MatchDesc;
using strings::StringNumber;

// ---- The oracle goes row by row and copies none, as rows have up to a gigabyte.

std::size_t characters_of(std::string_view row) {
  std::size_t n = !row.empty() && (row[0] & 0xc0) == 0x80;
  for (const char c : row) n += (c & 0xc0) != 0x80;
  return n;
}

// Returns where character `n` begins, or the end of the row if the row has fewer characters.
std::size_t byte_of(std::string_view row, std::size_t n) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    const bool begins = i == 0 || (row[i] & 0xc0) != 0x80;
    if (begins && n-- == 0) return i;
  }
  return row.size();
}

std::int32_t position_in(std::string_view row, const FindDesc& desc) {
  const std::size_t length = characters_of(row);
  const std::size_t stop = std::min<std::size_t>(desc.stop.value_or(INT32_MAX), length);
  if (desc.start > length) return -1;
  const bool first = desc.number == StringNumber::find;
  if (desc.text.empty()) return static_cast<std::int32_t>(first ? desc.start : stop);
  if (stop < desc.start) return -1;
  const std::size_t begin = byte_of(row, desc.start), end = byte_of(row, stop);
  const std::string_view part = row.substr(begin, end - begin);
  const std::size_t at = first ? part.find(desc.text) : part.rfind(desc.text);
  if (at == std::string_view::npos) return -1;
  return static_cast<std::int32_t>(characters_of(row.substr(0, begin + at + 1))) - 1;
}

std::int32_t count_of(std::string_view row, std::string_view text) {
  std::int32_t n = 0;
  if (text.empty()) return n;
  for (std::size_t at = row.find(text); at != row.npos; at = row.find(text, at + text.size())) ++n;
  return n;
}

std::int32_t words_of(std::string_view row) {
  std::int32_t n = 0;
  bool space = true;
  for (const char c : row) {
    const bool now = static_cast<unsigned char>(c) <= 0x20;
    n += space && !now;
    space = now;
  }
  return n;
}

std::int32_t number_of(std::string_view row, const FindDesc& desc) {
  switch (desc.number) {
    case StringNumber::find:
    case StringNumber::rfind:
      return position_in(row, desc);
    case StringNumber::count_characters:
      return static_cast<std::int32_t>(characters_of(row));
    case StringNumber::count_bytes:
      return static_cast<std::int32_t>(row.size());
    case StringNumber::count:
      return count_of(row, desc.text);
    case StringNumber::count_tokens:
      return desc.text.empty() ? words_of(row) : count_of(row, desc.text) + 1;
  }
  return 0;
}

bool holds(Match match, std::string_view row, std::string_view target) {
  if (match == Match::starts_with) return row.starts_with(target);
  return match == Match::ends_with ? row.ends_with(target) : row.find(target) != row.npos;
}

// ---- Columns have bytes, and offsets of any order.

class Column {
 public:
  Column(std::string chars, const std::vector<std::uint64_t>& offsets, std::uint64_t chars_at = 0,
         std::vector<std::uint32_t> validity = {})
      : text_(std::move(chars)),
        valid_(std::move(validity)),
        chars_(std::vector<char>(text_.begin(), text_.end()), chars_at),
        offsets_(offsets),
        validity_(valid_) {
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
      const std::uint64_t end = std::min<std::uint64_t>(offsets[i + 1], text_.size());
      const std::uint64_t begin = std::min(offsets[i], end);
      rows_.push_back(std::string_view(text_).substr(begin, end - begin));
    }
  }
  Column(const Column&) = delete;
  const std::vector<std::string_view>& rows() const { return rows_; }
  bool is_valid(std::size_t i) const { return valid_.empty() || bit_of(valid_, i); }
  StringColumnView view() const {
    return {.offsets = offsets_.view(),
            .chars = chars_.view(),
            .validity = valid_.empty() ? BufferView{} : validity_.view(),
            .rows = rows_.size(),
            .offset_width = IndexWidth::u64};
  }

 private:
  std::string text_;
  std::vector<std::uint32_t> valid_;
  Guarded chars_, offsets_, validity_;
  std::vector<std::string_view> rows_;
};

std::vector<std::uint64_t> offsets_of(const std::vector<std::uint64_t>& lengths) {
  std::vector<std::uint64_t> offsets(lengths.size() + 1);
  std::inclusive_scan(lengths.begin(), lengths.end(), offsets.begin() + 1);
  return offsets;
}

void check_numbers(const Column& column, const FindDesc& desc) {
  CAPTURE(static_cast<int>(desc.number));
  CAPTURE(desc.text.substr(0, 50));
  CAPTURE(desc.start);
  const std::size_t n = column.rows().size();
  const auto got = found_numbers(column.view(), desc);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i) {
    std::optional<std::int32_t> want;
    if (column.is_valid(i)) want = number_of(column.rows()[i], desc);
    if (got[i] == want) continue;
    if (wrong++ == 0) {
      const std::string where = "row " + std::to_string(i) + " of " +
                                std::to_string(column.rows()[i].size()) +
                                " bytes: " + std::to_string(got[i].value_or(-77)) + ", not " +
                                std::to_string(want.value_or(-77));
      CHECK(where == "");
    }
  }
  CHECK(wrong == 0);
}

void check_bits(const Column& column, const Column* targets, const MatchDesc& desc) {
  CAPTURE(static_cast<int>(desc.match));
  CAPTURE(desc.text.size());
  const Device& d = device();
  const std::size_t n = column.rows().size();
  const PlacedRows result(n, bit_bytes(n));
  const DirtyScratch scratch(strings::match_scratch(d, desc, column.view().chars.bytes));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(strings::record_match(cmd, d, desc,
                                         {.in = column.view(),
                                          .targets = targets ? targets->view() : StringColumnView{},
                                          .out = result.values(),
                                          .validity = result.validity(),
                                          .scratch = scratch.get()}));
  });
  const auto got = result.bits();
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i) {
    std::optional<bool> want;
    if (column.is_valid(i)) {
      want = (!targets || targets->is_valid(i)) &&
             holds(desc.match, column.rows()[i], targets ? targets->rows()[i] : desc.text);
    }
    if (got[i] == want) continue;
    if (wrong++ == 0) {
      const std::string where =
          "row " + std::to_string(i) + " of " + std::to_string(column.rows()[i].size()) + " bytes";
      CHECK(where == "");
    }
  }
  CHECK(wrong == 0);
}

// Returns words of a few letters, some of two bytes, with runs of q.
std::string prose(std::uint64_t bytes, std::uint32_t seed) {
  static constexpr std::string_view kWords[] = {"a",  "qq", "abcab", " ",  "\xc3\xa9",  ":",
                                                "ab", "\n", "qqqqq", "xy", "\xc3\xa9 ", "  "};
  std::string text;
  text.reserve(bytes + 16);
  std::uint32_t state = seed * 2654435761u + 1;
  while (text.size() < bytes) {
    state = state * 1664525u + 1013904223u;
    text += kWords[(state >> 16) % std::size(kWords)];
  }
  text.resize(bytes);
  return text;
}

// Occurrences of these texts overlap; the second text is too long for entries.
const std::string kDashes(40, '-'), kMoreDashes(100, '-');

// Asks everything of a column; a subset run asks the first questions only.
void check_all(const Column& column, const std::string& rare) {
  const FindDesc numbers[] = {
      {.number = StringNumber::find, .text = rare},
      {.number = StringNumber::rfind, .text = "\xc3\xa9", .start = 3, .stop = 5'000},
      {.number = StringNumber::count_characters},
      {.number = StringNumber::count, .text = "qq"},
      {.number = StringNumber::count_tokens},
      {.number = StringNumber::count, .text = kDashes},
      {.number = StringNumber::count, .text = kMoreDashes},
      {.number = StringNumber::count, .text = "ab"},
      {.number = StringNumber::rfind, .text = "abcab"},
      {.number = StringNumber::find, .text = "a", .start = 700, .stop = 100'000'000},
      {.number = StringNumber::rfind, .text = "", .start = 3, .stop = 900'000},
      {.number = StringNumber::count_bytes},
      {.number = StringNumber::count_tokens, .text = ":"}};
  for (const FindDesc& desc : std::span(numbers).first(subset() ? 5 : std::size(numbers))) {
    check_numbers(column, desc);
  }
  check_bits(column, nullptr, {.match = Match::contains, .text = rare});
}

// Returns a row of a text's letters: random letters; the text's period repeated; or both in turn,
// in pieces of all lengths.
std::string row_of(std::string_view text, std::size_t period, std::size_t kind, std::size_t bytes,
                   std::mt19937& engine) {
  std::string row;
  while (row.size() < bytes) {
    const bool repeats = kind == 1 || (kind == 2 && engine() % 2 != 0);
    std::size_t n = kind == 1 ? bytes : engine() % (4 * text.size()) + 1;
    if (repeats && engine() % 2 != 0) n = n / period * period + text.size() % period;
    for (std::size_t i = 0; i < n; ++i) {
      row += text[repeats ? i % period : engine() % text.size()];
    }
  }
  row.resize(bytes);
  return row;
}

}  // namespace

TEST_CASE("strings long rows: one of 64 MB") {
  constexpr std::uint64_t kBytes = 64 << 20;
  std::string text = prose(kBytes, 1);
  std::fill_n(text.begin() + 20'000'001, 20'000'000, 'q');
  std::fill_n(text.begin() + 50'000'003, 30'001, '-');
  const std::string rare = "needle that is nowhere else, of more than some bytes";
  text.replace(60'000'001, rare.size(), rare);
  const std::string begin = text.substr(0, 50'000), end = text.substr(kBytes - 50'000);
  const Column column(text, {0, kBytes}, 3);
  check_all(column, rare);
  check_bits(column, nullptr, {.match = Match::starts_with, .text = begin});
  check_bits(column, nullptr, {.match = Match::ends_with, .text = end});
  check_bits(column, nullptr, {.match = Match::ends_with, .text = begin});
  // The target is the row itself, then a row that differs in the last byte.
  std::string other = text.substr(5);
  check_bits(column, &column, {.match = Match::starts_with, .of_column = true});
  const Column targets(other, {0, other.size()});
  check_bits(column, &targets, {.match = Match::ends_with, .of_column = true});
  other.back() ^= 1;
  const Column others(other, {0, other.size()});
  check_bits(column, &others, {.match = Match::ends_with, .of_column = true});
}

TEST_CASE("strings long rows: one of 1 GiB") {
  constexpr std::uint64_t kBytes = 1 << 30;
  if (!exhaustive() || context().heap_budget() < kBytes + kBytes / 2) return;
  std::string text(kBytes, 'q');
  text.replace(kBytes - 100, 9, "\xc3\xa9 needle");
  const Column column(std::move(text), {0, kBytes}, 1);
  check_numbers(column, {.number = StringNumber::find, .text = "needle"});
  check_numbers(column, {.number = StringNumber::count, .text = "qq"});
}

TEST_CASE("strings long rows: two thousand of 16 KB") {
  constexpr std::uint64_t kRows = 2000, kBytes = 16'000;
  std::string text = prose(kRows * kBytes, 2);
  for (std::uint64_t i = 0; i < kRows; i += 3) text.replace(i * kBytes + i % kBytes, 6, "needle");
  const Column column(std::move(text), offsets_of(std::vector(kRows, kBytes)), 1);
  check_all(column, "needle");
}

TEST_CASE("strings long rows: a hundred of 1 MB among a million short ones") {
  if (!exhaustive()) return;
  std::vector<std::uint64_t> lengths(1'000'000, 7);
  for (std::size_t i = 0; i < 100; ++i) lengths[i * 9'973 + 5] = 1'000'003;
  const std::vector<std::uint64_t> offsets = offsets_of(lengths);
  std::string text = prose(offsets.back(), 3);
  for (std::size_t i = 0; i < lengths.size(); i += 501) text.replace(offsets[i], 6, "needle");
  const Column column(std::move(text), offsets);
  check_all(column, "needle");
}

TEST_CASE("strings long rows: counts of texts that overlap themselves") {
  struct Text {
    std::string text;
    std::size_t period;
  };
  std::string by_three;
  while (by_three.size() < 100) by_three += "aab";
  by_three.resize(100);
  const Text texts[] = {{"--", 1},
                        {"aba", 2},
                        {"aabaa", 3},
                        {"aabaabaa", 3},
                        {"abaababaaba", 5},
                        {"aaaabaaa", 5},
                        {"abbbbbbbbbba", 11},
                        {std::string(70, '-'), 1},
                        {by_three, 3},
                        {by_three.substr(0, 40) + "cc" + by_three.substr(0, 40), 42}};
  std::mt19937 engine(8);
  for (const Text& t : texts) {
    std::string chars;
    std::vector<std::uint64_t> lengths;
    const auto add = [&](std::string row) {
      lengths.push_back(row.size());
      chars += row;
    };
    for (std::size_t i = 0; i < 90; ++i) {
      const std::size_t bytes =
          i % 30 == 0 ? 100'000 + engine() % 1000 : VKP_STRINGS_LONG + engine() % 3000;
      add(row_of(t.text, t.period, i % 3, bytes, engine));
      if (i % 7 == 0) add(row_of(t.text, t.period, i % 3, engine() % 40, engine));
    }
    for (std::size_t kind = 1; kind < 3; ++kind) {
      add(row_of(t.text, t.period, kind, 300'000 + engine() % 1000, engine));
    }
    for (const std::uint64_t chars_at : {0, 1, 3}) {
      const Column column(chars, offsets_of(lengths), chars_at);
      check_numbers(column, {.number = StringNumber::count, .text = t.text});
      if (t.text.size() > 32)
        forgive_turns("long texts that may be anywhere are compared everywhere");
      if (!exhaustive()) break;
      check_numbers(column, {.number = StringNumber::count_tokens, .text = t.text});
    }
  }
}

TEST_CASE("strings long rows: lengths about those of parts, at every place, some null") {
  std::vector<std::uint64_t> lengths;
  std::mt19937 engine(4);
  for (std::uint64_t i = 0; i < 400; ++i) {
    const std::uint64_t parts = 1 + i % 4;
    lengths.push_back(parts * VKP_STRINGS_LONG + engine() % 5 - 2);
    lengths.push_back(engine() % 40);
    if (i % 50 == 0) lengths.push_back(75 * VKP_STRINGS_LONG + engine() % 3000);
  }
  const std::vector<std::uint64_t> offsets = offsets_of(lengths);
  // There are few letters, so that texts occur everywhere and overlap themselves.
  std::string text(offsets.back(), 'a');
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (engine() % 4 == 0) text[i] = i % 100'000 < 50'000 ? 'b' : '\x80';
  }
  std::vector<std::uint32_t> validity((lengths.size() + 31) / 32);
  for (std::uint32_t& word : validity) word = engine() | engine();
  const Column column(text, offsets, 5, validity);
  const std::string many(30, 'a'), more(70, 'a');
  for (const std::string_view wanted : {"a", "aa", "aba", "abaab", "aabaabaa", "aaaaaaaaa", "b\x80",
                                        "\x80", many.c_str(), more.c_str()}) {
    for (const StringNumber number : {StringNumber::find, StringNumber::rfind, StringNumber::count,
                                      StringNumber::count_tokens}) {
      if (!exhaustive() && number != StringNumber::count) continue;
      check_numbers(column, {.number = number, .text = wanted});
    }
    check_numbers(column,
                  {.number = StringNumber::find, .text = wanted, .start = 900, .stop = 1'500});
    check_numbers(column, {.number = StringNumber::rfind, .text = wanted, .start = 1'020});
    check_bits(column, nullptr, {.match = Match::contains, .text = wanted});
    if (wanted.size() > 32)
      forgive_turns("long texts that may be anywhere are compared everywhere");
  }
  // The targets are ends of the rows, some of them with a changed byte.
  std::vector<std::uint64_t> target_lengths = lengths;
  std::string targets;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const std::uint64_t cut = std::min<std::uint64_t>(engine() % 3 * (lengths[i] / 3), lengths[i]);
    targets += text.substr(offsets[i] + cut, lengths[i] - cut);
    target_lengths[i] = lengths[i] - cut;
    if (engine() % 2 && target_lengths[i])
      targets[targets.size() - 1 - engine() % target_lengths[i]] ^= 1;
  }
  const Column target_column(targets, offsets_of(target_lengths), 2);
  for (const Match match : {Match::contains, Match::starts_with, Match::ends_with}) {
    if (!exhaustive() && match != Match::contains) continue;
    check_bits(column, &target_column, {.match = match, .of_column = true});
  }
}

TEST_CASE("strings long rows: hostile offsets, rows that overlap or lie in no order") {
  const std::string text = prose(20'000, 6);
  for (const auto& offsets : hostile_offsets(300, text.size())) {
    const Column column(text, offsets);
    for (const FindDesc& desc :
         {FindDesc{.number = StringNumber::find, .text = "qqqqq"},
          FindDesc{.number = StringNumber::rfind, .text = "ab", .start = 4'000},
          FindDesc{.number = StringNumber::count, .text = "qq"},
          FindDesc{.number = StringNumber::count_tokens}}) {
      check_numbers(column, desc);
    }
    check_bits(column, nullptr, {.match = Match::contains, .text = "abcab:"});
    check_bits(column, &column, {.match = Match::starts_with, .of_column = true});
  }
  forgive_turns("rows that overlap are done by the invocations that meet them");
}

}  // namespace vkprims::test
