// How operations on strings are called: pipelines, scratch, push constants, and wrong arguments.
#include "spirv/strings_concatenate.hpp"
#include "spirv/strings_copy_if_else.hpp"
#include "spirv/strings_from_views.hpp"
#include "spirv/strings_gather.hpp"
#include "spirv/strings_matches.hpp"
#include "spirv/strings_numbers.hpp"
#include "spirv/strings_slice.hpp"
#include "spirv/strings_slice_step.hpp"
#include "spirv/strings_split.hpp"
#include "spirv/strings_strip.hpp"
#include "spirv/strings_totals.hpp"
#include "strings/layouts.hpp"
#include "strings/totals/totals.abi.h"
#include "support/spirv_reader.hpp"
#include "support/wrong_input.hpp"
#include "vkprims/strings/concatenate.hpp"
#include "vkprims/strings/copy_if_else.hpp"
#include "vkprims/strings/find.hpp"
#include "vkprims/strings/from_views.hpp"
#include "vkprims/strings/gather.hpp"
#include "vkprims/strings/match.hpp"
#include "vkprims/strings/null_count.hpp"
#include "vkprims/strings/slice.hpp"
#include "vkprims/strings/split.hpp"
#include "vkprims/strings/strip.hpp"

namespace vkprims::test {
namespace {

constexpr std::uint64_t kRows = 1000;

// Memory for the arguments of any correct call. Its content does not matter, except for hostile
// data.
struct Memory {
  Buffer<std::uint32_t> buffer = context().upload(std::vector<std::uint32_t>(1 << 18, 0));
  DeviceSpan<std::uint32_t> all = buffer.span();

  StringColumnView column(std::uint64_t at) const {
    return {.offsets = all.slice(at, kRows + 1).view(),
            .chars = all.slice(at + 1100, 500).view(),
            .validity = all.slice(at + 1700, 40).view(),
            .rows = kRows,
            .first_bit = 3};
  }
  StringColumnView in() const { return column(0); }
  StringColumnView other() const { return column(2048); }
  BitsView bits() const {
    return {.bits = all.slice(5000, 40).view(),
            .validity = all.slice(5100, 40).view(),
            .rows = kRows,
            .first_bit = 31};
  }
  BufferView indices() const { return all.slice(6000, kRows).view(); }
  BufferView values() const { return all.slice(8000, kRows + 1).view(); }
  BufferView validity() const { return all.slice(10'000, 32).view(); }
  StringColumnOut out() const {
    return {.offsets = values(), .chars = all.slice(11'000, 500).view(), .validity = validity()};
  }
  BufferView report() const { return all.slice(12'000, 8).view(); }
  Scratch scratch(const Device& d, std::uint64_t bytes) const {
    return scratch_view(d, buffer.handle(), 4 * 16'384, bytes);
  }
};

// Checks that a device that compiles nothing while recording refuses a call before warm_up and
// records it afterwards.
template <class Desc, class Buffers>
void check_warm_up(Status (*record)(VkCommandBuffer, const Device&, const Desc&, const Buffers&),
                   Desc desc, Buffers buffers, const Memory& memory) {
  DeviceInfo info = device().state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  const bool once = !requires { desc.schedule; };
  for (const Schedule schedule : kRopeSchedules) {
    if (once && schedule == Schedule::multi_pass) continue;
    if constexpr (requires { desc.schedule; }) desc.schedule = schedule;
    Device cold;
    throw_if_error(create_device(info, limits(), cold));
    buffers.scratch = memory.scratch(cold, 1 << 19);
    expect_error(Status::not_warmed, {"warm_up"},
                 [&](VkCommandBuffer cmd) { return record(cmd, cold, desc, buffers); });
    throw_if_error(warm_up(cold, desc));
    context().run([&](Recorder& r) {
      r.commands([&](VkCommandBuffer cmd) { throw_if_error(record(cmd, cold, desc, buffers)); });
    });
  }
  CHECK(warm_up(Device(), desc).code() == Status::invalid_argument);
}

// Checks what may be wrong with any column that is read.
template <class Wrong, class Column>
void check_wrong_column(const Wrong& wrong, const char* name, Column&& column) {
  const std::string prefix = name;
  const auto refuse = [&](std::initializer_list<const char*> words, auto&& change) {
    wrong.buffers(words, [&](auto& x) { change(column(x)); });
  };
  const std::string rows = prefix + ".rows is 2147483648", bit = prefix + ".first_bit is 32",
                    offsets = prefix + ".offsets.", chars = prefix + ".chars",
                    validity = prefix + ".validity.";
  refuse({rows.c_str(), "2147483647"}, [](auto& c) { c.rows = kMaxStringRows + 1; });
  refuse({bit.c_str(), "0 … 31"}, [](auto& c) { c.first_bit = 32; });
  refuse({"offset_width is 2"}, [](auto& c) { c.offset_width = IndexWidth(2); });
  refuse({offsets.c_str(), "address is 0"}, [](auto& c) { c.offsets.address = 0; });
  refuse({offsets.c_str(), "bytes is 4003", "4004"}, [](auto& c) { c.offsets.bytes = 4003; });
  refuse({offsets.c_str(), "bytes is 4004", "8008"},
         [](auto& c) { c.offset_width = IndexWidth::u64; });
  refuse({offsets.c_str(), "multiple of 4"}, [](auto& c) { c.offsets.address += 2; });
  refuse({chars.c_str(), "address is 0"}, [](auto& c) { c.chars.address = 0; });
  refuse({chars.c_str(), "address space"}, [](auto& c) { c.chars.bytes = ~0ull; });
  refuse({validity.c_str(), "bytes is 124", "128"}, [](auto& c) { c.validity.bytes = 124; });
  refuse({validity.c_str(), "multiple of 4"}, [](auto& c) { c.validity.address += 1; });
}

// Checks what may be wrong with any result that is a column.
template <class Wrong>
void check_wrong_result(const Wrong& wrong, const StringColumnView& in) {
  wrong.desc({"schedule is 3"}, [](auto& x) { x.schedule = Schedule(3); });
  wrong.buffers({"out.offset_width is 2"}, [](auto& x) { x.out.offset_width = IndexWidth(2); });
  wrong.buffers({"out.offsets.address is 0"}, [](auto& x) { x.out.offsets.address = 0; });
  wrong.buffers({"out.offsets.bytes is 4003", "4004"}, [](auto& x) { x.out.offsets.bytes = 4003; });
  wrong.buffers({"out.offsets.address", "multiple of 8"}, [](auto& x) {
    x.out.offset_width = IndexWidth::u64;
    x.out.offsets = {x.out.offsets.address + 4, 9000};
  });
  wrong.buffers({"out.chars.address is 0"}, [](auto& x) { x.out.chars.address = 0; });
  wrong.buffers({"out.validity.bytes is 124", "128"}, [](auto& x) { x.out.validity.bytes = 124; });
  wrong.buffers({"out.validity.address", "multiple of 4"},
                [](auto& x) { x.out.validity.address += 2; });
  wrong.buffers({"report.bytes is 31", "32"}, [](auto& x) { x.report.bytes = 31; });
  wrong.buffers({"report.address", "multiple of 8"}, [](auto& x) { x.report.address += 4; });
  wrong.buffers({".chars [", "out.chars [", "overlap"}, [&](auto& x) {
    x.out.chars = {in.chars.address + in.chars.bytes - 1, 16};
  });
  wrong.buffers({".offsets [", "out.offsets [", "overlap"},
                [&](auto& x) { x.out.offsets.address = in.offsets.address; });
  wrong.buffers({"out.offsets [", "out.chars [", "overlap"},
                [](auto& x) { x.out.chars.address = x.out.offsets.address + 3; });
  wrong.buffers({"out.chars [", "scratch", "overlap"},
                [](auto& x) { x.out.chars.address = x.scratch.address; });
}

}  // namespace

TEST_CASE("strings: warm_up compiles all that recording needs") {
  const Memory m;
  const std::vector<StringColumnView> columns{m.in(), m.other()};
  check_warm_up<strings::SliceDesc, strings::SliceBuffers>(&strings::record_slice, {},
                                                           {.in = m.in(), .out = m.out()}, m);
  check_warm_up<strings::SliceDesc, strings::SliceBuffers>(&strings::record_slice, {.stop = 3},
                                                           {.in = m.in(), .out = m.out()}, m);
  if (!exhaustive()) return;
  check_warm_up<strings::SliceDesc, strings::SliceBuffers>(&strings::record_slice, {.step = -2},
                                                           {.in = m.in(), .out = m.out()}, m);
  check_warm_up<strings::SliceDesc, strings::SliceBuffers>(
      &strings::record_slice, {.per_row = true},
      {.in = m.in(), .starts = m.indices(), .out = m.out()}, m);
  check_warm_up<strings::StripDesc, strings::StripBuffers>(&strings::record_strip, {},
                                                           {.in = m.in(), .out = m.out()}, m);
  check_warm_up<strings::SplitDesc, strings::SplitBuffers>(
      &strings::record_split, {.delimiter = ","}, {.in = m.in(), .out = m.out()}, m);
  check_warm_up<strings::GatherStringsDesc, strings::GatherStringsBuffers>(
      &strings::record_gather, {}, {.in = m.in(), .indices = m.indices(), .out = m.out()}, m);
  check_warm_up<strings::GatheredBytesDesc, strings::GatheredBytesBuffers>(
      &strings::record_gathered_bytes, {},
      {.in = m.in(), .indices = m.indices(), .out = m.report()}, m);
  check_warm_up<strings::FromViewsDesc, strings::FromViewsBuffers>(
      &strings::record_from_views, {},
      {.chars = m.in().chars, .offsets = m.other().offsets, .lengths = m.indices(), .out = m.out()},
      m);
  check_warm_up<strings::ViewBytesDesc, strings::ViewBytesBuffers>(&strings::record_view_bytes, {},
                                                                   {.chars = m.in().chars,
                                                                    .offsets = m.other().offsets,
                                                                    .lengths = m.indices(),
                                                                    .out = m.report()},
                                                                   m);
  check_warm_up<strings::NullCountDesc, strings::NullCountBuffers>(
      &strings::record_null_count, {.rows = kRows}, {.validity = m.bits().bits, .out = m.report()},
      m);
  check_warm_up<strings::CopyIfElseDesc, strings::CopyIfElseBuffers>(
      &strings::record_copy_if_else, {.a_is_scalar = true, .a_text = "a"},
      {.b = m.in(), .mask = m.bits(), .out = m.out()}, m);
  check_warm_up<strings::ConcatenateDesc, strings::ConcatenateBuffers>(
      &strings::record_concatenate, {.separator = " "}, {.columns = columns, .out = m.out()}, m);
  check_warm_up<strings::MatchDesc, strings::MatchBuffers>(
      &strings::record_match, {.of_column = true},
      {.in = m.in(), .targets = m.other(), .out = m.values(), .validity = m.validity()}, m);
  check_warm_up<strings::FindDesc, strings::FindBuffers>(
      &strings::record_find, {.number = strings::StringNumber::rfind, .text = "a"},
      {.in = m.in(), .out = m.values(), .validity = m.validity()}, m);
  // Columns without nulls have pipelines of their own.
  StringColumnView plain = m.in();
  plain.validity = {};
  check_warm_up<strings::MatchDesc, strings::MatchBuffers>(&strings::record_match, {.text = "a"},
                                                           {.in = plain, .out = m.values()}, m);
  check_warm_up<strings::FindDesc, strings::FindBuffers>(
      &strings::record_find, {.number = strings::StringNumber::count, .text = "a"},
      {.in = plain, .out = m.values()}, m);
}

TEST_CASE("strings: scratch grows with the rows and is nothing for what is invalid") {
  const std::string text(65'000, 'x'), long_text(66'000, 'x');
  const auto check = [](auto&& scratch, VkDeviceSize least = 1, bool by_rows = true) {
    for (const Tuning& tuning : {Tuning{}, kTinyTiles}) {
      const Device& d = device(tuning);
      VkDeviceSize last = least;
      for (std::uint64_t rows = 0; rows <= kMaxStringRows; rows = 2 * rows + 1) {
        const VkDeviceSize bytes = scratch(d, rows).bytes;
        CHECK(bytes >= last);
        last = bytes;
      }
      if (by_rows) CHECK(scratch(d, kMaxStringRows + 1).bytes == 0);
    }
    CHECK(scratch(Device(), 1).bytes == 0);
  };
  using Rows = std::uint64_t;
  using D = const Device&;
  check([](D d, Rows n) { return strings::slice_scratch(d, {}, n, n / 2); });
  check([](D d, Rows n) { return strings::slice_scratch(d, {.step = 2}, n, n / 2); });
  check([&](D d, Rows n) { return strings::strip_scratch(d, {.characters = text}, n, n / 2); });
  check([&](D d, Rows n) { return strings::split_scratch(d, {.delimiter = text}, n, n / 2); });
  check([](D d, Rows n) { return strings::slice_scratch(d, {}, 1, n); }, 1, false);
  check([](D d, Rows n) { return strings::change_case_scratch(d, {}, 1, n); }, 1, false);
  check([](D d, Rows n) { return strings::find_scratch(d, {}, n); }, 1, false);
  check([](D d, Rows n) { return strings::gather_scratch(d, {}, n); });
  check([](D d, Rows n) { return strings::gathered_bytes_scratch(d, {}, n); }, 0);
  check([](D d, Rows n) { return strings::from_views_scratch(d, {}, n); });
  check([](D d, Rows n) { return strings::view_bytes_scratch(d, {}, n); }, 0);
  check([&](D d, Rows n) { return strings::copy_if_else_scratch(d, {.b_text = text}, n); });
  check([&](D d, Rows n) { return strings::concatenate_scratch(d, {.separator = text}, 3, n); });
  D d = device();
  CHECK(strings::match_scratch(d, {.text = text}, 0).bytes > text.size());
  CHECK(strings::find_scratch(d, {.text = text}, 0).bytes > text.size());
  CHECK(strings::match_scratch(d, {.text = long_text}, 0).bytes == 0);
  CHECK(strings::find_scratch(d, {.text = long_text}, 0).bytes == 0);
  CHECK(strings::match_scratch(Device(), {}, 0).bytes == 0);
  CHECK(strings::find_scratch(Device(), {}, 0).bytes == 0);
  CHECK(strings::strip_scratch(d, {.characters = long_text}, 1, 1).bytes == 0);
  CHECK(strings::slice_scratch(d, {.step = 0}, 1, 1).bytes == 0);
  CHECK(strings::concatenate_scratch(d, {}, 0, 1).bytes == 0);
  CHECK(strings::concatenate_scratch(d, {}, 2000, 1).bytes == 0);
}

TEST_CASE(
    "strings slice, strip, split: wrong input is refused by name before anything is recorded") {
  const Memory m;
  const Device& d = device();
  const std::string long_text(66'000, 'x');
  const auto check = [&]<class Desc, class Buffers>(Status (*record)(VkCommandBuffer, const Device&,
                                                                     const Desc&, const Buffers&),
                                                    const ScratchNeed& need, const char* query) {
    const WrongInput wrong(d, record, Desc{},
                           Buffers{.in = m.in(),
                                   .out = m.out(),
                                   .report = m.report(),
                                   .scratch = m.scratch(d, need.bytes)});
    wrong.anywhere();
    wrong.scratch(query);
    check_wrong_column(wrong, "in", [](auto& x) -> StringColumnView& { return x.in; });
    check_wrong_result(wrong, m.in());
    if constexpr (requires(Desc x) { x.delimiter; }) {
      wrong.desc({"token is 2147483648", "2^31"}, [](auto& x) { x.token = 1u << 31; });
      wrong.desc({"scalars", "65536"}, [&](auto& x) { x.delimiter = long_text; });
    }
    if constexpr (requires(Desc x) { x.per_row; }) {
      wrong.desc({"step is 0"}, [](auto& x) { x.step = 0; });
      const auto per_row = [](auto& x) { x.per_row = true; };
      wrong.desc({"per_row", "step 1"}, [](auto& x) { x.per_row = true, x.step = 2; });
      wrong.desc({"per_row", "start"}, [](auto& x) { x.per_row = true, x.start = 0; });
      wrong.desc({"per_row", "stop"}, [](auto& x) { x.per_row = true, x.stop = 0; });
      wrong.both({"scratch.bytes is", query}, per_row, [](auto&) {});
      const Scratch scratch = m.scratch(
          d, strings::slice_scratch(d, {.per_row = true}, kRows, m.in().chars.bytes).bytes);
      wrong.both({"starts.bytes is 3999", "4000"}, per_row, [&](auto& x) {
        x.scratch = scratch, x.starts = {m.indices().address, 3999};
      });
      wrong.both({"stops.address", "multiple of 4"}, per_row, [&](auto& x) {
        x.scratch = scratch, x.stops = {m.indices().address + 2, 4000};
      });
      wrong.both({"stops [", "out.chars [", "overlap"}, per_row, [&](auto& x) {
        x.scratch = scratch, x.stops = {x.out.chars.address - 3996, 4000};
      });
    }
    if constexpr (requires(Desc x) { x.side; }) {
      wrong.desc({"side is 3"}, [](auto& x) { x.side = strings::StripSide(3); });
      wrong.desc({"scalars", "65536"}, [&](auto& x) { x.characters = long_text; });
    }
  };
  check(&strings::record_slice, strings::slice_scratch(d, {}, kRows, m.in().chars.bytes),
        "slice_scratch()");
  check(&strings::record_strip, strings::strip_scratch(d, {}, kRows, m.in().chars.bytes),
        "strip_scratch()");
  check(&strings::record_split, strings::split_scratch(d, {}, kRows, m.in().chars.bytes),
        "split_scratch()");
}

TEST_CASE("strings gather, copy_if_else, concatenate: wrong input is refused by name") {
  const Memory m;
  const Device& d = device();
  const Scratch scratch = m.scratch(d, strings::concatenate_scratch(d, {}, 2, kRows).bytes);
  const WrongInput gather(d, &strings::record_gather, strings::GatherStringsDesc{},
                          strings::GatherStringsBuffers{.in = m.in(),
                                                        .indices = m.indices(),
                                                        .out = m.out(),
                                                        .report = m.report(),
                                                        .scratch = scratch});
  gather.anywhere();
  check_wrong_column(gather, "in", [](auto& x) -> StringColumnView& { return x.in; });
  check_wrong_result(gather, m.in());
  gather.buffers({"indices.bytes is 8589934592"}, [](auto& x) { x.indices.bytes = 1ull << 33; });
  gather.desc({"count is 2147483648"}, [](auto& x) { x.count = kMaxStringRows + 1; });
  gather.desc({"indices.bytes is 4000", "4004"}, [](auto& x) { x.count = kRows + 1; });
  gather.buffers({"indices.address is 0"}, [](auto& x) { x.indices.address = 0; });
  gather.buffers({"indices.address", "multiple of 4"}, [](auto& x) { x.indices.address += 2; });
  gather.buffers({"indices [", "out.chars [", "overlap"},
                 [](auto& x) { x.out.chars.address = x.indices.address; });

  const WrongInput bytes(
      d, &strings::record_gathered_bytes, strings::GatheredBytesDesc{},
      strings::GatheredBytesBuffers{.in = m.in(), .indices = m.indices(), .out = m.report()});
  bytes.anywhere();
  check_wrong_column(bytes, "in", [](auto& x) -> StringColumnView& { return x.in; });
  bytes.buffers({"indices.bytes is 8589934592"}, [](auto& x) { x.indices.bytes = 1ull << 33; });
  bytes.buffers({"indices.address", "multiple of 4"}, [](auto& x) { x.indices.address += 2; });
  bytes.buffers({"out.bytes is 7", "8"}, [](auto& x) { x.out.bytes = 7; });
  bytes.buffers({"in.chars [", "out [", "overlap"},
                [](auto& x) { x.out.address = x.in.chars.address; });

  const WrongInput copy(d, &strings::record_copy_if_else, strings::CopyIfElseDesc{},
                        strings::CopyIfElseBuffers{.a = m.in(),
                                                   .b = m.other(),
                                                   .mask = m.bits(),
                                                   .out = m.out(),
                                                   .report = m.report(),
                                                   .scratch = scratch});
  copy.anywhere();
  check_wrong_column(copy, "a", [](auto& x) -> StringColumnView& { return x.a; });
  check_wrong_column(copy, "b", [](auto& x) -> StringColumnView& { return x.b; });
  check_wrong_result(copy, m.in());
  copy.buffers({"a.rows is 999", "1000"}, [](auto& x) { x.a.rows = 999; });
  copy.buffers({"b.rows is 1001", "1000"}, [](auto& x) { x.b.rows = 1001; });
  copy.buffers({"mask.first_bit is 32"}, [](auto& x) { x.mask.first_bit = 32; });
  copy.buffers({"mask.bits.bytes is 128", "132"}, [](auto& x) { x.mask.bits.bytes = 128; });
  copy.buffers({"mask.bits.address is 0"}, [](auto& x) { x.mask.bits.address = 0; });
  copy.buffers({"mask.validity.bytes is 128"}, [](auto& x) { x.mask.validity.bytes = 128; });
  copy.buffers({"mask.validity.address", "4"}, [](auto& x) { x.mask.validity.address += 1; });
  copy.buffers({"mask.bits [", "out.chars [", "overlap"},
               [](auto& x) { x.out.chars.address = x.mask.bits.address; });
  copy.both(
      {"mask.rows is 2147483648"}, [](auto& x) { x.a_is_scalar = x.b_is_scalar = true; },
      [](auto& x) { x.mask.rows = kMaxStringRows + 1; });

  std::vector<StringColumnView> columns{m.in(), m.other()};
  const WrongInput concatenate(
      d, &strings::record_concatenate, strings::ConcatenateDesc{},
      strings::ConcatenateBuffers{
          .columns = columns, .out = m.out(), .report = m.report(), .scratch = scratch});
  concatenate.anywhere();
  concatenate.scratch("concatenate_scratch()");
  check_wrong_column(concatenate, "columns", [&](auto& x) -> StringColumnView& {
    columns[0] = m.in();
    x.columns = std::span(columns).first(1);
    return columns[0];
  });
  columns[0] = m.in();
  check_wrong_result(concatenate, m.in());
  concatenate.desc({"separator_on_nulls is 2"},
                   [](auto& x) { x.separator_on_nulls = strings::SeparatorOnNulls(2); });
  concatenate.buffers({"0 columns"}, [](auto& x) { x.columns = {}; });
  const std::vector<StringColumnView> many(2000, m.in());
  concatenate.buffers({"2000 columns", "at most"}, [&](auto& x) { x.columns = many; });
  columns[1].rows = 999;
  concatenate.buffers({"columns have 1000 and 999 rows"}, [](auto&) {});
}

TEST_CASE("strings from views and their bytes: wrong input is refused by name") {
  const Memory m;
  const Device& d = device();
  const auto check = [&](const auto& wrong) {
    wrong.anywhere();
    wrong.desc({"offset_width is 2"}, [](auto& x) { x.offset_width = IndexWidth(2); });
    wrong.desc({"offsets.bytes is 4000", "8000"},
               [](auto& x) { x.offset_width = IndexWidth::u64; });
    wrong.buffers({"offsets.bytes is 3999", "4000"}, [](auto& x) { x.offsets.bytes = 3999; });
    wrong.buffers({"offsets.address is 0"}, [](auto& x) { x.offsets.address = 0; });
    wrong.buffers({"offsets.address", "multiple of 4"}, [](auto& x) { x.offsets.address += 2; });
    wrong.buffers({"lengths.bytes is 8589934592"}, [](auto& x) { x.lengths.bytes = 1ull << 33; });
    wrong.buffers({"lengths.address is 0"}, [](auto& x) { x.lengths.address = 0; });
    wrong.buffers({"lengths.address", "multiple of 4"}, [](auto& x) { x.lengths.address += 2; });
    wrong.buffers({"chars.address is 0"}, [](auto& x) { x.chars.address = 0; });
  };
  const BufferView offsets = m.other().offsets, chars = m.in().chars;
  const WrongInput views(
      d, &strings::record_from_views, strings::FromViewsDesc{},
      strings::FromViewsBuffers{
          .chars = chars,
          .offsets = {offsets.address, 4 * kRows},
          .lengths = m.indices(),
          .out = m.out(),
          .report = m.report(),
          .scratch = m.scratch(d, strings::from_views_scratch(d, {}, kRows).bytes)});
  check(views);
  views.scratch("from_views_scratch()");
  check_wrong_result(views, {.offsets = {offsets.address, 4 * kRows}, .chars = chars});
  const WrongInput bytes(d, &strings::record_view_bytes, strings::ViewBytesDesc{},
                         strings::ViewBytesBuffers{.chars = chars,
                                                   .offsets = {offsets.address, 4 * kRows},
                                                   .lengths = m.indices(),
                                                   .out = m.report()});
  check(bytes);
  bytes.buffers({"out.address", "multiple of 8"}, [](auto& x) { x.out.address += 4; });
  bytes.buffers({"lengths [", "out [", "overlap"},
                [](auto& x) { x.out.address = x.lengths.address; });
}

TEST_CASE("strings match and find: wrong input is refused by name before anything is recorded") {
  const Memory m;
  const Device& d = device();
  const std::string long_text(66'000, 'x');
  const auto check = [&](const auto& wrong, const char* query) {
    wrong.anywhere();
    wrong.scratch(query);
    check_wrong_column(wrong, "in", [](auto& x) -> StringColumnView& { return x.in; });
    wrong.desc({"scalars", "65536"}, [&](auto& x) { x.text = long_text; });
    wrong.buffers({"out.address is 0"}, [](auto& x) { x.out.address = 0; });
    wrong.buffers({"out.address", "multiple of 4"}, [](auto& x) { x.out.address += 2; });
    wrong.buffers({"out.bytes is 124"}, [](auto& x) { x.out.bytes = 124; });
    wrong.buffers({" validity.bytes is 124", "128"}, [](auto& x) { x.validity.bytes = 124; });
    wrong.buffers({" validity.address", "multiple of 4"}, [](auto& x) { x.validity.address += 2; });
    wrong.buffers({"out [", " validity [", "overlap"},
                  [](auto& x) { x.validity.address = x.out.address; });
    wrong.buffers({"in.validity [", "out [", "overlap"},
                  [](auto& x) { x.out.address = x.in.validity.address; });
  };
  const WrongInput match(
      d, &strings::record_match, strings::MatchDesc{.of_column = true},
      strings::MatchBuffers{
          .in = m.in(),
          .targets = m.other(),
          .out = m.values(),
          .validity = m.validity(),
          .scratch = m.scratch(
              d, strings::match_scratch(d, {.of_column = true}, m.in().chars.bytes).bytes)});
  check(match, "match_scratch()");
  check_wrong_column(match, "targets", [](auto& x) -> StringColumnView& { return x.targets; });
  match.desc({"match is 3"}, [](auto& x) { x.match = strings::Match(3); });
  match.buffers({"targets.rows is 999", "1000"}, [](auto& x) { x.targets.rows = 999; });
  const WrongInput find(
      d, &strings::record_find, strings::FindDesc{},
      strings::FindBuffers{
          .in = m.in(),
          .out = m.values(),
          .validity = m.validity(),
          .scratch = m.scratch(d, strings::find_scratch(d, {}, m.in().chars.bytes).bytes)});
  check(find, "find_scratch()");
  find.desc({"number is 6"}, [](auto& x) { x.number = strings::StringNumber(6); });
  find.desc({"start is 2147483648"}, [](auto& x) { x.start = 1u << 31; });
  find.desc({"stop is 2147483648"}, [](auto& x) { x.stop = 1u << 31; });
  find.desc({"start is 5 and stop is 4"}, [](auto& x) {
    x.start = 5;
    x.stop = 4;
  });
}

TEST_CASE("strings: push constants of the shaders and of C++ have the same layout") {
  for (const Spirv* spirv :
       {&vkprims::spirv::strings_slice_word64, &vkprims::spirv::strings_slice_word32,
        &vkprims::spirv::strings_slice_step_word64, &vkprims::spirv::strings_strip_word64,
        &vkprims::spirv::strings_split_word64, &vkprims::spirv::strings_gather_word64,
        &vkprims::spirv::strings_copy_if_else_word64,
        &vkprims::spirv::strings_concatenate_two_word64, &vkprims::spirv::strings_matches,
        &vkprims::spirv::strings_from_views_word64, &vkprims::spirv::strings_numbers}) {
    CHECK(push_matches(*spirv, sizeof(abi::VkpStringsPush)));
  }
  CHECK(push_matches(vkprims::spirv::strings_totals, sizeof(abi::TotalsPush)));
}

}  // namespace vkprims::test
