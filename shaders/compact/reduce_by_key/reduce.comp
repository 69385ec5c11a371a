// Second dispatch of the reduction by key without look-back, or the only dispatch if there is a
// single tile; the algorithm is in vkprims/device/reduce_runs.glsl.
// %VARIANT% T u32|f32|u64|f64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "compact/reduce_by_key/runs.glsl"

void main() {
  const VkpRunSums s = pushed_sums();
  const uint tiles = vkp_run_tiles(s);
  const uint tile = vkp_group_index();
  VkpRuns before = vkp_runs_identity();
  if (tiles == 0u && tile == 0u) finish(before.heads, before.value);
  if (tile >= tiles) return;
  const VkpRunTile t = vkp_fold_run_tile(s, tile);
  if (vkp_u64(push.scratch) != uvec2(0u)) {
    before = vkp_load_runs(vkp_add64(vkp_u64(push.scratch), VKP_REDUCE_BY_KEY_TILES_OFFSET), tile);
  }
  reduce_tile(s, tile, t, before, false);
}
