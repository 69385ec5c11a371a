// Decoupled look-back over tiles that publish a number for every digit: how many keys of the tile
// have it (AGGREGATE), or how many keys have it up to the end of the tile (INCLUSIVE).
//
// One atomic word holds both the kind, in two bits, and the number, in 30 bits: a portion of the
// keys is smaller than 2^30. So no ordering between words is needed, and relaxed atomics suffice.
// Each digit has an invocation that walks back tile by tile. Counts are exact: whoever publishes
// the count of a tile, the number is the same. So it does not matter if the owner overwrites what
// another workgroup has inserted. Others insert by compare-exchange from the word that they have
// seen, so they never overwrite the owner.
//
// The meaning of the two bits alternates from pass to pass: when a pass is over, all words are
// INCLUSIVE, and the next pass takes that, and other words that are left, for EMPTY. So the words
// are filled only once.
//   even passes: EMPTY 0 or 3, AGGREGATE 1, INCLUSIVE 2
//   odd passes:  EMPTY 2 or 1, AGGREGATE 3, INCLUSIVE 0
//
// The look-back ends for the reason that vkprims/device/lookback.glsl gives: after
// VKP_LOOKBACK_SPEC_SPINS polls of a word in vain, the workgroup itself counts the digits of the
// tile in the way. The keys of that tile are there to be read, because no pass writes what it
// reads.
#ifndef RADIX_SORT_LOOK_BACK_GLSL
#define RADIX_SORT_LOOK_BACK_GLSL

#include "rank.glsl"
#include "vkprims/device/lookback_tiles.glsl"

shared uint blocked;         // the number of the tile in the way, plus 1
shared uint fallback[BINS];  // how often it has each digit

struct States {
  uvec2 base;
  uint aggregate, inclusive;  // the two bits
};

States states_of(uint plan) {
  const bool odd = (plan & VKP_RADIX_PLAN_ODD) != 0u && (push.flags & VKP_RADIX_ROTATE) != 0u;
  return States(vkp_u64(push.states), odd ? 3u << 30 : 1u << 30, odd ? 0u : 2u << 30);
}

const uint COUNT_MASK = (1u << 30) - 1u;
const uint WINDOW = 8;  // tiles that are polled at once

VkpSharedWords states_of_tile(const States s, const uint tile) {
  return VkpSharedWords(vkp_add64(s.base, vkp_mul64(tile, 4u * BINS)));
}

uint load_state(const States s, const uint tile, const uint digit) {
  return atomicLoad(states_of_tile(s, tile).v[digit], gl_ScopeQueueFamily, 0, 0);
}
void publish(States s, uint tile, uint digit, uint word) {
  atomicStore(states_of_tile(s, tile).v[digit], word, gl_ScopeQueueFamily, 0, 0);
}

void count_statistic(const VkpLookback l, const uint counter, const uint n) {
  if (vkp_lookback_statistics != 0u && n != 0u) {
    atomicAdd(VkpSharedWords(l.scratch).v[counter], n, gl_ScopeQueueFamily, 0, 0);
  }
}

// How far the walk of a digit has come.
struct Walk {
  uint look;    // the number of the next tile, plus 1; 0: at the end
  uint prefix;  // keys of the tiles walked over
  uint seen;    // the last word read of the tile in the way
};

// Walks on until the end, or until a tile has been polled in vain too often. The words of several
// tiles are loaded at a time, as each walk waits for memory, and all tiles wait for walks.
void walk_on(VkpLookback l, States s, uint digit, inout Walk w) {
  uint spins = 0u;
  uint polls = 0u;
  while (w.look != 0u && spins < vkp_lookback_spins) {
    uint word[WINDOW];
    [[unroll]] for (uint k = 0u; k < WINDOW; ++k) {
      word[k] = s.inclusive;
      if (k < w.look) word[k] = load_state(s, w.look - 1u - k, digit);
    }
    ++polls;
    ++spins;
    bool on = true;
    [[unroll]] for (uint k = 0u; k < WINDOW; ++k) {
      const uint code = word[k] & ~COUNT_MASK;
      const bool end = code == s.inclusive;
      const bool known = end || code == s.aggregate;
      if (on) w.seen = word[k];
      if (on && known) {
        w.prefix += word[k] & COUNT_MASK;
        w.look = end ? 0u : w.look - 1u;
        spins = 0u;
      }
      on = on && known && !end;
    }
  }
  if (digit == 0u) {
    count_statistic(l, VKP_LOOKBACK_POLLS, polls);
    count_statistic(l, VKP_LOOKBACK_SPUN, spins);
  }
}

// The fallback: counts the digits of a tile in the way, and inserts the counts unless another
// workgroup was faster.
void count_blocked_tile(VkpLookback l, States s, uvec2 keys, Digits digits, uint tile,
                        inout Walk w) {
  const uint d = invocation();
  if (d < BINS) fallback[d] = 0u;
  barrier();
  const uvec2 base = vkp_add64(keys, vkp_mul64(tile, TILE * VKP_KEY_BYTES));
  [[dont_unroll]] for (uint r = 0u; r < ROWS; ++r) {
    const uint i = r * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    atomicAdd(fallback[digit_of(load_bits(base, i), digits)], 1u);
  }
  barrier();
  if (gl_LocalInvocationIndex == 0u) count_statistic(l, VKP_LOOKBACK_FALLBACKS, 1u);
  if (d >= BINS || w.look != tile + 1u) return;
  const uint count = fallback[d];
  const uint before = atomicCompSwap(states_of_tile(s, tile).v[d], w.seen, s.aggregate | count,
                                     gl_ScopeQueueFamily, 0, 0, 0, 0);
  if (d == 0u) count_statistic(l, VKP_LOOKBACK_INSERTIONS, before == w.seen ? 1u : 0u);
  w.prefix += count;
  --w.look;
}

// Returns how many keys the earlier tiles of the portion have of this invocation's digit.
uint look_back(VkpLookback l, States s, uvec2 keys, Digits digits, uint tile) {
  const uint d = invocation();
  if (multi_pass) return d < BINS && tile != 0u ? load_state(s, tile - 1u, d) & COUNT_MASK : 0u;
  Walk w = Walk(d < BINS ? tile : 0u, 0u, 0u);
  if ((vkp_lookback_faults & VKP_LOOKBACK_FORCED) != 0u) {
    if (w.look != 0u) w.seen = load_state(s, tile - 1u, d);
  } else {
    walk_on(l, s, d, w);
  }
  if (w.look != 0u) atomicMax(blocked, w.look);
  barrier();
  uint in_the_way = blocked;
  while (in_the_way != 0u) {
    count_blocked_tile(l, s, keys, digits, in_the_way - 1u, w);
    walk_on(l, s, d, w);
    if (gl_LocalInvocationIndex == 0u) blocked = 0u;
    barrier();
    if (w.look != 0u) atomicMax(blocked, w.look);
    barrier();
    in_the_way = blocked;
  }
  return w.prefix;
}

#endif
