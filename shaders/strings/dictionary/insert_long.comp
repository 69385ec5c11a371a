// Inserts the long rows, once their blocks have numbers: each that is not null finds the slot of
// its bytes.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/dictionary/dictionary.glsl"
#include "strings/interned/interned.glsl"

bool has_blocks() { return has_ascending_offsets(vkp_u64(push.interned)); }
uint hash_of_row(const VkpText text, const uint seed) {
  return has_blocks() ? hash_of_long_row(push.a, vkp_u64(push.interned), text, seed)
                      : hash_of(text, seed);
}
// A short row may be in the table, too, but differs in its size.
bool are_equal_rows(VkpText a, VkpText b) {
  if (a.bytes != b.bytes) return false;
  return has_blocks() ? are_equal_long_rows(push.a, vkp_u64(push.interned), a, b) : vkp_equal(a, b);
}

#include "strings/dictionary/insert.glsl"

void insert_if_long(uint row) {
  if (!vkp_valid(push.a, row)) return;
  const VkpText text = vkp_row_text(push.a, row);
  if (text.bytes >= VKP_INTERNED_LONG_BYTES) insert(row, text);
}

// Most columns have no long rows, so there are few workgroups, which loop where there are.
void main() {
  if (longest_row(vkp_u64(push.interned)) < VKP_INTERNED_LONG_BYTES) return;
  const uint step = gl_NumWorkGroups.x * gl_NumWorkGroups.y * gl_WorkGroupSize.x;
  for (uint row = push.begin + own_number(); row < push.end; row += step) insert_if_long(row);
}
