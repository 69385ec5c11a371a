// Tests of strings::from_views.
#include "oracles/strings/copying.hpp"
#include "strings/layouts.hpp"
#include "vkprims/strings.hpp"

namespace vkprims::test {
namespace {

struct Views {
  std::string chars;
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint32_t> lengths;
  std::uint32_t null_length = 0xffffffff;

  HostStrings rows() const {
    return oracle::strings::from_views(chars, offsets, lengths, null_length);
  }
};

// Returns views in any order, some overlapping. Most are within the bytes and some reach past their
// end.
Views random_views(std::uint64_t n, std::uint32_t seed, std::uint32_t most = 24) {
  std::mt19937_64 engine(seed);
  Views views;
  views.chars = random_string(engine, 1000 + seed % 7, {.invalid = 5});
  for (std::uint64_t i = 0; i < n; ++i) {
    views.offsets.push_back(engine() % (views.chars.size() + 20));
    const auto length = static_cast<std::uint32_t>(engine() % (most + 1));
    views.lengths.push_back(engine() % 8 == 0 ? views.null_length : length);
  }
  return views;
}

// Views in device memory.
class PlacedViews {
 public:
  PlacedViews(const Views& views, const Placement& p)
      : width(p.width),
        chars_(std::vector<char>(views.chars.begin(), views.chars.end()), p.chars_at),
        offsets_(words_of(views.offsets, p.width), 8),
        lengths_(views.lengths, 4) {}
  const IndexWidth width;
  BufferView chars() const { return chars_.view(); }
  BufferView offsets() const { return offsets_.view(); }
  BufferView lengths() const { return lengths_.view(); }

 private:
  static std::vector<std::uint32_t> words_of(const std::vector<std::uint64_t>& offsets,
                                             IndexWidth width) {
    std::vector<std::uint32_t> words;
    for (const std::uint64_t offset : offsets) {
      words.push_back(static_cast<std::uint32_t>(offset));
      if (width == IndexWidth::u64) words.push_back(static_cast<std::uint32_t>(offset >> 32));
    }
    return words;
  }
  Guarded chars_, offsets_, lengths_;
};

void check_views(const Views& views, const Layout& layout) {
  const Device& d = device();
  const PlacedViews placed(views, layout.in);
  const strings::FromViewsDesc desc{
      .null_length = views.null_length, .offset_width = placed.width, .schedule = layout.schedule};
  check_rows(views.rows(), layout.to, strings::from_views_scratch(d, desc, views.lengths.size()),
             [&](VkCommandBuffer cmd, const StringColumnOut& out, const Scratch& scratch) {
               return strings::record_from_views(cmd, d, desc,
                                                 {.chars = placed.chars(),
                                                  .offsets = placed.offsets(),
                                                  .lengths = placed.lengths(),
                                                  .out = out,
                                                  .scratch = scratch});
             });
}

void check_bytes(const Device& d, const Views& views, const Placement& in) {
  const PlacedViews placed(views, in);
  const strings::ViewBytesDesc desc{.null_length = views.null_length, .offset_width = placed.width};
  const Guarded out(8);
  const DirtyScratch scratch(strings::view_bytes_scratch(d, desc, views.lengths.size()));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(strings::record_view_bytes(cmd, d, desc,
                                              {.chars = placed.chars(),
                                               .offsets = placed.offsets(),
                                               .lengths = placed.lengths(),
                                               .out = out.view(),
                                               .scratch = scratch.get()}));
  });
  CHECK(out.read<std::uint64_t>()[0] == PlacedResult::bytes_of(views.rows()));
}

}  // namespace

TEST_CASE("strings from views: any number of rows, at any alignment") {
  for (const Schedule schedule : kRopeSchedules) {
    for (const std::uint64_t n : edge_counts(strings_tile(device()))) {
      CAPTURE(n);
      check_views(random_views(n, static_cast<std::uint32_t>(n)), layout(n, schedule));
    }
  }
  for (std::uint64_t i = 0; i < (subset() ? 5 : 32); ++i) {
    CAPTURE(i);
    check_views(random_views(300, 7, 70), layout(i, kRopeSchedules[i % 2]));
  }
}

TEST_CASE("strings from views: hostile offsets and lengths are cut to the bytes that there are") {
  const std::uint32_t most = 0xffffffff;
  Views views{.chars = "0123456789",
              .offsets = {0, 9, 10, 11, 5, 0xffffffff, 3, 0, 0xfffffff8, 2},
              .lengths = {most, most, 5, 1, 0x80000000, 4, most - 1, 0, 20, 7},
              .null_length = 7};
  check_views(views, {});
  views.offsets[0] = ~0ull;
  views.offsets[1] = ~0ull - 4;
  views.offsets[2] = 1ull << 32;
  views.offsets[4] = (1ull << 32) + 5;
  check_views(views, layout(1, Schedule::look_back));
  check_bytes(device(), views, layout(1, {}).in);
  views.chars.clear();
  check_views(views, {});
  views.null_length = 0;
  check_views(views, {});
}

TEST_CASE("strings from views: rows of many bytes") {
  Views views = random_views(600, 3);
  std::mt19937_64 engine(1);
  views.chars = random_string(engine, 100'000, {});
  views.offsets[5] = 0, views.lengths[5] = 100'000;
  views.offsets[511] = 1, views.lengths[511] = 40'001;
  views.offsets[512] = 70'003, views.lengths[512] = 40'000;
  for (const Schedule schedule : kRopeSchedules) check_views(views, layout(3, schedule));
}

TEST_CASE("strings from views: too little room is reported with what is needed") {
  const Device& d = device();
  const Views views = random_views(2000, 5);
  const PlacedViews placed(views, {});
  const PlacedResult result(views.rows(), IndexWidth::u32, 1, 99);
  const Guarded report(std::vector<std::uint64_t>(4, 0));
  const DirtyScratch scratch(strings::from_views_scratch(d, {}, 2000));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(strings::record_from_views(cmd, d, {},
                                              {.chars = placed.chars(),
                                               .offsets = placed.offsets(),
                                               .lengths = placed.lengths(),
                                               .out = result.out(true),
                                               .report = report.view(),
                                               .scratch = scratch.get()}));
  });
  result.check(true);
  CHECK(report.read<std::uint64_t>()[1] == 99);
  CHECK(report.read<std::uint64_t>()[3] == PlacedResult::bytes_of(views.rows()));
}

TEST_CASE("strings from views: how many bytes they have is counted, of any number") {
  for (const Tuning& tuning : {Tuning{}, kTinyTiles}) {
    for (const std::uint64_t n : {0, 1, 127, 128, 129, 5000, 20'000}) {
      CAPTURE(n);
      check_bytes(device(tuning), random_views(n, 2), layout(n, {}).in);
    }
  }
}

TEST_CASE("strings from views: of a Recorder with a bound, of a Context with just the bytes") {
  Views views = random_views(700, 9);
  views.null_length = 3;
  const HostStrings expected = views.rows();
  const std::uint64_t bytes = PlacedResult::bytes_of(expected);
  const auto chars =
      context().upload(std::vector<std::uint8_t>(views.chars.begin(), views.chars.end()));
  const auto offsets = context().upload(views.offsets);
  const auto narrow =
      context().upload(std::vector<std::uint32_t>(views.offsets.begin(), views.offsets.end()));
  const auto lengths = context().upload(views.lengths);
  StringColumn bounded;
  context().run([&](Recorder& r) {
    bounded = strings::make_strings(r, chars, offsets, lengths, bytes + 5, 3);
  });
  CHECK(difference(download_strings(context(), bounded), expected) == "");
  for (const auto& exact : {strings::make_strings(context(), chars, offsets, lengths, 3),
                            strings::make_strings(context(), chars, narrow, lengths, 3)}) {
    CHECK(exact.byte_bound() == bytes);
    CHECK(difference(download_strings(context(), exact), expected) == "");
  }
  const auto none = context().allocate<std::uint32_t>(0);
  CHECK(strings::make_strings(context(), chars, none, none).rows() == 0);
}

TEST_CASE("strings: a column of buffers that are too small is refused by name") {
  const auto refused = [](std::uint64_t offsets, std::uint64_t chars, std::uint64_t validity,
                          std::uint64_t bytes, const char* words) {
    const auto make = [&] {
      return StringColumn(context().allocate<std::uint32_t>(offsets),
                          context().allocate<std::uint8_t>(chars),
                          context().allocate<std::uint32_t>(validity), bytes);
    };
    CHECK_THROWS_WITH_AS(make(), doctest::Contains(words), Error);
  };
  refused(0, 0, 0, 0, "offsets.size() is 0");
  refused(34, 8, 1, 8, "validity.size() is 1, must be 0 or at least 2 for 33 rows");
  refused(34, 8, 2, 9, "chars.size() is 8, fewer than the 9 bytes");
}

TEST_CASE("strings from views: a small column by both schedules") {
  for (const Schedule schedule : kRopeSchedules)
    check_views(random_views(600, 1), {.schedule = schedule});
  check_bytes(device(), random_views(600, 1), {});
}

TEST_CASE("strings from views: smoke" * doctest::test_suite("smoke")) {
  check_views(random_views(600, 1), {.schedule = Schedule::look_back});
  check_bytes(device(), random_views(600, 1), {});
}

}  // namespace vkprims::test
