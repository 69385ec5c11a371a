// How many opens are on the stack before each symbol. A dispatch of stack_match of its own, after tree.comp.
//
// The depth is the level minus the lowest level since the last reset. What comes before a tile is known from its Place,
// what comes before a block from a scan over the blocks; then each invocation counts along its own.
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#include "stack/stack_match/symbols.glsl"
#define VKP_STACK_SHORT_RUNS
#include "stack/stack_match/floors.glsl"
#include "stack/stack_match/results.glsl"

shared uvec2 block_depths[gl_WorkGroupSize.x];  // before the block

// Codes: depths up to the first reset relative to that before the block, behind it as they are.
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
  uint left = vkp_min64(depth, uvec2(BLOCK, 0u)).x;  // of what was there before, as much as the block can close
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
