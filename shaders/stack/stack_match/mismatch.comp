// Stores in the header the first mismatch that types.comp has found. This is the last dispatch of
// stack_match if types are compared. It is one workgroup, which takes a turn for each 128 tiles or
// more: 4,096 turns beyond 2^31 symbols.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "stack/stack_match/stack_match.glsl"

shared uint first_tile;

uint found_in(uint tile) {
  return VkpWords(vkp_add64(effects(), vkp_mul64(tile, VKP_STACK_EFFECT_BYTES))).v[0];
}

void main() {
  const uint tiles = tiles_of(item_count());
  if (gl_LocalInvocationIndex == 0u) first_tile = NONE;
  barrier();
  uint found = NONE;
  for (uint tile = gl_LocalInvocationIndex; tile < tiles; tile += gl_WorkGroupSize.x) {
    if (found == NONE && found_in(tile) != NONE) found = tile;
  }
  if (found != NONE) atomicMin(first_tile, found);
  barrier();
  if (gl_LocalInvocationIndex != 0u || first_tile == NONE) return;
  VkpWords2(vkp_u64(push.header)).v[4] = vkp_add64(tile_first(first_tile), found_in(first_tile));
}
