// A window of a tile's bytes: put together in shared memory by whoever has some of them, and from there stored by whole
// words; of words that two windows or tiles have in common each replaces its own bytes.
#ifndef STRINGS_WINDOW_GLSL
#define STRINGS_WINDOW_GLSL

#include "strings/strings.glsl"
#include "vkprims/bytes.glsl"

const uint STAGE_WORDS = gl_WorkGroupSize.x * VKP_STRINGS_STAGE_WORDS;
const uint STAGE_BYTES = 4u * STAGE_WORDS;

const uint BESIDE = 8;  // words that may be staged before the window and behind it

shared uint stage[STAGE_WORDS + 2u * BESIDE];

// By the whole workgroup, which waits for its readers before and has to wait behind.
void clear_stage() {
  [[unroll]] for (uint i = 0u; i < VKP_STRINGS_STAGE_WORDS; ++i) {
    stage[BESIDE + i * gl_WorkGroupSize.x + gl_LocalInvocationIndex] = 0u;
  }
}

// Adds bytes to word `word` of the window, which may lie beside it. (An atomic, as neighbours have words in common, and
// not all subgroups stage the same number of words: vkprims/README.md.)
void stage_beside(int word, uint x) { atomicOr(stage[int(BESIDE) + word], x, gl_ScopeWorkgroup, 0, 0); }

// … where it is in the window.
void stage_word(int word, uint x) {
  if (uint(word) < STAGE_WORDS && x != 0u) stage_beside(word, x);
}

// Word `word` of the window moved up by `ahead` bytes, below 4.
uint staged_word(uint word, uint ahead) {
  const uint x = stage[BESIDE + word];
  return ahead == 0u ? x : vkp_word_up(stage[BESIDE + word - 1u], x, 8u * ahead);
}

// Stores bytes begin … end - 1 of the window moved up by `ahead` bytes; `begin` is below 4, word 0 goes to `base`. By the
// whole workgroup.
void store_window(uvec2 base, uint begin, uint end, uint ahead) {
  const uint first = begin == 0u ? 0u : 1u;  // words that are whole
  const uint last = end / 4u;
  [[unroll]] for (uint i = 0u; i < VKP_STRINGS_STAGE_WORDS; ++i) {
    if (i * gl_WorkGroupSize.x >= last) break;
    const uint word = i * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    const uint x = staged_word(word, ahead);
    if (word >= first && word < last) VkpWords(base).v[word] = x;
  }
  // The others: the first by one invocation, the last by another.
  const uint word = gl_LocalInvocationIndex == 0u ? 0u : last;
  const uint x = staged_word(word, ahead);
  const bool parted = gl_LocalInvocationIndex == 0u ? begin != 0u : last >= first;
  if (gl_LocalInvocationIndex < 2u && parted) {
    vkp_store_bytes(vkp_add64(base, 4u * word), x, vkp_byte_mask(word, begin, end));
  }
}

#endif
