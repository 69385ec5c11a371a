// Elements that a comparison of the application's own orders, and a tile of them in shared memory.
//
// vkprims_compare.glsl is made from the application's source (VkprimsCompare.cmake): it has VKP_T,
// VKP_WORDS, vkp_pack(), vkp_unpack() and vkp_less(). Elements are moved as words, and unpacked
// only to be compared. Every element that is compared is one of the input: a comparison may rely on
// what elements hold, for example follow an address.
//
// Names begin with vkp_, also of what is no part of the GLSL library, since the source may have any
// others.
#ifndef VKPRIMS_MERGE_SORT_ELEMENTS_GLSL
#define VKPRIMS_MERGE_SORT_ELEMENTS_GLSL

#extension GL_KHR_shader_subgroup_basic : require

#include "sort/merge_sort/merge_sort.abi.h"
#include "vkprims/core.glsl"
#include "vkprims_compare.glsl"

layout(constant_id = VKP_MERGE_SORT_SPEC_VALUE_WORDS) const uint vkp_value_words = 0;

#define VKP_ITEMS VKP_MERGE_SORT_ITEMS(VKP_WORDS)
#define VKP_BYTES (4u * VKP_WORDS)
#define VKP_ITEM_WORDS (VKP_ITEMS * VKP_WORDS)
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

// Between memory and shared memory, invocations move words of which neighbours lie together: words
// of the tile in steps of the workgroup's size. They move a batch of words at once, in a loop that
// is no longer unrolled. If an invocation had all its words in registers, fewer of them would be at
// work at a time.
#define VKP_BATCH (VKP_WORDS == 1 ? 6u : VKP_ITEMS)
uint vkp_place_of_word(const uint k) { return k % VKP_WORDS * vkp_row + k / VKP_WORDS; }
// Word j of a batch whose first word, of this invocation, lies at `base`: the distance is constant,
// so that one address serves all.
#define VKP_WORD(base, j) VkpWords(base).v[(j) * gl_WorkGroupSize.x]
uvec2 vkp_next_batch(const uvec2 base) {
  return vkp_add64(base, 4u * VKP_BATCH * gl_WorkGroupSize.x);
}

// Stages a tile: its first a_words words lie at `a`, and others where they would lie if all words
// lay at `b`. Behind the last of its elements there are copies of it, also behind the room of the
// tile, as merges look at what lies behind their runs.
void vkp_stage(const uvec2 a, const uvec2 b, const uint a_words, const uint count) {
  const uint words = count * VKP_WORDS;
  uint last = 0u;
  if (count == vkp_tile_items) {
    uint first = gl_LocalInvocationIndex;
    uvec2 own_a = vkp_add64(a, 4u * first), own_b = vkp_add64(b, 4u * first);
    [[dont_unroll]] for (uint r = 0u; r < VKP_ITEM_WORDS; r += VKP_BATCH) {
      uint word[VKP_BATCH];
      [[unroll]] for (uint j = 0u; j < VKP_BATCH; ++j) {
        const bool is_a = first + j * gl_WorkGroupSize.x < a_words;
        if (r + j < VKP_ITEM_WORDS) {
          word[j] = VKP_WORD(mix(own_b, own_a, bvec2(is_a)), j);
          last = word[j];
        }
      }
      [[unroll]] for (uint j = 0u; j < VKP_BATCH; ++j) {
        const uint place = vkp_place_of_word(first + j * gl_WorkGroupSize.x);
        if (r + j < VKP_ITEM_WORDS) vkp_staged[place] = word[j];
      }
      first += VKP_BATCH * gl_WorkGroupSize.x;
      own_a = vkp_next_batch(own_a);
      own_b = vkp_next_batch(own_b);
    }
  } else {
    [[dont_unroll]] for (uint j = 0u; j < VKP_ITEM_WORDS; ++j) {
      const uint place = j * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
      const uint k = mix(words - VKP_WORDS + place % VKP_WORDS, place, place < words);
      last = VkpWords(mix(b, a, bvec2(k < a_words))).v[k];
      vkp_staged[vkp_place_of_word(place)] = last;
    }
  }
  const uint from_end = gl_WorkGroupSize.x - 1u - gl_LocalInvocationIndex;
  if (from_end < VKP_WORDS) {
    const uint behind = (VKP_WORDS - 1u - from_end) * vkp_row + vkp_tile_items;
    [[unroll]] for (uint i = 0u; i <= VKP_ITEMS; ++i) vkp_staged[behind + i] = last;
  }
}

// Stores the first `count` elements of the tile.
void vkp_store_staged(const uvec2 base, const uint count) {
  const uint words = count * VKP_WORDS;
  uint first = gl_LocalInvocationIndex;
  uvec2 own = vkp_add64(base, 4u * first);
  [[dont_unroll]] for (uint r = 0u; r < VKP_ITEM_WORDS; r += VKP_BATCH) {
    [[unroll]] for (uint j = 0u; j < VKP_BATCH; ++j) {
      const uint k = first + j * gl_WorkGroupSize.x;
      if (k < words) VKP_WORD(own, j) = vkp_staged[vkp_place_of_word(k)];
    }
    first += VKP_BATCH * gl_WorkGroupSize.x;
    own = vkp_next_batch(own);
  }
}

// In between each invocation has VKP_ITEMS neighbours, in the order of subgroups and lanes.
uint vkp_invocation() { return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID; }
uint vkp_first_own() { return vkp_invocation() * VKP_ITEMS; }

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

// The place of value i of those that this invocation moves.
uint vkp_place_of_value(const uint i) {
  return i * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
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
