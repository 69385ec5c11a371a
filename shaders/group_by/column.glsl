// A column: its elements by row, with null, as unsigned numbers that order as groups do.
// %VARIANT% VALUE of the kernels: word or pair, the size of an element.
#ifndef GROUP_BY_COLUMN_GLSL
#define GROUP_BY_COLUMN_GLSL

#if defined(VKP_VALUE_word)
#define VKP_KEY_WORDS 1
#else
#define VKP_KEY_WORDS 2
#endif
#define VKP_KEY_TYPE_CONSTANT VKP_GROUP_BY_SPEC_TYPE
#include "group_by.abi.h"
#include "vkprims/keys.glsl"

layout(constant_id = VKP_GROUP_BY_SPEC_FLAGS) const uint flags = 0;
const bool nullable = (flags & VKP_GROUP_BY_NULLABLE) != 0u;
const bool ordered = (flags & VKP_GROUP_BY_ORDERED) != 0u;
const bool further = (flags & VKP_GROUP_BY_FURTHER) != 0u;

uint load_word(uvec2 base, uint i) { return VkpWords(vkp_add64(base, vkp_mul64(i, 4u))).v[0]; }
void store_word(uvec2 base, uint i, uint x) { VkpWords(vkp_add64(base, vkp_mul64(i, 4u))).v[0] = x; }

// Where the element of a row is.
uvec2 at_row(uvec2 column, uint row) { return vkp_add64(column, vkp_mul64(row, VKP_KEY_BYTES)); }

#if VKP_KEY_WORDS == 1
#define BITS uint
BITS load_bits(uvec2 column, uint row) { return VkpWords(at_row(column, row)).v[0]; }
void store_bits(uvec2 column, uint row, BITS x) { VkpWords(at_row(column, row)).v[0] = x; }
bool is_nan(BITS x) { return vkp_key_is_float && (x & 0x7fffffffu) > 0x7f800000u; }
bool is_zero(BITS x) { return vkp_key_is_float && (x << 1) == 0u; }
const BITS NO_BITS = 0u;
const BITS ONE_NAN = 0x7fffffffu;
#else
#define BITS uvec2
BITS load_bits(uvec2 column, uint row) { return VkpWords2(at_row(column, row)).v[0]; }
void store_bits(uvec2 column, uint row, BITS x) { VkpWords2(at_row(column, row)).v[0] = x; }
bool is_nan(BITS x) { return vkp_key_is_float && vkp_less64(uvec2(0u, 0x7ff00000u), uvec2(x.x, x.y & 0x7fffffffu)); }
bool is_zero(BITS x) { return vkp_key_is_float && (x.x | x.y << 1) == 0u; }
const BITS NO_BITS = uvec2(0u);
const BITS ONE_NAN = uvec2(0xffffffffu, 0x7fffffffu);
#endif

// Elements that are the same key have the same number.
VKP_KEY group_key(BITS x) {
  if (is_zero(x)) x = NO_BITS;
  if (is_nan(x)) x = ONE_NAN;
  return vkp_key_of(x);
}

bool is_valid(uvec2 validity, uint row) { return (load_word(validity, row / 32u) >> (row % 32u) & 1u) != 0u; }

#endif
