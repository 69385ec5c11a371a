// Writes how many rows and tiles of rows there are, for the grids of the other kernels, where the
// count is read on the GPU.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "group_by/group_by/group_by.abi.h"
#include "vkprims/core.glsl"

layout(push_constant) uniform Push { GroupByBeginPush push; };

void main() {
  if (gl_GlobalInvocationID.x != 0u) return;
  const uvec2 header = vkp_u64(push.header);
  const uvec2 rows = vkp_read_count(push.rows);
  VkpWords2(vkp_add64(header, VKP_GROUP_BY_ROWS_OFFSET)).v[0] = rows;
  VkpWords2(vkp_add64(header, VKP_GROUP_BY_TILES_OFFSET)).v[0] =
      uvec2((rows.x + (VKP_GROUP_BY_TILE - 1u)) / VKP_GROUP_BY_TILE, 0u);
  VkpWords2(vkp_add64(header, VKP_GROUP_BY_KEPT_OFFSET)).v[0] = uvec2(0u);
}
