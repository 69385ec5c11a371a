// String kernels whose rows are written character by character, by the numbers of these: see tiles.glsl and stage.glsl.
//
// As in generate.glsl, rows are made of parts, and those of a row of lanes stand in a line of which every lane takes the
// next one. Here a part is 32 bytes of the row that is read, and how many characters come before it is summed up on the
// way along the line: a row of any length costs its bytes, whatever they are. Backward, a row is read from its end: its
// last bytes are the first part, its last character is number 0. A character, of which hostile rows have some of
// megabytes, is skipped as far as it lies outside the window.
//
// Which bytes of a part are in the result is a mask. Backward that does where all characters are single bytes, and the part
// is turned around; others are put one after the other.
//
// Needs
//   struct Row                              what is known of a row, with a member VkpText text
//   bool evaluate(uint row, out Row x)      false: null
//   bool is_backward()                      the same for all rows
// and, behind this file,
//   Row row_of_lane(Row x, uint lane)       the x of another lane; called by whole subgroups
//   uint chosen_bytes(Part p)               bit i: byte i of the part is in the result; where p.turned in the order of that
//   void write_characters(Part p, inout Writer w)   puts the bytes of a part: backward, where it cannot be turned
#ifndef STRINGS_CHARACTER_PARTS_GLSL
#define STRINGS_CHARACTER_PARTS_GLSL

#include "strings/line.glsl"

// Puts the bytes begin … end - 1 of a text.
void put_text(inout Writer w, VkpText t, uint begin, uint end) {
  if (w.counts) {
    w.at += int(end - begin);
    return;
  }
  if (w.at < 0) {
    const uint ahead = min(end - begin, uint(-w.at));
    begin += ahead;
    w.at += int(ahead);
  }
  for (uint i = begin; i < end && w.at < int(STAGE_BYTES); i += 4u) {
    put_bytes(w, vkp_text_word(t, int(i)), min(end - i, 4u));
  }
}

const uint PART_BYTES = 32;

Line line_of(Row x, bool valid) {
  uint parts = 0u;
  if (valid) parts = (x.text.bytes + PART_BYTES - 1u) / PART_BYTES;
  return line_of(parts);
}

// Where a line goes on, and what its parts before leave to those of the same row.
struct Place {
  uint part;
  uint byte;        // of the result
  uint characters;  // of the row so far
  uint start;       // where the last one of these begins
};

Place place_at(uint byte) { return Place(0u, byte, 0u, 0u); }

const uint PART_WORDS = PART_BYTES / 4u;

// A part that this lane makes.
struct Part {
  Row row;
  uint owner;   // lane whose row it is
  uint begin;   // byte of the row, the lowest one
  uint bytes;   // 0: the line is over
  uint word[PART_WORDS];
  uint starts;  // bit i: a character begins at byte begin + i
  uint before;  // characters of the row in the parts before
  uint end;     // backward: where the last character that begins here ends
};

// Loads the bytes of a part; what is behind its end is anything.
void load_part(VkpText t, uint begin, uint bytes, out uint word[PART_WORDS]) {
  const uvec2 at = vkp_add64(t.at, begin);
  const uint ahead = at.x & 3u;
  const uvec2 base = uvec2(at.x & ~3u, at.y);
  const uint end = bytes == 0u ? 0u : ahead + bytes;
  uint w[PART_WORDS + 1u];
  [[unroll]] for (uint i = 0u; i <= PART_WORDS; ++i) {
    w[i] = 0u;
    if (4u * i < end) w[i] = VkpWords(base).v[i];
  }
  [[unroll]] for (uint i = 0u; i < PART_WORDS; ++i) word[i] = vkp_word_down(w[i], w[i + 1u], 8u * ahead);
}

uint bits_below(uint end) { return end >= 32u ? ~0u : ~(~0u << end); }

// Bit i: a character begins at byte i of a part.
uint starts_of(uint word[PART_WORDS], bool is_first, uint bytes) {
  uint starts = is_first ? 1u : 0u;
  [[unroll]] for (uint i = 0u; i < PART_WORDS; ++i) {
    starts |= vkp_starts_of_word(word[i]) * 0x00204081u >> 28 << (4u * i);
  }
  return starts & bits_below(bytes);
}

// Whether all bytes of the part are characters. (Backward, the last one may go on in the part behind.)
bool is_all_bytes(Part p) {
  return p.starts == bits_below(p.bytes) && (!is_backward() || p.end == p.begin + p.bytes);
}

uint reversed_bytes(uint x) { return x >> 24 | (x >> 8 & 0xff00u) | (x << 8 & 0xff0000u) | x << 24; }

Row row_of_lane(Row x, uint lane);
uint chosen_bytes(Part p);
void write_characters(Part p, inout Writer w);

// The part of the line for this lane from `place` on, which goes to the part behind the last lane's.
Part next_part(Line line, Row x, inout Place place) {
  const uint i = place.part + gl_SubgroupInvocationID;
  Part p;
  p.owner = 0u;  // as many rows end before the part
  for (uint step = lane_count() / 2u; step != 0u; step /= 2u) {
    const uint end = subgroupShuffle(line.end, p.owner + step - 1u);
    if (end <= i) p.owner += step;
  }
  const uint ends_before = subgroupShuffle(line.end, max(p.owner, 1u) - 1u);
  const uint first = p.owner == 0u ? 0u : ends_before;  // part of the row
  p.row = row_of_lane(x, p.owner);
  const uint bytes = p.row.text.bytes;
  p.begin = 0u;
  p.bytes = 0u;
  if (i < line.parts) {
    const uint ahead = (i - first) * PART_BYTES;
    p.bytes = min(bytes - ahead, PART_BYTES);
    p.begin = is_backward() ? bytes - ahead - p.bytes : ahead;
  }
  load_part(p.row.text, p.begin, p.bytes, p.word);
  p.starts = starts_of(p.word, p.bytes != 0u && p.begin == 0u, p.bytes);

  const bool goes_on = first < place.part;  // the row began before
  const uint head = goes_on ? 0u : first - place.part;
  const uint count = bitCount(p.starts);
  const uint sum = vkp_sum_upto_lane(count) - count;
  const uint sum_at_head = subgroupShuffle(sum, head);
  p.before = sum - sum_at_head + (goes_on ? place.characters : 0u);

  // The character that begins nearest in the parts before, of the same row.
  const uvec4 others = subgroupBallot(p.starts != 0u) & gl_SubgroupLtMask;
  const uint nearest = vkp_lanes_to_last(others);  // the number of that lane, and 1
  const uint start = p.begin + uint(findLSB(p.starts));
  const uint nearest_start = subgroupShuffle(start, max(nearest, 1u) - 1u);
  p.end = goes_on ? place.start : bytes;
  if (nearest > head) p.end = nearest_start;

  const uint last = lane_count() - 1u;
  place.part += lane_count();
  place.characters = subgroupShuffle(p.before + count, last);
  place.start = subgroupShuffle(p.starts != 0u ? start : p.end, last);
  return p;
}

// What becomes of a part.
struct Chosen {
  uint mask;           // of its bytes
  uint bytes;          // how many
  bool by_characters;  // there is no mask
};

Chosen choose(Part p) {
  Chosen c = Chosen(0u, 0u, is_backward() && !is_all_bytes(p));
  if (c.by_characters) {
    Writer w = Writer(0, 0u, true);
    if (p.bytes != 0u) write_characters(p, w);
    c.bytes = uint(w.at);
  } else {
    c.mask = chosen_bytes(p);
    c.bytes = bitCount(c.mask);
  }
  return c;
}

// Of the bytes of a word those that have a bit set, one after the other; what is behind them is anything.
uint packed(uint x, uint bits) {
  const uint low = ((bits & 1u) != 0u ? x : x >> 8) & ~(~0u << (8u * bitCount(bits & 3u)));
  const uint high = (bits & 4u) != 0u ? x >> 16 : x >> 24;
  return low | high << (8u * bitCount(bits & 3u));
}

void write_part(Part p, Chosen c, inout Writer w) {
  if (c.by_characters) {
    write_characters(p, w);
    return;
  }
  [[unroll]] for (uint i = 0u; i < PART_WORDS; ++i) {
    const uint x = is_backward() ? reversed_bytes(p.word[PART_WORDS - 1u - i]) : p.word[i];
    const uint bits = c.mask >> (4u * i) & 0xfu;
    if (bits != 0u) put_bytes(w, packed(x, bits), bitCount(bits));
  }
}

uint bytes_of(Row x, uint row, bool valid) {
  const Line line = line_of(x, valid);
  Place place = place_at(0u);
  uint upto = 0u;  // bytes of parts before line.end
  while (vkp_any_lane(place.part < line.parts)) {
    const uint last = line.end - 1u - place.part;
    const bool ends = line.end > place.part && last < lane_count();
    const uint sum = vkp_sum_upto_lane(choose(next_part(line, x, place)).bytes);
    const uint upto_last = subgroupShuffle(sum, min(last, lane_count() - 1u));
    if (ends) upto = place.byte + upto_last;
    place.byte += subgroupShuffle(sum, lane_count() - 1u);
  }
  const uint previous = subgroupShuffle(upto, max(gl_SubgroupInvocationID, 1u) - 1u);
  return gl_SubgroupInvocationID == 0u ? upto : upto - previous;
}

// Where the line of each row of lanes goes on in the next window.
Place next_places[ROWS];

// Stages what the window has of a row of lanes: `begin` and `end` are bytes of the tile before the row of this lane and
// with it.
void stage_line(Row x, bool valid, uint begin, uint end, uint window, inout Place place) {
  const Line line = line_of(x, valid);
  const uint line_end = subgroupShuffle(end, lane_count() - 1u);
  const uint window_end = window + STAGE_BYTES;
  bool goes_on = place.byte < window_end && line_end > window;
  while (vkp_any_lane(goes_on && place.part < line.parts)) {
    Place next = place;
    const Part p = next_part(line, x, next);
    uint part_begin = subgroupShuffle(begin, p.owner);
    uint part_end = subgroupShuffle(end, p.owner);
    next.byte = line_end;
    const Chosen c = choose(p);
    if (!line.sole) {
      part_end = place.byte + vkp_sum_upto_lane(c.bytes);
      part_begin = part_end - c.bytes;
      next.byte = subgroupShuffle(part_end, lane_count() - 1u);
    }
    if (c.bytes != 0u && part_begin < window_end && part_end > window) {
      Writer w = Writer(int(part_begin - window), 0u, false);
      write_part(p, c, w);
      end_bytes(w);
    }
    // Parts of which something is left are made again in the next window.
    goes_on = next.byte <= window_end;
    if (goes_on) place = next;
  }
}

// (Arrays are indexed by constants only, lest compilers keep them in memory.)
void stage_rows(Tile t, uint tile, uint window) {
  [[dont_unroll]] for (uint r = 0u; r < ROWS; ++r) {
    Row x = t.row[0];
    uint before = t.before[0];
    uint bytes = t.bytes[0];
    Place place = next_places[0];
    [[unroll]] for (uint k = 1u; k < ROWS; ++k) {
      if (k == r) {
        x = t.row[k];
        before = t.before[k];
        bytes = t.bytes[k];
        place = next_places[k];
      }
    }
    const uint start = subgroupShuffle(before, 0u);
    if (window == 0u) place = place_at(start);
    stage_line(x, (t.valid >> r & 1u) != 0u, before, before + bytes, window, place);
    [[unroll]] for (uint k = 0u; k < ROWS; ++k) {
      if (k == r) next_places[k] = place;
    }
  }
}

#endif
