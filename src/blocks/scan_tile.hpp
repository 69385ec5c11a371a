// The host side of shaders/vkprims/workgroup/scan_strip.glsl: how large tiles are.
#pragma once

#include <algorithm>

#include "runtime/arithmetic.hpp"
#include "runtime/device_state.hpp"
#include "runtime/tuning.hpp"

namespace vkprims {

inline constexpr std::uint32_t kSmallestSubgroup = 4;

struct ScanTile {
  std::uint32_t workgroup_size;
  std::uint32_t batches;  // per strip
  std::uint64_t items;    // elements
};

/// The number of elements in a cell whose elements have `words` words.
inline std::uint32_t cell_items(std::uint32_t words) { return words <= 2 ? 4 / words : 1; }

/// The tile for elements of `words` 32-bit words each, of which the input has only item_bytes
/// bytes. Narrow inputs are read in larger tiles (H200: u8 to u32 is 8 % faster, u8 to u64 30 %).
inline ScanTile scan_tile(const Tuning& tuning, std::uint32_t words, std::uint32_t item_bytes) {
  const std::uint32_t batches = tuning.scan_batches * std::max(1u, 4 * words / (2 * item_bytes));
  return {
      tuning.scan_workgroup_size, batches,
      std::uint64_t{tuning.scan_workgroup_size} * tuning.scan_rows * batches * cell_items(words)};
}
inline ScanTile scan_tile(const Tuning& tuning, std::uint32_t words) {
  return scan_tile(tuning, words, 4 * words);
}

/// A tile of scan_lanes.glsl, for elements of any number of words, of which inputs have `in_words`
/// and outputs `out_words`. `workgroup_size` is the one that is wanted; sequences of `count`
/// elements, if these are few, have small tiles.
struct LanesTile {
  ScanTile tile;
  std::uint32_t rows;
};
inline LanesTile lanes_tile(const DeviceState& state, std::uint32_t in_words,
                            std::uint32_t out_words, std::uint32_t workgroup_size,
                            std::uint64_t count) {
  const Tuning& tuning = state.tuning;
  const std::uint32_t items = cell_items(in_words);
  const std::uint32_t cell_words = items * std::max(in_words, out_words);
  const std::uint32_t cell_bytes = 16 * ceil_div(cell_words, 4u);
  // The rest of the kernel needs up to 5 KiB of shared memory.
  const std::uint32_t room = (state.shared_bytes - 5120) / cell_bytes;
  LanesTile x{{workgroup_size, tuning.scan_batches, 0}, 1};
  while (x.tile.workgroup_size > room) x.tile.workgroup_size /= 2;
  x.rows = std::min({room / x.tile.workgroup_size, tuning.scan_rows, 20 / items});
  if (x.rows % 2 == 0) --x.rows;  // lanes would meet in the banks of shared memory
  if (count > tuning.small_count) {
    x.tile.batches = std::max(tuning.scan_batches, items == 1 ? 2u : 4u);
  }
  x.tile.items = std::uint64_t{x.tile.workgroup_size} * x.rows * x.tile.batches * items;
  return x;
}

/// Whether scans of such elements go by lanes, as scan_tile.glsl chooses.
inline bool scans_by_lanes(std::uint32_t words, bool converts) { return converts || words > 2; }

/// The number of elements in a sequence's first cell that come before the sequence, as in
/// vkp_cell_head().
inline std::uint32_t cell_head(VkDeviceAddress address, std::uint32_t item_bytes,
                               std::uint32_t words) {
  if (words > 2) return 0;
  const std::uint32_t cell_bytes = std::max(4 / words * item_bytes, 4u);
  return static_cast<std::uint32_t>(address % cell_bytes) / item_bytes;
}

/// A sequence may begin up to 3 elements into its first cell, so it may need the grid of a longer
/// one.
inline std::uint64_t scan_items_per_group(const ScanTile& tile) { return tile.items - 3; }

inline std::uint64_t scan_max_tiles(const ScanTile& tile, std::uint64_t count) {
  const std::uint64_t items = scan_items_per_group(tile);
  return count / items + (count % items != 0);
}

/// The number of workgroups that share `tiles` tiles: as many as the tuning says, or enough that
/// none makes more than kMostTurns turns. A row of a tile takes `row_turns` turns, which are those
/// of scans across a subgroup.
inline std::uint64_t scan_groups(const Tuning& tuning, const ScanTile& tile, std::uint32_t rows,
                                 std::uint64_t tiles, std::uint32_t row_turns) {
  const std::uint64_t tile_turns = std::uint64_t{rows} * tile.batches * row_turns;
  const std::uint64_t least = tiles / std::max<std::uint64_t>(kMostTurns / tile_turns, 1) + 1;
  return std::min(tiles, std::max<std::uint64_t>(tuning.max_scan_groups, least));
}

}  // namespace vkprims
