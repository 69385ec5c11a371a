// Joins what the workgroups of dense.comp have of each slot, in their order. A workgroup takes a
// few slots, which are neighbours in memory, and joins as many parts of each at once as fit.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "group_by/group_by/dense.glsl"

layout(push_constant) uniform Push { GroupByDensePush push; };

const uint SLOTS = 8;  // slots of a workgroup
const uint PARTS = VKP_GROUP_BY_WORKGROUP / SLOTS;
shared Slot joined[VKP_GROUP_BY_WORKGROUP];

void main() {
  const uint first = vkp_group_index() * SLOTS;
  if (vkp_read_count(push.rows) == uvec2(0u) || first >= slots) return;
  const uint slot = first + gl_LocalInvocationIndex % SLOTS;
  const uint part = gl_LocalInvocationIndex / SLOTS;
  const uint each = (push.groups - 1u) / PARTS + 1u;
  Slot x = no_slot();
  [[dont_unroll]] for (uint i = 0u; i < each; ++i) {
    const uint group = part * each + i;
    if (group < push.groups) {
      const uvec2 base = vkp_add64(vkp_u64(push.partials), vkp_mul64(group, 4u * slots));
      x = join_slots(x, load_slot(base, push.groups * slots, slot));
    }
  }
  joined[gl_LocalInvocationIndex] = x;
  barrier();
  // All invocations do the same, for lavapipe (vkprims/README.md).
  x = no_slot();
  [[dont_unroll]] for (uint i = 0u; i < PARTS; ++i) {
    x = join_slots(x, joined[i * SLOTS + gl_LocalInvocationIndex % SLOTS]);
  }
  if (part == 0u) store_slot(vkp_u64(push.totals), slots, slot, x);
}
