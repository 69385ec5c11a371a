// Finds which bytes are backslashes, quotes and brackets. An invocation treats 32 bytes, which are
// one word of each plane.
//
// Whether the byte after these 32 is escaped depends on what comes before them only if all 32 are
// backslashes: then it is escaped if and only if the first of them is. So the nearest earlier word
// that is not all backslashes decides, and an exclusive max-scan over `escapes` finds it. An
// element of `escapes` is 2 * (number of the word + 1) + whether the word escapes the next byte, or
// 0 if the word is all backslashes.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernels.glsl"

void main() {
  const uint w = invocation();
  if (w >= push.words) return;
  uint backslashes = 0u, quotes = 0u, brackets = 0u;
  for (uint i = 0u; i < 8u; ++i) {
    const uint four = load(push.text, 8u * w + i);
    for (uint k = 0u; k < 4u; ++k) {
      const uint c = (four >> (8u * k)) & 0xffu;
      const uint bit = 1u << (4u * i + k);
      if (c == 0x5cu) backslashes |= bit;
      if (c == 0x22u) quotes |= bit;
      if ((c | 0x20u) == 0x7bu || (c | 0x20u) == 0x7du) brackets |= bit;  // [ and {, ] and }
    }
  }
  store(push.backslashes, w, backslashes);
  store(push.quotes, w, quotes);
  store(push.brackets, w, brackets);

  uint escapes = 0u;
  if (backslashes != ~0u) {
    const uint run = 31u - uint(findMSB(~backslashes));  // backslashes at the end
    escapes = 2u * (w + 1u) + (run & 1u);
  }
  store(push.escapes, w, escapes);
}
