// FNV-1a of the bytes of a row; null rows have a number of their own.
#define VKP_NULL_VALUE 0x7ee3623au

uint vkp_value(uint row, VkpText a) {
  uint hash = 0x811c9dc5u;
  for (uint i = 0u; i < a.bytes; i += 4u) {
    const uint word = vkp_text_word(a, int(i));
    [[unroll]] for (uint k = 0u; k < 4u; ++k) {
      if (k < a.bytes - i) hash = (hash ^ word >> (8u * k) & 0xffu) * 0x01000193u;
    }
  }
  return hash;
}
