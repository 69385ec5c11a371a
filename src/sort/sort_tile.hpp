// The tiles of the kernels of shaders/sort/radix_sort.
#pragma once

#include <span>

#include "runtime/device_state.hpp"

namespace vkprims {

/// How a workgroup of `subgroups` subgroups ranks the keys of a tile.
struct SortTile {
  std::uint32_t workgroup_size, rows, subgroups;
  std::uint32_t digit_bits;  // at most
  bool masked = false;       // whether lanes find each other by masks
  std::uint64_t items() const { return std::uint64_t{workgroup_size} * rows; }
};

/// The most bytes of shared memory that the kernels need for a tile.
std::uint32_t sort_shared_bytes(const SortTile& tile, std::uint32_t key_words);

/// The largest tile that fits into shared memory, with at most so many invocations and rows.
/// `single`: the tile of a workgroup that sorts alone.
SortTile sort_tile(const DeviceState& state, std::uint32_t key_words, bool single,
                   std::uint32_t workgroup_size, std::uint32_t rows);

/// The numbers of rows for which there are modules, in their order: of sweeps, or of kernels that
/// sort alone.
std::span<const std::uint32_t> sort_rows_of_modules(bool single);

}  // namespace vkprims
