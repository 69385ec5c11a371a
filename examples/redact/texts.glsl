// Rows as pieces of the names: initial, space, first part. The texts are "X X" and the space.
#include "row.glsl"

#define MOST_PIECES 3u

bool evaluate(uint row, out Row x) { return redact(push.a, push.b, row, x); }

VkpText piece(const Row x, const uint row, const uint k) {
  if (!x.shown) {
    if (k == 0u) return scalar_text();
    return vkp_no_text();
  }
  if (k == 1u) return second_text();
  if (k == 0u) return x.initial;
  return x.first;
}
