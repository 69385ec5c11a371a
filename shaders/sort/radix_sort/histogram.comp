// Counts all digits of all keys in one read, then plans the passes.
//
// Each workgroup has a chunk of the keys and counts their digits in shared memory. The last
// workgroup to finish scans the counts, so that the bins say where the keys of each digit begin. A
// pass is not needed where all keys have the same digit. The passes that run alternate between the
// output and a third place, so that the last one writes the output.
#version 460
#extension GL_GOOGLE_include_directive : require
// %VARIANT% KEY word|pair
#include "radix_sort.glsl"

// Counts of so many passes, which are scanned together: memory and barriers are waited for once.
#define PASSES_AT_ONCE 4
struct Counts {
  uvec2 of[PASSES_AT_ONCE];
};
#define VKP_T Counts
#define VKP_WORDS (2 * PASSES_AT_ONCE)
void vkp_pack(const Counts x, out uint w[VKP_WORDS]) {
  [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) w[i] = x.of[i / 2u][i % 2u];
}
Counts vkp_unpack(const uint w[VKP_WORDS]) {
  Counts x;
  [[unroll]] for (uint i = 0u; i < PASSES_AT_ONCE; ++i) x.of[i] = uvec2(w[2u * i], w[2u * i + 1u]);
  return x;
}
Counts vkp_identity() { return Counts(uvec2[](uvec2(0u), uvec2(0u), uvec2(0u), uvec2(0u))); }
Counts vkp_combine(const Counts left, const Counts right) {
  Counts x;
  [[unroll]] for (uint i = 0u; i < PASSES_AT_ONCE; ++i) {
    x.of[i] = vkp_add64(left.of[i], right.of[i]);
  }
  return x;
}
#include "vkprims/device/last_group.glsl"
#include "vkprims/memory/counters.glsl"
#include "vkprims/workgroup/workgroup.glsl"

// The number of 16-byte rows that an invocation has in flight.
layout(constant_id = VKP_SPEC_ROWS) const uint rows = 4;

shared uint counts[VKP_RADIX_MAX_PASSES / 2u * 256u];  // 16 passes have digits of 4 bits
shared uint common_digits;                             // a bit for each pass that is not needed

const uint ROW_KEYS = 4 / VKP_KEY_WORDS;

void count_key(VKP_KEY bits) {
  for (uint p = 0u; p < push.passes; ++p) {
    atomicAdd(counts[p * BINS + digit_of(bits, digits_of_pass(p))], 1u);
  }
}

void count_rows(uvec4 row[rows], uint used) {
  for (uint p = 0u; p < push.passes; ++p) {
    const Digits digits = digits_of_pass(p);
    [[unroll]] for (uint r = 0u; r < rows; ++r) {
      [[unroll]] for (uint k = 0u; k < ROW_KEYS; ++k) {
#if VKP_KEY_WORDS == 1
        const VKP_KEY bits = row[r][k];
#else
        const VKP_KEY bits = uvec2(row[r][2u * k], row[r][2u * k + 1u]);
#endif
        if (r < used) atomicAdd(counts[p * BINS + digit_of(bits, digits)], 1u);
      }
    }
  }
}

// Counts `number` rows of 16 bytes, from row `first` on.
void count_chunk(uvec2 base, uvec2 first, uint number) {
  const uvec2 start = vkp_add64(base, vkp_shl64(first, 4u));
  const uint step = rows * gl_WorkGroupSize.x;
  for (uint at = 0u; at < number; at += step) {
    const uvec2 here = vkp_add64(start, vkp_mul64(at, 16u));
    uvec4 row[rows];
    uint used = 0u;
    [[unroll]] for (uint r = 0u; r < rows; ++r) {
      const uint i = r * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
      row[r] = uvec4(0u);
      if (at + i < number) {
        row[r] = VkpWords4(here).v[i];
        used = r + 1u;
      }
    }
    count_rows(row, used);
  }
}

uvec2 bin_address(uint pass, uint digit) { return vkp_add64(bins_of(pass, 0u), 8u * digit); }

void add_counts() {
  const uint used = push.passes * BINS;
  for (uint i = 0u; i < used; i += gl_WorkGroupSize.x) {
    const uint c = i + gl_LocalInvocationIndex;
    uint number = 0u;
    if (c < used) number = counts[c];
    if (number == 0u) continue;
    vkp_add_to_counter(bin_address(c / BINS, c % BINS), number, push.count.max.hi != 0u);
  }
}

// Replaces the counts of some passes by the places where digits begin, and notes in which of them
// all keys have the same digit.
void scan_bins(uint first, uvec2 count) {
  const uint d = gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
  const uint passes = d < BINS ? min(push.passes - first, PASSES_AT_ONCE) : 0u;
  Counts number = vkp_identity();
  [[unroll]] for (uint p = 0u; p < PASSES_AT_ONCE; ++p) {
    if (p < passes) {
      VkpSharedWords bin = VkpSharedWords(bin_address(first + p, d));
      number.of[p].x = atomicLoad(bin.v[0], gl_ScopeQueueFamily, 0, 0);
      number.of[p].y = atomicLoad(bin.v[1], gl_ScopeQueueFamily, 0, 0);
    }
  }
  [[unroll]] for (uint p = 0u; p < PASSES_AT_ONCE; ++p) {
    if (p < passes && number.of[p] == count) atomicOr(common_digits, 1u << (first + p));
  }
  const VkpGroupScan scan = vkp_scan_workgroup(number);
  [[unroll]] for (uint p = 0u; p < PASSES_AT_ONCE; ++p) {
    if (p < passes) VkpWords2(bin_address(first + p, d)).v[0] = scan.before.of[p];
  }
}

void write_plan(uvec2 count) {
  const uint all = (1u << push.passes) - 1u;
  uint runs = all & ~common_digits;
  if ((push.flags & VKP_RADIX_MOVES) != 0u && runs == 0u) runs = 1u;
  if ((push.flags & VKP_RADIX_IN_PLACE) != 0u && (bitCount(runs) & 1) != 0) {
    runs |= 1u << findLSB(all & ~runs);
  }
  if (count == uvec2(0u)) runs = 0u;
  uint left = uint(bitCount(runs));
  uint from = 0u;
  uint word_of_turn = 0u;
  for (uint p = 0u; p < push.passes; ++p) {
    uint word = 0u;
    if ((runs >> p & 1u) != 0u) {
      const uint to = (left & 1u) != 0u ? 1u : 2u;
      word = VKP_RADIX_PLAN_RUNS | from | to << 2 | word_of_turn;
      if (left == 1u) word |= VKP_RADIX_PLAN_LAST;
      word_of_turn ^= VKP_RADIX_PLAN_ODD;
      from = to;
      --left;
    }
    VkpWords(plan_address()).v[p] = word;
  }
}

void main() {
  const uvec2 count = vkp_read_count(push.count);
  const uvec2 keys = vkp_u64(push.keys_in);
  // There are keys before the first multiple of 16 bytes, then rows of 16 bytes, then keys behind
  // them.
  const uint head = vkp_min64(uvec2((16u - (keys.x & 15u) & 15u) / VKP_KEY_BYTES, 0u), count).x;
  const uvec2 behind = vkp_sub64(count, uvec2(head, 0u));
  const uvec2 all_rows = vkp_shr64(behind, ROW_KEYS == 4 ? 2u : 1u);
  const uint tail = behind.x % ROW_KEYS;
  const uvec2 rows_base = vkp_add64(keys, head * VKP_KEY_BYTES);
  const uint group = vkp_group_index();
  if (group >= push.groups) return;
  const uvec2 first = vkp_mul64(group, push.group_rows);
  const uint number = vkp_clamped_difference(all_rows, first, push.group_rows);

  for (uint i = 0u; i < push.passes * BINS; i += gl_WorkGroupSize.x) {
    if (i + gl_LocalInvocationIndex < push.passes * BINS) counts[i + gl_LocalInvocationIndex] = 0u;
  }
  if (gl_LocalInvocationIndex == 0u) common_digits = 0u;
  barrier();
  if (group == 0u) {
    if (gl_LocalInvocationIndex < head) count_key(load_bits(keys, gl_LocalInvocationIndex));
    const uvec2 end = vkp_add64(keys, vkp_mul64(vkp_sub64(count, uvec2(tail, 0u)), VKP_KEY_BYTES));
    if (gl_LocalInvocationIndex < tail) count_key(load_bits(end, gl_LocalInvocationIndex));
  }
  count_chunk(rows_base, first, number);
  barrier();
  add_counts();
  // All invocations of a workgroup add to the bins; the barrier puts these additions before the
  // arrival.
  vkp_buffer_barrier();
  if (!vkp_last_group(vkp_add64(vkp_u64(push.scratch), VKP_RADIX_DONE_OFFSET), push.groups)) return;
  for (uint p = 0u; p < push.passes; p += PASSES_AT_ONCE) scan_bins(p, count);
  barrier();
  if (gl_LocalInvocationIndex == 0u) write_plan(count);
}
