// Hashes of texts, word by word.
#ifndef STRINGS_HASH_GLSL
#define STRINGS_HASH_GLSL

#include "vkprims/strings/rows.glsl"

// This is A. Appleby's finalizer of MurmurHash3: each bit of x changes about half of the bits of
// the result.
uint mix_bits(uint x) {
  x = (x ^ x >> 16) * 0x85ebca6bu;
  x = (x ^ x >> 13) * 0xc2b2ae35u;
  return x ^ x >> 16;
}

// The hash is mixed after every word, so which texts collide depends on the seed.
uint hash_of(VkpText text, uint seed) {
  uint hash = mix_bits(seed ^ text.bytes);
  for (uint i = 0u; i < text.bytes; i += 4u) hash = mix_bits(hash ^ vkp_text_word(text, int(i)));
  return hash;
}

#endif
