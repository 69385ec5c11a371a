// Where tiles lie, a tree over their lowest levels, and the header. Second dispatch of stack_match, one workgroup.
//
// A scan over the tiles, 8 for each invocation at a time, gives the level each begins at and the lowest one before it.
// A tile's key is the lowest level it goes down to, 0 if it resets; each level of the tree has the least of 8 keys
// below, and the rest of the last 8 are above all. Of many tiles only the first of each 8 is placed here, the others and
// their keys by places.comp, as one processor cannot write that much in time.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "stack_match/stack_match.glsl"
#include "stack_match/floors.glsl"

layout(constant_id = VKP_STACK_SPEC_FEW_TILES) const uint few_tiles = 1;

// Two keys. Other invocations read them.
layout(buffer_reference, std430, buffer_reference_align = 16) buffer KeyPairs { nonprivate uvec4 v[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Keys { nonprivate uvec2 v[]; };

void store_key(uint i, uvec2 key) { Keys(vkp_add64(keys(), vkp_mul64(i, 8u))).v[0] = key; }

uvec2 least_of_node(uint first) {
  KeyPairs pairs = KeyPairs(vkp_add64(keys(), vkp_mul64(first, 8u)));
  uvec4 x[VKP_STACK_FAN_OUT / 2u];
  [[unroll]] for (uint k = 0u; k < VKP_STACK_FAN_OUT / 2u; ++k) x[k] = pairs.v[k];
  uvec2 least = NO_LEVEL;
  [[unroll]] for (uint k = 0u; k < VKP_STACK_FAN_OUT / 2u; ++k) least = vkp_min64(least, vkp_min64(x[k].xy, x[k].zw));
  return least;
}

uvec2 max64(uvec2 a, uvec2 b) { return vkp_less64(a, b) ? b : a; }

// Of a tile, of several.
struct Totals {
  uvec2 opens, unmatched, deepest;
};

// `low`: the lowest level of the tile up to its first reset.
Totals totals_of(Effect e, Place p, uvec2 low) {
  const uvec2 below = vkp_sub64(p.floor, vkp_min64(p.floor, low));  // closes that find nothing before
  const uvec2 depth = vkp_sub64(add_signed(vkp_add64(p.begin, ORIGIN), e.highest), p.floor);
  return Totals(uvec2(e.opens, 0u), vkp_add64(below, e.unmatched), max64(depth, add_signed(ORIGIN, e.deepest)));
}

Totals add(Totals a, Totals b) {
  return Totals(vkp_add64(a.opens, b.opens), vkp_add64(a.unmatched, b.unmatched), max64(a.deepest, b.deepest));
}
uvec2 shuffle_xor(uvec2 x, uint mask) { return uvec2(subgroupShuffleXor(x.x, mask), subgroupShuffleXor(x.y, mask)); }

shared uvec2 least_keys[gl_WorkGroupSize.x];

shared Totals totals[VKP_MAX_SUBGROUPS];

Totals add_all(Totals x) {
  for (uint distance = 1u; distance < gl_SubgroupSize; distance *= 2u) {
    x = add(x, Totals(shuffle_xor(x.opens, distance), shuffle_xor(x.unmatched, distance),
                      shuffle_xor(x.deepest, distance)));
  }
  if (gl_SubgroupInvocationID == 0u) totals[gl_SubgroupID] = x;
  barrier();
  x = totals[0];
  [[dont_unroll]] for (uint i = 1u; i < gl_NumSubgroups; ++i) x = add(x, totals[i]);
  return x;
}

void main() {
  const uint own = invocation();
  const uvec2 items = item_count();
  const uint tiles = tiles_of(items);
  uvec2 level = ORIGIN;
  uvec2 floor = ORIGIN;
  Totals sum = Totals(uvec2(0u), uvec2(0u), ORIGIN);
  const uint above = tree_level(tiles, 1u).begin;
  const uint above_that = tree_level(tiles, 2u).begin;
  for (uint from = 0u; from < tiles; from += VKP_STACK_FAN_OUT * gl_WorkGroupSize.x) {
    const uint first = from + VKP_STACK_FAN_OUT * own;
    Run all[VKP_STACK_FAN_OUT];
    int lowest[VKP_STACK_FAN_OUT];
    Run run = vkp_identity();
    [[unroll]] for (uint i = 0u; i < VKP_STACK_FAN_OUT; ++i) {
      all[i] = vkp_identity();
      lowest[i] = 0;
      if (first + i < tiles) {
        const Effect e = load_effect(first + i);
        all[i] = Run(e.change, e.floor, e.resets);
        lowest[i] = e.lowest;
      }
    }
    [[unroll]] for (uint i = 0u; i < VKP_STACK_FAN_OUT; ++i) run = vkp_combine(run, all[i]);
    const VkpGroupScan runs = vkp_scan_workgroup(run);
    run = runs.before;
    uvec2 least = NO_LEVEL;
    [[unroll]] for (uint i = 0u; i < VKP_STACK_FAN_OUT; ++i) {
      Place p;
      p.begin = add_signed(level, run.change);
      p.base = add_signed(p.begin, all[i].floor);
      p.floor = add_signed(level, run.floor);
      if (!run.resets) p.floor = vkp_min64(floor, p.floor);
      run = vkp_combine(run, all[i]);
      uvec2 key = NO_LEVEL;
      if (first + i < tiles) {
        const uvec2 low = add_signed(p.begin, lowest[i]);
        key = all[i].resets ? uvec2(0u) : low;
        if (few_tiles != 0u || i == 0u) store_place(first + i, p);
        if ((wants & VKP_STACK_WANTS_HEADER) != 0u) sum = add(sum, totals_of(load_effect(first + i), p, low));
      }
      if (few_tiles != 0u && first < tiles) store_key(first + i, key);
      least = vkp_min64(least, key);
    }
    // The next two levels of the tree, as far as this turn goes.
    least_keys[own] = least;
    if (first / VKP_STACK_FAN_OUT < above_that - above) store_key(above + first / VKP_STACK_FAN_OUT, least);
    barrier();
    const uint node = from / (VKP_STACK_FAN_OUT * VKP_STACK_FAN_OUT) + own;
    if (own < gl_WorkGroupSize.x / VKP_STACK_FAN_OUT && above_that + node < tree_level(tiles, 3u).begin) {
      least = NO_LEVEL;
      [[unroll]] for (uint k = 0u; k < VKP_STACK_FAN_OUT; ++k) {
        least = vkp_min64(least, least_keys[VKP_STACK_FAN_OUT * own + k]);
      }
      store_key(above_that + node, least);
    }
    const uvec2 next = add_signed(level, runs.total.floor);
    floor = runs.total.resets ? next : vkp_min64(floor, next);
    level = add_signed(level, runs.total.change);
    barrier();
  }

  // The rest of it.
  TreeLevel below = tree_level(tiles, 2u);
  while (below.count > 1u) {  // as many turns in all invocations
    vkp_buffer_barrier();
    TreeLevel nodes;
    nodes.count = (below.count + VKP_STACK_FAN_OUT - 1u) / VKP_STACK_FAN_OUT;
    nodes.begin = below.begin + nodes.count * VKP_STACK_FAN_OUT;
    const uint padded = (nodes.count + VKP_STACK_FAN_OUT - 1u) / VKP_STACK_FAN_OUT * VKP_STACK_FAN_OUT;
    for (uint node = own; node < padded; node += gl_WorkGroupSize.x) {
      uvec2 key = NO_LEVEL;
      if (node < nodes.count) key = least_of_node(below.begin + node * VKP_STACK_FAN_OUT);
      store_key(nodes.begin + node, key);
    }
    below = nodes;
  }
  if ((wants & VKP_STACK_WANTS_HEADER) == 0u) return;
  sum = add_all(sum);
  if (own != 0u) return;
  // Closes are opens minus the change of level.
  const uvec2 matched = vkp_sub64(vkp_sub64(sum.opens, vkp_sub64(level, ORIGIN)), sum.unmatched);
  const uvec2 header = vkp_u64(push.header);
  VkpWords2(header).v[0] = tiles == 0u ? uvec2(0u) : vkp_sub64(items, uvec2(push.head, 0u));
  VkpWords2(header).v[1] = sum.unmatched;
  VkpWords2(header).v[2] = vkp_sub64(sum.opens, matched);
  VkpWords2(header).v[3] = vkp_sub64(sum.deepest, ORIGIN);
  VkpWords2(header).v[4] = uvec2(NONE);  // mismatch.comp may find one
}
