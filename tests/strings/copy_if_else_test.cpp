// Tests of strings::copy_if_else.
#include "vkprims/strings/copy_if_else.hpp"

#include "oracles/strings/copying.hpp"
#include "strings/layouts.hpp"

namespace vkprims::test {
namespace {

using oracle::strings::Bools;

Bools random_mask(std::size_t n, std::uint32_t seed) {
  std::mt19937 engine(seed);
  Bools mask(n);
  for (auto& bit : mask) {
    if (seed % 2 == 0 || engine() % 8 != 0) bit = engine() % 2 == 0;
  }
  return mask;
}

// Returns the rows in reverse order, so that long ones do not meet.
HostStrings others(HostStrings rows) {
  std::reverse(rows.begin(), rows.end());
  return rows;
}

struct Sides {
  std::optional<std::string> a = {}, b = {};  // texts that replace columns
};

void check_copy(const HostStrings& rows, const Sides& texts, std::uint32_t seed,
                const Layout& layout) {
  strings::CopyIfElseDesc desc{.a_is_scalar = texts.a.has_value(),
                               .b_is_scalar = texts.b.has_value(),
                               .a_text = texts.a ? *texts.a : std::string_view(),
                               .b_text = texts.b ? *texts.b : std::string_view(),
                               .schedule = layout.schedule};
  const Device& d = device();
  const HostStrings other_rows = others(rows);
  const Bools mask = random_mask(rows.size(), seed);
  const HostStrings a = texts.a ? HostStrings(rows.size(), texts.a) : rows;
  const HostStrings b = texts.b ? HostStrings(rows.size(), texts.b) : other_rows;
  Placement in_b = layout.in;
  in_b.width = width_of(seed);
  in_b.chars_at += 1;
  in_b.rows_before += 7;
  const PlacedColumn placed_a(rows, layout.in), placed_b(other_rows, in_b);
  const PlacedBits placed_mask(mask, seed * 7 % 32);
  for (const std::uint32_t row_bytes : kRowBytes) {
    desc.row_bytes = row_bytes;
    CAPTURE(row_bytes);
    check_rows(oracle::strings::copy_if_else(a, b, mask), layout.to,
               strings::copy_if_else_scratch(d, desc, rows.size()),
               [&](VkCommandBuffer cmd, const StringColumnOut& out, const Scratch& scratch) {
                 return strings::record_copy_if_else(
                     cmd, d, desc,
                     {.a = texts.a ? StringColumnView{} : placed_a.view(),
                      .b = texts.b ? StringColumnView{} : placed_b.view(),
                      .mask = placed_mask.view(),
                      .out = out,
                      .scratch = scratch});
               });
  }
}

}  // namespace

TEST_CASE("strings copy_if_else: rows of every shape, alignment, number and length") {
  std::uint32_t seed = 0;
  for_each_layout(kRopeSchedules, [&](const HostStrings& rows, const Layout& layout) {
    check_copy(rows, {}, seed++, layout);
  });
}

TEST_CASE("strings copy_if_else: texts of any length on either side, and on both") {
  for (const Schedule schedule : kRopeSchedules) {
    if (!exhaustive() && schedule == Schedule::multi_pass) continue;
    for (const std::uint64_t n : {0, 33, 1200}) {
      const HostStrings rows = random_strings(n, 3, {.nulls = 20});
      std::uint32_t seed = 0;
      for (const std::size_t bytes : {0, 1, 2, 3, 4, 5, 63, 64, 65, 300}) {
        CAPTURE(bytes);
        seed += 3;
        const std::string text(bytes, 'q');
        check_copy(rows, {.a = text}, seed, layout(seed, schedule));
        if (!exhaustive()) continue;
        check_copy(rows, {.b = text}, seed, layout(seed, schedule));
        check_copy(rows, {.a = text, .b = "é" + text}, seed, layout(seed, schedule));
      }
    }
  }
}

TEST_CASE("strings copy_if_else: a small column by both schedules") {
  for (const Schedule schedule : kRopeSchedules) {
    check_copy(random_strings(600, 1, {.nulls = 10}), {.b = "other"}, 1, layout(3, schedule));
  }
}

TEST_CASE("strings copy_if_else: smoke" * doctest::test_suite("smoke")) {
  check_copy(random_strings(600, 1, {.nulls = 10}), {.b = "other"}, 1,
             layout(3, Schedule::look_back));
}

}  // namespace vkprims::test
