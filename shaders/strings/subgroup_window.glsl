// Words in which a subgroup puts bytes together by itself, from byte 0 … 3 on, and which it stores:
// as many as the parts of its lanes have (character_parts.glsl), and one more.
#ifndef STRINGS_SUBGROUP_WINDOW_GLSL
#define STRINGS_SUBGROUP_WINDOW_GLSL

#include "strings/long_row_tiles.glsl"
#include "vkprims/strings/line.glsl"
#include "vkprims/memory/bytes.glsl"
#include "vkprims/subgroup/subgroup_barrier.glsl"

const uint PART_BYTES = 32;
const uint PART_WORDS = PART_BYTES / 4u;

uint window_bytes() { return vkp_lane_count() * PART_BYTES; }
uint window_words() { return window_bytes() / 4u + 1u; }

// There is room for subgroups of at least 4 lanes.
shared uint stage[gl_WorkGroupSize.x * PART_WORDS + gl_WorkGroupSize.x / 4u];

// These are atomics, as subgroups go their own ways: see vkprims/README.md.
void vkp_clear_window() {
  for (uint i = gl_SubgroupInvocationID; i < window_words(); i += vkp_lane_count()) {
    atomicStore(stage[gl_SubgroupID * window_words() + i], 0u, gl_ScopeWorkgroup, 0, 0);
  }
}

void vkp_stage_in_window(const int word, const uint x) {
  if (uint(word) < window_words() && x != 0u) {
    atomicOr(stage[gl_SubgroupID * window_words() + word], x, gl_ScopeWorkgroup, 0, 0);
  }
}

// Puts bytes into word `word`; if that is not in the window, there are none. This has no branch, as
// compilers make eight instructions of an atomic behind one.
void stage_inside(int word, uint x) {
  const uint inside = uint(clamp(word, 0, int(window_words()) - 1));
  atomicOr(stage[gl_SubgroupID * window_words() + inside], x, gl_ScopeWorkgroup, 0, 0);
}

uint take_word(uint word) {
  return atomicExchange(stage[gl_SubgroupID * window_words() + word], 0u, gl_ScopeWorkgroup, 0, 0);
}

// Stores bytes begin … end - 1, of which there are some, and leaves zeros; word 0 goes to `base`,
// and `begin` is below 4. It is called by the whole subgroup, which has put the bytes.
void store_words(const uvec2 base, const uint begin, const uint end) {
  // This releases what all lanes have put; the exchanges of take_word() are behind it.
  vkp_subgroup_barrier();
  uint first = 0u;    // words of which this lane stores some bytes only
  uint last = 0u;
  [[unroll]] for (uint k = 0u; k < PART_WORDS; ++k) {
    const uint word = k * vkp_lane_count() + gl_SubgroupInvocationID;
    const uint x = take_word(word);
    if (k == 0u) first = x;
    if (word == end / 4u) last = x;
    if (4u * word >= begin && 4u * word + 4u <= end) VkpWords(base).v[word] = x;
  }
  if (gl_SubgroupInvocationID == 0u) {
    const uint behind = take_word(window_words() - 1u);
    if (end / 4u == window_words() - 1u) {
      vkp_store_bytes(vkp_add64(base, end & ~3u), behind, vkp_byte_mask(0u, 0u, end & 3u));
    }
    if (begin != 0u) vkp_store_bytes(base, first, vkp_byte_mask(0u, begin, end));
  }
  const bool has_last =
      end / 4u % vkp_lane_count() == gl_SubgroupInvocationID && end / 4u < window_words() - 1u;
  if (has_last && (end & 3u) != 0u && (end >= 4u || begin == 0u)) {
    vkp_store_bytes(vkp_add64(base, end & ~3u), last, vkp_byte_mask(0u, 0u, end & 3u));
  }
  vkp_subgroup_barrier();  // releases the zeros; what is put next is behind it
}

// Puts the bytes begin … end - 1 of a text.
void put_text(inout VkpWriter w, VkpText t, uint begin, uint end) {
  if (w.counts) {
    w.at += int(end - begin);
    return;
  }
  if (w.at < 0) {
    const uint ahead = min(end - begin, uint(-w.at));
    begin += ahead;
    w.at += int(ahead);
  }
  for (uint i = begin; i < end && w.at < int(4u * window_words()); i += 4u) {
    vkp_put_bytes(w, vkp_text_word(t, int(i)), min(end - i, 4u));
  }
}

#endif
