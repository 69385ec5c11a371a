// Sorts and dictionaries of long rows, which one invocation must not process row by row.
#include "oracles/strings/first_appearances.hpp"
#include "oracles/strings/order.hpp"
#include "strings/interned/interned.abi.h"
#include "strings/layouts.hpp"
#include "support/turns.hpp"
#include "vkprims/strings.hpp"

namespace vkprims::test {
namespace {

namespace oracle = vkprims::oracle::strings;

constexpr std::uint64_t kLong = VKP_INTERNED_LONG_BYTES;
constexpr std::uint64_t kLeaf = 1 << VKP_INTERNED_LEAF_SHIFT;
constexpr std::uint64_t kFan = 1 << VKP_INTERNED_FAN_SHIFT;

void check_sort(const StringColumnView& in, const HostStrings& rows,
                const strings::ArgsortStringsDesc& desc = {}) {
  const Device& d = device();
  const Guarded indices(4 * in.rows, 4);
  const DirtyScratch scratch(strings::argsort_scratch(d, desc, in.rows, in.chars.bytes));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(strings::record_argsort(
        cmd, d, desc, {.in = in, .indices = indices.view(), .scratch = scratch.get()}));
  });
  const auto nulls =
      desc.nulls == strings::NullOrder::first ? oracle::Nulls::first : oracle::Nulls::last;
  const bool descends = desc.order == SortOrder::descending;
  CHECK(difference(indices.read<std::uint32_t>(), oracle::argsort(rows, nulls, descends)) == "");
}

void check_codes(const StringColumnView& in, const HostStrings& rows,
                 const strings::DictionaryEncodeDesc& desc = {}) {
  const Device& d = device();
  const Guarded codes(4 * in.rows), count(8);
  const DirtyScratch scratch(strings::dictionary_encode_scratch(d, desc, in.rows, in.chars.bytes));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(strings::record_dictionary_encode(cmd, d, desc,
                                                     {.in = in,
                                                      .codes = codes.view(),
                                                      .distinct_count = count.view(),
                                                      .scratch = scratch.get()}));
  });
  const oracle::FirstAppearances expected = oracle::first_appearances(rows);
  CHECK(count.read<std::uint64_t>()[0] == expected.rows.size());
  CHECK(difference(codes.read<std::uint32_t>(), expected.codes) == "");
}

void check_both(const HostStrings& rows, std::uint64_t i = 0) {
  const PlacedColumn column(rows, layout(i, Schedule::automatic).in);
  check_sort(column.view(), rows,
             {.order = i % 2 ? SortOrder::descending : SortOrder::ascending,
              .nulls = i / 2 % 2 ? strings::NullOrder::first : strings::NullOrder::last});
  check_codes(column.view(), rows, {.seed = static_cast<std::uint32_t>(i)});
}

std::string number(std::uint64_t i) { return std::to_string(100'000'000 + i); }

// Returns n rows of `bytes` bytes that share all except the last nine, in no order, each fifth row
// twice.
HostStrings sharing_rows(std::uint64_t n, std::uint64_t bytes) {
  HostStrings rows(n);
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint64_t k = i % 5 == 0 && i ? i - 1 : i;
    rows[i] = std::string(bytes - 9, 'x') + number(k * 7919 % 10'007);
  }
  return rows;
}

std::string changed(std::string text, std::size_t at, char to) {
  text[at] = to;
  return text;
}

}  // namespace

TEST_CASE(
    "strings long rows: differ in one byte anywhere around blocks of every level, or end there") {
  std::vector<std::uint64_t> edges{kLeaf, kLong, kFan * kLeaf, kFan * kFan * kLeaf};
  if (!subset()) edges.push_back(3 * kFan * kFan * kLeaf);
  std::mt19937_64 engine(1);
  HostStrings rows{std::nullopt, ""};
  for (const bool random : {false, true}) {
    const std::uint64_t most = edges.back() + 700;
    const std::string text =
        random ? "xxxxxxxxxxxxxxxx" + random_string(engine, most, {}) : std::string(most, 'x');
    for (const std::uint64_t edge : edges) {
      for (const std::uint64_t at : {edge - 1, edge, edge + 1}) {
        rows.push_back(text.substr(0, at));
        rows.push_back(changed(text, at, '\0'));
        rows.push_back(changed(text, at, '\xff'));
        rows.push_back(changed(text.substr(0, at + 1), at, '\x7f'));
        rows.push_back(rows[engine() % rows.size()]);
      }
    }
    rows.push_back(text);
  }
  for (std::uint64_t i = 0; i < (subset() ? 2 : 4); ++i) {
    CAPTURE(i);
    std::shuffle(rows.begin(), rows.end(), engine);
    check_both(rows, i + 3);
  }
}

TEST_CASE("strings long rows: few that share 200 KB, many that share 16 KB") {
  HostStrings few;
  for (const char* end : {"b", "a", "", "ab", "b", "\xff"}) {
    few.push_back(std::string(200 << 10, 'x') + end);
  }
  few.push_back(std::string(262'144, 'y') + 'a');
  few.push_back(std::string(262'144, 'y') + 'b');
  check_both(few, 1);
  check_both(sharing_rows(2000, 16 << 10), 2);
}

TEST_CASE("strings long rows: 100 of 1 MB among many short ones") {
  if (subset()) return;
  HostStrings rows = random_strings(1'000'000, 3, {.nulls = 5});
  const HostStrings large = sharing_rows(100, 1 << 20);
  for (std::uint64_t i = 0; i < large.size(); ++i) rows[i * 9973 + 5] = large[i];
  check_both(rows, 0);
}

TEST_CASE("strings long rows: one and several of 64 MB") {
  if (subset()) return;
  const std::string text = std::string(64 << 20, 'x');
  check_both({"xxxxxxxxxxxxxxxxxxxxx", text, "", "xxxxxxxxxxxxxxxxxxxxy"});
  check_both({text + 'b', text, text + 'a', changed(text, 40 << 20, 'a')});
}

TEST_CASE("strings long rows: blocks made to collide are not taken for the same") {
  const auto mix = [](std::uint32_t x) {
    x = (x ^ x >> 16) * 0x85ebca6b;
    x = (x ^ x >> 13) * 0xc2b2ae35;
    return x ^ x >> 16;
  };
  // The last word of each block makes the hashes of all blocks under seed 0 equal.
  HostStrings rows;
  for (std::uint32_t i = 0; i < 300; ++i) {
    std::string block(kLeaf - 4, 'x');
    block.replace(kLeaf - 12, 8, number(i).substr(1));
    std::uint32_t hash = mix(kLeaf), word = 0;
    for (std::size_t k = 0; k < block.size(); k += 4) {
      std::memcpy(&word, block.data() + k, 4);
      hash = mix(hash ^ word);
    }
    word = hash ^ 12345;
    block.append(reinterpret_cast<const char*>(&word), 4);
    rows.push_back(std::string(kLong, 'x') + block + number(i % 7));
    rows.push_back(rows[i * 7919 % rows.size()]);
  }
  check_both(rows, 0);
}

TEST_CASE("strings long rows: with offsets that descend, so that rows overlap") {
  std::mt19937_64 engine(2);
  const std::string chars = std::string(2000, 'x') + random_string(engine, 2000, {});
  const Guarded placed_chars(std::vector<std::uint8_t>(chars.begin(), chars.end()), 1);
  std::vector<std::uint32_t> offsets(301);
  for (auto& offset : offsets) offset = static_cast<std::uint32_t>(engine() % 4300);
  HostStrings rows(offsets.size() - 1);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::uint64_t begin = offsets[i];
    const std::uint64_t end = std::min<std::uint64_t>(offsets[i + 1], chars.size());
    rows[i] = begin < end ? chars.substr(begin, end - begin) : "";
  }
  const Guarded placed_offsets(offsets);
  const StringColumnView in{
      .offsets = placed_offsets.view(), .chars = placed_chars.view(), .rows = rows.size()};
  check_sort(in, rows);
  check_codes(in, rows);
  forgive_turns("rows that overlap are done by the invocations that meet them");
}

TEST_CASE(
    "strings long rows: a hint that there are none saves scratch; a wrong one costs time alone") {
  const Device& d = device();
  const HostStrings rows = sharing_rows(50, 3000);
  const PlacedColumn column(rows, {});
  check_sort(column.view(), rows, {.longest_row_bytes = 100});
  check_codes(column.view(), rows, {.longest_row_bytes = 100});
  forgive_turns("the promise is broken: an invocation does a row");
  check_sort(column.view(), rows, {.longest_row_bytes = 3000});
  const std::uint64_t none = strings::argsort_scratch(d, {}, 1000, kLong - 1).bytes;
  CHECK(strings::argsort_scratch(d, {.longest_row_bytes = kLong - 1}, 1000, 1 << 30).bytes == none);
  VkDeviceSize sort = 0, dictionary = 0;
  for (std::uint64_t bytes = 0; bytes < std::uint64_t{1} << 38; bytes = 2 * bytes + 1) {
    const VkDeviceSize a = strings::argsort_scratch(d, {}, 1000, bytes).bytes;
    const VkDeviceSize b = strings::dictionary_encode_scratch(d, {}, 1000, bytes).bytes;
    CHECK(a >= sort);
    CHECK(b >= dictionary);
    CHECK(a - none <= bytes / 15 + 1000);
    sort = a;
    dictionary = b;
  }
}

}  // namespace vkprims::test
