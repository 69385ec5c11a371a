// What kernels that sort in registers share: items, their order, and shared memory.
//
// ITEM is `word` or `pair` for keys of one or two words that are sorted alone. It is word_index or
// pair_index where a key is followed by its place in the segment: the sort is then stable, and keys
// and values are fetched from their places.
#ifndef VKPRIMS_SEGMENTED_SORT_ITEMS_GLSL
#define VKPRIMS_SEGMENTED_SORT_ITEMS_GLSL

#if defined(VKP_ITEM_word) || defined(VKP_ITEM_word_index)
#define KEY_WORDS 1
#else
#define KEY_WORDS 2
#endif
#if defined(VKP_ITEM_word_index) || defined(VKP_ITEM_pair_index)
#define INDEXED 1
#else
#define INDEXED 0
#endif
#define ITEM_WORDS (KEY_WORDS + INDEXED)
#define ITEMS VKP_SEGMENTED_SORT_ITEMS(ITEM_WORDS)

#include "sort/segmented_sort/segmented_sort.glsl"

// The lowest word of an item comes first, so comparisons begin with the last one.
#if ITEM_WORDS == 1
#define ITEM uint
ITEM make_item(KEY number, uint place) { return number; }
bool item_less(const ITEM a, const ITEM b) { return a < b; }
uint item_word(ITEM x, uint w) { return x; }
void set_item_word(inout ITEM x, uint w, uint word) { x = word; }
#elif ITEM_WORDS == 2
#define ITEM uvec2
#if INDEXED
ITEM make_item(KEY number, uint place) { return uvec2(place, number); }
#else
ITEM make_item(KEY number, uint place) { return number; }
#endif
bool item_less(const ITEM a, const ITEM b) { return vkp_less64(a, b); }
uint item_word(ITEM x, uint w) { return x[w]; }
void set_item_word(inout ITEM x, uint w, uint word) { x[w] = word; }
#else
#define ITEM uvec3
ITEM make_item(KEY number, uint place) { return uvec3(place, number); }
bool item_less(const ITEM a, const ITEM b) {
  return a.z < b.z || (a.z == b.z && vkp_less64(a.xy, b.xy));
}
uint item_word(ITEM x, uint w) { return x[w]; }
void set_item_word(inout ITEM x, uint w, uint word) { x[w] = word; }
#endif

// invocation() numbers invocations by subgroup and lane; subgroup_lanes() is the number of a
// subgroup's lanes that the workgroup fills.
uint invocation() { return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID; }
uint subgroup_lanes() { return min(gl_SubgroupSize, gl_WorkGroupSize.x); }

// The pool has room for ITEMS words of each invocation, and for twice as many where items have more
// than one word.
shared uint pool[gl_WorkGroupSize.x * VKP_SEGMENTED_SORT_POOL];

uint slot(uint i) { return i + i / 32u; }
const uint plane = gl_WorkGroupSize.x * ITEMS / 32u * VKP_SEGMENTED_SORT_POOL;

void put(const uint i, const uint word) { pool[slot(i)] = word; }
uint get(const uint i) { return pool[slot(i)]; }

#if KEY_WORDS == 1
void put_key(uint i, KEY bits) { put(i, bits); }
KEY get_key(uint i) { return get(i); }
#else
void put_key(uint i, KEY bits) {
  pool[slot(i)] = bits.x;
  pool[slot(i) + plane] = bits.y;
}
KEY get_key(uint i) { return uvec2(pool[slot(i)], pool[slot(i) + plane]); }
#endif

// A stripe is neighbouring elements that some lanes move together. Lane number `lane` of `lanes`
// has the elements lane, lane + lanes … below `valid`; all of them have the pool elements base,
// base + 1 …
struct Stripe {
  uint lane, lanes, valid, base;
};

// Executes `body` for each element of the stripe that this invocation moves: number p of the
// stripe, in row `row` of the invocation. One test for 8 rows spares short stripes the tests of
// further rows. The rows are written out, because they are in registers only if all of their
// numbers are constants, and loops in loops may stay loops.
#define ROWS_8(stripe, first_row, body)                                  \
  if (first_row * stripe.lanes < stripe.valid) {                         \
    [[unroll]] for (uint i = 0u; i < 8u; ++i) {                          \
      const uint row = first_row + i;                                    \
      const uint p = row * stripe.lanes + stripe.lane;                   \
      if (p < stripe.valid) { body }                                     \
    }                                                                    \
  }
#if ITEM_WORDS == 1
#define EACH_ROW(stripe, body)                      \
  ROWS_8(stripe, 0u, body) ROWS_8(stripe, 8u, body) \
  ROWS_8(stripe, 16u, body) ROWS_8(stripe, 24u, body)
#else
#define EACH_ROW(stripe, body) ROWS_8(stripe, 0u, body) ROWS_8(stripe, 8u, body)
#endif

#if INDEXED
// A column is a sequence of keys or of values. Its elements are read from one place and written to
// another, which may be the same.
struct Column {
  uvec2 from, to;
};

// Moves keys, and values if there are any: a row of this invocation gets the element at its place
// in the pool. All invocations of the workgroup take part, and all have read a word of their
// elements before any invocation writes one.
void carry(Column keys, Column values, uint places[ITEMS], Stripe stripe) {
  const uint columns = value_words() != 0u ? 2u : 1u;
  [[dont_unroll]] for (uint i = 0u; i < columns; ++i) {
    const uint words = i == 0u ? KEY_WORDS : value_words();
    const uvec2 from = i == 0u ? keys.from : values.from;
    const uvec2 to = i == 0u ? keys.to : values.to;
    for (uint w = 0u; w < words; ++w) {
      uint word[ITEMS];
      EACH_ROW(stripe, word[row] = VkpWords(from).v[p * words + w];)
      barrier();
      EACH_ROW(stripe, put(stripe.base + p, word[row]);)
      barrier();
      EACH_ROW(stripe, VkpWords(to).v[p * words + w] = get(places[row]);)
    }
  }
}
#endif

#endif
