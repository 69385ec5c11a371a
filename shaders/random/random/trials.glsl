// Bernoulli trials: a draw of 32 or 16 bits is a one if it is not below a threshold.
#ifndef RANDOM_TRIALS_GLSL
#define RANDOM_TRIALS_GLSL

#include "random/random/random.abi.h"
#include "vkprims/random/philox.glsl"

layout(constant_id = VKP_RANDOM_SPEC_DRAW_BITS) const uint draw_bits = 32;

const uint BLOCK_TRIALS = 128u / draw_bits;

// Returns which draws of a word are ones, as bits; the low half of the word comes first.
uint ones_of_word(uint word, uint threshold) {
  if (draw_bits == 32u) return uint(word >= threshold);
  return uint((word & 0xffffu) >= threshold) | uint(word >> 16 >= threshold) << 1;
}

// Returns trials n * number … n * number + n - 1 as bits; n, a constant, is 16 or 32.
uint random_trials(VkpRng rng, uvec2 number, uint n, uint rounds, uint threshold) {
  const uint blocks = n / BLOCK_TRIALS;
  const uvec2 first = vkp_mul64(number, blocks);
  const uint word_trials = 32u / draw_bits;
  uint ones = 0u;
  for (uint i = 0u; i < blocks; ++i) {
    const uvec4 block = vkp_rng_block(rng, vkp_add64(first, i), rounds);
    [[unroll]] for (uint w = 0u; w < 4u; ++w) {
      ones |= ones_of_word(block[w], threshold) << (i * BLOCK_TRIALS + w * word_trials);
    }
  }
  return ones;
}

#endif
