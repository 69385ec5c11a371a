// A number of each row: where a text is found, in characters, or how many characters or bytes there are.
//
// Of finding, bytes are marked where the text may begin; then, if there are others than of ASCII, where characters
// begin, and those before the place are counted.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/map.glsl"
#include "strings/marks.glsl"

layout(constant_id = VKP_STRINGS_SPEC_OP) const uint operation = 0;

// Of the rows of the tile.
shared uint text_low[TILE_ROWS];
shared uint text_high[TILE_ROWS];
shared uint text_bytes[TILE_ROWS];
shared uint wide;  // not 0: there are bytes from 0x80 on

bool marks_characters;
uint head, head_mask;  // of the text
uint seen = 0u;        // all words together

uint marks_of(uint x, uint next) {
  seen |= x;
  return marks_characters ? marks_of_characters(x) : marks_of_head(x, next, head, head_mask);
}

void load_texts(uint tile, uint rows) {
  VkpText text[VKP_STRINGS_ROWS];
  bool valid[VKP_STRINGS_ROWS];
  [[unroll]] for (uint r = 0u; r < VKP_STRINGS_ROWS; ++r) {
    const uint i = row_in_tile(r);
    text[r] = vkp_no_text();
    valid[r] = false;
    if (i < rows) {
      text[r] = vkp_row_text(push.a, tile * TILE_ROWS + i);
      valid[r] = vkp_valid(push.a, tile * TILE_ROWS + i);
    }
  }
  [[unroll]] for (uint r = 0u; r < VKP_STRINGS_ROWS; ++r) {
    const uint i = row_in_tile(r);
    text_low[i] = text[r].at.x;
    text_high[i] = text[r].at.y;
    text_bytes[i] = text[r].bytes;
    if (valid[r]) set_valid(i);
  }
}

VkpText text_of(uint i) {
  const uint low = atomicLoad(text_low[i], gl_ScopeWorkgroup, 0, 0);
  const uint high = atomicLoad(text_high[i], gl_ScopeWorkgroup, 0, 0);
  return VkpText(uvec2(low, high), atomicLoad(text_bytes[i], gl_ScopeWorkgroup, 0, 0));
}

bool is_valid(uint i) { return (atomicLoad(valid_words[i / 32u], gl_ScopeWorkgroup, 0, 0) >> (i & 31u) & 1u) != 0u; }

VkpWords number_at(uint row) { return VkpWords(vkp_add64(vkp_u64(push.out_offsets), vkp_mul64(row, 4u))); }

// ---- Without marks.

// Where it is found among the characters start … stop - 1, all from start on if stop is below 0.
int found_between(VkpText t, VkpText what, int start, int stop) {
  const uint begin = vkp_position_cp(t, uint(start));
  if (start != 0 && begin == t.bytes && vkp_length_cp(t) < uint(start)) return -1;
  uint end = t.bytes;
  if (stop >= 0) end = vkp_position_cp(t, uint(stop));
  const VkpText part = vkp_substr(t, begin, end - min(begin, end));
  const uint at = operation == VKP_STRINGS_FIND ? vkp_find(part, what, 0u) : vkp_rfind(part, what, VKP_NPOS);
  if (at == VKP_NPOS) return -1;
  const uint place = begin + at;
  const uint before = vkp_length_cp(vkp_substr(t, 0u, place));
  // Bytes that are not UTF-8 may be found within a character.
  const bool within = place != 0u && place < t.bytes && !vkp_is_start(vkp_text_byte(t, place));
  return int(within ? before - 1u : before);
}

void store_numbers(uint tile, uint rows) {
  const int start = arguments().v.start;
  const int stop = arguments().v.stop;
  for (uint r = 0u; r < VKP_STRINGS_ROWS; ++r) {
    const uint i = row_in_tile(r);
    if (i >= rows) continue;
    int x = 0;
    if (is_valid(i)) {
      const VkpText t = text_of(i);
      x = operation == VKP_STRINGS_COUNT_BYTES ? int(t.bytes) : found_between(t, scalar_text(), start, stop);
    }
    number_at(tile * TILE_ROWS + i).v[0] = uint(x);
  }
}

// ---- By marks.

// Characters before the place where the text is found.
uint characters_upto(VkpText t, uint place) {
  const uint before = characters_before(t, place);
  // As above.
  const bool within = place != 0u && (marks_at(t, place) & 1u) == 0u;
  return within ? before - 1u : before;
}

// Of rows first … end - 1, of which characters are marked: of all of them, or of those before the number that stands
// there.
void store_characters(uint tile, uint first, uint end) {
  for (uint r = 0u; r < VKP_STRINGS_ROWS; ++r) {
    const uint i = row_in_tile(r);
    if (i < first || i >= end) continue;
    const VkpText t = text_of(i);
    VkpWords number = number_at(tile * TILE_ROWS + i);
    uint x = 0u;
    if (operation == VKP_STRINGS_COUNT_CHARACTERS) {
      if (is_valid(i)) x = characters_before(t, t.bytes);
    } else {
      x = number.v[0];
      if (is_valid(i) && x != VKP_NPOS) x = characters_upto(t, x);
    }
    number.v[0] = x;
  }
}

// Of rows first … end - 1, whose heads are marked: at which byte the text is found.
void store_places(uint tile, uint first, uint end, VkpText what) {
  for (uint r = 0u; r < VKP_STRINGS_ROWS; ++r) {
    const uint i = row_in_tile(r);
    if (i < first || i >= end) continue;
    const VkpText t = text_of(i);
    uint x = 0u;
    if (is_valid(i)) x = operation == VKP_STRINGS_FIND ? find_marked(t, what, 0u) : rfind_marked(t, what, t.bytes);
    number_at(tile * TILE_ROWS + i).v[0] = x;
  }
}

void store_marked(uint tile, uint rows) {
  uint end = rows;
  for (uint first = 0u; first < rows; first = end) {
    marks_characters = operation == VKP_STRINGS_COUNT_CHARACTERS;
    end = mark_rows(first, rows);
    if (operation == VKP_STRINGS_COUNT_CHARACTERS) {
      store_characters(tile, first, end);
      continue;
    }
    if ((seen & 0x80808080u) != 0u || marked_bytes == 0u) atomicOr(wide, 1u, gl_ScopeWorkgroup, 0, 0);
    store_places(tile, first, end, scalar_text());
    barrier();
    if (wide == 0u) continue;
    marks_characters = true;
    mark_rows(first, rows);
    store_characters(tile, first, end);
  }
}

void main() {
  const uint tile = vkp_group_index();
  if (tile * TILE_ROWS >= push.rows) return;
  const uint rows = min(push.rows - tile * TILE_ROWS, TILE_ROWS);
  wide = 0u;  // the same by all
  begin_tile();
  load_texts(tile, rows);
  barrier();
  if (operation == VKP_STRINGS_COUNT_BYTES) {
    store_numbers(tile, rows);
  } else if (operation == VKP_STRINGS_COUNT_CHARACTERS) {
    store_marked(tile, rows);
  } else {
    head = vkp_head(scalar_text());
    head_mask = vkp_head_mask(scalar_text());
    const bool all = arguments().v.start == 0 && arguments().v.stop < 0;
    if (all && scalar_text().bytes != 0u) {
      store_marked(tile, rows);
    } else {
      store_numbers(tile, rows);
    }
  }
  end_tile(uvec2(0u), false);
}
