// A row is a number below 100, in two digits, which are bytes of a text.
struct Row {
  uint number;
};

bool vkp_evaluate(uint row, out Row x) {
  x.number = VkpWords(vkp_add64(vkp_u64(vkp_arguments().v.indices), vkp_mul64(row, 4u))).v[0];
  return x.number < 100u;
}

VkpText vkp_piece(const Row x, const uint row, const uint k) {
  const uint digit = k == 0u ? x.number / 10u : x.number % 10u;
  return vkp_substr(vkp_scalar_text(), digit, 1u);
}
