// Finds which workgroup of a dispatch finishes last, and makes sure that it sees what all the
// others wrote.
//
// In every participating workgroup the invocation with gl_LocalInvocationIndex 0 writes the
// workgroup's result through a `nonprivate` member; then all its invocations call vkp_last_group(),
// in workgroup-uniform control flow. All invocations of the workgroup for which it returns true may
// read all results, by atomic loads (vkp_load_shared_element()). The following chain shows that
// this is correct under the Vulkan memory model, for a result written by invocation A (index 0 of
// some workgroup) and read by any invocation B of the last one:
//   A's write -> in program order, the release half of A's AcqRel increment, which makes it
//   available at scope QueueFamily -> the increments that follow continue its release sequence ->
//   the acquire half of the last increment, by invocation 0 of B's workgroup -> the release half
//   of the barrier, which covers buffers -> its acquire half in B -> B's atomic load, which is
//   visible at scope QueueFamily by itself.
// So the write happens before the load, and the load cannot miss it. QueueFamily contains every
// invocation of the dispatch. No workgroup waits: one that is not last goes on at once, so no
// forward progress is assumed.
#ifndef VKPRIMS_LAST_GROUP_GLSL
#define VKPRIMS_LAST_GROUP_GLSL

#include "vkprims/core.glsl"

shared uint vkp_arrival;

// Returns how many workgroups have arrived before; one invocation of each calls this.
uint vkp_arrive(uvec2 counter) {
  return atomicAdd(VkpSharedWords(counter).v[0], 1u, gl_ScopeQueueFamily,
                   gl_StorageSemanticsBuffer,
                   gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable |
                       gl_SemanticsMakeVisible);
}

// `counter` is the address of a word that is 0 before the dispatch. Call this at most once.
bool vkp_last_group(uvec2 counter, uint groups) {
  if (gl_LocalInvocationIndex == 0u) vkp_arrival = vkp_arrive(counter);
  vkp_buffer_barrier();
  return vkp_arrival == groups - 1u;
}

#endif
