// What the kernels of reduce_by_key make of their push constants, and of a tile.
#include "reduce_by_key.abi.h"
#include "vkprims/ops.glsl"
#include "vkprims/heads.glsl"
#include "vkprims/reduce_runs.glsl"

layout(push_constant) uniform Push { ReduceByKeyPush push; };
layout(constant_id = VKP_SCAN_SPEC_BATCHES) const uint vkp_tile_batches = 1;

uint vkp_heads(VkpStrip strip, uint batch) {
  return vkp_heads_of(vkp_u64(push.keys), strip, batch);
}

VkpRunSums pushed_sums() {
  const VkpScan scan = VkpScan(vkp_u64(push.in_base), vkp_u64(push.out_base), vkp_read_count(push.count));
  return VkpRunSums(scan, vkp_u64(push.keys), vkp_u64(push.out_keys));
}

VkpStrip tile_strip(VkpRunSums s, uint tile) { return vkp_strip(s.scan, tile, vkp_tile_batches); }

uint tiles_of(VkpRunSums s) {
  return (vkp_scan_batches(s.scan) + vkp_tile_batches - 1u) / vkp_tile_batches;
}

void reduce_strip(VkpRunSums s, VkpStrip strip, uvec2 runs, VKP_T before) { vkp_reduce_strip(s, strip, runs, before); }

// After the last tile: the result of the last run, and how many there are.
void finish(uvec2 runs, VKP_T last) {
  if (gl_LocalInvocationIndex != 0u) return;
  VkpWords2(vkp_u64(push.count_base)).v[0] = runs;
  if (runs == uvec2(0u)) return;
  const uvec2 at = vkp_mul64(vkp_sub64(runs, uvec2(1u, 0u)), VKP_BYTES);
  vkp_store_element(vkp_add64(vkp_u64(push.out_base), at), 0u, last);
}

#include "vkprims/runs.glsl"

VkpRunsScan fold_tile(VkpRunSums s, uint tile) {
  VkpRuns x;
  uint heads;
  x.value = vkp_fold_runs(tile_strip(s, tile), heads);
  x.heads = uvec2(heads, 0u);
  return vkp_scan_subgroups(x);
}

// `before`: what all tiles before leave; `tile`'s folds as fold_tile() gives them.
void reduce_tile(VkpRunSums s, uint tile, uint tiles, VkpRunsScan folds, VkpRuns before) {
  const VkpRuns at = vkp_combine(before, folds.before);
  reduce_strip(s, tile_strip(s, tile), at.heads, at.value);
  const VkpRuns all = vkp_combine(before, folds.total);
  if (tile == tiles - 1u) finish(all.heads, all.value);
}
