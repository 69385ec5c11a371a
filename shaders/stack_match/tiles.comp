// Bracket matching within tiles, and what tiles do to the stack. First dispatch of stack_match.
//
// An invocation has a block of 32 symbols as bits and runs over them with a stack that is a mask: an open sets its
// bit, a close clears the highest one, which is its open. Items that find the stack empty are pending: the answer to
// each is the open at a level below the block. In the tile it is in the last block before that whose lowest level
// (its key) is not above, by the rank of the level there; levels of a block's pending items only fall, so it walks back
// over the keys once. What finds nothing in the tile stays pending for finish.comp.
//
// Work: 32 steps per block for the mask, and at most as many steps back as there are blocks in the tile, whatever the
// input: O(1) for each item.
//
// Source: the stack monoid of R. Levien (2020, 2021) and the bicyclic semigroup; I. Bar-On, U. Vishkin, "Optimal
// Parallel Generation of a Computation Tree Form" (1985), for the search by lowest levels.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "stack_match/symbols.glsl"
#include "stack_match/floors.glsl"
#include "stack_match/results.glsl"

uvec2 value_of(uint tile, uint item, uint code) {
  return code == NO_RESULT ? uvec2(NONE) : vkp_add64(tile_first(tile), code);
}

const int BOTTOM = -0x40000000;  // below all levels of a tile: nothing before a reset can be seen
const int TOP = 0x40000000;

const uint TABLE = 7u;  // 2^TABLE is at least the number of blocks
shared int block_keys[TABLE][gl_WorkGroupSize.x];  // the lowest level, or BOTTOM behind a reset
shared int block_bases[gl_WorkGroupSize.x];  // the level of the first survivor
shared uint block_survivors[gl_WorkGroupSize.x];
shared int tile_lowest, tile_highest, tile_deepest;
shared uint tile_unmatched, tile_opens;

// What an invocation finds out about its block.
struct Walk {
  uint survivors;
  uint pending;  // items that find the stack of the block empty, up to the first reset
  uint matched;  // closes whose open is in the block
  int highest;   // level after an item up to the first reset
  int deepest;   // depth if nothing were there before
};

// `closes_only`: results are those of opens, found by their closes.
Walk walk_block(Symbols s, bool closes_only) {
  Walk w = Walk(0u, 0u, 0u, -int(BLOCK), 0);
  const uint first = invocation() * BLOCK;
  uint pair = 0u;
  int level = 0;
  uint stack = 0u;
  [[unroll]] for (uint e = 0u; e < BLOCK; ++e) {
    const bool open = bitfieldExtract(s.opens, int(e), 1) != 0u;
    const bool close = bitfieldExtract(s.closes, int(e), 1) != 0u;
    const uint top = uint(findMSB(stack));
    const bool empty = stack == 0u;
    if (empty) w.pending |= 1u << e;
    if (!closes_only) {
      const uint code = empty ? NO_RESULT : first + top;
      pair = e % 2u == 0u ? code : pair | code << 16u;
      if (e % 2u == 1u) stage_pair(e / 2u, pair);
    } else if (close && !empty) {
      stage_result(first + top, first + e);
    }
    if (close && !empty) {
      stack ^= 1u << top;
      w.matched |= 1u << e;
    }
    if (open) stack |= 1u << e;
    if (bitfieldExtract(s.resets, int(e), 1) != 0u) stack = 0u;
    if ((wants & VKP_STACK_WANTS_HEADER) != 0u && !closes_only) {
      level += open ? 1 : close ? -1 : 0;
      if (bitfieldExtract(s.resets, 0, int(e + 1u)) == 0u) w.highest = max(w.highest, level);
      w.deepest = max(w.deepest, bitCount(stack));
    }
  }
  w.survivors = stack;
  const uint upto_reset = s.resets == 0u ? 0xffffffffu : bits_upto(uint(findLSB(s.resets)) + 1u);
  w.pending &= upto_reset & s.exist;
  return w;
}

// The least keys of the last 2^k blocks up to each, as many as there are.
void build_table() {
  const uint own = invocation();
  [[unroll]] for (uint k = 1u; k < TABLE; ++k) {
    barrier();
    const uint before = 1u << (k - 1u);
    int least = block_keys[k - 1u][own];
    if (own >= before) least = min(least, block_keys[k - 1u][own - before]);
    block_keys[k][own] = least;
  }
}

#define load_shared(x) atomicLoad(x, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsRelaxed)

// Of `at` blocks, those up to the last whose key is not above `level`.
uint blocks_upto(uint at, int level) {
  [[unroll]] for (uint k = TABLE; k-- > 0u;) {
    if (at != 0u && load_shared(block_keys[k][at - 1u]) > level) at -= min(at, 1u << k);
  }
  return at;
}

// Finds in the tile what the pending items of a block ask for; `level` is that below the block. Returns those for whom there
// is nothing in the tile; closes that have found their open are added to `matched`, those stopped by a reset to neither.
// Behind a barrier. Shared memory is read by atomics: not all subgroups make as many turns (vkprims/README.md on lavapipe).
uint find_in_tile(Symbols s, uint pending, int level, bool closes_only, inout uint matched) {
  uint at = invocation();  // the block in question is the one before
  while (pending != 0u) {
    at = blocks_upto(at, level);
    if (at == 0u) break;
    const int rank = level - load_shared(block_bases[at - 1u]);
    if (rank < 0) return 0u;  // a reset has taken it, and all below
    // Its survivors up to that level, until all are closed.
    uint stack = uint(load_shared(block_survivors[at - 1u]));
    stack &= 0xffffffffu >> (31u - select_bit(stack, uint(rank)));
    while (pending != 0u && stack != 0u) {
      const uint e = uint(findLSB(pending));
      const uint top = uint(findMSB(stack));
      const bool close = (s.closes >> e & 1u) != 0u;
      const uint found = (at - 1u) * BLOCK + top;
      if (!closes_only) {
        stage_result(invocation() * BLOCK + e, found);
      } else if (close) {
        stage_result(found, invocation() * BLOCK + e);
      }
      if (close) {
        matched |= 1u << e;
        stack ^= 1u << top;
        --level;
      }
      pending &= pending - 1u;
    }
  }
  return pending;
}

// The least key of the blocks behind this one.
shared int group_keys[VKP_MAX_SUBGROUPS];
int least_key_behind(int key) {
  const uint lane = gl_SubgroupInvocationID;
  int x = key;  // of this lane and those behind
  for (uint distance = 1u; distance < gl_SubgroupSize; distance *= 2u) {
    const int right = subgroupShuffle(x, min(lane + distance, gl_SubgroupSize - 1u));
    if (lane + distance < gl_SubgroupSize) x = min(x, right);
  }
  if (lane == 0u) group_keys[gl_SubgroupID] = x;
  const int next = subgroupShuffle(x, min(lane + 1u, gl_SubgroupSize - 1u));
  int least = lane == gl_SubgroupSize - 1u ? TOP : next;
  barrier();
  [[dont_unroll]] for (uint i = 0u; i < gl_NumSubgroups; ++i) {
    const int other = group_keys[i];
    if (i > gl_SubgroupID) least = min(least, other);
  }
  return least;
}

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
