// Removes escaped quotes from the plane of quotes, and counts the others.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernels.glsl"

void main() {
  const uint w = invocation();
  if (w >= push.words) return;
  const uint backslashes = load(push.backslashes, w);
  bool is_escaped = (load(push.escapes, w) & 1u) != 0u;
  uint escaped = 0u;
  for (uint i = 0u; i < 32u; ++i) {
    const uint bit = 1u << i;
    if (is_escaped) escaped |= bit;
    is_escaped = !is_escaped && (backslashes & bit) != 0u;
  }
  const uint quotes = load(push.quotes, w) & ~escaped;
  store(push.quotes, w, quotes);
  store(push.quotes_through, w, bitCount(quotes));
}
