// Bins of a workgroup, one for each value of a digit, and the bin that holds the element of a rank.
#ifndef TOP_K_BINS_GLSL
#define TOP_K_BINS_GLSL

#include "sort/top_k/codes.glsl"
#include "vkprims/device/compact.glsl"

shared uint bins[1u << digit_bits];

void clear_bins() {
  for (uint i = 0u; i < 1u << digit_bits; i += gl_WorkGroupSize.x) {
    if (i + gl_LocalInvocationIndex < 1u << digit_bits) bins[i + gl_LocalInvocationIndex] = 0u;
  }
}

// Counts the codes of a subgroup that agree with `known` in the digits above `digit`. If they all
// fall into one bin, they are added at once, as lanes would queue for it. Otherwise each adds the
// constant 1, for which NVIDIA's driver has a faster instruction than for adding a number.
void count_codes(bool exists, VKP_KEY code, VKP_KEY known, Digit digit) {
  const bool counts = exists && ((code ^ known) & digit.above) == no_bits;
  const uvec4 counting = subgroupBallot(counts);
  if (counting == uvec4(0u)) return;
  const uint bin = digit_of(code, digit);
  const uint first_lane = subgroupBallotFindLSB(counting);
  const uint first = subgroupShuffle(bin, first_lane);
  if (subgroupBallot(counts && bin == first) == counting) {
    if (gl_SubgroupInvocationID == first_lane) {
      atomicAdd(bins[bin], subgroupBallotBitCount(counting), gl_ScopeWorkgroup, 0, 0);
    }
  } else if (counts) {
    atomicAdd(bins[bin], 1u, gl_ScopeWorkgroup, 0, 0);
  }
}

// The number of batches of a sequence that has any elements at all.
uint batches_of(VkpSequence s) { return vkp_tiles(s) * vkp_batches; }

void count_sequence(VkpSequence s, VKP_KEY known, Digit digit) {
  const uint batches = batches_of(s);
  for (uint batch = 0u; batch < batches; ++batch) {
    const VkpPart part = vkp_part(s, batch);
    const uint existing = vkp_existing(part);
    uvec4 cells[vkp_rows];
    vkp_load_part(part, existing, existing, cells);
    [[unroll]] for (uint i = 0u; i < vkp_batch_marks; ++i) {
      const VKP_KEY code = code_of(key_bits(cells[i / VKP_CELL_ITEMS], i % VKP_CELL_ITEMS));
      count_codes(((existing >> i) & 1u) != 0u, code, known, digit);
    }
  }
}

// The count of a bin, which each kernel defines.
uvec2 bin_count(uint bin);

struct Choice {
  uint bin;
  uvec2 before, count;  // elements in the bins before it, and in it
};

shared uvec2 subgroup_sums[gl_WorkGroupSize.x / 4u];  // subgroups have at least 4 lanes
shared Choice choice;

uvec2 shuffle64(uvec2 x, uint lane) {
  return uvec2(subgroupShuffle(x.x, lane), subgroupShuffle(x.y, lane));
}

// Returns the bin of the element with a rank; ranks are from 1 to the sum of all bins. The whole
// workgroup calls this.
Choice choose_bin(uvec2 rank, uint number) {
  const uint lane = gl_SubgroupInvocationID;
  const uint run = (number + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
  const uint begin = (gl_SubgroupID * gl_SubgroupSize + lane) * run;
  uvec2 sum = uvec2(0u);
  for (uint i = begin; i < begin + run; ++i) {
    if (i < number) sum = vkp_add64(sum, bin_count(i));
  }
  uvec2 upto = sum;
  for (uint distance = 1u; distance < gl_SubgroupSize; distance *= 2u) {
    const uvec2 left = shuffle64(upto, lane - min(lane, distance));
    if (lane >= distance) upto = vkp_add64(upto, left);
  }
  barrier();
  if (lane == gl_SubgroupSize - 1u) subgroup_sums[gl_SubgroupID] = upto;
  barrier();
  uvec2 before = vkp_sub64(upto, sum);
  [[dont_unroll]] for (uint i = 0u; i < gl_NumSubgroups; ++i) {
    const uvec2 other = subgroup_sums[i];
    if (i < gl_SubgroupID) before = vkp_add64(before, other);
  }
  for (uint i = begin; i < begin + run; ++i) {
    const uvec2 count = i < number ? bin_count(i) : uvec2(0u);
    const uvec2 upto_bin = vkp_add64(before, count);
    if (vkp_less64(before, rank) && !vkp_less64(upto_bin, rank)) choice = Choice(i, before, count);
    before = upto_bin;
  }
  barrier();
  return choice;
}

#endif
