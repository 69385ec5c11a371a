// String kernels that make a bit or a number of each row, and copy the validity.
#ifndef STRINGS_MAP_GLSL
#define STRINGS_MAP_GLSL

#include "vkprims/strings/strings.glsl"
#include "strings/long_rows.glsl"

const uint TILE_ROWS = gl_WorkGroupSize.x * VKP_STRINGS_ROWS;

shared uint result_words[TILE_ROWS / 32u];
shared uint valid_words[TILE_ROWS / 32u];

uint row_in_tile(const uint r) { return r * gl_WorkGroupSize.x + gl_LocalInvocationIndex; }

// All invocations do the same, for lavapipe (vkprims/README.md), so several of them write the same
// word.
const uint WORDS = TILE_ROWS / 32u;
uint own_word() { return gl_LocalInvocationIndex % WORDS; }

void begin_tile() {
  result_words[own_word()] = 0u;
  valid_words[own_word()] = 0u;
  barrier();
}

void set_valid(uint i) { atomicOr(valid_words[i / 32u], 1u << (i & 31u), gl_ScopeWorkgroup, 0, 0); }
void set_bit(uint i) { atomicOr(result_words[i / 32u], 1u << (i & 31u), gl_ScopeWorkgroup, 0, 0); }

// Says whether row `row` is left to numbers/long.comp, which comes behind.
bool is_left(uint row, VkpText t) { return is_known(long_row(row, t)); }

void store_word(const uvec2 base, const uint x) {
  const uint word = vkp_group_index() * WORDS + own_word();
  if (base == uvec2(0u) || gl_LocalInvocationIndex >= WORDS || 32u * word >= vkp_push.rows) return;
  VkpWords(vkp_add64(base, vkp_mul64(word, 4u))).v[0] = x;
}

// Stores the bits at `results`, if that is an address, and the validity. With `only_valid`, null
// rows have no bits.
void end_tile(uvec2 results, bool only_valid) {
  barrier();
  const uint valid = valid_words[own_word()];
  const uint bits = result_words[own_word()] & (only_valid ? valid : ~0u);
  store_word(results, bits);
  store_word(vkp_u64(vkp_push.out_validity), valid);
}

#endif
