// This finds the part that long rows have of their text, ahead of the kernel that makes them
// (cut.glsl, slice/head.comp, split/short.comp): there is a workgroup for each row, which leaves
// where that part begins and how long it is.
//
// Besides what long_sums.glsl needs, the includer defines:
// - bool cut_long(uint row, LongRow x, inout VkpText text): cuts a row to its part; returns false
//   if the row becomes null. The whole workgroup calls it.
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
      VkpWords2(results_address()).v[u] =
          uvec2(vkp_sub64(t.at, x.text.at).x, there ? t.bytes : NO_CUT);
    }
  }
}

#endif
