// Reverse: out[i] = in[count - 1 - i], where in and out do not overlap.
//
// The output is written by rows of 16 bytes that are aligned in memory. The 16 bytes of the input
// that such a row comes from may begin anywhere in a row; they are joined from two rows then, one
// of which the neighbouring invocation loads anyway. Only the first and last tiles have words that
// belong to the caller in part, or input rows that are not whole; they are made byte by byte.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "elementwise/reverse/mirror.glsl"

// Returns the bytes under `mask` of the output's word at `position`. No word of the input is read
// that holds none of them.
uint load_mirrored(uvec2 position, uint mask, uvec2 bytes) {
  const uvec2 in_base = vkp_u64(push.in_base);
  if (push.element_bytes >= 4u) return VkpWords(vkp_add64(in_base, mirror(position, bytes))).v[0];
  uint word = 0u;
  for (uint i = 0u; i < 4u; ++i) {
    if ((mask >> (8u * i) & 1u) == 0u) continue;
    const uvec2 address = vkp_add64(in_base, mirror(vkp_add64(position, i), bytes));
    const uint holder = VkpWords(uvec2(address.x & ~3u, address.y)).v[0];
    word |= (holder >> (8u * (address.x & 3u)) & 0xffu) << (8u * i);
  }
  return word;
}

void main() {
  const uvec2 bytes = vkp_mul64(vkp_read_count(push.count), push.element_bytes);
  const uvec2 out_base = vkp_u64(push.out_base);
  const uint head = out_base.x & 15u;  // bytes of the first row that lie before the output
  const uint tile = vkp_group_index();
  const uvec2 offset = vkp_tile_offset(tile);
  const uint tile_bytes = 4u * vkp_tile_words();
  // A tile with at least one more row behind it is known to have an input row before its own.
  const uint valid = vkp_clamped_difference(vkp_add64(bytes, head), offset, tile_bytes + 16u);
  if (valid == 0u || bytes == uvec2(0u)) return;

  const uvec2 position = vkp_sub64(offset, uvec2(head, 0u));  // below 0 in the first row
  const uvec2 to = vkp_add64(out_base, position);
  // The last row of the tile comes from the 16 bytes here, and earlier ones from those behind.
  const uvec2 from =
      vkp_add64(vkp_u64(push.in_base), vkp_sub64(bytes, vkp_add64(position, tile_bytes)));
  const uint shift = (16u - (from.x & 15u)) & 15u;  // bytes from there to the next row
  const bool whole = valid >= tile_bytes && (tile != 0u || head == 0u);

  if (whole && (shift == 0u || (tile != 0u && valid > tile_bytes + 15u))) {
    const uvec2 rows = vkp_add64(from, shift);
    const uint last = tile_bytes / 16u - 1u;
    uvec4 row[vkp_rows];
    [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) row[i] = VkpWords4(rows).v[last - vkp_move(i)];
    if (shift != 0u) {
      const uvec2 rows_before = vkp_sub64(rows, uvec2(16u, 0u));
      uvec4 before[vkp_rows];
      [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
        before[i] = VkpWords4(rows_before).v[last - vkp_move(i)];
      }
      [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
        row[i] = vkp_joined(before[i], row[i], shift);
      }
    }
    [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
      VkpWords4(to).v[vkp_move(i)] = reversed_row(row[i]);
    }
  } else {
    const uint begin = tile == 0u ? head : 0u;
    for (uint i = 0u; i < 4u * vkp_rows; ++i) {
      const uint w = vkp_move(i);
      const uint mask = vkp_byte_mask(w, begin, min(valid, tile_bytes));
      if (mask == 0u) continue;
      const uint word = load_mirrored(vkp_add64(position, 4u * w), mask, bytes);
      vkp_store_bytes(vkp_add64(to, 4u * w), word, mask);
    }
  }
}
