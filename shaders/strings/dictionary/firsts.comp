// Marks the rows that are the first of their kind: there is a byte for each, and an invocation
// makes four.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/dictionary/dictionary.glsl"

void main() {
  const uint word = own_number();
  if (word > 0x1fffffffu || 4u * word >= push.end) return;
  uint flags = 0u;
  [[unroll]] for (uint k = 0u; k < 4u; ++k) {
    const uint row = 4u * word + k;
    if (row < push.end && vkp_valid(push.a, row)) {
      flags |= uint((slot_of_row(row) & push.row_mask) == row) << (8u * k);
    }
  }
  store_word(push.firsts, word, flags);
}
