// Makes rows of short names, each by one invocation: it looks at the first bytes of names and
// visibilities, which registers hold. Longer rows are left to texts.glsl.
#define VKP_FIRST_WORDS 4
#define VKP_FIRST_WORDS_B 2

bool is_public(VkpTextCells c) {
  return c.b.text.bytes == 6u && c.head_b[0] == 0x6c627570u && (c.head_b[1] & 0xffffu) == 0x6369u;
}

// The place of the first space in 16 bytes; 16 if there is none.
uint first_space(uint head[VKP_FIRST_WORDS]) {
  [[unroll]] for (uint i = 0u; i < VKP_FIRST_WORDS; ++i) {
    head[i] = vkp_first_zero_of_word(head[i] ^ 0x20202020u);
  }
  return min(uint(findLSB(vkp_bits_of_head(head))), 16u);
}

// The bytes of the first character of a text of `bytes` bytes, of which `x` holds the first four.
uint first_character_bytes(uint x, uint bytes) {
  const uint others = vkp_starts_of_word(x) & ~0x80u;
  return min(min(uint(findLSB(others)) / 8u, 4u), bytes);  // without others: 4
}

// The four bytes from byte `begin` on; those behind the 16 may be anything.
uint word_at(uint head[VKP_FIRST_WORDS], uint begin) {
  const bool by_two = (begin & 8u) != 0u;
  const bool by_one = (begin & 4u) != 0u;
  const uint x = by_two ? head[2] : head[0];
  const uint y = by_two ? head[3] : head[1];
  return vkp_word_down(by_one ? y : x, by_one ? head[2] : y, 8u * (begin & 3u));
}

VkpShortRow vkp_short_row(const uint row, const VkpTextCells c) {
  const uint bytes = c.a.text.bytes;
  const uint space = min(first_space(c.head), bytes);
  const uint second = space < bytes ? space + 1u : 0u;  // where the second part begins
  const uint word = word_at(c.head, second);
  const uint initial = first_character_bytes(word, bytes - second);
  const uint others = ~0u << 4u * initial << 4u * initial;  // bytes behind it
  const bool shown = is_public(c);
  VkpShortRow x;
  x.valid = c.a.valid && c.b.valid;
  x.bytes = initial + 1u + space;
  x.is_known = !shown || x.bytes <= 4u * VKP_ROW_WORDS && (second <= 12u || bytes <= 16u);
  // The first part moves behind the initial and a space.
  [[unroll]] for (uint i = 0u; i < VKP_ROW_WORDS; ++i) x.words[i] = c.head[i];
  vkp_move_row_up(x.words, initial + 1u, 7u);
  x.words[0] |= word & ~others | 0x20u << 4u * initial << 4u * initial;
  if (initial == 4u) x.words[1] |= 0x20u;
  if (!shown) {
    x.bytes = 3u;
    x.words[0] = 0x582058u;  // X X
  }
  return x;
}
