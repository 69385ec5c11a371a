// A struct of as many bytes as there may be.
struct Digest {
  uint64_t sum, weighted;  // of the bytes, and of each times its place, counted from 1
  uint first[2];           // four bytes each
  uint row, bytes;
};
#define VKP_NULL_VALUE Digest(0ul, 1ul, uint[2](2u, 3u), ~0u, 5u)

Digest vkp_value(uint row, VkpText a) {
  Digest x = Digest(0ul, 0ul, uint[2](0u, 0u), row, a.bytes);
  for (uint i = 0u; i < a.bytes; ++i) {
    const uint byte = vkp_text_byte(a, i);
    x.sum += byte;
    x.weighted += uint64_t(byte) * (i + 1u);
  }
  for (uint k = 0u; k < 2u; ++k) x.first[k] = vkp_text_word(a, int(4u * k));
  return x;
}
