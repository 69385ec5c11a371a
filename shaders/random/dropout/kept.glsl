// The elements that are kept: 32 neighbours are the bits of a word, the lowest bit first.
//
// An element is dropped if its draw is below the threshold, an integer. A draw is the word, or the
// half of a word, that has the element's number in the stream: it depends neither on the shape of
// the grid nor on the views.
#ifndef VKPRIMS_DROPOUT_KEPT_GLSL
#define VKPRIMS_DROPOUT_KEPT_GLSL

#include "random/dropout/rows.glsl"
#include "vkprims/masks.glsl"
#include "vkprims/random/philox.glsl"

layout(constant_id = VKP_DROPOUT_SPEC_SOURCE) const uint source = 2;
layout(constant_id = VKP_DROPOUT_SPEC_ROUNDS) const uint rounds = 10;

const bool shared_draws = (flags & VKP_DROPOUT_SHARED_DRAWS) != 0u;

uint halves_kept(uint word, uint threshold) {
  return ((word & 0xffffu) >= threshold ? 1u : 0u) | (word >> 16u >= threshold ? 2u : 0u);
}

// Returns which draws of a block keep their elements.
uint block_kept(uvec4 words, uint threshold) {
  uint kept = 0u;
  [[unroll]] for (uint w = 0u; w < 4u; ++w) {
    if (source == VKP_DROPOUT_DRAW_16) {
      kept |= halves_kept(words[w], threshold) << 2u * w;
    } else {
      kept |= (words[w] >= threshold ? 1u : 0u) << w;
    }
  }
  return kept;
}

const uint BLOCK_DRAWS = source == VKP_DROPOUT_DRAW_16 ? 8u : 4u;
const uint WORD_BLOCKS = 32u / BLOCK_DRAWS;  // blocks for 32 elements

// Returns which elements of a lane are kept, in a strip that begins with element `first`.
uint drawn(VkpRng rng, uvec2 first, uint threshold) {
  const VkpRng strip = vkp_rng_from(rng, vkp_shr64(first, source == VKP_DROPOUT_DRAW_16 ? 3u : 2u));
  const uint own = WORD_BLOCKS * gl_SubgroupInvocationID;
  uint kept = 0u;
  if (vkp_rng_is_near(strip, WORD_BLOCKS * gl_SubgroupSize)) {
    [[unroll]] for (uint i = 0u; i < WORD_BLOCKS; ++i) {
      kept |= block_kept(vkp_rng_near_block(strip, own + i, rounds), threshold) << BLOCK_DRAWS * i;
    }
  } else {
    [[dont_unroll]] for (uint i = 0u; i < WORD_BLOCKS; ++i) {
      kept |= block_kept(vkp_rng_block(strip, uvec2(own + i, 0u), rounds), threshold)
              << BLOCK_DRAWS * i;
    }
  }
  return kept;
}

// Says whether draw `number` of those that elements share keeps its elements.
bool draw_keeps(VkpRng rng, uvec2 number, uint threshold) {
  const uint block_draws = source == VKP_DROPOUT_DRAW_16 ? 3u : 2u;
  const uvec4 words = vkp_rng_block(rng, vkp_shr64(number, block_draws), rounds);
  if (source == VKP_DROPOUT_DRAW_32) return words[number.x & 3u] >= threshold;
  return (halves_kept(words[number.x >> 1u & 3u], threshold) >> (number.x & 1u) & 1u) != 0u;
}

// Returns which elements from `first` on are kept, where each `run` elements have the same draw.
uint drawn_in_runs(VkpRng rng, uvec2 first, uint valid, uint run, uint threshold) {
  uint number;
  uint within = divide(first, run, number);
  uint kept = 0u;
  for (uint i = 0u; i < valid;) {
    const uint end = min(valid, i + (run - within));
    if (draw_keeps(rng, uvec2(number, 0u), threshold)) kept |= vkp_low_bits(end) & ~vkp_low_bits(i);
    i = end;
    within = 0u;
    ++number;
  }
  return kept;
}

#endif
