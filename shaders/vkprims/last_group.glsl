// Which workgroup of a dispatch finishes last, and that it sees what all the others wrote.
//
// Every participating workgroup writes its result through a `nonprivate` member, from invocations that
// all call vkp_last_group() afterwards, in workgroup-uniform control flow. The workgroup for which it
// returns true may read all results. Why that is correct under the Vulkan memory model, for a result
// written by invocation A of some workgroup and read by invocation B of the last one:
//   A's write -> the barrier's release in A, acquired by A's workgroup's invocation 0 (memory scope
//   QueueFamily) -> release half of invocation 0's AcqRel increment, which the increments that follow
//   continue as a release sequence -> acquire half of the last increment, by invocation 0 of B's
//   workgroup -> the second barrier's release there, acquired by B. All are at scope QueueFamily,
//   which contains every invocation of the dispatch, and cover buffer storage.
// Nobody waits: a workgroup that is not last goes on at once, so no forward progress is assumed.
#ifndef VKPRIMS_LAST_GROUP_GLSL
#define VKPRIMS_LAST_GROUP_GLSL

#include "core.glsl"

shared uint vkp_arrival;

// `counter`: address of a word that is 0 before the dispatch.
bool vkp_last_group(uvec2 counter, uint groups) {
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeQueueFamily,
                 gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                 gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
  if (gl_LocalInvocationIndex == 0u) {
    vkp_arrival = atomicAdd(VkpSharedWords(counter).v[0], 1u, gl_ScopeQueueFamily,
                            gl_StorageSemanticsBuffer,
                            gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable |
                                gl_SemanticsMakeVisible);
  }
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeQueueFamily,
                 gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                 gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
  return vkp_arrival == groups - 1u;
}

#endif
