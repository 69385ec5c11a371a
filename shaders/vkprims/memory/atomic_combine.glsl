// Adds a value to an element of memory, or makes the element the smaller or the larger of both, by
// relaxed atomics. Any number of invocations may do so at once with one element, provided that
// nobody reads it in the same dispatch.
//
// ATOMICS is word32 for elements of one word, and for sums of 64-bit integers, which need no 64-bit
// atomics; word64 for the 64-bit types; float64 for sums of f64.
//
// Minimum and maximum of floats: the bits of numbers without a sign order like signed integers, and
// those of numbers with a sign order like unsigned ones the other way round. So, whatever the
// element holds, either a signed or an unsigned atomic, chosen by the sign of the new value, does
// the right thing, with -0 below +0. NaN as a new value is skipped. NaN that was in the element may
// survive the atomic; an invocation that meets it swaps it for its new value. Nobody ever writes
// another NaN, so trying once more is enough if another invocation was first.
//
// Sums of floats have no atomic of their own in Vulkan 1.2. An invocation takes what the element
// holds, leaving -0 there, to which adding changes nothing, and puts back the sum of that and its
// own value. By that it displaces what others have put there meanwhile: if this is not -0, the
// invocation goes on with it as its value. So sums wander from hand to hand and none is lost. Of
// all invocations that do so at once, the first one that puts its sum after another has taken is
// finished. So some invocation always makes progress, as with a loop of compare-exchanges; but here
// the values of many merge on the way, so that contention for one element falls quickly.
#ifndef VKPRIMS_ATOMIC_COMBINE_GLSL
#define VKPRIMS_ATOMIC_COMBINE_GLSL

#include "vkprims/core.glsl"

#if defined(VKP_ATOMICS_word32)
#define VKP_BITS uint
#define VKP_SIGNED_BITS int
#define VKP_BITS_ALIGN 4
const uint VKP_SIGN_BIT = 0x80000000u;
const uint VKP_INFINITY_BITS = 0x7f800000u;
VKP_BITS vkp_bits(uvec2 words) { return words.x; }
#define VKP_T_f32
#else
#extension GL_ARB_gpu_shader_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#define VKP_BITS uint64_t
#define VKP_SIGNED_BITS int64_t
#define VKP_BITS_ALIGN 8
const uint64_t VKP_SIGN_BIT = 0x8000000000000000UL;
const uint64_t VKP_INFINITY_BITS = 0x7ff0000000000000UL;
VKP_BITS vkp_bits(uvec2 words) { return packUint2x32(words); }
#define VKP_T_f64
#endif

layout(buffer_reference, std430, buffer_reference_align = VKP_BITS_ALIGN) buffer VkpSharedBits {
  nonprivate VKP_BITS v[];
};
layout(buffer_reference, std430, buffer_reference_align = VKP_BITS_ALIGN) buffer VkpSharedSigned {
  nonprivate VKP_SIGNED_BITS v[];
};

void vkp_atomic_add(uvec2 address, VKP_BITS x) { atomicAdd(VkpSharedBits(address).v[0], x); }

// Returns what was there before.
VKP_BITS vkp_atomic_extreme(uvec2 address, VKP_BITS x, bool is_signed, bool smaller) {
  if (is_signed) {
    VkpSharedSigned element = VkpSharedSigned(address);
    return VKP_BITS(smaller ? atomicMin(element.v[0], VKP_SIGNED_BITS(x))
                            : atomicMax(element.v[0], VKP_SIGNED_BITS(x)));
  }
  VkpSharedBits element = VkpSharedBits(address);
  return smaller ? atomicMin(element.v[0], x) : atomicMax(element.v[0], x);
}

bool vkp_bits_are_nan(VKP_BITS x) { return (x & ~VKP_SIGN_BIT) > VKP_INFINITY_BITS; }

void vkp_atomic_float_extreme(uvec2 address, VKP_BITS x, bool smaller) {
  if (vkp_bits_are_nan(x)) return;
  const bool positive = (x & VKP_SIGN_BIT) == VKP_BITS(0);
  const VKP_BITS before = vkp_atomic_extreme(address, x, positive, smaller == positive);
  if (vkp_bits_are_nan(before) &&
      atomicCompSwap(VkpSharedBits(address).v[0], before, x) != before) {
    vkp_atomic_extreme(address, x, positive, smaller == positive);
  }
}

// Adds a 64-bit sum by words: each addition carries into the high word if it made the low word
// overflow.
#if defined(VKP_ATOMICS_word32)
void vkp_atomic_add_words(uvec2 address, uvec2 x) {
  VkpSharedWords words = VkpSharedWords(address);
  const uint before = atomicAdd(words.v[0], x.x);
  const uint high = x.y + (before + x.x < before ? 1u : 0u);
  if (high != 0u) atomicAdd(words.v[1], high);
}
#endif

#if !defined(VKP_ATOMICS_word64)
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_vote : require
#include "vkprims/types.glsl"
VKP_T vkp_combine(const VKP_T left, const VKP_T right) { return left + right; }
#include "vkprims/subgroup/subgroup.glsl"

#if defined(VKP_ATOMICS_word32)
VKP_T vkp_number(VKP_BITS x) { return uintBitsToFloat(x); }
VKP_BITS vkp_number_bits(VKP_T x) { return floatBitsToUint(x); }
#else
VKP_T vkp_number(VKP_BITS x) { return packDouble2x32(unpackUint2x32(x)); }
VKP_BITS vkp_number_bits(VKP_T x) { return packUint2x32(unpackDouble2x32(x)); }
#endif
const VKP_BITS VKP_NOTHING = VKP_SIGN_BIT;  // -0

VKP_BITS vkp_take(uvec2 address) {
  return atomicExchange(VkpSharedBits(address).v[0], VKP_NOTHING);
}

// Puts the sum and returns what is left to add. (lavapipe with vectors of 512 bits crashes on
// 64-bit atomics whose result is used only as a double; the comparison avoids that.)
VKP_BITS vkp_put(uvec2 address, VKP_BITS x, VKP_BITS taken) {
  if (taken != VKP_NOTHING) x = vkp_number_bits(vkp_number(x) + vkp_number(taken));
  return atomicExchange(VkpSharedBits(address).v[0], x);
}

// Adds x[i] at address[i] for the bits i of `live`. Call this in subgroup-uniform control flow with
// all lanes.
#define VKP_ADDENDS 4
void vkp_atomic_add_floats(uvec2 address[VKP_ADDENDS], VKP_BITS x[VKP_ADDENDS], uint live) {
  // At first each lane tries alone, unless all lanes have the same element.
  VKP_BITS taken[VKP_ADDENDS];
  uint tried = 0u;
  [[unroll]] for (uint i = 0u; i < VKP_ADDENDS; ++i) {
    if (!subgroupAllEqual(address[i].x) && (live >> i & 1u) != 0u) {
      taken[i] = vkp_take(address[i]);
      tried |= 1u << i;
    }
  }
  [[unroll]] for (uint i = 0u; i < VKP_ADDENDS; ++i) {
    if ((tried >> i & 1u) == 0u) continue;
    x[i] = vkp_put(address[i], x[i], taken[i]);
    if (x[i] == VKP_NOTHING) live &= ~(1u << i);
  }
  // Lanes that met others add what they have left within the subgroup, and the first lane that has
  // the same element puts the sum. There are as many rounds as there are such elements, and one
  // more each time that another subgroup was in the way.
  [[unroll]] for (uint i = 0u; i < VKP_ADDENDS; ++i) {
    bool left = (live >> i & 1u) != 0u;
    for (uvec4 lanes = subgroupBallot(left); lanes != uvec4(0u); lanes = subgroupBallot(left)) {
      const uint first = subgroupBallotFindLSB(lanes);
      const uvec2 element = uvec2(subgroupShuffle(address[i].x, first),
                                  subgroupShuffle(address[i].y, first));
      const bool same = left && address[i] == element;
      const VKP_T sum = vkp_subgroup_fold(vkp_number(same ? x[i] : VKP_NOTHING));
      if (same) left = false;
      if (gl_SubgroupInvocationID == first) {
        x[i] = vkp_put(element, vkp_number_bits(sum), vkp_take(element));
        left = x[i] != VKP_NOTHING;
      }
    }
  }
}
#endif

#endif
