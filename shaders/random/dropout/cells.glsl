// Cells are 16 bytes of neighbouring elements of 2, 4 or 8 bytes, which are computed with as floats
// or doubles.
#ifndef VKPRIMS_DROPOUT_CELLS_GLSL
#define VKPRIMS_DROPOUT_CELLS_GLSL

#include "vkprims/memory/bytes.glsl"
#include "vkprims/core.glsl"

#if defined(VKP_T_f64)
#define ITEM_BYTES 8u
#define REAL double
#elif defined(VKP_T_f32)
#define ITEM_BYTES 4u
#define REAL float
#else
#define ITEM_BYTES 2u
#define REAL float
#endif
const uint ITEMS = 16u / ITEM_BYTES;

// If this is 4, cells are aligned in memory, and rows are whole cells.
layout(constant_id = VKP_SPEC_ROW_WORDS) const uint row_words = 4;
layout(constant_id = VKP_DROPOUT_SPEC_FLAGS) const uint flags = 0;

// ---- Numbers.

#if defined(VKP_T_f16)
// Returns the half nearest to x, ties to even; NaN stays NaN. It is put together from bits, as
// devices may round as they like, and not all turn an infinity into an infinity.
uint half_bits(float x) {
  const uint bits = floatBitsToUint(x);
  const uint magnitude = bits & 0x7fffffffu;
  const uint sign = bits >> 16u & 0x8000u;
  if (magnitude > 0x7f800000u) return sign | 0x7e00u;
  // Here the result is a multiple of the least half, which is the step between floats from 0.5 on.
  if (magnitude < 0x38800000u) {
    precise float multiple = uintBitsToFloat(magnitude) + 0.5;
    return sign | (floatBitsToUint(multiple) - 0x3f000000u);
  }
  const uint near = magnitude + 0xfffu + (magnitude >> 13u & 1u);
  return sign | (near >= 0x47800000u ? 0x7c00u : (near - 0x38000000u) >> 13u);
}
void unpack_word(uint w, out REAL a, out REAL b) {
  const vec2 both = unpackHalf2x16(w);
  a = both.x;
  b = both.y;
}
uint pack_word(REAL a, REAL b) {
  if ((flags & VKP_DROPOUT_ROUND) == 0u) return packHalf2x16(vec2(a, b));
  return half_bits(a) | half_bits(b) << 16u;
}
#elif defined(VKP_T_bf16)
// Rounds to nearest, ties to even, and returns the number in the upper half; NaN stays NaN. Both
// results are computed, as a branch for each element takes longer.
uint upper_half(const float x) {
  const uint bits = floatBitsToUint(x);
  const uint near = bits + 0x7fffu + (bits >> 16u & 1u);
  return (bits & 0x7fffffffu) > 0x7f800000u ? bits | 0x400000u : near;
}
void unpack_word(uint w, out REAL a, out REAL b) {
  a = uintBitsToFloat(w << 16u);
  b = uintBitsToFloat(w & 0xffff0000u);
}
uint pack_word(REAL a, REAL b) { return upper_half(a) >> 16u | (upper_half(b) & 0xffff0000u); }
#endif

void unpack_cell(uvec4 cell, out REAL x[ITEMS]) {
#if defined(VKP_T_f64)
  x[0] = packDouble2x32(cell.xy);
  x[1] = packDouble2x32(cell.zw);
#elif defined(VKP_T_f32)
  [[unroll]] for (uint i = 0u; i < 4u; ++i) x[i] = uintBitsToFloat(cell[i]);
#else
  [[unroll]] for (uint i = 0u; i < 4u; ++i) unpack_word(cell[i], x[2u * i], x[2u * i + 1u]);
#endif
}
uvec4 pack_cell(REAL x[ITEMS]) {
#if defined(VKP_T_f64)
  return uvec4(unpackDouble2x32(x[0]), unpackDouble2x32(x[1]));
#elif defined(VKP_T_f32)
  return uvec4(floatBitsToUint(x[0]), floatBitsToUint(x[1]), floatBitsToUint(x[2]),
               floatBitsToUint(x[3]));
#else
  uvec4 cell;
  [[unroll]] for (uint i = 0u; i < 4u; ++i) cell[i] = pack_word(x[2u * i], x[2u * i + 1u]);
  return cell;
#endif
}

// ---- Memory. Only the first `bytes` bytes of a cell are accessed, a multiple of ITEM_BYTES;
// load_cell() makes the others 0.

// Loads a word in which other invocations may have bytes that they store at the same time.
uint load_word(const uvec2 at, const uint i) {
  if (ITEM_BYTES < 4u) return atomicLoad(VkpSharedWords(at).v[i], gl_ScopeQueueFamily, 0, 0);
  return VkpWords(at).v[i];
}

uvec4 load_cell(uvec2 at, uint bytes) {
  if (row_words == 4u && bytes == 16u) return VkpWords4(at).v[0];
  const uint skip = at.x & 3u;  // 2 bytes or none
  at.x -= skip;
  uvec4 cell = uvec4(0u);
  [[unroll]] for (uint i = 0u; i < 5u; ++i) {
    if (4u * i >= skip + bytes) break;
    const uint w = load_word(at, i);
    if (skip == 0u) {
      if (i < 4u) cell[i] = w;
    } else {
      if (i < 4u) cell[i] = w >> 16u;
      if (i > 0u) cell[i - 1u] |= w << 16u;
    }
  }
  if (ITEM_BYTES < 4u) {
    [[unroll]] for (uint i = 0u; i < 4u; ++i) cell[i] &= vkp_byte_mask(i, 0u, bytes);
  }
  return cell;
}

void store_cell(uvec2 at, uvec4 cell, uint bytes) {
  if (row_words == 4u && bytes == 16u) {
    VkpWords4(at).v[0] = cell;
    return;
  }
  const uint skip = at.x & 3u;
  at.x -= skip;
  [[unroll]] for (uint i = 0u; i < 5u; ++i) {
    if (4u * i >= skip + bytes) break;
    uint w = 0u;
    if (i < 4u) w = cell[min(i, 3u)] << 8u * skip;
    if (i > 0u && skip != 0u) w |= cell[i - 1u] >> 16u;
    if (ITEM_BYTES < 4u) {
      vkp_store_bytes(vkp_add64(at, 4u * i), w, vkp_byte_mask(i, skip, skip + bytes));
    } else {
      VkpWords(at).v[i] = w;
    }
  }
}

#endif
