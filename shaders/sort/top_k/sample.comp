// Top k of many elements, first dispatch: one workgroup examines a sample of them to find a range
// of codes that almost certainly holds the last element taken, and few others. Later dispatches
// count to make certain: a range that turns out wrong costs only time.
//
// The sample has one element of each of 2^sample_shift runs of neighbours, at places that no
// pattern in the data keeps pace with. A share k / count of the sample is expected to be among the
// elements taken; the range leaves room for 4.5 standard deviations of that number. (Source:
// R. Floyd, R. Rivest, "Expected time bounds for selection", 1975.)
// %UNROLL% driver
// %VARIANT% KEY word|pair
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sort/top_k/bins.glsl"
#include "sort/top_k/plan.glsl"

const uint IN_FLIGHT = 8;  // loads of an invocation

uvec2 bin_count(uint bin) { return uvec2(bins[bin], 0u); }

uint number_of_samples() { return 1u << push.sample_shift; }

// Each invocation has samples of its own.
uint own_sample(uint i) { return i * gl_WorkGroupSize.x + gl_LocalInvocationIndex; }

uint scattered(uint x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

uvec2 sample_address(uint i) { return vkp_add64(vkp_u64(push.candidates), i * VKP_KEY_BYTES); }
VKP_KEY load_sample(uint i) {
#if VKP_KEY_WORDS == 1
  return VkpWords(sample_address(i)).v[0];
#else
  return VkpWords2(sample_address(i)).v[0];
#endif
}
void store_sample(uint i, VKP_KEY code) {
#if VKP_KEY_WORDS == 1
  VkpWords(sample_address(i)).v[0] = code;
#else
  VkpWords2(sample_address(i)).v[0] = code;
#endif
}

// Takes one of every `stride` elements.
void take_samples(uint stride) {
  for (uint first = 0u; own_sample(first) - gl_LocalInvocationIndex < number_of_samples();
       first += IN_FLIGHT) {
    VKP_KEY keys[IN_FLIGHT];
    [[unroll]] for (uint i = 0u; i < IN_FLIGHT; ++i) {
      const uint own = own_sample(first + i);
      if (own >= number_of_samples()) continue;
      const uvec2 element = vkp_add64(vkp_mul64(own, stride), vkp_mul64(scattered(own), stride).y);
      const uvec2 address = vkp_add64(vkp_u64(push.in_base), vkp_mul64(element, VKP_KEY_BYTES));
#if VKP_KEY_WORDS == 1
      keys[i] = VkpWords(address).v[0];
#else
      keys[i] = VkpWords2(address).v[0];
#endif
    }
    [[unroll]] for (uint i = 0u; i < IN_FLIGHT; ++i) {
      const uint own = own_sample(first + i);
      if (own < number_of_samples()) store_sample(own, code_of(keys[i]));
    }
  }
}

void count_samples(const VKP_KEY known, const Digit digit) {
  for (uint first = 0u; own_sample(first) - gl_LocalInvocationIndex < number_of_samples();
       first += IN_FLIGHT) {
    VKP_KEY codes[IN_FLIGHT];
    [[unroll]] for (uint i = 0u; i < IN_FLIGHT; ++i) {
      codes[i] = no_bits;
      if (own_sample(first + i) < number_of_samples()) {
        codes[i] = load_sample(own_sample(first + i));
      }
    }
    [[unroll]] for (uint i = 0u; i < IN_FLIGHT; ++i) {
      count_codes(own_sample(first + i) < number_of_samples(), codes[i], known, digit);
    }
  }
}

// Finds the code of the sample with a rank, and how many samples have that code.
VKP_KEY find_code(uint rank, out uint alike) {
  VKP_KEY known = no_bits;
  for (uint pass = 0u; pass < passes; ++pass) {
    const Digit digit = digit_of_pass(pass);
    clear_bins();
    barrier();
    count_samples(known, digit);
    barrier();
    const Choice digits = choose_bin(uvec2(rank, 0u), 1u << digit_bits);
    known = with_digit(known, digit, digits.bin);
    rank -= digits.before.x;
    alike = digits.count.x;
  }
  return known;
}

float number_of(const uvec2 x) { return float(x.y) * 4294967296.0 + float(x.x); }

void main() {
  const uvec2 count = vkp_read_count(push.count);
  const uvec2 wanted = results_wanted(count);
  const uint stride = vkp_shr64(count, push.sample_shift).x;
  if (stride < 2u || wanted == uvec2(0u)) return;  // it is not worth while
  take_samples(stride);
  const float samples = float(number_of_samples());
  const float expected = number_of(wanted) / number_of(count) * samples;
  const float room = 4.5 * sqrt(expected * max(1.0 - expected / samples, 0.0)) + 6.0;
  VKP_KEY low = no_bits;
  VKP_KEY high = all_bits;
  uint alike = 0u;
  if (expected + room < samples) {
    high = find_code(uint(expected + room) + 1u, alike);
    // There may be more elements that are all the same than the candidates have room for. The range
    // is then to hold only these.
    if (alike >= number_of_samples() / 32u) low = high;
  }
  if (push.lower != 0u && low == no_bits && expected - room >= 1.0) {
    low = find_code(uint(expected - room), alike);
  }
  if (gl_LocalInvocationIndex != 0u || (low == no_bits && high == all_bits)) return;
  set_plan(VKP_TOP_K_LOW64, words_of(low));
  set_plan(VKP_TOP_K_HIGH64, words_of(high));
  set_plan(VKP_TOP_K_SAMPLED, 1u);
}
