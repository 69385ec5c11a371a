// Marks of the bytes of a tile: one bit for each byte, which says, for example, whether the byte
// begins a character or is whitespace.
//
// The rows of a tile are neighbours in memory. Their bytes are read once, 32 by each invocation,
// whatever rows they belong to. Questions about a row are then answered from the marks in shared
// memory: a find is a search for a bit, a count is a sum of bits. For rows that do not lie where
// the others do (because offsets are in no order), or that have more bytes than there is room for
// marks, the marks are made from memory, 32 at a time, when they are asked for.
//
// Needs, besides what mark_words.glsl does,
//   VkpText text_of(uint i)            row i of the tile, from shared memory
#ifndef STRINGS_MARKS_GLSL
#define STRINGS_MARKS_GLSL

#include "strings/mark_words.glsl"
#include "vkprims/strings/window.glsl"
#include "strings/words.glsl"

// The marks lie in the window: bytes are staged only after the marks have been used.
#define marks vkp_window
const uint MARK_WORDS = VKP_WINDOW_WORDS;
// A batch that is followed by other rows has at least so many rows, so that a tile takes few turns.
const uint LEAST_ROWS = 8;

uvec2 marked_at;           // address of the byte of bit 0
uint marked_ahead;         // bytes before the first that is marked; malformed rows may begin there
uint marked_bytes = 0u;    // bits from marked_at to the last that is marked; 0: none

VkpText text_of(const uint i);

// ---- In shared memory.

// Marks `bytes` bytes from `at` on; there may be as many as there is room for, less 31. It is
// called by the whole workgroup, which must have waited for the readers of the marks before and has
// to wait behind.
void mark_bytes(uvec2 at, uint bytes) {
  const uint ahead = at.x & 31u;
  marked_ahead = ahead;
  marked_at = uvec2(at.x & ~31u, at.y);
  marked_bytes = ahead + bytes;
  const uint rounds = (marked_bytes + 32u * gl_WorkGroupSize.x - 1u) / (32u * gl_WorkGroupSize.x);
  for (uint round = 0u; round < rounds; ++round) {
    const uint i = round * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    const uint begin = i == 0u ? ahead : 0u;  // first of the 32 bytes that is there
    const uint end = marked_bytes - min(marked_bytes, 32u * i);
    const uvec2 base = vkp_add64(marked_at, vkp_mul64(i, 32u));
    uint w[9];
    load_32_bytes(base, begin, end, w);
    marks[i] = marks_of_words(w);
  }
}

// Returns the end of the batch of rows that begins with row `first` of `rows` and can be marked
// together. If these would be few, because row `first` or the gap to the next ones is too long, the
// batch is all rows that are left, and they do not fit.
uint end_of_batch(uint first, uint rows, out bool fits) {
  const VkpText t = text_of(first);
  const uint room = 32u * MARK_WORDS - (t.at.x & 31u);
  uint end = first;
  // Most often all of them fit.
  for (uint step = rows - first; step != 0u; step /= 2u) {
    const VkpText last = text_of(min(end + step, rows) - 1u);
    const uvec2 bytes = vkp_add64(vkp_sub64(last.at, t.at), last.bytes);
    if (end + step <= rows && bytes.y == 0u && bytes.x <= room) end += step;
    if (end == rows) break;
  }
  fits = end == rows || end - first >= LEAST_ROWS;
  return fits ? end : rows;
}

// Marks as many rows as possible from row `first` on, and returns the number of the row behind
// them.
uint mark_rows(uint first, uint rows) {
  bool fits;
  const uint end = end_of_batch(first, rows, fits);
  barrier();
  marked_bytes = 0u;
  if (fits) {
    const uvec2 begin = text_of(first).at;
    const VkpText last = text_of(end - 1u);
    mark_bytes(begin, vkp_sub64(last.at, begin).x + last.bytes);
  }
  barrier();
  return end;
}

// ---- Questions about one row.

// Returns the marks of 32 bytes of the row from byte `i` on, which is one of its bytes, from shared
// memory or from memory. They are 0 for bytes that the row does not have.
uint marks_at(const VkpText t, const uint i) {
  const uvec2 place = vkp_sub64(t.at, marked_at);
  uint m;
  if (place.y == 0u && place.x >= marked_ahead && place.x <= marked_bytes &&
      t.bytes <= marked_bytes - place.x) {
    const uint bit = place.x + i;
    const uint low = atomicLoad(marks[bit / 32u], gl_ScopeWorkgroup, 0, 0);
    const uint high = atomicLoad(marks[bit / 32u + 1u], gl_ScopeWorkgroup, 0, 0);
    m = vkp_word_down(low, high, bit & 31u);
  } else {
    m = marks_in_memory(t, i);
  }
  const uint left = t.bytes - i;
  return left < 32u ? m & ~(~0u << left) : m;
}

// Returns the first byte from `begin` on that is marked, or is not marked; the end of the row if
// there is none.
uint next_mark(const VkpText t, const uint begin, const bool marked) {
  for (uint i = begin; i < t.bytes; i += 32u) {
    uint m = marks_at(t, i);
    if (!marked) m = ~m & (t.bytes - i < 32u ? ~(~0u << (t.bytes - i)) : ~0u);
    if (m != 0u) return i + uint(findLSB(m));
  }
  return t.bytes;
}

// Returns the place behind the last byte before `end` that is marked, or is not marked; 0 if there
// is none.
uint end_of_last_mark(VkpText t, uint end, bool marked) {
  for (uint rest = end; rest != 0u;) {
    const uint i = rest - min(rest, 32u);
    uint m = marks_at(t, i);
    if (!marked) m = ~m;
    if (rest - i < 32u) m &= ~(~0u << (rest - i));
    if (m != 0u) return i + uint(findMSB(m)) + 1u;
    rest = i;
  }
  return 0u;
}

// Returns where mark number `n`, counted from 1, behind byte `begin` is; the end of the row if
// there are fewer.
uint nth_mark(VkpText t, uint begin, uint n) {
  uint left = n;
  for (uint i = begin; i < t.bytes; i += 32u) {
    uint m = marks_at(t, i);
    if (i == begin) m &= ~1u;
    const uint count = bitCount(m);
    if (left <= count) {
      for (; left > 1u; --left) m &= m - 1u;
      return i + uint(findLSB(m));
    }
    left -= count;
  }
  return t.bytes;
}

// ---- Questions about what is marked.

// Counts the characters that begin before byte `end`. One begins at the beginning of the row in any
// case.
uint characters_before(VkpText t, uint end) {
  uint n = 0u;
  for (uint i = 0u; i < end; i += 32u) {
    uint m = marks_at(t, i);
    if (i == 0u) m |= 1u;
    if (end - i < 32u) m &= ~(~0u << (end - i));
    n += bitCount(m);
  }
  return n;
}

// Returns where `what`, whose head is marked and which is not empty, begins first from byte `begin`
// on, or VKP_NPOS.
uint find_marked(VkpText t, VkpText what, uint begin) {
  if (what.bytes > t.bytes) return VKP_NPOS;
  const uint last = t.bytes - what.bytes;
  uint place = begin;
  while (place <= last) {
    place = next_mark(t, place, true);
    if (place > last) break;
    if (what.bytes <= 4u || vkp_is_at(t, place, what)) return place;
    ++place;
  }
  return VKP_NPOS;
}

// Counts the occurrences of `what` that do not overlap; an empty text never occurs. Marks of a
// single byte are counted together, as there may be as many marks as bytes.
uint count_marked(VkpText t, VkpText what) {
  if (what.bytes == 0u || what.bytes > t.bytes) return 0u;
  const uint last = t.bytes - what.bytes;
  uint n = 0u;
  uint next = 0u;
  for (uint i = 0u; i <= last; i += 32u) {
    uint m = marks_at(t, i);
    if (last - i < 31u) m &= ~(~0u << (last - i + 1u));
    if (what.bytes == 1u) {
      n += bitCount(m);
      continue;
    }
    if (next > i) m = next - i < 32u ? m & ~0u << (next - i) : 0u;
    while (m != 0u) {
      const uint place = i + uint(findLSB(m));
      m &= m - 1u;
      if (what.bytes > 4u && !vkp_is_at(t, place, what)) continue;
      ++n;
      next = place + what.bytes;
      m = next - i < 32u ? m & ~0u << (next - i) : 0u;
    }
  }
  return n;
}

// Returns where `what` begins last, before byte `end`, or VKP_NPOS.
uint rfind_marked(VkpText t, VkpText what, uint end) {
  if (what.bytes > t.bytes) return VKP_NPOS;
  const uint last = t.bytes - what.bytes;
  for (uint behind = min(end, last + 1u); behind != 0u; --behind) {
    behind = end_of_last_mark(t, behind, true);
    if (behind == 0u) break;
    if (what.bytes <= 4u || vkp_is_at(t, behind - 1u, what)) return behind - 1u;
  }
  return VKP_NPOS;
}

#endif
