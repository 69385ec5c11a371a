// Bytes other than ASCII letters and digits as %XX, in parts of 16 bytes.
struct Row {
  VkpText text;
};
const uint PART_BYTES = 16;

bool vkp_evaluate(uint row, out Row x) {
  x.text = vkp_row_text(vkp_push.a, row);
  return vkp_valid(vkp_push.a, row);
}

uint vkp_parts(Row x) { return (x.text.bytes + PART_BYTES - 1u) / PART_BYTES; }

uint digit(uint x) { return x < 10u ? 0x30u + x : 0x37u + x; }

void vkp_write_part(Row x, uint part, inout VkpWriter w) {
  const VkpText t = vkp_substr(x.text, part * PART_BYTES, PART_BYTES);
  // Rows of 100 KB take fewer turns by words than lavapipe allows.
  for (uint i = 0u; i < t.bytes; i += 4u) {
    const uint word = vkp_text_word(t, int(i));
    [[unroll]] for (uint k = 0u; k < 4u; ++k) {
      const uint byte = word >> (8u * k) & 0xffu;
      const bool stays = byte - 0x30u < 10u || (byte | 0x20u) - 0x61u < 26u;
      const uint code = 0x25u | digit(byte >> 4) << 8 | digit(byte & 15u) << 16;
      if (k < t.bytes - i) vkp_put_bytes(w, stays ? byte : code, stays ? 1u : 3u);
    }
  }
}
