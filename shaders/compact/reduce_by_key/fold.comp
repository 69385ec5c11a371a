// First dispatch of the reduction by key without look-back: finds what all tiles before a tile
// leave to it. Every workgroup folds one tile, and the one that finishes last scans the folds
// (last_group.glsl).
// %VARIANT% T u32|f32|u64|f64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "compact/reduce_by_key/runs.glsl"
#include "vkprims/device/scan_folds.glsl"

void main() {
  const VkpRunSums s = pushed_sums();
  const uint tiles = vkp_run_tiles(s);
  const uint tile = vkp_group_index();
  if (tile >= tiles) return;
  const VkpRuns fold = runs_of(vkp_fold_run_tile(s, tile));
  const uvec2 folds = vkp_add64(vkp_u64(push.scratch), VKP_REDUCE_BY_KEY_TILES_OFFSET);
  if (gl_LocalInvocationIndex == 0u) vkp_store_shared_element(folds, tile, fold);
  if (vkp_last_group(vkp_u64(push.scratch), tiles)) {
    vkp_scan_folds(folds, tiles, vkp_runs_identity());
  }
}
