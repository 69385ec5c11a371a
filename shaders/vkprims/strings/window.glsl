// A window of a tile's bytes: invocations assemble it in shared memory, and it is stored from there
// by whole words. In words that two windows or tiles share, each replaces only its own bytes.
#ifndef VKPRIMS_STRINGS_WINDOW_GLSL
#define VKPRIMS_STRINGS_WINDOW_GLSL

#include "vkprims/strings/strings.glsl"
#include "vkprims/memory/bytes.glsl"

const uint VKP_WINDOW_WORDS = gl_WorkGroupSize.x * VKP_STRINGS_STAGE_WORDS;
const uint VKP_WINDOW_BYTES = 4u * VKP_WINDOW_WORDS;

const uint VKP_WINDOW_MARGIN = 8;  // words that may be staged before the window and behind it

shared uint vkp_window[VKP_WINDOW_WORDS + 2u * VKP_WINDOW_MARGIN];

// Called by the whole workgroup, which must have waited for the window's readers before and has to
// wait behind. The first word becomes `first`.
void vkp_clear_window(uint first) {
  [[unroll]] for (uint i = 0u; i < VKP_STRINGS_STAGE_WORDS; ++i) {
    vkp_window[VKP_WINDOW_MARGIN + i * gl_WorkGroupSize.x + gl_LocalInvocationIndex] =
        i == 0u && gl_LocalInvocationIndex == 0u ? first : 0u;
  }
}
void vkp_clear_window() { vkp_clear_window(0u); }

// Adds bytes to word `word` of the window, which may lie beside it. An atomic is used, as
// neighbours share words and not all subgroups stage the same number of words: vkprims/README.md.
void vkp_stage_beside_window(int word, uint x) {
  atomicOr(vkp_window[int(VKP_WINDOW_MARGIN) + word], x, gl_ScopeWorkgroup, 0, 0);
}

// Returns the word of a byte that may lie a little beside the window. (The lower bound lets
// compilers add to the result for the words behind it, instead of dividing again.)
int vkp_word_of_byte(int byte) { return max(byte >> 2, -int(VKP_WINDOW_MARGIN)); }

// Adds bytes to word `word`, if it lies in the window.
void vkp_stage_in_window(const int word, const uint x) {
  if (uint(word) < VKP_WINDOW_WORDS && x != 0u) vkp_stage_beside_window(word, x);
}

// Returns word `word` of the window moved up by `ahead` bytes, below 4. (Word numbers here and
// above are signed: numbers that may wrap around, as far as compilers know, take two more
// instructions.)
uint vkp_window_word(const int word, const uint ahead) {
  const uint x = vkp_window[int(VKP_WINDOW_MARGIN) + word];
  return ahead == 0u ? x
                     : vkp_word_up(vkp_window[int(VKP_WINDOW_MARGIN) + word - 1], x, 8u * ahead);
}

// Stores bytes begin … end - 1 of the window moved up by `ahead` bytes; `begin` is below 4, and
// word 0 goes to `base`. It is called by the whole workgroup.
void vkp_store_window(const uvec2 base, const uint begin, const uint end, const uint ahead) {
  const uint lane = gl_LocalInvocationIndex;
  const uint last = end / 4u;  // words before it are whole, except the first
  const uint left = last - min(last, lane);
  const uvec2 own_base = vkp_add64(base, 4u * lane);
  [[unroll]] for (uint i = 0u; i < VKP_STRINGS_STAGE_WORDS; ++i) {
    const uint x = vkp_window_word(int(lane) + int(i * gl_WorkGroupSize.x), ahead);
    const bool is_whole = i * gl_WorkGroupSize.x < left && (i != 0u || lane != 0u || begin == 0u);
    if (is_whole) VkpWords(own_base).v[i * gl_WorkGroupSize.x] = x;
  }
  // One invocation stores the partial word at the beginning, another the one at the end.
  const uint word = lane == 0u ? 0u : last;
  const uint x = vkp_window_word(int(word), ahead);
  const bool parted = lane == 0u ? begin != 0u : last != 0u || begin == 0u;
  if (lane < 2u && parted) {
    vkp_store_bytes(vkp_add64(base, 4u * word), x, vkp_byte_mask(word, begin, end));
  }
}

#endif
