// Folds of all items of short sequences, where this is the last dispatch of stack_fold instead of
// rows.comp. A workgroup has a tile.
//
// An item whose open is in the tile has the fold of that open, followed by the value of the open.
// Such opens make chains, and each round reaches twice as far along all chains of the tile. In
// rows.comp a row waits for the one before, which takes more time as long as there are few tiles.
//
// Work: at most 1 + log2(items of a tile) combinations for each item.
#version 460
// %VARIANT% T u32|f32|rectangle|affine
#extension GL_GOOGLE_include_directive : require
#include "stack/stack_fold/tile_codes.glsl"

const uint ITEMS = tile_blocks * BLOCK;
const uint OWN = ITEMS / gl_WorkGroupSize.x;  // items of an invocation

// `out` has the fold of each item from the open that is its link on, the link itself excluded; the
// rest is the fold of that open.
shared uint links[ITEMS];  // NO_CODE: nothing is left
shared uint unfinished[2];  // of this round, and of the next one

uint item_of(uint i) { return i * gl_WorkGroupSize.x + gl_LocalInvocationIndex; }

void begin_chains(Tile t) {
  if (gl_LocalInvocationIndex < 2u) unfinished[gl_LocalInvocationIndex] = 0u;
  for (uint i = 0u; i < OWN; ++i) {
    const uint item = item_of(i), code = code_of(t, item);
    const uvec2 element = vkp_add64(t.first, item);
    links[item] = code;
    if (!exists(t, item) || code == NO_CODE && is_seeded(t, item)) continue;
    VKP_T fold = vkp_identity();
    if (code != NO_CODE) fold = load_in(vkp_add64(t.first, code));
    store_out(element, fold);
  }
}

// A round reads what all invocations have stored, and stores behind a barrier. Each of the barriers
// releases what store_out() and the shared words have got, and acquires it for the reads behind it,
// of the same workgroup only.
bool follow(Tile t, uint turn) {
  VKP_T folds[OWN];
  uint next[OWN];
  bool any = false;
  for (uint i = 0u; i < OWN; ++i) {
    const uint item = item_of(i), link = links[item];
    next[i] = NO_CODE;
    if (link == NO_CODE) continue;
    next[i] = links[link];
    folds[i] = vkp_combine(load_out(vkp_add64(t.first, link)), load_out(vkp_add64(t.first, item)));
    any = true;
  }
  if (any) atomicOr(unfinished[turn], 1u, gl_ScopeWorkgroup, 0, 0);
  vkp_buffer_barrier();
  for (uint i = 0u; i < OWN; ++i) {
    const uint item = item_of(i);
    if (links[item] == NO_CODE) continue;
    store_out(vkp_add64(t.first, item), folds[i]);
    links[item] = next[i];
  }
  const bool more = unfinished[turn] != 0u;
  if (gl_LocalInvocationIndex == 0u) unfinished[turn ^ 1u] = 0u;
  vkp_buffer_barrier();
  return more;
}

void main() {
  const uvec2 items = item_count();
  const uint tile = vkp_group_index();
  if (tile >= tiles_of(items)) return;
  const Tile t = load_tile(tile, items);
  begin_chains(t);
  vkp_buffer_barrier();
  uint turn = 0u;
  while (follow(t, turn)) turn ^= 1u;
}
