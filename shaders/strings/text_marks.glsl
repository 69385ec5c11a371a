// Marks of the bytes at which a text begins in another. Whole subgroups call it, each of whose
// lanes has a part of up to 32 bytes.
//
// A lane compares texts of up to VKP_MOST_COMPARED bytes at its places; longer ones are compared by
// the subgroup, place by place, where the first bytes and the last ones agree. Data made for it
// have such places everywhere: then the time follows the product of the bytes of both.
#ifndef STRINGS_TEXT_MARKS_GLSL
#define STRINGS_TEXT_MARKS_GLSL

#include "strings/text_bytes.glsl"
#include "vkprims/subgroup/lanes.glsl"

// Says whether a text is at byte `place`, where its first 4 and last 4 bytes are known to be.
bool team_is_at(VkpText t, VkpText what, uint place) {
  bool differs = false;
  for (uint first = 4u; first < what.bytes && !vkp_any_lane(differs);
       first += 4u * gl_SubgroupSize) {
    const uint i = first + 4u * gl_SubgroupInvocationID;
    if (i + 4u <= what.bytes) {
      differs = vkp_text_word(t, int(place + i)) != vkp_text_word(what, int(i));
    }
  }
  return !vkp_any_lane(differs);
}

// Bit i says whether `what`, which has bytes, begins at byte begin + i, before byte `end`. It may
// overlap itself.
uint text_marks(VkpText t, VkpText what, uint begin, uint end) {
  uint word[8];
  load_part(t, begin, word);
  const uint behind = vkp_text_word(t, int(begin + 32u));
  // These places have room for the text.
  const uint places = t.bytes - min(t.bytes, what.bytes - 1u);
  const uint head = vkp_head(what);
  const uint mask = vkp_head_mask(what);
  uint marks = 0u;
  [[unroll]] for (uint k = 0u; k < 8u; ++k) {
    marks |= vkp_places_of_head(word[k], k < 7u ? word[min(k + 1u, 7u)] : behind, head, mask)
             << (4u * k);
  }
  end = min(end, places);
  marks &= begin < end ? bits_before(begin, end) : 0u;
  if (what.bytes <= 4u) return marks;
  const bool by_lane = what.bytes <= VKP_MOST_COMPARED;
  const uint last = vkp_text_word(what, int(what.bytes - 4u));
  for (uint left = marks; left != 0u; left &= left - 1u) {
    const uint place = begin + uint(findLSB(left));
    bool agrees = vkp_text_word(t, int(place + what.bytes - 4u)) == last;
    if (by_lane && agrees) agrees = vkp_is_at(t, place, what);
    if (!agrees) marks &= ~(left & 0u - left);
  }
  if (by_lane) return marks;
  // Each turn compares the lowest place of all lanes.
  uint known = 0u;
  for (uint left = marks; vkp_any_lane(left != 0u);) {
    const uint place = vkp_least_of_lanes(left == 0u ? ~0u : begin + uint(findLSB(left)));
    const bool is_at = team_is_at(t, what, place);
    if (left != 0u && place - begin < 32u) {
      if (is_at) known |= 1u << (place - begin);
      left &= ~(1u << (place - begin));
    }
  }
  return known;
}

// Returns marks of words, that is, of bytes that are not whitespace, behind some or at the
// beginning; and marks of whitespace.
uvec2 word_marks(VkpText t, uint begin, uint end) {
  uint word[8];
  load_part(t, begin, word);
  const uint spaces = whitespace_of_part(word);
  bool behind_space = begin == 0u;
  if (begin != 0u && begin < end) behind_space = vkp_text_byte(t, begin - 1u) <= 0x20u;
  return uvec2(~spaces & (spaces << 1 | uint(behind_space)), spaces) & bits_before(begin, end);
}

#endif
