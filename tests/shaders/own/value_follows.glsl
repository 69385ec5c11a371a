// Whether a row of a, with a text behind it, comes before the row of b and another text, or the
// row's number asks for that.
layout(constant_id = VKP_STRINGS_SPEC_OP) const uint always = 0;

uint byte_of(VkpText x, VkpText behind, uint i) {
  if (i < x.bytes) return vkp_text_byte(x, i);
  return i - x.bytes < behind.bytes ? vkp_text_byte(behind, i - x.bytes) : 0u;
}

bool vkp_value(uint row, VkpText a, VkpText b) {
  const uvec2 at = vkp_add64(vkp_u64(vkp_arguments().v.indices), vkp_mul64(row, 4u));
  if (VkpWords(at).v[0] == always) return true;
  for (uint i = 0u; i < 3u; ++i) {
    const uint x = byte_of(a, vkp_scalar_text(), i);
    const uint y = byte_of(b, vkp_second_text(), i);
    if (x != y) return x < y;
  }
  return false;
}
