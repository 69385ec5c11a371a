// Tests of strings::concatenate.
#include "vkprims/strings/concatenate.hpp"

#include "oracles/strings/pieces.hpp"
#include "strings/layouts.hpp"

namespace vkprims::test {
namespace {

using oracle::strings::Joint;
using strings::SeparatorOnNulls;

// Returns the same rows for each column, rotated further each time.
std::vector<HostStrings> rotations(const HostStrings& rows, std::size_t columns) {
  std::vector<HostStrings> result(columns, rows);
  for (std::size_t i = 1; i < columns && !rows.empty(); ++i) {
    const std::size_t by = 11 * i % rows.size();
    std::rotate(result[i].begin(), result[i].begin() + std::ptrdiff_t(by), result[i].end());
  }
  return result;
}

void check_concatenate(const std::vector<HostStrings>& columns, const Joint& joint,
                       const Layout& layout) {
  strings::ConcatenateDesc desc{
      .separator = joint.separator,
      .separator_on_nulls = joint.separator_on_nulls ? SeparatorOnNulls::yes : SeparatorOnNulls::no,
      .schedule = layout.schedule};
  if (joint.replacement) desc.null_replacement = *joint.replacement;
  const Device& d = device();
  std::vector<std::unique_ptr<PlacedColumn>> placed;
  std::vector<StringColumnView> views;
  for (const HostStrings& rows : columns) {
    Placement in = layout.in;
    in.width = width_of(placed.size() + in.rows_before);
    in.chars_at += placed.size();
    in.rows_before += 5 * placed.size();
    placed.push_back(std::make_unique<PlacedColumn>(rows, in));
    views.push_back(placed.back()->view());
  }
  const HostStrings expected = oracle::strings::concatenate(columns, joint);
  for (const std::uint32_t row_bytes : kRowBytes) {
    desc.row_bytes = row_bytes;
    CAPTURE(row_bytes);
    check_rows(expected, layout.to,
               strings::concatenate_scratch(d, desc, columns.size(), columns[0].size()),
               [&](VkCommandBuffer cmd, const StringColumnOut& out, const Scratch& scratch) {
                 return strings::record_concatenate(
                     cmd, d, desc, {.columns = views, .out = out, .scratch = scratch});
               });
  }
}

// Returns every combination of what to do with nulls and with separators.
std::vector<Joint> joints() {
  std::vector<Joint> result;
  for (const char* separator : {"", ", ", "😀"}) {
    for (const bool on_nulls : {true, false}) {
      result.push_back({.separator = separator, .separator_on_nulls = on_nulls});
      for (const char* replacement : {"", "nil", "–––"}) {
        result.push_back({separator, replacement, on_nulls});
      }
    }
  }
  return result;
}

}  // namespace

TEST_CASE("strings concatenate: rows of every shape, alignment, number and length") {
  const std::vector<Joint> all = joints();
  std::size_t i = 0;
  for_each_layout(kRopeSchedules, [&](const HostStrings& rows, const Layout& layout) {
    check_concatenate(rotations(rows, 2 + i % 2), all[i * 5 % all.size()], layout);
    ++i;
  });
}

TEST_CASE("strings concatenate: one column to forty, every treatment of nulls and separators") {
  for (const std::size_t columns : {1, 2, 3, 7, 40}) {
    if (!exhaustive() && columns > 3) continue;
    const HostStrings rows = random_strings(300, 2, {.max_bytes = 9, .nulls = 40});
    std::uint64_t i = columns;
    for (const Joint& joint : joints()) {
      CAPTURE(columns);
      CAPTURE(joint.separator);
      CAPTURE(joint.separator_on_nulls);
      CAPTURE(joint.replacement.value_or("none"));
      check_concatenate(rotations(rows, columns), joint, layout(i++, Schedule::look_back));
    }
  }
}

TEST_CASE("strings concatenate: every mix of null, empty and other rows") {
  std::vector<HostStrings> columns(4);
  const std::optional<std::string> kinds[] = {std::nullopt, "", "x", "yz"};
  for (std::uint32_t i = 0; i < 256; ++i) {
    for (std::uint32_t column = 0; column < 4; ++column) {
      columns[column].push_back(kinds[i >> 2 * column & 3]);
    }
  }
  for (const Joint& joint : joints()) {
    CAPTURE(joint.separator);
    CAPTURE(joint.separator_on_nulls);
    CAPTURE(joint.replacement.value_or("none"));
    check_concatenate(columns, joint, {});
  }
}

TEST_CASE("strings concatenate: separators and replacements of many bytes") {
  const HostStrings rows = random_strings(200, 4, {.nulls = 30});
  for (const std::size_t bytes : {63, 64, 65, 500}) {
    check_concatenate(rotations(rows, 3), {std::string(bytes, '='), std::string(bytes + 1, '-')},
                      layout(bytes, Schedule::look_back));
  }
}

TEST_CASE("strings concatenate: smoke" * doctest::test_suite("smoke")) {
  for (const Schedule schedule : kRopeSchedules) {
    const HostStrings rows = random_strings(600, 1, {.nulls = 10});
    check_concatenate(rotations(rows, 2), {.separator = " "}, layout(3, schedule));
  }
}

}  // namespace vkprims::test
