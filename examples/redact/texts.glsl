// Rows as pieces of the names: initial, space, first part. The texts are "X X" and the space.
#include "row.glsl"

#define VKP_STRING_ROW Row

bool vkp_evaluate(uint row, out Row x) { return redact(vkp_push.a, vkp_push.b, row, x); }

VkpText vkp_piece(const Row x, const uint row, const uint k) {
  if (!x.shown) {
    if (k == 0u) return vkp_scalar_text();
    return vkp_no_text();
  }
  if (k == 1u) return vkp_second_text();
  if (k == 0u) return x.initial;
  return x.first;
}
