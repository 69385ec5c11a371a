// The shorter row of two columns in reverse; null where one of them is.
struct Row {
  VkpText text;
};

bool vkp_evaluate(uint row, out Row x) {
  const VkpText a = vkp_row_text(vkp_push.a, row);
  const VkpText b = vkp_row_text(vkp_push.b, row);
  x.text = a.bytes <= b.bytes ? a : b;
  return vkp_valid(vkp_push.a, row) && vkp_valid(vkp_push.b, row);
}

uint vkp_parts(Row x) { return (x.text.bytes + 31u) / 32u; }

void vkp_write_part(Row x, uint part, inout VkpWriter w) {
  const uint behind = x.text.bytes - 32u * part;
  for (uint i = behind; i > behind - min(behind, 32u); --i) {
    vkp_put_byte(w, vkp_text_byte(x.text, i - 1u));
  }
}
