// Bytes of a row, put one after the other: they are counted, or collected in a register and staged
// by whole words.
#ifndef VKPRIMS_STRINGS_WRITER_GLSL
#define VKPRIMS_STRINGS_WRITER_GLSL

struct VkpWriter {
  int at;       // place of the next byte in the window; below 0 it lies before
  uint word;    // bytes that its word has so far
  bool counts;  // only `at` is wanted
};

// Adds bytes to word `word` of the window, if that is in the window.
void vkp_stage_in_window(const int word, const uint x);

// Puts the first `count` bytes of a word, at most 4; the lowest byte is the first.
void vkp_put_bytes(inout VkpWriter w, uint word, uint count) {
  const uint ahead = uint(w.at) & 3u;
  if (!w.counts) {
    const uint x = count >= 4u ? word : word & ~(~0u << (8u * count));
    w.word |= x << (8u * ahead);
    if (ahead + count >= 4u) {
      vkp_stage_in_window(w.at >> 2, w.word);
      w.word = ahead == 0u ? 0u : x >> (32u - 8u * ahead);
    }
  }
  w.at += int(count);
}

void vkp_put_byte(inout VkpWriter w, uint byte) { vkp_put_bytes(w, byte, 1u); }

// Puts a code point up to 0xFFFF in UTF-8.
void vkp_put_code_point(inout VkpWriter w, uint x) {
  if (x < 0x80u) {
    vkp_put_bytes(w, x, 1u);
  } else if (x < 0x800u) {
    vkp_put_bytes(w, 0x80c0u | x >> 6 | (x & 0x3fu) << 8, 2u);
  } else {
    vkp_put_bytes(w, 0x8080e0u | x >> 12 | (x >> 6 & 0x3fu) << 8 | (x & 0x3fu) << 16, 3u);
  }
}

// Stages the bytes that are left.
void vkp_end_bytes(inout VkpWriter w) {
  if (!w.counts && (w.at & 3) != 0) vkp_stage_in_window(w.at >> 2, w.word);
}

// Returns those bytes of a word that have a bit set, one after the other; what is behind them is
// arbitrary.
uint vkp_packed(uint x, uint bits) {
  const uint low = ((bits & 1u) != 0u ? x : x >> 8) & ~(~0u << (8u * bitCount(bits & 3u)));
  const uint high = (bits & 4u) != 0u ? x >> 16 : x >> 24;
  return low | high << (8u * bitCount(bits & 3u));
}

#endif
