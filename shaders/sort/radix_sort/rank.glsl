// Finds where the keys of a tile go within it: a stable counting sort by one digit, by a workgroup.
//
// A subgroup has ROWS rows of as many keys as it has lanes, in the order of the sequence. Each
// subgroup counts the digits of its keys. The counts of all subgroups are scanned, digit by digit,
// so that a counter says where the next key of its digit and subgroup goes. The keys are ranked row
// by row: lanes with the same digit find each other by ballots, one for each bit of the digit, or
// by masks, to which each lane adds its bit, and the last of these lanes moves the counter on.
// Masks have the shorter latency, which counts where one workgroup sorts alone. Where many do, they
// are no faster, and lanes with a common digit would add their bits one after the other.
// Source: A. Adinets, D. Merrill, "Onesweep" (2022), which counts twice in the same way, so that
// others learn the counts of a tile early; the masks are those of CUB's WarpMatchAtomicOr.
#ifndef RADIX_SORT_RANK_GLSL
#define RADIX_SORT_RANK_GLSL

#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_vote : require

#include "radix_sort.glsl"
#include "vkprims/subgroup/subgroup_barrier.glsl"

#if defined(VKP_ROWS_4)
#define ROWS 4
#elif defined(VKP_ROWS_8)
#define ROWS 8
#elif defined(VKP_ROWS_12)
#define ROWS 12
#elif defined(VKP_ROWS_20)
#define ROWS 20
#elif defined(VKP_ROWS_23)
#define ROWS 23
#endif

const uint TILE = gl_WorkGroupSize.x * ROWS;

// The pool holds the counters of all subgroups and, if there is room, the masks of lanes, which are
// 0 between rows; then the keys of the tile in their order, word by word; then the values.
const bool masked = (spec_flags & VKP_RADIX_MASKED) != 0u;
const uint COUNTERS = subgroups * BINS;
const uint RANKING = masked ? 2u * COUNTERS : COUNTERS;
const uint EXCHANGED = TILE * VKP_KEY_WORDS;
const uint POOL = EXCHANGED > RANKING ? EXCHANGED : RANKING;
shared uint pool[POOL];
shared uint partial_sums[subgroups];
shared uint most_keys;  // how many keys of the tile have its most common digit

uint lane() { return gl_SubgroupInvocationID; }
// The number of this invocation by subgroup and lane, which is also the digit that it is in charge
// of.
uint invocation() { return gl_SubgroupID * gl_SubgroupSize + lane(); }
// place_of_row() is the place in the tile of this invocation's key in a row, in the order in which
// keys are loaded; place_of_move() is the place of the key that it moves, in the order in which
// keys are stored.
uint place_of_row(const uint row) {
  return (gl_SubgroupID * ROWS + row) * gl_SubgroupSize + lane();
}
uint place_of_move(uint row) { return row * gl_WorkGroupSize.x + gl_LocalInvocationIndex; }

// How lanes find those that have the same digit. BY_VOTE is for lanes that probably all have it.
const uint BY_BALLOTS = 0u, BY_VOTE = 1u, BY_MASKS = 2u;

uvec4 peers_by_mask(uint digit) {
  const uint mask = COUNTERS + gl_SubgroupID * BINS + digit;
  atomicOr(pool[mask], 1u << lane(), gl_ScopeWorkgroup, 0, 0);
  vkp_subgroup_barrier();
  return uvec4(pool[mask], 0u, 0u, 0u);
}
uvec4 peers_by_ballots(uint digit) {
  uvec4 peers = subgroupBallot(true);
  [[unroll]] for (uint b = 0u; b < digit_bits; ++b) {
    const bool bit = (digit & (1u << b)) != 0u;
    peers &= subgroupBallot(bit) ^ uvec4(bit ? 0u : ~0u);
  }
  return peers;
}

uint number_of_bits(uvec4 lanes) {
  const uvec4 bits = uvec4(bitCount(lanes));
  return bits.x + bits.y + bits.z + bits.w;
}

// The places in the tile of this invocation's keys, two in a word.
#define Ranks uint[(ROWS + 1) / 2]
uint rank_of(Ranks ranks, uint row) {
  return bitfieldExtract(ranks[row / 2u], int(16u * (row % 2u)), 16);
}
void set_rank(inout Ranks ranks, uint row, uint rank) {
  ranks[row / 2u] = row % 2u == 0u ? rank : ranks[row / 2u] | rank << 16;
}

// Clears the counters of this subgroup; each subgroup has its own.
void clear_counters() {
  for (uint i = 0u; i < BINS; i += gl_SubgroupSize) {
    const uint counter = gl_SubgroupID * BINS + i + lane();
    if (i + lane() >= BINS) continue;
    pool[counter] = 0u;
    if (masked) pool[COUNTERS + counter] = 0u;
  }
  vkp_subgroup_barrier();
}

void count_digit(uint digit) { atomicAdd(pool[gl_SubgroupID * BINS + digit], 1u); }

// Returns how many keys have this invocation's digit, or 0 for invocations that have no digit. A
// barrier must come before.
uint count_of_digit() {
  uint count = 0u;
  [[unroll]] for (uint s = 0u; s < subgroups; ++s) {
    if (invocation() < BINS) count += pool[s * BINS + invocation()];
  }
  return count;
}

// Finds how many keys have the most common digit; the number is there behind the next barrier.
void find_most_keys(uint count) {
  const uint most = subgroupMax(count);
  if (subgroupElect()) atomicMax(most_keys, most, gl_ScopeWorkgroup, 0, 0);
}

// Whether nearly all keys of the tile have the same digit, so that it is worth a vote in each row.
// A vote takes more time than it saves where keys differ, and even where they have few digits.
bool are_nearly_alike() { return most_keys > TILE / 16u * 15u; }

// Returns how many keys have a smaller digit than this invocation's.
uint count_before_digit(uint count) {
  const uint inclusive = subgroupInclusiveAdd(count);
  if (lane() == gl_SubgroupSize - 1u) partial_sums[gl_SubgroupID] = inclusive;
  barrier();
  const uint run = (subgroups + gl_SubgroupSize - 1u) / gl_SubgroupSize;
  uint before = 0u;
  for (uint i = 0u; i < run; ++i) {
    const uint s = lane() * run + i;
    if (s < gl_SubgroupID) before += partial_sums[s];
  }
  return subgroupAdd(before) + inclusive - count;
}

// Replaces the counts of a digit by the places in the tile where each subgroup's keys begin.
void scan_counters(uint first) {
  [[unroll]] for (uint s = 0u; s < subgroups; ++s) {
    if (invocation() < BINS) {
      const uint count = pool[s * BINS + invocation()];
      pool[s * BINS + invocation()] = first;
      first += count;
    }
  }
}

// Returns the place in the tile of the key of a row, or, if counters begin at 0, among the keys of
// its digit that the subgroup has. Rows must be ranked in their order, and a barrier must come
// before.
uint rank_row(uint digit, uint how) {
  const uint counter = gl_SubgroupID * BINS + digit;
  uvec4 peers;
  if (how == BY_MASKS) {
    peers = peers_by_mask(digit);
  } else if (how == BY_VOTE && subgroupAll(digit == subgroupBroadcastFirst(digit))) {
    peers = subgroupBallot(true);
  } else {
    peers = peers_by_ballots(digit);
  }
  const uint rank = pool[counter] + number_of_bits(peers & gl_SubgroupLtMask);
  vkp_subgroup_barrier();
  if ((peers & gl_SubgroupGtMask) == uvec4(0u)) {
    pool[counter] = rank + 1u;
    if (how == BY_MASKS) pool[COUNTERS + counter] = 0u;
  }
  vkp_subgroup_barrier();
  return rank;
}

// Puts the keys into their order.
void exchange_keys(VKP_KEY key[ROWS], Ranks ranks) {
  barrier();
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
#if VKP_KEY_WORDS == 1
    pool[rank_of(ranks, r)] = key[r];
#else
    pool[rank_of(ranks, r)] = key[r].x;
    pool[TILE + rank_of(ranks, r)] = key[r].y;
#endif
  }
  barrier();
}

VKP_KEY exchanged_key(uint place) {
#if VKP_KEY_WORDS == 1
  return pool[place];
#else
  return uvec2(pool[place], pool[TILE + place]);
#endif
}

// Does the same for values, word by word. An invocation then has the values of its rows, or those
// that it moves.
void exchange_values(inout uvec2 value[ROWS], Ranks ranks, bool by_row) {
  [[unroll]] for (uint w = 0u; w < 2u; ++w) {
    if (w < value_words) {
      barrier();
      [[unroll]] for (uint r = 0u; r < ROWS; ++r) pool[rank_of(ranks, r)] = value[r][w];
      barrier();
      [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
        value[r][w] = pool[by_row ? place_of_row(r) : place_of_move(r)];
      }
    }
  }
}

#endif
