// Finds where the tiles of segmented_reduce, and of what is built on it, begin; the algorithm is in
// vkprims/device/merge_path.glsl.
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#include "reduce/segmented_starts/segmented_starts.abi.h"
#include "vkprims/device/merge_path.glsl"

layout(constant_id = VKP_SEGMENTED_STARTS_SPEC_BY_SUBGROUP) const bool by_subgroup = false;
layout(push_constant) uniform Push { SegmentedStartsPush push; };

void main() {
  uint tile = vkp_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (by_subgroup) tile = vkp_group_index() * gl_NumSubgroups + gl_SubgroupID;
  if (tile > push.max_tiles) return;
  const VkpOffsets segments = vkp_offsets(vkp_u64(push.offset_base), vkp_read_count(push.count),
                                          vkp_u64(push.value_count));
  vkp_segmented_starts(VkpMergeTiles(vkp_u64(push.scratch), push.max_tiles, push.tile_items,
                                     push.record_bytes),
                       segments, tile, by_subgroup);
}
