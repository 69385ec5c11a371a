// Bracket matching within tiles, and what tiles do to the stack. First dispatch of stack_match.
//
// An invocation has a block of 32 symbols as bits and runs over them with a stack that is a mask: an open sets its
// bit, a close clears the highest one, which is its open. Items that find the stack empty are pending: the answer to
// each is the open at a level below the block. In the tile it is in the last block before that whose lowest level
// (its key) is not above, by the rank of the level there; a table of least keys finds that block in 7 steps. Levels of a
// block's pending items only fall, so the survivors found serve the next items until all of them are closed. What finds
// nothing in the tile stays pending for finish.comp.
//
// Work: 32 steps per block for the mask, and for each pending item one more and at most 7 to find its block, whatever
// the input: O(1) for each item.
//
// Source: the stack monoid of R. Levien (2020, 2021) and the bicyclic semigroup; I. Bar-On, U. Vishkin, "Optimal
// Parallel Generation of a Computation Tree Form" (1985), for the search by lowest levels.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "stack_match/blocks.glsl"

uvec2 value_of(uint tile, uint item, uint code) {
  return code == NO_RESULT ? uvec2(NONE) : vkp_add64(tile_first(tile), code);
}

shared int tile_lowest, tile_highest, tile_deepest;
shared uint tile_unmatched, tile_opens;

void main() {
  const uvec2 items = item_count();
  const uint tile = vkp_group_index();
  if (tile >= tiles_of(items)) return;
  if (gl_LocalInvocationIndex == 0u) {
    tile_lowest = 0;
    tile_highest = -int(tile_items());
    tile_deepest = 0;
    tile_unmatched = 0u;
    tile_opens = 0u;
  }
  const Range range = range_of(tile, items);
  const Symbols s = load_symbols(tile, range);
  Walk w = walk_block(s, false);
  const int change = bitCount(s.opens) - bitCount(s.closes);
  const int base = change - bitCount(w.survivors);  // of the first survivor, from where the block begins
  const VkpGroupScan runs = vkp_scan_workgroup(Run(change, base, s.resets != 0u));
  const int begin = runs.before.change;
  const uint own = invocation();
  const int key = s.resets != 0u ? BOTTOM : begin + base;
  block_keys[0][own] = key;
  block_bases[own] = begin + base;
  block_survivors[own] = w.survivors;
  const int behind = least_key_behind(key);
  build_table();
  barrier();
  const uint pending = find_in_tile(s, w.pending, begin - 1, false, w.matched);
  barrier();
  if ((wants & VKP_STACK_WANTS_MATCH) != 0u) store_results(vkp_u64(push.match), tile, range);

  Block b;
  const uint kept = uint(clamp(behind - (begin + base), 0, bitCount(w.survivors)));
  b.survivors = w.survivors;
  if (kept == 0u) b.survivors = 0u;
  if (kept != 0u && kept < uint(bitCount(w.survivors))) {
    b.survivors &= bits_upto(select_bit(w.survivors, kept));
  }
  b.pending = pending;
  b.pending_closes = pending & s.closes;
  const uint rank = uint(max(min(key, behind) - runs.total.floor, 0));
  b.rank = rank | uint(runs.before.resets ? 0 : -runs.before.floor) << 16u;
  store_block(tile, own, b);

  // Of each subgroup by one lane: atomics of all lanes on one word would take their time.
  const bool before_reset = !runs.before.resets;
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
  if (gl_LocalInvocationIndex == 0u) {
    store_effect(tile, Effect(runs.total.change, tile_lowest, runs.total.floor, runs.total.resets, tile_highest,
                              tile_deepest, tile_unmatched, tile_opens));
  }

  if ((wants & VKP_STACK_WANTS_CLOSE_OF) != 0u) {
    clear_results();
    barrier();
    walk_block(s, true);
    find_in_tile(s, w.pending, begin - 1, true, w.matched);
    barrier();
    store_results(vkp_u64(push.close_of), tile, range);
  }
}
