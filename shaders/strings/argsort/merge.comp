// Merges neighbouring runs of sorted records, a workgroup for each tile of the result.
//
// Each half of the workgroup searches one end of the tile in both runs, at as many places at a time
// as it has invocations: a search by one invocation would take longer than the merge.
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/argsort/records.glsl"

// This many places are looked at together for either end.
const uint PLACES = VKP_ARGSORT_WORKGROUP / 2;

struct Pair {
  uvec2 from;
  uint a, a_count;  // records of both runs
  uint b, b_count;
};

uvec4 load_record(Pair pair, uint i) { return VkpWords4(record_at(pair.from, i)).v[0]; }

// Says whether record `i` of run a belongs before its counterpart on the diagonal.
bool is_first(Pair pair, uint i, uint diagonal) {
  return !is_before(load_record(pair, pair.b + diagonal - 1u - i), load_record(pair, pair.a + i));
}

// Returns, for both ends, how many of the first `diagonals` records of the result come from run a.
uvec2 find_ends(Pair pair, uvec2 diagonals) {
  uvec2 first = diagonals - min(diagonals, uvec2(pair.b_count));
  uvec2 left = min(diagonals, uvec2(pair.a_count)) - first;
  const uint end = gl_LocalInvocationIndex / PLACES;
  const uint place = gl_LocalInvocationIndex % PLACES + 1u;
  while ((left.x | left.y) != 0u) {
    const uvec2 step = (left + PLACES - 1u) / PLACES;
    // Shared memory has room only in the tile, which is not loaded yet.
    barrier();
    tile_words[0][gl_LocalInvocationIndex & 1u] = 0u;
    barrier();
    const uint asked = place * step[end];
    if (asked != 0u && asked <= left[end] &&
        is_first(pair, first[end] + asked - 1u, diagonals[end])) {
      atomicMax(tile_words[0][end], place, gl_ScopeWorkgroup, 0, 0);
    }
    barrier();
    const uvec2 found = uvec2(tile_words[0][0], tile_words[0][1]) * step;
    left = min(found + max(step, 1u) - 1u, left) - found;
    first += found;
  }
  return first;
}

void main() {
  const uint tied = tied_rows();
  const uint tile = vkp_group_index();
  if (push.pass >= merge_passes(tied) || tile >= (tied + TILE - 1u) / TILE) return;
  const uint run = TILE << push.pass;
  const uint at = tile * TILE;
  Pair pair;
  pair.from = records_before(push.pass);
  pair.a = at & ~(2u * run - 1u);
  pair.a_count = min(run, tied - pair.a);
  pair.b = pair.a + pair.a_count;
  pair.b_count = min(run, tied - pair.b);
  const uint begin = at - pair.a;
  const uint count = min(TILE, tied - at);
  const uvec2 ends = find_ends(pair, uvec2(begin, begin + count));

  const uint b_first = begin - ends.x;
  // `a` is kept between bounds, so that whatever the splits are, no records outside the runs are
  // read.
  const uint least = count - min(count, pair.b_count - b_first);
  const uint a = clamp(ends.y - min(ends.x, ends.y), least, min(count, pair.a_count - ends.x));
  barrier();
  [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
    const uint k = i * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    const uint from = k < a ? pair.a + ends.x + k : pair.b + b_first + k - a;
    if (k < count) set_tile_record(k, load_record(pair, from));
  }
  barrier();
  const uint own = min(gl_LocalInvocationIndex * ITEMS, count);
  Runs runs = split(Runs(0u, a, a, count), own, min(a, count - a));
  uvec4 places = uvec4(0u);
  [[dont_unroll]] for (uint i = 0u; i < ITEMS; ++i) append(places, take_next(runs));
  permute_tile(places);
  store_tile(records_before(push.pass + 1u), at, count);
}
