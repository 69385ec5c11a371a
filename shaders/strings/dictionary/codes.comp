// The last kernel of dictionary_encode: the code of each row is what its slot holds now.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/dictionary/dictionary.glsl"

void main() {
  const uint row = own_number();
  if (row >= push.end) return;
  uint code = ~0u;
  if (vkp_valid(push.a, row)) code = slot_of_row(row);
  store_word(push.codes, row, code);
}
