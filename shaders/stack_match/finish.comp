// Answers that lie before the tile. A dispatch of stack_match behind tree.comp and places.comp.
//
// An invocation has a block of a tile and goes over its pending items, whose levels fall by one with every close. The
// open at a level is in the last tile before whose key is not above it: found by going up the tree of keys and down
// again, 8 at a time. There it is the survivor of that rank: blocks have the ranks of their first survivors, which
// ascend. The next level is mostly in the same block, so only what has left it is searched for. Results are stored
// by rows of several blocks together.
//
// Work: for each pending item at most 2 * log8(tiles) nodes and log2(blocks of a tile) ranks, whatever the input. In
// between nothing waits for anything.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "stack_match/search.glsl"
#include "vkprims/lanes.glsl"

void store_index(uvec2 base, uvec2 element, uvec2 x) {
  const uvec2 at = vkp_add64(base, vkp_mul64(element, 4u * index_words));
  if (index_words == 1u) {
    VkpWords(at).v[0] = x.x;
  } else {
    VkpWords2(at).v[0] = x;
  }
}

// Results of 8 items of each block, on their way to rows. The turn is for fewer bank conflicts. Shared memory is
// used by atomics, as not all subgroups make as many turns (vkprims/README.md on lavapipe).
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
