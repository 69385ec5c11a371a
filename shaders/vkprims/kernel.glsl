// What a kernel of the application's own begins with: the core, references to buffers of numbers,
// and the number of an invocation. vkprims::jit includes it before every kernel.
#ifndef VKPRIMS_KERNEL_GLSL
#define VKPRIMS_KERNEL_GLSL

#include "vkprims/core.glsl"

// Members of push constants that have these types are device addresses of arrays, which may begin
// at any multiple of 4 bytes. Like VkpWords, they are for data of which a dispatch uses each word
// in one invocation only, if it writes them.
layout(buffer_reference, std430, buffer_reference_align = 4) buffer VkpUints { uint v[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer VkpInts { int v[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer VkpFloats { float v[]; };

// Returns the number of this invocation in the grid, which may be folded into y, unlike
// gl_GlobalInvocationID.x.
uint vkp_item() { return vkp_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex; }

#endif
