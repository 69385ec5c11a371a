// Loads bytes that are neighbours in memory, 32 for each invocation, whatever rows they belong to.
#ifndef STRINGS_WORDS_GLSL
#define STRINGS_WORDS_GLSL

#include "vkprims/core.glsl"

// Loads 32 bytes from `base` on and the word behind them. Words without any of bytes begin … end -
// 1 become 0.
void load_32_bytes(uvec2 base, uint begin, uint end, out uint w[9]) {
  if (begin == 0u && end >= 36u) {
    const uvec4 a = VkpWords4(base).v[0];
    const uvec4 b = VkpWords4(base).v[1];
    w = uint[](a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w, VkpWords(base).v[8]);
  } else {
    [[unroll]] for (uint k = 0u; k < 9u; ++k) {
      w[k] = 0u;
      if (4u * k + 4u > begin && 4u * k < end) w[k] = VkpWords(base).v[k];
    }
  }
}

#endif
