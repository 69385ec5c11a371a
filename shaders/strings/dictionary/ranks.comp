// The slot of the first row of each kind gets its code. The grid is as large as there are codes, at
// least one workgroup.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/dictionary/dictionary.glsl"
#include "vkprims/memory/report.glsl"

void main() {
  const uint code = own_number();
  const uint count = load_word(push.count, 0u);
  if (code == 0u && count > push.capacity) {
    const uvec2 report = vkp_u64(push.report);
    vkp_report(report, VKP_REPORT_CAPACITY_EXCEEDED, uvec2(push.capacity, 0u),
               count - push.capacity);
    if (report != uvec2(0u)) {
      VkpWords2(vkp_add64(report, 4u * VKP_REPORT_NEEDED)).v[0] = uvec2(count, 0u);
    }
  }
  if (code >= count) return;
  const uint row = load_word(push.found, code);
  store_word(push.table, load_word(push.codes, row), code);
  if (code < push.capacity && vkp_u64(push.out_rows) != uvec2(0u)) {
    store_word(push.out_rows, code, row);
  }
}
