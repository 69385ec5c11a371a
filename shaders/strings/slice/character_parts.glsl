// Parts of rows that are read character by character (character_lines.glsl): 32 bytes each.
#ifndef STRINGS_CHARACTER_PARTS_GLSL
#define STRINGS_CHARACTER_PARTS_GLSL

#include "strings/subgroup_window.glsl"

VkpLine vkp_line_of(const Row x, const bool valid) {
  uint parts = 0u;
  if (valid) parts = (x.text.bytes + PART_BYTES - 1u) / PART_BYTES;
  return vkp_line_of(parts);
}

// Where a line goes on, and what its earlier parts leave to later ones of the same row.
struct Place {
  uint part;
  uint byte;        // byte of the result
  uint characters;  // characters of the row so far
  uint start;       // where the last of these characters begins
};

Place place_at(uint byte) { return Place(0u, byte, 0u, 0u); }

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

// Loads the bytes of a part; what is behind its end is arbitrary.
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
  [[unroll]] for (uint i = 0u; i < PART_WORDS; ++i) {
    word[i] = vkp_word_down(w[i], w[i + 1u], 8u * ahead);
  }
}

uint bits_below(uint end) { return mix(~(~0u << (end & 31u)), ~0u, end >= 32u); }

// Returns bits of the bytes of a part at which a character begins.
uint starts_of(uint word[PART_WORDS], bool is_first, uint bytes) {
  uint starts = is_first ? 1u : 0u;
  [[unroll]] for (uint i = 0u; i < PART_WORDS; ++i) {
    starts |= vkp_bits_of_bytes(vkp_starts_of_word(word[i])) << (4u * i);
  }
  return starts & bits_below(bytes);
}

// Says whether all bytes of the part are characters. Backward, the last one may go on in the part
// behind.
bool is_all_bytes(Part p) {
  return p.starts == bits_below(p.bytes) && (!is_backward() || p.end == p.begin + p.bytes);
}

Row row_of_lane(Row x, uint lane);

// Returns part `i` of the line, except its `starts`; `first` is the first part of its row.
Part part_at(VkpLine line, Row x, uint i, out uint first) {
  Part p;
  p.owner = 0u;  // number of rows that end before the part
  for (uint step = vkp_lane_count() / 2u; step != 0u; step /= 2u) {
    const uint end = subgroupShuffle(line.end, p.owner + step - 1u);
    if (end <= i) p.owner += step;
  }
  const uint ends_before = subgroupShuffle(line.end, max(p.owner, 1u) - 1u);
  first = p.owner == 0u ? 0u : ends_before;
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
  p.before = (i - first) * PART_BYTES;  // right if all is ASCII
  p.end = p.begin + p.bytes;
  return p;
}

// Returns the part of the line for this lane from `place` on; `place` moves to the part behind the
// last lane's.
Part next_part(VkpLine line, Row x, inout Place place) {
  uint first;
  Part p = part_at(line, x, place.part + gl_SubgroupInvocationID, first);
  const uint bytes = p.row.text.bytes;
  p.starts = starts_of(p.word, p.bytes != 0u && p.begin == 0u, p.bytes);

  const bool goes_on = first < place.part;  // the row began before
  const uint head = goes_on ? 0u : first - place.part;
  const uint count = bitCount(p.starts);
  const uint sum = vkp_sum_upto_lane(count) - count;
  const uint sum_at_head = subgroupShuffle(sum, head);
  p.before = sum - sum_at_head + (goes_on ? place.characters : 0u);

  // This finds the character that begins nearest in the parts before, of the same row.
  const uvec4 others = subgroupBallot(p.starts != 0u) & gl_SubgroupLtMask;
  const uint nearest = vkp_lanes_to_last(others);  // the number of that lane, and 1
  const uint start = p.begin + uint(findLSB(p.starts));
  const uint nearest_start = subgroupShuffle(start, max(nearest, 1u) - 1u);
  p.end = goes_on ? place.start : bytes;
  if (nearest > head) p.end = nearest_start;

  const uint last = vkp_lane_count() - 1u;
  place.part += vkp_lane_count();
  place.characters = subgroupShuffle(p.before + count, last);
  place.start = subgroupShuffle(p.starts != 0u ? start : p.end, last);
  return p;
}

#endif
