// Merge, first dispatch: finds where the tiles of the output begin in a (see tiles.comp). An
// invocation searches for a tile or, if there are few, a subgroup does.
//
// Of the first d elements of the output, i come from a, where i is the number of elements of a that
// belong before their counterpart on the diagonal, b[d - 1 - i]. Along the diagonal, "a[i] not
// above b[d - 1 - i]" turns from true to false once, and a binary search finds the place. Whatever
// the data, the result is a legal split.
// %VARIANT% KEY word|pair
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sort/merge/merge.glsl"
#include "vkprims/subgroup/narrow.glsl"

layout(constant_id = VKP_MERGE_SPEC_BY_SUBGROUP) const uint by_subgroup = 0;

bool a_first(const uvec2 i, const uvec2 diagonal) {
  const uvec2 j = vkp_sub64(diagonal, vkp_add64(i, 1u));
  const VKP_KEY a = vkp_load_key(vkp_add64(vkp_u64(push.a_base), vkp_mul64(i, VKP_KEY_BYTES)));
  const VKP_KEY b = vkp_load_key(vkp_add64(vkp_u64(push.b_base), vkp_mul64(j, VKP_KEY_BYTES)));
  return !vkp_key_less(b, a);
}

uvec2 split(Counts counts, uvec2 diagonal) {
  uvec2 low = vkp_less64(counts.b, diagonal) ? vkp_sub64(diagonal, counts.b) : uvec2(0u);
  uvec2 high = vkp_min64(diagonal, counts.a);
  while (vkp_less64(low, high)) {
    if (by_subgroup != 0u) {
      const uvec2 place = vkp_place_of_lane(low, high, gl_SubgroupInvocationID);
      vkp_narrow(low, high, a_first(place, diagonal));
    } else {
      const uvec2 middle = vkp_add64(low, vkp_shr64(vkp_sub64(high, low), 1u));
      if (a_first(middle, diagonal)) {
        low = vkp_add64(middle, 1u);
      } else {
        high = middle;
      }
    }
  }
  return low;
}

void main() {
  const Counts counts = read_counts();
  if (vkp_group_index() == 0u && gl_LocalInvocationIndex == 0u) {
    store_count_out(counts);
    VkpWords2(vkp_add64(vkp_u64(push.scratch), VKP_MERGE_TOTAL_OFFSET)).v[0] = counts.total;
  }
  // Tiles begin below the total; one more split ends the last of them.
  const uvec2 past = vkp_add64(counts.total, push.tile_items);
  if (by_subgroup != 0u) {
    // Subgroups may be more or fewer than the host thinks.
    const uint step = gl_NumWorkGroups.x * gl_NumWorkGroups.y * gl_NumSubgroups;
    for (uint i = vkp_group_index() * gl_NumSubgroups + gl_SubgroupID;; i += step) {
      const uvec2 diagonal = vkp_mul64(i, push.tile_items);
      if (!vkp_less64(diagonal, past)) break;
      const uvec2 found = split(counts, vkp_min64(diagonal, counts.total));
      if (gl_SubgroupInvocationID == 0u) VkpWords2(split_address(i)).v[0] = found;
    }
  } else {
    const uvec2 number =
        vkp_add64(vkp_mul64(vkp_group_index(), gl_WorkGroupSize.x), gl_LocalInvocationIndex);
    const uvec2 diagonal = vkp_mul64(number, push.tile_items);
    if (!vkp_less64(diagonal, past)) return;
    VkpWords2(split_address(number.x)).v[0] = split(counts, vkp_min64(diagonal, counts.total));
  }
}
