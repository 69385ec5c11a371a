// Removes brackets in strings from the plane of brackets: those with an odd number of quotes before
// them.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernels.glsl"

void main() {
  const uint w = invocation();
  if (w >= push.words) return;
  const uint quotes = load(push.quotes, w);
  const uint through = load(push.quotes_through, w);
  const uint before = through - bitCount(quotes);
  uint inside = quotes;  // bit i: the parity of bits 0 … i
  [[unroll]] for (uint shift = 1u; shift < 32u; shift *= 2u) inside ^= inside << shift;
  if ((before & 1u) != 0u) inside = ~inside;
  store(push.brackets, w, load(push.brackets, w) & ~inside);

  const uint all = load(push.quotes_through, push.words - 1u);
  if (before != all && through == all) {  // this word has the last quote
    FindingsBlock(push.findings).v.quotes = all;
    FindingsBlock(push.findings).v.last_quote = 32u * w + uint(findMSB(quotes));
  }
}
