// Rows of short names, by an invocation each.
// %VARIANT% PASS sizes|write|single64|single32
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/strings.glsl"

#define COLUMNS 2  // names, visibilities

struct Row {
  bool shown;          // else it is "X X"
  uint initial;        // its bytes, and how many
  uint initial_bytes;
  VkpText first;
};

#include "strings/short_rows.glsl"

bool is_public(Cell visibility) {
  return visibility.text.bytes == 6u && visibility.head.x == 0x6c627570u && visibility.head.y == 0x6369u;
}

// The first space of 16 bytes; 16 if there is none.
uint first_space(uvec4 x) {
  uint spaces = 0u;
  [[unroll]] for (uint i = 0u; i < 4u; ++i) {
    spaces |= (vkp_zeros_of_word(x[i] ^ 0x20202020u) * 0x00204081u >> 28) << (4u * i);
  }
  return min(uint(findLSB(spaces)), 16u);
}

// The four of 16 bytes from byte `i` on, 0 behind the last.
uint word_of(uvec4 x, uint i) {
  if ((i & 8u) != 0u) x = uvec4(x.zw, 0u, 0u);
  if ((i & 4u) != 0u) x = uvec4(x.yzw, 0u);
  const uint down = 8u * (i & 3u);
  return i < 16u ? x.x >> down | x.y << 1u << (31u - down) : 0u;
}

// Of the first character of a text, of which these are the first bytes.
uint first_character_bytes(uint x, uint bytes) {
  const uint others = vkp_starts_of_word(x) & ~0x80u;
  const uint behind = others == 0u ? 4u : uint(findLSB(others)) / 8u;
  return min(behind, bytes);
}

bool evaluate(uint row, Cell names, Cell visibilities, out Row x) {
  const VkpText name = names.text;
  x.shown = is_public(visibilities);
  uint space = first_space(names.head);
  if (space == 16u && name.bytes > 16u) space = vkp_find_byte(name, 0x20u, 16u);
  const bool found = space < name.bytes;
  const uint second = found ? space + 1u : 0u;
  x.first = vkp_substr(name, 0u, found ? space : name.bytes);
  x.initial = word_of(names.head, second);
  if (min(second + 4u, name.bytes) > 16u) x.initial = vkp_text_word(vkp_substr(name, second, VKP_NPOS), 0);
  x.initial_bytes = first_character_bytes(x.initial, name.bytes - second);
  return names.valid && visibilities.valid;
}

uint bytes_of_row(Row x) { return x.shown ? x.initial_bytes + 1u + x.first.bytes : 3u; }

void write_row(Row x, inout Writer w) {
  if (x.shown) {
    put_bytes(w, x.initial, x.initial_bytes);
    put_byte(w, 0x20u);
    put_text(w, x.first);
  } else {
    put_bytes(w, 0x582058u, 3u);  // X X
  }
}

void main() { rope(); }
