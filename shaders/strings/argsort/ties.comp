// Finds which keys in order are that of a neighbour, too: there is a byte for each key, and an
// invocation stores a word of them.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/argsort/argsort.glsl"

const uint KEYS = VKP_ARGSORT_TIE_KEYS;

void main() {
  const uint first = KEYS * (vkp_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex);
  if (first >= push.rows) return;
  // These are the keys of a word, with one before and one behind them; those that do not exist are
  // not compared.
  uvec2 key[KEYS + 2u];
  [[unroll]] for (uint i = 0u; i < KEYS + 2u; ++i) {
    key[i] = sorted_key(min(first + max(i, 1u) - 1u, push.rows - 1u));
    if (i == 0u && first != 0u) key[i] = sorted_key(first - 1u);
  }
  uint flags = 0u;
  [[unroll]] for (uint i = 1u; i <= KEYS; ++i) {
    const uint position = first + i - 1u;
    const bool as_before = position != 0u && key[i] == key[i - 1u];
    const bool as_behind = position + 1u < push.rows && key[i] == key[i + 1u];
    if (as_before || as_behind) flags |= 1u << (8u * (i - 1u));
  }
  VkpWords(vkp_add64(vkp_u64(push.ties), first)).v[0] = flags;
}
