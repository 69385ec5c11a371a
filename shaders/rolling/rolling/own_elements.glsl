// Elements of a user's monoid in memory, and in the stage of input.glsl, which has a plane for each
// of their words.
#ifndef VKPRIMS_ROLLING_OWN_ELEMENTS_GLSL
#define VKPRIMS_ROLLING_OWN_ELEMENTS_GLSL

const uint element_bytes = 4u * value_words;
// One load or store moves so many words.
const bool aligned = (flags & VKP_ROLLING_ALIGNED) != 0u;
const uint step_words = !aligned || value_words % 2u != 0u ? 1u : value_words % 4u != 0u ? 2u : 4u;

STAGED load_bits(const uvec2 base, const uint i) {
  STAGED x;
  [[unroll]] for (uint k = 0u; k < value_words; k += step_words) {
    const uint at = (i * value_words + k) / step_words;
    uvec4 y = uvec4(0u);
    if (step_words == 4u) {
      y = VkpWords4(base).v[at];
    } else if (step_words == 2u) {
      y.xy = VkpWords2(base).v[at];
    } else {
      y.x = VkpWords(base).v[at];
    }
    [[unroll]] for (uint j = 0u; j < step_words; ++j) x.w[k + j] = y[j];
  }
  return x;
}

void store_bits(const uvec2 base, const uint i, const STAGED x) {
  [[unroll]] for (uint k = 0u; k < value_words; k += step_words) {
    const uint at = (i * value_words + k) / step_words;
    uvec4 y = uvec4(0u);
    [[unroll]] for (uint j = 0u; j < step_words; ++j) y[j] = x.w[k + j];
    if (step_words == 4u) {
      VkpWords4(base).v[at] = y;
    } else if (step_words == 2u) {
      VkpWords2(base).v[at] = y.xy;
    } else {
      VkpWords(base).v[at] = y.x;
    }
  }
}

// Elements that do not exist are never looked at, so their bits may be anything.
STAGED no_bits() {
  STAGED x;
  [[unroll]] for (uint k = 0u; k < value_words; ++k) x.w[k] = 0u;
  return x;
}

STAGED staged_at(const uint place) {
  STAGED x;
  [[unroll]] for (uint k = 0u; k < value_words; ++k) x.w[k] = stage[k * plane_items + place];
  return x;
}
void put_staged(const uint place, const STAGED x) {
  [[unroll]] for (uint k = 0u; k < value_words; ++k) stage[k * plane_items + place] = x.w[k];
}

#endif
