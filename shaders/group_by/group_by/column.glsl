// Access to a column by row: its elements, their validity, and the unsigned numbers by which groups
// are ordered.
// %VARIANT% VALUE of the kernels: word or pair, the size of an element.
#ifndef GROUP_BY_COLUMN_GLSL
#define GROUP_BY_COLUMN_GLSL

#if defined(VKP_VALUE_word)
#define VKP_KEY_WORDS 1
#else
#define VKP_KEY_WORDS 2
#endif
#define VKP_KEY_TYPE_CONSTANT VKP_GROUP_BY_SPEC_TYPE
#include "group_by/group_by/group_by.abi.h"
#include "vkprims/keys.glsl"

layout(constant_id = VKP_GROUP_BY_SPEC_FLAGS) const uint flags = 0;
const bool nullable = (flags & VKP_GROUP_BY_NULLABLE) != 0u;
const bool ordered = (flags & VKP_GROUP_BY_ORDERED) != 0u;
const bool further = (flags & VKP_GROUP_BY_FURTHER) != 0u;

uint load_word(const uvec2 base, const uint i) {
  return VkpWords(vkp_add64(base, vkp_mul64(i, 4u))).v[0];
}
void store_word(const uvec2 base, const uint i, const uint x) {
  VkpWords(vkp_add64(base, vkp_mul64(i, 4u))).v[0] = x;
}

// Returns the address of a row's element.
uvec2 at_row(uvec2 column, uint row) { return vkp_add64(column, vkp_mul64(row, VKP_KEY_BYTES)); }

#if VKP_KEY_WORDS == 1
#define BITS uint
BITS load_bits(const uvec2 column, const uint row) { return VkpWords(at_row(column, row)).v[0]; }
void store_bits(uvec2 column, uint row, BITS x) { VkpWords(at_row(column, row)).v[0] = x; }
const BITS NO_BITS = 0u;
#else
#define BITS uvec2
BITS load_bits(const uvec2 column, const uint row) { return VkpWords2(at_row(column, row)).v[0]; }
void store_bits(uvec2 column, uint row, BITS x) { VkpWords2(at_row(column, row)).v[0] = x; }
const BITS NO_BITS = uvec2(0u);
#endif

bool is_nan(BITS x) { return vkp_key_is_float && vkp_bits_are_nan(x); }

// Returns the same number for all elements that are the same key.
VKP_KEY group_key(BITS x) { return vkp_order_of(x); }

bool is_valid(uvec2 validity, uint row) {
  return (load_word(validity, row / 32u) >> (row % 32u) & 1u) != 0u;
}

#endif
