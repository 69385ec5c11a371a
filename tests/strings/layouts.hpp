// What every operation on strings is tested with: rows of all shapes, numbers and alignments.
#pragma once

#include <functional>

#include "vkprims/strings/strings.abi.h"
#include "strings/check.hpp"
#include "strings/data.hpp"

namespace vkprims::test {

/// Says where the columns lie and which schedule runs.
struct Layout {
  Placement in, to;
  Schedule schedule = Schedule::look_back;
  bool long_rows = false;  // whether some rows are long
};

inline constexpr Schedule kRopeSchedules[] = {Schedule::look_back, Schedule::multi_pass};
/// For operations that have only one schedule.
inline constexpr Schedule kOneSchedule[] = {Schedule::automatic};

/// The largest number of rows of a tile. strings_tile() is the number when there are few rows.
inline std::uint64_t strings_tile_at_most(const Device& d, std::uint64_t pieces = 1) {
  const std::uint32_t size = d.state()->tuning.workgroup_size;
  const std::uint64_t workgroup = std::min<std::uint32_t>(size, VKP_STRINGS_ROPE_WORKGROUP);
  return workgroup * VKP_STRINGS_PIECES / pieces;
}
inline std::uint64_t strings_tile(const Device& d, std::uint64_t pieces = 1) {
  return std::min(strings_tile_at_most(d) / VKP_STRINGS_PIECES, strings_tile_at_most(d, pieces));
}

/// The number of rows of a tile of a kernel of short rows when there are few rows.
inline std::uint64_t short_tile(const Device& d) {
  return strings_tile_at_most(d) / VKP_STRINGS_PIECES * VKP_STRINGS_ROWS_AT_ONCE;
}
/// The first hint selects kernels of short rows, the second the other kernels.
inline constexpr std::uint32_t kRowBytes[] = {7, 100};
using Hints = std::span<const std::uint32_t>;
/// For smoke cases there is one hint: instrumented, each kernel takes lavapipe a minute to compile.
inline constexpr std::uint32_t kShortRows[] = {7};

inline IndexWidth width_of(std::uint64_t i) { return i % 2 ? IndexWidth::u64 : IndexWidth::u32; }

/// Returns a layout, another one for each of the first 32 numbers.
inline Layout layout(std::uint64_t i, Schedule schedule) {
  return {.in = {.width = width_of(i), .chars_at = i % 5, .rows_before = i * 13 % 96},
          .to = {.width = width_of(i / 2), .chars_at = i / 4 % 4},
          .schedule = schedule};
}

/// Returns short rows, with a few of about `bytes` bytes, two of them at the edge of a tile.
HostStrings rows_with_long_ones(std::uint64_t bytes);

using LayoutCheck = std::function<void(const HostStrings& rows, const Layout& layout)>;

void for_each_shape(std::span<const Schedule> schedules, const LayoutCheck& check);

void for_each_alignment(std::span<const Schedule> schedules, const LayoutCheck& check);

void for_each_placement(std::span<const Schedule> schedules, const LayoutCheck& check);

void for_each_count(std::span<const Schedule> schedules, const LayoutCheck& check);

inline constexpr std::uint64_t kLongestRow = 100 << 10;
/// The longest row in which a text is searched: in longer ones lavapipe leaves the loop early
/// (shaders/vkprims/README.md).
inline constexpr std::uint64_t kLongestSearched = 40 << 10;

/// Calls `check` with all of these layouts, and with rows of `longest` bytes.
void for_each_layout(std::span<const Schedule> schedules, const LayoutCheck& check,
                            std::uint64_t longest = kLongestRow);

}  // namespace vkprims::test
