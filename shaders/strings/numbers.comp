// A number of each row: where a text is found, in characters, or how many characters or bytes there are.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/map.glsl"

layout(constant_id = VKP_STRINGS_SPEC_OP) const uint operation = 0;

// Of the characters start … stop - 1, all if stop is below 0.
int found_at(VkpText t, VkpText what) {
  const int start = arguments().v.start;
  const int stop = arguments().v.stop;
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

void main() {
  begin_tile();
  [[dont_unroll]] for (uint r = 0u; r < VKP_STRINGS_ROWS; ++r) {
    const uint i = row_in_tile(r);
    const uint row = vkp_group_index() * TILE_ROWS + i;
    int x = 0;
    if (row < push.rows && vkp_valid(push.a, row)) {
      set_valid(i);
      const VkpText t = vkp_row_text(push.a, row);
      if (operation == VKP_STRINGS_COUNT_BYTES) {
        x = int(t.bytes);
      } else if (operation == VKP_STRINGS_COUNT_CHARACTERS) {
        x = int(vkp_length_cp(t));
      } else {
        x = found_at(t, scalar_text());
      }
    }
    if (row < push.rows) VkpWords(vkp_add64(vkp_u64(push.out_offsets), vkp_mul64(row, 4u))).v[0] = uint(x);
  }
  end_tile(uvec2(0u), false);
}
