// Functions that the kernels of compact share: they interpret the push constants.
#include "compact/compact/compact.abi.h"
#if defined(VKP_OWN_PREDICATE)
// VkprimsPredicate.cmake builds the kernels for a user's function. What is generated has
//   VKP_ITEM_WORDS                             words of an element
//   VKP_ARGUMENTS, VKP_ARGUMENT_WORDS          their type, with vkp_unpack_arguments(); optional
//   uint vkp_part_of(uint w[VKP_ITEM_WORDS], uvec2 index), with arguments behind it if any: it is 0
//     for an element that is chosen
#include "vkprims/core.glsl"
#include "vkprims_predicate.glsl"
#include "vkprims/device/compact.glsl"
#else
#if defined(VKP_ITEM_words1)
#define VKP_ITEM_WORDS 1
#elif defined(VKP_ITEM_words2)
#define VKP_ITEM_WORDS 2
#else
#define VKP_ITEM_WORDS 4
#endif
#include "compact/compact/flags.glsl"
#endif

#include "compact/compact/pushed.glsl"

#ifdef VKP_OWN_PREDICATE
uint vkp_flags(VkpPart part, uint existing) { return own_parts(part, existing).x; }
#else
uint vkp_flags(VkpPart part, uint existing) {
  uvec2 flags = vkp_u64(push.flags_base);
  if (source == VKP_COMPACT_BITS) {
    flags = vkp_add64(flags, vkp_mul64(push.portion, VKP_COMPACT_PORTION / 8u));
  }
  if (source == VKP_COMPACT_BYTES) flags = in_portion(push.flags_base, 1u);
  return built_in_flags(part, existing, flags, push.operand, push.portion != 0u);
}
#endif

// Whether elements are wanted.
bool moves() { return (push.out_base.lo | push.out_base.hi) != 0u; }

VkpSharedWords portion_words(uint portion) {
  return VkpSharedWords(
      vkp_add64(vkp_u64(push.portions_base), portion * VKP_COMPACT_PORTION_BYTES));
}

// Returns how many elements are selected in the portions before `portion`.
uvec2 selected_before(uint portion) {
  uvec2 total = uvec2(0u);
  for (uint i = 0u; i < portion; ++i) total = vkp_add64(total, portion_words(i).v[1]);
  return total;
}

// Returns where the results of this portion go, if `before` elements are selected in the portions
// before it and `all` in all portions. `all` matters for one output only.
VkpPlaces pushed_places(uvec2 before, uvec2 all) {
  const uint index_bytes = (vkp_outputs & VKP_COMPACT_WIDE_INDICES) != 0u ? 8u : 4u;
  const uint value_bytes = 4u * (vkp_outputs / VKP_COMPACT_VALUE_WORDS);
  const uvec2 others = vkp_sub64(portion_first(), before);
  VkpPlaces places;
  places.moves = moves();
  places.numbers = (push.index_base.lo | push.index_base.hi) != 0u;
  places.selected = vkp_add64(vkp_u64(push.out_base), vkp_mul64(before, VKP_ITEM_BYTES));
  places.rejected =
      push.one_output != 0u
          ? vkp_add64(vkp_u64(push.out_base), vkp_mul64(vkp_add64(all, others), VKP_ITEM_BYTES))
          : vkp_add64(vkp_u64(push.rejected_base), vkp_mul64(others, VKP_ITEM_BYTES));
  places.indices = vkp_add64(vkp_u64(push.index_base), vkp_mul64(before, index_bytes));
  places.first = portion_first();
  places.values_in = in_portion(push.values_in_base, value_bytes);
  places.values = vkp_add64(vkp_u64(push.values_base), vkp_mul64(before, value_bytes));
  return places;
}

void write_count(uvec2 total) {
  if (gl_LocalInvocationIndex == 0u) VkpWords2(vkp_u64(push.count_base)).v[0] = total;
}
