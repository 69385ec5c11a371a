// Segmented sort, the other dispatches: each merges neighbouring runs of the segments that have several tiles.
//
// As merge/tiles.comp, which says how: a workgroup makes one tile of the output of one merge. It finds the two ends of
// its part of both runs itself: some invocations probe the path along a diagonal at once, at equal distances, and so on
// between the two probes that it passes through.
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
#include "segmented_sort/runs.glsl"

shared uint staged[KEY_WORDS][gl_WorkGroupSize.x * VKP_SEGMENTED_SORT_MERGE_ITEMS(KEY_WORDS)];
shared uint sources[gl_WorkGroupSize.x * VKP_SEGMENTED_SORT_MERGE_ITEMS(KEY_WORDS) / 2];  // two in a word

KEY staged_bits(uint i) {
#if KEY_WORDS == 1
  return staged[0][i];
#else
  return uvec2(staged[0][i], staged[1][i]);
#endif
}

KEY staged_number(uint i) { return number_of(staged_bits(i)); }

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
