// Finds where in each tile a close first meets an open of another type. This is a dispatch of
// stack_match of its own, when match is complete; the effects of tiles are not needed any more, and
// their places in scratch take what is found.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "stack/stack_match/tags.glsl"

shared uint first_item;

uint tag_at(uvec2 element) { return tag_of(vkp_add64(element, push.head)); }

bool mismatches(uvec2 element) {
  const uint tag = tag_at(element);
  if ((tag & 3u) != KIND_CLOSE) return false;
  const uvec2 at = vkp_add64(vkp_u64(push.match), vkp_mul64(element, 4u * index_words));
  uvec2 open = uvec2(VkpWords(at).v[0], 0u);
  if (index_words == 2u) {
    open = VkpWords2(at).v[0];
    if (open == uvec2(NONE)) return false;
  }
  if (index_words == 1u && open.x == NONE) return false;
  return tag_at(open) >> 2u != tag >> 2u;
}

void main() {
  const uvec2 items = item_count();
  const uint tile = vkp_group_index();
  if (tile >= tiles_of(items)) return;
  if (gl_LocalInvocationIndex == 0u) first_item = NONE;
  barrier();
  const Range range = range_of(tile, items);
  uint found = NONE;
  for (uint i = 0u; i < BLOCK; ++i) {
    const uint item = i * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    const bool exists = item >= range.begin && item < range.end;
    if (found == NONE && exists && mismatches(vkp_add64(tile_first(tile), item))) found = item;
  }
  if (found != NONE) atomicMin(first_item, found);
  barrier();
  if (gl_LocalInvocationIndex == 0u) {
    VkpWords(vkp_add64(effects(), vkp_mul64(tile, VKP_STACK_EFFECT_BYTES))).v[0] = first_item;
  }
}
