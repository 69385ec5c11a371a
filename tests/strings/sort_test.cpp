// Sorts of columns of strings: their order, also for rows that share their first bytes.
#include "oracles/strings/order.hpp"
#include "spirv/strings_argsort_merge.hpp"
#include "strings/argsort/argsort.abi.h"
#include "strings/layouts.hpp"
#include "support/spirv_reader.hpp"
#include "support/wrong_input.hpp"
#include "vkprims/strings.hpp"

namespace vkprims::test {
namespace {

namespace oracle = vkprims::oracle::strings;
using Desc = strings::ArgsortStringsDesc;
using strings::NullOrder;
using Indices = std::vector<std::uint32_t>;

constexpr std::uint64_t kTile = VKP_ARGSORT_TILE;

Indices expected_order(const HostStrings& rows, const Desc& desc) {
  return oracle::argsort(
      rows, desc.nulls == NullOrder::first ? oracle::Nulls::first : oracle::Nulls::last,
      desc.order == SortOrder::descending);
}

void check_argsort(const StringColumnView& in, const Desc& desc, const Indices& expected,
                   const Device& d = device()) {
  const Guarded indices(4 * in.rows, 4);
  const DirtyScratch scratch(strings::argsort_scratch(d, desc, in.rows, in.chars.bytes));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(strings::record_argsort(
        cmd, d, desc, {.in = in, .indices = indices.view(), .scratch = scratch.get()}));
  });
  CHECK(difference(indices.read<std::uint32_t>(), expected) == "");
}

// Returns one of the four orders, in turn by the number.
Desc desc_of(std::uint64_t i, Schedule schedule = Schedule::automatic) {
  return {.order = i % 2 ? SortOrder::descending : SortOrder::ascending,
          .nulls = i / 2 % 2 ? NullOrder::first : NullOrder::last,
          .schedule = schedule};
}

void check_rows_in_order(const HostStrings& rows, const Desc& desc, const Placement& in = {}) {
  const PlacedColumn column(rows, in);
  check_argsort(column.view(), desc, expected_order(rows, desc));
}

void check_all_orders(const HostStrings& rows) {
  for (std::uint64_t i = 0; i < 4; ++i) {
    CAPTURE(i);
    check_rows_in_order(rows, desc_of(i), layout(i + 7, Schedule::automatic).in);
  }
}

// Returns n rows that begin with `prefix`, `distinct` of them different.
HostStrings rows_with_prefix(std::uint64_t n, const std::string& prefix, std::uint64_t distinct,
                             std::uint32_t seed) {
  std::mt19937_64 engine(seed);
  HostStrings different, rows(n);
  for (std::uint64_t i = 0; i < distinct; ++i) {
    different.push_back(prefix + random_string(engine, engine() % 12, {.invalid = 10}));
  }
  for (auto& row : rows) row = different[engine() % distinct];
  return rows;
}

void shuffle(HostStrings& rows) {
  std::mt19937_64 engine(1);
  for (std::size_t i = rows.size(); i > 1; --i) std::swap(rows[i - 1], rows[engine() % i]);
}

// Returns all texts of up to `most` of these bytes.
HostStrings all_texts(std::string_view bytes, std::size_t most) {
  HostStrings texts{""};
  for (std::size_t begin = 0, length = 1; length <= most; ++length) {
    const std::size_t end = texts.size();
    for (; begin < end; ++begin) {
      for (const char byte : bytes) texts.push_back(*texts[begin] + byte);
    }
  }
  return texts;
}

}  // namespace

TEST_CASE("strings sort: rows of every shape, alignment, number and length") {
  std::uint64_t i = 0;
  for_each_layout(kRopeSchedules, [&](const HostStrings& rows, const Layout& layout) {
    check_rows_in_order(rows, desc_of(i++, layout.schedule), layout.in);
  });
}

TEST_CASE("strings sort: rows that tie, of numbers around those of tiles and of merges") {
  std::vector<std::uint64_t> counts{0, 1, 2, 3, 7, 8, 9, 63, 64, 65, kTile - 1, kTile, kTile + 1};
  for (const std::uint64_t tiles : {2, 3, 4, 5, 8, 9}) {
    counts.insert(counts.end(), {tiles * kTile - 1, tiles * kTile, tiles * kTile + 1});
  }
  if (!subset()) counts.push_back(33 * kTile + 7);
  for (const std::uint64_t n : counts) {
    CAPTURE(n);
    if (subset() && n > 6 * kTile) continue;
    for (const std::uint64_t distinct : {n + 1, std::uint64_t{20}}) {
      check_rows_in_order(rows_with_prefix(n, "12345678", distinct, std::uint32_t(n)),
                          desc_of(n / 3 + distinct % 2));
    }
  }
}

TEST_CASE("strings sort: few rows that tie among many, in one tile and in several") {
  const std::uint64_t n = 20 * kTile;
  for (const std::uint64_t tied :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{300}, kTile, kTile + 1,
        2 * kTile + 1, 4 * kTile, 4 * kTile + 1, 9 * kTile}) {
    if (subset() && tied > 3 * kTile) continue;
    CAPTURE(tied);
    HostStrings rows(n);
    for (std::uint64_t i = 0; i < n; ++i) {
      // Rows differ in their first eight bytes, except in runs of 1, 2, 3 … rows.
      std::uint64_t x = i * 0x9e3779b97f4a7c15u;
      const std::uint64_t first = i * 8 / 9;
      if (i < tied) x = (first - first % (1 + first % 40)) * 0x9e3779b97f4a7c15u;
      rows[i] = std::string(reinterpret_cast<const char*>(&x), 8);
      if (i < tied) *rows[i] += std::to_string(i * 7919 % 1000);
    }
    shuffle(rows);
    check_rows_in_order(rows, desc_of(tied / 3));
  }
}

TEST_CASE("strings sort: rows that differ first behind a common prefix of any length") {
  for (const std::size_t bytes :
       {1, 7, 8, 9, 11, 12, 15, 16, 17, 19, 20, 31, 32, 33, 47, 48, 100, 1000}) {
    if (subset() && bytes % 8 != 0) continue;
    CAPTURE(bytes);
    const std::string prefix = std::string(bytes, 'p');
    HostStrings rows = rows_with_prefix(kTile / 2, prefix, 300, std::uint32_t(bytes));
    for (const std::size_t shorter : {bytes, bytes - 1, bytes / 2}) {
      rows.push_back(prefix.substr(0, shorter));
      rows.push_back(prefix.substr(0, shorter) + '\0');
      rows.push_back(prefix.substr(0, shorter) + "\xff");
    }
    rows.push_back(std::nullopt);
    shuffle(rows);
    check_all_orders(rows);
  }
}

TEST_CASE(
    "strings sort: rows that begin with others, zeros and bytes above 127, anywhere in a word") {
  const std::string_view bytes("\0a\x7f\x80\xff", 5);
  for (const char filling : {'\0', 'a', '\xff'}) {
    HostStrings rows{std::nullopt, std::nullopt};
    for (const std::size_t before : {0, 5, 6, 7, 8, 13, 14, 15, 16, 22, 30}) {
      if (subset() && before % 8 != 0) continue;
      for (const auto& text : all_texts(bytes, 3)) {
        rows.push_back(std::string(before, filling) + *text);
      }
    }
    shuffle(rows);
    check_all_orders(rows);
  }
}

TEST_CASE("strings sort: nulls go where they are told, also past rows with the same first bytes") {
  for (const std::uint64_t n : {std::uint64_t{1}, std::uint64_t{31}, 2 * kTile + 5}) {
    CAPTURE(n);
    check_all_orders(HostStrings(n, std::nullopt));
    HostStrings rows;
    std::mt19937_64 engine(n);
    for (std::uint64_t i = 0; i < n; ++i) {
      rows.push_back(std::string(engine() % 40, engine() % 2 ? '\0' : '\xff'));
      if (engine() % 3 == 0) rows.back().reset();
    }
    check_all_orders(rows);
  }
}

TEST_CASE("strings sort: equal rows keep their order, whichever the order is") {
  for (const std::string& text : {std::string(), std::string(8, '\xff'), std::string(70, 'x')}) {
    check_all_orders(HostStrings(5 * kTile / 2, text));
  }
  check_all_orders(rows_with_prefix(6 * kTile + 3, std::string(20, 'p'), 5, 3));
}

TEST_CASE("strings sort: long rows that have all but their ends in common") {
  HostStrings rows;
  for (const char* end : {"b", "a", "", "ab", "b", "\xff"}) {
    rows.push_back(std::string(50 << 10, 'x') + end);
  }
  check_all_orders(rows);
}

TEST_CASE("strings sort: long rows that differ in one byte, in a block of any level") {
  HostStrings rows;
  for (const std::size_t at : {20, 300, 600, 5'000, 40'000, 69'000}) {
    for (const char other : {'a', 'y', 'z'}) {
      rows.push_back(std::string(70'000, 'x'));
      (*rows.back())[at] = other;
      rows.push_back(rows.back()->substr(0, at + 700));
    }
  }
  check_all_orders(rows);
}

TEST_CASE("strings sort: rows of hostile offsets are cut to the bytes that there are") {
  std::mt19937_64 engine(5);
  const std::string chars = random_string(engine, 500, {.invalid = 10});
  const Guarded placed_chars(std::vector<std::uint8_t>(chars.begin(), chars.end()), 3);
  const std::uint64_t n = 2 * kTile + 100;
  for (std::uint64_t i = 0; i < 4; ++i) {
    CAPTURE(i);
    std::vector<std::uint32_t> offsets(n + 1);
    for (auto& offset : offsets) offset = static_cast<std::uint32_t>(engine() % 640);
    if (i == 1) std::sort(offsets.rbegin(), offsets.rend());
    if (i == 2) {
      for (auto& offset : offsets) offset *= 0x01234567u;
    }
    HostStrings rows(n);
    for (std::uint64_t k = 0; k < n; ++k) {
      const std::uint64_t begin = offsets[k];
      const std::uint64_t end = std::min<std::uint64_t>(offsets[k + 1], chars.size());
      rows[k] = begin < end ? chars.substr(begin, end - begin) : "";
    }
    const Guarded placed_offsets(offsets);
    const StringColumnView in{
        .offsets = placed_offsets.view(), .chars = placed_chars.view(), .rows = n};
    check_argsort(in, desc_of(i), expected_order(rows, desc_of(i)));
  }
}

TEST_CASE("strings sort: twice in one command buffer, and replayed, with one dirty scratch") {
  const Device& d = device(kTinyTiles);
  const HostStrings all[] = {rows_with_prefix(3 * kTile, "12345678", 100, 1),
                             random_strings(3 * kTile - 5, 2, {.nulls = 10})};
  const PlacedColumn columns[] = {{all[0], {}}, {all[1], {.rows_before = 5}}};
  const Guarded indices[] = {Guarded(4 * all[0].size()), Guarded(4 * all[1].size(), 8)};
  const DirtyScratch scratch(strings::argsort_scratch(d, {}, 3 * kTile, 1 << 20));
  const auto verify = [&] {
    for (int i = 0; i < 2; ++i) {
      CHECK(difference(indices[i].read<std::uint32_t>(), expected_order(all[i], {})) == "");
    }
  };
  const auto record = [&](VkCommandBuffer cmd, int i) {
    return strings::record_argsort(
        cmd, d, {},
        {.in = columns[i].view(), .indices = indices[i].view(), .scratch = scratch.get()});
  };
  if (!subset())
    return replay(
        d, [] {}, record, verify);
  run([&](VkCommandBuffer cmd) {
    for (int i = 0; i < 2; ++i) {
      throw_if_error(record(cmd, i));
      throw_if_error(record_barrier(cmd, d));
    }
  });
  verify();
}

TEST_CASE("strings sort: a step of a Recorder gives the rows in order, or their numbers") {
  const HostStrings rows = random_strings(3000, 9, {.nulls = 10});
  const auto with_nulls = upload_strings(context(), rows);
  const auto few =
      upload_strings(context(), std::vector<std::string>{"b", "", "ab", "b", "a"}, IndexWidth::u64);
  const auto none = upload_strings(context(), std::vector<std::string>{});
  const Desc turned{.order = SortOrder::descending, .nulls = NullOrder::first};
  StringColumn up, down, of_few, of_none;
  Buffer<std::uint32_t> order, no_order;
  context().run([&](Recorder& r) {
    up = strings::sort(r, with_nulls);
    down = strings::sort(r, with_nulls, turned);
    of_few = strings::sort(r, few);
    order = strings::argsort(r, few);
    of_none = strings::sort(r, none);
    no_order = strings::argsort(r, none);
  });
  CHECK(difference(download_strings(context(), up), oracle::sort(rows)) == "");
  CHECK(difference(download_strings(context(), down),
                   oracle::sort(rows, oracle::Nulls::first, true)) == "");
  CHECK(download_strings(context(), of_few) == HostStrings{"", "a", "ab", "b", "b"});
  CHECK(context().download(order) == Indices{1, 4, 2, 0, 3});
  CHECK(download_strings(context(), of_none).empty());
  CHECK(no_order.size() == 0);
  CHECK(up.byte_bound() == with_nulls.byte_bound());
  CHECK(up.nullable());
  CHECK(!of_few.nullable());
}

TEST_CASE("strings sort: scratch grows with the rows and is nothing for what is invalid") {
  for (const Tuning& tuning : {Tuning{}, kTinyTiles}) {
    const Device& d = device(tuning);
    for (const Schedule schedule :
         {Schedule::automatic, Schedule::look_back, Schedule::multi_pass}) {
      VkDeviceSize last = 0;
      for (std::uint64_t rows = 1; rows <= kMaxStringRows; rows = 2 * rows + 1) {
        const VkDeviceSize bytes =
            strings::argsort_scratch(d, {.schedule = schedule}, rows, 0).bytes;
        CHECK(bytes >= last);
        last = bytes;
      }
      const VkDeviceSize bytes =
          strings::argsort_scratch(d, {.schedule = schedule}, 1 << 21, 511).bytes;
      if (!tuning.workgroup_size) CHECK(bytes < 42u << 21);
    }
    CHECK(strings::argsort_scratch(d, {}, 0, 1000).bytes == 0);
    CHECK(strings::argsort_scratch(d, {}, kMaxStringRows + 1, 1000).bytes == 0);
    CHECK(strings::argsort_scratch(d, {.order = SortOrder(2)}, 1, 1000).bytes == 0);
  }
  CHECK(strings::argsort_scratch(Device(), {}, 1, 1000).bytes == 0);
}

TEST_CASE("strings sort: wrong input is refused by name before anything is recorded") {
  const Device& d = device();
  const std::uint64_t n = 1000;
  const auto memory = context().upload(std::vector<std::uint32_t>(1 << 16, 0));
  const DeviceSpan<std::uint32_t> all = memory.span();
  const StringColumnView in{.offsets = all.slice(0, n + 1).view(),
                            .chars = all.slice(1100, 500).view(),
                            .validity = all.slice(1700, 40).view(),
                            .rows = n,
                            .first_bit = 3};
  const ScratchNeed need = strings::argsort_scratch(d, {}, n, in.chars.bytes);
  const WrongInput wrong(d, &strings::record_argsort, Desc{},
                         strings::ArgsortStringsBuffers{
                             .in = in,
                             .indices = all.slice(2000, n).view(),
                             .scratch = scratch_view(d, memory.handle(), 1 << 14, need.bytes)});
  wrong.anywhere();
  wrong.scratch("argsort_scratch()");
  wrong.desc({"order is 2"}, [](auto& x) { x.order = SortOrder(2); });
  wrong.desc({"nulls is 2"}, [](auto& x) { x.nulls = NullOrder(2); });
  wrong.desc({"schedule is 3"}, [](auto& x) { x.schedule = Schedule(3); });
  wrong.buffers({"in.rows is 2147483648", "2147483647"},
                [](auto& x) { x.in.rows = kMaxStringRows + 1; });
  wrong.buffers({"in.first_bit is 32"}, [](auto& x) { x.in.first_bit = 32; });
  wrong.buffers({"offset_width is 2"}, [](auto& x) { x.in.offset_width = IndexWidth(2); });
  wrong.buffers({"in.offsets.bytes is 4003", "4004"}, [](auto& x) { x.in.offsets.bytes = 4003; });
  wrong.buffers({"in.chars", "address is 0"}, [](auto& x) { x.in.chars.address = 0; });
  wrong.buffers({"in.validity", "multiple of 4"}, [](auto& x) { x.in.validity.address += 1; });
  wrong.buffers({"indices.address is 0"}, [](auto& x) { x.indices.address = 0; });
  wrong.buffers({"indices.bytes is 3999", "4000"}, [](auto& x) { x.indices.bytes = 3999; });
  wrong.buffers({"indices.address", "multiple of 4"}, [](auto& x) { x.indices.address += 2; });
  wrong.buffers({"in.chars [", "indices [", "overlap"},
                [](auto& x) { x.indices.address = x.in.chars.address; });
  wrong.buffers({"indices [", "scratch [", "overlap"},
                [](auto& x) { x.indices.address = x.scratch.address; });
}

TEST_CASE("strings sort: a device that compiles nothing while recording takes what warm_up made") {
  DeviceInfo info = device().state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  const HostStrings rows = rows_with_prefix(5000, "12345678", 100, 1);
  const PlacedColumn column(rows, {});
  for (const Schedule schedule : kRopeSchedules) {
    const Desc desc{.schedule = schedule};
    Device cold;
    throw_if_error(create_device(info, limits(), cold));
    const Guarded indices(4 * rows.size());
    const DirtyScratch scratch(
        strings::argsort_scratch(cold, desc, rows.size(), column.view().chars.bytes));
    expect_error(Status::not_warmed, {"warm_up"}, [&](VkCommandBuffer cmd) {
      return strings::record_argsort(
          cmd, cold, desc,
          {.in = column.view(), .indices = indices.view(), .scratch = scratch.get()});
    });
    throw_if_error(warm_up(cold, desc));
    check_argsort(column.view(), desc, expected_order(rows, desc), cold);
  }
  CHECK(warm_up(Device(), Desc{}).code() == Status::invalid_argument);
}

TEST_CASE("strings sort: push constants of the shaders and of C++ have the same layout") {
  CHECK(push_matches(vkprims::spirv::strings_argsort_merge, sizeof(abi::StringsArgsortPush)));
}

TEST_CASE("strings sort: smoke" * doctest::test_suite("smoke")) {
  check_rows_in_order(random_strings(300, 1, {.nulls = 10}), {});
  check_rows_in_order(rows_with_prefix(kTile + 100, "12345678", 50, 2), desc_of(3));
}

}  // namespace vkprims::test
