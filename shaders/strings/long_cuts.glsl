// What long rows have of their text, ahead of the kernel that makes them (cut.glsl): a workgroup for each block. That of the first
// whole block of a row leaves there which row it is, and where what the row has begins and how long it is.
//
// Of rows that are not all found by offsets that ascend (blocks.glsl) nothing is left: they are cut by who meets them.
//
// Needs
//   bool cut_long(uint row, inout VkpText text)   the part of a row; false: it becomes null. By the whole workgroup
//   marks_of_part()                               see team_marks.glsl, which comes with this file
#ifndef STRINGS_LONG_CUTS_GLSL
#define STRINGS_LONG_CUTS_GLSL

#define VKP_T uvec2
#define VKP_WORDS 2
void vkp_pack(uvec2 x, out uint w[2]) { w = uint[](x.x, x.y); }
uvec2 vkp_unpack(uint w[2]) { return uvec2(w[0], w[1]); }
uvec2 vkp_identity() { return uvec2(0u); }
uvec2 vkp_combine(uvec2 left, uvec2 right) { return left + right; }

#include "strings/strings.glsl"
#include "vkprims/workgroup.glsl"

uint own() { return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID; }

#define SEARCHES_MARKS
#include "strings/team_marks.glsl"

uvec2 fold_of_team(uvec2 sum) { return vkp_fold_subgroups(vkp_subgroup_fold(sum)); }

bool cut_long(uint row, inout VkpText t);

// Whether all whole blocks of a row are known as such.
bool has_all_blocks(uint row, Blocks x) {
  bool others = false;
  for (uint k = own(); k < x.count; k += gl_WorkGroupSize.x) others = others || row_of_block(x.first + k) != row;
  return fold_of_team(uvec2(others, 0u)).x == 0u;
}

void leave_cuts() {
  const uint k = vkp_group_index();
  const uint ahead = push.a.chars.lo - first_block().x;
  const uvec2 bytes = vkp_add64(vkp_u64(push.a.bytes), ahead);
  if (!vkp_less64(vkp_mul64(k, block_bytes()), bytes)) return;
  const uint row = row_of_block(k);
  if (row >= push.rows) return;
  VkpText t = vkp_row_text(push.a, row);
  const Blocks x = blocks_of(t, 0u, t.bytes, bytes_behind());
  if (x.first != k || !has_all_blocks(row, x)) return;
  const uvec2 at = t.at;
  const bool there = cut_long(row, t);
  if (own() != 0u) return;
  VkpWords cut = VkpWords(place_of_block(k));
  cut.v[0] = row + 1u;
  cut.v[1] = vkp_sub64(t.at, at).x;
  cut.v[2] = there ? t.bytes : VKP_NPOS;
}

#endif
