// Reverse in place: elements i and count - 1 - i change places.
//
// Tiles divide the first half of the sequence, and each invocation exchanges its bytes of this half
// with their mirror image in the second half: it loads both before it stores both, and nobody else
// uses them, so nothing waits for anybody. Where the mirror images of rows or words are rows or
// words, they are exchanged as such. Words of which only some bytes belong to an invocation are
// loaded and merged atomically, as others do the same with the other bytes.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "elementwise/reverse/mirror.glsl"

uint load_shared(uvec2 address, uint mask) {
  if (mask == 0u) return 0u;
  return atomicLoad(VkpSharedWords(address).v[0], gl_ScopeQueueFamily, 0, 0);
}

// Exchanges the bytes under `mask` of the word at `position` with their mirror image.
void exchange(uvec2 base, uvec2 position, uint mask, uvec2 bytes) {
  const uvec2 front = vkp_add64(base, position);
  if (push.element_bytes >= 4u) {
    const uvec2 back = vkp_add64(base, mirror(position, bytes));
    const uint word = VkpWords(front).v[0];
    VkpWords(front).v[0] = VkpWords(back).v[0];
    VkpWords(back).v[0] = word;
    return;
  }
  // The image of these four bytes lies in one word or in two.
  const uvec2 image = vkp_add64(base, vkp_sub64(bytes, vkp_add64(position, 4u)));
  const uvec2 low = uvec2(image.x & ~3u, image.y), high = vkp_add64(low, 4u);
  const uint shift = 8u * (image.x & 3u);
  const uint image_mask = reversed_word(mask);
  const uint low_mask = image_mask << shift;
  const uint high_mask = shift == 0u ? 0u : image_mask >> (32u - shift);
  const uint word = reversed_word(load_shared(front, mask));
  const uint low_word = load_shared(low, low_mask);
  const uint high_word = load_shared(high, high_mask);
  vkp_store_bytes(front, reversed_word(vkp_word_down(low_word, high_word, shift)), mask);
  vkp_store_bytes(low, word << shift, low_mask);
  if (shift != 0u) vkp_store_bytes(high, word >> (32u - shift), high_mask);
}

void main() {
  const uvec2 count = vkp_read_count(push.count);
  const uvec2 base = vkp_u64(push.out_base);
  const uvec2 bytes = vkp_mul64(count, push.element_bytes);
  const uvec2 half_bytes = vkp_mul64(vkp_shr64(count, 1u), push.element_bytes);
  const uint head = base.x & 15u;  // bytes of the first row that lie before the sequence
  const uint tile = vkp_group_index();
  const uvec2 offset = vkp_tile_offset(tile);
  const uint tile_words = vkp_tile_words();
  const uint valid = vkp_clamped_difference(vkp_add64(half_bytes, head), offset, 4u * tile_words);
  if (valid == 0u || half_bytes == uvec2(0u)) return;

  const uvec2 position = vkp_sub64(offset, uvec2(head, 0u));  // below 0 in the first row
  const uvec2 front = vkp_add64(base, position);
  const uvec2 back = vkp_add64(base, vkp_sub64(bytes, vkp_add64(position, 4u * tile_words)));
  const bool whole = valid == 4u * tile_words && (tile != 0u || head == 0u);

  if (whole && (back.x & 15u) == 0u) {
    const uint last = tile_words / 4u - 1u;
    uvec4 a[vkp_rows], b[vkp_rows];
    [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
      a[i] = VkpWords4(front).v[vkp_move(i)];
      b[i] = VkpWords4(back).v[last - vkp_move(i)];
    }
    [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
      VkpWords4(front).v[vkp_move(i)] = reversed_row(b[i]);
      VkpWords4(back).v[last - vkp_move(i)] = reversed_row(a[i]);
    }
  } else if (whole && (back.x & 3u) == 0u) {
    // Elements of 16 bytes are rows, and those of 8 bytes keep their two words in order.
    const uint last = tile_words - 1u, swap = push.element_bytes == 8u ? 1u : 0u;
    uint a[4 * vkp_rows], b[4 * vkp_rows];
    [[unroll]] for (uint i = 0u; i < 4u * vkp_rows; ++i) {
      a[i] = VkpWords(front).v[vkp_move(i)];
      b[i] = VkpWords(back).v[last - vkp_move(i) ^ swap];
    }
    [[unroll]] for (uint i = 0u; i < 4u * vkp_rows; ++i) {
      VkpWords(front).v[vkp_move(i)] = reversed_word(b[i]);
      VkpWords(back).v[last - vkp_move(i) ^ swap] = reversed_word(a[i]);
    }
  } else {
    const uint begin = tile == 0u ? head : 0u;
    for (uint i = 0u; i < 4u * vkp_rows; ++i) {
      const uint w = vkp_move(i);
      const uint mask = vkp_byte_mask(w, begin, valid);
      if (mask != 0u) exchange(base, vkp_add64(position, 4u * w), mask, bytes);
    }
  }
}
