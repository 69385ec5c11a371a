// Elements of the sequence, by way of shared memory: neighbouring invocations load neighbours, and then each takes a
// chunk of its own. What lies outside of the sequence is the identity, so nothing else need know where it ends.
//
// Those who share a stage, a subgroup each with ROLLING_STAGE_OF_SUBGROUP, else the workgroup, load and store side by
// side: item i of an invocation is the one with the number item_of(i), item_stride() behind the one before.
//
// Needs a push constant block `push` with a RollingInput `source`.
#ifndef VKPRIMS_ROLLING_INPUT_GLSL
#define VKPRIMS_ROLLING_INPUT_GLSL

#include "rolling/rolling/keys.glsl"
#include "rolling/rolling/monoids.glsl"
#include "vkprims/memory/elements.glsl"
#include "vkprims/masks.glsl"
#include "vkprims/subgroup/subgroup_barrier.glsl"

layout(constant_id = VKP_SPEC_ROWS) const uint chunk = 8;
layout(constant_id = VKP_ROLLING_SPEC_STAGE) const uint stage_items = 1;
const bool has_validity = (flags & VKP_ROLLING_VALIDITY) != 0u;
const bool has_groups = groups_left || groups_right;

// One place is left out behind as many as memory has banks: so invocations meet all banks whether they have neighbours
// or are a chunk apart. Chunks are powers of two, at most BANKS, so a chunk's places are neighbours.
const uint BANKS = 32u / VALUE_WORDS;
shared UNIT stage[stage_items + stage_items / BANKS + 1u];
uint place_of(const uint item) { return item + item / BANKS; }

#ifdef ROLLING_STAGE_OF_SUBGROUP
uint own_chunk() { return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID; }
uint item_stride() { return gl_SubgroupSize; }
uint item_of(uint i) { return (gl_SubgroupID * chunk + i) * gl_SubgroupSize + gl_SubgroupInvocationID; }
void stage_barrier() { vkp_subgroup_barrier(); }
#else
uint own_chunk() { return gl_LocalInvocationIndex; }
uint item_stride() { return gl_WorkGroupSize.x; }
uint item_of(uint i) { return i * gl_WorkGroupSize.x + gl_LocalInvocationIndex; }
void stage_barrier() { barrier(); }
#endif

// place_of(item_of(i)), which is a constant behind that of item 0 where items are a multiple of all banks apart.
uint item_place(uint i) {
  const uint further = i * item_stride();
  if (item_stride() % BANKS != 0u) return place_of(item_of(i));
  return place_of(item_of(0u)) + further + further / BANKS;
}

// A 64-bit number that may be below 0, clamped to 0 … limit.
uint clamped(const uvec2 x, const uint limit) {
  return (x.y & 0x80000000u) != 0u ? 0u : vkp_min64(x, uvec2(limit, 0u)).x;
}

// Which of `items` elements from `first` on exist in a sequence of n.
struct Extent {
  uint begin, end;
};
Extent extent_of(const uvec2 first, const uint items, const uvec2 n) {
  return Extent(clamped(vkp_sub64(uvec2(0u), first), items), clamped(vkp_sub64(n, first), items));
}

#if VALUE_WORDS == 1
UNIT load_unit(uvec2 base, uint i) { return VkpWords(base).v[i]; }
void store_unit(uvec2 base, uint i, UNIT x) { VkpWords(base).v[i] = x; }
#else
UNIT load_unit(uvec2 base, uint i) { return VkpWords2(base).v[i]; }
void store_unit(uvec2 base, uint i, UNIT x) { VkpWords2(base).v[i] = x; }
#endif

// Elements are loaded as they are, so that nobody waits for one before the next is on its way too.
UNIT load_bits(const uvec2 base, const uint i) {
  if (type == VKP_ROLLING_NO_INPUT) return UNIT(0u);
#if VALUE_WORDS == 2
  if (type <= 2u) return uvec2(VkpWords(base).v[i], 0u);
#endif
  return load_unit(base, i);
}

#if FLOATING && VALUE_WORDS == 2
// Of integers, too: rounded once, since high * 2^32 is exact.
double value_of_bits(const uvec2 x) {
  if (type == 0u) return double(x.x);
  if (type == 1u) return double(int(x.x));
  if (type == 2u) return double(uintBitsToFloat(x.x));
  if (type == 5u) return packDouble2x32(x);
  const double high = type == 4u ? double(int(x.y)) : double(x.y);
  return high * 4294967296.0LF + double(x.x);
}
#elif FLOATING
float value_of_bits(const uint x) { return uintBitsToFloat(x); }
#else
UNIT value_of_bits(const UNIT x) { return sums ? x : key_of(x); }
#endif

// Of what is in place of elements that are not there: the identity.
UNIT no_bits() {
#if !FLOATING
  if (!sums) return bits_of(value_identity());
#endif
  return UNIT(0u);
}
const uint element_bytes = type <= 2u ? 4u : 8u;

// What is known of the elements of a chunk besides their values, a bit for each.
struct Marks {
  uint valid, heads;
};

#if COUNTED
// Bits `from` … `to` - 1, counted from bit `first` of the words at `base`, in their places; no others are read.
uint load_bits(const uvec2 base, const uvec2 first, const uint from, const uint to) {
  if (from >= to) return 0u;
  const uvec2 at = vkp_add64(first, from);
  const uvec2 words = vkp_add64(base, vkp_mul64(vkp_shr64(at, 5u), 4u));
  const uint shift = at.x & 31u;
  uint bits = VkpWords(words).v[0] >> shift;
  if (shift + (to - from) > 32u) bits |= VkpWords(words).v[1] << (32u - shift);
  return (bits & vkp_low_bits(to - from)) << from;
}
#endif

// Of the chunk from element `first` on.
Marks marks_of(const uvec2 first, const uvec2 n) {
  Marks marks = Marks(0u, 0u);
#if COUNTED
  const Extent extent = extent_of(first, chunk, n);
  marks.valid = vkp_low_bits(extent.end) & ~vkp_low_bits(extent.begin);
  if (has_validity) {
    const uvec2 bit = vkp_add64(first, push.source.validity_bit);
    marks.valid = load_bits(vkp_u64(push.source.validity), bit, extent.begin, extent.end);
  }
  if (has_groups) marks.heads = load_bits(vkp_u64(push.source.heads), first, extent.begin, extent.end);
#endif
  return marks;
}

// Element k of a chunk from element `first` on, as a window of its own.
Window window_of(const UNIT staged, const uvec2 first, const uint k, const Marks marks) {
  Window x = vkp_identity();
#if COUNTED
  const bool head = (marks.heads >> k & 1u) != 0u;
  if ((marks.valid >> k & 1u) != 0u && !(groups_right && head)) {
    x.value = value_of(staged);
    x.count.x = 1u;
#if ARG
    if (!is_less(worst_key, x.value)) x.index = vkp_add64(first, k);
#endif
  }
  if (head) x.count.y = 0x80000000u;
#else
  x.value = value_of(staged);
#endif
  return x;
}

#endif
