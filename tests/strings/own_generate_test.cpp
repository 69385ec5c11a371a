// Rows of computed bytes, by kernels that are not part of the library, through
// vkprims_add_string_kernel(… MODE generate).
#include <cctype>

#include "strings/hostile.hpp"
#include "strings/layouts.hpp"
#include "support/spirv_reader.hpp"
#include "support/turns.hpp"
#include "vkprims-tests/decimal.hpp"
#include "vkprims-tests/escape.hpp"
#include "vkprims-tests/shorter.hpp"
#include "vkprims/strings.hpp"

namespace vkprims::test {
namespace {

using strings::RopeDesc;

std::string escaped(const std::string& row) {
  std::string out;
  for (const char c : row) {
    char code[8];
    std::snprintf(code, sizeof code, "%%%02X", static_cast<unsigned>(c) & 0xff);
    const bool stays = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    out += stays ? std::string(1, c) : code;
  }
  return out;
}

HostStrings escaped(HostStrings rows) {
  for (auto& row : rows) {
    if (row) row = escaped(*row);
  }
  return rows;
}

// Makes a column of a's rows by the kernel "escape", and compares it.
void check_escape(const HostStrings& expected, const StringColumnView& a, const Placement& to,
                  Schedule schedule) {
  const Device& d = device();
  const RopeDesc desc{.rows = a.rows, .schedule = schedule};
  check_rows(expected, to, own::escape::scratch(d, desc),
             [&](VkCommandBuffer cmd, const StringColumnOut& out, const Scratch& scratch) {
               return own::escape::record(cmd, d, desc, {.a = a, .out = out, .scratch = scratch});
             });
}

// Returns the decimals of numbers with a unit; those that are kNull are null.
constexpr std::uint32_t kNull = 3;
HostStrings decimals(const std::vector<std::uint32_t>& numbers, const std::string& unit) {
  HostStrings rows;
  for (const std::uint32_t x : numbers) {
    rows.push_back(std::to_string(x) + unit);
    if (x == kNull) rows.back().reset();
  }
  return rows;
}

}  // namespace

TEST_CASE("strings own generate: rows in parts, of every shape, alignment, number and length") {
  for_each_layout(kRopeSchedules, [](const HostStrings& rows, const Layout& layout) {
    if (layout.long_rows) forgive_turns("a subgroup computes the bytes of a row");
    const PlacedColumn column(rows, layout.in);
    check_escape(escaped(rows), column.view(), layout.to, layout.schedule);
  });
}

TEST_CASE("strings own generate: rows of numbers, without a column, by both schedules") {
  const Device& d = device();
  const std::string unit = " m/s";
  for (const Schedule schedule : kRopeSchedules) {
    for (const std::uint64_t n : edge_counts(strings_tile(d))) {
      CAPTURE(n);
      std::vector<std::uint32_t> numbers(n);
      for (std::uint32_t i = 0; i < n; ++i) numbers[i] = i % 7 ? i * 0x9e3779b1u >> i % 32 : i;
      const Guarded indices(numbers);
      const RopeDesc desc{.rows = n, .text = unit, .constant = kNull, .schedule = schedule};
      check_rows(decimals(numbers, unit), {.width = IndexWidth::u64, .chars_at = n % 4},
                 own::decimal::scratch(d, desc),
                 [&](VkCommandBuffer cmd, const StringColumnOut& out, const Scratch& scratch) {
                   return own::decimal::record(
                       cmd, d, desc, {.indices = indices.view(), .out = out, .scratch = scratch});
                 });
    }
  }
}

TEST_CASE("strings own generate: rows of two columns") {
  const Device& d = device();
  for_each_count(kOneSchedule, [&](const HostStrings& a, const Layout& layout) {
    const HostStrings b = random_strings(a.size(), 77, {.max_bytes = 90, .nulls = 10});
    HostStrings expected(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (!a[i] || !b[i]) continue;
      const std::string& shorter = a[i]->size() <= b[i]->size() ? *a[i] : *b[i];
      expected[i].emplace(shorter.rbegin(), shorter.rend());
    }
    const PlacedColumn first(a, layout.in), second(b, {.chars_at = 1});
    const RopeDesc desc{.rows = a.size()};
    check_rows(expected, layout.to, own::shorter::scratch(d, desc),
               [&](VkCommandBuffer cmd, const StringColumnOut& out, const Scratch& scratch) {
                 return own::shorter::record(
                     cmd, d, desc,
                     {.a = first.view(), .b = second.view(), .out = out, .scratch = scratch});
               });
  });
}

TEST_CASE("strings own generate: offsets that are not what they should be") {
  const std::string text = "some text, whose rows may be anywhere!";
  const Guarded chars(std::vector<std::uint8_t>(text.begin(), text.end()));
  for (const auto& wide : hostile_offsets(300, text.size())) {
    const Guarded offsets(wide);
    check_escape(escaped(cut_rows(wide, text)),
                 {.offsets = offsets.view(),
                  .chars = chars.view(),
                  .rows = 300,
                  .offset_width = IndexWidth::u64},
                 {.width = IndexWidth::u64}, Schedule::automatic);
  }
}

TEST_CASE("strings own generate: what does not fit is reported, and nothing is written past it") {
  const Device& d = device();
  const HostStrings rows = rows_with_long_ones(9000), expected = escaped(rows);
  const std::uint64_t all = PlacedResult::bytes_of(expected);
  const PlacedColumn column(rows, {});
  for (const std::uint64_t too_few : {std::uint64_t{1}, std::uint64_t{5000}, all}) {
    CAPTURE(too_few);
    const PlacedResult result(expected, IndexWidth::u64, 1, too_few);
    const Guarded report(std::vector<DeviceReport>(1));
    const RopeDesc desc{.rows = rows.size()};
    const DirtyScratch scratch(own::escape::scratch(d, desc));
    run([&](VkCommandBuffer cmd) {
      throw_if_error(own::escape::record(cmd, d, desc,
                                         {.a = column.view(),
                                          .out = result.out(true),
                                          .report = report.view(),
                                          .scratch = scratch.get()}));
    });
    result.check(true);
    const DeviceReport said = report.read<DeviceReport>()[0];
    CHECK(said.code == DeviceReport::capacity_exceeded);
    CHECK(said.count == too_few);
    CHECK(said.needed == all);
  }
}

TEST_CASE("strings own generate: as a step of a Recorder") {
  const StringColumn a = upload_strings(context(), HostStrings{"a b", "", std::nullopt, "x=1"});
  const auto numbers = context().upload(std::vector<std::uint32_t>{0, 4294967295, kNull});
  StringColumn escapes, decimal;
  context().run([&](Recorder& r) {
    escapes = own::escape::make(r, {}, {a}, 3 * a.byte_bound(), true);
    decimal = own::decimal::make(r, {.rows = 3, .text = "!", .constant = kNull}, {}, 33, true,
                                 numbers.view());
  });
  CHECK(download_strings(context(), escapes) == HostStrings{"a%20b", "", std::nullopt, "x%3D1"});
  CHECK(download_strings(context(), decimal) == HostStrings{"0!", "4294967295!", std::nullopt});
}

TEST_CASE("strings own generate: warm_up compiles all that recording needs") {
  DeviceInfo info = device().state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  Device cold;
  throw_if_error(create_device(info, limits(), cold));
  // A text that could be left to others if it were copied.
  const HostStrings plain{"a", std::string(70'000, 'b')}, with_null{"a", std::nullopt};
  const RopeDesc desc{.rows = 2};
  const DirtyScratch scratch(own::escape::scratch(cold, desc));
  const auto record = [&](VkCommandBuffer cmd, const PlacedColumn& column,
                          const StringColumnOut& out) {
    return own::escape::record(cmd, cold, desc,
                               {.a = column.view(), .out = out, .scratch = scratch.get()});
  };
  const PlacedColumn column(plain, {});
  const PlacedResult refused(plain, IndexWidth::u32, 0);
  expect_error(Status::not_warmed, {"warm_up"},
               [&](VkCommandBuffer cmd) { return record(cmd, column, refused.out(false)); });
  throw_if_error(own::escape::warm_up(cold, desc));
  forgive_turns("a subgroup computes the bytes of a row");
  for (const HostStrings* rows : {&plain, &with_null}) {
    for (const IndexWidth width : {IndexWidth::u32, IndexWidth::u64}) {
      const PlacedColumn in(*rows, {.width = width});
      const PlacedResult result(*rows, width, 0);
      const bool nullable = rows == &with_null;
      context().run([&](Recorder& r) {
        r.commands(
            [&](VkCommandBuffer cmd) { throw_if_error(record(cmd, in, result.out(nullable))); });
      });
      result.check(nullable);
    }
  }
  CHECK(push_matches(*own::escape::kernel.word32, sizeof(abi::VkpStringsPush)));
}

TEST_CASE("strings own generate: smoke" * doctest::test_suite("smoke")) {
  const HostStrings rows = random_strings(300, 1, {.nulls = 10});
  const PlacedColumn column(rows, {});
  check_escape(escaped(rows), column.view(), {.width = IndexWidth::u64}, Schedule::look_back);
}

}  // namespace vkprims::test
