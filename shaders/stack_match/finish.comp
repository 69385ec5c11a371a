// Answers that lie before the tile. Last dispatch of stack_match.
//
// An invocation has a block of a tile and goes over its pending items, whose levels fall by one with every close. The
// open at a level is in the last tile before whose key is not above it: found by going up the tree of keys and down
// again, 8 at a time. There it is the survivor of that rank: blocks have the ranks of their first survivors, which
// ascend. The next level is mostly in the same block, so only what has left it is searched for. Results are stored by rows
// of several blocks together.
//
// Work: for each pending item at most 2 * log8(tiles) nodes and log2(blocks of a tile) ranks, whatever the input. In
// between nothing waits for anything.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "stack_match/stack_match.glsl"
#include "vkprims/lanes.glsl"

// The last of the keys of a node, those below `end`, that is not above `level`; `end` if there is none.
uint last_not_above(uint begin, uint node, uint end, uvec2 level) {
  uint found = end;
  const uvec2 at = vkp_add64(keys(), vkp_mul64(begin + node * VKP_STACK_FAN_OUT, 8u));
  uvec4 pairs[VKP_STACK_FAN_OUT / 2u];
  [[unroll]] for (uint k = 0u; k < VKP_STACK_FAN_OUT / 2u; ++k) pairs[k] = VkpWords4(at).v[k];
  [[unroll]] for (uint k = 0u; k < VKP_STACK_FAN_OUT; ++k) {
    const uint i = node * VKP_STACK_FAN_OUT + k;
    const uvec2 key = k % 2u == 0u ? pairs[k / 2u].xy : pairs[k / 2u].zw;
    if (i < end && !vkp_less64(level, key)) found = i;
  }
  return found;
}

// The last tile before `tile` whose key is not above `level`; `tile` if there is none.
uint tile_of_level(uint tiles, uint tile, uvec2 level) {
  uint end = tile;
  uint height = 0u;
  uint found = end;
  while (end != 0u) {
    if (end % VKP_STACK_FAN_OUT != 0u) {
      found = last_not_above(tree_level(tiles, height).begin, end / VKP_STACK_FAN_OUT, end, level);
      if (found != end) break;
    }
    end /= VKP_STACK_FAN_OUT;
    ++height;
  }
  if (end == 0u) return tile;
  while (height != 0u) {
    --height;
    const uint behind = (found + 1u) * VKP_STACK_FAN_OUT;
    found = last_not_above(tree_level(tiles, height).begin, found, behind, level);
  }
  return found;
}

uint rank_of(uint tile, uint block) { return VkpWords(blocks_of(tile)).v[4u * block + 3u] & 0xffffu; }

// The last block whose rank is not above; several places are looked at together, as the time goes to waiting.
uint block_of_rank(uint tile, uint rank) {
  uint low = 0u;
  uint range = tile_blocks;
  while (range >= 8u) {
    range /= 8u;
    uint ranks[7];
    [[unroll]] for (uint k = 0u; k < 7u; ++k) ranks[k] = rank_of(tile, low + (k + 1u) * range);
    uint passed = 0u;
    [[unroll]] for (uint k = 0u; k < 7u; ++k) passed += ranks[k] <= rank ? 1u : 0u;
    low += passed * range;
  }
  while (range > 1u) {
    range /= 2u;
    if (rank_of(tile, low + range) <= rank) low += range;
  }
  return low;
}

// The stack as pending items see it: of the block of a tile that has its top.
struct Stack {
  uint tile;     // the block's, or that of the items
  uint block, opens;  // survivors at or below the level
  uvec2 level;   // of the next one to be taken
  uvec2 base;    // of the tile's first survivor
  bool nothing;  // is left
};

// The block that has the level.
void find(uint tiles, uint own_tile, inout Stack s) {
  if (s.tile == own_tile || vkp_less64(s.level, s.base)) {
    // The tile looked at last is asked again: if it resets, no level below it can be seen.
    const uint end = s.tile == own_tile ? s.tile : s.tile + 1u;
    s.tile = tile_of_level(tiles, end, s.level);
    s.nothing = s.tile == end;
    if (s.nothing) return;
    s.base = load_place(s.tile).base;
    s.nothing = vkp_less64(s.level, s.base);
    if (s.nothing) return;
  }
  const uint rank = vkp_sub64(s.level, s.base).x;
  s.block = block_of_rank(s.tile, rank);
  const Block b = load_block(s.tile, s.block);
  s.opens = b.survivors & (0xffffffffu >> (31u - select_bit(b.survivors, rank - (b.rank & 0xffffu))));
}

void store_index(uvec2 base, uvec2 element, uvec2 x) {
  const uvec2 at = vkp_add64(base, vkp_mul64(element, 4u * index_words));
  if (index_words == 1u) {
    VkpWords(at).v[0] = x.x;
  } else {
    VkpWords2(at).v[0] = x;
  }
}

// Results of 8 items of each block, on their way to rows. The turn is for fewer bank conflicts. Shared memory is used by
// atomics, as not all subgroups make as many turns (vkprims/README.md on lavapipe).
const uint PART = 8u;
const uint PARTS = PART * gl_WorkGroupSize.x;  // low words, then high words
shared uint staged[index_words * PARTS];
uint staged_at(uint lane, uint k) {
  return (gl_SubgroupID * gl_SubgroupSize + lane) * PART + (k + lane / 4u) % PART;
}
void stage_index(uint k, uvec2 x) {
  const uint at = staged_at(gl_SubgroupInvocationID, k);
  atomicStore(staged[at], x.x, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsRelaxed);
  if (index_words == 2u) {
    atomicStore(staged[PARTS + at], x.y, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsRelaxed);
  }
}

// `found`: which items of this lane's block have a result; `first`: the element of item 0 of lane 0.
void store_part(uint found, uint part, uvec2 first) {
  subgroupMemoryBarrierShared();
  subgroupBarrier();
  for (uint i = gl_SubgroupInvocationID; i < gl_SubgroupSize * PART; i += gl_SubgroupSize) {
    const uint lane = i / PART;
    const uint e = part * PART + i % PART;
    if ((subgroupShuffle(found, lane) >> e & 1u) != 0u) {
      const uint at = staged_at(lane, i % PART);
      uvec2 x = uvec2(0u);
      x.x = atomicLoad(staged[at], gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsRelaxed);
      if (index_words == 2u) {
        x.y = atomicLoad(staged[PARTS + at], gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsRelaxed);
      }
      store_index(vkp_u64(push.match), vkp_add64(first, lane * BLOCK + e), x);
    }
  }
  subgroupBarrier();
}

// Items of which each is looked for alone: item of the tile, whether it is a close, pending closes of the tile before.
const uint FEW = 2u;
shared uint few_items[FEW * gl_WorkGroupSize.x];
shared uint group_counts[gl_WorkGroupSize.x / 4u];

// Lists the pending items of the workgroup if they are few; gives how many there are.
uint list_few(Block b) {
  const uint count = bitCount(b.pending);
  const uint upto = vkp_sum_upto_lane(count);
  if (gl_SubgroupInvocationID == gl_SubgroupSize - 1u) group_counts[gl_SubgroupID] = upto;
  barrier();
  uint at = upto - count;
  uint all = 0u;
  [[dont_unroll]] for (uint i = 0u; i < gl_NumSubgroups; ++i) {
    if (i == gl_SubgroupID) at += all;
    all += group_counts[i];
  }
  if (all <= FEW * gl_WorkGroupSize.x) {
    uint closes = b.rank >> 16u;
    for (uint pending = b.pending; pending != 0u; pending &= pending - 1u) {
      const uint e = uint(findLSB(pending));
      const uint close = b.pending_closes >> e & 1u;
      // Atomic for lavapipe, as above.
      atomicStore(few_items[at], (invocation() * BLOCK + e) | close << 15u | closes << 16u, gl_ScopeWorkgroup,
                  gl_StorageSemanticsShared, gl_SemanticsRelaxed);
      ++at;
      closes += close;
    }
  }
  barrier();
  return all;
}

void finish_few(uint tiles, uint tile, uvec2 begin, uint count) {
  [[unroll]] for (uint i = 0u; i < FEW; ++i) {
    const uint at = i * gl_WorkGroupSize.x + invocation();
    if (at >= count) continue;
    const uint entry = few_items[at];
    Stack stack = Stack(tile, 0u, 0u, vkp_sub64(begin, uvec2(1u + (entry >> 16u), 0u)), uvec2(0u), false);
    find(tiles, tile, stack);
    if (stack.nothing) continue;
    const uvec2 element = vkp_add64(tile_first(tile), entry & 0x7fffu);
    const uvec2 open = vkp_add64(tile_first(stack.tile), stack.block * BLOCK + uint(findMSB(stack.opens)));
    if ((wants & VKP_STACK_WANTS_MATCH) != 0u) store_index(vkp_u64(push.match), element, open);
    const bool close = (entry & 0x8000u) != 0u;
    if ((wants & VKP_STACK_WANTS_CLOSE_OF) != 0u && close) store_index(vkp_u64(push.close_of), open, element);
  }
}

// The blocks of a subgroup, each by its lane.
void finish_blocks(uint tiles, uint tile, uvec2 begin, Block b) {
  if (vkp_most_of_lanes(b.pending) == 0u) return;
  const uvec2 first = vkp_add64(tile_first(tile), gl_SubgroupID * gl_SubgroupSize * BLOCK);
  const uvec2 own_first = vkp_add64(first, gl_SubgroupInvocationID * BLOCK);
  Stack stack =
      Stack(tile, 0u, 0u, vkp_sub64(begin, uvec2(1u + (b.rank >> 16u), 0u)), uvec2(0u), false);
  for (uint part = 0u; part < BLOCK / PART; ++part) {
    uint found = 0u;
    uint pending = b.pending & (0xffu << (part * PART));
    while (pending != 0u && !stack.nothing) {
      if (stack.opens == 0u) find(tiles, tile, stack);
      if (stack.nothing) break;
      const uint e = uint(findLSB(pending));
      pending &= pending - 1u;
      const uint top = uint(findMSB(stack.opens));
      const uvec2 open = vkp_add64(tile_first(stack.tile), stack.block * BLOCK + top);
      if ((wants & VKP_STACK_WANTS_MATCH) != 0u) stage_index(e % PART, open);
      found |= 1u << e;
      if ((b.pending_closes >> e & 1u) != 0u) {
        if ((wants & VKP_STACK_WANTS_CLOSE_OF) != 0u) {
          store_index(vkp_u64(push.close_of), open, vkp_add64(own_first, e));
        }
        stack.opens ^= 1u << top;
        stack.level = vkp_sub64(stack.level, uvec2(1u, 0u));
      }
    }
    if ((wants & VKP_STACK_WANTS_MATCH) != 0u) store_part(found, part, first);
  }
}

void main() {
  const uint tiles = tiles_of(item_count());
  const uint tile = vkp_group_index();
  if (tile >= tiles || tile == 0u) return;
  const Block b = load_block(tile, invocation());
  const uvec2 begin = load_place(tile).begin;
  const uint count = list_few(b);
  if (count <= FEW * gl_WorkGroupSize.x) {
    finish_few(tiles, tile, begin, count);
  } else {
    finish_blocks(tiles, tile, begin, b);
  }
}
