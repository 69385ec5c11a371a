// A whole kernel that makes a value of each row of a column of strings, or of the rows of two: a
// bit, or up to 8 words. An invocation makes the values of whole rows, one after another; rows of
// neighbours are neighbours, too.
//
// The includer defines, before:
// - VKP_VALUE_WORDS: words of a value; 0: a bit.
// - bool vkp_words_of_row(uint row, VkpText a, out uint w[VKP_VALUE_WORDS]): stores the words of
//   the value, and returns false if the row becomes null. w has one word for a bit, which is set if
//   the word is not 0. With VKP_VALUES_OF_TWO there is a parameter VkpText b behind a.
// - void vkp_words_of_null(out uint w[VKP_VALUE_WORDS]): stores those of a null row.
#ifndef VKPRIMS_STRINGS_VALUES_GLSL
#define VKPRIMS_STRINGS_VALUES_GLSL

#include "vkprims/strings/store_row_bits.glsl"

#define VKP_WORDS_OF_ROW (VKP_VALUE_WORDS == 0 ? 1 : VKP_VALUE_WORDS)

// Returns false for a null row.
bool vkp_read_row(const uint row, out uint w[VKP_WORDS_OF_ROW]) {
  if (!vkp_valid(vkp_push.a, row)) return false;
  const VkpText a = vkp_row_text(vkp_push.a, row);
#ifdef VKP_VALUES_OF_TWO
  if (!vkp_valid(vkp_push.b, row)) return false;
  return vkp_words_of_row(row, a, vkp_row_text(vkp_push.b, row), w);
#else
  return vkp_words_of_row(row, a, w);
#endif
}

// Stores the value of row `row`, which has place `i` in its tile.
void vkp_store_value(const uint row, const uint i, const uint w[VKP_WORDS_OF_ROW]) {
#if VKP_VALUE_WORDS == 0
  if (w[0] != 0u) vkp_set_bit(i);
#else
  VkpWords values = VkpWords(
      vkp_add64(vkp_u64(vkp_push.out_offsets), vkp_mul64(row, 4u * VKP_VALUE_WORDS)));
  [[unroll]] for (uint k = 0u; k < VKP_VALUE_WORDS; ++k) values.v[k] = w[k];
#endif
}

void vkp_map_rows() {
  const uint first = vkp_group_index() * VKP_BITS_ROWS;
  if (first >= vkp_push.rows) return;
  vkp_begin_bits();
  [[dont_unroll]] for (uint r = 0u; r < VKP_STRINGS_ROWS; ++r) {
    const uint i = vkp_row_in_tile(r);
    if (first + i < vkp_push.rows) {
      uint w[VKP_WORDS_OF_ROW];
      if (vkp_read_row(first + i, w)) {
        vkp_set_valid(i);
      } else {
        vkp_words_of_null(w);
      }
      vkp_store_value(first + i, i, w);
    }
  }
#if VKP_VALUE_WORDS == 0
  vkp_end_bits(vkp_u64(vkp_push.out_offsets), false);
#else
  vkp_end_bits(uvec2(0u), false);
#endif
}

#endif
