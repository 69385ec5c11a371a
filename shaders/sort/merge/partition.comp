// Merge, first dispatch: finds where the tiles of the output begin in a, with one invocation for
// each tile (see tiles.comp).
//
// Of the first d elements of the output, i come from a, where i is the number of elements of a that
// belong before their counterpart on the diagonal, b[d - 1 - i]. Along the diagonal, "a[i] not
// above b[d - 1 - i]" turns from true to false once, and a binary search finds the place. Whatever
// the data, the result is a legal split.
// %VARIANT% KEY word|pair
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sort/merge/merge.glsl"

bool a_first(const uvec2 i, const uvec2 diagonal) {
  const uvec2 j = vkp_sub64(diagonal, vkp_add64(i, 1u));
  const VKP_KEY a = vkp_load_key(vkp_add64(vkp_u64(push.a_base), vkp_mul64(i, VKP_KEY_BYTES)));
  const VKP_KEY b = vkp_load_key(vkp_add64(vkp_u64(push.b_base), vkp_mul64(j, VKP_KEY_BYTES)));
  return !vkp_key_less(b, a);
}

uvec2 split(Counts counts, uvec2 diagonal) {
  uvec2 first = uvec2(0u);
  if (vkp_less64(counts.b, diagonal)) first = vkp_sub64(diagonal, counts.b);
  uvec2 left = vkp_sub64(vkp_min64(diagonal, counts.a), first);
  while (left != uvec2(0u)) {
    const uvec2 half_left = vkp_shr64(vkp_add64(left, 1u), 1u);
    const uvec2 next = vkp_add64(first, half_left);
    if (a_first(vkp_sub64(next, uvec2(1u, 0u)), diagonal)) first = next;
    left = vkp_sub64(left, half_left);
  }
  return first;
}

void main() {
  const Counts counts = read_counts();
  const uvec2 number =
      vkp_add64(vkp_mul64(vkp_group_index(), gl_WorkGroupSize.x), gl_LocalInvocationIndex);
  if (number == uvec2(0u)) {
    store_count_out(counts);
    VkpWords2(vkp_add64(vkp_u64(push.scratch), VKP_MERGE_TOTAL_OFFSET)).v[0] = counts.total;
  }
  const uvec2 diagonal = vkp_mul64(number, push.tile_items);
  // Tiles begin below the total; one more split ends the last of them.
  const uvec2 past = vkp_add64(counts.total, push.tile_items);
  if (!vkp_less64(diagonal, past)) return;
  VkpWords2(split_address(number.x)).v[0] = split(counts, vkp_min64(diagonal, counts.total));
}
