// Upper or lower case where every character takes as many bytes as before, as almost all do. Then
// rows stay where they are, and 16 bytes are changed at a time whatever rows they belong to,
// without need of what other tiles have.
//
// Whether that holds is seen while it is done: a tile that finds a character of another length,
// null rows with bytes, or offsets that are out of order says so in the arguments, and
// change_case.comp, which follows, makes all of the result again.
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#include "strings/change_case/case.glsl"
#include "vkprims/strings/outputs.glsl"

VkpText tile_text;
uint text_ahead;  // bytes of tile_text before those that this workgroup changes
bool fits = true;

// Returns a code point as UTF-8 of `bytes` bytes, or 0 if it takes another number of bytes.
uint encode(uint x, uint bytes) {
  if (bytes == 2u) return x >= 0x80u && x < 0x800u ? 0x80c0u | x >> 6 | (x & 0x3fu) << 8 : 0u;
  return x >= 0x800u ? 0x8080e0u | x >> 12 | (x >> 6 & 0x3fu) << 8 | (x & 0x3fu) << 16 : 0u;
}

// Changes the bytes of ASCII in a word, and keeps the others.
uint change_word(uint x) {
  const uint wide = (x >> 7 & 0x01010101u) * 0xffu;
  return change_ascii(x & 0x7f7f7f7fu) & ~wide | x & wide;
}

// Replaces the characters of 16 bytes, which are byte `first` of this workgroup's and on; one may
// have begun before.
uvec4 replace_characters(uvec4 x, int first) {
  for (int k = -2; k < 16; ++k) {
    const int i = int(text_ahead) + first + k;
    if (i < 0 || i >= int(tile_text.bytes)) continue;
    const uint word = vkp_text_word(tile_text, i);
    const uint bytes = unit_bytes(word);
    if (bytes != 2u && bytes != 3u) continue;
    const uint target = changed(code_point_of(word, bytes));
    if (target == 0u) continue;
    uint to_bytes = 0u;
    if (target < VKP_CASE_EXPANSION || target >= VKP_CASE_EXPANSION_END) {
      to_bytes = encode(target, bytes);
    }
    if (to_bytes == 0u) {
      fits = false;
      return x;
    }
    const uint before = k < 0 ? 8u * uint(-k) : 0u;  // bits that belong to the unit before
    const uint mask = ~(~0u << (8u * bytes)) >> before;
    const uint up = uint(max(k, 0));
    x = x & ~vkp_move_up(uvec4(mask, 0u, 0u, 0u), up) |
        vkp_move_up(uvec4(to_bytes >> before, 0u, 0u, 0u), up);
  }
  return x;
}

uvec4 change_bytes(uvec4 x, int first) {
  const uint all = x.x | x.y | x.z | x.w;
  x = uvec4(change_word(x.x), change_word(x.y), change_word(x.z), change_word(x.w));
  return (all & 0x80808080u) == 0u ? x : replace_characters(x, first);
}

#define VKP_CHANGED(x, first) change_bytes(x, first)
#include "vkprims/strings/units.glsl"

// Stores the offsets of the rows, each as far behind the first one as it was, and their validity.
void store_rows(uint tile, uvec2 column_begin) {
  const uint rows = vkp_rows_of_tile(tile);
  uvec2 begin[VKP_STRINGS_ROWS], end[VKP_STRINGS_ROWS];
  bool valid[VKP_STRINGS_ROWS];
  // There are no branches, so that all loads are on their way together.
  [[unroll]] for (uint r = 0u; r < VKP_STRINGS_ROWS; ++r) {
    const uint row =
        tile * vkp_tile_rows() + min(r * gl_WorkGroupSize.x + vkp_lane_of_tile(), rows - 1u);
    vkp_row_offsets(vkp_push.a, row, begin[r], end[r]);
    valid[r] = vkp_valid(vkp_push.a, row);
  }
  [[unroll]] for (uint r = 0u; r < VKP_STRINGS_ROWS; ++r) {
    const uint i = r * gl_WorkGroupSize.x + vkp_lane_of_tile();
    if (i < rows && valid[r]) vkp_set_valid(tile, i);
    if (i < rows) vkp_store_offset(tile * vkp_tile_rows() + i, vkp_sub64(begin[r], column_begin));
    fits = fits && !vkp_less64(end[r], begin[r]) &&
           !vkp_less64(vkp_u64(vkp_push.a.bytes), end[r]) && (valid[r] || begin[r] == end[r]);
  }
  if (!fits) return;
  // A row that begins with the rest of a character would be read as part of one in the row before.
  // For rows without bytes any word is looked at.
  uint first[VKP_STRINGS_ROWS];
  [[unroll]] for (uint r = 0u; r < VKP_STRINGS_ROWS; ++r) {
    uvec2 at = vkp_u64(vkp_push.scratch);
    if (begin[r] != end[r]) at = vkp_add64(vkp_u64(vkp_push.a.chars), begin[r]);
    first[r] = vkp_text_byte(VkpText(at, 1u), 0u);
  }
  [[unroll]] for (uint r = 0u; r < VKP_STRINGS_ROWS; ++r) {
    fits = fits && (begin[r] == end[r] || vkp_is_start(first[r]));
  }
}

void store_tile(uint tile, uvec2 column_begin) {
  vkp_clear_valid();
  store_rows(tile, column_begin);
  barrier();
  vkp_store_validity(tile);
}

// Returns the number of workgroups: one for each tile of rows, and more where rows are long, as
// bytes are shared out evenly.
uint group_count() {
  return max(vkp_tile_count(),
             vkp_shr64(vkp_u64(vkp_push.a.bytes), VKP_STRINGS_CASE_BYTES_SHIFT).x + 1u);
}

// Stores the bytes of a workgroup. Some bytes before and behind them are read, too, as their
// characters may reach there.
void store_bytes(uint group, uvec2 column_begin, uvec2 column_bytes) {
  const uint each = (vkp_shr64(column_bytes, 8u).x / group_count() + 1u) << 8;
  const uvec2 begin = vkp_mul64(group, each);
  const uint bytes = vkp_clamped_difference(column_bytes, begin, each);
  if (bytes == 0u) return;
  text_ahead = vkp_min64(begin, uvec2(4u, 0u)).x;
  const uvec2 at = vkp_add64(vkp_add64(vkp_u64(vkp_push.a.chars), column_begin), begin);
  tile_text = VkpText(vkp_sub64(at, uvec2(text_ahead, 0u)),
                      text_ahead + vkp_clamped_difference(column_bytes, begin, bytes + 4u));
  vkp_store_copy(begin, at, bytes);
}

void main() {
  const uint group = vkp_group_index();
  if (group >= group_count() || vkp_push.rows == 0u) return;
  uvec2 column_begin, column_end, unused;
  vkp_row_offsets(vkp_push.a, 0u, column_begin, unused);
  vkp_row_offsets(vkp_push.a, vkp_push.rows - 1u, unused, column_end);
  if (group < vkp_tile_count()) store_tile(group, column_begin);
  // Nothing is stored where offsets are out of order: the row where they descend has said so, maybe
  // in another tile. Nor is it where there is no room for all bytes, as those without room are not
  // looked at.
  const bool in_order =
      !vkp_less64(column_end, column_begin) && !vkp_less64(vkp_u64(vkp_push.a.bytes), column_end);
  const uvec2 column_bytes = vkp_sub64(column_end, column_begin);
  if (in_order && !vkp_less64(vkp_u64(vkp_push.capacity), column_bytes)) {
    store_bytes(group, column_begin, column_bytes);
  } else {
    fits = false;
  }
  if (!fits) vkp_give_up();
}
