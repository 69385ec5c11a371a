// Rows of short names, by an invocation each.
// %VARIANT% PASS sizes|write|single64|single32
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/strings.glsl"

#define COLUMNS 2  // names, visibilities
#define MOST_LEAD_BYTES 5
#include "strings/short_rows.glsl"

bool is_public(Cell visibility) {
  return visibility.text.bytes == 6u && visibility.head.x == 0x6c627570u && (visibility.head.y & 0xffffu) == 0x6369u;
}

// The first space of 16 bytes; 16 if there is none.
uint first_space(uvec4 x) {
  uint spaces = 0u;
  [[unroll]] for (uint i = 0u; i < 4u; ++i) {
    spaces |= vkp_bits_of_bytes(vkp_zeros_of_word(x[i] ^ 0x20202020u)) << (4u * i);
  }
  return min(uint(findLSB(spaces)), 16u);
}

// Of the first character of a text, of which these are the first bytes.
uint first_character_bytes(uint x, uint bytes) {
  const uint others = vkp_starts_of_word(x) & ~0x80u;
  return min(min(uint(findLSB(others)) / 8u, 4u), bytes);  // without others: 4
}

// The name goes on behind its initial, or what is shown instead: `space` is where its first space is, its end at most.
void redact(Cell c, uint space, bool shown, out Row x) {
  const VkpText name = c.text;
  const uint second = space < name.bytes ? space + 1u : 0u;
  const uint word = word_of(c, second);
  const uint initial = first_character_bytes(word, name.bytes - second);
  const uint others = initial == 4u ? 0u : ~0u << (8u * initial);
  x.lead = uvec2(word & ~others | 0x20202020u & others & ~(others << 8u), initial == 4u ? 0x20u : 0u);
  x.lead_bytes = initial + 1u;
  x.rest = VkpText(name.at, space);
  x.head = c.head;
  if (!shown) {
    x.lead = uvec2(0x582058u, 0u);  // X X
    x.lead_bytes = 3u;
    x.rest.bytes = 0u;
  }
}

uint evaluate(uint row, Cells c, out Row x) {
  const VkpText name = c.a.text;
  const bool shown = is_public(c.b);
  const uint space = first_space(c.a.head);
  redact(c.a, min(space, name.bytes), shown, x);
  if (!c.a.valid || !c.b.valid) return ROW_NULL;
  return shown && space == 16u && name.bytes > 16u ? ROW_LONG : ROW_VALID;
}

// Its space is not among the first 16 bytes.
void evaluate_long(Cells c, inout Row x) {
  const VkpText name = c.a.text;
  redact(c.a, min(vkp_find_byte(name, 0x20u, 16u), name.bytes), true, x);
}

void main() { rope(); }
