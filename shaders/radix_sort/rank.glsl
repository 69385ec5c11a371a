// Where the keys of a tile go within it: a stable counting sort by one digit, by a workgroup.
//
// A subgroup has ROWS rows of as many keys as it has lanes, in the order of the sequence. Each subgroup counts the
// digits of its keys row by row: lanes with the same digit find each other by ballots, one for each bit of the digit;
// the lanes before a lane among them, and what earlier rows have counted, are its rank in the subgroup. Then the
// counts of all subgroups are scanned, digit by digit. Source: A. Adinets, D. Merrill, "Onesweep" (2022).
#ifndef RADIX_SORT_RANK_GLSL
#define RADIX_SORT_RANK_GLSL

#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require

#include "radix_sort.glsl"

#if defined(VKP_ROWS_4)
#define ROWS 4
#elif defined(VKP_ROWS_8)
#define ROWS 8
#elif defined(VKP_ROWS_12)
#define ROWS 12
#elif defined(VKP_ROWS_15)
#define ROWS 15
#elif defined(VKP_ROWS_20)
#define ROWS 20
#elif defined(VKP_ROWS_23)
#define ROWS 23
#endif

const uint TILE = gl_WorkGroupSize.x * ROWS;

// Counters of all subgroups; then the keys of the tile in their order, word by word; then the values.
const uint EXCHANGED = TILE * VKP_KEY_WORDS;
const uint POOL = EXCHANGED > subgroups * BINS ? EXCHANGED : subgroups * BINS;
shared uint pool[POOL];
shared uint partial_sums[subgroups];

uint lane() { return gl_SubgroupInvocationID; }
// The number of this invocation by subgroup and lane: the digit that it is in charge of.
uint invocation() { return gl_SubgroupID * gl_SubgroupSize + lane(); }
// The place in the tile of its key in a row.
uint place_of_row(uint row) { return (gl_SubgroupID * ROWS + row) * gl_SubgroupSize + lane(); }

// Orders accesses to shared memory by the lanes of a subgroup.
void subgroup_barrier() {
  controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, gl_StorageSemanticsShared,
                 gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
}

// The lanes that have the same digit.
uvec4 peers_of(uint digit) {
  uvec4 peers = subgroupBallot(true);
  [[unroll]] for (uint b = 0u; b < digit_bits; ++b) {
    const uint bit = digit >> b & 1u;
    peers &= subgroupBallot(bit != 0u) ^ uvec4(bit - 1u);
  }
  return peers;
}

uint number_of_bits(uvec4 lanes) {
  const uvec4 bits = uvec4(bitCount(lanes));
  return bits.x + bits.y + bits.z + bits.w;
}

void clear_counters() {
  for (uint i = 0u; i < BINS; i += gl_SubgroupSize) {
    if (i + lane() < BINS) pool[gl_SubgroupID * BINS + i + lane()] = 0u;
  }
  subgroup_barrier();
}

// Ranks of this invocation's keys among the keys of their digit in the subgroup, which are counted.
void rank_in_subgroup(uint digit[ROWS], out uint rank[ROWS]) {
  const uint counters = gl_SubgroupID * BINS;
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
    const uvec4 peers = peers_of(digit[r]);
    const uint counter = counters + digit[r];
    rank[r] = pool[counter] + number_of_bits(peers & gl_SubgroupLtMask);
    subgroup_barrier();
    if ((peers & gl_SubgroupGtMask) == uvec4(0u)) pool[counter] = rank[r] + 1u;
    subgroup_barrier();
  }
}

// How many keys have this invocation's digit; 0 for invocations that have none. Behind a barrier.
uint count_of_digit() {
  uint count = 0u;
  [[unroll]] for (uint s = 0u; s < subgroups; ++s) {
    if (invocation() < BINS) count += pool[s * BINS + invocation()];
  }
  return count;
}

// How many keys have a smaller digit than this invocation's.
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

// Makes of the counts of a digit the place in the tile where each subgroup's keys begin.
void scan_counters(uint first) {
  [[unroll]] for (uint s = 0u; s < subgroups; ++s) {
    if (invocation() < BINS) {
      const uint count = pool[s * BINS + invocation()];
      pool[s * BINS + invocation()] = first;
      first += count;
    }
  }
}

// Behind a barrier.
void rank_in_tile(uint digit[ROWS], inout uint rank[ROWS]) {
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) rank[r] += pool[gl_SubgroupID * BINS + digit[r]];
}

// Puts the keys into their order.
void exchange_keys(VKP_KEY key[ROWS], uint rank[ROWS]) {
  barrier();
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
#if VKP_KEY_WORDS == 1
    pool[rank[r]] = key[r];
#else
    pool[rank[r]] = key[r].x;
    pool[TILE + rank[r]] = key[r].y;
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

#endif
