// Long rows in upper or lower case, behind change_case.comp: see there, and long_outputs.glsl.
#version 460
#extension GL_GOOGLE_include_directive : require
#define ONLY_SUMS
#include "strings/long_sums.glsl"
#include "strings/change_case/case_growth.glsl"
#include "strings/change_case/case_parts.glsl"
#include "strings/long_outputs.glsl"

// Adds a number of 32 bits that may be negative to one of 64.
uvec2 moved(uvec2 x, uint by) { return vkp_add64(x, uvec2(by, uint(int(by) >> 31))); }

void store_unit(LongUnit x, uvec2 position) {
  uint growth = sum_of_units(x.of, x.begin >> unit_shift()).x;
  for (uint i = x.begin; i < x.end; i += 32u * gl_WorkGroupSize.x) {
    const uint from = i + 32u * own();
    const uint to = min(from + 32u, x.end);
    uint own_growth = 0u;
    if (from < to) own_growth = sum_of_part(x.text, from, to).x;
    const VkpGroupScan scan = vkp_scan_workgroup(uvec2(own_growth, 0u));
    if (from < to) {
      const uint first = from + bytes_of_last_unit(x.text, from);
      const uint behind = to + bytes_of_last_unit(x.text, to);
      if (first < to) {
        VkpWriter w = begin_words(moved(vkp_add64(position, first), growth + scan.before.x),
                                  behind - first + own_growth);
        put_part(x.text, first, to, w);
        vkp_end_bytes(w);
      }
    }
    growth += scan.total.x;
  }
}

void main() { store_long_rows(); }
