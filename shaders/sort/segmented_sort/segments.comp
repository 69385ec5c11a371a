// Segmented sort, first dispatch: sorts short segments, and puts the others on lists for the next
// dispatches.
//
// An invocation has a segment, and sorts it in registers if it can hold it. All keys from the
// subgroup's first segment to its last are a stripe, which goes through shared memory, so that
// memory is read and written by rows of neighbours. The keys of longer segments in the stripe are
// written as they are, and later dispatches overwrite them. If the stripe is longer than shared
// memory, all of its segments go on a list.
// %VARIANT% ITEM word|word_index|pair|pair_index
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sort/segmented_sort/append.glsl"
#include "sort/segmented_sort/network.glsl"
#include "vkprims/subgroup/subgroup_barrier.glsl"

// Only the lanes of a subgroup share a stripe. With values the whole workgroup waits nevertheless,
// as carry() does, which takes less time (docs/measurements.md).
#if INDEXED
#define STRIPE_BARRIER barrier
#else
#define STRIPE_BARRIER vkp_subgroup_barrier
#endif

uvec2 read_offset(uvec2 i) {
  const uvec2 address = element(push.offset_base, i, offset_words());
  const uvec2 offset =
      offset_words() == 1u ? uvec2(VkpWords(address).v[0], 0u) : VkpWords2(address).v[0];
  return vkp_min64(offset, vkp_u64(push.key_count));
}

Segment read_segment(uvec2 count) {
  const uvec2 number = vkp_add64(vkp_mul64(vkp_group_index(), gl_WorkGroupSize.x), invocation());
  Segment segment = Segment(uvec2(0u), uvec2(0u));
  if (vkp_less64(number, count)) {
    segment = Segment(read_offset(number), read_offset(vkp_add64(number, 1u)));
    segment.end = vkp_min64(segment.end, vkp_add64(segment.first, vkp_u64(push.max_length)));
    if (vkp_less64(segment.end, segment.first)) segment.end = segment.first;
  }
  return segment;
}

// Where an invocation's segment lies in the stripe of its subgroup.
struct Part {
  uint first, keys;
};

// Returns item `i` of a part that begins at place `base` of the pool. Items behind its keys are
// sorted to the end.
ITEM item_of_part(const uint base, const uint i, const uint keys) {
  KEY number = KEY(~0u);
  if (i < keys) number = number_of_shared(get_key(base + i));
  return make_item(number, i);
}

// Copies the stripe at key `first`, with its parts sorted, the longest of which has up to
// `longest` keys.
void sort_parts(uvec2 first, Stripe stripe, Part part, uint longest) {
  const uvec2 in_base = element(push.in_base, first, KEY_WORDS);
  const uvec2 out_base = element(push.out_base, first, KEY_WORDS);
  const uint base = stripe.base + part.first;
  KEY bits[ITEMS];
  EACH_ROW(stripe, bits[row] = load_bits(in_base, p);)
  EACH_ROW(stripe, put_key(stripe.base + p, bits[row]);)
  STRIPE_BARRIER();
  ITEM x[ITEMS];
#define READ(begin, end) \
  [[unroll]] for (uint i = begin; i < end; ++i) x[i] = item_of_part(base, i, part.keys);
  READ(0u, 4u)
  if (longest > 4u) { READ(4u, 8u) }
  if (longest > 8u) { READ(8u, 16u) }
#if ITEM_WORDS == 1
  if (longest > 16u) { READ(16u, 32u) }
#endif
  if (longest > 1u) sort_first(x, longest);
#if INDEXED
  STRIPE_BARRIER();
  EACH_ROW(stripe, put(stripe.base + p, p);)
  STRIPE_BARRIER();
  [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
    if (i < part.keys) put(base + i, part.first + x[i].x);
  }
  STRIPE_BARRIER();
  uint places[ITEMS];
  EACH_ROW(stripe, places[row] = stripe.base + get(stripe.base + p);)
  const uvec2 values_in = element(push.values_in, first, value_words());
  const Column values = Column(values_in, element(push.values_out, first, value_words()));
  carry(Column(in_base, out_base), values, places, stripe);
#else
#define WRITE(begin, end)                                \
  [[unroll]] for (uint i = begin; i < end; ++i) {        \
    if (i < part.keys) put_key(base + i, bits_of(x[i])); \
  }
  if (longest > 1u) { WRITE(0u, 4u) }
  if (longest > 4u) { WRITE(4u, 8u) }
  if (longest > 8u) { WRITE(8u, 16u) }
#if ITEM_WORDS == 1
  if (longest > 16u) { WRITE(16u, 32u) }
#endif
  STRIPE_BARRIER();
  EACH_ROW(stripe, store_bits(out_base, p, get_key(stripe.base + p));)
#endif
}

// Sorts the subgroup's segments that are short enough. Returns whether this invocation's is one of
// them.
bool sort_short(Segment segment) {
  const uint last = subgroup_lanes() - 1u;
  const uvec2 first =
      uvec2(subgroupShuffle(segment.first.x, 0u), subgroupShuffle(segment.first.y, 0u));
  // The invocations behind the last segment have none: their keys end at 0.
  const uvec4 there = subgroupBallot(segment.end != uvec2(0u));
  const uint lane = min(max(vkp_lanes_to_last(there), 1u) - 1u, last);
  const uvec2 end =
      uvec2(subgroupShuffle(segment.end.x, lane), subgroupShuffle(segment.end.y, lane));
  const uint room = subgroup_lanes() * ITEMS;
  const uint stripe_keys = vkp_clamped_difference(end, first, room + 1u);
  const uint length = vkp_clamped_difference(segment.end, segment.first, ITEMS + 1u);
  const bool inside = !vkp_less64(segment.first, first) && !vkp_less64(end, segment.end);
  const bool is_short = stripe_keys <= room && inside && length != 0u && length <= ITEMS;
  const Part part = Part(segment.first.x - first.x, is_short ? length : 0u);
  const bool any = subgroupBallot(is_short) != uvec4(0u);
#if !INDEXED
  // lavapipe loses what subgroups do that come to a loop more often than others.
  if (vkp_lanes_in_step == 0u && !any) return false;
#endif
  // The bound holds for the subgroup as a whole: 1, 4, 8, 16 or 32.
  uint longest = 1u;
  [[unroll]] for (uint most = 1u; most < ITEMS; most = most == 1u ? 4u : 2u * most) {
    if (subgroupBallot(is_short && length > most) != uvec4(0u)) {
      longest = most == 1u ? 4u : 2u * most;
    }
  }
  sort_parts(first,
             Stripe(gl_SubgroupInvocationID, subgroup_lanes(), any ? stripe_keys : 0u,
                    gl_SubgroupID * gl_SubgroupSize * ITEMS),
             part, longest);
  return is_short;
}

void main() {
  const uvec2 count = vkp_read_count(push.count);
  // The workgroup returns as a whole.
  if (!vkp_less64(vkp_mul64(vkp_group_index(), gl_WorkGroupSize.x), count)) return;
  const Segment segment = read_segment(count);
  const bool sorted = sort_short(segment);
  barrier();  // the pool is used again
  append(segment, sorted);
}
