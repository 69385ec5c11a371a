// What long rows have of their text, ahead of the kernel that makes them (cut.glsl, short_cut.glsl): a workgroup for each row, which leaves
// where it begins and how long it is.
//
// Needs, besides what long_sums.glsl does,
//   bool cut_long(uint row, LongRow x, inout VkpText text)   the part of a row; false: it becomes null. By the whole workgroup
#ifndef STRINGS_LONG_CUTS_GLSL
#define STRINGS_LONG_CUTS_GLSL

bool cut_long(uint row, LongRow x, inout VkpText t);

void leave_cuts() {
  const uint units = unit_count();
  for (uint u = gl_WorkGroupID.x; u < units; u += gl_NumWorkGroups.x) {
    const LongUnit x = unit_at(u);
    if (x.row == NO_ROW || x.begin != 0u) continue;
    VkpText t = x.text;
    const bool there = cut_long(x.row, x.of, t);
    if (own() == 0u) {
      VkpWords2(results_address()).v[u] = uvec2(vkp_sub64(t.at, x.text.at).x, there ? t.bytes : NO_CUT);
    }
  }
}

#endif
