// A number for each row: where a text is found, in characters, or how many characters, bytes, such
// texts or tokens there are.
//
// For finding, bytes are marked where the text may begin. Then, if there are bytes other than
// ASCII, those where characters begin are marked, and the ones before the place are counted. Long
// rows are empty here, and are done by numbers/long.comp.
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/map.glsl"
#include "strings/marks.glsl"

layout(constant_id = VKP_STRINGS_SPEC_OP) const uint operation = 0;

// The texts of the rows of the tile.
shared uint text_low[VKP_BITS_ROWS];
shared uint text_high[VKP_BITS_ROWS];
shared uint text_bytes[VKP_BITS_ROWS];
shared uint wide;  // not 0: there are bytes from 0x80 on

// This says what is marked.
const uint CHARACTERS = 0, WHITESPACE = 1, HEADS = 2;
uint kind;
uint head, head_mask;  // first bytes of the text, and their mask
uint seen = 0u;        // all words together, by bitwise or

uint marks_of(const uint x, const uint next) {
  seen |= x;
  if (kind == CHARACTERS) return marks_of_characters(x);
  return kind == WHITESPACE ? marks_of_whitespace(x) : marks_of_head(x, next, head, head_mask);
}

// There are no branches, so that all loads are on their way together.
void load_texts(uint tile, uint rows) {
  VkpText text[VKP_STRINGS_ROWS];
  bool valid[VKP_STRINGS_ROWS];
  [[unroll]] for (uint r = 0u; r < VKP_STRINGS_ROWS; ++r) {
    const uint row = tile * VKP_BITS_ROWS + min(vkp_row_in_tile(r), rows - 1u);
    text[r] = vkp_row_text(vkp_push.a, row);
    valid[r] = vkp_valid(vkp_push.a, row);
  }
  [[unroll]] for (uint r = 0u; r < VKP_STRINGS_ROWS; ++r) {
    const uint i = vkp_row_in_tile(r);
    if (valid[r] && i < rows && is_left(tile * VKP_BITS_ROWS + i, text[r])) text[r].bytes = 0u;
    text_low[i] = text[r].at.x;
    text_high[i] = text[r].at.y;
    text_bytes[i] = text[r].bytes;
    if (valid[r] && i < rows) vkp_set_valid(i);
  }
}

VkpText text_of(const uint i) {
  const uint low = atomicLoad(text_low[i], gl_ScopeWorkgroup, 0, 0);
  const uint high = atomicLoad(text_high[i], gl_ScopeWorkgroup, 0, 0);
  return VkpText(uvec2(low, high), atomicLoad(text_bytes[i], gl_ScopeWorkgroup, 0, 0));
}

bool is_valid(uint i) {
  return (atomicLoad(vkp_valid_words[i / 32u], gl_ScopeWorkgroup, 0, 0) >> (i & 31u) & 1u) != 0u;
}

VkpWords number_at(uint row) {
  return VkpWords(vkp_add64(vkp_u64(vkp_push.out_offsets), vkp_mul64(row, 4u)));
}

// ---- Without marks: where it matters which characters are searched, and for texts that are looked
// for by a hash.

bool counts() { return operation == VKP_STRINGS_COUNT || operation == VKP_STRINGS_COUNT_TOKENS; }

// Returns where the text is found among the characters start … stop - 1, or all from start on if
// stop is below 0; or how often it is there.
int number_without_marks(VkpText t, VkpText what, int start, int stop) {
  uint begin = 0u;
  uint end = t.bytes;
  if (!counts()) {
    begin = vkp_position_cp(t, uint(start));
    if (start != 0 && begin == t.bytes && vkp_length_cp(t) < uint(start)) return -1;
    if (stop >= 0) end = vkp_position_cp(t, uint(stop));
  }
  const VkpText part = vkp_substr(t, begin, end - min(begin, end));
  uint n = 0u;
  uint at = 0u;
  for (uint from = 0u;; from = at + what.bytes) {
    at = operation == VKP_STRINGS_RFIND ? vkp_rfind(part, what, VKP_NPOS)
                                        : vkp_find(part, what, from);
    if (!counts() || at == VKP_NPOS) break;
    ++n;
  }
  if (counts()) return int(n + uint(operation == VKP_STRINGS_COUNT_TOKENS));
  if (at == VKP_NPOS) return -1;
  const uint place = begin + at;
  const uint before = vkp_length_cp(vkp_substr(t, 0u, place));
  // Bytes that are not UTF-8 may be found within a character.
  const bool within = place != 0u && place < t.bytes && !vkp_is_start(vkp_text_byte(t, place));
  return int(within ? before - 1u : before);
}

void store_without_marks(uint tile, uint rows) {
  const int start = vkp_arguments().v.start;
  const int stop = vkp_arguments().v.stop;
  for (uint r = 0u; r < VKP_STRINGS_ROWS; ++r) {
    const uint i = vkp_row_in_tile(r);
    if (i >= rows) continue;
    int x = 0;
    if (is_valid(i)) {
      const VkpText t = text_of(i);
      x = operation == VKP_STRINGS_COUNT_BYTES
              ? int(t.bytes)
              : number_without_marks(t, vkp_scalar_text(), start, stop);
    }
    number_at(tile * VKP_BITS_ROWS + i).v[0] = uint(x);
  }
}

// ---- By marks.

// A word begins at a byte that is no whitespace, behind whitespace or at the beginning of the row.
uint words_of(VkpText t) {
  uint n = 0u;
  uint after_space = 1u;
  for (uint i = 0u; i < t.bytes; i += 32u) {
    uint spaces = marks_at(t, i);
    if (t.bytes - i < 32u) spaces |= ~0u << (t.bytes - i);
    n += bitCount(~spaces & (spaces << 1u | after_space));
    after_space = spaces >> 31u;
  }
  return n;
}

uint first_kind(VkpText what) {
  if (operation == VKP_STRINGS_COUNT_CHARACTERS) return CHARACTERS;
  return operation == VKP_STRINGS_COUNT_TOKENS && what.bytes == 0u ? WHITESPACE : HEADS;
}

// Returns the number of a row; for finding, this is the byte where the text is.
uint number_of(const VkpText t, const VkpText what) {
  if (operation == VKP_STRINGS_COUNT_CHARACTERS) return characters_before(t, t.bytes);
  if (operation == VKP_STRINGS_RFIND) return rfind_marked(t, what, t.bytes);
  if (operation == VKP_STRINGS_FIND) return find_marked(t, what, 0u);
  const bool tokens = operation == VKP_STRINGS_COUNT_TOKENS;
  if (tokens && what.bytes == 0u) return words_of(t);
  return count_marked(t, what) + uint(tokens);  // one more than delimiters
}

void store_numbers(uint tile, uint first, uint end, VkpText what) {
  for (uint r = 0u; r < VKP_STRINGS_ROWS; ++r) {
    const uint i = vkp_row_in_tile(r);
    if (i < first || i >= end) continue;
    uint x = 0u;
    if (is_valid(i)) x = number_of(text_of(i), what);
    number_at(tile * VKP_BITS_ROWS + i).v[0] = x;
  }
}

// Turns the numbers that are stored there from bytes into characters, which are marked.
void number_by_characters(uint tile, uint first, uint end) {
  for (uint r = 0u; r < VKP_STRINGS_ROWS; ++r) {
    const uint i = vkp_row_in_tile(r);
    if (i < first || i >= end || !is_valid(i)) continue;
    const uint place = number_at(tile * VKP_BITS_ROWS + i).v[0];
    if (place == VKP_NPOS) continue;
    const VkpText t = text_of(i);
    // As above, bytes that are not UTF-8 may be found within a character.
    const bool within = place != 0u && (marks_at(t, place) & 1u) == 0u;
    number_at(tile * VKP_BITS_ROWS + i).v[0] = characters_before(t, place) - uint(within);
  }
}

void store_by_marks(uint tile, uint rows, VkpText what) {
  const bool finds = operation == VKP_STRINGS_FIND || operation == VKP_STRINGS_RFIND;
  uint end = rows;
  for (uint first = 0u; first < rows; first = end) {
    kind = first_kind(what);
    end = mark_rows(first, rows);
    if ((seen & 0x80808080u) != 0u || marked_bytes == 0u) {
      atomicOr(wide, 1u, gl_ScopeWorkgroup, 0, 0);
    }
    store_numbers(tile, first, end, what);
    barrier();
    if (!finds || wide == 0u) continue;
    kind = CHARACTERS;
    mark_rows(first, rows);
    number_by_characters(tile, first, end);
  }
}

void main() {
  const uint tile = vkp_group_index();
  if (tile * VKP_BITS_ROWS >= vkp_push.rows) return;
  const uint rows = min(vkp_push.rows - tile * VKP_BITS_ROWS, VKP_BITS_ROWS);
  wide = 0u;  // all invocations do this
  const VkpText what = vkp_scalar_text();
  head = vkp_head(what);
  head_mask = vkp_head_mask(what);
  vkp_begin_bits();
  load_texts(tile, rows);
  barrier();
  const bool finds = operation == VKP_STRINGS_FIND || operation == VKP_STRINGS_RFIND;
  const bool in_part =
      what.bytes == 0u || vkp_arguments().v.start != 0 || vkp_arguments().v.stop >= 0;
  const bool by_hash = what.bytes > VKP_MOST_COMPARED && operation != VKP_STRINGS_COUNT_CHARACTERS;
  if (operation == VKP_STRINGS_COUNT_BYTES || finds && in_part || by_hash) {
    store_without_marks(tile, rows);
  } else {
    store_by_marks(tile, rows, what);
  }
  vkp_end_bits(uvec2(0u), false);
}
