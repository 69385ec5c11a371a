// Rows of cells of a subgroup that are not aligned in memory, moved by aligned accesses of 16
// bytes.
//
// All cells of a strip begin the same number of bytes past a multiple of 16. So a cell is the end
// of one aligned piece of 16 bytes and the beginning of the next one: a lane loads one piece, and
// gets the other from the next lane. It stores the piece that ends in its cell, with what the lane
// before has of it. Loads reach up to 15 bytes over both ends of the strip.
#ifndef VKPRIMS_DROPOUT_SHIFTED_GLSL
#define VKPRIMS_DROPOUT_SHIFTED_GLSL

#extension GL_KHR_shader_subgroup_shuffle : require

#include "random/dropout/cells.glsl"

uvec4 shuffled(uvec4 x, uint lane) {
  return uvec4(subgroupShuffle(x.x, lane), subgroupShuffle(x.y, lane), subgroupShuffle(x.z, lane),
               subgroupShuffle(x.w, lane));
}

// It must be called in uniform control flow; `row` is a row of the strip.
uvec4 load_shifted(uvec2 strip, uint row) {
  const uint skip = strip.x & 15u;
  strip.x -= skip;
  const uint piece = row * gl_SubgroupSize + gl_SubgroupInvocationID;
  const uvec4 own = VkpWords4(strip).v[piece];
  if (skip == 0u) return own;
  uvec4 next = shuffled(own, (gl_SubgroupInvocationID + 1u) % gl_SubgroupSize);
  if (gl_SubgroupInvocationID == gl_SubgroupSize - 1u) next = VkpWords4(strip).v[piece + 1u];
  return vkp_joined(own, next, 16u - skip);
}

// Stores a strip row by row: `last` is the cell of the last lane of the row before, and becomes
// that of this row.
void store_shifted(uvec2 strip, uint row, uint row_count, uvec4 cell, inout uvec4 last) {
  const uint skip = strip.x & 15u;
  const uint lane = gl_SubgroupInvocationID;
  const uint piece = row * gl_SubgroupSize + lane;
  if (skip == 0u) {
    VkpWords4(strip).v[piece] = cell;
    return;
  }
  // Lane 0 gets the cell of the last lane.
  const uvec4 of_row = shuffled(cell, (lane + gl_SubgroupSize - 1u) % gl_SubgroupSize);
  const uvec4 before = lane == 0u ? last : of_row;
  last = of_row;
  if (piece == 0u) {
    store_cell(strip, cell, 16u - skip);
  } else {
    VkpWords4(vkp_sub64(strip, uvec2(skip, 0u))).v[piece] = vkp_joined(before, cell, skip);
  }
  if (piece + 1u == row_count * gl_SubgroupSize) {
    const uvec2 end = vkp_add64(strip, 16u * row_count * gl_SubgroupSize - skip);
    store_cell(end, vkp_joined(cell, uvec4(0u), skip), skip);
  }
}

#endif
