// A text between quotes, with a backslash before each quote and backslash.
struct Row {
  VkpText name;
};
const uint PART_BYTES = 16;

bool vkp_evaluate(uint row, out Row x) {
  x.name = vkp_row_text(vkp_push.a, row);
  return vkp_valid(vkp_push.a, row);
}

uint vkp_parts(Row x) { return x.name.bytes / PART_BYTES + 1u; }

void vkp_write_part(Row x, uint part, inout VkpWriter w) {
  const VkpText t = vkp_substr(x.name, part * PART_BYTES, PART_BYTES);
  if (part == 0u) vkp_put_byte(w, 0x22u);
  for (uint i = 0u; i < t.bytes; ++i) {
    const uint byte = vkp_text_byte(t, i);
    if (byte == 0x22u || byte == 0x5cu) vkp_put_byte(w, 0x5cu);
    vkp_put_byte(w, byte);
  }
  if (part == x.name.bytes / PART_BYTES) vkp_put_byte(w, 0x22u);
}
