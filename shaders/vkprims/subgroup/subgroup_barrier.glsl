// Barriers between the lanes of a subgroup: the only ones of this scope in the library.
//
// All lanes of the subgroup must call them; other subgroups need not, and may call them a different
// number of times.
//
// The memory model requires an execution barrier: it orders plain accesses of all lanes before it
// and of all lanes behind it. lavapipe from Mesa 23 on makes it a barrier of the whole workgroup,
// so that subgroups that come to it a different number of times lose the rest of a loop. There a
// memory barrier alone is enough, although in the model it orders accesses only through atomics:
// lanes of that driver are the elements of a vector, each instruction is carried out for all of
// them before the next one, and the barrier keeps its compiler from moving accesses across it.
//
// Specialization: VKP_SPEC_LANES_IN_STEP, which the library sets for each device. A pipeline of
// your own sets it to 1 where VkPhysicalDeviceDriverProperties::driverID is
// VK_DRIVER_ID_MESA_LLVMPIPE, and leaves it out elsewhere.
#ifndef VKPRIMS_SUBGROUP_BARRIER_GLSL
#define VKPRIMS_SUBGROUP_BARRIER_GLSL

#extension GL_KHR_shader_subgroup_basic : require

#include "vkprims/core.glsl"
#include "vkprims/subgroup/subgroup_barrier.h"

layout(constant_id = VKP_SPEC_LANES_IN_STEP) const uint vkp_lanes_in_step = 0;

// This is a macro, as the storage must be a constant.
#define VKP_SUBGROUP_BARRIER(storage)                                       \
  if (vkp_lanes_in_step != 0u) {                                            \
    memoryBarrier(gl_ScopeSubgroup, storage,                                \
                  gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable |  \
                      gl_SemanticsMakeVisible);                             \
  } else {                                                                  \
    controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, storage,             \
                   gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | \
                       gl_SemanticsMakeVisible);                            \
  }

// Orders accesses to shared memory.
void vkp_subgroup_barrier() { VKP_SUBGROUP_BARRIER(gl_StorageSemanticsShared) }

// Orders accesses to buffers, whose members must be nonprivate.
void vkp_subgroup_buffer_barrier() { VKP_SUBGROUP_BARRIER(gl_StorageSemanticsBuffer) }

#undef VKP_SUBGROUP_BARRIER

#endif
