// What the push constants of compactions say of the sequence, and what a user's function says of
// its elements.
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

#ifdef VKP_OWN_PREDICATE
// Asks the user's function for each element of this lane. The bits of the first word say which
// elements are of part 0, and those of the second word which are of part 1, in the order of
// vkp_flags() of vkprims/device/compact.glsl.
uvec2 own_parts(VkpPart part, uint existing) {
#ifdef VKP_ARGUMENTS
  const VKP_ARGUMENTS arguments = pushed_arguments();
#endif
  uvec4 cells[vkp_rows];
  vkp_load_part(part, existing, existing, cells);
  uvec2 flags = uvec2(0u);
  [[unroll]] for (uint i = 0u; i < vkp_batch_marks; ++i) {
    const uint row = i / VKP_CELL_ITEMS;
    const uint item = i % VKP_CELL_ITEMS;
    const uint number = part.first + vkp_part_cell(row) * VKP_CELL_ITEMS + item;
    uint w[VKP_ITEM_WORDS];
    [[unroll]] for (uint k = 0u; k < VKP_ITEM_WORDS; ++k) {
      w[k] = cells[row][item * VKP_ITEM_WORDS + k];
    }
    uint own = 2u;
    if ((existing >> i & 1u) != 0u) {
#ifdef VKP_ARGUMENTS
      own = vkp_part_of(w, vkp_add64(portion_first(), number), arguments);
#else
      own = vkp_part_of(w, vkp_add64(portion_first(), number));
#endif
    }
    flags |= uvec2(own == 0u ? 1u : 0u, own == 1u ? 1u : 0u) << i;
  }
  return flags;
}
#endif
