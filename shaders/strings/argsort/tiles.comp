// Makes the records of rows that tie, and sorts those of each tile.
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/argsort/records.glsl"

// Returns the first position whose key is that at `position`: it goes back by steps that double,
// then searches within the last step.
uint first_with_key(uint position) {
  const uvec2 key = sorted_key(position);
  uint last = position;  // known to have the key
  uint step = 1u;
  bool same = true;
  while (same && step <= last) {
    same = sorted_key(last - step) == key;
    if (same) {
      last -= step;
      step *= 2u;
    }
  }
  uint first = same ? 0u : last - step + 1u;
  while (first < last) {
    const uint middle = first + (last - first) / 2u;
    if (sorted_key(middle) == key) {
      last = middle;
    } else {
      first = middle + 1u;
    }
  }
  return last;
}

uvec4 make_record(uint number) {
  const uint position = VkpWords(word_at(vkp_u64(push.positions), number)).v[0];
  const uint row = VkpWords(word_at(vkp_u64(push.order), position)).v[0];
  const uvec2 next = key_of(row, 8);
  return uvec4(first_with_key(position), next.y, next.x, row);
}

// Merges pairs of runs of `run` records. For `run` up to ITEMS / 2 an invocation has whole pairs.
void merge_runs(uint run, uint count) {
  const uint own = gl_LocalInvocationIndex * ITEMS;
  Runs runs;
  uvec4 places = uvec4(0u);
  [[dont_unroll]] for (uint i = 0u; i < ITEMS; ++i) {
    const uint k = own + i;
    if (i == 0u || k % (2u * run) == 0u) {
      const uint begin = k & ~(2u * run - 1u);
      const uint middle = min(begin + run, count);
      runs = Runs(min(begin, count), middle, middle, min(begin + 2u * run, count));
    }
    if (i == 0u) runs = split(runs, min(own, count) - runs.a, run);
    append(places, take_next(runs));
  }
  permute_tile(places);
}

void main() {
  const uint tied = tied_rows();
  const uint tile = vkp_group_index();
  if (tile >= (tied + TILE - 1u) / TILE) return;
  const uint first = tile * TILE;
  const uint count = min(tied - first, TILE);
  [[dont_unroll]] for (uint i = 0u; i < ITEMS; ++i) {
    const uint k = i * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (k < count) set_tile_record(k, make_record(first + k));
  }
  barrier();
  for (uint run = 1u; run < TILE; run *= 2u) merge_runs(run, count);
  store_tile(records_before(0u), first, count);
}
