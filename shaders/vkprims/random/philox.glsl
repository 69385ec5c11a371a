// Philox4x32: random words that are a function of a seed and a position, the same on every device.
//
// A block of four words is a bijection of a 128-bit counter under a 64-bit key. The key is the
// seed, the counter is {number of the block, stream}; word w of a stream is word w % 4 of block w /
// 4. The words do not depend on which invocation computes them.
//
// Source: J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC
// 2011). The known answers of its library hold for 10 and 7 rounds.
#ifndef VKPRIMS_PHILOX_GLSL
#define VKPRIMS_PHILOX_GLSL

#include "vkprims/core.glsl"
#include "vkprims/random/philox.h"

// `rounds` is a constant, at most 10.
uvec4 vkp_philox4x32(uvec4 counter, uvec2 key, uint rounds) {
  [[unroll]] for (uint round = 0u; round < 10u; ++round) {
    if (round >= rounds) break;
    const uvec2 a = vkp_mul64(0xd2511f53u, counter.x);
    const uvec2 b = vkp_mul64(0xcd9e8d57u, counter.z);
    counter = uvec4(b.y ^ counter.y ^ key.x, b.x, a.y ^ counter.w ^ key.y, a.x);
    key += uvec2(0x9e3779b9u, 0xbb67ae85u);
  }
  return counter;
}

struct VkpRng {
  uvec2 seed, stream;
  uvec2 first;  // the first block
};

VkpRng vkp_rng(VkpRngPush push) {
  VkpRng rng = VkpRng(vkp_u64(push.seed), vkp_u64(push.stream), vkp_u64(push.offset));
  const uvec2 state = vkp_u64(push.state);
  if (state != uvec2(0u)) {
    rng.seed = VkpWords2(state).v[0];
    rng.first = vkp_add64(rng.first, VkpWords2(state).v[1]);
  }
  rng.first = vkp_shr64(rng.first, 2u);
  return rng;
}

// Returns words 4 * block … 4 * block + 3 from the offset on.
uvec4 vkp_rng_block(VkpRng rng, uvec2 block, uint rounds) {
  return vkp_philox4x32(uvec4(vkp_add64(rng.first, block), rng.stream), rng.seed, rounds);
}

// Returns the same stream from a block on.
VkpRng vkp_rng_from(VkpRng rng, uvec2 block) {
  rng.first = vkp_add64(rng.first, block);
  return rng;
}

// Whether the first `blocks` blocks, at least one, have counters with the same high word, as they
// nearly always have. vkp_rng_near_block() then makes them with fewer instructions: what depends on
// that word alone is the same for all lanes, or at least for all blocks of a lane; this includes
// one of the two products of each of the first two rounds.
bool vkp_rng_is_near(VkpRng rng, uint blocks) { return rng.first.x <= 0u - blocks; }
uvec4 vkp_rng_near_block(VkpRng rng, uint block, uint rounds) {
  return vkp_philox4x32(uvec4(rng.first.x + block, rng.first.y, rng.stream), rng.seed, rounds);
}

#endif
