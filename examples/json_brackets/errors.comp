// Finds where brackets are wrong, with one invocation for each bracket outside of strings.
//
// A bracket whose match is 2^32 - 1 has an empty stack before it. A close there is one too many.
// The last open there is at the bottom of the stack at the end, if anything is: it is the first
// that is never closed.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernels.glsl"

void main() {
  const uint i = invocation();
  // In surplus workgroups i may have wrapped around.
  const bool exists =
      i / gl_WorkGroupSize.x == vkp_group_index() && i < FindingsBlock(push.findings).v.brackets.x;
  uint extra_close = ~0u, bottom_open = 0u;
  if (exists) {
    const uint tag = (load(push.tags, i / 4u) >> (8u * (i % 4u))) & 3u;
    const uint match = load(push.match, i);
    if (match == ~0u && tag == 1u) bottom_open = load(push.offsets, i);
    if (match == ~0u && tag == 2u) extra_close = load(push.offsets, i);
    if (uvec2(i, 0u) == FindingsBlock(push.findings).v.first_mismatch) {
      FindingsBlock(push.findings).v.mismatch_close = load(push.offsets, i);
      FindingsBlock(push.findings).v.mismatch_open = load(push.offsets, match);
    }
  }
  // There is one atomic per subgroup, and none if there is nothing to report.
  extra_close = subgroupMin(extra_close);
  bottom_open = subgroupMax(bottom_open);
  if (!subgroupElect()) return;
  if (extra_close != ~0u) atomicMin(FindingsBlock(push.findings).v.extra_close, extra_close);
  if (bottom_open != 0u) atomicMax(FindingsBlock(push.findings).v.bottom_open, bottom_open);
}
