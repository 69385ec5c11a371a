// Reduce-then-scan in two dispatches, for any monoid over VKP_T: each workgroup owns one chunk, a run of
// tiles. The first dispatch folds the chunks, and the workgroup that finishes last scans the folds; the
// second scans the chunks, tile by tile. Reads the input twice, waits for nobody, and combines in an order
// that depends on count, alignment and shape only: floating-point results do not vary from run to run.
//
// Source: the classic schedule, e.g. D. Merrill, A. Grimshaw, "Parallel Scan for Stream Architectures"
// (2009). The order between workgroups in the first dispatch is that of last_group.glsl.
#ifndef VKPRIMS_SCAN_CHUNKS_GLSL
#define VKPRIMS_SCAN_CHUNKS_GLSL

#include "last_group.glsl"
#include "scan_tile.glsl"

struct VkpChunks {
  uvec2 scratch;    // a word that is 0, and one element per chunk (scan.h)
  uint max_chunks;  // workgroups of the dispatch; 1: no first dispatch, no scratch
};

// Tiles [first, end) of a workgroup's chunk, and the number of chunks.
struct VkpChunk {
  uint first, end;
  uint chunks;
};

VkpChunk vkp_chunk(VkpScan scan, VkpChunks chunks) {
  const uint tiles = vkp_scan_tiles(scan);
  const uint run = max(1u, (tiles + chunks.max_chunks - 1u) / chunks.max_chunks);
  VkpChunk chunk;
  chunk.chunks = (tiles + run - 1u) / run;
  chunk.first = min(vkp_group_index(), chunk.chunks) * run;
  chunk.end = min(tiles, chunk.first + run);
  return chunk;
}

// The last workgroup: exclusive scan of the chunks' folds, after `seed`.
void vkp_scan_folds(uvec2 folds, uint chunks, VKP_T seed) {
  const uint run = (chunks + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
  const uint first = vkp_rank() * run;
  VKP_T x = vkp_identity();
  for (uint i = first; i < first + run; ++i) {
    if (i < chunks) x = vkp_combine(x, vkp_load_shared_element(folds, i));
  }
  VKP_T before = vkp_combine(seed, vkp_scan_workgroup(x).before);
  for (uint i = first; i < first + run; ++i) {
    if (i < chunks) {
      x = vkp_load_shared_element(folds, i);
      vkp_store_shared_element(folds, i, before);
      before = vkp_combine(before, x);
    }
  }
}

// The first dispatch. `seed` comes before the first element.
void vkp_scan_fold_chunks(VkpScan scan, VkpChunks chunks, VKP_T seed) {
  const VkpChunk chunk = vkp_chunk(scan, chunks);
  if (chunk.first >= chunk.end) return;
  const uvec2 folds = vkp_add64(chunks.scratch, VKP_SCAN_CHUNKS_OFFSET);
  const VKP_T fold = vkp_fold_tiles(scan, chunk.first, chunk.end - chunk.first);
  if (gl_LocalInvocationIndex == 0u) vkp_store_shared_element(folds, vkp_group_index(), fold);
  if (vkp_last_group(chunks.scratch, chunk.chunks)) vkp_scan_folds(folds, chunk.chunks, seed);
}

// The second dispatch; `seed` is used if it is the only one.
void vkp_scan_chunks(VkpScan scan, VkpChunks chunks, VKP_T seed) {
  const VkpChunk chunk = vkp_chunk(scan, chunks);
  if (chunk.first >= chunk.end) return;
  VKP_T before = seed;
  if (chunks.max_chunks != 1u) {
    before = vkp_load_element(vkp_add64(chunks.scratch, VKP_SCAN_CHUNKS_OFFSET), vkp_group_index());
  }
  for (uint tile = chunk.first; tile < chunk.end; ++tile) {
    const VkpItems items = vkp_scan_items(scan, tile, 1u);
    vkp_load_tile(items);
    barrier();
    const VkpGroupScan group = vkp_scan_workgroup(vkp_fold_parked());
    vkp_scan_parked(vkp_combine(before, group.before));
    barrier();
    vkp_store_tile(scan, tile, items);
    before = vkp_combine(before, group.total);
    barrier();
  }
}

#endif
