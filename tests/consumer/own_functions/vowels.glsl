// How many vowels a row has, and whether it ends with one.
struct Vowels {
  uint count, is_last;
};

Vowels vkp_value(uint row, VkpText name) {
  Vowels x = Vowels(0u, 0u);
  for (uint i = 0u; i < name.bytes; ++i) {
    const uint letter = (vkp_text_byte(name, i) | 0x20u) - 0x61u;
    x.is_last = letter < 26u ? 0x00104111u >> letter & 1u : 0u;  // a, e, i, o, u
    x.count += x.is_last;
  }
  return x;
}
