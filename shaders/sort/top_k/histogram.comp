// Top k, one pass: counts how many elements have each value of a digit, among those that agree with
// the last element taken in the digits above. The workgroup that finishes last (last_group.glsl)
// finds the digit of that element from these counts.
// %VARIANT% KEY word|pair
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sort/top_k/chunks.glsl"
#include "vkprims/device/last_group.glsl"
#include "vkprims/memory/counters.glsl"

// Whether counts may need more than 32 bits.
bool is_wide() { return push.count.max.hi != 0u; }

uvec2 bin_address(uint bin) { return scratch_address(VKP_TOP_K_BINS_OFFSET + 8u * bin); }
VkpSharedWords bin_words(uint bin) { return VkpSharedWords(bin_address(bin)); }
uint load_bin(uint bin, uint word) {
  return atomicLoad(bin_words(bin).v[word], gl_ScopeQueueFamily, 0, 0);
}

uvec2 bin_count(uint bin) {
  if (is_wide()) return uvec2(load_bin(bin, 0u), load_bin(bin, 1u));
  return uvec2(bins[bin], 0u);
}

// Adds what this workgroup has counted.
void add_bins() {
  for (uint i = 0u; i < 1u << digit_bits; i += gl_WorkGroupSize.x) {
    const uint bin = i + gl_LocalInvocationIndex;
    const uint number = bin < 1u << digit_bits ? bins[bin] : 0u;
    if (number != 0u) vkp_add_to_counter(bin_address(bin), number, is_wide());
  }
}

// Writes what is settled before anything is counted.
void begin(Source s) {
  const bool from_candidates = s.candidates && candidates_suffice();
  write_wanted(s.wanted);
  set_plan(VKP_TOP_K_FROM_INPUT64, from_candidates ? uvec2(0u) : vkp_read_count(push.count));
  set_plan(VKP_TOP_K_FROM_CANDIDATES64, from_candidates ? s.count : uvec2(0u));
  if (s.known) {
    set_plan(VKP_TOP_K_LAST64, plan_number(VKP_TOP_K_LOW64));
    set_plan(VKP_TOP_K_RANK64, s.rank);
    set_plan(VKP_TOP_K_STATE, s.all ? VKP_TOP_K_ALL_TIES : VKP_TOP_K_SOME_TIES);
  }
}

// Finds the digit of the last element taken, once all workgroups have counted.
void decide(VKP_KEY known, Digit digit, uvec2 rank) {
  // Where counts fit, they come to shared memory side by side. The bins are 0 for the next pass.
  for (uint i = 0u; i < 1u << digit_bits; i += gl_WorkGroupSize.x) {
    const uint bin = i + gl_LocalInvocationIndex;
    if (bin < 1u << digit_bits && !is_wide()) {
      bins[bin] = load_bin(bin, 0u);
      bin_words(bin).v[0] = 0u;
    }
  }
  barrier();
  const Choice digits = choose_bin(rank, 1u << digit_bits);
  for (uint i = 0u; i < 1u << digit_bits; i += gl_WorkGroupSize.x) {
    const uint bin = i + gl_LocalInvocationIndex;
    if (bin < 1u << digit_bits && is_wide()) {
      bin_words(bin).v[0] = 0u;
      bin_words(bin).v[1] = 0u;
    }
  }
  if (gl_LocalInvocationIndex != 0u) return;
  known = with_digit(known, digit, digits.bin);
  rank = vkp_sub64(rank, digits.before);
  const bool all = digits.count == rank;  // whatever the lower digits are
  if (all) known |= ones_below(digit.shift);
  set_plan(VKP_TOP_K_LAST64, words_of(known));
  set_plan(VKP_TOP_K_RANK64, rank);
  if (all) {
    set_plan(VKP_TOP_K_STATE, VKP_TOP_K_ALL_TIES);
  } else if (digit.shift == 0u) {
    set_plan(VKP_TOP_K_STATE, VKP_TOP_K_SOME_TIES);
  }
}

void main() {
  const bool first_pass = push.pass == 0u;
  if (!first_pass && plan_word(VKP_TOP_K_STATE) != VKP_TOP_K_SEARCHING) return;
  const uint group = vkp_group_index();
  if (group >= 1u << push.group_shift) return;
  const Source s = find_source();
  if (first_pass && group == 0u && gl_LocalInvocationIndex == 0u) begin(s);
  if (s.known || s.wanted == uvec2(0u)) return;
  const Digit digit = digit_of_pass(push.pass);
  const VKP_KEY known = first_pass ? no_bits : plan_code(VKP_TOP_K_LAST64);
  const uvec2 rank = first_pass ? s.rank : plan_number(VKP_TOP_K_RANK64);
  const VkpSequence chunk = chunk_of(s, group);
  if (chunk.count != 0u) {
    clear_bins();
    barrier();
    count_sequence(chunk, known, digit);
    barrier();
    add_bins();
  }
  // The barrier puts the additions of all invocations before the arrival, which one of them
  // signals.
  vkp_buffer_barrier();
  const uvec2 arrivals =
      scratch_address(VKP_TOP_K_PLAN_OFFSET + 4u * (VKP_TOP_K_ARRIVALS + push.pass));
  if (vkp_last_group(arrivals, 1u << push.group_shift)) decide(known, digit, rank);
}
