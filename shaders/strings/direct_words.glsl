// Bytes that a writer (writer.glsl) puts to where they belong in the result, without a stage, for
// rows that no other invocation waits for.
#ifndef STRINGS_DIRECT_WORDS_GLSL
#define STRINGS_DIRECT_WORDS_GLSL

#include "vkprims/strings/strings.glsl"
#include "vkprims/strings/writer.glsl"
#include "vkprims/memory/bytes.glsl"

uvec2 words_at;  // address of word 0
uint words_begin, words_end;  // the writer's bytes, from there on

// Begins to write `bytes` bytes to `position` of the result.
VkpWriter begin_words(uvec2 position, uint bytes) {
  const uvec2 at = vkp_add64(vkp_u64(vkp_push.out_chars), position);
  words_begin = at.x & 3u;
  words_at = uvec2(at.x - words_begin, at.y);
  words_end = words_begin + vkp_clamped_difference(vkp_u64(vkp_push.capacity), position, bytes);
  return VkpWriter(int(words_begin), 0u, false);
}

void vkp_stage_in_window(const int word, const uint x) {
  vkp_store_bytes(vkp_add64(words_at, 4u * uint(word)), x,
                  vkp_byte_mask(uint(word), words_begin, words_end));
}

#endif
