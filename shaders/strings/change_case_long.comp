// Long rows in upper or lower case, behind change_case.comp: see there, and store_long_rows.glsl.
#version 460
#extension GL_GOOGLE_include_directive : require

#define VKP_T uvec2
#define VKP_WORDS 2
void vkp_pack(uvec2 x, out uint w[2]) { w = uint[](x.x, x.y); }
uvec2 vkp_unpack(uint w[2]) { return uvec2(w[0], w[1]); }
uvec2 vkp_identity() { return uvec2(0u); }
uvec2 vkp_combine(uvec2 left, uvec2 right) { return left + right; }

#include "strings/case_growth.glsl"
#include "strings/case_parts.glsl"
#include "strings/direct_words.glsl"
#include "strings/store_long_rows.glsl"
#include "strings/team_sums.glsl"
#include "vkprims/workgroup.glsl"

uvec2 fold_of_team(uvec2 sum) { return vkp_fold_subgroups(vkp_subgroup_fold(sum)); }

uint own() { return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID; }

// A number that may be negative, of 32 bits, added to one of 64.
uvec2 moved(uvec2 x, uint by) { return vkp_add64(x, uvec2(by, uint(int(by) >> 31))); }

void store_part(uint row, VkpText t, uint begin, uint end, uvec2 position) {
  uint growth = sum_of_bytes(t, 0u, begin).x;
  for (uint i = begin; i < end; i += 32u * gl_WorkGroupSize.x) {
    const uint from = i + 32u * own();
    const uint to = min(from + 32u, end);
    uint own_growth = 0u;
    if (from < to) own_growth = sum_of_part(t, from, to).x;
    const VkpGroupScan scan = vkp_scan_workgroup(uvec2(own_growth, 0u));
    if (from < to) {
      const uint first = from + bytes_of_last_unit(t, from);
      const uint behind = to + bytes_of_last_unit(t, to);
      const uvec2 at = moved(vkp_add64(position, first), growth + scan.before.x);
      if (first < to) {
        Writer w = begin_words(at, behind - first + own_growth);
        put_part(t, first, to, w);
        end_bytes(w);
      }
    }
    growth += scan.total.x;
  }
}

void main() { store_long_rows(); }
