// Inputs of the benchmark: word i of a sequence is a function of i alone, so that the host can make
// the same sequence for the oracle without moving it. bench/data.hpp is the same on the host.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "vkprims/core.glsl"

layout(push_constant) uniform Push {
  uint out_lo, out_hi;
  uint words_lo, words_hi;
  uint kind;  // bench::Data
};

const uint words_per_invocation = 16u;

uint mix_bits(uvec2 i) {
  uint x = i.x * 0x9e3779b1u + i.y * 0x85ebca6bu + 0x27d4eb2fu;
  x = (x ^ (x >> 15)) * 0x2c1b3c6du;
  x = (x ^ (x >> 12)) * 0x297a2d39u;
  return x ^ (x >> 15);
}

// An integer from -8 to 8 as a float: sums are exact in any order, so that one lost element shows.
float small_number(uvec2 i) { return float(int(mix_bits(i) % 17u) - 8); }

// Ascending keys: one element in 16 begins a run, and every 256th.
uint head_mask(uvec2 group) {
  const uvec2 seed = vkp_add64(vkp_shl64(group, 2u), uvec2(0u, 256u));
  return mix_bits(seed) & mix_bits(vkp_add64(seed, 1u)) & mix_bits(vkp_add64(seed, 2u)) &
         mix_bits(vkp_add64(seed, 3u));
}

uint run_key(uvec2 i) {
  const uvec2 block = vkp_shr64(i, 8u);
  const uvec2 own = vkp_shr64(i, 5u);
  uint heads = 0u;
  for (uvec2 group = vkp_shl64(block, 3u); !vkp_less64(own, group); group = vkp_add64(group, 1u)) {
    uint mask = head_mask(group);
    if (group == own) mask &= ~0u >> (31u - i.x % 32u);
    heads += bitCount(mask);
  }
  return vkp_shl64(block, 8u).x + heads;
}

// The AND of `number` words: the more of them, the fewer bits of a key are set.
uint sparse_bits(uvec2 i, uint number) {
  uint x = ~0u;
  for (uint k = 0u; k < number; ++k) x &= mix_bits(uvec2(i.x, i.y + 256u * (k + 1u)));
  return x;
}

// A number up to 2^28, whose logarithm is distributed evenly: as Zipf's law has it. Its bits are
// spread.
uint zipf_key(uvec2 i) {
  const uint exponent = (mix_bits(i) >> 8) % 28u;
  const uint mantissa = mix_bits(uvec2(i.x, i.y + 256u)) & ((1u << exponent) - 1u);
  return (1u << exponent | mantissa) * 0x9e3779b1u;
}

uint data_word(uvec2 i) {
  switch (kind) {
    case 1: return floatBitsToUint(small_number(i));
    case 2: return floatBitsToUint(float(int(mix_bits(i)) >> 8) * (1.0 / 8388608.0));
    case 3: {  // the same small numbers as doubles, made from the float's bits
      if ((i.x & 1u) == 0u) return 0u;
      const uint bits = floatBitsToUint(small_number(vkp_shr64(i, 1u)));
      const uint magnitude = bits & 0x7fffffffu;
      return magnitude == 0u ? bits
                             : (bits & 0x80000000u) | ((magnitude >> 3) + ((1023u - 127u) << 20));
    }
    case 4: return run_key(i);
    case 5: return run_key(vkp_shr64(i, 4u));
    case 6: return 0u;
    case 7: return mix_bits(i) & 0x01010101u;
    case 8: return head_mask(i);
    case 9: {  // bytes
      const uint mask = head_mask(vkp_shr64(i, 3u)) >> (4u * (i.x & 7u));
      return (mask & 1u) | (mask & 2u) << 7 | (mask & 4u) << 14 | (mask & 8u) << 21;
    }
    case 10: return 16u * i.x + mix_bits(i) % 16u;
    case 11: return sparse_bits(i, 3u);
    case 12: return sparse_bits(i, 5u);
    case 13: return 16u * i.x;
    case 14: return ~(16u * i.x);
    case 15: return (mix_bits(i) & 15u) * 0x9e3779b1u;
    case 16: return (mix_bits(i) & 255u) * 0x9e3779b1u;
    case 17: return zipf_key(i);
    case 18: return mix_bits(i) >> 12;
    default: return mix_bits(i);
  }
}

void main() {
  const uint tile = vkp_group_index();
  const uint tile_words = words_per_invocation * gl_WorkGroupSize.x;
  const uvec2 first = vkp_mul64(tile, tile_words);
  const uint valid = vkp_clamped_difference(uvec2(words_lo, words_hi), first, tile_words);
  VkpWords words = VkpWords(vkp_add64(uvec2(out_lo, out_hi), vkp_mul64(first, 4u)));
  for (uint k = 0u; k < words_per_invocation; ++k) {
    const uint i = k * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (i < valid) words.v[i] = data_word(vkp_add64(first, i));
  }
}
