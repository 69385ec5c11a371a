// Elements that a comparison of the application's own orders, and a tile of them in shared memory.
//
// vkprims_compare.glsl is made from the application's source (VkprimsCompare.cmake): it has VKP_T,
// VKP_WORDS, vkp_pack(), vkp_unpack() and vkp_less(). Elements are moved as words, and unpacked
// only to be compared. Every element that is compared is one of the input: a comparison may rely on
// what elements hold, for example follow an address.
#ifndef VKPRIMS_MERGE_SORT_ELEMENTS_GLSL
#define VKPRIMS_MERGE_SORT_ELEMENTS_GLSL

#include "sort/merge_sort/merge_sort.abi.h"
#include "vkprims/core.glsl"
#include "vkprims_compare.glsl"

layout(constant_id = VKP_MERGE_SORT_SPEC_VALUE_WORDS) const uint vkp_value_words = 0;

#define VKP_ITEMS VKP_MERGE_SORT_ITEMS(VKP_WORDS)
#define VKP_BYTES (4u * VKP_WORDS)
const uint vkp_tile_items = gl_WorkGroupSize.x * VKP_ITEMS;
const uint vkp_row = VKP_MERGE_SORT_ROW(VKP_WORDS, gl_WorkGroupSize.x);

// Word c of element i of the tile is vkp_staged[c * vkp_row + i].
shared uint vkp_staged[VKP_MERGE_SORT_ROW(VKP_WORDS, gl_WorkGroupSize.x) * VKP_WORDS];

struct VkpItem {
  uint w[VKP_WORDS];
};

bool vkp_is_less(const VkpItem a, const VkpItem b) {
  return vkp_less(vkp_unpack(a.w), vkp_unpack(b.w));
}

// mix() is used, as conditional expressions take branches.
VkpItem vkp_choose(const VkpItem a, const VkpItem b, const bool second) {
  VkpItem x;
  [[unroll]] for (uint c = 0u; c < VKP_WORDS; ++c) x.w[c] = mix(a.w[c], b.w[c], second);
  return x;
}

VkpItem vkp_load_item(const uvec2 address) {
  VkpItem x;
  [[unroll]] for (uint c = 0u; c < VKP_WORDS; ++c) x.w[c] = VkpWords(address).v[c];
  return x;
}

VkpItem vkp_staged_item(const uint i) {
  VkpItem x;
  [[unroll]] for (uint c = 0u; c < VKP_WORDS; ++c) x.w[c] = vkp_staged[c * vkp_row + i];
  return x;
}

// Invocations move words of the tile of which neighbours lie together in memory: word k of the
// tile, in steps of the workgroup's size.
uint vkp_word_of_step(const uint j) { return j * gl_WorkGroupSize.x + gl_LocalInvocationIndex; }
uint vkp_place_of_word(const uint k) { return k % VKP_WORDS * vkp_row + k / VKP_WORDS; }

// Word k of a tile of so many words, or a word of its last element.
uint vkp_word_in(const uint k, const uint words) {
  return mix(words - VKP_WORDS + k % VKP_WORDS, k, k < words);
}

// Each invocation has VKP_ITEMS neighbours.
uint vkp_first_own() { return gl_LocalInvocationIndex * VKP_ITEMS; }

// Stages the words that an invocation has loaded. Behind the tile the last element is repeated, as
// merges look at what lies behind their runs.
void vkp_stage_words(const uint word[VKP_ITEMS * VKP_WORDS]) {
  [[unroll]] for (uint j = 0u; j < VKP_ITEMS * VKP_WORDS; ++j) {
    vkp_staged[vkp_place_of_word(vkp_word_of_step(j))] = word[j];
  }
  const uint last = word[VKP_ITEMS * VKP_WORDS - 1u];
  const uint from_end = gl_WorkGroupSize.x - 1u - gl_LocalInvocationIndex;
  if (from_end < VKP_WORDS) {
    const uint first = (VKP_WORDS - 1u - from_end) * vkp_row + vkp_tile_items;
    [[unroll]] for (uint i = 0u; i <= VKP_ITEMS; ++i) vkp_staged[first + i] = last;
  }
}

void vkp_stage_own(const VkpItem x[VKP_ITEMS]) {
  [[unroll]] for (uint i = 0u; i < VKP_ITEMS; ++i) {
    [[unroll]] for (uint c = 0u; c < VKP_WORDS; ++c) {
      vkp_staged[c * vkp_row + vkp_first_own() + i] = x[i].w[c];
    }
  }
}

void vkp_stage_own_numbers(const uint number[VKP_ITEMS]) {
  [[unroll]] for (uint i = 0u; i < VKP_ITEMS; ++i) vkp_staged[vkp_first_own() + i] = number[i];
}

// Word j of those that an invocation moves, where its first word lies at `base`: the distance is
// constant, so that one address serves all.
#define VKP_WORD(base, j) VkpWords(base).v[(j) * gl_WorkGroupSize.x]

// Stores the first `count` elements of the tile.
void vkp_store_staged(const uvec2 base, const uint count) {
  const uint words = count * VKP_WORDS;
  const uvec2 own = vkp_add64(base, 4u * gl_LocalInvocationIndex);
  if (count == vkp_tile_items) {
    [[unroll]] for (uint j = 0u; j < VKP_ITEMS * VKP_WORDS; ++j) {
      VKP_WORD(own, j) = vkp_staged[vkp_place_of_word(vkp_word_of_step(j))];
    }
  } else {
    [[unroll]] for (uint j = 0u; j < VKP_ITEMS * VKP_WORDS; ++j) {
      const uint k = vkp_word_of_step(j);
      if (k < words) VKP_WORD(own, j) = vkp_staged[vkp_place_of_word(k)];
    }
  }
}

uvec2 vkp_load_value(const uvec2 base, const uint i) {
  uvec2 value;
  if (vkp_value_words == 2u) {
    value = VkpWords2(base).v[i];
  } else {
    value = uvec2(VkpWords(base).v[i], 0u);
  }
  return value;
}

void vkp_store_value(const uvec2 base, const uint i, const uvec2 value) {
  if (vkp_value_words == 2u) {
    VkpWords2(base).v[i] = value;
  } else {
    VkpWords(base).v[i] = value.x;
  }
}

// The address of element `first` of a sequence whose elements have `bytes` bytes.
uvec2 vkp_address_of(const uvec2 base, const uvec2 first, const uint bytes) {
  return vkp_add64(base, vkp_mul64(first, bytes));
}

#endif
