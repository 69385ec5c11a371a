// The runs that a workgroup merges to a tile of the output, and which part of them makes up this tile: see merge.comp.
#ifndef VKPRIMS_SEGMENTED_SORT_RUNS_GLSL
#define VKPRIMS_SEGMENTED_SORT_RUNS_GLSL

#include "segmented_sort/segmented_sort.glsl"

layout(constant_id = VKP_SPEC_ROWS) const uint sort_items = 32;  // of an invocation in a tile that was sorted

const uint ITEMS = VKP_SEGMENTED_SORT_MERGE_ITEMS(KEY_WORDS);
const uint SORTED_TILE = gl_WorkGroupSize.x * sort_items;
const uint TILE = gl_WorkGroupSize.x * ITEMS;
const uint PROBES = gl_WorkGroupSize.x / 2u;

shared uint passed[3][2];  // probes of three rounds
shared uvec2 splits[2];

// Two runs that are merged, and one tile of the output.
struct Runs {
  uvec2 a, b;              // their first keys
  uvec2 a_count, b_count;
  uvec2 begin;             // of the tile
  uint count;              // of its keys
  bool from_out;           // they lie in out, and go to scratch
};

Runs find_runs(Tiled tiled, uint part) {
  const uvec2 run = vkp_shl64(uvec2(SORTED_TILE, 0u), push.pass);
  const uvec2 at = vkp_add64(vkp_mul64(tiled.tile, SORTED_TILE), part * TILE);
  const uvec2 mask = vkp_sub64(vkp_shl64(run, 1u), uvec2(1u, 0u));
  const uvec2 a = at & ~mask;
  const uvec2 b = vkp_add64(a, run);
  Runs runs;
  runs.a_count = vkp_less64(a, tiled.keys) ? vkp_min64(vkp_sub64(tiled.keys, a), run) : uvec2(0u);
  runs.b_count = vkp_less64(b, tiled.keys) ? vkp_min64(vkp_sub64(tiled.keys, b), run) : uvec2(0u);
  runs.begin = at & mask;
  runs.count = vkp_clamped_difference(vkp_add64(runs.a_count, runs.b_count), runs.begin, TILE);
  runs.a = vkp_add64(tiled.first, a);
  runs.b = vkp_add64(tiled.first, b);
  runs.from_out = is_in_out(push.pass, passes_of(tiles_of(tiled.keys, SORTED_TILE)));
  return runs;
}

// The element i of out, or of the room in scratch.
uvec2 key_address(bool in_out, uvec2 i) {
  if (in_out) return element(push.out_base, i, KEY_WORDS);
  return element(push.spare_keys, i, KEY_WORDS);
}

uvec2 value_address(bool in_out, uvec2 i) {
  if (in_out) return element(push.values_out, i, value_words());
  return element(push.spare_values, i, value_words());
}

// splits[0], splits[1]: how many of the first `begin` keys, and of the first `begin + count`, come from a.
void find_splits(Runs runs) {
  // Invocations that probe nothing follow the second end.
  const bool probes = gl_LocalInvocationIndex < 2u * PROBES;
  const uint end = min(gl_LocalInvocationIndex / PROBES, 1u);
  const uint probe = gl_LocalInvocationIndex % PROBES;
  const uvec2 diagonal = vkp_add64(runs.begin, end * runs.count);
  // The split is one of first … first + left.
  uvec2 first = vkp_sub64(diagonal, vkp_min64(diagonal, runs.b_count));
  uvec2 left = vkp_sub64(vkp_min64(diagonal, runs.a_count), first);
  if (gl_LocalInvocationIndex < 2u) passed[0][gl_LocalInvocationIndex] = 0u;
  barrier();
  uint round = 0u;
  const uint shift = uint(findMSB(PROBES));
  for (uvec2 most = vkp_min64(runs.a_count, runs.b_count); most != uvec2(0u); most = vkp_shr64(most, shift)) {
    const uvec2 distance = vkp_add64(vkp_shr64(left, shift), 1u);
    const uvec2 ahead = vkp_mul64(distance, probe + 1u);
    bool before = false;
    if (probes && !vkp_less64(left, ahead)) {
      const uvec2 i = vkp_sub64(vkp_add64(first, ahead), uvec2(1u, 0u));
      const uvec2 j = vkp_sub64(vkp_sub64(diagonal, uvec2(1u, 0u)), i);
      const KEY a = number_of(load_bits(key_address(runs.from_out, vkp_add64(runs.a, i)), 0u));
      const KEY b = number_of(load_bits(key_address(runs.from_out, vkp_add64(runs.b, j)), 0u));
      before = !key_less(b, a);
    }
    const uint low = subgroupBallotBitCount(subgroupBallot(before && end == 0u));
    const uint high = subgroupBallotBitCount(subgroupBallot(before && end == 1u));
    if (gl_SubgroupInvocationID == 0u) {
      atomicAdd(passed[round][0], low);
      atomicAdd(passed[round][1], high);
    }
    // Last read two rounds ago.
    const uint next = (round + 1u) % 3u;
    if (gl_LocalInvocationIndex < 2u) passed[next][gl_LocalInvocationIndex] = 0u;
    barrier();
    const uvec2 gone = vkp_mul64(distance, passed[round][end]);
    first = vkp_add64(first, gone);
    left = vkp_min64(vkp_sub64(left, gone), vkp_shr64(left, shift));
    round = next;
  }
  if (probes && probe == 0u) splits[end] = first;
  barrier();
}

#endif
