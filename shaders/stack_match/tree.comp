// Where tiles lie, a tree over their lowest levels, and the header. Second dispatch of stack_match, one workgroup.
//
// A scan over the tiles, workgroup by workgroup in turn, gives the level each begins at and the lowest one before it.
// A tile's key is the lowest level it goes down to, 0 if it resets; each level of the tree has the least of 8 keys
// below, and the rest of the last 8 are above all.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "stack_match/stack_match.glsl"
#include "stack_match/floors.glsl"

VkpSharedWords key_words(uint key) { return VkpSharedWords(vkp_add64(keys(), vkp_mul64(key, 8u))); }
void store_key(uint i, uvec2 key) {
  key_words(i).v[0] = key.x;
  key_words(i).v[1] = key.y;
}
uvec2 load_key(uint i) { return uvec2(key_words(i).v[0], key_words(i).v[1]); }

uvec2 max64(uvec2 a, uvec2 b) { return vkp_less64(a, b) ? b : a; }

// Of a tile, of several.
struct Totals {
  uvec2 opens, unmatched, deepest;
};

Totals add(Totals a, Totals b) {
  return Totals(vkp_add64(a.opens, b.opens), vkp_add64(a.unmatched, b.unmatched), max64(a.deepest, b.deepest));
}
uvec2 shuffle_xor(uvec2 x, uint mask) { return uvec2(subgroupShuffleXor(x.x, mask), subgroupShuffleXor(x.y, mask)); }

const uint TILES = 4u;  // of an invocation at a time

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
  const uint padded = (tiles + VKP_STACK_FAN_OUT - 1u) / VKP_STACK_FAN_OUT * VKP_STACK_FAN_OUT;
  for (uint from = 0u; from < tiles; from += TILES * gl_WorkGroupSize.x) {
    const uint first = from + TILES * own;
    Effect e[TILES];
    [[unroll]] for (uint i = 0u; i < TILES; ++i) {
      e[i] = Effect(0, 0, 0, false, 0, 0, 0u, 0u);
      if (first + i < tiles) e[i] = load_effect(first + i);
    }
    Run run = vkp_identity();
    [[unroll]] for (uint i = 0u; i < TILES; ++i) run = vkp_combine(run, Run(e[i].change, e[i].floor, e[i].resets));
    const VkpGroupScan runs = vkp_scan_workgroup(run);
    run = runs.before;
    [[unroll]] for (uint i = 0u; i < TILES; ++i) {
      Place p;
      p.begin = add_signed(level, run.change);
      p.base = add_signed(p.begin, e[i].floor);
      p.floor = add_signed(level, run.floor);
      if (!run.resets) p.floor = vkp_min64(floor, p.floor);
      run = vkp_combine(run, Run(e[i].change, e[i].floor, e[i].resets));
      const uvec2 lowest = add_signed(p.begin, e[i].lowest);
      if (first + i < tiles) {
        store_place(first + i, p);
        const uvec2 below = vkp_sub64(p.floor, vkp_min64(p.floor, lowest));  // closes that find nothing before
        const uvec2 depth = vkp_sub64(add_signed(vkp_add64(p.begin, ORIGIN), e[i].highest), p.floor);
        sum = add(sum, Totals(uvec2(e[i].opens, 0u), vkp_add64(below, e[i].unmatched),
                              max64(depth, add_signed(ORIGIN, e[i].deepest))));
        store_key(first + i, e[i].resets ? uvec2(0u) : lowest);
      } else if (first + i < padded) {
        store_key(first + i, NO_LEVEL);
      }
    }
    const uvec2 next = add_signed(level, runs.total.floor);
    floor = runs.total.resets ? next : vkp_min64(floor, next);
    level = add_signed(level, runs.total.change);
  }

  uint begin = 0u;
  uint count = tiles;
  while (count > 1u) {  // as many turns in all invocations
    vkp_buffer_barrier();
    const uint below = begin;
    const uint nodes = (count + VKP_STACK_FAN_OUT - 1u) / VKP_STACK_FAN_OUT;
    begin += nodes * VKP_STACK_FAN_OUT;
    const uint nodes_padded = (nodes + VKP_STACK_FAN_OUT - 1u) / VKP_STACK_FAN_OUT * VKP_STACK_FAN_OUT;
    for (uint node = own; node < nodes_padded; node += gl_WorkGroupSize.x) {
      uvec2 key = NO_LEVEL;
      if (node < nodes) {
        [[unroll]] for (uint k = 0u; k < VKP_STACK_FAN_OUT; ++k) {
          key = vkp_min64(key, load_key(below + node * VKP_STACK_FAN_OUT + k));
        }
      }
      store_key(begin + node, key);
    }
    count = nodes;
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
