// The layouts of layouts.hpp.
#include "strings/layouts.hpp"

namespace vkprims::test {

namespace {

// Kernels are specialised for what is known of their columns, and each set of facts is a pipeline.
// Except in exhaustive runs, these rows come to kernels that know nothing, or that know all columns
// to be plain: the result of rows with nulls has offsets of 64 bits. The cases of single
// operations, whose columns with nulls have offsets of 32 bits, cover the sets between.
Layout with_few_kernels(Layout l, const HostStrings& rows) {
  if (!exhaustive() && PlacedColumn::nullable(rows)) l.to.width = IndexWidth::u64;
  return l;
}

// Whether a run takes this layout. Except in exhaustive runs, a case takes one of two schedules,
// and multi_pass only takes columns with offsets of 64 bits: these need all that the kernels have,
// which makes one pipeline per pass instead of three.
bool takes(std::span<const Schedule> schedules, const Layout& l) {
  if (exhaustive()) return true;
  if (l.schedule == Schedule::multi_pass && l.in.width != IndexWidth::u64) return false;
  return schedules.size() != 2 || l.schedule == schedules[goes_first_way() ? 0 : 1];
}

}  // namespace

HostStrings rows_with_long_ones(std::uint64_t bytes) {
  const std::uint64_t tile = strings_tile(device());
  HostStrings rows = random_strings(2 * tile + 9, 7, {.nulls = 10});
  std::mt19937_64 engine(8);
  for (const std::uint64_t i : {std::uint64_t{37}, tile - 1, tile}) {
    rows[i] = random_string(engine, bytes + i % 5, {.spaces = 1, .invalid = 1});
  }
  return rows;
}

void for_each_shape(std::span<const Schedule> schedules, const LayoutCheck& check) {
  const std::uint64_t n = 3 * strings_tile(device()) + 5;
  std::uint32_t i = 0;
  for (const StringsShape& shape : strings_shapes()) {
    for (const Schedule schedule : schedules) {
      CAPTURE(i);
      const Layout l = layout(i, schedule);
      const HostStrings rows = random_strings(n, i, shape);
      if (takes(schedules, l)) check(rows, with_few_kernels(l, rows));
      ++i;
    }
  }
}

void for_each_alignment(std::span<const Schedule> schedules, const LayoutCheck& check) {
  const HostStrings rows = at_every_alignment(edge_strings());
  for (const Schedule schedule : schedules) {
    for (std::uint64_t to = 0; to < 4; ++to) {
      if (!exhaustive() && to % 2 == 0) continue;
      CAPTURE(to);
      const bool is_wide = !exhaustive() && schedule == Schedule::multi_pass;
      const Layout l{
          .in = {.width = width_of(is_wide)}, .to = {.chars_at = to}, .schedule = schedule};
      if (takes(schedules, l)) check(rows, l);
    }
  }
}

void for_each_placement(std::span<const Schedule> schedules, const LayoutCheck& check) {
  for (const bool garbage : {false, true}) {
    for (std::uint64_t i = 0; i < (!exhaustive() ? 7 : 32); ++i) {
      CAPTURE(garbage);
      CAPTURE(i);
      Layout l = layout(i, schedules[i % schedules.size()]);
      l.in.garbage_in_nulls = garbage;
      const HostStrings rows = random_strings(300, 50 + std::uint32_t(i), {.nulls = 20});
      if (takes(schedules, l)) check(rows, with_few_kernels(l, rows));
    }
  }
}

void for_each_count(std::span<const Schedule> schedules, const LayoutCheck& check) {
  std::vector<std::uint64_t> counts = edge_counts(strings_tile(device()));
  counts.insert(counts.end(), {31, 32, 33});
  for (const Schedule schedule : schedules) {
    for (const std::uint64_t n : counts) {
      CAPTURE(n);
      const Layout l = layout(n, schedule);
      const HostStrings rows = random_strings(n, std::uint32_t(n), {.nulls = n % 3 ? 20u : 0u});
      if (takes(schedules, l)) check(rows, with_few_kernels(l, rows));
    }
  }
}

void for_each_layout(std::span<const Schedule> schedules, const LayoutCheck& check,
                     std::uint64_t longest) {
  for_each_shape(schedules, check);
  for_each_alignment(schedules, check);
  for_each_placement(schedules, check);
  for_each_count(schedules, check);
  for (const Schedule schedule : schedules) {
    const std::string rows = "long rows";
    CAPTURE(rows);
    Layout l = layout(5, schedule);
    l.long_rows = true;
    const HostStrings long_ones = rows_with_long_ones(longest);
    if (takes(schedules, l)) check(long_ones, with_few_kernels(l, long_ones));
  }
}

}  // namespace vkprims::test
