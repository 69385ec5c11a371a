// Tests of strings::dictionary_encode.
#include "vkprims/strings/dictionary_encode.hpp"

#include "oracles/strings/first_appearances.hpp"
#include "spirv/strings_bits.hpp"
#include "spirv/strings_dictionary_insert.hpp"
#include "spirv/strings_dictionary_ranks.hpp"
#include "strings/bits/bits.abi.h"
#include "strings/dictionary/dictionary.abi.h"
#include "strings/layouts.hpp"
#include "support/spirv_reader.hpp"
#include "support/wrong_input.hpp"
#include "vkprims/group_by.hpp"
#include "vkprims/strings.hpp"

namespace vkprims::test {
namespace {

using oracle::strings::FirstAppearances;

// The results of a call with room for `capacity` rows of the dictionary.
struct Encoded {
  Encoded(std::size_t n, std::uint64_t capacity, std::uint64_t misalign = 0)
      : codes(4 * n, 4 * misalign),
        validity(bit_bytes(n), 4 * misalign),
        rows(4 * capacity, 4 * misalign),
        count(8, 8) {}
  strings::DictionaryEncodeBuffers buffers(const StringColumnView& in,
                                           const Scratch& scratch) const {
    return {.in = in,
            .codes = codes.view(),
            .validity = validity.view(),
            .rows = rows.view(),
            .distinct_count = count.view(),
            .report = report.view(),
            .scratch = scratch};
  }
  void check(const HostStrings& in, std::uint64_t capacity) const {
    const FirstAppearances expected = oracle::strings::first_appearances(in);
    CHECK(count.read<std::uint64_t>()[0] == expected.rows.size());
    CHECK(difference(codes.read<std::uint32_t>(), expected.codes) == "");
    std::vector<std::uint32_t> found = rows.read<std::uint32_t>(), first = expected.rows;
    first.resize(std::min<std::uint64_t>(first.size(), capacity));
    if (!found.empty() && first.size() < capacity) CHECK(found[first.size()] == 0xcdcdcdcd);
    found.resize(first.size());
    CHECK(difference(found, first) == "");
    const auto bits = validity.read<std::uint32_t>();
    std::uint64_t wrong_bits = 0;
    for (std::size_t i = 0; i < in.size(); ++i) wrong_bits += bit_of(bits, i) != in[i].has_value();
    CHECK(wrong_bits == 0);
    const auto got = report.read<DeviceReport>()[0];
    const bool exceeded = expected.rows.size() > capacity;
    CHECK(got.code == (exceeded ? DeviceReport::capacity_exceeded : DeviceReport::ok));
    CHECK(got.count == (exceeded ? expected.rows.size() - capacity : 0));
    CHECK(got.needed == (exceeded ? expected.rows.size() : 0));
    CHECK(got.first_index == (exceeded ? capacity : 0));
  }

  Guarded codes, validity, rows, count;
  Guarded report{std::vector<DeviceReport>(1)};
};

void check_encode(const HostStrings& rows, const Layout& layout = {},
                  std::optional<std::uint64_t> capacity = {}, std::uint32_t seed = 0) {
  const strings::DictionaryEncodeDesc desc{
      .capacity = capacity, .seed = seed, .schedule = layout.schedule};
  const Device& d = device();
  const std::uint64_t room = capacity.value_or(rows.size());
  const PlacedColumn column(rows, layout.in);
  const Encoded result(rows.size(), room, layout.to.chars_at);
  const DirtyScratch scratch(
      strings::dictionary_encode_scratch(d, desc, rows.size(), column.view().chars.bytes));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(strings::record_dictionary_encode(cmd, d, desc,
                                                     result.buffers(column.view(), scratch.get())));
  });
  result.check(rows, room);
}

// Returns n rows, each of which is one of `choices`.
HostStrings repeated(std::size_t n, const HostStrings& choices, std::uint32_t seed) {
  std::mt19937 engine(seed);
  HostStrings rows(n);
  for (auto& row : rows) row = choices[engine() % choices.size()];
  return rows;
}

HostStrings numbered(std::size_t n, const std::string& prefix = "row ") {
  HostStrings rows(n);
  for (std::size_t i = 0; i < n; ++i) rows[i] = prefix + std::to_string(i);
  return rows;
}

// The counts lie around the number of rows that go first and around tiles; one has several tiles.
std::vector<std::uint64_t> counts() {
  std::vector<std::uint64_t> result = edge_counts(strings_tile(device()));
  result.insert(result.end(), {31, 32, 33, 1023, 1024, 1025, 5000});
  return result;
}

std::uint32_t mix_bits(std::uint32_t x) {
  x = (x ^ x >> 16) * 0x85ebca6b;
  x = (x ^ x >> 13) * 0xc2b2ae35;
  return x ^ x >> 16;
}

// Appends four bytes to the row so that all rows made this way have the same hash under seed 0.
std::string colliding(std::string row) {
  std::uint32_t hash = mix_bits(static_cast<std::uint32_t>(row.size() + 4)), word = 0;
  for (std::size_t i = 0; i < row.size(); i += 4) {
    std::memcpy(&word, row.data() + i, 4);
    hash = mix_bits(hash ^ word);
  }
  word = hash ^ 12345;
  return row.append(reinterpret_cast<const char*>(&word), 4);
}

// Rows differ from the first byte on, or from the fifth, or in that one continues where the other
// ends.
HostStrings colliding_rows(std::uint32_t n) {
  HostStrings rows;
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::string word(reinterpret_cast<const char*>(&i), 4);
    rows.push_back(colliding(word));
    rows.push_back(colliding("same" + word));
    rows.push_back(colliding(*rows.back()));
  }
  return rows;
}

}  // namespace

TEST_CASE("strings dictionary_encode: rows of every shape, alignment, number and length") {
  for_each_layout(
      kRopeSchedules,
      [](const HostStrings& rows, const Layout& layout) { check_encode(rows, layout); },
      kLongestSearched);
}

TEST_CASE("strings dictionary_encode: rows of every number, all equal, all distinct, few, null") {
  for (const std::uint64_t n : counts()) {
    CAPTURE(n);
    const auto number = static_cast<std::uint32_t>(n);
    check_encode(HostStrings(n, "equal"), layout(n, Schedule::automatic));
    check_encode(numbered(n), layout(n + 1, Schedule::automatic));
    check_encode(HostStrings(n));
    if (subset()) continue;
    check_encode(HostStrings(n, ""), layout(n + 2, Schedule::multi_pass));
    check_encode(repeated(n, {"a", "b"}, number), layout(n + 3, Schedule::automatic));
    check_encode(repeated(n, {"", std::nullopt}, number), layout(n + 4, Schedule::automatic));
    check_encode(repeated(n, random_strings(1 + n / 5, number, {.nulls = 10}), number));
    HostStrings alternating = numbered(n);
    for (std::size_t i = 0; i < n; ++i) alternating[i] = i % 2 ? "one" : "other";
    check_encode(alternating, layout(n + 5, Schedule::automatic));
  }
}

TEST_CASE("strings dictionary_encode: rows that differ in their last byte, a zero, their length") {
  HostStrings choices{"", std::string(1, '\0'), std::string(2, '\0'), std::nullopt};
  for (std::size_t bytes = 1; bytes <= 20; ++bytes) {
    const std::string row(bytes, 'x');
    choices.push_back(row);
    choices.push_back(row + '\0');
    choices.push_back(row.substr(1) + 'y');
    choices.push_back('y' + row.substr(1));
  }
  for (std::uint32_t i = 0; i < 8; ++i)
    check_encode(repeated(3000, choices, i), layout(i, Schedule::automatic));
  check_encode(choices);
}

TEST_CASE("strings dictionary_encode: rows made to collide, and any seed") {
  HostStrings rows = colliding_rows(500);
  const HostStrings again = repeated(1500, rows, 1);
  rows.insert(rows.end(), again.begin(), again.end());
  for (const std::uint32_t seed : {0u, 1u, 0xffffffffu}) check_encode(rows, {}, {}, seed);
}

// Without new hashes each row would be compared with all before it, more often than lavapipe's
// loops iterate.
TEST_CASE("strings dictionary_encode: many rows made to collide") {
  if (subset()) return;
  check_encode(colliding_rows(24'000));
}

// Long rows are inserted by few workgroups, which loop: here an invocation has two of them.
TEST_CASE("strings dictionary_encode: long rows at the end of very many") {
  if (subset()) return;
  constexpr std::size_t kLooping = 4096 * 256;  // rows from which on workgroups loop
  HostStrings rows = repeated(kLooping + 3000, {"a", "b", std::nullopt}, 1);
  for (std::size_t i = 0; i < 30; ++i) {
    rows[i * 5] = std::string(700, 'x') + std::to_string(i % 3);
    rows[kLooping + 97 * i] = std::string(700, 'x') + std::to_string(i % 7);
  }
  check_encode(rows);
}

TEST_CASE("strings dictionary_encode: the lowest row counts, whichever comes to the table first") {
  // The rows that go first contain none of these. Each row repeats, so that many invocations reach
  // the same row at once.
  for (const std::size_t period : {1, 50, 700, 5003}) {
    HostStrings rows = numbered(40'000);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i] = i < 1100 ? "before" : "row " + std::to_string(i % period);
    }
    // This is a race, which is not lost each time.
    for (int i = 0; i < (repeats() + 99) / 100; ++i) check_encode(rows);
  }
}

TEST_CASE("strings dictionary_encode: more distinct rows than there is room for") {
  const HostStrings rows = repeated(2500, numbered(700), 1);
  const std::size_t distinct = oracle::strings::first_appearances(rows).rows.size();
  for (const std::uint64_t capacity :
       {std::uint64_t{0}, std::uint64_t{1}, distinct - 1, std::uint64_t{distinct}, distinct + 1,
        std::uint64_t{9000}}) {
    CAPTURE(capacity);
    check_encode(rows, layout(capacity, Schedule::automatic), capacity);
  }
}

TEST_CASE("strings dictionary_encode: only codes and their number") {
  const Device& d = device();
  const HostStrings rows = repeated(1500, random_strings(90, 3, {.nulls = 10}), 1);
  const FirstAppearances expected = oracle::strings::first_appearances(rows);
  const PlacedColumn column(rows, {});
  const Guarded codes(4 * rows.size()), count(8);
  const DirtyScratch scratch(
      strings::dictionary_encode_scratch(d, {}, rows.size(), column.view().chars.bytes));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(strings::record_dictionary_encode(cmd, d, {.capacity = 1},
                                                     {.in = column.view(),
                                                      .codes = codes.view(),
                                                      .distinct_count = count.view(),
                                                      .scratch = scratch.get()}));
  });
  CHECK(count.read<std::uint64_t>()[0] == expected.rows.size());
  CHECK(difference(codes.read<std::uint32_t>(), expected.codes) == "");
}

TEST_CASE("strings dictionary_encode: twice in one command buffer, replayed") {
  const Device& d = device();
  const HostStrings rows[] = {repeated(2000, random_strings(300, 3, {.nulls = 10}), 1),
                              repeated(1500, random_strings(20, 3), 1)};
  const PlacedColumn columns[] = {{rows[0], layout(3, Schedule::automatic).in}, {rows[1], {}}};
  const Encoded results[] = {{2000, 2000}, {1500, 1500}};
  const DirtyScratch scratch(strings::dictionary_encode_scratch(d, {}, 2000, 1 << 20));
  replay(
      d, [] {},
      [&](VkCommandBuffer cmd, int i) {
        return strings::record_dictionary_encode(
            cmd, d, {}, results[i].buffers(columns[i].view(), scratch.get()));
      },
      [&] {
        for (const int i : {0, 1}) results[i].check(rows[i], rows[i].size());
      });
}

TEST_CASE("strings dictionary_encode: wrong input is refused by name before anything is recorded") {
  const Device& d = device();
  constexpr std::uint64_t kRows = 1000;
  const auto buffer = context().upload(std::vector<std::uint32_t>(1 << 15, 0));
  const DeviceSpan<std::uint32_t> all = buffer.span();
  const ScratchNeed need = strings::dictionary_encode_scratch(d, {}, kRows, 2000);
  const WrongInput wrong(d, &strings::record_dictionary_encode, strings::DictionaryEncodeDesc{},
                         strings::DictionaryEncodeBuffers{
                             .in = {.offsets = all.slice(0, kRows + 1).view(),
                                    .chars = all.slice(1100, 500).view(),
                                    .validity = all.slice(1700, 40).view(),
                                    .rows = kRows,
                                    .first_bit = 3},
                             .codes = all.slice(2000, kRows).view(),
                             .validity = all.slice(3000, 32).view(),
                             .rows = all.slice(3100, kRows).view(),
                             .distinct_count = all.slice(4200, 2).view(),
                             .report = all.slice(4300, 8).view(),
                             .scratch = scratch_view(d, buffer.handle(), 4 * 16'384, need.bytes)});
  wrong.anywhere();
  wrong.scratch("dictionary_encode_scratch()");
  wrong.desc({"schedule is 3"}, [](auto& x) { x.schedule = Schedule(3); });
  wrong.desc({"order is 1"}, [](auto& x) { x.order = strings::DictionaryOrder(1); });
  wrong.desc({"capacity is 2147483648"}, [](auto& x) { x.capacity = kMaxStringRows + 1; });
  wrong.desc({"rows.bytes is 4000", "4004"}, [](auto& x) { x.capacity = kRows + 1; });
  wrong.buffers({"in.rows is 2147483648"}, [](auto& x) { x.in.rows = kMaxStringRows + 1; });
  wrong.buffers({"in.first_bit is 32"}, [](auto& x) { x.in.first_bit = 32; });
  wrong.buffers({"in.offsets.bytes is 4003"}, [](auto& x) { x.in.offsets.bytes = 4003; });
  wrong.buffers({"in.validity.bytes is 124", "128"}, [](auto& x) { x.in.validity.bytes = 124; });
  wrong.buffers({"codes.address is 0"}, [](auto& x) { x.codes = {}; });
  wrong.buffers({"codes.bytes is 3999", "4000"}, [](auto& x) { x.codes.bytes = 3999; });
  wrong.buffers({"codes.address", "multiple of 4"}, [](auto& x) { x.codes.address += 2; });
  wrong.buffers({" validity.bytes is 124", "128"}, [](auto& x) { x.validity.bytes = 124; });
  wrong.buffers({"rows.address", "multiple of 4"}, [](auto& x) { x.rows.address += 1; });
  wrong.buffers({"distinct_count.address is 0"}, [](auto& x) { x.distinct_count = {}; });
  wrong.buffers({"distinct_count.address", "multiple of 8"},
                [](auto& x) { x.distinct_count.address += 4; });
  wrong.buffers({"report.bytes is 31"}, [](auto& x) { x.report.bytes = 31; });
  wrong.buffers({"in.chars [", "codes [", "overlap"},
                [](auto& x) { x.codes.address = x.in.chars.address; });
  wrong.buffers({"codes [", "rows [", "overlap"},
                [](auto& x) { x.rows.address = x.codes.address; });
  wrong.buffers({"codes [", "scratch", "overlap"},
                [](auto& x) { x.codes.address = x.scratch.address; });
}

TEST_CASE("strings dictionary_encode: warm_up compiles all, scratch grows, push constants agree") {
  DeviceInfo info = device().state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  const HostStrings rows = repeated(40, random_strings(9, 1, {.nulls = 20}), 1);
  const PlacedColumn column(rows, {});
  for (const Schedule schedule : kRopeSchedules) {
    if (subset() && schedule == Schedule::multi_pass) continue;
    const strings::DictionaryEncodeDesc desc{.schedule = schedule};
    Device cold;
    throw_if_error(create_device(info, limits(), cold));
    const Encoded result(40, 40);
    const DirtyScratch scratch(
        strings::dictionary_encode_scratch(cold, desc, 40, column.view().chars.bytes));
    const auto record = [&](VkCommandBuffer cmd) {
      return strings::record_dictionary_encode(cmd, cold, desc,
                                               result.buffers(column.view(), scratch.get()));
    };
    expect_error(Status::not_warmed, {"warm_up"}, record);
    throw_if_error(warm_up(cold, desc));
    run([&](VkCommandBuffer cmd) { throw_if_error(record(cmd)); });
    result.check(rows, 40);
  }
  CHECK(warm_up(Device(), strings::DictionaryEncodeDesc{}).code() == Status::invalid_argument);
  const Device& d = device();
  VkDeviceSize last = 1;
  for (std::uint64_t n = 0; n <= kMaxStringRows; n = 2 * n + 1) {
    const VkDeviceSize bytes = strings::dictionary_encode_scratch(d, {}, n, 0).bytes;
    CHECK(bytes >= last);
    last = bytes;
  }
  CHECK(strings::dictionary_encode_scratch(d, {}, kMaxStringRows + 1, 0).bytes == 0);
  CHECK(strings::dictionary_encode_scratch(Device(), {}, 1, 0).bytes == 0);
  for (const Spirv* spirv :
       {&vkprims::spirv::strings_dictionary_insert, &vkprims::spirv::strings_dictionary_ranks}) {
    CHECK(push_matches(*spirv, sizeof(abi::DictionaryPush)));
  }
  CHECK(push_matches(vkprims::spirv::strings_bits, sizeof(abi::BitsPush)));
}

TEST_CASE("strings dictionary_encode: the dictionary and its codes give the column again") {
  const HostStrings rows = repeated(1200, random_strings(50, 3, {.nulls = 20}), 1);
  const auto in = upload_strings(context(), rows);
  strings::DictionaryColumn encoded, none;
  StringColumn again, first_10;
  const StringColumn empty = upload_strings(context(), HostStrings{});
  context().run([&](Recorder& r) {
    encoded = strings::dictionary_encode(r, in);
    again = strings::gather(r, encoded.dictionary, encoded.codes, in.byte_bound());
    first_10 = strings::dictionary_encode(r, in, {.capacity = 10, .seed = 7}).dictionary;
    none = strings::dictionary_encode(r, empty);
  });
  CHECK(difference(download_strings(context(), again), rows) == "");
  const FirstAppearances expected = oracle::strings::first_appearances(rows);
  HostStrings words;
  for (const std::uint32_t row : expected.rows) words.push_back(rows[row]);
  CHECK(download_strings(context(), first_10) == HostStrings(words.begin(), words.begin() + 10));
  words.resize(rows.size());
  CHECK(difference(download_strings(context(), encoded.dictionary), words) == "");
  CHECK(context().download(encoded.count)[0] == expected.rows.size());
  CHECK(context().download(none.count)[0] == 0);
  CHECK(download_strings(context(), none.dictionary).empty());
}

TEST_CASE("strings dictionary_encode: codes are keys for group_by, whose names a gather finds") {
  const auto cities = upload_strings(context(), HostStrings{"Rome", "Oslo", std::nullopt, "Rome",
                                                            "", "Oslo", std::nullopt, "Rome"});
  const auto sales = context().upload(std::vector<std::uint32_t>{1, 2, 4, 8, 16, 32, 64, 128});
  for (const NullKeys null_keys : {NullKeys::drop, NullKeys::group}) {
    const bool groups_nulls = null_keys == NullKeys::group;
    const std::uint64_t groups = groups_nulls ? 4 : 3;
    Buffer<std::uint32_t> out_codes, out_validity;
    Buffer<std::uint64_t> out_sums, group_count;
    StringColumn names;
    context().run([&](Recorder& r) {
      out_codes = r.allocate<std::uint32_t>(cities.rows());
      out_validity = r.allocate<std::uint32_t>(1);
      out_sums = r.allocate<std::uint64_t>(cities.rows());
      group_count = r.allocate<std::uint64_t>(1);
      auto d = strings::dictionary_encode(r, cities);
      const GroupKey key{.type = Type::u32, .nullable = cities.nullable()};
      const GroupValue value{.type = Type::u32};
      const GroupAggregation sum{.op = Aggregate::sum};
      const BufferView codes = d.codes.view(), validity = d.validity.view(), in = sales.view();
      const BufferView keys = out_codes.view(), sums = out_sums.view(),
                       key_validity = out_validity.view();
      group_by(r,
               {.keys = {&key, 1},
                .values = {&value, 1},
                .aggregations = {&sum, 1},
                .count = cities.rows(),
                .null_keys = null_keys},
               {.keys = {&codes, 1},
                .key_validity = {&validity, 1},
                .values = {&in, 1},
                .out_keys = {&keys, 1},
                .out_key_validity = {&key_validity, 1},
                .out = {&sums, 1},
                .group_count = group_count.view()});
      names = strings::gather(r, d.dictionary, out_codes, group_count, d.dictionary.byte_bound());
    });
    CHECK(context().download(group_count)[0] == groups);
    HostStrings found = download_strings(context(), names);
    found.resize(3);
    CHECK(found == HostStrings{"Rome", "Oslo", ""});
    std::vector<std::uint64_t> totals{137, 34, 16, 68};
    totals.resize(groups);
    CHECK(context().download(out_sums, 0, groups) == totals);
    if (groups_nulls) CHECK((context().download(out_validity)[0] & 15) == 7);
  }
}

TEST_CASE("strings dictionary_encode: smoke" * doctest::test_suite("smoke")) {
  const HostStrings rows = repeated(1100, random_strings(60, 1, {.nulls = 10}), 1);
  for (const Schedule schedule : kRopeSchedules) check_encode(rows, layout(3, schedule));
}

}  // namespace vkprims::test
