// The blocks of a tile: what an invocation finds in its own, and in those before.
#ifndef VKPRIMS_STACK_MATCH_BLOCKS_GLSL
#define VKPRIMS_STACK_MATCH_BLOCKS_GLSL

#include "stack_match/symbols.glsl"
#include "stack_match/floors.glsl"
#include "stack_match/results.glsl"

const int BOTTOM = -0x40000000;  // below all levels of a tile: nothing before a reset can be seen
const int TOP = 0x40000000;

const uint TABLE = 7u;  // 2^TABLE is at least the number of blocks
shared int block_keys[TABLE][gl_WorkGroupSize.x];  // the lowest level, or BOTTOM behind a reset
shared int block_bases[gl_WorkGroupSize.x];  // the level of the first survivor
shared uint block_survivors[gl_WorkGroupSize.x];

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

// Finds in the tile what the pending items of a block ask for; `level` is that below the block. Returns those for
// whom there is nothing in the tile; closes that have found their open are added to `matched`, those stopped by a
// reset to neither. Behind a barrier. Shared memory is read by atomics: not all subgroups make as many turns
// (vkprims/README.md on lavapipe).
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

#endif
