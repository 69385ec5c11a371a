// Sums of the columns of a matrix, with the same bits from run to run: the gradient of a bias that
// all rows share.
//
// A workgroup sums some columns over a chunk of rows: neighbouring invocations have neighbouring
// columns, and where columns are few, a workgroup takes several rows at once. Then the sums of its
// invocations are added as a tree. Stage `partial` leaves a sum for each chunk and column; stage
// `total` adds these, with one workgroup for all chunks of some columns. The shape alone fixes the
// order of all additions.
//
// The number of chunks is bounded, so the turns of an invocation grow with the number of rows; they
// pass 4,096 beyond 2^22 rows of as many columns as a workgroup has invocations, which are 2^29
// elements and more.
#version 460
// %VARIANT% T f32|f16|bf16|f64
// %VARIANT% STAGE partial|total
#extension GL_GOOGLE_include_directive : require
#include "random/dropout/dropout.abi.h"
#include "random/dropout/rows.glsl"

layout(push_constant) uniform Push { DropoutColumnsPush push; };

const uint AT_ONCE = 8u;

shared REAL sums[gl_WorkGroupSize.x];

REAL sum_at(uvec2 at) {
#if defined(VKP_T_f64)
  return packDouble2x32(VkpWords2(at).v[0]);
#else
  return uintBitsToFloat(VkpWords(at).v[0]);
#endif
}
const uint SUM_BYTES = ITEM_BYTES == 8u ? 8u : 4u;

REAL number_at(uvec2 element) {
#if defined(VKP_STAGE_total)
  return sum_at(vkp_add64(vkp_u64(push.in_base), vkp_mul64(element, SUM_BYTES)));
#else
  REAL x[ITEMS];
  unpack_cell(
      load_cell(vkp_add64(vkp_u64(push.in_base), vkp_mul64(element, ITEM_BYTES)), ITEM_BYTES), x);
  return x[0];
#endif
}

void store_sum(uvec2 element, REAL x) {
#if defined(VKP_STAGE_total)
  REAL all[ITEMS];
  [[unroll]] for (uint i = 0u; i < ITEMS; ++i) all[i] = x;
  store_cell(vkp_add64(vkp_u64(push.out_base), vkp_mul64(element, ITEM_BYTES)), pack_cell(all),
             ITEM_BYTES);
#elif defined(VKP_T_f64)
  VkpWords2(vkp_add64(vkp_u64(push.out_base), vkp_mul64(element, SUM_BYTES))).v[0] =
      unpackDouble2x32(x);
#else
  VkpWords(vkp_add64(vkp_u64(push.out_base), vkp_mul64(element, SUM_BYTES))).v[0] =
      floatBitsToUint(x);
#endif
}

uvec2 place_of(uint row, uint column) { return vkp_add64(vkp_mul64(row, push.pitch), column); }

void main() {
  const uint lanes = 1u << push.lanes;
  uint row_count;
  const uint rest = divide(vkp_read_count(push.count), push.columns, row_count);
  uint last_columns = push.columns;  // columns of the last row
  if (rest != 0u) {
    ++row_count;
    last_columns = rest;
  }
  uint rows = push.rows;
  const uint chunks = row_count / rows + (row_count % rows != 0u ? 1u : 0u);
#if defined(VKP_STAGE_total)
  row_count = chunks;  // rows of sums, all of them whole
  last_columns = push.columns;
  rows = 0xffffffffu;
  const uint last_chunk = 0u;
#else
  if (chunks == 0u) return;
  const uint last_chunk = chunks - 1u;
#endif
  const uint blocks = (push.columns + lanes - 1u) / lanes;
  const uint chunk = vkp_group_index() / blocks;
  if (chunk > last_chunk) return;
  const uint column = vkp_group_index() % blocks * lanes + gl_LocalInvocationIndex % lanes;
  const uint row_lanes = gl_WorkGroupSize.x / lanes;
  const uint row_lane = gl_LocalInvocationIndex / lanes;

  precise REAL sum = REAL(0.0);
  const uint begin = rows * chunk;
  uint end = begin + min(rows, row_count - begin);
  if (end == row_count && column >= last_columns) --end;
  if (column < push.columns) {
    uint row = begin + row_lane;
    // Several rows are on their way at once; they are added in the same order as single ones.
    for (; row < end && end - row > (AT_ONCE - 1u) * row_lanes; row += AT_ONCE * row_lanes) {
      REAL x[AT_ONCE];
      [[unroll]] for (uint i = 0u; i < AT_ONCE; ++i) {
        x[i] = number_at(place_of(row + i * row_lanes, column));
      }
      // This loop is not [[unroll]], as glslc's copies of its body would lose NoContraction.
      for (uint i = 0u; i < AT_ONCE; ++i) sum += x[i];
    }
    for (; row < end; row += row_lanes) sum += number_at(place_of(row, column));
  }
  sums[gl_LocalInvocationIndex] = sum;
  barrier();
  for (uint width = row_lanes / 2u; width > 0u; width /= 2u) {
    if (row_lane < width) {
      precise REAL both =
          sums[gl_LocalInvocationIndex] + sums[gl_LocalInvocationIndex + width * lanes];
      sums[gl_LocalInvocationIndex] = both;
    }
    barrier();
  }
  if (row_lane == 0u && column < push.columns) {
    store_sum(vkp_add64(vkp_mul64(chunk, push.columns), column), sums[gl_LocalInvocationIndex]);
  }
}
