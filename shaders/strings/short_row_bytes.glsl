// The bytes of short rows (short_rows.glsl) on their way into a window.
#ifndef STRINGS_SHORT_ROW_BYTES_GLSL
#define STRINGS_SHORT_ROW_BYTES_GLSL

// The first bytes of 16; the others are 0. Where they are in the window.
void stage_16_bytes(int at, uvec4 x) {
  const uint up = 8u * (uint(at) & 3u);
  uint before = 0u;
  [[unroll]] for (int i = 0; i <= 4; ++i) {
    const uint next = i < 4 ? x[i & 3] : 0u;
    stage_word((at >> 2) + i, vkp_word_up(before, next, up));
    before = next;
  }
}

// Of a row of any length what the window has.
void stage_long(int at, Row x) {
  stage_16_bytes(at, uvec4(x.lead, 0u, 0u));
  at += int(x.lead_bytes);
  uint i = min(uint(max(-at, 0)), x.rest.bytes);
  for (; i < x.rest.bytes && at + int(i) < int(STAGE_BYTES); i += 16u) {
    stage_16_bytes(at + int(i), load_bytes(vkp_add64(x.rest.at, i), min(x.rest.bytes - i, 16u)));
  }
}

// A row of at most 24 bytes, some of them in the window; or of none, anywhere. (Without branches: compilers make eight
// instructions of an atomic behind one.)
void stage_short(int at, uvec2 lead, uint lead_bytes, uvec4 rest) {
  const uint up = 8u * (uint(at) & 3u);
  const int word = word_of_byte(at);
  if (MOST_LEAD_BYTES > 0) stage_beside(word, lead.x << up);
  if (MOST_LEAD_BYTES > 1) stage_beside(word + 1, vkp_word_up(lead.x, lead.y, up));
  if (MOST_LEAD_BYTES > 5) stage_beside(word + 2, vkp_word_up(lead.y, 0u, up));
  at += int(lead_bytes);
  const uint rest_up = 8u * (uint(at) & 3u);
  const int rest_word = word_of_byte(at);
  stage_beside(rest_word, rest.x << rest_up);
  [[unroll]] for (int i = 1; i < 4; ++i) stage_beside(rest_word + i, vkp_word_up(rest[i - 1], rest[i], rest_up));
  stage_beside(rest_word + 4, vkp_word_up(rest.w, 0u, rest_up));
}

void stage_rows(Tile t, uint tile, uint window) {
  uint is_long = 0u;
  [[unroll]] for (uint r = 0u; r < ROWS; ++r) {
    const Row x = t.row[r];
    const uint end = t.before[r] + t.bytes[r];
    const bool is_here = t.bytes[r] != 0u && t.before[r] < window + STAGE_BYTES && end > window;
    const bool is_short = is_here && x.rest.bytes <= 16u;
    if (is_here && !is_short) is_long |= 1u << r;
    stage_short(is_short ? int(t.before[r] - window) : 0, is_short ? x.lead : uvec2(0u), is_short ? x.lead_bytes : 0u,
                vkp_only_bytes(x.head, 0u, is_short ? x.rest.bytes : 0u));
  }
  // Looked at again, lest registers keep where texts of rows are that are short.
  while (is_long != 0u) {
    const uint i = uint(findLSB(is_long));
    uint before = t.before[0];
    [[unroll]] for (uint r = 1u; r < ROWS; ++r) {
      if (r == i) before = t.before[r];
    }
    Row x;
    evaluate_row(existing_row(tile, i), x);
    stage_long(int(before - window), x);
    is_long &= is_long - 1u;
  }
}

#endif
