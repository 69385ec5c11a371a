// A row is b, a text, a and another text, unless a number says that the row is null.
layout(constant_id = VKP_STRINGS_SPEC_OP) const uint nulls = 0;  // rows with this number are null

struct Row {
  VkpText a, b;
};

bool vkp_evaluate(uint row, out Row x) {
  x.a = vkp_row_text(vkp_push.a, row);
  x.b = vkp_row_text(vkp_push.b, row);
  const uint number =
      VkpWords(vkp_add64(vkp_u64(vkp_arguments().v.indices), vkp_mul64(row, 4u))).v[0];
  return number != nulls && vkp_valid(vkp_push.a, row) && vkp_valid(vkp_push.b, row);
}

VkpText vkp_piece(const Row x, const uint row, const uint k) {
  if (k == 0u) return x.b;
  if (k == 1u) return vkp_scalar_text();
  if (k == 2u) return x.a;
  return vkp_second_text();
}
