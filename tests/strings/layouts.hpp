// What every operation on strings is put through: rows of all shapes, numbers and alignments.
#pragma once

#include <functional>

#include "vkprims/strings/strings.abi.h"
#include "strings/check.hpp"
#include "strings/data.hpp"

namespace vkprims::test {

/// Where the columns lie, and by which schedule.
struct Layout {
  Placement in, to;
  Schedule schedule = Schedule::look_back;
  bool long_rows = false;  // some rows are
};

inline constexpr Schedule kRopeSchedules[] = {Schedule::look_back, Schedule::multi_pass};
/// Of operations that have only one.
inline constexpr Schedule kOneSchedule[] = {Schedule::automatic};

/// Rows of a tile at most, and where there are few.
inline std::uint64_t strings_tile_at_most(const Device& d, std::uint64_t pieces = 1) {
  const std::uint32_t size = d.state()->tuning.workgroup_size;
  const std::uint64_t workgroup = std::min<std::uint32_t>(size, VKP_STRINGS_ROPE_WORKGROUP);
  return workgroup * VKP_STRINGS_PIECES / pieces;
}
inline std::uint64_t strings_tile(const Device& d, std::uint64_t pieces = 1) {
  return std::min(strings_tile_at_most(d) / VKP_STRINGS_PIECES, strings_tile_at_most(d, pieces));
}

/// … of a kernel of short rows, where there are few.
inline std::uint64_t short_tile(const Device& d) {
  return strings_tile_at_most(d) / VKP_STRINGS_PIECES * VKP_STRINGS_ROWS_AT_ONCE;
}
/// Hints that take kernels of short rows, and others.
inline constexpr std::uint32_t kRowBytes[] = {7, 100};
using Hints = std::span<const std::uint32_t>;
/// For smoke cases: instrumented, each kernel takes lavapipe a minute to compile.
inline constexpr std::uint32_t kShortRows[] = {7};

inline IndexWidth width_of(std::uint64_t i) { return i % 2 ? IndexWidth::u64 : IndexWidth::u32; }

/// Some layout, another one for each of the first 32 numbers.
inline Layout layout(std::uint64_t i, Schedule schedule) {
  return {.in = {.width = width_of(i), .chars_at = i % 5, .rows_before = i * 13 % 96},
          .to = {.width = width_of(i / 2), .chars_at = i / 4 % 4},
          .schedule = schedule};
}

/// Short rows, with a few of `bytes` bytes at both sides of the edge of a tile.
HostStrings rows_with_long_ones(std::uint64_t bytes);

/// Unless all is asked for several passes take columns with offsets of 64 bits alone, which ask for all that kernels have: one
/// pipeline a pass instead of three.
inline bool in_subset(const Layout& l) {
  return exhaustive() || l.schedule != Schedule::multi_pass || l.in.width == IndexWidth::u64;
}

using LayoutCheck = std::function<void(const HostStrings& rows, const Layout& layout)>;

void for_each_shape(std::span<const Schedule> schedules, const LayoutCheck& check);

void for_each_alignment(std::span<const Schedule> schedules, const LayoutCheck& check);

void for_each_placement(std::span<const Schedule> schedules, const LayoutCheck& check);

void for_each_count(std::span<const Schedule> schedules, const LayoutCheck& check);

inline constexpr std::uint64_t kLongestRow = 100 << 10;
/// Where a text is searched: in longer ones lavapipe leaves the loop early
/// (shaders/vkprims/README.md).
inline constexpr std::uint64_t kLongestSearched = 40 << 10;

/// All of these, and rows of `longest` bytes.
void for_each_layout(std::span<const Schedule> schedules, const LayoutCheck& check,
                            std::uint64_t longest = kLongestRow);

}  // namespace vkprims::test
