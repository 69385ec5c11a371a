// Finds the heads that an invocation has in a tile, and how many heads come before them.
#ifndef GROUP_BY_TILE_GLSL
#define GROUP_BY_TILE_GLSL

#extension GL_KHR_shader_subgroup_basic : require
#include "vkprims/subgroup/lanes.glsl"

shared uint heads_of_subgroup[VKP_GROUP_BY_WORKGROUP / 4];

struct Heads {
  uint bits;    // heads of this invocation's rows, which are neighbours
  uint before;  // heads of the tile before these rows
  uint all;     // heads of the tile
};

// Invocations are numbered by subgroup. `skip` has the bits of the tile's first invocation that do
// not count. This function has a barrier.
Heads heads_of_tile(uvec2 words, uint tile, uint skip) {
  const uint own = gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
  const uint row = own * VKP_GROUP_BY_ROWS;
  const uint word = load_word(words, tile * (VKP_GROUP_BY_TILE / 32u) + row / 32u);
  Heads heads;
  heads.bits = bitfieldExtract(word, int(row % 32u), VKP_GROUP_BY_ROWS);
  if (own == 0u) heads.bits &= ~skip;
  const uint upto = vkp_sum_upto_lane(bitCount(heads.bits));
  if (gl_SubgroupInvocationID == gl_SubgroupSize - 1u) heads_of_subgroup[gl_SubgroupID] = upto;
  barrier();
  heads.before = upto - bitCount(heads.bits);
  heads.all = 0u;
  [[dont_unroll]] for (uint i = 0u; i < gl_NumSubgroups; ++i) {
    const uint others = heads_of_subgroup[i];
    if (i < gl_SubgroupID) heads.before += others;
    heads.all += others;
  }
  return heads;
}

#endif
