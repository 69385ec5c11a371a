// Functions that the kernels of reduce_by_key share: they interpret the push constants, and reduce
// a tile.
#include "compact/reduce_by_key/reduce_by_key.abi.h"
#include "vkprims/ops.glsl"
#include "vkprims/device/reduce_runs.glsl"

layout(push_constant) uniform Push { ReduceByKeyPush push; };

uint vkp_heads(VkpStrip strip, uint batch) {
  return vkp_heads_of(vkp_u64(push.keys), strip, batch);
}

VkpRunSums pushed_sums() {
  const VkpScan scan =
      VkpScan(vkp_u64(push.in_base), vkp_u64(push.out_base), vkp_read_count(push.count),
              uvec2(0u));
  return VkpRunSums(scan, vkp_u64(push.keys), vkp_u64(push.out_keys));
}

void reduce_tile(VkpRunSums s, uint tile, VkpRunTile t, uvec2 runs, VKP_T value, bool staged) {
  vkp_reduce_run_tile(s, tile, t, runs, value, staged);
}

// Stores, after the last tile, the result of the last run, and how many runs there are.
void finish(const uvec2 runs, const VKP_T last) {
  if (gl_LocalInvocationIndex != 0u) return;
  VkpWords2(vkp_u64(push.count_base)).v[0] = runs;
  if (runs == uvec2(0u)) return;
  const uvec2 at = vkp_mul64(vkp_sub64(runs, uvec2(1u, 0u)), VKP_BYTES);
  vkp_store_element(vkp_add64(vkp_u64(push.out_base), at), 0u, last);
}

#include "vkprims/device/runs.glsl"

// Returns what a tile leaves to those behind it.
VkpRuns runs_of(VkpRunTile t) { return VkpRuns(uvec2(t.total, 0u), t.tails.total.value); }

// Reduces a tile as vkp_reduce_run_tile() does; `before` is what all tiles before leave.
void reduce_tile(VkpRunSums s, uint tile, VkpRunTile t, VkpRuns before, bool staged) {
  reduce_tile(s, tile, t, before.heads, before.value, staged);
  const VkpRuns all = vkp_combine(before, runs_of(t));
  if (tile == vkp_run_tiles(s) - 1u) finish(all.heads, all.value);
}
