#include "sort/sort_tile.hpp"

#include <algorithm>
#include <bit>

namespace vkprims {
namespace {

constexpr std::uint32_t kSweepRows[] = {4, 8, 12, 20, 23};
constexpr std::uint32_t kSingleRows[] = {4, 8};

// The most bits of a digit for which shared memory has counters of all subgroups, and for which
// there is an invocation for each digit.
std::uint32_t most_digit_bits(const DeviceState& state, std::uint32_t workgroup_size,
                              std::uint32_t subgroups) {
  const std::uint32_t bins = std::min(state.shared_bytes / 4 * 3 / (4 * subgroups), workgroup_size);
  return std::min(static_cast<std::uint32_t>(std::bit_width(bins)) - 1, 8u);
}

}  // namespace

std::span<const std::uint32_t> sort_rows_of_modules(bool single) {
  return single ? std::span<const std::uint32_t>(kSingleRows) : kSweepRows;
}

std::uint32_t sort_shared_bytes(const SortTile& tile, std::uint32_t key_words) {
  const std::uint32_t bins = 1u << tile.digit_bits;
  const auto exchanged = static_cast<std::uint32_t>(tile.items()) * key_words;
  // These are counters and masks, or keys; a sum for each subgroup; for each digit a place of 64
  // bits and a count of the tile's keys; and single words.
  const std::uint32_t ranking = tile.subgroups * bins * (tile.masked ? 2 : 1);
  return 4 * (std::max(exchanged, ranking) + tile.subgroups + 3 * bins + 16);
}

SortTile sort_tile(const DeviceState& state, std::uint32_t key_words, bool single,
                   std::uint32_t workgroup_size, std::uint32_t rows) {
  const std::span<const std::uint32_t> modules = sort_rows_of_modules(single);
  for (;; workgroup_size -= 128) {
    // The limit of 4 bits gives keys of 64 bits at most VKP_RADIX_MAX_PASSES digits.
    SortTile best{};
    for (const std::uint32_t module : modules) {
      SortTile tile{workgroup_size, module, std::max(workgroup_size / state.subgroup_size, 1u), 0};
      tile.digit_bits = most_digit_bits(state, workgroup_size, tile.subgroups);
      const bool wanted = module <= rows || module == modules[0];
      const bool fits =
          tile.digit_bits >= 4 && sort_shared_bytes(tile, key_words) <= state.shared_bytes;
      if (wanted && fits) best = tile;
    }
    if (best.rows == 0 && workgroup_size > 128) continue;
    best.masked = single && state.subgroup_size <= 32;
    best.masked = best.masked && sort_shared_bytes(best, key_words) <= state.shared_bytes;
    return best;
  }
}

}  // namespace vkprims
