// Message passing between workgroups: whoever sees a flag must see the data stored before it.
//
// Every invocation stores data, then a flag, at permuted places, then looks at the flag and the
// data of another permuted place: neighbours in memory belong to invocations that run far apart.
// The memory is not cleared between dispatches; each stores its own number `round`.
// FORM fence: fences and relaxed atomics. FORM atomic: a release store and an acquire load. FORM
// relaxed orders nothing: a control, which may see stale data and does where the test can find
// anything.
// %VARIANT% FORM fence|atomic|relaxed
#version 460
#extension GL_GOOGLE_include_directive : require
#include "vkprims/core.glsl"

layout(push_constant) uniform Push {
  uint data_lo, data_hi;
  uint flags_lo, flags_hi;
  uint counters_lo, counters_hi;  // flags seen; stale data behind them
  uint round;
};

const uint places = 65536u;  // as many as invocations

void main() {
  const uint x = vkp_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  VkpSharedWords data = VkpSharedWords(uvec2(data_lo, data_hi));
  VkpSharedWords flags = VkpSharedWords(uvec2(flags_lo, flags_hi));
  const uint mine = (x * 419u) % places;
  const uint other = (x * 4099u) % places;

  // Odd factors permute the places; the flag of a place lies far from its data.
#if defined(VKP_FORM_relaxed)
  atomicStore(data.v[mine], round, gl_ScopeQueueFamily, 0, gl_SemanticsRelaxed);
  atomicStore(flags.v[(mine * 12289u) % places], round, gl_ScopeQueueFamily, 0,
              gl_SemanticsRelaxed);
  const uint flag = atomicLoad(flags.v[(other * 12289u) % places], gl_ScopeQueueFamily, 0,
                               gl_SemanticsRelaxed);
  const uint value = atomicLoad(data.v[other], gl_ScopeQueueFamily, 0, gl_SemanticsRelaxed);
#elif defined(VKP_FORM_fence)
  data.v[mine] = round;
  memoryBarrier(gl_ScopeQueueFamily, gl_StorageSemanticsBuffer,
                gl_SemanticsRelease | gl_SemanticsMakeAvailable);
  atomicStore(flags.v[(mine * 12289u) % places], round, gl_ScopeQueueFamily, 0,
              gl_SemanticsRelaxed);
  const uint flag = atomicLoad(flags.v[(other * 12289u) % places], gl_ScopeQueueFamily, 0,
                               gl_SemanticsRelaxed);
  memoryBarrier(gl_ScopeQueueFamily, gl_StorageSemanticsBuffer,
                gl_SemanticsAcquire | gl_SemanticsMakeVisible);
#else
  data.v[mine] = round;
  atomicStore(flags.v[(mine * 12289u) % places], round, gl_ScopeQueueFamily,
              gl_StorageSemanticsBuffer, gl_SemanticsRelease | gl_SemanticsMakeAvailable);
  const uint flag =
      atomicLoad(flags.v[(other * 12289u) % places], gl_ScopeQueueFamily, gl_StorageSemanticsBuffer,
                 gl_SemanticsAcquire | gl_SemanticsMakeVisible);
#endif
  if (flag == round) {
#if !defined(VKP_FORM_relaxed)
    // Only here: where the flag was not seen it would be a data race.
    const uint value = data.v[other];
#endif
    VkpSharedWords counters = VkpSharedWords(uvec2(counters_lo, counters_hi));
    if (value != round) atomicAdd(counters.v[1], 1u);
    atomicAdd(counters.v[0], 1u);
  }
}
