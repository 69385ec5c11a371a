// The results of the elements of a cell.
#ifndef VKPRIMS_DROPOUT_RESULT_GLSL
#define VKPRIMS_DROPOUT_RESULT_GLSL

#include "random/dropout/mask.glsl"

layout(constant_id = VKP_DROPOUT_SPEC_BIAS) const uint bias = 0;

const bool has_residual = (flags & VKP_DROPOUT_RESIDUAL) != 0u;
const bool has_bias = bias == VKP_DROPOUT_BIAS_ROW || bias == VKP_DROPOUT_BIAS_FULL;

// A cell of each view, and the bits of the elements that are kept.
struct Row {
  uvec4 in_cell, bias_cell, residual_cell;
  uint kept;
};

REAL scale() {
#if defined(VKP_T_f64)
  return packDouble2x32(vkp_u64(push.scale));
#else
  return uintBitsToFloat(push.scale.lo);
#endif
}

// Returns x unchanged, by way of an exclusive or with a 0 that no compiler knows, so that none
// contracts a product x with a sum.
REAL unseen(REAL x) {
  const uint zero = push.count.is_u64 >> 1u;
#if defined(VKP_T_f64)
  return packDouble2x32(unpackDouble2x32(x) ^ uvec2(zero));
#else
  return uintBitsToFloat(floatBitsToUint(x) ^ zero);
#endif
}

// Returns the result of a cell of which some elements are kept.
uvec4 result(const Row row) {
  precise REAL x[ITEMS];
  REAL b[ITEMS];
  REAL r[ITEMS];
  unpack_cell(row.in_cell, x);
  if (has_bias) unpack_cell(row.bias_cell, b);
  if (has_residual) unpack_cell(row.residual_cell, r);
  // This loop is not [[unroll]], as the copies that glslc makes of a loop's body have lost
  // NoContraction.
  for (uint i = 0u; i < ITEMS; ++i) {
    if (has_bias) x[i] += b[i];
    x[i] *= scale();
    REAL dropped = REAL(0.0);
    if (bias == VKP_DROPOUT_BIAS_ALPHA) {
      x[i] = unseen(x[i]) + REAL(uintBitsToFloat(push.bias.lo));
      dropped = REAL(uintBitsToFloat(push.bias.hi));
    }
    if ((row.kept >> i & 1u) == 0u) x[i] = dropped;
    if (has_residual) x[i] += r[i];
  }
  return pack_cell(x);
}

#endif
