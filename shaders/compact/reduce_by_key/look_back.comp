// Reduction by key in one dispatch, by decoupled look-back; the algorithm is in
// vkprims/device/reduce_runs.glsl.
// %VARIANT% T u32|f32|u64|f64
// %VARIANT% STATE word32|word64
// %INLINE% vkp_bits_by_value|vkp_pairs_by_value|vkp_stage_runs
#version 460
#extension GL_GOOGLE_include_directive : require
#include "compact/reduce_by_key/runs.glsl"
#include "vkprims/device/lookback.glsl"

VkpRunSums sums;  // for vkp_fold_tile

VkpRuns vkp_fold_tile(const uint tile) { return runs_of(vkp_fold_run_tile(sums, tile)); }
VkpRuns vkp_seed() { return vkp_runs_identity(); }

void main() {
  sums = pushed_sums();
  const VkpLookback lookback = VkpLookback(vkp_u64(push.scratch));
  const uint tiles = vkp_run_tiles(sums);
  if (tiles == 0u && vkp_group_index() == 0u) {
    const VkpRuns none = vkp_runs_identity();
    finish(none.heads, none.value);
  }
  const uint tile = vkp_take_tile(lookback, tiles);
  if (tile == VKP_NO_TILE) return;
  VkpRunTile t = vkp_fold_run_tile(sums, tile);
  VkpRuns prefix;
  VkpWalk walk = vkp_look_back(lookback, tile, runs_of(t));
  do {
    vkp_walk_on(lookback, walk);
    vkp_stage_run_tile(sums, tile, t);
  } while (!vkp_prefix_known(walk, prefix));
  reduce_tile(sums, tile, t, prefix, true);
}
