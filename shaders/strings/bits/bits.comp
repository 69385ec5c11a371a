// Moves the bits of rows, 0 where these are null, to where a word begins, with an invocation for
// each word.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/bits/bits.abi.h"
#include "vkprims/core.glsl"

layout(push_constant) uniform Push { BitsPush push; };

// Returns the bits of rows 32 * word and on; no word is read that has none of the rows.
uint moved_word(VkpU64 base, uint word) {
  VkpWords words = VkpWords(vkp_u64(base));
  const uint last = (push.first_bit + push.rows - 1u) / 32u;
  uint x = words.v[word] >> push.first_bit;
  if (push.first_bit != 0u && word < last) x |= words.v[word + 1u] << (32u - push.first_bit);
  return x;
}

void main() {
  const uint word = vkp_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (word >= (push.rows + 31u) / 32u) return;
  uint x = ~0u;
  if (vkp_u64(push.bits) != uvec2(0u)) x = moved_word(push.bits, word);
  if (vkp_u64(push.validity) != uvec2(0u)) x &= moved_word(push.validity, word);
  const uint left = push.rows - 32u * word;
  if (left < 32u) x &= ~(~0u << left);
  VkpWords(vkp_u64(push.result)).v[word] = x;
}
