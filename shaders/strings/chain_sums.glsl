// This is what unit_sums.comp adds up of texts that overlap themselves (chains.glsl), and what is
// known of a row from that. This file takes the place of long_sums.glsl.
//
// The includer defines:
// - uvec2 marks_of_part(VkpText t, uint begin, uint end): returns, as marks of the first kind,
//   where the text begins; see long_sums.glsl.
#ifndef STRINGS_CHAIN_SUMS_GLSL
#define STRINGS_CHAIN_SUMS_GLSL

#include "strings/long_rows.glsl"
#include "strings/chains.glsl"

// This is what neighbouring units have. Where these begin a row, what comes before has no say.
struct RowChain {
  Chain chain;
  bool begins_row;
};

#define VKP_T RowChain
#define VKP_WORDS 6
void vkp_pack(RowChain x, out uint w[6]) {
  pack_chain(x.chain, w);
  if (x.begins_row) w[3] |= CHAIN_FLAG;
}
RowChain vkp_unpack(uint w[6]) {
  const bool begins_row = (w[3] & CHAIN_FLAG) != 0u;
  w[3] &= ~CHAIN_FLAG;
  return RowChain(unpack_chain(w), begins_row);
}
RowChain vkp_identity() { return RowChain(empty_chain(), false); }

// The host passes the period of the text as `stop`.
Overlap overlap() { return overlap_of(vkp_arguments().v.text_bytes, uint(vkp_arguments().v.stop)); }

RowChain vkp_combine(const RowChain left, const RowChain right) {
  if (right.begins_row) return right;
  return RowChain(combine_chains(left.chain, right.chain, overlap()), left.begins_row);
}

#include "vkprims/memory/elements.glsl"
#include "vkprims/workgroup/workgroup.glsl"

uint own() { return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID; }
RowChain fold_of_team(RowChain x) { return vkp_fold_subgroups(vkp_subgroup_fold(x)); }

// Returns how many occurrences are taken from the beginning of a row on.
uint taken_of(const RowChain x) {
  bool last;
  return taken_of(x.chain, overlap(), last);
}

// Returns the chain of the units of a row before its unit `k`; `k` may be their number, which gives
// the chain of the whole row.
RowChain chain_before(LongRow x, uint k) {
  return k == 0u ? vkp_identity() : vkp_load_element(sums_address(), x.first + k);
}

RowChain with_occurrence(RowChain x, uint place) {
  return vkp_combine(x, RowChain(chain_of(place), false));
}

// Returns the chain of a part whose bytes from `begin` on have these marks.
RowChain chain_of_marks(uint marks, uint begin) {
  RowChain x = vkp_identity();
  for (; marks != 0u; marks &= marks - 1u) x = with_occurrence(x, begin + uint(findLSB(marks)));
  return x;
}

#endif
