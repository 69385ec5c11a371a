// The tiles of the output of merges: which part of two runs each takes.
//
// sort/merge/partition.comp explains the method; here both ends of a tile are searched at once, so
// that their loads do not wait for each other. A workgroup has an invocation search for each of the
// next tiles that it merges, and keeps what they find in shared memory.
#ifndef VKPRIMS_SEGMENTED_SORT_PARTS_GLSL
#define VKPRIMS_SEGMENTED_SORT_PARTS_GLSL

#include "sort/segmented_sort/segmented_sort.glsl"

// Items of an invocation in a tile that was sorted.
layout(constant_id = VKP_SPEC_ROWS) const uint sort_items = 32;

const uint ITEMS = VKP_SEGMENTED_SORT_MERGE_ITEMS(KEY_WORDS);
const uint SORTED_TILE = gl_WorkGroupSize.x * sort_items;
const uint TILE = gl_WorkGroupSize.x * ITEMS;

struct Part {
  uvec2 a_first, b_first;  // first keys of both runs
  uvec2 out_first;
  uint a, count;  // keys of run a, and of both
  bool from_out;  // the runs lie in out, and go to scratch
};

uint parts_in_list() { return tiles_in_list() * (sort_items / ITEMS); }

// The most parts that a workgroup keeps: no more than it has invocations to search for them.
const uint PARTS = gl_WorkGroupSize.x < 128u ? gl_WorkGroupSize.x : 128u;
shared uvec4 kept_parts[2u * PARTS];

void keep_part(uint i, Part x) {
  kept_parts[2u * i] = uvec4(x.a_first, x.b_first);
  kept_parts[2u * i + 1u] = uvec4(x.out_first, x.a | x.count << 16, x.from_out ? 1u : 0u);
}

Part kept_part(uint i) {
  const uvec4 x = kept_parts[2u * i], y = kept_parts[2u * i + 1u];
  return Part(x.xy, x.zw, y.xy, y.z & 0xffffu, y.z >> 16, y.w != 0u);
}

// The address of element i of out, or of the room in scratch.
uvec2 key_address(bool in_out, uvec2 i) {
  if (in_out) return element(push.out_base, i, KEY_WORDS);
  return element(push.spare_keys, i, KEY_WORDS);
}

uvec2 value_address(bool in_out, uvec2 i) {
  if (in_out) return element(push.values_out, i, value_words());
  return element(push.spare_values, i, value_words());
}

// Two runs that are merged, and one tile of the output.
struct Runs {
  uvec2 a, b;              // their first keys
  uvec2 a_count, b_count;
  uvec2 begin;             // begin of the tile
  uint count;              // number of its keys
  bool from_out;           // the runs lie in out, and go to scratch
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

// Whether the key `i` of run a belongs before its counterpart on the diagonal.
bool a_first(const Runs runs, const uvec2 i, const uvec2 diagonal) {
  const uvec2 j = vkp_sub64(diagonal, vkp_add64(i, 1u));
  const KEY a = number_of(load_bits(key_address(runs.from_out, vkp_add64(runs.a, i)), 0u));
  const KEY b = number_of(load_bits(key_address(runs.from_out, vkp_add64(runs.b, j)), 0u));
  return !key_less(b, a);
}

// The number of the first `diagonal` keys that come from run a is one of first … first + left.
struct Range {
  uvec2 diagonal, first, left;
};

Range range_of(Runs runs, uvec2 diagonal) {
  const uvec2 first = vkp_sub64(diagonal, vkp_min64(diagonal, runs.b_count));
  return Range(diagonal, first, vkp_sub64(vkp_min64(diagonal, runs.a_count), first));
}

void halve(Runs runs, inout Range range) {
  const uvec2 half_left = vkp_shr64(vkp_add64(range.left, 1u), 1u);
  const uvec2 next = vkp_add64(range.first, half_left);
  const bool any = range.left != uvec2(0u);
  if (any && a_first(runs, vkp_sub64(next, uvec2(1u, 0u)), range.diagonal)) range.first = next;
  range.left = vkp_sub64(range.left, half_left);
}

// Parts do not leave the runs, even if keys are in no order, so that splits make no sense.
Part find_part(Runs runs) {
  Range begin = range_of(runs, runs.begin);
  Range end = range_of(runs, vkp_add64(runs.begin, runs.count));
  while ((begin.left | end.left) != uvec2(0u)) {
    halve(runs, begin);
    halve(runs, end);
  }
  const uvec2 b_split = vkp_sub64(runs.begin, begin.first);
  const uint least = runs.count - vkp_clamped_difference(runs.b_count, b_split, runs.count);
  const uint most = vkp_clamped_difference(runs.a_count, begin.first, runs.count);
  const uint a = clamp(vkp_clamped_difference(end.first, begin.first, runs.count), least, most);
  return Part(vkp_add64(runs.a, begin.first), vkp_add64(runs.b, b_split),
              vkp_add64(runs.a, runs.begin), a, runs.count, runs.from_out);
}

// Returns part `i` of the list. A segment that has fewer tiles than others has fewer merges, and is
// left alone when it is done.
Part part_of_list(uint i) {
  const uint parts = sort_items / ITEMS;
  const Tiled tiled = load_tile(i / parts);
  Part part = Part(uvec2(0u), uvec2(0u), uvec2(0u), 0u, 0u, false);
  if (push.pass >= passes_of(tiles_of(tiled.keys, SORTED_TILE))) return part;
  const Runs runs = find_runs(tiled, i % parts);
  if (runs.count != 0u) part = find_part(runs);
  return part;
}

#endif
