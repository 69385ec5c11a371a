// Strings in device memory: the rows of columns, and functions on them.
//
// A VkpText is some bytes at an address; nothing is assumed about their values. Positions are in
// bytes; functions on characters end in _cp. A character begins at every byte that is not 10xxxxxx,
// and at the beginning of a text. So malformed UTF-8 neither makes a loop run on nor makes anything
// else be read. Memory is read by words, each of which has a byte of the text.
#ifndef VKPRIMS_STRINGS_GLSL
#define VKPRIMS_STRINGS_GLSL

#include "vkprims/core.glsl"

const uint VKP_NPOS = 0xffffffffu;

struct VkpText {
  uvec2 at;  // address
  uint bytes;
};

VkpText vkp_no_text() { return VkpText(uvec2(0u), 0u); }

// Returns the four bytes from byte `i` on, the first one lowest; bytes that do not exist are 0. `i`
// may be negative.
uint vkp_text_word(const VkpText t, const int i) {
  const int bytes = int(t.bytes);
  if (bytes == 0 || i >= bytes || i <= -4) return 0u;
  const uvec2 at = i < 0 ? vkp_sub64(t.at, uvec2(uint(-i), 0u)) : vkp_add64(t.at, uint(i));
  const uint ahead = at.x & 3u;  // bytes of the first word that come before
  const uvec2 base = uvec2(at.x & ~3u, at.y);
  const int first = i - int(ahead);  // position of that word
  uint x = 0u;
  if (first > -4) x = VkpWords(base).v[0] >> (8u * ahead);
  if (ahead != 0u && first + 4 < bytes) x |= VkpWords(base).v[1] << (32u - 8u * ahead);
  if (i < 0) x &= ~0u << (8u * uint(-i));
  const int left = bytes - i;
  return left < 4 ? x & ~(~0u << (8u * uint(left))) : x;
}

uint vkp_text_byte(VkpText t, uint i) {
  const uvec2 at = vkp_add64(t.at, i);
  return VkpWords(uvec2(at.x & ~3u, at.y)).v[0] >> (8u * (at.x & 3u)) & 0xffu;
}

// Returns `bytes` bytes from byte `begin` on, clamped to the text.
VkpText vkp_substr(const VkpText t, const uint begin, const uint bytes) {
  const uint first = min(begin, t.bytes);
  return VkpText(vkp_add64(t.at, first), min(bytes, t.bytes - first));
}

uint vkp_reversed_bytes(const uint x) {
  return x >> 24 | (x >> 8 & 0xff00u) | (x << 8 & 0xff0000u) | x << 24;
}

bool vkp_is_start(uint byte) { return (byte & 0xc0u) != 0x80u; }

// Returns bit 7 of each byte of a word that begins a character. (Bytes behind the text are 0, and
// so they seem to begin one.)
uint vkp_starts_of_word(uint x) { return (~x | x << 1) & 0x80808080u; }
// Returns bit 7 of each byte that is 0.
uint vkp_zeros_of_word(uint x) { return ~((x & 0x7f7f7f7fu) + 0x7f7f7f7fu | x | 0x7f7f7f7fu); }
// Returns bit 7 of the first byte that is 0, and maybe of bytes behind it.
uint vkp_first_zero_of_word(uint x) { return ~x & x - 0x01010101u & 0x80808080u; }
// Returns bit 7 of each byte up to 0x20, which is whitespace.
uint vkp_whitespace_of_word(uint x) { return ~(x | (x & 0x7f7f7f7fu) + 0x5f5f5f5fu) & 0x80808080u; }
// Returns bit 7 of the first `bytes` bytes.
uint vkp_first_bytes(uint bytes) {
  return bytes >= 4u ? 0x80808080u : 0x80808080u & ~(~0u << (8u * bytes));
}
// Moves bit 7 of each byte of a word that has no other bits set to bits 0 … 3.
uint vkp_bits_of_bytes(uint x) { return x * 0x00204081u >> 28; }
// Does the same for two words, to bits 0 … 7.
uint vkp_bits_of_bytes(uint low, uint high) { return (low >> 4 | high) * 0x00204081u >> 24; }

// Returns the number of characters.
uint vkp_length_cp(VkpText t) {
  uint n = 0u;
  for (uint i = 0u; i < t.bytes; i += 4u) {
    n += bitCount(vkp_starts_of_word(vkp_text_word(t, int(i))) & vkp_first_bytes(t.bytes - i));
  }
  if (t.bytes != 0u && !vkp_is_start(vkp_text_byte(t, 0u))) ++n;
  return n;
}

// Returns where character number `n` begins, or the number of bytes if there are fewer characters.
uint vkp_position_cp(VkpText t, uint n) {
  if (n == 0u || t.bytes == 0u) return 0u;
  // Counts down the characters that begin behind the first byte.
  uint left = n;
  for (uint i = 0u; i < t.bytes; i += 4u) {
    uint starts = vkp_starts_of_word(vkp_text_word(t, int(i))) & vkp_first_bytes(t.bytes - i);
    if (i == 0u) starts &= ~0x80u;
    const uint count = bitCount(starts);
    if (left <= count) {
      for (; left > 1u; --left) starts &= starts - 1u;
      return i + uint(findLSB(starts)) / 8u;
    }
    left -= count;
  }
  return t.bytes;
}

// Returns the first place from `begin` on where the byte is `byte`, or VKP_NPOS.
uint vkp_find_byte(VkpText t, uint byte, uint begin) {
  for (uint i = begin; i < t.bytes; i += 4u) {
    const uint zeros = vkp_zeros_of_word(vkp_text_word(t, int(i)) ^ byte * 0x01010101u) &
                       vkp_first_bytes(t.bytes - i);
    if (zeros != 0u) return i + uint(findLSB(zeros)) / 8u;
  }
  return VKP_NPOS;
}

// Whether the bytes of the text from byte `i` on are those of `what`.
bool vkp_is_at(const VkpText t, const uint i, const VkpText what) {
  if (i > t.bytes || what.bytes > t.bytes - i) return false;
  const VkpText part = VkpText(vkp_add64(t.at, i), what.bytes);
  for (uint k = 0u; k < what.bytes; k += 4u) {
    if (vkp_text_word(part, int(k)) != vkp_text_word(what, int(k))) return false;
  }
  return true;
}

bool vkp_equal(VkpText a, VkpText b) { return a.bytes == b.bytes && vkp_is_at(a, 0u, b); }

// Bit k says whether the bytes from byte k of word x on, which `next` follows, are `head` under
// `mask`.
uint vkp_places_of_head(uint x, uint next, uint head, uint mask) {
  const bool at0 = (x & mask) == head;
  const bool at1 = ((x >> 8 | next << 24) & mask) == head;
  const bool at2 = ((x >> 16 | next << 16) & mask) == head;
  const bool at3 = ((x >> 24 | next << 8) & mask) == head;
  return uint(at0) | uint(at1) << 1 | uint(at2) << 2 | uint(at3) << 3;
}
// The first four bytes of a text, and a mask of those that exist.
uint vkp_head(VkpText what) { return vkp_text_word(what, 0); }
uint vkp_head_mask(VkpText what) { return what.bytes >= 4u ? ~0u : ~(~0u << (8u * what.bytes)); }

// A text of more bytes is searched for by a rolling hash over as many bytes at each place, which
// takes a few instructions per place (R. Karp, M. Rabin, "Efficient randomized pattern-matching
// algorithms", 1987). To compare it wherever its first bytes occur would, for adversarial data,
// take a number of turns proportional to the product of both lengths.
const uint VKP_MOST_COMPARED = 32;

// Returns the first of the places begin … last where the text `what` is, or with `backward` the
// last one, or VKP_NPOS. There must be room for `what` at all these places.
uint vkp_find_by_hash(VkpText t, VkpText what, uint begin, uint last, bool backward) {
  const uint base = 0x01000193u;
  uint wanted = 0u;
  uint hash = 0u;
  uint power = 1u;  // of the base, by which the first byte counts
  for (uint i = 0u; i < what.bytes; i += 4u) {
    const uint x = vkp_text_word(what, int(i));
    const uint y = vkp_text_word(t, int(begin + i));
    [[unroll]] for (uint k = 0u; k < 4u; ++k) {
      if (i + k >= what.bytes) continue;
      wanted = wanted * base + (x >> 8u * k & 0xffu);
      hash = hash * base + (y >> 8u * k & 0xffu);
      if (i + k != 0u) power *= base;
    }
  }
  uint found = VKP_NPOS;
  for (uint i = begin; i <= last && (backward || found == VKP_NPOS); i += 4u) {
    const uint gone = vkp_text_word(t, int(i));
    const uint come = vkp_text_word(t, int(i + what.bytes));
    [[unroll]] for (uint k = 0u; k < 4u; ++k) {
      if (hash == wanted && i + k <= last && (backward || found == VKP_NPOS)) found = i + k;
      hash = (hash - (gone >> 8u * k & 0xffu) * power) * base + (come >> 8u * k & 0xffu);
    }
  }
  // Different texts of the same hash are hardly ever met; if they are, all other places are tried.
  // VKP_NPOS comes before place 0.
  while (found >= begin && found <= last && !vkp_is_at(t, found, what))
    found += backward ? ~0u : 1u;
  return found >= begin && found <= last ? found : VKP_NPOS;
}

// Returns where `what` begins first from byte `begin` on, or VKP_NPOS. Four places of a word are
// tried at a time, by their first four bytes.
uint vkp_find(VkpText t, VkpText what, uint begin) {
  if (what.bytes == 0u) return begin <= t.bytes ? begin : VKP_NPOS;
  if (what.bytes > t.bytes || begin > t.bytes - what.bytes) return VKP_NPOS;
  const uint last = t.bytes - what.bytes;
  if (what.bytes > VKP_MOST_COMPARED) return vkp_find_by_hash(t, what, begin, last, false);
  const uint head = vkp_head(what);
  const uint mask = vkp_head_mask(what);
  uint x = vkp_text_word(t, int(begin));
  for (uint i = begin; i <= last; i += 4u) {
    const uint next = vkp_text_word(t, int(i + 4u));
    for (uint places = vkp_places_of_head(x, next, head, mask); places != 0u;
         places &= places - 1u) {
      const uint place = i + uint(findLSB(places));
      if (place <= last && (what.bytes <= 4u || vkp_is_at(t, place, what))) return place;
    }
    x = next;
  }
  return VKP_NPOS;
}

// Returns where `what` begins last, but not behind byte `end`, or VKP_NPOS. Words are tried from
// the last one back.
uint vkp_rfind(VkpText t, VkpText what, uint end) {
  if (what.bytes > t.bytes) return VKP_NPOS;
  const uint last = min(end, t.bytes - what.bytes);
  if (what.bytes == 0u) return last;
  if (what.bytes > VKP_MOST_COMPARED) return vkp_find_by_hash(t, what, 0u, last, true);
  const uint head = vkp_head(what);
  const uint mask = vkp_head_mask(what);
  const uint words = last / 4u + 1u;
  uint next = vkp_text_word(t, int(4u * words));
  for (uint word = words; word-- > 0u;) {
    const uint x = vkp_text_word(t, int(4u * word));
    uint places = vkp_places_of_head(x, next, head, mask);
    while (places != 0u) {
      const uint k = uint(findMSB(places));
      const uint place = 4u * word + k;
      if (place <= last && (what.bytes <= 4u || vkp_is_at(t, place, what))) return place;
      places ^= 1u << k;
    }
    next = x;
  }
  return VKP_NPOS;
}

bool vkp_starts_with(VkpText t, VkpText what) { return vkp_is_at(t, 0u, what); }
bool vkp_ends_with(VkpText t, VkpText what) {
  return what.bytes <= t.bytes && vkp_is_at(t, t.bytes - what.bytes, what);
}

// Returns a number below 0, 0 or above 0. Bytes are compared without signs, which is the order of
// code points; a prefix comes first.
int vkp_compare(VkpText a, VkpText b) {
  const uint both = min(a.bytes, b.bytes);
  for (uint i = 0u; i < both; i += 4u) {
    const uint x = vkp_text_word(a, int(i));
    const uint y = vkp_text_word(b, int(i));
    if (x != y) {
      const uint byte = uint(findLSB(x ^ y)) & ~7u;
      const uint p = x >> byte & 0xffu;
      const uint q = y >> byte & 0xffu;
      return p < q ? -1 : 1;
    }
  }
  return a.bytes < b.bytes ? -1 : a.bytes > b.bytes ? 1 : 0;
}

// Returns the code point at byte i, whatever the bytes are, and the number of its bytes.
uint vkp_code_point(VkpText t, uint i, out uint bytes) {
  const uint word = vkp_text_word(t, int(i));
  const uint lead = word & 0xffu;
  bytes = lead < 0xc0u ? 1u : lead < 0xe0u ? 2u : lead < 0xf0u ? 3u : 4u;
  bytes = min(bytes, t.bytes - i);
  uint x = lead < 0x80u ? lead : lead & (0x7fu >> bytes);
  for (uint k = 1u; k < bytes; ++k) {
    const uint byte = word >> (8u * k) & 0xffu;
    if (vkp_is_start(byte)) bytes = k;  // the character was cut short, and the loop ends
    if (k < bytes) x = x << 6 | (byte & 0x3fu);
  }
  return x;
}

// ---- Columns.

// Whether it is known that no column has offsets of 64 bits, 2^31 bytes or 2^30 - 1 rows, and that
// none has nulls. These are constants, so that no tests remain in the code.
#ifndef VKP_NARROW_COLUMNS
#define VKP_NARROW_COLUMNS false
#endif
#ifndef VKP_NO_NULLS
#define VKP_NO_NULLS false
#endif

bool vkp_bit(uvec2 bits, uint first_bit, uint row) {
  const uint i = row + first_bit;
  return (VkpWords(vkp_add64(bits, i / 32u * 4u)).v[0] >> (i & 31u) & 1u) != 0u;
}

// There is no branch, so that the loads of several rows are under way together. Where no row is
// null, the bit is read from the offsets, which are at least as many words.
bool vkp_valid(const VkpStrings column, const uint row) {
  if (VKP_NO_NULLS) return true;
  uvec2 bits = vkp_u64(column.validity);
  const bool none = bits == uvec2(0u);
  if (none) bits = vkp_u64(column.offsets);
  return vkp_bit(bits, none ? 0u : column.first_bit, row) || none;
}

// Reads where row `row` begins and ends according to the column.
void vkp_row_offsets(VkpStrings column, uint row, out uvec2 begin, out uvec2 end) {
  const uvec2 offsets = vkp_u64(column.offsets);
  if (VKP_NARROW_COLUMNS) {
    begin = uvec2(VkpWords(offsets).v[row], 0u);
    end = uvec2(VkpWords(offsets).v[row + 1u], 0u);
  } else if (column.wide != 0u) {
    const uvec2 at = vkp_add64(offsets, vkp_mul64(row, 8u));
    begin = VkpWords2(at).v[0];
    end = VkpWords2(at).v[1];
  } else {
    const uvec2 at = vkp_add64(offsets, vkp_mul64(row, 4u));
    begin = uvec2(VkpWords(at).v[0], 0u);
    end = uvec2(VkpWords(at).v[1], 0u);
  }
}

// Returns row `row`, clamped to the bytes of the column: it begins within them or right behind
// them, even if it is empty.
VkpText vkp_row_text(const VkpStrings column, const uint row) {
  uvec2 begin, end;
  vkp_row_offsets(column, row, begin, end);
  if (VKP_NARROW_COLUMNS) {
    const uint last = min(end.x, column.bytes.lo);
    const uint first = min(begin.x, last);
    return VkpText(vkp_add64(vkp_u64(column.chars), first), last - first);
  }
  end = vkp_min64(end, vkp_u64(column.bytes));
  begin = vkp_min64(begin, end);
  const uint bytes = vkp_min64(vkp_sub64(end, begin), uvec2(0x7fffffffu, 0u)).x;
  return VkpText(vkp_add64(vkp_u64(column.chars), begin), bytes);
}

#endif
