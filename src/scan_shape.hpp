// The host side of shaders/vkprims/scan_tile.glsl: how large tiles are.
#pragma once

#include <algorithm>

#include "device_state.hpp"

namespace vkprims {

struct ScanTile {
  std::uint32_t workgroup_size;
  std::uint32_t rows;   // cells per invocation
  std::uint64_t items;  // elements
};

/// The tile for elements of `words` 32-bit words: as many rows as the tuning asks for and shared
/// memory holds. An odd number, as two or more even ones have bank conflicts.
inline ScanTile scan_tile(const DeviceState& state, std::uint32_t workgroup_size,
                          std::uint32_t words) {
  const std::uint32_t cell_bytes = 16 * (words <= 2 ? 1 : (words + 3) / 4);
  const std::uint32_t cell_items = words <= 2 ? 4 / words : 1;
  std::uint32_t shared = std::min(state.limits.maxComputeSharedMemorySize, 48u << 10);
  if (state.info.enabled.shared16k) shared = 16u << 10;
  // Beside the tile: one element per 4 invocations, one more, three words.
  shared -= workgroup_size * words + 4 * words + 12;
  std::uint32_t rows = std::min(state.tuning.scan_rows, shared / (cell_bytes * workgroup_size));
  while (rows == 0) {
    workgroup_size /= 2;
    rows = shared / (cell_bytes * workgroup_size);
  }
  if (rows > 1 && rows % 2 == 0) --rows;
  return {workgroup_size, rows, std::uint64_t{workgroup_size} * rows * cell_items};
}

/// Elements before the first one of a sequence in its first cell, as vkp_cell_head().
inline std::uint32_t cell_head(VkDeviceAddress address, std::uint32_t item_bytes,
                               std::uint32_t words) {
  if (words > 2) return 0;
  const std::uint32_t cell_bytes = std::max(4 / words * item_bytes, 4u);
  return static_cast<std::uint32_t>(address % cell_bytes) / item_bytes;
}

/// A sequence may begin up to 3 elements into its first cell, and so needs the grid of a longer one.
inline std::uint64_t scan_items_per_group(const ScanTile& tile) { return tile.items - 3; }

inline std::uint64_t scan_max_tiles(const ScanTile& tile, std::uint64_t count) {
  const std::uint64_t items = scan_items_per_group(tile);
  return count / items + (count % items != 0);
}

}  // namespace vkprims
