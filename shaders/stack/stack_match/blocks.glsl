// The blocks of a tile: what an invocation finds in its own block, and in the blocks before.
#ifndef VKPRIMS_STACK_MATCH_BLOCKS_GLSL
#define VKPRIMS_STACK_MATCH_BLOCKS_GLSL

#extension GL_KHR_shader_subgroup_vote : require

#include "stack/stack_match/symbols.glsl"
#define VKP_STACK_SHORT_RUNS
#include "stack/stack_match/floors.glsl"
#define VKP_STACK_OUTPUTS ((wants & VKP_STACK_WANTS_CLOSE_OF) != 0u ? 2u : 1u)
#include "stack/stack_match/results.glsl"
#include "vkprims/workgroup/shared_words.glsl"

const int BOTTOM = -0x40000000;  // below all levels of a tile: nothing before a reset can be seen
const int TOP = 0x40000000;

const uint OF_MATCH = 0u;  // places in `results`
const uint OF_CLOSE_OF = RESULT_WORDS;

// The findings of an invocation about its block.
struct Walk {
  uint survivors;
  uint pending;  // items that find the stack of the block empty, up to the first reset
  uint matched;  // closes whose open is known
  int highest;   // highest level after an item, up to the first reset
  int deepest;   // greatest depth if nothing were there before
};

// Walks over item `e` of the block; returns where its open is, 0xffff if there is none. It is
// written for few instructions: findMSB of an empty stack is -1, and the bit that is then cleared
// is not set. `resets` says whether there may be any.
uint walk_item(Symbols s, uint e, bool resets, inout uint stack, inout uint empties, inout Walk w) {
  const uint item = 1u << e;
  const uint top = uint(findMSB(stack));
  const bool close = (s.closes & item) != 0u;
  empties = empties << 1u | top >> 31u;
  if ((wants & VKP_STACK_WANTS_CLOSE_OF) != 0u && close && stack != 0u) {
    const uint first = invocation() * BLOCK;
    stage_result(OF_CLOSE_OF, first + top, first + e);
  }
  if ((wants & VKP_STACK_WANTS_HEADER) != 0u && close && stack != 0u) w.matched |= item;
  if (close) stack &= ~(1u << (top & 31u));
  stack |= s.opens & item;
  if (resets && (s.resets & item) != 0u) stack = 0u;
  return top & 0xffffu;
}

void measure_item(Symbols s, uint e, uint stack, inout int level, inout Walk w) {
  level += int(s.opens >> e & 1u) - int(s.closes >> e & 1u);
  if ((s.resets & vkp_low_bits(e + 1u)) == 0u) w.highest = max(w.highest, level);
  w.deepest = max(w.deepest, bitCount(stack));
}

Walk walk_items(const Symbols s, const bool resets) {
  Walk w = Walk(0u, 0u, 0u, -int(BLOCK), 0);
  const uint first = invocation() * BLOCK;
  int level = 0;
  uint stack = 0u;
  uint empties = 0u;
  [[unroll]] for (uint e = 0u; e < BLOCK; e += 2u) {
    uint pair = 0u;
    [[unroll]] for (uint k = 0u; k < 2u; ++k) {
      pair |= walk_item(s, e + k, resets, stack, empties, w) << 16u * k;
      if ((wants & VKP_STACK_WANTS_HEADER) != 0u) measure_item(s, e + k, stack, level, w);
    }
    stage_pair(e / 2u, pair | first | first << 16u);  // leaves NO_RESULT as it is
  }
  w.survivors = stack;
  w.pending = bitfieldReverse(empties) & s.exist;
  if (s.resets != 0u) w.pending &= vkp_low_bits(uint(findLSB(s.resets)) + 1u);
  return w;
}

// Resets are rare, and looking for them makes the tile take a tenth longer (H200).
Walk walk_block(Symbols s) {
  if ((wants & VKP_STACK_WANTS_CLOSE_OF) != 0u) clear_results(OF_CLOSE_OF);
  if (subgroupAny(s.resets != 0u)) return walk_items(s, true);
  return walk_items(s, false);
}

// Later blocks see of a block the lowest level that it leaves, or BOTTOM behind a reset, and its
// opens.
shared int block_bases[gl_WorkGroupSize.x];  // the level of the first survivor
shared uint block_survivors[gl_WorkGroupSize.x];
shared int least_keys[gl_WorkGroupSize.x];  // least from the block to the end of its subgroup

// A link says where the levels below a block's survivors are: in the last block before that goes
// down that far, among its opens up to the one just below the first survivor. There is always such
// an open, so whoever has used them up goes on at that block's link.
struct Link {
  uint block;  // number of the block, or one of the constants below
  uint opens;
};
const uint BEFORE_TILE = 0xfffeu;
const uint BEHIND_RESET = 0xffffu;  // nothing is there

shared uint link_blocks[gl_WorkGroupSize.x];
shared uint link_opens[gl_WorkGroupSize.x];

// Returns one more than the last lane before this one whose key is not above `level`; 0 if there is
// none. All lanes call it.
uint lanes_upto(int key, int level) {
  const uint lane = gl_SubgroupInvocationID;
  int least[7];  // least keys of 2^k lanes up to this one, or of as many as there are
  least[0] = key;
  [[unroll]] for (uint k = 1u; k < 7u; ++k) {
    const uint distance = 1u << (k - 1u);
    least[k] = least[k - 1u];
    if (distance * 2u < gl_SubgroupSize) {
      const int left = subgroupShuffle(least[k - 1u], lane - min(lane, distance));
      if (lane >= distance) least[k] = min(least[k], left);
    }
  }
  uint at = lane;
  [[unroll]] for (int k = 6; k >= 0; --k) {
    if (1u << k < gl_SubgroupSize) {
      const int x = subgroupShuffle(least[k], max(at, 1u) - 1u);
      if (at != 0u && x > level) at -= min(at, 1u << k);
    }
  }
  return at;
}

// Returns the last block of an earlier subgroup whose key is not above `level`; the subgroup must
// have one. The least keys of a lane and those behind it ascend.
uint block_upto(uint subgroup, int level) {
  uint block = subgroup * gl_SubgroupSize;
  [[unroll]] for (int k = 6; k >= 0; --k) {
    if (1u << k < gl_SubgroupSize && least_keys[block + (1u << k)] <= level) block += 1u << k;
  }
  return block;
}

// Links the blocks; the links may be read behind the next barrier. Returns the least key of the
// blocks behind this one.
int link_block(int key, int base, uint survivors) {
  const uint own = invocation();
  const uint lane = gl_SubgroupInvocationID;
  int x = key;  // least key of this lane and those behind
  for (uint distance = 1u; distance < gl_SubgroupSize; distance *= 2u) {
    const int right = subgroupShuffle(x, min(lane + distance, gl_SubgroupSize - 1u));
    if (lane + distance < gl_SubgroupSize) x = min(x, right);
  }
  block_bases[own] = base;
  block_survivors[own] = survivors;
  least_keys[own] = x;
  const int next = subgroupShuffle(x, min(lane + 1u, gl_SubgroupSize - 1u));
  int behind = lane == gl_SubgroupSize - 1u ? TOP : next;
  const int level = base - 1;
  const uint upto = lanes_upto(key, level);
  uint subgroup = gl_NumSubgroups;  // last one before that has a key not above the level
  barrier();
  [[dont_unroll]] for (uint i = 0u; i < gl_NumSubgroups; ++i) {
    const int other = least_keys[i * gl_SubgroupSize];
    if (i > gl_SubgroupID) behind = min(behind, other);
    if (i < gl_SubgroupID && other <= level) subgroup = i;
  }
  Link link = Link(BEHIND_RESET, 0u);
  if (key != BOTTOM) {
    if (upto != 0u) {
      link.block = own - lane + upto - 1u;
    } else {
      link.block = subgroup == gl_NumSubgroups ? BEFORE_TILE : block_upto(subgroup, level);
    }
    if (link.block != BEFORE_TILE) {
      const int rank = level - block_bases[link.block];
      if (rank < 0) {
        link.block = BEHIND_RESET;
      } else {
        const uint all = block_survivors[link.block];
        link.opens = all & (0xffffffffu >> (31u - vkp_select_bit(all, uint(rank))));
      }
    }
  }
  link_blocks[own] = link.block;
  link_opens[own] = link.opens;
  return behind;
}

// Finds in the tile what the pending items of this block ask for. Returns those for which there is
// nothing in the tile. Closes that have found their open are added to `matched`; those that a reset
// stops are in neither. It must be called behind a barrier.
uint find_in_tile(Symbols s, uint pending, inout uint matched) {
  const uint own = invocation();
  uint block = BEFORE_TILE;
  uint stack = 0u;
  if (own != 0u) {
    block = own - 1u;
    stack = vkp_load_shared_word(block_survivors[block]);
    if (stack == 0u) {
      stack = vkp_load_shared_word(link_opens[block]);
      block = vkp_load_shared_word(link_blocks[block]);
    }
  }
  while (pending != 0u && stack != 0u) {
    const uint item = pending & -pending;
    const uint e = uint(findMSB(item));
    const uint top = uint(findMSB(stack));
    const uint found = block * BLOCK + top;
    // stage_result() is not needed, as no other invocation has items of the word.
    const uint word = own * PITCH + e / 2u;
    vkp_store_shared_word(results[word], vkp_load_shared_word(results[word]) ^
                                             (found ^ NO_RESULT) << e % 2u * 16u);
    pending ^= item;
    if ((s.closes & item) != 0u) {
      if ((wants & VKP_STACK_WANTS_CLOSE_OF) != 0u) {
        stage_result(OF_CLOSE_OF, found, own * BLOCK + e);
      }
      matched |= item;
      stack ^= 1u << top;
      if (stack == 0u) {
        stack = vkp_load_shared_word(link_opens[block]);
        block = vkp_load_shared_word(link_blocks[block]);
      }
    }
  }
  return block == BEHIND_RESET ? 0u : pending;
}

#endif
