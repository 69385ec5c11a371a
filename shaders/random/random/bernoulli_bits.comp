// Bernoulli trials as bits: each invocation makes whole words, the lowest bit first. The algorithm
// is in trials.glsl.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "trials.glsl"
#include "vkprims/masks.glsl"
#include "vkprims/memory/tile.glsl"

layout(constant_id = VKP_RANDOM_SPEC_ROUNDS) const uint rounds = 10;
layout(push_constant) uniform Push { RandomPush push; };

void main() {
  const uvec2 count = vkp_read_count(push.count);
  const uint tile_words = gl_WorkGroupSize.x * vkp_rows;
  const uvec2 first = vkp_mul64(vkp_group_index(), tile_words);
  const uint valid =
      vkp_clamped_difference(vkp_shr64(vkp_add64(count, 31u), 5u), first, tile_words);
  if (valid == 0u) return;

  const VkpRng rng = vkp_rng(push.rng);
  const uvec2 base = vkp_add64(vkp_u64(push.out_base), vkp_mul64(first, 4u));
  for (uint i = 0u; i < vkp_rows; ++i) {
    const uint word = vkp_move(i);
    if (word >= valid) continue;
    const uvec2 number = vkp_add64(first, word);
    const uint ones = random_trials(rng, number, 32u, rounds, push.threshold) & push.ones;
    const uint trials = vkp_clamped_difference(count, vkp_shl64(number, 5u), 32u);
    VkpWords(base).v[word] = ones & vkp_low_bits(trials);
  }
}
