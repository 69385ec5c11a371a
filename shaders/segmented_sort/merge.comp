// Segmented sort, the other dispatches: each merges neighbouring runs of the segments that have several tiles.
//
// As merge/tiles.comp, which says how: a workgroup makes one tile of the output of one merge. It finds the two ends of
// its part of both runs itself, half of the invocations each: all of them probe the path along a diagonal at once, at
// equal distances, and so on between the two probes that it passes through.
//
// Keys and values go to and fro between the output and scratch, so that what is merged last lies in the output. A
// segment that has fewer tiles than others has fewer merges, and is left alone when it is done.
//
// Source: O. Green, R. McColl, D. Bader, "GPU Merge Path" (2012).
// %VARIANT% KEY word|pair
#version 460
#extension GL_GOOGLE_include_directive : require
#if defined(VKP_KEY_word)
#define KEY_WORDS 1
#else
#define KEY_WORDS 2
#endif
#include "segmented_sort/segmented_sort.glsl"

layout(constant_id = VKP_SPEC_ROWS) const uint sort_items = 32;  // of an invocation in a tile that was sorted

const uint ITEMS = VKP_SEGMENTED_SORT_MERGE_ITEMS(KEY_WORDS);
const uint SORTED_TILE = gl_WorkGroupSize.x * sort_items;
const uint TILE = gl_WorkGroupSize.x * ITEMS;
const uint PROBES = gl_WorkGroupSize.x / 2u;

shared uint staged[KEY_WORDS][gl_WorkGroupSize.x * VKP_SEGMENTED_SORT_MERGE_ITEMS(KEY_WORDS)];
shared uint sources[gl_WorkGroupSize.x * VKP_SEGMENTED_SORT_MERGE_ITEMS(KEY_WORDS) / 2];  // two in a word
shared uint passed[3][2];  // probes of three rounds
shared uvec2 splits[2];

KEY staged_bits(uint i) {
#if KEY_WORDS == 1
  return staged[0][i];
#else
  return uvec2(staged[0][i], staged[1][i]);
#endif
}

KEY staged_number(uint i) { return number_of(staged_bits(i)); }

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
  const uint end = gl_LocalInvocationIndex / PROBES;
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
    if (!vkp_less64(left, ahead)) {
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
  if (probe == 0u) splits[end] = first;
  barrier();
}

// The keys of the tile: a of them from run a.
struct Part {
  uvec2 a_first, b_first;
  uint a;
};

// Even if keys have been in no order, and splits make no sense, parts do not leave the runs.
Part find_part(Runs runs) {
  find_splits(runs);
  Part part;
  const uvec2 b_split = vkp_sub64(runs.begin, splits[0]);
  const uint least = runs.count - vkp_clamped_difference(runs.b_count, b_split, runs.count);
  const uint most = vkp_clamped_difference(runs.a_count, splits[0], runs.count);
  part.a = clamp(vkp_clamped_difference(splits[1], splits[0], runs.count), least, most);
  part.a_first = vkp_add64(runs.a, splits[0]);
  part.b_first = vkp_sub64(vkp_add64(runs.b, b_split), uvec2(part.a, 0u));  // were all keys of run b
  return part;
}

void stage_keys(Runs runs, Part part) {
  const uvec2 a_base = key_address(runs.from_out, part.a_first);
  const uvec2 b_base = key_address(runs.from_out, part.b_first);
  KEY bits[ITEMS];
  [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
    const uint k = i * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    const uvec2 base = k < part.a ? a_base : b_base;
    if (k < runs.count) bits[i] = load_bits(vkp_add64(base, k * 4u * KEY_WORDS), 0u);
  }
  [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
    const uint k = i * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
#if KEY_WORDS == 1
    staged[0][k] = bits[i];
#else
    staged[0][k] = bits[i].x;
    staged[1][k] = bits[i].y;
#endif
  }
}

// How many of the first `diagonal` keys of the tile come from a.
uint split(Part part, uint count, uint diagonal) {
  const uint b = count - part.a;
  uint first = diagonal - min(diagonal, b);
  const uint end = min(diagonal, part.a);
  for (uint left = min(part.a, b); left != 0u;) {
    const uint half_left = (left + 1u) / 2u;
    const uint next = first + half_left;
    const bool inside = next <= end;
    const KEY a_key = staged_number(inside ? next - 1u : 0u);
    const KEY b_key = staged_number(inside ? part.a + diagonal - next : 0u);
    if (inside && !key_less(b_key, a_key)) first = next;
    left -= half_left;
  }
  return first;
}

// Where the keys of this invocation come from.
void merge(Part part, uint count) {
  const uint diagonal = min(gl_LocalInvocationIndex * ITEMS, count);
  uint a = split(part, count, diagonal);
  uint b = part.a + diagonal - a;
  const uint last = count - 1u;
  KEY a_key = staged_number(min(a, last));
  KEY b_key = staged_number(min(b, last));
  uint pair = 0u;
  [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
    const bool take_a = a < part.a && (b >= count || !key_less(b_key, a_key));
    const uint source = min(take_a ? a : b, last);
    pair = i % 2u == 0u ? source : pair | source << 16;
    if (i % 2u == 1u) sources[(gl_LocalInvocationIndex * ITEMS + i) / 2u] = pair;
    const KEY next = staged_number(min(source + 1u, last));
    if (take_a) {
      ++a;
      a_key = next;
    } else {
      ++b;
      b_key = next;
    }
  }
}

void store(Runs runs, Part part) {
  const uvec2 first = vkp_add64(runs.a, runs.begin);
  const uvec2 out_base = key_address(!runs.from_out, first);
  const uvec2 out_values = value_address(!runs.from_out, first);
  const uvec2 a_values = value_address(runs.from_out, part.a_first);
  const uvec2 b_values = value_address(runs.from_out, part.b_first);
  uint source[ITEMS];
  [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
    const uint k = i * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    source[i] = sources[k / 2u] >> (16u * (k % 2u)) & 0xffffu;
    if (k < runs.count) store_bits(out_base, k, staged_bits(source[i]));
  }
  for (uint w = 0u; w < value_words(); ++w) {
    uint word[ITEMS];  // of all values before the first one is stored: loads do not wait for each other
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
      const uint k = i * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
      const uvec2 values = source[i] < part.a ? a_values : b_values;
      if (k < runs.count) word[i] = VkpWords(values).v[source[i] * value_words() + w];
    }
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
      const uint k = i * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
      if (k < runs.count) VkpWords(out_values).v[k * value_words() + w] = word[i];
    }
  }
}

void main() {
  if (push.pass >= VkpWords(vkp_u64(push.scratch)).v[VKP_SEGMENTED_SORT_PASSES]) return;
  const uint parts = sort_items / ITEMS;
  const uint groups = tiles_in_list() * parts;
  const uint step = gl_NumWorkGroups.x * gl_NumWorkGroups.y;
  for (uint group = vkp_group_index(); group < groups; group += step) {
    const Tiled tiled = load_tile(group / parts);
    const Runs runs = find_runs(tiled, group % parts);
    const bool done = push.pass >= passes_of(tiles_of(tiled.keys, SORTED_TILE));
    if (!done && runs.count != 0u) {
      barrier();  // shared memory is used again
      const Part part = find_part(runs);
      stage_keys(runs, part);
      barrier();
      merge(part, runs.count);
      barrier();
      store(runs, part);
    }
  }
}
