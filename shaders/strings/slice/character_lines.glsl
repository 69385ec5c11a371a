// String kernels whose rows are written character by character, by the numbers of these: see
// row_tiles.glsl.
//
// Long rows are left to other kernels, see row_tiles.glsl. As in generate.glsl, rows are made of
// parts, and those of a row of lanes stand in a line, of which every lane takes the next one. Here
// a part is 32 bytes of the row that is read, and how many characters come before it is summed up
// on the way along the line: a row of any length costs its bytes, whatever they are. Backward, a
// row is read from its end: its last bytes are the first part, and its last character is number 0.
// A character, which may have megabytes in hostile rows, is skipped as far as it lies outside
// the window.
//
// Each subgroup puts its rows together by itself, as many parts at a time as it has lanes, in words
// of its own: no more bytes come out of the parts than go in, except for characters that go on
// behind their part.
//
// A mask says which bytes of a part are in the result. Backward, there is a mask where all
// characters are single bytes, and the part is turned around; other characters are put one after
// the other. For lines that are ASCII, where every byte is a character, it is known without sums
// where a part belongs.
//
// The includer defines:
// - struct Row: what is known of a row, with members VkpText text and bool is_ascii, which is
//   false.
// - bool vkp_evaluate(uint row, out Row x): returns false for a null row.
// - bool is_backward(): is the same for all rows.
// - bool are_neighbours(): says that there is nothing between characters that are in the result; it
//   is the same for all rows.
// - uint chosen_before(Row x, uint number): returns how many of the row's characters before that
//   number are in the result.
// It defines, behind this file:
// - Row row_of_lane(Row x, uint lane): returns the x of another lane; whole subgroups call it.
// - uint chosen_bytes(Part p): returns the mask of a part, whose bit i says whether byte i is in
//   the result. Backward, the mask is of the part turned around, whose last byte has bit 31.
// - void write_characters(Part p, inout VkpWriter w): puts the bytes of a part backward, where it
//   cannot be turned around.
#ifndef STRINGS_CHARACTER_LINES_GLSL
#define STRINGS_CHARACTER_LINES_GLSL

#include "strings/slice/character_parts.glsl"

uint chosen_bytes(Part p);
void write_characters(Part p, inout VkpWriter w);

// The bytes of a part that are in the result.
struct Chosen {
  uint mask;           // mask of the bytes
  uint bytes;          // number of the bytes
  bool by_characters;  // there is no mask
};

Chosen choose(const Part p) {
  Chosen c = Chosen(0u, 0u, is_backward() && !is_all_bytes(p));
  if (c.by_characters) {
    VkpWriter w = VkpWriter(0, 0u, true);
    if (p.bytes != 0u) write_characters(p, w);
    c.bytes = uint(w.at);
  } else {
    c.mask = chosen_bytes(p);
    c.bytes = bitCount(c.mask);
  }
  return c;
}

uint word_of_part(Part p, uint i) {
  return is_backward() ? vkp_reversed_bytes(p.word[PART_WORDS - 1u - i]) : p.word[i];
}

// Writes the bytes of a part that are neighbours, all of them in the window, to byte `at` of the
// window and on.
void write_neighbours(Part p, Chosen c, int at) {
  at -= findLSB(c.mask);
  const uint up = 8u * (uint(at) & 3u);
  uint before = 0u;
  [[unroll]] for (uint i = 0u; i < PART_WORDS; ++i) {
    const uint x =
        word_of_part(p, i) & ((c.mask >> (4u * i) & 0xfu) * 0x00204081u & 0x01010101u) * 0xffu;
    stage_inside((at >> 2) + int(i), vkp_word_up(before, x, up));
    before = x;
  }
  stage_inside((at >> 2) + int(PART_WORDS), vkp_word_up(before, 0u, up));
}

// Writes bytes of a part that need not be neighbours.
void write_apart(Part p, Chosen c, int at) {
  [[unroll]] for (uint i = 0u; i < PART_WORDS; ++i) {
    const uint bits = c.mask >> (4u * i) & 0xfu;
    const uint x =
        vkp_packed(word_of_part(p, i), bits) & ~(bits == 0xfu ? 0u : ~0u << (8u * bitCount(bits)));
    const uint up = 8u * (uint(at) & 3u);
    stage_inside(at >> 2, x << up);
    stage_inside((at >> 2) + 1, vkp_word_up(x, 0u, up));
    at += bitCount(bits);
  }
}

void write_part(Part p, Chosen c, inout VkpWriter w) {
  if (c.by_characters) {
    write_characters(p, w);
    return;
  }
  [[unroll]] for (uint i = 0u; i < PART_WORDS; ++i) {
    const uint x = word_of_part(p, i);
    const uint bits = c.mask >> (4u * i) & 0xfu;
    if (bits != 0u) vkp_put_bytes(w, vkp_packed(x, bits), bitCount(bits));
  }
}

// Says whether all bytes of a row of lanes are ASCII. Those from the first row's to the last row's
// are looked at, which are all where offsets are what they should be; elsewhere the answer is no.
bool is_ascii_line(Row x) {
  const uvec4 lanes = subgroupBallot(x.text.bytes != 0u);
  const uvec2 at = subgroupShuffle(x.text.at, subgroupBallotFindLSB(lanes));
  const uvec2 own_end = vkp_add64(x.text.at, x.text.bytes);
  const uvec2 end = subgroupShuffle(own_end, vkp_lanes_to_last(lanes) - 1u);
  const bool elsewhere =
      x.text.bytes != 0u && (vkp_less64(x.text.at, at) || vkp_less64(end, own_end));
  const uvec2 begin = uvec2(at.x & ~15u, at.y);
  const uvec2 bytes = vkp_sub64(end, begin);
  if (vkp_any_lane(elsewhere || bytes.y != 0u || bytes.x > vkp_lane_count() * VKP_STRINGS_LONG)) {
    return false;
  }
  const uint ahead = at.x & 15u;
  bool is_ascii = true;
  for (uint i = 0u; vkp_any_lane(is_ascii && i < bytes.x); i += 16u * vkp_lane_count()) {
    const uint first = i + 16u * gl_SubgroupInvocationID;
    const uvec2 from = vkp_add64(begin, first);
    uint x = 0u;
    if (first >= ahead && first + 16u <= bytes.x) {
      const uvec4 all = VkpWords4(from).v[0];
      x = all.x | all.y | all.z | all.w;
    } else {
      [[unroll]] for (uint k = 0u; k < 4u; ++k) {
        if (first + 4u * k + 4u > ahead && first + 4u * k < bytes.x) x |= VkpWords(from).v[k];
      }
    }
    is_ascii = !vkp_any_lane((x & 0x80808080u) != 0u);
  }
  return is_ascii;
}

uint vkp_bytes_of_row(inout Row x, uint row, bool valid) {
  const VkpLine line = vkp_line_of(x, valid);
  if (vkp_any_lane(line.parts == 0u)) return 0u;
  x.is_ascii = is_ascii_line(x);
  if (vkp_any_lane(x.is_ascii)) return valid ? chosen_before(x, x.text.bytes) : 0u;
  Place place = place_at(0u);
  uint upto = 0u;  // bytes of parts before line.end
  while (vkp_any_lane(place.part < line.parts)) {
    const uint last = line.end - 1u - place.part;
    const bool ends = line.end > place.part && last < vkp_lane_count();
    const uint sum = vkp_sum_upto_lane(choose(next_part(line, x, place)).bytes);
    const uint upto_last = subgroupShuffle(sum, min(last, vkp_lane_count() - 1u));
    if (ends) upto = place.byte + upto_last;
    place.byte += subgroupShuffle(sum, vkp_lane_count() - 1u);
  }
  const uint previous = subgroupShuffle(upto, max(gl_SubgroupInvocationID, 1u) - 1u);
  return gl_SubgroupInvocationID == 0u ? upto : upto - previous;
}

// ---- Bytes.

// Stores the bytes of a row of lanes. This lane's row begins at byte `begin` of the tile, the first
// valid row at byte `first_byte`; `room` bytes of the tile are stored, to `at` and on.
void store_line(Row x, bool valid, uint begin, uint first_byte, uvec2 at, uint room) {
  const VkpLine line = vkp_line_of(x, valid);
  Place place = place_at(first_byte);
  while (vkp_any_lane(place.part < line.parts)) {
    // Each lane has a part, from byte part_begin of the tile on; all these parts end before
    // next.byte.
    Place next = place;
    Part p;
    Chosen c;
    uint part_begin;
    if (vkp_any_lane(x.is_ascii)) {
      uint first;
      p = part_at(line, x, place.part + gl_SubgroupInvocationID, first);
      p.starts = bits_below(p.bytes);
      c = choose(p);
      part_begin = subgroupShuffle(begin, p.owner) + chosen_before(p.row, p.before);
      next.part += vkp_lane_count();
      const uint last = min(line.parts - place.part, vkp_lane_count()) - 1u;
      next.byte = subgroupShuffle(part_begin + c.bytes, last);
    } else {
      p = next_part(line, x, next);
      c = choose(p);
      const uint upto = vkp_sum_upto_lane(c.bytes);
      part_begin = place.byte + upto - c.bytes;
      next.byte = place.byte + subgroupShuffle(upto, vkp_lane_count() - 1u);
    }
    const uint end = min(next.byte, room);
    for (uint window = place.byte; vkp_any_lane(window < end); window += window_bytes()) {
      const uvec2 target = vkp_add64(at, window);
      const uint ahead = target.x & 3u;
      const uint window_end = min(end, window + window_bytes());
      if (c.bytes != 0u && part_begin < window_end && part_begin + c.bytes > window) {
        const int to = int(part_begin + ahead - window);
        if (x.is_ascii && are_neighbours()) {
          write_neighbours(p, c, to);
        } else if (x.is_ascii) {
          write_apart(p, c, to);
        } else {
          VkpWriter w = VkpWriter(to, 0u, false);
          write_part(p, c, w);
          vkp_end_bytes(w);
        }
      }
      store_words(uvec2(target.x - ahead, target.y), ahead, ahead + window_end - window);
    }
    place = next;
  }
}

// Arrays are indexed by constants only, as compilers may otherwise keep them in memory.
void vkp_store_tile(uint tile, uvec2 total) {
  const uvec2 prefix = vkp_place_of_tile(tile, total);
  vkp_store_offsets(tile, prefix);
  const uvec2 at = vkp_add64(vkp_u64(vkp_push.out_chars), prefix);
  const uint room = vkp_clamped_difference(vkp_u64(vkp_push.capacity), prefix, total.x);
  [[dont_unroll]] for (uint r = 0u; r < VKP_STRINGS_ROWS; ++r) {
    Row x = vkp_loaded_tile.row[0];
    uint begin = vkp_loaded_tile.before[0];
    [[unroll]] for (uint k = 1u; k < VKP_STRINGS_ROWS; ++k) {
      if (k == r) {
        x = vkp_loaded_tile.row[k];
        begin = vkp_loaded_tile.before[k];
      }
    }
    // Where long rows lie between, each row is a line by itself.
    const bool valid = vkp_is_own_row(vkp_loaded_tile, r);
    const uint lines = vkp_loaded_tile.has_long_rows ? vkp_lane_count() : 1u;
    for (uint line = 0u; line < lines; ++line) {
      const bool is_of_line = lines == 1u || line == gl_SubgroupInvocationID;
      store_line(x, valid && is_of_line, begin, subgroupShuffle(begin, line), at, room);
    }
  }
}

#endif
