// Histogram: counts how many samples fall into each bin.
//
// Every workgroup counts a chunk of neighbouring samples in shared memory and adds the counts that
// are not 0 to the result by atomics. These are integer sums, the same in every order. If there are
// few bins, a workgroup has up to 16 copies of the counters, side by side for each bin, and an
// invocation uses the copy of its number. Few lanes then hit the same bank whatever their samples,
// even if these are all the same. If the counters do not fit at all, counting is done in the result
// itself, and equal neighbours of a subgroup are counted at once. Samples of 8 bits are always
// counted by value, and the values are put into bins at the end. A workgroup that is alone stores
// its counts, so that nobody has to fill the result with zeros before. Source for copies of
// counters per warp, and per thread in columns of banks: V. Podlozhnyuk, "Histogram calculation in
// CUDA" (2007).
// %VARIANT% SAMPLE u8|u16|u32|f32
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_basic : require
#include "reduce/histogram/histogram.abi.h"
#include "vkprims/core.glsl"
#include "vkprims/memory/counters.glsl"

// The number of 16-byte rows that an invocation has in flight.
layout(constant_id = VKP_SPEC_ROWS) const uint batch = 4;
layout(constant_id = VKP_HISTOGRAM_SPEC_BINS) const uint bins_by = 0;
layout(constant_id = VKP_HISTOGRAM_SPEC_COPIES) const uint copies = 1;
layout(constant_id = VKP_HISTOGRAM_SPEC_SHARED_WORDS) const uint shared_words = 1;
layout(constant_id = VKP_HISTOGRAM_SPEC_SHARED_LEVELS) const uint shared_levels = 0;
layout(constant_id = VKP_HISTOGRAM_SPEC_SIGNED) const uint has_sign = 0;
layout(constant_id = VKP_HISTOGRAM_SPEC_ALONE) const uint alone = 0;
layout(push_constant) uniform Push { HistogramPush push; };

#if defined(VKP_SAMPLE_u8)
#define SAMPLE_BYTES 1
#define COUNTERS 256u
#elif defined(VKP_SAMPLE_u16)
#define SAMPLE_BYTES 2
#else
#define SAMPLE_BYTES 4
#endif
#ifndef COUNTERS
#define COUNTERS push.bins
#endif
#define ROW_SAMPLES (16 / SAMPLE_BYTES)

// Counter i of copy c is word i * copies + c; the keys of levels are behind all counters.
shared uint words[shared_words];

#include "bins.glsl"

uvec2 result_address(uint bin) {
  return vkp_add64(vkp_u64(push.out_base), vkp_mul64(bin, push.wide != 0u ? 8u : 4u));
}

// Nobody reads the result before this dispatch has ended.
void add_to_result(uint bin, uint number) {
  vkp_add_to_counter(result_address(bin), number, push.wide != 0u);
}

void store_result(uint bin, uint number) {
  if (push.wide != 0u) {
    VkpWords2(result_address(bin)).v[0] = uvec2(number, 0u);
  } else {
    VkpWords(result_address(bin)).v[0] = number;
  }
}

// NVIDIA's driver has an instruction for adding the constant 1, which is much faster than adding a
// number: it is worth more than counting equal samples of a subgroup at once.
void add_to_copy(uint counter) {
  const uint copy = gl_LocalInvocationIndex & (copies - 1u);
  atomicAdd(words[counter * copies + copy], 1u, gl_ScopeWorkgroup, 0, 0);
}

#if defined(VKP_SAMPLE_u8)
// There are always copies.
uint counter_of(const uint x) { return x; }
void add(const uint counter) { add_to_copy(counter); }
void count_samples(const uint x) { add_to_copy(x); }
#else
uint counter_of(const uint x) { return bin_of(x); }

void add(const uint counter) {
  if (counter == NONE) return;
  if (copies == 0u) {
    add_to_result(counter, 1u);
  } else {
    add_to_copy(counter);
  }
}

// Counts a sample of every lane of a subgroup.
void count_samples(const uint x) {
  const uint counter = counter_of(x);
  if (copies == 0u) {
    const uint first = subgroupBroadcastFirst(counter);
    const uint same = subgroupBallotBitCount(subgroupBallot(counter == first));
    uint number = 1u;
    if (counter == first) number = subgroupElect() ? same : 0u;
    if (counter != NONE && number != 0u) add_to_result(counter, number);
  } else if (counter != NONE) {
    add_to_copy(counter);
  }
}
#endif

void count_row(uvec4 row) {
  [[unroll]] for (uint i = 0u; i < 4u; ++i) {
    [[unroll]] for (uint k = 0u; k < ROW_SAMPLES / 4; ++k) {
      count_samples(bitfieldExtract(row[i], int(8u * SAMPLE_BYTES * k), 8 * SAMPLE_BYTES));
    }
  }
}

// Counts the samples of a group row that is not whole: those at bytes begin … end. No word is read
// that holds none of them. All invocations look for a bin, because lavapipe drops what follows
// shared-memory accesses in a loop that some invocations do not run.
void count_edge(uvec2 group_row, uint begin, uint end) {
  const uint own = 16u * gl_LocalInvocationIndex;
  uvec4 row = uvec4(0u);
  [[unroll]] for (uint i = 0u; i < 4u; ++i) {
    const uint at = own + 4u * i;
    if (at + 4u > begin && at < end) row[i] = VkpWords(group_row).v[at / 4u];
  }
  [[dont_unroll]] for (uint k = 0u; k < ROW_SAMPLES; ++k) {
    const uint at = k * SAMPLE_BYTES;
    const uint x = bitfieldExtract(row[at / 4u], int(8u * (at % 4u)), 8 * SAMPLE_BYTES);
    const uint counter = counter_of(x);
    if (own + at >= begin && own + at < end) add(counter);
  }
}

void clear_counters() {
  const uint used = COUNTERS * copies;
  for (uint i = 0u; i < used; i += gl_WorkGroupSize.x) {
    if (i + gl_LocalInvocationIndex < used) words[i + gl_LocalInvocationIndex] = 0u;
  }
  if (shared_levels == 0u) return;
  for (uint i = 0u; i <= push.bins; i += gl_WorkGroupSize.x) {
    const uint level = i + gl_LocalInvocationIndex;
    if (level <= push.bins) {
      words[used + level] = key_of(VkpWords(vkp_u64(push.levels_base)).v[level]);
    }
  }
}

// Adds the sums of the copies to the result, or makes them the result of a workgroup that is alone.
void hand_over_counters() {
  for (uint i = 0u; i < COUNTERS; i += gl_WorkGroupSize.x) {
    const uint counter = i + gl_LocalInvocationIndex;
    uint number = 0u;
    for (uint c = 0u; c < copies; ++c) {
      // Each lane begins with another copy, so that lanes use different banks.
      const uint copy = (c + gl_LocalInvocationIndex) & (copies - 1u);
      if (counter < COUNTERS) number += words[counter * copies + copy];
    }
    if (alone != 0u) {
      if (counter < push.bins) store_result(counter, number);
      continue;
    }
#if defined(VKP_SAMPLE_u8)
    const uint bin = bin_of(counter);
#else
    const uint bin = counter;
#endif
    if (number != 0u && bin != NONE) add_to_result(bin, number);
  }
}

// Counts the samples of group rows first … last; there are `end` bytes from the address of the
// first group row of all.
void count_chunk(uint first, uint last, uvec2 end) {
  const uint head = push.in_base.lo & 15u;
  const uint group_row_bytes = 16u * gl_WorkGroupSize.x;
  const uint group_row_shift = uint(findLSB(group_row_bytes));
  const uint whole_rows = vkp_shr64(end, group_row_shift).x;
  const uvec2 start = uvec2(push.in_base.lo - head, push.in_base.hi);
  uvec2 base = vkp_add64(start, vkp_shl64(uvec2(first, 0u), group_row_shift));
  const bool first_is_whole = (first != 0u || head == 0u) && first < whole_rows;
  const bool last_is_whole = (last != 0u || head == 0u) && last < whole_rows;
  uint group_row = first;
  if (!first_is_whole) {
    const uint bytes =
        vkp_clamped_difference(end, vkp_shl64(uvec2(first, 0u), group_row_shift), group_row_bytes);
    count_edge(base, first == 0u ? head : 0u, bytes);
    base = vkp_add64(base, group_row_bytes);
    ++group_row;
  }
  const uint stop = last_is_whole ? last + 1u : last;
  const uint lane = gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
  for (; group_row < stop; group_row += batch) {
    uvec4 row[batch];
    [[unroll]] for (uint i = 0u; i < batch; ++i) {
      if (group_row + i < stop) row[i] = VkpWords4(vkp_add64(base, i * group_row_bytes)).v[lane];
    }
    [[unroll]] for (uint i = 0u; i < batch; ++i) {
      if (group_row + i < stop) count_row(row[i]);
    }
    base = vkp_add64(base, batch * group_row_bytes);
  }
  if (!last_is_whole && (last != first || first_is_whole)) {
    const uvec2 before = vkp_shl64(uvec2(last, 0u), group_row_shift);
    count_edge(vkp_add64(start, before), 0u, vkp_clamped_difference(end, before, group_row_bytes));
  }
}

void main() {
  const uvec2 count = vkp_read_count(push.count);
  if (count == uvec2(0u) && alone == 0u) return;
  // The samples are seen as group rows, of 16 bytes for each invocation, from their address rounded
  // down to 16.
  const uint group_row_bytes = 16u * gl_WorkGroupSize.x;
  const uvec2 end = vkp_add64(vkp_mul64(count, SAMPLE_BYTES), push.in_base.lo & 15u);
  const uint group_rows =
      vkp_shr64(vkp_add64(end, group_row_bytes - 1u), uint(findLSB(group_row_bytes))).x;
  const uint chunk_rows = (max(group_rows, 1u) - 1u) / push.max_groups / batch * batch + batch;
  const uint first = vkp_group_index() * chunk_rows;
  if (first >= group_rows && alone == 0u) return;

  if (copies != 0u) clear_counters();
  barrier();
  if (count != uvec2(0u)) count_chunk(first, min(group_rows - first, chunk_rows) + first - 1u, end);
  barrier();
  if (copies != 0u) hand_over_counters();
}
