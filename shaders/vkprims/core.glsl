// Included first by every kernel: extensions, memory model, addresses, and 64-bit arithmetic on
// uvec2.
//
// Device addresses and 64-bit numbers are uvec2 {low, high}, so no kernel needs shaderInt64 for
// them.
#ifndef VKPRIMS_CORE_GLSL
#define VKPRIMS_CORE_GLSL

#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_ballot : require

#include "vkprims/push.h"
#include "vkprims/spec.h"

layout(local_size_x_id = VKP_SPEC_WORKGROUP_SIZE) in;

// These are for private data: each word is used by only one invocation of a dispatch.
layout(buffer_reference, std430, buffer_reference_align = 4) buffer VkpWords { uint v[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) buffer VkpWords2 { uvec2 v[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer VkpWords4 { uvec4 v[]; };
// This is for data that crosses invocations within a dispatch. The qualifier must stand on the
// member: glslc silently ignores it on the block.
layout(buffer_reference, std430, buffer_reference_align = 4) buffer VkpSharedWords {
  nonprivate uint v[];
};

// If VKP_HAS_INT64 is defined before, 64-bit integers are used, which take half the instructions,
// but registers in pairs.
#ifdef VKP_HAS_INT64
#extension GL_ARB_gpu_shader_int64 : require
uvec2 vkp_add64(const uvec2 a, const uvec2 b) {
  return unpackUint2x32(packUint2x32(a) + packUint2x32(b));
}
uvec2 vkp_sub64(const uvec2 a, const uvec2 b) {
  return unpackUint2x32(packUint2x32(a) - packUint2x32(b));
}
bool vkp_less64(const uvec2 a, const uvec2 b) { return packUint2x32(a) < packUint2x32(b); }
#else
uvec2 vkp_add64(const uvec2 a, const uvec2 b) {
  uint carry;
  const uint low = uaddCarry(a.x, b.x, carry);
  return uvec2(low, a.y + b.y + carry);
}

uvec2 vkp_sub64(const uvec2 a, const uvec2 b) {
  uint borrow;
  const uint low = usubBorrow(a.x, b.x, borrow);
  return uvec2(low, a.y - b.y - borrow);
}

// mix() is used, as && and || take branches.
bool vkp_less64(const uvec2 a, const uvec2 b) { return mix(a.y < b.y, a.x < b.x, a.y == b.y); }
#endif

uvec2 vkp_add64(const uvec2 a, const uint b) { return vkp_add64(a, uvec2(b, 0u)); }

uvec2 vkp_mul64(const uint a, const uint b) {
  uvec2 product;
  umulExtended(a, b, product.y, product.x);
  return product;
}

uvec2 vkp_mul64(const uvec2 a, const uint b) {
  uvec2 product = vkp_mul64(a.x, b);
  product.y += a.y * b;
  return product;
}

// These shift by 0 … 31 bits.
uvec2 vkp_shl64(const uvec2 a, const uint s) {
  return uvec2(a.x << s, a.y << s | a.x >> 1u >> (31u - s));
}

uvec2 vkp_shr64(const uvec2 a, const uint s) {
  return uvec2(a.x >> s | a.y << 1u << (31u - s), a.y >> s);
}

uvec2 vkp_min64(const uvec2 a, const uvec2 b) { return vkp_less64(a, b) ? a : b; }

// Returns a - b where a is larger, else 0, but at most `limit`.
uint vkp_clamped_difference(const uvec2 a, const uvec2 b, const uint limit) {
  return vkp_less64(b, a) ? vkp_min64(vkp_sub64(a, b), uvec2(limit, 0u)).x : 0u;
}

// A barrier of the workgroup that orders buffers as well as shared memory; barrier() orders only
// the latter.
void vkp_buffer_barrier() {
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup,
                 gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                 gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
}

// Returns the number of this workgroup in a grid that is folded into y. Surplus workgroups at the
// end of the last row have numbers beyond the work, and kernels test for them.
uint vkp_group_index() { return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x; }

uvec2 vkp_u64(const VkpU64 x) { return uvec2(x.lo, x.hi); }

// Returns the count, which is known on the host, or read from memory and then at most the maximum.
uvec2 vkp_read_count(const VkpCount count) {
  uvec2 n = vkp_u64(count.max);
  const uvec2 address = vkp_u64(count.address);
  if (address != uvec2(0u)) {
    uvec2 given = uvec2(VkpWords(address).v[0], 0u);
    if (count.is_u64 != 0u) given.y = VkpWords(address).v[1];
    n = vkp_min64(given, n);
  }
  return n;
}

// Returns the number of lanes up to and including the last one in a ballot.
uint vkp_lanes_to_last(const uvec4 ballot) {
  return ballot == uvec4(0u) ? 0u : subgroupBallotFindMSB(ballot) + 1u;
}

#endif
