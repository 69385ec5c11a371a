// The number that a row of up to 9 decimal digits is, maybe behind a minus; otherwise null.
bool vkp_value(uint row, VkpText a, out int number) {
  const bool is_negative = a.bytes != 0u && vkp_text_byte(a, 0u) == 0x2du;
  const uint begin = is_negative ? 1u : 0u;
  number = 0;
  if (a.bytes == begin || a.bytes - begin > 9u) return false;
  for (uint i = begin; i < a.bytes; ++i) {
    const uint digit = vkp_text_byte(a, i) - 0x30u;
    if (digit > 9u) return false;
    number = 10 * number + int(digit);
  }
  if (is_negative) number = -number;
  return true;
}
