// What numbers.comp, contains.comp and matches.comp ask of rows, of one part of a long row: by a subgroup. What it found is
// three words, whose order is that of the parts: a monoid.
//
// How often a text is there that overlaps itself ("aa" in "aaaa", each time behind the last one) depends on where the last
// one before the part ends: among the first bytes of the part, fewer than the text has. Such a byte is an entry. A part says
// for each entry how many there are, and the entry of the next part, and so does a span of VKP_STRINGS_SPAN_PARTS milestones
// (long_spans.comp): then long_results.comp goes from entry to entry. Of texts of more bytes than VKP_STRINGS_MOST_ENTRIES
// it counts itself in all parts that have the text, one after the other: these are as few as the text is long, and such
// texts that overlap themselves are rare, but rows full of one take a time that follows their bytes, and more turns than
// lavapipe makes from some 100 KB on.
//
// A lane compares whole texts at its places, up to VKP_MOST_COMPARED bytes; longer ones are compared by the subgroup,
// place by place, where the first bytes and the last ones agree. Data made for it have such places everywhere: then the time
// follows the product of the bytes of row and text.
#ifndef STRINGS_PART_NUMBERS_GLSL
#define STRINGS_PART_NUMBERS_GLSL

#include "strings/strings.glsl"
#include "strings/long_rows.glsl"
#include "strings/mark_words.glsl"
#include "vkprims/lanes.glsl"

layout(constant_id = VKP_STRINGS_SPEC_OP) const uint operation = 0;

bool is_predicate() { return (operation & VKP_STRINGS_LONG_PREDICATE) != 0u; }
uint predicate() { return operation & 3u; }
bool of_column() { return is_predicate() && (operation & VKP_STRINGS_OF_COLUMN) != 0u; }
bool compares() { return is_predicate() && predicate() != VKP_STRINGS_CONTAINS; }
bool finds() { return operation == VKP_STRINGS_FIND || operation == VKP_STRINGS_RFIND; }

// Of a run of parts. Of finding: characters up to and including the one where the text is found, or NONE, and characters. Of
// others: nothing, and how many there are. And how many parts are missing.
struct Finding {
  uint found, n, missing;
};
const uint NONE = 0xffffffffu;

#define VKP_T Finding
#define VKP_WORDS 3
void vkp_pack(Finding x, out uint w[3]) { w = uint[](x.found, x.n, x.missing); }
Finding vkp_unpack(uint w[3]) { return Finding(w[0], w[1], w[2]); }
Finding vkp_identity() { return Finding(NONE, 0u, 0u); }
Finding vkp_combine(Finding left, Finding right) {
  const uint of_right = right.found == NONE ? NONE : left.n + right.found;
  const bool takes_right = operation == VKP_STRINGS_RFIND ? of_right != NONE : left.found == NONE;
  return Finding(takes_right ? of_right : left.found, left.n + right.n, left.missing + right.missing);
}

// ---- The tables behind that of the rows: of a part two words, and the number of characters before it.

uvec2 rows_table() { return vkp_u64(arguments().v.long_rows); }
uint milestone_count() { return milestones_of(push.a); }
uvec2 findings_table() { return vkp_add64(rows_table(), vkp_mul64((milestone_count() + 3u) / 4u, 16u)); }
uvec2 finding_at(uint k) { return vkp_add64(findings_table(), vkp_mul64(k, 8u)); }
uvec2 before_at(uint k) {
  return vkp_add64(vkp_add64(findings_table(), vkp_mul64((milestone_count() + 1u) / 2u, 16u)), vkp_mul64(k, 4u));
}

// ---- What is asked.

VkpText text_for(uint row) { return of_column() ? vkp_row_text(push.b, row) : scalar_text(); }

// Whether the row, which is long, is done here rather than by a lane. Comparisons of few bytes are not.
bool is_for_team(VkpText t, VkpText what) {
  return is_long(t) && (!compares() || is_long(what) && what.bytes <= t.bytes);
}

// Whether only some characters are searched.
bool in_window() { return finds() && (arguments().v.start != 0 || arguments().v.stop >= 0); }

// Bytes that a subgroup looks at in a turn; of this lane from `first` on.
uint team_bytes() { return 32u * gl_SubgroupSize; }
uint own_bytes(uint first) { return first + 32u * gl_SubgroupInvocationID; }

// Marks of 32 bytes from byte `i` of the row on, those before byte `end`.
uint marks_before(uint m, uint i, uint end) { return i >= end ? 0u : end - i < 32u ? m & ~(~0u << (end - i)) : m; }

// Characters: one begins at the beginning of the row in any case.
uint character_marks(uint w[9], uint i, uint end) {
  uint m = i == 0u ? 1u : 0u;
  [[unroll]] for (uint k = 0u; k < 8u; ++k) m |= marks_of_characters(w[k]) << 4u * k;
  return marks_before(m, i, end);
}

// Whether the last bytes of a text of more than 4 are those before byte `end` of the row.
bool ends_agree(VkpText t, VkpText what, uint end) {
  return vkp_text_word(t, int(end - 4u)) == vkp_text_word(what, int(what.bytes - 4u));
}

// Whether a text is at byte `place`, whose first 4 and last 4 bytes are known to be there.
bool team_is_at(VkpText t, VkpText what, uint place) {
  bool differs = false;
  for (uint first = 4u; first < what.bytes && !vkp_any_lane(differs); first += 4u * gl_SubgroupSize) {
    const uint i = first + 4u * gl_SubgroupInvocationID;
    if (i + 4u <= what.bytes) differs = vkp_text_word(t, int(place + i)) != vkp_text_word(what, int(i));
  }
  return !vkp_any_lane(differs);
}

// Where the text begins, of 32 places from `i` on, before `end`; where it may, if it is a longer one and that is enough.
uint text_marks(VkpText t, uint w[9], VkpText what, uint i, uint end, bool may_be_enough) {
  const uint last = t.bytes - min(t.bytes, what.bytes - 1u);  // places before it have room for the text
  const uint head = vkp_head(what);
  const uint mask = vkp_head_mask(what);
  uint m = 0u;
  [[unroll]] for (uint k = 0u; k < 8u; ++k) m |= marks_of_head(w[k], w[k + 1u], head, mask) << 4u * k;
  m = marks_before(m, i, min(end, last));
  if (what.bytes <= 4u) return m;
  const bool by_lane = what.bytes <= VKP_MOST_COMPARED;
  for (uint left = m; left != 0u; left &= left - 1u) {
    const uint bit = uint(findLSB(left));
    bool agrees = ends_agree(t, what, i + bit + what.bytes);
    if (by_lane && agrees) agrees = vkp_is_at(t, i + bit, what);
    if (!agrees) m &= ~(1u << bit);
  }
  if (by_lane || may_be_enough) return m;
  // (Each turn the lowest place of all lanes.)
  uint known = 0u;
  for (uint left = m; vkp_any_lane(left != 0u);) {
    const uint place = vkp_least_of_lanes(left == 0u ? NONE : i + uint(findLSB(left)));
    const bool is_at = team_is_at(t, what, place);
    if (place - i < 32u && left != 0u) {
      if (is_at) known |= 1u << (place - i);
      left &= ~(1u << (place - i));
    }
  }
  return known;
}

// Of anything but whitespace: bytes that are some, behind whitespace or the beginning of the row.
uint word_marks(VkpText t, uint w[9], uint i, uint end) {
  uint spaces = 0u;
  [[unroll]] for (uint k = 0u; k < 8u; ++k) spaces |= marks_of_whitespace(w[k]) << 4u * k;
  bool after_space = i == 0u;
  if (i != 0u && i < end) after_space = vkp_text_byte(t, i - 1u) <= 0x20u;
  return marks_before(~spaces & (spaces << 1u | uint(after_space)), i, end);
}

// Not 0: some of 32 bytes are not those of the text, which begins at byte `place` of the row.
uint difference_marks(VkpText t, VkpText what, uint place, uint i, uint end) {
  const uint first = max(i, place);
  const uint last = min(min(end, i + 32u), place + what.bytes);
  if (first >= last) return 0u;
  return uint(!vkp_is_at(what, first - place, vkp_substr(t, first, last - first)));
}

// Marks whose characters are numbers `start` … `most` of the row, of 32 bytes with these characters, `before` ahead of them.
uint marks_in_window(uint m, uint characters, uint before) {
  // The text ends before character `stop`: of its own so many begin behind its first byte.
  const int start = arguments().v.start;
  const int stop = arguments().v.stop;
  const int most = stop < 0 ? 0x7fffffff : stop - 1 - int(arguments().v.flags);
  uint good = 0u;
  for (uint left = m; left != 0u; left &= left - 1u) {
    const uint bit = left & (0u - left);
    const int character = int(before + bitCount(characters & (bit | bit - 1u))) - 1;
    if (character >= start && character <= most) good |= bit;
  }
  return good;
}

// Of bytes begin … end - 1 of a row, which `before` characters come before. `counts`: their characters alone.
Finding finding_of_part(VkpText t, VkpText what, uint begin, uint end, uint before, bool counts) {
  const bool searches = !counts && what.bytes != 0u;
  const bool of_words = operation == VKP_STRINGS_COUNT_TOKENS;
  const bool of_characters = operation == VKP_STRINGS_COUNT_CHARACTERS || operation == VKP_STRINGS_LONG_BEFORE || finds();
  Finding x = vkp_identity();
  for (uint first = begin; first < end; first += team_bytes()) {
    const uint i = own_bytes(first);
    uint w[9] = uint[](0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u);
    if (i < end) load_row_bytes(t, i, w);
    uint characters = 0u;  // or what else is counted
    uint m = 0u;
    if (of_characters) characters = character_marks(w, i, end);
    if (compares()) {
      const uint place = predicate() == VKP_STRINGS_ENDS_WITH ? t.bytes - what.bytes : 0u;
      characters = difference_marks(t, what, place, i, end);
    } else if (searches && (finds() || !of_characters)) {
      m = text_marks(t, w, what, i, end, false);
    } else if (of_words) {
      characters = word_marks(t, w, i, end);
    }
    if (!finds()) {
      x.n += bitCount(characters | m);
      continue;
    }
    const uint upto = vkp_sum_upto_lane(bitCount(characters));
    const uint ahead = x.n + upto - bitCount(characters);
    if (m != 0u && in_window()) m = marks_in_window(m, characters, before + ahead);
    uint own = operation == VKP_STRINGS_RFIND ? 0u : NONE;
    if (m != 0u) {
      const uint bit = 1u << (operation == VKP_STRINGS_RFIND ? findMSB(m) : findLSB(m));
      own = ahead + bitCount(characters & (bit | bit - 1u));
    }
    if (operation == VKP_STRINGS_RFIND) {
      if (vkp_any_lane(m != 0u)) x.found = vkp_most_of_lanes(own);
    } else if (x.found == NONE) {
      x.found = vkp_least_of_lanes(own);
    }
    x.n += subgroupShuffle(upto, gl_SubgroupSize - 1u);
  }
  if (!finds()) x.n = vkp_sum_of_lanes(x.n);
  return x;
}

// ---- Texts that overlap themselves.

bool overlaps() {
  return (operation == VKP_STRINGS_COUNT || operation == VKP_STRINGS_COUNT_TOKENS) && arguments().v.flags != 0u;
}
bool has_entries(VkpText what) { return overlaps() && what.bytes <= VKP_STRINGS_MOST_ENTRIES; }

// What comes of an entry: how often the text is there, and the next entry.
uint way_of(uint n, uint entry) { return n << 8 | entry; }
void follow(uint way, inout uint n, inout uint entry) {
  n += way >> 8;
  entry = way & 0xffu;
}

uvec2 ways_at(uint k, uint entries) {
  const uvec2 before_table = before_at(0u);
  return vkp_add64(vkp_add64(before_table, vkp_mul64((milestone_count() + 3u) / 4u, 16u)), vkp_mul64(k, 4u * entries));
}
// … of a span, behind those of parts.
uvec2 span_ways_at(uint span, uint entries) { return ways_at(milestone_count() + span, entries); }

// Where the text begins in a part, which has fewer bytes than two: word i is of turn i of the subgroup's lanes, of at least 4.
const uint MOST_TURNS = 2u * VKP_STRINGS_PART_BYTES / (32u * 4u);

void marks_of_part(VkpText t, VkpText what, uint begin, uint end, bool may_be_enough, out uint marks[MOST_TURNS]) {
  for (uint turn = 0u; begin + turn * team_bytes() < end; ++turn) {
    const uint i = own_bytes(begin + turn * team_bytes());
    uint w[9] = uint[](0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u);
    if (i < end) load_row_bytes(t, i, w);
    marks[turn] = text_marks(t, w, what, i, end, may_be_enough);
  }
}

// Counts the text from byte `next` on, which becomes that behind the last one. Lanes may have different ones, unless a longer
// text is to be compared: then only where it is not within the one before.
void walk_part(VkpText t, bool is_to_compare, uint marks[MOST_TURNS], VkpText what, uint begin, uint end, inout uint next, inout uint n) {
  for (uint turn = 0u; begin + turn * team_bytes() < end; ++turn) {
    const uint own = marks[turn];
    if (!vkp_any_lane(own != 0u)) continue;
    for (uint lane = 0u; lane < gl_SubgroupSize; ++lane) {
      uint m = subgroupShuffle(own, lane);
      const uint at = begin + turn * team_bytes() + 32u * lane;
      if (next > at) m = next - at < 32u ? m & ~0u << (next - at) : 0u;
      while (m != 0u) {
        const uint place = at + uint(findLSB(m));
        m &= m - 1u;
        if (is_to_compare && what.bytes > VKP_MOST_COMPARED && !team_is_at(t, what, place)) continue;
        ++n;
        next = place + what.bytes;
        m = next - at < 32u ? m & ~0u << (next - at) : 0u;
      }
    }
  }
}

#endif
