// How rolling windows are computed: which kernels, which shapes of tiles, and where things lie in
// scratch.
#pragma once

#include "rolling/rolling/rolling.abi.h"
#include "runtime/device_state.hpp"
#include "vkprims/rolling.hpp"

namespace vkprims {

/// Number of a variant of the kernels in shaders/rolling/, in the order in which these name them:
/// first those whose values have 4 bytes.
enum class RollingVariant : std::uint32_t {
  word,
  f32,
  counted_word,
  counted_f32,
  arg_word,
  variance_f32,
  pair,
  f64,
  counted_pair,
  counted_f64,
  arg_pair,
  variance_f64,
  own,  // the kernels are those of a monoid of the application's
};
inline constexpr std::uint32_t kNarrowRollingVariants = 6;
RollingVariant rolling_variant(const RollingDesc& desc);

enum class RollingPath : std::uint32_t {
  tile,   // a tile's windows fit into shared memory
  edges,  // windows as long as a tile, or somewhat longer
  levels  // windows that are much longer: folds of blocks first
};

/// A window of every row: the one that is asked for, or the part of it before or behind the row in
/// its group.
struct RollingSide {
  std::int64_t first;    // element of row 0's window, relative to the row
  std::uint64_t window;  // elements
  std::uint32_t flags;   // VKP_ROLLING_, of all its kernels
  RollingPath path;
  std::uint32_t workgroup_size, run_items;
  std::uint32_t stage_items, max_runs, short_window;  // specialization of tile.comp
  std::uint32_t tile_items, batches;

  std::uint64_t items_per_group() const { return std::uint64_t{tile_items} * batches; }
};

struct RollingPlan {
  RollingVariant variant;
  std::uint32_t value_bytes;   // of a value in shared memory
  std::uint32_t window_bytes;  // of a window there and in scratch
  std::uint32_t type;          // VKP_ROLLING_SPEC_TYPE
  RollingSide sides[2];
  std::uint32_t side_count;
  VkDeviceSize heads_offset, heads_bytes;  // in scratch, behind the sizes of two grids
  VkDeviceSize parts_offset, parts_bytes;
  // Four arrays with a window for each block: two that doubling fills in turn, heads and middles.
  VkDeviceSize levels_offset, level_bytes;
  ScratchNeed need;

  bool is_own() const { return variant == RollingVariant::own; }
  /// Says which of the built-in modules it runs; a monoid has modules of its own.
  std::size_t module() const { return is_own() ? 0 : static_cast<std::size_t>(variant); }
};

/// Requires a valid descriptor, which says RollingOp::sum if there is a monoid. `out_validity` says
/// whether that is wanted.
RollingPlan rolling_plan(const DeviceState& state, const RollingDesc& desc, bool out_validity);

}  // namespace vkprims
