// The host side of shaders/vkprims/workgroup/stage.glsl: the shape of tiles that are packed in
// shared memory batch by batch.
#pragma once

#include <algorithm>
#include <cstdint>

#include "runtime/device_state.hpp"

namespace vkprims {

struct StageTile {
  std::uint32_t workgroup_size, rows, batches;
  std::uint64_t items;  // elements, if all cells of the tile are whole
};

/// The tile nearest to the one that is wanted. A batch must fit into shared memory, of which the
/// rest of the kernel needs up to 5 KiB. The marks of a lane, one for each of its elements, must
/// fit into the bits of a word.
inline StageTile stage_tile(const DeviceState& state, std::uint32_t item_bytes,
                            std::uint32_t workgroup_size, std::uint32_t rows,
                            std::uint32_t batches) {
  constexpr std::uint32_t kMaxBatches = 8;
  const std::uint32_t cell_bytes = (item_bytes + 15) / 16 * 16;
  const std::uint32_t cell_items = std::max(16 / item_bytes, 1u);
  const std::uint32_t room = (state.shared_bytes - 5120) / cell_bytes;
  StageTile tile{};
  tile.workgroup_size = workgroup_size;
  while (tile.workgroup_size > room) tile.workgroup_size /= 2;
  tile.rows = std::clamp(room / tile.workgroup_size, 1u, std::min(rows, 32 / cell_items));
  tile.batches = std::clamp(32 / cell_items / tile.rows, 1u, std::min(batches, kMaxBatches));
  tile.items = std::uint64_t{tile.workgroup_size} * tile.rows * tile.batches * cell_items;
  return tile;
}

}  // namespace vkprims
