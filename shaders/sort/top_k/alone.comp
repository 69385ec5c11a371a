// Top k of few elements, by one workgroup that keeps everything except the elements in shared
// memory. It finds the last element taken digit by digit, then the ties, then the results.
// %VARIANT% KEY word|pair
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sort/top_k/plan.glsl"
#include "sort/top_k/results.glsl"
#include "sort/top_k/ties.glsl"

Taken taken;  // for vkp_flags

uint vkp_flags(VkpPart part, uint existing) { return taken_flags(part, existing, taken); }

uvec2 bin_count(uint bin) { return uvec2(bins[bin], 0u); }

Taken find_taken(VkpSequence s, uint rank) {
  VKP_KEY known = no_bits;
  for (uint pass = 0u; pass < passes; ++pass) {
    const Digit digit = digit_of_pass(pass);
    clear_bins();
    barrier();
    count_sequence(s, known, digit);
    barrier();
    const Choice digits = choose_bin(uvec2(rank, 0u), 1u << digit_bits);
    known = with_digit(known, digit, digits.bin);
    rank -= digits.before.x;
    if (digits.count.x == rank) return Taken(known | ones_below(digit.shift), s.count);
  }
  return Taken(known, find_tie(s, known, rank) + 1u);
}

void main() {
  const uvec2 count = vkp_read_count(push.count);
  const uvec2 wanted = results_wanted(count);
  if (gl_LocalInvocationIndex == 0u) write_wanted(wanted);
  if (wanted == uvec2(0u)) return;
  const VkpSequence s = VkpSequence(vkp_u64(push.in_base), count.x);
  taken = find_taken(s, wanted.x);
  VkpPlaces places;
  places.moves = true;
  places.numbers = push.index_base.lo != 0u || push.index_base.hi != 0u;
  places.selected = vkp_u64(push.out_base);
  places.rejected = places.values_in = places.values = places.first = uvec2(0u);
  places.indices = vkp_u64(push.index_base);
  const uint tiles = vkp_tiles(s);
  uint before = 0u;
  for (uint tile = 0u; tile < tiles; ++tile) {
    const VkpSelection selection = vkp_select(s, tile, 0u);
    vkp_place_tile(s, places, selection, tile, before, false);
    before += vkp_selected(selection);
  }
}
