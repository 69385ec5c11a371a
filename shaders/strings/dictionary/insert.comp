// The first kernel of dictionary_encode: each row that is neither null nor long finds the slot of
// its bytes. The kernel also notes whether there are long rows, and whether offsets descend.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/dictionary/dictionary.glsl"
#include "strings/interned/interned.glsl"

uint hash_of_row(const VkpText text, const uint seed) { return hash_of(text, seed); }
bool are_equal_rows(VkpText a, VkpText b) { return vkp_equal(a, b); }

#include "strings/dictionary/insert.glsl"

void main() {
  const uint row = push.begin + own_number();
  if (row >= push.end) return;
  const uvec2 interned = vkp_u64(push.interned);
  const bool may_be_long = interned != uvec2(0u);
  if (may_be_long) check_row_offsets(push.a, interned, row);
  if (!vkp_valid(push.a, row)) return;
  const VkpText text = vkp_row_text(push.a, row);
  if (may_be_long && text.bytes >= VKP_INTERNED_LONG_BYTES) {
    note_long_row(interned, text.bytes);
  } else {
    insert(row, text);
  }
}
