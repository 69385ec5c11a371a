// What the kernels of stack_match have in common: push constants, where things are in scratch, 64-bit levels.
//
// Levels are counted from the bottom of the stack that would be there if it could have less than nothing: an open adds
// one, a close takes one, and a close without an open makes a new lowest level. They are numbers of 64 bits from
// VKP_STACK_ORIGIN on, so that they compare as unsigned.
#ifndef VKPRIMS_STACK_MATCH_GLSL
#define VKPRIMS_STACK_MATCH_GLSL

#include "stack_match.abi.h"
#include "vkprims/core.glsl"

layout(constant_id = VKP_STACK_SPEC_WANTS) const uint wants = 0;
layout(constant_id = VKP_STACK_SPEC_INDEX_WORDS) const uint index_words = 1;

layout(constant_id = VKP_STACK_SPEC_BLOCKS) const uint tile_blocks = 128;

layout(push_constant) uniform Push { StackMatchPush push; };

const uint BLOCK = VKP_STACK_BLOCK;
const uint NONE = 0xffffffffu;
const uvec2 ORIGIN = uvec2(0u, 0x40000000u);
const uvec2 NO_LEVEL = uvec2(0xffffffffu);  // above all

uint tile_items() { return tile_blocks * BLOCK; }
uvec2 item_count() {
  const uvec2 count = vkp_read_count(push.count);
  return count == uvec2(0u) ? count : vkp_add64(count, push.head);
}
// Tiles of a number of items; less than 2^32.
uint tiles_of(uvec2 items) {
  const uint shift = uint(findLSB(tile_items()));
  return vkp_shr64(vkp_add64(items, tile_items() - 1u), shift).x;
}
// The element of item 0 of a tile; below 0 and wrapped in the first tile of a sequence with a head.
uvec2 tile_first(uint tile) { return vkp_sub64(vkp_mul64(tile, tile_items()), uvec2(push.head, 0u)); }

uvec2 add_signed(uvec2 level, int by) {
  return by < 0 ? vkp_sub64(level, uvec2(uint(-by), 0u)) : vkp_add64(level, uint(by));
}

// gl_LocalInvocationIndex need not follow the lanes: invocations are numbered by subgroup.
uint invocation() { return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID; }

// The bit of rank k, from the lowest, of those that are set; there are more than k.
uint select_bit(uint mask, uint k) {
  uint at = 0u;
  [[unroll]] for (uint width = 16u; width > 0u; width /= 2u) {
    const uint low = uint(bitCount(bitfieldExtract(mask, int(at), int(width))));
    if (low <= k) {
      k -= low;
      at += width;
    }
  }
  return at;
}

// ---- Scratch.

uvec2 blocks_of(uint tile) {
  return vkp_add64(vkp_add64(vkp_u64(push.scratch), VKP_STACK_BLOCKS_OFFSET),
                   vkp_mul64(tile, tile_blocks * VKP_STACK_BLOCK_BYTES));
}
uvec2 effects() { return blocks_of(push.max_tiles); }
uvec2 places() { return vkp_add64(effects(), vkp_mul64(push.max_tiles, VKP_STACK_EFFECT_BYTES)); }
uvec2 keys() { return vkp_add64(places(), vkp_mul64(push.max_tiles, VKP_STACK_PLACE_BYTES)); }

// A block, for what comes after its tile:
struct Block {
  uint survivors;       // opens that nothing in the tile closes
  uint pending;         // items whose answer lies before the tile,
  uint pending_closes;  // and those that are closes
  uint rank;            // survivors of the tile before the block: 16 bits; then pending closes of the tile before it
};

void store_block(uint tile, uint i, Block b) {
  VkpWords4(blocks_of(tile)).v[i] = uvec4(b.survivors, b.pending, b.pending_closes, b.rank);
}
Block load_block(uint tile, uint i) {
  const uvec4 x = VkpWords4(blocks_of(tile)).v[i];
  return Block(x.x, x.y, x.z, x.w);
}

// What a tile does to the stack, levels counted from where it begins.
struct Effect {
  int change;      // opens minus closes
  int lowest;      // level, up to the first reset
  int floor;       // lowest level since the last reset: that of the first survivor
  bool resets;
  int highest;     // level after an item up to the first reset
  int deepest;     // depth if nothing were there before
  uint unmatched;  // closes that find nothing whatever comes before
  uint opens;
};

void store_effect(uint tile, Effect e) {
  const uvec2 at = vkp_add64(effects(), vkp_mul64(tile, VKP_STACK_EFFECT_BYTES));
  VkpWords4(at).v[0] = uvec4(uint(e.change), uint(e.lowest), uint(e.floor), e.resets ? 1u : 0u);
  VkpWords4(at).v[1] = uvec4(uint(e.highest), uint(e.deepest), e.unmatched, e.opens);
}
Effect load_effect(uint tile) {
  const uvec2 at = vkp_add64(effects(), vkp_mul64(tile, VKP_STACK_EFFECT_BYTES));
  const uvec4 a = VkpWords4(at).v[0];
  const uvec4 b = VkpWords4(at).v[1];
  return Effect(int(a.x), int(a.y), int(a.z), a.w != 0u, int(b.x), int(b.y), b.z, b.w);
}

// Where a tile lies: the level it begins at, that of its first survivor, and the lowest one before it since a reset.
struct Place {
  uvec2 begin, base, floor;
};

void store_place(uint tile, Place p) {
  const uvec2 at = vkp_add64(places(), vkp_mul64(tile, VKP_STACK_PLACE_BYTES));
  VkpWords4(at).v[0] = uvec4(p.begin, p.base);
  VkpWords2(at).v[2] = p.floor;
}
Place load_place(uint tile) {
  const uvec2 at = vkp_add64(places(), vkp_mul64(tile, VKP_STACK_PLACE_BYTES));
  const uvec4 x = VkpWords4(at).v[0];
  return Place(x.xy, x.zw, VkpWords2(at).v[2]);
}

// Keys of a level of the tree over `tiles` tiles: where they begin, and how many there are; room is for a multiple of
// the fan-out.
struct TreeLevel {
  uint begin, count;
};

TreeLevel tree_level(uint tiles, uint level) {
  TreeLevel l = TreeLevel(0u, tiles);
  for (uint i = 0u; i < level; ++i) {
    l.count = (l.count + VKP_STACK_FAN_OUT - 1u) / VKP_STACK_FAN_OUT;
    l.begin += l.count * VKP_STACK_FAN_OUT;
  }
  return l;
}

#endif
