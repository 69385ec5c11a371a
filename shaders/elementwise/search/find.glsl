// Binary search without branches, of several needles at a time, and of one by a whole subgroup.
//
// The includer defines VKP_KEY and VKP_KEY_WORDS, the type of keys and the words of an element;
// `items`, how many needles an invocation looks for; and
//   uvec2 haystack_address(uvec2 index)
//   VKP_KEY haystack_key(uvec2 address)             the key of an element of the haystack
//   bool before(VKP_KEY element, VKP_KEY needle)    whether it comes before the needle's place
#ifndef ELEMENTWISE_SEARCH_FIND_GLSL
#define ELEMENTWISE_SEARCH_FIND_GLSL

const uint element_bytes = 4u * VKP_KEY_WORDS;

// Elements of the haystack from `first` on.
struct Range {
  uvec2 first, count;
};

// Returns the place of a needle in the first `count` elements, in all lanes.
uvec2 find_together(VKP_KEY needle, uvec2 count) {
  const uint lanes_shift = uint(findLSB(gl_SubgroupSize));
  uvec2 start = uvec2(0u);
  uvec2 length = count;  // at most so many elements after `start` are undecided
  while (length != uvec2(0u)) {
    const uvec2 stride = vkp_add64(vkp_shr64(length, lanes_shift), 1u);
    const uvec2 end = vkp_add64(start, vkp_mul64(stride, gl_SubgroupInvocationID + 1u));
    bool is_before = false;
    if (!vkp_less64(count, end)) {
      is_before = before(haystack_key(vkp_sub64(haystack_address(end), uvec2(element_bytes, 0u))),
                         needle);
    }
    const uint strides = subgroupBallotBitCount(subgroupBallot(is_before));
    start = vkp_add64(start, vkp_mul64(stride, strides));
    length = vkp_sub64(stride, uvec2(1u, 0u));
  }
  return start;
}

// Finds the places of needles, each among the `count` elements from its `first` on.
void find(uvec2 first[items], uvec2 count, VKP_KEY needle[items], out uvec2 index[items]) {
  uvec2 position[items];  // as addresses
  [[unroll]] for (uint i = 0u; i < items; ++i) position[i] = haystack_address(first[i]);
  for (uvec2 left = count; left != uvec2(0u);) {
    const uvec2 half_left = vkp_shr64(vkp_add64(left, 1u), 1u);
    const uvec2 ahead = vkp_mul64(half_left, element_bytes);
    uvec2 next[items];
    VKP_KEY element[items];
    [[unroll]] for (uint i = 0u; i < items; ++i) {
      next[i] = vkp_add64(position[i], ahead);
      element[i] = haystack_key(vkp_sub64(next[i], uvec2(element_bytes, 0u)));
    }
    [[unroll]] for (uint i = 0u; i < items; ++i) {
      if (before(element[i], needle[i])) position[i] = next[i];
    }
    // This bounds both what remains behind and what remains before.
    left = vkp_sub64(left, half_left);
  }
  [[unroll]] for (uint i = 0u; i < items; ++i) {
    index[i] = vkp_shr64(vkp_sub64(position[i], vkp_u64(push.haystack_base)), 1u + VKP_KEY_WORDS);
  }
}

#endif
