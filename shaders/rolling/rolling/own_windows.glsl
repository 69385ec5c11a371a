// Windows over elements of a user's monoid, which combine in the order of the elements alone.
//
// A window has a number of elements that are not null if VKP_ROLLING_COUNTS is set; otherwise all
// elements that exist are in it.
#ifndef VKPRIMS_ROLLING_OWN_WINDOWS_GLSL
#define VKPRIMS_ROLLING_OWN_WINDOWS_GLSL

#define vkp_identity vkp_own_identity
#include "vkprims/types.glsl"
#undef vkp_identity

#define OWN 1
#define COUNTED 1
#define COUNT_IS_F64 0
#define ARG 0
#define VARIANCE 0
#define FLOATING 0
#define VALUE VkpRollingValue
#define VALUE_WORDS 1  // what crosses shared memory at once
#define UNIT uint

const bool counts = (flags & VKP_ROLLING_COUNTS) != 0u;

// VKP_T and VKP_WORDS are those of elements up to here, and those of windows from here on.
const uint value_words = VKP_WORDS;
struct VALUE {
  VKP_T of;
};
struct VkpRollingWords {
  uint w[value_words];
};
#define STAGED VkpRollingWords

VALUE value_of(VkpRollingWords x) { return VALUE(vkp_unpack(x.w)); }
VkpRollingWords words_of(VALUE x) {
  VkpRollingWords words;
  vkp_pack(x.of, words.w);
  return words;
}
VALUE value_identity() { return VALUE(vkp_own_identity()); }
VALUE combine_values(VALUE left, VALUE right) { return VALUE(vkp_combine(left.of, right.of)); }

#undef VKP_T
#undef VKP_WORDS
// The source may have types of these names.
#define Window VkpWindow
#define Block VkpBlock
#define Extent VkpExtent
#define Marks VkpMarks
#define Around VkpAround
#define Divisor VkpDivisor

struct Window {
  VALUE value;
  uvec2 count;
};
#define VKP_T Window
const uint window_words = value_words + 2u;
#define VKP_WORDS window_words  // at least 3; a preprocessor takes this name for 0
#define UNITS window_words

void pack_units(Window x, out uint u[UNITS]) {
  const VkpRollingWords words = words_of(x.value);
  [[unroll]] for (uint i = 0u; i < value_words; ++i) u[i] = words.w[i];
  u[value_words] = x.count.x;
  u[value_words + 1u] = x.count.y;
}

Window unpack_units(uint u[UNITS]) {
  VkpRollingWords words;
  [[unroll]] for (uint i = 0u; i < value_words; ++i) words.w[i] = u[i];
  Window x = Window(value_of(words), uvec2(0u));
  if (counts) x.count = uvec2(u[value_words], u[value_words + 1u]);
  return x;
}

void vkp_pack(Window x, out uint w[VKP_WORDS]) { pack_units(x, w); }
Window vkp_unpack(uint w[VKP_WORDS]) { return unpack_units(w); }

Window vkp_identity() { return Window(value_identity(), uvec2(0u)); }

#endif
