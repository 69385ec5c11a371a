// Slices of characters that begin and end among the first 16: from start to stop, as Python's. What is wanted is in the first
// bytes of a row, most times, which an invocation has in registers. (Columns of 2^32 bytes and more go to slice.comp, as bytes of
// a tile are counted in 32 bits.)
// %VARIANT% PASS sizes|write|single64|single32
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/strings.glsl"

#define COLUMNS 1
#define MOST_LEAD_BYTES 0
#include "strings/short_rows.glsl"

// Bit i: byte i begins a character.
uint starts_of(uvec4 x) {
  uint starts = 0u;
  [[unroll]] for (uint i = 0u; i < 4u; ++i) starts |= vkp_bits_of_bytes(vkp_starts_of_word(x[i])) << (4u * i);
  return starts;
}

// Where character number `n`, below 16, begins; 16 if that is not one of these bytes.
uint nth_start(uint starts, uint n) {
  const uint upto = (2u << n) - 1u;
  if ((starts & upto) == upto) return n;  // single bytes
  for (; n != 0u; --n) starts &= starts - 1u;
  return min(uint(findLSB(starts)), 16u);
}

// … of a row of any length; its end if there are not so many.
uint position_of(VkpText t, uint n) {
  for (uint i = 0u; i < t.bytes; i += 16u) {
    const VkpText part = vkp_substr(t, i, 16u);
    const uint starts = (starts_of(load_head(part)) | uint(i == 0u)) & ~(~0u << part.bytes);
    const uint count = bitCount(starts);
    if (n < count) return i + nth_start(starts, n);
    n -= count;
  }
  return t.bytes;
}

// 16 bytes moved down by 0 … 16 bytes; what comes behind them is anything.
uvec4 moved_down(uvec4 x, uint bytes) {
  if ((bytes & 8u) != 0u) x.xy = x.zw;
  if ((bytes & 4u) != 0u) x.xyz = x.yzw;
  const uint down = 8u * (bytes & 3u);
  return uvec4(vkp_word_down(x.x, x.y, down), vkp_word_down(x.y, x.z, down), vkp_word_down(x.z, x.w, down), x.w >> down);
}

uint evaluate(uint row, Cells c, out Row x) {
  const VkpText t = c.a.text;
  const uint start = uint(arguments().v.start);
  const uint stop = max(uint(arguments().v.stop), start);
  const uint known = min(t.bytes, 16u);
  const uint starts = (starts_of(c.a.head) | 1u) & ~(~0u << known);
  const uint begin = min(nth_start(starts, start), known);
  const uint end = min(nth_start(starts, stop), known);
  x.lead = uvec2(0u);
  x.lead_bytes = 0u;
  x.rest = VkpText(vkp_add64(t.at, begin), end - begin);
  x.head = moved_down(c.a.head, begin);
  if (!c.a.valid) return ROW_NULL;
  return end == 16u && t.bytes > 16u && stop != start ? ROW_LONG : ROW_VALID;
}

void evaluate_long(Cells c, inout Row x) {
  const VkpText t = c.a.text;
  const uint begin = position_of(t, uint(arguments().v.start));
  x.rest = vkp_substr(t, begin, position_of(t, uint(arguments().v.stop)) - begin);
  x.head = load_head(x.rest);
}

void main() { rope(); }
