// Elements of VKP_T in device memory. Whatever moves elements between memory, invocations and
// shared memory does it by 32-bit words. Needs VKP_T, VKP_WORDS, vkp_pack, vkp_unpack.
#ifndef VKPRIMS_ELEMENTS_GLSL
#define VKPRIMS_ELEMENTS_GLSL

#include "vkprims/core.glsl"

#ifndef VKP_T
#error "elements.glsl: define VKP_T and what belongs to it first, or include vkprims/types.glsl"
#endif

#define VKP_BYTES (4 * VKP_WORDS)

// Element `index` of the sequence at `base`; index * VKP_BYTES must stay below 2^32.
VKP_T vkp_load_element(const uvec2 base, const uint index) {
  uint w[VKP_WORDS];
#if VKP_WORDS == 2
  const uvec2 both = VkpWords2(base).v[index];
  w[0] = both.x;
  w[1] = both.y;
#else
  [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) w[i] = VkpWords(base).v[index * VKP_WORDS + i];
#endif
  return vkp_unpack(w);
}

void vkp_store_element(uvec2 base, uint index, VKP_T x) {
  uint w[VKP_WORDS];
  vkp_pack(x, w);
#if VKP_WORDS == 2
  VkpWords2(base).v[index] = uvec2(w[0], w[1]);
#else
  [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) VkpWords(base).v[index * VKP_WORDS + i] = w[i];
#endif
}

// These do the same for elements that cross invocations within a dispatch. The loads are atomic:
// they return what was written before in the order that the caller has established.
VKP_T vkp_load_shared_element(const uvec2 base, const uint index) {
  uint w[VKP_WORDS];
  [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) {
    w[i] = atomicLoad(VkpSharedWords(base).v[index * VKP_WORDS + i], gl_ScopeQueueFamily, 0, 0);
  }
  return vkp_unpack(w);
}

void vkp_store_shared_element(const uvec2 base, const uint index, const VKP_T x) {
  uint w[VKP_WORDS];
  vkp_pack(x, w);
  [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) {
    VkpSharedWords(base).v[index * VKP_WORDS + i] = w[i];
  }
}

VKP_T vkp_read_value(VkpValue value) {
  const uvec2 address = vkp_u64(value.address);
  if (address != uvec2(0u)) return vkp_load_element(address, 0u);
  uint w[VKP_WORDS];
  [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) w[i] = i == 0u ? value.word0 : value.word1;
  return vkp_unpack(w);
}

VKP_T vkp_read_value(VkpElement value) {
  const uvec2 address = vkp_u64(value.address);
  if (address != uvec2(0u)) return vkp_load_element(address, 0u);
  uint w[VKP_WORDS];
  [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) w[i] = value.words[i % 8u];
  return vkp_unpack(w);
}

#endif
