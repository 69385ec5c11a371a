// Rows of short names, by an invocation each.
// %VARIANT% PASS sizes|write|single64|single32
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/strings.glsl"
#include "strings/units.glsl"

struct Row {
  bool shown;          // else it is "X X"
  uint initial;        // its bytes, and how many
  uint initial_bytes;
  VkpText first;
};

bool is_public(VkpText t) {
  const uint ahead = 8u * (t.at.x & 3u);
  const bool fits = t.bytes == 6u;
  uint w[3] = uint[](0u, 0u, 0u);
  const uvec2 base = fits ? uvec2(t.at.x & ~3u, t.at.y) : vkp_u64(push.scratch);
  [[unroll]] for (uint i = 0u; i < 3u; ++i) {
    if (i < 2u || ahead == 24u) w[i] = VkpWords(base).v[i];
  }
  const uint low = w[0] >> ahead | w[1] << 1u << (31u - ahead);
  const uint high = w[1] >> ahead | w[2] << 1u << (31u - ahead);
  return fits && low == 0x6c627570u && (high & 0xffffu) == 0x6369u;  // public
}

// The first four bytes of a text; 0 where there are none.
uint first_word(VkpText t) {
  const uint ahead = t.at.x & 3u;
  const uvec2 base = t.bytes == 0u ? vkp_u64(push.scratch) : uvec2(t.at.x & ~3u, t.at.y);
  uint next = 0u;
  if (ahead + t.bytes > 4u) next = VkpWords(base).v[1];
  const uint x = VkpWords(base).v[0] >> (8u * ahead) | next << 1u << (31u - 8u * ahead);
  return t.bytes < 4u ? x & ~(~0u << (8u * t.bytes)) : x;
}

// The first space of 16 bytes; 16 if there is none.
uint first_space(uvec4 x) {
  uint spaces = 0u;
  [[unroll]] for (uint i = 0u; i < 4u; ++i) {
    spaces |= (vkp_zeros_of_word(x[i] ^ 0x20202020u) * 0x00204081u >> 28) << (4u * i);
  }
  return min(uint(findLSB(spaces)), 16u);
}

// Of the first character of a text, of which these are the first bytes.
uint first_character_bytes(uint x, uint bytes) {
  const uint others = vkp_starts_of_word(x) & ~0x80u;
  const uint behind = others == 0u ? 4u : uint(findLSB(others)) / 8u;
  return min(behind, bytes);
}

// (Without branches for names of up to 16 bytes, so that what several rows load is on its way together.)
bool evaluate(uint row, out Row x) {
  const VkpText name = vkp_row_text(push.a, row);
  x.shown = is_public(vkp_row_text(push.b, row));
  uint space = first_space(load_bytes(name.at, min(name.bytes, 16u)));
  if (space == 16u && name.bytes > 16u) space = vkp_find_byte(name, 0x20u, 16u);
  const bool found = space < name.bytes;
  x.first = vkp_substr(name, 0u, found ? space : name.bytes);
  const VkpText second = vkp_substr(name, found ? space + 1u : 0u, VKP_NPOS);
  x.initial = first_word(second);
  x.initial_bytes = first_character_bytes(x.initial, second.bytes);
  const bool has_name = vkp_valid(push.a, row);
  const bool has_visibility = vkp_valid(push.b, row);
  return has_name && has_visibility;
}

#include "strings/short_rows.glsl"

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
