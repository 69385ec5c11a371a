// Copies by 16-byte rows, by words, or shifted by bytes.
//
// The output is seen as words from its address rounded down to 4. Whole words are written by plain
// stores of their owner; a first or last word that holds bytes of others is merged atomically.
// Where `in` and `out` differ in alignment, an output word is assembled from the two input words
// that it straddles.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "vkprims/memory/bytes.glsl"
#include "vkprims/memory/tile.glsl"
#include "elementwise/copy/copy.abi.h"

layout(constant_id = VKP_COPY_SPEC_ALIGNED) const uint aligned_words = 1;
layout(push_constant) uniform Push { CopyPush push; };

// Returns the word made of the 4 bytes at any address; all of them are inside the input.
uint load_straddling(uvec2 address) {
  const uint shift = 8u * (address.x & 3u);
  VkpWords in_words = VkpWords(uvec2(address.x & ~3u, address.y));
  const uint low = in_words.v[0];
  return shift == 0u ? low : (low >> shift) | (in_words.v[1] << (32u - shift));
}

// Returns the bytes under `mask` of the word at any address. No word is read that holds none of
// them.
uint load_bytes(uvec2 address, uint mask) {
  uint word = 0u;
  for (uint i = 0u; i < 4u; ++i) {
    const uvec2 byte_address = vkp_add64(address, i);
    if (((mask >> (8u * i)) & 1u) != 0u) {
      const uint holder = VkpWords(uvec2(byte_address.x & ~3u, byte_address.y)).v[0];
      word |= ((holder >> (8u * (byte_address.x & 3u))) & 0xffu) << (8u * i);
    }
  }
  return word;
}

void main() {
  const uvec2 count = vkp_read_count(push.count);
  const uint head = aligned_words != 0u ? 0u : push.out_base.lo & 3u;
  // Positions are in bytes from the first word that holds output.
  const uvec2 end = vkp_add64(vkp_mul64(count, push.element_bytes), head);
  const uint tile = vkp_group_index();
  const uvec2 offset = vkp_tile_offset(tile);
  const uint tile_bytes = 4u * vkp_tile_words();
  const uint valid = vkp_clamped_difference(end, offset, tile_bytes);
  if (valid == 0u || count == uvec2(0u)) return;

  const uvec2 out_base = vkp_add64(vkp_sub64(vkp_u64(push.out_base), uvec2(head, 0u)), offset);
  const uvec2 in_base = vkp_add64(vkp_sub64(vkp_u64(push.in_base), uvec2(head, 0u)), offset);
  const bool interior = valid == tile_bytes && (tile != 0u || head == 0u);

  if (interior && aligned_words != 0u && vkp_row_words == 4u) {
    uvec4 row[vkp_rows];
    [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) row[i] = VkpWords4(in_base).v[vkp_move(i)];
    [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) VkpWords4(out_base).v[vkp_move(i)] = row[i];
  } else if (interior) {
    uint word[4 * vkp_rows];
    [[unroll]] for (uint i = 0u; i < 4u * vkp_rows; ++i) {
      word[i] = aligned_words != 0u ? VkpWords(in_base).v[vkp_move(i)]
                                    : load_straddling(vkp_add64(in_base, 4u * vkp_move(i)));
    }
    [[unroll]] for (uint i = 0u; i < 4u * vkp_rows; ++i) {
      VkpWords(out_base).v[vkp_move(i)] = word[i];
    }
  } else {
    const uint begin = tile == 0u ? head : 0u;
    for (uint i = 0u; i < 4u * vkp_rows; ++i) {
      const uint w = vkp_move(i);
      const uint mask = vkp_byte_mask(w, begin, valid);
      const uint value = load_bytes(vkp_add64(in_base, 4u * w), mask);
      vkp_store_bytes(vkp_add64(out_base, 4u * w), value, mask);
    }
  }
}
