// A Span is what any number of tiles does to the stack, as lookback.glsl publishes it: spans are
// runs as in floors.glsl, but with levels as wide as the sequence needs. A tile's own scan stays
// with its short runs, so there are two types here, and two sets of the functions of subgroup.glsl.
#ifndef VKPRIMS_STACK_MATCH_SPANS_GLSL
#define VKPRIMS_STACK_MATCH_SPANS_GLSL

#include "stack/stack_match/stack_match.glsl"
#define VKP_STACK_SHORT_RUNS
#include "stack/stack_match/floors.glsl"

// This is what tiles would do to the stack if they began at ORIGIN.
struct Span {
  uvec2 level;  // level behind them
  uvec2 floor;  // the lowest level since the last reset, at most ORIGIN if there is none
  bool resets;
};

// Returns where a span of `level` leads from `begin`.
uvec2 level_from(uvec2 begin, uvec2 level) {
  if (level_words == 1u) return uvec2(begin.x + level.x - ORIGIN.x, 0u);
  return vkp_sub64(vkp_add64(begin, level), ORIGIN);
}

Span span_of(Run run) {
  return Span(level_plus(ORIGIN, run.change), level_plus(ORIGIN, run.floor), run.resets);
}
Span no_span() { return Span(ORIGIN, ORIGIN, false); }
Span vkp_combine(const Span left, const Span right) {
  const uvec2 floor = level_from(left.level, right.floor);
  return Span(level_from(left.level, right.level),
              right.resets ? floor : lower_level(left.floor, floor), left.resets || right.resets);
}

// The floor makes room for a bit. A floor of 32 bits loses its highest bit, which differs from that
// of ORIGIN exactly where the next bit is set, as floors are less than VKP_STACK_SHORT_COUNT away
// from ORIGIN. In a floor of 64 bits the highest bit is 0.
void vkp_pack(Span x, out uint w[4]) {
  w[0] = x.level.x;
  w[1] = x.floor.x << 1u | (x.resets ? 1u : 0u);
  w[2] = level_words == 1u ? 0u : x.level.y;
  w[3] = level_words == 1u ? 0u : x.floor.y << 1u | x.floor.x >> 31u;
}
Span vkp_unpack(uint w[4]) {
  const bool resets = (w[1] & 1u) != 0u;
  if (level_words == 1u) return Span(uvec2(w[0], 0u), level_plus(ORIGIN, int(w[1]) >> 1), resets);
  return Span(uvec2(w[0], w[2]), vkp_shr64(uvec2(w[1], w[3]), 1u), resets);
}

// From here on VKP_T is Span. Functions of the library that differ in their parameters stand side
// by side with those for Run; the one that has none, vkp_identity(), needs another name.
#undef VKP_T
#undef VKP_WORDS
#undef VKPRIMS_SUBGROUP_GLSL
#define VKP_T Span
#define VKP_WORDS 4
#define VKP_WORD_IS_ZERO(word) ((word) / 2u >= level_words)
#define vkp_identity no_span
#include "vkprims/subgroup/subgroup.glsl"
#include "vkprims/device/lookback.glsl"

Span vkp_seed() { return no_span(); }

#endif
