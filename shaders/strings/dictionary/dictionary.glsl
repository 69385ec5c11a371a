// This is what the kernels of dictionary_encode share: the table of rows.
//
// A slot holds the number of a row and, in the bits that this leaves free, some bits of its hash:
// rows that differ there need not be compared. An empty slot has all bits set. Where a row belongs
// follows from its bytes alone, so equal rows end up in one slot, which in the end holds the lowest
// of them.
#ifndef STRINGS_DICTIONARY_GLSL
#define STRINGS_DICTIONARY_GLSL

#include "strings/dictionary/dictionary.abi.h"
#include "vkprims/core.glsl"
#include "vkprims/strings/rows.glsl"

layout(push_constant) uniform Push { DictionaryPush push; };

const uint EMPTY = ~0u;

uint own_number() { return vkp_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex; }

uvec2 word_address(VkpU64 base, uint i) { return vkp_add64(vkp_u64(base), vkp_mul64(i, 4u)); }
uint load_word(const VkpU64 base, const uint i) { return VkpWords(word_address(base, i)).v[0]; }
void store_word(const VkpU64 base, const uint i, const uint x) {
  VkpWords(word_address(base, i)).v[0] = x;
}

// Returns what the slot of a row, which must not be null, holds once all rows are in the table.
uint slot_of_row(uint row) { return load_word(push.table, load_word(push.codes, row)); }

#endif
