// The lists that a tile leaves for later dispatches, see list_of(). Long ones pass through the
// words of `results`, once the results have been stored.
#ifndef VKPRIMS_STACK_MATCH_LISTS_GLSL
#define VKPRIMS_STACK_MATCH_LISTS_GLSL

#include "stack/stack_match/blocks.glsl"
#include "vkprims/subgroup/lanes.glsl"

const uint WANTS_LISTS = VKP_STACK_WANTS_MATCH | VKP_STACK_WANTS_CLOSE_OF | VKP_STACK_WANTS_CODES;
const uint STAGED = 16u;  // staged words of an invocation

// The entries of a block in the lists.
struct Entries {
  uint survivors;        // opens that nothing in the tile closes
  uint rank;             // rank of the first of them
  uint pending;          // pending items
  uint pending_closes;
  uint closes;           // pending closes of the tile before the block
};

shared uint pending_counts[VKP_MAX_SUBGROUPS];

// Returns how many items are pending in all; `before` are those of the blocks before.
uint count_pending(uint pending, out uint before) {
  const uint count = uint(bitCount(pending));
  const uint upto = vkp_sum_upto_lane(count);
  if (gl_SubgroupInvocationID == gl_SubgroupSize - 1u) pending_counts[gl_SubgroupID] = upto;
  barrier();
  before = upto - count;
  uint all = 0u;
  [[dont_unroll]] for (uint i = 0u; i < gl_NumSubgroups; ++i) {
    if (i == gl_SubgroupID) before += all;
    all += pending_counts[i];
  }
  return all;
}

// Returns the word of the lists for entry `at`: there are `survivors` survivors, and behind them
// the pending items, whose words go backwards from the end.
uint word_of(uint at, uint survivors) {
  return at < survivors ? at : list_words() - 1u - (at - survivors);
}

// There is a gap behind each BLOCK words, so that blocks side by side, whose entries are runs, meet
// no bank conflicts.
uint staged_at(uint at) { return at + at / BLOCK; }

// Few entries go to the list at once; of many, those from `from` on are staged.
struct Put {
  uvec2 list;
  uint survivors;
  bool few;
  uint from;
};
void put(const Put p, const uint at, const uint x) {
  if (p.few) {
    VkpWords(p.list).v[word_of(at, p.survivors)] = x;
  } else if (at - p.from < STAGED * gl_WorkGroupSize.x) {
    vkp_store_shared_word(results[staged_at(at - p.from)], x);
  }
}
void put_block(Put p, Entries entries, uint pending_before) {
  uint at = entries.rank;
  for (uint bits = entries.survivors; bits != 0u; bits &= bits - 1u) {
    put(p, at++, invocation() * BLOCK + uint(findLSB(bits)));
  }
  at = p.survivors + pending_before;
  uint closes = entries.closes;
  for (uint bits = entries.pending; bits != 0u; bits &= bits - 1u) {
    const uint e = uint(findLSB(bits));
    const bool close = (entries.pending_closes >> e & 1u) != 0u;
    put(p, at++, pack_pending(invocation() * BLOCK + e, close, closes));
    closes += close ? 1u : 0u;
  }
}

// `survivors` are those of the tile. Returns the number of pending items.
uint store_lists(uint tile, Entries entries, uint survivors) {
  const uvec2 list = list_of(tile);
  uint before;
  const uint pending = count_pending(entries.pending, before);
  const uint all = survivors + pending;
  if (all <= 4u * gl_WorkGroupSize.x) {
    put_block(Put(list, survivors, true, 0u), entries, before);
    return pending;
  }
  for (uint from = 0u; from < all; from += STAGED * gl_WorkGroupSize.x) {
    barrier();
    put_block(Put(list, survivors, false, from), entries, before);
    barrier();
    const uint staged = min(all - from, STAGED * gl_WorkGroupSize.x);
    for (uint i = 0u; i < staged; i += gl_WorkGroupSize.x) {  // as many turns in all invocations
      const uint k = i + invocation();
      if (k < staged) VkpWords(list).v[word_of(from + k, survivors)] = results[staged_at(k)];
    }
  }
  return pending;
}

#endif
