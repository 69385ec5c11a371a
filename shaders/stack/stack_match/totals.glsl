// Totals over all tiles, for the header.
#ifndef VKPRIMS_STACK_MATCH_TOTALS_GLSL
#define VKPRIMS_STACK_MATCH_TOTALS_GLSL

#include "stack/stack_match/stack_match.glsl"
#include "stack/stack_match/floors.glsl"

struct Totals {
  uvec2 opens, unmatched, deepest;
};
const Totals NOTHING = Totals(uvec2(0u), uvec2(0u), uvec2(0u));

// Returns the totals of a tile; `low` is its lowest level up to its first reset. Its depth is the
// greater of that by itself and that with what lies before.
Totals totals_of(Effect e, Place p, uvec2 low) {
  // Closes below the floor find nothing before.
  const uvec2 below = vkp_sub64(p.floor, lower_level(p.floor, low));
  const uvec2 highest = level_plus(p.begin, e.highest);
  uvec2 deepest = uvec2(uint(e.deepest), 0u);
  if (level_below(p.floor, highest)) {
    const uvec2 depth = vkp_sub64(highest, p.floor);
    if (vkp_less64(deepest, depth)) deepest = depth;
  }
  return Totals(uvec2(e.opens, 0u), vkp_add64(below, e.unmatched), deepest);
}

Totals add(const Totals a, const Totals b) {
  return Totals(vkp_add64(a.opens, b.opens), vkp_add64(a.unmatched, b.unmatched),
                vkp_less64(a.deepest, b.deepest) ? b.deepest : a.deepest);
}

uvec2 shuffle_xor(uvec2 x, uint mask) {
  return uvec2(subgroupShuffleXor(x.x, mask), subgroupShuffleXor(x.y, mask));
}

shared Totals partial_totals[VKP_MAX_SUBGROUPS];

// Adds up the totals of all invocations.
Totals add_all(Totals x) {
  for (uint distance = 1u; distance < gl_SubgroupSize; distance *= 2u) {
    x = add(x, Totals(shuffle_xor(x.opens, distance), shuffle_xor(x.unmatched, distance),
                      shuffle_xor(x.deepest, distance)));
  }
  barrier();
  if (gl_SubgroupInvocationID == 0u) partial_totals[gl_SubgroupID] = x;
  barrier();
  x = partial_totals[0];
  [[dont_unroll]] for (uint i = 1u; i < gl_NumSubgroups; ++i) x = add(x, partial_totals[i]);
  return x;
}

// The totals of a group are behind its Run in scratch. Invocation 0 stores them for the workgroup
// that is last, see last_group.glsl.
uvec2 totals_at(uint group) { return vkp_add64(group_at(group), 16u); }
void store_totals(uint group, Totals x) {
  const uint words[6] =
      uint[6](x.opens.x, x.opens.y, x.unmatched.x, x.unmatched.y, x.deepest.x, x.deepest.y);
  [[unroll]] for (uint i = 0u; i < 6u; ++i) VkpSharedWords(totals_at(group)).v[i] = words[i];
}
uint load_across(uvec2 address, uint i) {
  return atomicLoad(VkpSharedWords(address).v[i], gl_ScopeQueueFamily, gl_StorageSemanticsBuffer,
                    gl_SemanticsRelaxed);
}
Totals load_totals(uint group) {
  uint words[6];
  [[unroll]] for (uint i = 0u; i < 6u; ++i) words[i] = load_across(totals_at(group), i);
  return Totals(uvec2(words[0], words[1]), uvec2(words[2], words[3]), uvec2(words[4], words[5]));
}

#endif
