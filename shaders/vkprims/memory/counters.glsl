// Counters of 64 bits that many invocations add to, as two words of 32.
#ifndef VKPRIMS_COUNTERS_GLSL
#define VKPRIMS_COUNTERS_GLSL

#include "vkprims/core.glsl"

// Adds a number to the counter at an address, in relaxed order. Without `may_carry` all numbers
// together are below 2^32: then no invocation waits to learn what the counter was before.
void vkp_add_to_counter(const uvec2 address, const uint number, const bool may_carry) {
  VkpSharedWords words = VkpSharedWords(address);
  if (may_carry) {
    const uint before = atomicAdd(words.v[0], number, gl_ScopeQueueFamily, 0, 0);
    if (before + number < before) atomicAdd(words.v[1], 1u, gl_ScopeQueueFamily, 0, 0);
  } else {
    atomicAdd(words.v[0], number, gl_ScopeQueueFamily, 0, 0);
  }
}

#endif
