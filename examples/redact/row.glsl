// What becomes of a row; forms.hpp has the rules.
#include "vkprims/strings/strings.abi.h"
#include "vkprims/strings/rows.glsl"

struct Row {
  bool shown;  // else it is "X X"
  VkpText initial, first;
};

bool is_public(VkpText visibility) {
  return visibility.bytes == 6u && vkp_text_word(visibility, 0) == 0x6c627570u &&  // publ
         vkp_text_word(visibility, 4) == 0x6369u;                                   // ic
}

// The bytes of a text's first character, at most 4.
uint first_character_bytes(VkpText t) {
  const uint others = vkp_starts_of_word(vkp_text_word(t, 0)) & ~0x80u;
  const uint bytes = others == 0u ? 4u : uint(findLSB(others)) / 8u;
  return min(bytes, t.bytes);
}

// Returns false if the row is null.
bool redact(VkpStrings names, VkpStrings visibilities, uint row, out Row x) {
  x.shown = is_public(vkp_row_text(visibilities, row));
  x.initial = vkp_no_text();
  x.first = vkp_no_text();
  if (!vkp_valid(names, row) || !vkp_valid(visibilities, row)) return false;
  if (!x.shown) return true;
  const VkpText name = vkp_row_text(names, row);
  const uint space = vkp_find_byte(name, 0x20u, 0u);
  VkpText second = name;
  x.first = name;
  if (space != VKP_NPOS) {
    x.first = vkp_substr(name, 0u, space);
    second = vkp_substr(name, space + 1u, VKP_NPOS);
  }
  x.initial = vkp_substr(second, 0u, first_character_bytes(second));
  return true;
}

uint redacted_bytes(Row x) { return x.shown ? x.initial.bytes + 1u + x.first.bytes : 3u; }

// Writes the bytes of a row as whole words to an address that is a multiple of 4.
void write_redacted(Row x, uvec2 at) {
  const uint words = (redacted_bytes(x) + 3u) / 4u;
  const int space = int(x.initial.bytes);
  for (uint i = 0u; i < words; ++i) {
    const int from = int(4u * i);
    uint word = 0x582058u;  // X X
    if (x.shown) {
      word = vkp_text_word(x.initial, from);
      if (x.first.bytes != 0u) word |= vkp_text_word(x.first, from - space - 1);
      if (space >= from && space < from + 4) word |= 0x20u << uint(8 * (space - from));
    }
    VkpWords(vkp_add64(at, vkp_mul64(i, 4u))).v[0] = word;
  }
}
