// This is what the kernels of stack_match have in common: push constants, where things are in
// scratch, and levels.
//
// Levels are counted from the bottom of a stack that could have less than nothing: an open adds
// one, a close takes one, and a close without an open makes a new lowest level. They are counted
// from ORIGIN, so that they compare as unsigned numbers: of 64 bits, or of 32 for short sequences,
// where the upper half is 0.
#ifndef VKPRIMS_STACK_MATCH_GLSL
#define VKPRIMS_STACK_MATCH_GLSL

#include "stack/stack_match/stack_match.abi.h"
#include "vkprims/core.glsl"

layout(constant_id = VKP_STACK_SPEC_WANTS) const uint wants = 0;
layout(constant_id = VKP_STACK_SPEC_INDEX_WORDS) const uint index_words = 1;

layout(constant_id = VKP_STACK_SPEC_BLOCKS) const uint tile_blocks = 128;
layout(constant_id = VKP_STACK_SPEC_LEVEL_WORDS) const uint level_words = 2;

// Kernels of other primitives may have more to push: `push` is then theirs.
#ifndef VKP_STACK_OWN_PUSH
layout(push_constant) uniform Push { StackMatchPush push; };
#endif

layout(constant_id = VKP_STACK_SPEC_ONE_MORE) const uint one_more = 0;

const uint BLOCK = VKP_STACK_BLOCK;
const uint NONE = 0xffffffffu;
const uvec2 ORIGIN =
    uvec2(level_words == 1u ? 0x80000000u : 0u, level_words == 1u ? 0u : 0x40000000u);
const uvec2 NO_LEVEL = uvec2(0xffffffffu);  // above all levels
const uvec2 NO_BOTTOM = uvec2(0u);  // below all levels: the key of a tile that resets

uint tile_items() { return tile_blocks * BLOCK; }
uvec2 item_count() {
  const uvec2 count = vkp_read_count(push.count);
  return count == uvec2(0u) ? count : vkp_add64(count, push.head + one_more);
}
// Returns the number of tiles that items take; it is less than 2^32.
uint tiles_of(uvec2 items) {
  const uint shift = uint(findLSB(tile_items()));
  return vkp_shr64(vkp_add64(items, tile_items() - 1u), shift).x;
}
// Returns the element of item 0 of a tile; it is below 0, and wrapped, in the first tile of a
// sequence with a head.
uvec2 tile_first(uint tile) {
  return vkp_sub64(vkp_mul64(tile, tile_items()), uvec2(push.head, 0u));
}

uvec2 level_plus(const uvec2 level, const int by) {
  if (level_words == 1u) return uvec2(level.x + uint(by), 0u);
  return by < 0 ? vkp_sub64(level, uvec2(uint(-by), 0u)) : vkp_add64(level, uint(by));
}
uvec2 level_minus(uvec2 level, uint by) {
  return level_words == 1u ? uvec2(level.x - by, 0u) : vkp_sub64(level, uvec2(by, 0u));
}
bool level_below(const uvec2 a, const uvec2 b) {
  return level_words == 1u ? a.x < b.x : vkp_less64(a, b);
}
uvec2 lower_level(uvec2 a, uvec2 b) { return level_below(a, b) ? a : b; }

// gl_LocalInvocationIndex need not follow the lanes, so invocations are numbered by subgroup.
uint invocation() { return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID; }

// ---- Scratch.

// The lists of each tile have items as they are counted in the tile: by rank the opens that nothing
// in the tile closes, and, from the end of the room backwards, what is pending, see pack_pending().
// There is always room enough: of the opens that see nothing of their tile below them, which are
// pending, only the last can stay open.
uint list_words() { return tile_items() + VKP_STACK_LIST_EXTRA; }
uvec2 list_of(const uint tile) {
  return vkp_add64(vkp_add64(vkp_u64(push.scratch), VKP_STACK_LISTS_OFFSET),
                   vkp_mul64(tile, 4u * list_words()));
}
uvec2 effects() { return list_of(push.max_tiles); }
uvec2 places() { return vkp_add64(effects(), vkp_mul64(push.max_tiles, VKP_STACK_EFFECT_BYTES)); }
uint groups_of(uint tiles) { return max(1u, (tiles + VKP_STACK_GROUP - 1u) / VKP_STACK_GROUP); }
uvec2 groups() { return vkp_add64(places(), vkp_mul64(push.max_tiles, VKP_STACK_PLACE_BYTES)); }
uvec2 group_at(uint group) { return vkp_add64(groups(), vkp_mul64(group, VKP_STACK_GROUP_BYTES)); }
uvec2 keys() { return group_at(groups_of(push.max_tiles)); }

// A pending item is one whose answer lies before the tile. Bits 0 … 14 are the item, bit 15 says
// whether it is a close, and bits 16 … 31 say how many closes of the tile before it are pending.
uint pack_pending(uint item, bool close, uint closes) {
  return item | (close ? 0x8000u : 0u) | closes << 16u;
}
uint pending_item(uint entry) { return entry & 0x7fffu; }
bool pending_close(uint entry) { return (entry & 0x8000u) != 0u; }
uint pending_closes(uint entry) { return entry >> 16u; }

// An Effect is what a tile does to the stack; levels are counted from where the tile begins.
struct Effect {
  int change;      // opens minus closes
  int lowest;      // lowest level, up to the first reset
  int floor;       // lowest level since the last reset: that of the first survivor
  bool resets;
  uint pending;    // pending items
  int highest;     // highest level after an item, up to the first reset
  int deepest;     // greatest depth if nothing were there before
  uint unmatched;  // closes that find nothing whatever comes before
  uint opens;
};

void store_effect(uint tile, Effect e) {
  const uvec2 at = vkp_add64(effects(), vkp_mul64(tile, VKP_STACK_EFFECT_BYTES));
  VkpWords4(at).v[0] =
      uvec4(uint(e.change), uint(e.lowest), uint(e.floor), e.pending << 1u | (e.resets ? 1u : 0u));
  VkpWords4(at).v[1] = uvec4(uint(e.highest), uint(e.deepest), e.unmatched, e.opens);
}
Effect load_effect(uint tile) {
  const uvec2 at = vkp_add64(effects(), vkp_mul64(tile, VKP_STACK_EFFECT_BYTES));
  const uvec4 a = VkpWords4(at).v[0];
  const uvec4 b = VkpWords4(at).v[1];
  return Effect(int(a.x), int(a.y), int(a.z), (a.w & 1u) != 0u, a.w >> 1u, int(b.x), int(b.y), b.z,
                b.w);
}

// Where a tile lies: the level it begins at, the level of its first survivor, and the lowest level
// before it since a reset.
struct Place {
  uvec2 begin, base, floor;
};

uvec2 place_of(const uint tile) {
  return vkp_add64(places(), vkp_mul64(tile, VKP_STACK_PLACE_BYTES));
}
void store_place(uint tile, Place p) {
  if (level_words == 1u) {
    VkpWords4(place_of(tile)).v[0] = uvec4(p.begin.x, p.base.x, p.floor.x, 0u);
  } else {
    VkpWords4(place_of(tile)).v[0] = uvec4(p.begin, p.base);
    VkpWords2(place_of(tile)).v[2] = p.floor;
  }
}
Place load_place(const uint tile) {
  const uvec4 x = VkpWords4(place_of(tile)).v[0];
  if (level_words == 1u) return Place(uvec2(x.x, 0u), uvec2(x.y, 0u), uvec2(x.z, 0u));
  return Place(x.xy, x.zw, VkpWords2(place_of(tile)).v[2]);
}

uvec2 key_at(uint i) { return vkp_add64(keys(), vkp_mul64(i, 4u * level_words)); }
void store_key(const uint i, const uvec2 key) {
  [[unroll]] for (uint k = 0u; k < level_words; ++k) VkpSharedWords(key_at(i)).v[k] = key[k];
}

// tree_count() returns how many nodes the tree over `tiles` tiles has at a height, and nodes_at()
// also where their keys begin; there is room for a multiple of the fan-out.
uint tree_count(const uint tiles, const uint height) {
  const uint log_fan_out = 3u;
  return (tiles >> log_fan_out * height) +
         ((tiles & (1u << log_fan_out * height) - 1u) != 0u ? 1u : 0u);
}
struct Nodes {
  uint begin, count;
};
Nodes nodes_at(uint tiles, uint height) {
  Nodes nodes = Nodes(0u, tiles);
  for (uint i = 1u; i <= height; ++i) {
    nodes.count = tree_count(tiles, i);
    nodes.begin += nodes.count * VKP_STACK_FAN_OUT;
  }
  return nodes;
}

#endif
