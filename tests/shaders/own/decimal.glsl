// Numbers in decimal with a text behind, each in one part; one of them makes a null row.
layout(constant_id = VKP_STRINGS_SPEC_OP) const uint nulls = 0;

#define VKP_STRING_ROW Number
struct Number {
  uint number;
};

bool vkp_evaluate(uint row, out Number x) {
  const uvec2 at = vkp_add64(vkp_u64(vkp_arguments().v.indices), vkp_mul64(row, 4u));
  x.number = VkpWords(at).v[0];
  return x.number != nulls;
}

void vkp_write_part(Number x, uint part, inout VkpWriter w) {
  uint power = 1u;
  while (x.number / power >= 10u) power *= 10u;
  for (; power != 0u; power /= 10u) vkp_put_byte(w, 0x30u + x.number / power % 10u);
  const VkpText unit = vkp_scalar_text();
  for (uint i = 0u; i < unit.bytes; i += 4u) {
    vkp_put_bytes(w, vkp_text_word(unit, int(i)), min(unit.bytes - i, 4u));
  }
}
