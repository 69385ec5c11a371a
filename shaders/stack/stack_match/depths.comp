// Finds how many opens are on the stack before each symbol. This is a dispatch of stack_match of
// its own, after tree.comp.
//
// The depth is the level minus the lowest level since the last reset. What comes before a tile is
// known from its Place, and what comes before a block from a scan over the blocks; then each
// invocation counts along its own block.
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#include "stack/stack_match/symbols.glsl"
#define VKP_STACK_SHORT_RUNS
#include "stack/stack_match/floors.glsl"
#include "stack/stack_match/results.glsl"

shared uvec2 block_depths[gl_WorkGroupSize.x];  // depth before the block

// Codes are depths: relative to the depth before the block up to the first reset, absolute behind
// it.
const uint ABSOLUTE = 0x8000u;

uvec2 value_of(const uint tile, const uint item, const uint code) {
  if (code >= ABSOLUTE) return uvec2(code - ABSOLUTE, 0u);
  return vkp_sub64(vkp_add64(block_depths[item / BLOCK], code), uvec2(BLOCK, 0u));
}

void main() {
  const uvec2 items = item_count();
  const uint tile = vkp_group_index();
  if (tile >= tiles_of(items)) return;
  const Range range = range_of(tile, items);
  const Symbols s = load_symbols(tile, range);
  const Run before = vkp_scan_workgroup(run_of(s)).before;
  const Place place = load_place(tile);
  uvec2 depth = uvec2(uint(before.change - before.floor), 0u);
  if (!before.resets) {
    const uvec2 floor = lower_level(place.floor, level_plus(place.begin, before.floor));
    depth = vkp_sub64(level_plus(place.begin, before.change), floor);
  }
  block_depths[invocation()] = depth;
  // `left` are the opens that were there before, as far as the block can close them.
  uint left = vkp_min64(depth, uvec2(BLOCK, 0u)).x;
  const uint known = left;
  uint own = 0u;
  bool reset = false;
  uint pair = 0u;
  [[unroll]] for (uint e = 0u; e < BLOCK; ++e) {
    const uint code = reset ? ABSOLUTE + own : BLOCK + own + left - known;
    pair = e % 2u == 0u ? code : pair | code << 16u;
    if (e % 2u == 1u) stage_pair(e / 2u, pair);
    if (bitfieldExtract(s.opens, int(e), 1) != 0u) ++own;
    if (bitfieldExtract(s.closes, int(e), 1) != 0u) {
      if (own != 0u) {
        --own;
      } else if (left != 0u) {
        --left;
      }
    }
    if (bitfieldExtract(s.resets, int(e), 1) != 0u) {
      own = 0u;
      left = 0u;
      reset = true;
    }
  }
  barrier();
  store_results(0u, vkp_u64(push.depth), tile, range);
}
