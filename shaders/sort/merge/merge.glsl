// What the two dispatches of a merge share: see tiles.comp.
#ifndef VKPRIMS_MERGE_GLSL
#define VKPRIMS_MERGE_GLSL

#include "sort/merge/merge.abi.h"
#define VKP_KEY_TYPE_CONSTANT VKP_MERGE_SPEC_TYPE
#if defined(VKP_KEY_word)
#define VKP_KEY_WORDS 1
#else
#define VKP_KEY_WORDS 2
#endif
#include "vkprims/keys.glsl"

layout(push_constant) uniform Push { MergePush push; };

struct Counts {
  uvec2 a, b, total;
};

Counts read_counts() {
  const uvec2 a = vkp_read_count(push.a_count);
  const uvec2 b = vkp_read_count(push.b_count);
  return Counts(a, b, vkp_add64(a, b));
}

// One invocation of the dispatch calls this.
void store_count_out(Counts counts) {
  const uvec2 address = vkp_u64(push.count_out);
  if (address != uvec2(0u)) VkpWords2(address).v[0] = counts.total;
}

uvec2 split_address(uint tile) {
  return vkp_add64(vkp_add64(vkp_u64(push.scratch), VKP_MERGE_SPLITS_OFFSET), vkp_mul64(tile, 8u));
}

#endif
