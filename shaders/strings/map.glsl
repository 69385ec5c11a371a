// String kernels that make a bit or a number of each row, and copy the validity.
#ifndef STRINGS_MAP_GLSL
#define STRINGS_MAP_GLSL

#include "strings/strings.glsl"

const uint TILE_ROWS = gl_WorkGroupSize.x * VKP_STRINGS_ROWS;

shared uint result_words[TILE_ROWS / 32u];
shared uint valid_words[TILE_ROWS / 32u];

uint row_in_tile(uint r) { return r * gl_WorkGroupSize.x + gl_LocalInvocationIndex; }

void begin_tile() {
  for (uint i = gl_LocalInvocationIndex; i < TILE_ROWS / 32u; i += gl_WorkGroupSize.x) {
    result_words[i] = valid_words[i] = 0u;
  }
  barrier();
}

void set_valid(uint i) { atomicOr(valid_words[i / 32u], 1u << (i & 31u), gl_ScopeWorkgroup, 0, 0); }
void set_bit(uint i) { atomicOr(result_words[i / 32u], 1u << (i & 31u), gl_ScopeWorkgroup, 0, 0); }

void store_words(uvec2 base, bool results) {
  if (base == uvec2(0u)) return;
  for (uint i = gl_LocalInvocationIndex; i < TILE_ROWS / 32u; i += gl_WorkGroupSize.x) {
    const uint word = vkp_group_index() * (TILE_ROWS / 32u) + i;
    const uint x = results ? result_words[i] : valid_words[i];
    if (32u * word < push.rows) VkpWords(vkp_add64(base, vkp_mul64(word, 4u))).v[0] = x;
  }
}

#endif
