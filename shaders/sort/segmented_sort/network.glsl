// Sorting networks over items in registers, within an invocation and across a team of invocations.
//
// All comparisons are ascending: while two invocations merge downwards, their items are
// complemented.
#ifndef VKPRIMS_SEGMENTED_SORT_NETWORK_GLSL
#define VKPRIMS_SEGMENTED_SORT_NETWORK_GLSL

#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require

#include "sort/segmented_sort/items.glsl"

#if ITEM_WORDS == 1
void order_items(inout ITEM a, inout ITEM b) {
  const ITEM low = min(a, b);
  b = max(a, b);
  a = low;
}
#else
struct Ordered {
  ITEM low, high;
};

Ordered ordered(const ITEM a, const ITEM b) {
  return item_less(b, a) ? Ordered(b, a) : Ordered(a, b);
}

void order_items(inout ITEM a, inout ITEM b) {
  const Ordered x = ordered(a, b);
  a = x.low;
  b = x.high;
}
#endif

// Takes a step over the items first … first + n - 1, which are constants: an array that is indexed
// by anything else would not be in registers. `m` is half of what is merged, or the distance.
#define STEP(x, first, n, m)                            \
  [[unroll]] for (uint i = 0u; i < (n) / 2u; ++i) {     \
    const uint a = (first) + i / (m) * 2u * (m) + i % (m); \
    order_items(x[a], x[a + (m)]);                      \
  }
// A step of K. Batcher's odd-even merge sort ("Sorting Networks and Their Applications", 1968),
// which has fewer comparisons than bitonic sorting. The step is that at distance k of the merge of
// sorted runs of p items.
#define ODD_EVEN(x, first, n, p, k)                             \
  [[unroll]] for (uint i = 0u; i < (n) - (k); ++i) {            \
    if (i >= (k) % (p) && (i - (k) % (p)) % (2u * (k)) < (k) && \
        i / (2u * (p)) == (i + (k)) / (2u * (p))) {             \
      order_items(x[(first) + i], x[(first) + i + (k)]);        \
    }                                                           \
  }
#define SORT_4(x, first, n)  \
  ODD_EVEN(x, first, n, 1u, 1u) ODD_EVEN(x, first, n, 2u, 2u) ODD_EVEN(x, first, n, 2u, 1u)
#define MERGE_4(x, first, n) \
  ODD_EVEN(x, first, n, 4u, 4u) ODD_EVEN(x, first, n, 4u, 2u) ODD_EVEN(x, first, n, 4u, 1u)
#define MERGE_8(x, first)                                             \
  ODD_EVEN(x, first, 16u, 8u, 8u) ODD_EVEN(x, first, 16u, 8u, 4u)     \
  ODD_EVEN(x, first, 16u, 8u, 2u) ODD_EVEN(x, first, 16u, 8u, 1u)
#define SORT_16(x, first) SORT_4(x, first, 16u) MERGE_4(x, first, 16u) MERGE_8(x, first)
#define MERGE_16(x)                                                                          \
  ODD_EVEN(x, 0u, 32u, 16u, 16u) ODD_EVEN(x, 0u, 32u, 16u, 8u) ODD_EVEN(x, 0u, 32u, 16u, 4u) \
  ODD_EVEN(x, 0u, 32u, 16u, 2u) ODD_EVEN(x, 0u, 32u, 16u, 1u)

// Sorts the first 4, 8, 16 or 32 items of an invocation: the least of these numbers that is not
// below `number`.
void sort_first(inout ITEM x[ITEMS], uint number) {
  if (number <= 4u) {
    SORT_4(x, 0u, 4u)
    return;
  }
  SORT_4(x, 0u, 8u) MERGE_4(x, 0u, 8u)
  if (number <= 8u) return;
  SORT_4(x, 8u, 8u) MERGE_4(x, 8u, 8u) MERGE_8(x, 0u)
#if ITEM_WORDS == 1
  if (number <= 16u) return;
  SORT_16(x, 16u) MERGE_16(x)
#endif
}

// Sorts all items of an invocation.
void sort_own(inout ITEM x[ITEMS]) {
  SORT_16(x, 0u)
#if ITEM_WORDS == 1
  SORT_16(x, 16u) MERGE_16(x)
#endif
}

// Merges the items of an invocation, which are bitonic.
void merge_own(inout ITEM x[ITEMS]) {
#if ITEM_WORDS == 1
  STEP(x, 0u, 32u, 16u)
#endif
  STEP(x, 0u, ITEMS, 8u) STEP(x, 0u, ITEMS, 4u) STEP(x, 0u, ITEMS, 2u) STEP(x, 0u, ITEMS, 1u)
}

// The lower of two invocations gets the lower one of each pair of items.
void keep(inout ITEM x, ITEM other, bool lower) {
  if (item_less(other, x) == lower) x = other;
}

// The number of rows of items of all invocations that the pool holds at once.
#define EXCHANGE_ROWS (ITEM_WORDS == 1 ? 32u : ITEM_WORDS == 2 ? 16u : 8u)

void exchange_by_pool(inout ITEM x[ITEMS], uint distance, bool lower) {
  const uint lane = invocation();
  [[unroll]] for (uint row = 0u; row < ITEMS; row += EXCHANGE_ROWS) {
    barrier();
    [[unroll]] for (uint i = 0u; i < EXCHANGE_ROWS; ++i) {
      [[unroll]] for (uint w = 0u; w < ITEM_WORDS; ++w) {
        pool[(i * ITEM_WORDS + w) * gl_WorkGroupSize.x + lane] = item_word(x[row + i], w);
      }
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < EXCHANGE_ROWS; ++i) {
      ITEM other;
      [[unroll]] for (uint w = 0u; w < ITEM_WORDS; ++w) {
        set_item_word(other, w,
                      pool[(i * ITEM_WORDS + w) * gl_WorkGroupSize.x + (lane ^ distance)]);
      }
      keep(x[row + i], other, lower);
    }
  }
}

void exchange_by_shuffle(inout ITEM x[ITEMS], uint distance, bool lower) {
  [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
    ITEM other;
    [[unroll]] for (uint w = 0u; w < ITEM_WORDS; ++w) {
      set_item_word(other, w, subgroupShuffleXor(item_word(x[i], w), distance));
    }
    keep(x[i], other, lower);
  }
}

void complement(inout ITEM x[ITEMS], bool now) {
  const uint mask = now ? ~0u : 0u;
  [[unroll]] for (uint i = 0u; i < ITEMS; ++i) x[i] ^= mask;
}

// Sorts the items of each team of `team` invocations; `team` is 2 or more, a power of two, and the
// same in the workgroup. Item i of the invocation `lane` of a team becomes number lane * ITEMS + i.
// Teams of more than a subgroup have barriers.
void sort_team(inout ITEM x[ITEMS], uint team) {
  const uint lane = invocation() & (team - 1u);
  complement(x, (lane & 1u) != 0u);
  sort_own(x);
  for (uint half_team = 1u; half_team < team; half_team *= 2u) {
    // Invocations with this bit have been sorted downwards; those with the next one are to be.
    complement(x, (((lane ^ (lane >> 1)) & half_team) != 0u));
    for (uint distance = half_team; distance != 0u; distance /= 2u) {
      const bool lower = (lane & distance) == 0u;
      if (distance < gl_SubgroupSize) {
        exchange_by_shuffle(x, distance, lower);
      } else {
        exchange_by_pool(x, distance, lower);
      }
    }
    merge_own(x);
  }
}

#endif
