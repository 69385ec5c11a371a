// Elements of the sequence, by way of shared memory: neighbouring invocations load neighbouring
// elements, and then each takes a run of its own. Elements outside the sequence are the identity,
// so no other code need know where it ends.
//
// The invocations that share a stage load and store side by side: those of a subgroup with
// ROLLING_STAGE_OF_SUBGROUP, otherwise those of the workgroup. Item i of an invocation has the
// number item_of(i), which is item_stride() behind that of its item i - 1.
//
// The includer declares a push constant block `push` with a RollingInput `source`.
#ifndef VKPRIMS_ROLLING_INPUT_GLSL
#define VKPRIMS_ROLLING_INPUT_GLSL

#include "rolling/rolling/keys.glsl"
#include "rolling/rolling/monoids.glsl"
#include "vkprims/memory/elements.glsl"
#include "vkprims/masks.glsl"
#include "vkprims/subgroup/subgroup_barrier.glsl"

layout(constant_id = VKP_SPEC_ROWS) const uint run_items = 8;
layout(constant_id = VKP_ROLLING_SPEC_STAGE) const uint stage_items = 1;
const bool has_validity = (flags & VKP_ROLLING_VALIDITY) != 0u;
const bool has_groups = groups_left || groups_right;

// One place is left out after every BANKS places, so invocations meet all banks whether they access
// neighbours or are a run apart. Runs are powers of two of at most BANKS elements, so the
// places of a run are neighbours.
const uint BANKS = 32u / VALUE_WORDS;
#if OWN
// A plane for each word of an element.
const uint plane_items = stage_items + stage_items / BANKS + 1u;
shared uint stage[value_words * plane_items];
#else
shared UNIT stage[stage_items + stage_items / BANKS + 1u];
#endif
uint place_of(const uint item) { return item + item / BANKS; }

#ifdef ROLLING_STAGE_OF_SUBGROUP
uint own_run() { return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID; }
uint item_stride() { return gl_SubgroupSize; }
uint item_of(uint i) {
  return (gl_SubgroupID * run_items + i) * gl_SubgroupSize + gl_SubgroupInvocationID;
}
void stage_barrier() { vkp_subgroup_barrier(); }
#else
uint own_run() { return gl_LocalInvocationIndex; }
uint item_stride() { return gl_WorkGroupSize.x; }
uint item_of(uint i) { return i * gl_WorkGroupSize.x + gl_LocalInvocationIndex; }
void stage_barrier() { barrier(); }
#endif

// Returns place_of(item_of(i)), which is at a constant distance from that of item 0 where items are
// a multiple of all banks apart.
uint item_place(uint i) {
  const uint further = i * item_stride();
  if (item_stride() % BANKS != 0u) return place_of(item_of(i));
  return place_of(item_of(0u)) + further + further / BANKS;
}

// Clamps a 64-bit number that may be below 0 to 0 … limit.
uint clamped(const uvec2 x, const uint limit) {
  return (x.y & 0x80000000u) != 0u ? 0u : vkp_min64(x, uvec2(limit, 0u)).x;
}

// An Extent says which of `items` elements from `first` on exist in a sequence of n.
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

#if OWN
#include "rolling/rolling/own_elements.glsl"
#else
// Elements are loaded as raw bits and converted later, so that no load is waited for before the
// next one is under way.
UNIT load_bits(const uvec2 base, const uint i) {
  if (type == VKP_ROLLING_NO_INPUT) return UNIT(0u);
#if VALUE_WORDS == 2
  if (type <= 2u) return uvec2(VkpWords(base).v[i], 0u);
#endif
  return load_unit(base, i);
}

#if FLOATING && VALUE_WORDS == 2
// Converts integers, too. These are rounded once, since high * 2^32 is exact.
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

// Returns the bits that stand in for elements that do not exist: those of the identity.
UNIT no_bits() {
#if !FLOATING
  if (!sums) return bits_of(value_identity());
#endif
  return UNIT(0u);
}
const uint element_bytes = type <= 2u ? 4u : 8u;

#define staged_at(place) stage[place]
#define put_staged(place, bits) stage[place] = unit_of(value_of_bits(bits))
#endif  // OWN

// The marks of a run have a bit for each element that is valid, and for each that begins a group.
struct Marks {
  uint valid, heads;
};

#if COUNTED
// Returns bits `from` … `to` - 1, counted from bit `first` of the words at `base`, each in its
// place; no words without such bits are read.
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

// Returns the marks of the run from element `first` on.
Marks marks_of(const uvec2 first, const uvec2 n) {
  Marks marks = Marks(0u, 0u);
#if COUNTED
  const Extent extent = extent_of(first, run_items, n);
  marks.valid = vkp_low_bits(extent.end) & ~vkp_low_bits(extent.begin);
  if (has_validity) {
    const uvec2 bit = vkp_add64(first, push.source.validity_bit);
    marks.valid = load_bits(vkp_u64(push.source.validity), bit, extent.begin, extent.end);
  }
  if (has_groups) {
    marks.heads = load_bits(vkp_u64(push.source.heads), first, extent.begin, extent.end);
  }
#endif
  return marks;
}

// Returns element k of a run from element `first` on, as a window of its own.
Window window_of(const STAGED staged, const uvec2 first, const uint k, const Marks marks) {
  Window x = vkp_identity();
#if COUNTED
  const bool head = (marks.heads >> k & 1u) != 0u;
  if ((marks.valid >> k & 1u) != 0u && !(groups_right && head)) {
    x.value = value_of(staged);
    x.count = ONE_ELEMENT;
#if ARG
    if (!is_less(worst_key, x.value)) x.index = vkp_add64(first, k);
#endif
  }
  if (head) x.count.y |= 0x80000000u;
#else
  x.value = value_of(staged);
#endif
  return x;
}

#endif
