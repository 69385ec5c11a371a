// The reduction of a tile of brackets, for seed_window.comp: what the tile does to the stack, the
// opens that it leaves there, and for each symbol where the top of the stack is that it finds.
//
// Source: R. Levien, "The stack monoid revisited" (2021), the reduction in place.
#ifndef VKPRIMS_STACK_MATCH_SEED_WINDOW_TILE_GLSL
#define VKPRIMS_STACK_MATCH_SEED_WINDOW_TILE_GLSL

#include "stack/stack_match/seed_window.abi.h"
#include "vkprims/core.glsl"

layout(constant_id = VKP_SEED_SPEC_INPUT) const uint symbol_input = 0;  // vkprims::StackInput

layout(push_constant) uniform Push { SeedWindowPush push; };

const uint TILE = gl_WorkGroupSize.x;  // symbols, one for each invocation
const uint NONE = 0xffffffffu;         // no index: there are less than 2^32 symbols
const uint ALL = 0xffffffffu;          // pops of a reset: at least as many as there can be opens

uint own() { return gl_LocalInvocationIndex; }

// An Effect is what neighbouring symbols do to a stack: some pops, then some pushes.
struct Effect {
  uint pops, pushes;
};

uint add_clamped(uint a, uint b) { return a + min(b, ALL - a); }

// Combines effects: this is the stack monoid without contents. Pops are exact up to ALL: clamped
// ones pop everything, as exact ones would.
Effect combine(Effect left, Effect right) {
  if (right.pops <= left.pushes) return Effect(left.pops, left.pushes - right.pops + right.pushes);
  const uint more = right.pops == ALL ? ALL : right.pops - left.pushes;
  return Effect(add_clamped(left.pops, more), right.pushes);
}

// A Request asks for an open on the stack: `level` is counted from the top, and is ALL once the
// request is settled; `found` is the answer.
struct Request {
  uint level, found;
};

// Turns a level counted behind symbols that do not have it, or are not asked, into one counted
// before them.
uint level_before(uint level, Effect e) {
  return level == ALL || e.pops == ALL ? ALL : add_clamped(level - e.pushes, e.pops);
}

// Returns the two lowest bits of a tag: vkprims::StackTag.
uint load_tag(uint i) {
  const uvec2 symbols = vkp_u64(push.symbols);
  if (symbol_input == 0u) {
    const uvec2 at = vkp_add64(symbols, i);
    return bitfieldExtract(VkpWords(uvec2(at.x & ~3u, at.y)).v[0], int(8u * (at.x & 3u)), 2);
  }
  if (symbol_input == 1u) return VkpWords(vkp_add64(symbols, vkp_mul64(i, 4u))).v[0] & 3u;
  const uint open = VkpWords(symbols).v[i / 32u] >> i % 32u & 1u;
  const uint close = VkpWords(vkp_u64(push.closes)).v[i / 32u] >> i % 32u & 1u;
  return open | close << 1u;
}

// The opens that a block leaves, as symbols of the tile, at the end of the block's part; later ones
// are further right.
shared uint slice[gl_WorkGroupSize.x];
// The effect of a block is stored where its last symbol is.
shared uint block_pops[gl_WorkGroupSize.x];
shared uint block_pushes[gl_WorkGroupSize.x];

Effect block_effect(uint last) { return Effect(block_pops[last], block_pushes[last]); }

// Reduces a tile: afterwards `slice` is that of the tile, and `top` is what this invocation's
// symbol finds on top of the stack, or the level to ask for before the tile. All invocations call
// it; they may have read `slice` just before.
//
// Each step makes blocks of twice the size. The right half's slice stays where it is, as slices end
// where their block ends, and what is left of the left half's slice moves to it. Reads and writes
// have a barrier between them, both ways.
Effect reduce_tile(uint tile, uint count, out Request top) {
  const uint i = tile * TILE + own();
  const uint tag = i < count ? load_tag(i) : 0u;
  barrier();
  slice[own()] = own();
  block_pops[own()] = tag == 2u ? 1u : tag == 3u ? ALL : 0u;
  block_pushes[own()] = tag == 1u ? 1u : 0u;
  top = Request(0u, NONE);
  barrier();
  for (uint size = 1u; size < TILE; size *= 2u) {
    const uint mid = (own() & ~(2u * size - 1u)) + size - 1u;  // last symbol of the left half
    const uint last = mid + size;                              // last symbol of the right half
    const Effect left = block_effect(mid);
    const Effect right = block_effect(last);
    if (own() > mid && top.level != ALL) {  // asks what is before the right half
      if (top.level < left.pushes) {
        top = Request(ALL, slice[mid - top.level]);
      } else {
        top.level = level_before(top.level, left);
      }
    }
    const uint kept = left.pushes - min(left.pushes, right.pops);
    const uint from_top = last - own();
    const bool moves = from_top >= right.pushes && from_top - right.pushes < kept;
    uint moved = 0u;
    if (moves) moved = slice[mid - right.pops - (from_top - right.pushes)];
    barrier();
    if (moves) slice[own()] = moved;
    if (own() == last) {
      const Effect both = combine(left, right);
      block_pops[own()] = both.pops;
      block_pushes[own()] = both.pushes;
    }
    barrier();
  }
  return block_effect(TILE - 1u);
}

#endif
