// A text, the row of a, and another text.
struct Row {
  VkpText name;
};

bool vkp_evaluate(uint row, out Row x) {
  x.name = vkp_row_text(vkp_push.a, row);
  return vkp_valid(vkp_push.a, row);
}

VkpText vkp_piece(Row x, uint row, uint k) {
  if (k == 1u) return x.name;
  if (k == 0u) return vkp_scalar_text();
  return vkp_second_text();
}
