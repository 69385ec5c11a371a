// What the push constants of compactions say of the sequence, and of the arguments of a predicate
// of a user's.
layout(push_constant) uniform Push { CompactPush push; };

uvec2 portion_first() { return vkp_shl64(uvec2(push.portion, 0u), VKP_COMPACT_PORTION_SHIFT); }

// The address of what belongs to the first element of the portion, in a sequence of elements of
// `bytes` bytes.
uvec2 in_portion(const VkpU64 base, const uint bytes) {
  return vkp_add64(vkp_u64(base), vkp_mul64(portion_first(), bytes));
}

VkpSequence pushed_sequence() {
  const uint count =
      vkp_clamped_difference(vkp_read_count(push.count), portion_first(), VKP_COMPACT_PORTION);
  return VkpSequence(in_portion(push.in_base, VKP_ITEM_BYTES), count);
}

#ifdef VKP_ARGUMENTS
VKP_ARGUMENTS pushed_arguments() {
  const uint pushed[] = {push.operand.word0,     push.operand.word1,     push.flags_base.lo,
                         push.flags_base.hi,     push.values_in_base.lo, push.values_in_base.hi,
                         push.values_base.lo,    push.values_base.hi};
  const uvec2 address = vkp_u64(push.operand.address);
  uint w[VKP_ARGUMENT_WORDS];
  [[unroll]] for (uint i = 0u; i < VKP_ARGUMENT_WORDS; ++i) w[i] = pushed[i];
  if (address != uvec2(0u)) {
    [[unroll]] for (uint i = 0u; i < VKP_ARGUMENT_WORDS; ++i) w[i] = VkpWords(address).v[i];
  }
  return vkp_unpack_arguments(w);
}
#endif
