// This finds which part of a row is token number `start`: what lies between delimiters, or between
// runs of whitespace. This serves split.comp and split/short.comp.
//
// The includer defines:
// - uint next_mark(VkpText t, uint begin, bool marked): returns the first byte from `begin` on that
//   is marked, or is not; the end of the row if there is none. Whitespace is marked, or places with
//   the first bytes of a delimiter.
// - bool is_delimiter(VkpText t, uint place, VkpText what): says whether all of a delimiter is at
//   this mark, where there is room.
#ifndef STRINGS_TOKEN_GLSL
#define STRINGS_TOKEN_GLSL

layout(constant_id = VKP_STRINGS_SPEC_OP) const uint by_whitespace = 0;

uint next_mark(const VkpText t, const uint begin, const bool marked);
bool is_delimiter(VkpText t, uint place, VkpText what);

// Finds token `wanted` between runs of whitespace. Beginnings and ends are looked for by turns, in
// one place of the code.
bool find_word(VkpText t, uint wanted, bool rest, out uint begin, out uint end) {
  begin = 0u;
  end = 0u;
  bool ends = false;
  for (uint n = 0u; n <= wanted; n += uint(!ends)) {
    uint at = t.bytes;
    if (!(ends && rest && n == wanted)) at = next_mark(t, ends ? begin : end, ends);
    if (ends) {
      end = at;
    } else {
      begin = at;
      if (at == t.bytes) return false;
    }
    ends = !ends;
  }
  return true;
}

// Finds token `wanted` between delimiters; there is one token more than delimiters. One loop goes
// over the marks, so that nothing is kept of a row except where it is.
bool find_field(VkpText t, uint wanted, bool rest, out uint begin, out uint end) {
  const VkpText delimiter = vkp_scalar_text();
  begin = 0u;
  end = t.bytes;
  uint n = 0u;
  uint from = 0u;
  bool is_last = false;
  while (!is_last && !(rest && n == wanted)) {
    const uint place = next_mark(t, from, true);
    is_last = delimiter.bytes > t.bytes - place;
    const bool ends = !is_last && is_delimiter(t, place, delimiter);
    from = place + (ends ? delimiter.bytes : 1u);
    if (!ends) continue;
    if (n == wanted) {
      end = place;
      is_last = true;
    } else {
      begin = from;
      ++n;
    }
  }
  return n == wanted;
}

uint wanted_token() { return uint(vkp_arguments().v.start); }
bool wants_rest() { return (vkp_arguments().v.flags & VKP_STRINGS_REST) != 0u; }

// Cuts a row; returns false if it has fewer tokens.
bool cut(uint row, inout VkpText t) {
  uint begin, end;
  bool there;
  if (by_whitespace != 0u) {
    there = find_word(t, wanted_token(), wants_rest(), begin, end);
  } else {
    there = find_field(t, wanted_token(), wants_rest(), begin, end);
  }
  if (there) t = vkp_substr(t, begin, end - begin);
  return there;
}

#endif
