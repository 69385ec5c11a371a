// Bracket matching within a tile, and what the tile does to the stack.
//
// An invocation has a block of 32 symbols as bits and walks over them with a stack that is a mask:
// an open sets its bit, and a close clears the highest bit, which is its open. Items that find the
// stack empty are pending: the answer to each is an open of an earlier block. The block before has
// the top of the stack there, and when its opens are used up its link leads to those below: each
// block has a link to the last block before that goes down further, with the mask of the opens that
// are left of that block. Levels of pending items only fall, so the blocks are gone through once.
// Items that find nothing in the tile stay pending for finish.comp, in a list; another list has the
// opens that are left of the tile.
//
// Work: 32 steps per block for the mask, a search in log2(blocks of a tile) steps for its link, and
// one step for each pending item, as every link leads to at least one open and every close uses one
// up: O(1) for each item, whatever the input.
//
// Source: the stack monoid of R. Levien (2020, 2021) and the bicyclic semigroup; I. Bar-On, U.
// Vishkin, "Optimal Parallel Generation of a Computation Tree Form" (1985), for the search by
// lowest levels.
#ifndef VKPRIMS_STACK_MATCH_TILE_GLSL
#define VKPRIMS_STACK_MATCH_TILE_GLSL

#extension GL_KHR_shader_subgroup_arithmetic : require

#include "stack/stack_match/lists.glsl"

uvec2 value_of(const uint tile, const uint item, const uint code) {
  return code == NO_RESULT ? uvec2(NONE) : vkp_add64(tile_first(tile), code);
}

// Blocks contribute to these values of the tile by atomics.
shared int tile_lowest, tile_highest, tile_deepest;
shared uint tile_unmatched, tile_opens;

// Returns the effect of a tile. `runs` has what the blocks before do, and what all do. The rest is
// found out by atomics; if nobody asks for a header, only where a tile resets.
Effect effect_of(Symbols s, Walk w, VkpGroupScan runs, uint pending, uint listed) {
  Effect effect = Effect(runs.total.change, runs.total.floor, runs.total.floor, runs.total.resets,
                         listed, 0, 0, 0u, 0u);
  if (!runs.total.resets && (wants & VKP_STACK_WANTS_HEADER) == 0u) return effect;
  if (gl_LocalInvocationIndex == 0u) {
    tile_lowest = 0;
    tile_highest = -int(tile_items());
    tile_deepest = 0;
    tile_unmatched = 0u;
    tile_opens = 0u;
  }
  barrier();
  // One lane of each subgroup does this, as atomics of all lanes on one word would take their time.
  const bool before_reset = !runs.before.resets;
  const int begin = runs.before.change;
  const int lowest = subgroupMin(before_reset ? begin - bitCount(w.pending & s.closes) : 0);
  const bool elected = subgroupElect();
  if (elected) atomicMin(tile_lowest, lowest);
  if ((wants & VKP_STACK_WANTS_HEADER) != 0u) {
    const int highest = subgroupMax(before_reset ? begin + w.highest : -int(tile_items()));
    const int deepest = subgroupMax(max(begin - runs.before.floor + w.highest, w.deepest));
    const uint opens = subgroupAdd(uint(bitCount(s.opens)));
    const uint unmatched = subgroupAdd(uint(bitCount(s.closes & ~w.matched & ~pending)));
    if (elected) {
      atomicMax(tile_highest, highest);
      atomicMax(tile_deepest, deepest);
      atomicAdd(tile_opens, opens);
      atomicAdd(tile_unmatched, unmatched);
    }
  }
  barrier();
  effect.lowest = tile_lowest;
  effect.highest = tile_highest;
  effect.deepest = tile_deepest;
  effect.unmatched = tile_unmatched;
  effect.opens = tile_opens;
  return effect;
}

// Blocks is what is known of a tile before its blocks look at each other: this invocation's block,
// and what all blocks do.
struct Blocks {
  Symbols symbols;
  Walk walk;
  int base;  // level of the first survivor, from where the block begins
  VkpGroupScan runs;
};

Blocks walk_tile(uint tile, Range range) {
  const Symbols s = load_symbols(tile, range);
  const Walk w = walk_block(s);
  const int change = bitCount(s.opens) - bitCount(s.closes);
  const int base = change - bitCount(w.survivors);
  return Blocks(s, w, base, vkp_scan_workgroup(Run(change, base, s.resets != 0u)));
}

// Stores what is found in the tile, and the lists for later dispatches.
Effect match_tile(uint tile, Range range, Blocks b) {
  const Symbols s = b.symbols;
  Walk w = b.walk;
  const VkpGroupScan runs = b.runs;
  const int base = runs.before.change + b.base;
  const int behind = link_block(s.resets != 0u ? BOTTOM : base, base, w.survivors);
  barrier();
  const uint pending = find_in_tile(s, w.pending, w.matched);
  barrier();
  if ((wants & VKP_STACK_WANTS_MATCH) != 0u) {
    const Range with_symbols = Range(range.begin, range.symbols, range.symbols);
    store_results(OF_MATCH, vkp_u64(push.match), tile, with_symbols);
  }
  if ((wants & VKP_STACK_WANTS_CODES) != 0u) store_codes(vkp_u64(push.depth), tile);
  if ((wants & VKP_STACK_WANTS_CLOSE_OF) != 0u) {
    store_results(OF_CLOSE_OF, vkp_u64(push.close_of), tile, range);
  }

  uint listed = 0u;
  if ((wants & WANTS_LISTS) != 0u) {
    const uint kept = uint(clamp(behind - base, 0, bitCount(w.survivors)));
    Entries entries = Entries(0u, 0u, pending, pending & s.closes, 0u);
    if (kept != 0u) {
      entries.survivors =
          w.survivors & (0xffffffffu >> (31u - vkp_select_bit(w.survivors, kept - 1u)));
      entries.rank = uint(base - runs.total.floor);
    }
    if (!runs.before.resets) entries.closes = uint(-runs.before.floor);
    listed = store_lists(tile, entries, uint(runs.total.change - runs.total.floor));
  }
  return effect_of(s, w, runs, pending, listed);
}

// Stores the effect of a tile. One invocation calls it.
void store_tile(uint tile, Effect effect) {
  store_effect(tile, effect);
  // This clears the counter of tree.glsl.
  if (tile == 0u) VkpWords(vkp_add64(vkp_u64(push.scratch), VKP_STACK_COUNTER_OFFSET)).v[0] = 0u;
}

#endif
