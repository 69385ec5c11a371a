// A row is the first byte of a row of a, then its first two bytes, and so on, up to six.
#define VKP_STRING_ROW Stairs
struct Stairs {
  VkpText text;
};

bool vkp_evaluate(uint row, out Stairs x) {
  x.text = vkp_row_text(vkp_push.a, row);
  return vkp_valid(vkp_push.a, row);
}

VkpText vkp_piece(const Stairs x, const uint row, const uint k) {
  return vkp_substr(x.text, 0u, k + 1u);
}
