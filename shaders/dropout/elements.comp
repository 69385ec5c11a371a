// Dropout of every element, forward and backward, with what comes before and after it: bias, residual. An element is
// chosen, never multiplied by 0.
//
// A strip is what a subgroup treats. Where draws decide, or bits are stored, it has 32 elements for each lane: a lane
// decides for those of one word of the mask, so words are stored side by side; then all lanes go over the strip's cells
// row by row, and each takes the bits of its cell from the lane that has them. That is the same for subgroups of any
// size. Else a strip is a row of cells, and each lane reads what is known of its own.
//
// Source: layout of the mask as ONNX Runtime's BitmaskDropout; draws by Philox (vkprims/philox.glsl).
#version 460
// %VARIANT% T f32|f16|bf16|f64
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_shuffle : require
#include "dropout.abi.h"
#include "dropout/kept.glsl"

layout(constant_id = VKP_SPEC_ROWS) const uint rows = 4;
layout(constant_id = VKP_DROPOUT_SPEC_MASK) const uint mask = 0;
layout(constant_id = VKP_DROPOUT_SPEC_BIAS) const uint bias = 0;
layout(push_constant) uniform Push { DropoutPush push; };

const bool has_residual = (flags & VKP_DROPOUT_RESIDUAL) != 0u;
const bool has_bias = bias == VKP_DROPOUT_BIAS_ROW || bias == VKP_DROPOUT_BIAS_FULL;
const bool has_rows = pitched || bias == VKP_DROPOUT_BIAS_ROW;
const bool draws = source == VKP_DROPOUT_DRAW_32 || source == VKP_DROPOUT_DRAW_16;
const bool by_words = draws || mask == VKP_DROPOUT_MASK_BITS;
const uint STRIP_ROWS = by_words ? 32u / ITEMS : 1u;

struct Row {
  uvec4 in_cell, bias_cell, residual_cell;
  uint kept;
};

// Of the strip that begins with element `first`.
View view(VkpU64 base, uint pitch, uint layout_of, uvec2 first) {
  uvec2 at = vkp_u64(base);
  if (layout_of == FLAT) at = vkp_add64(at, vkp_mul64(first, ITEM_BYTES));
  return View(at, pitch, layout_of);
}

REAL scale() {
#if defined(VKP_T_f64)
  return packDouble2x32(vkp_u64(push.scale));
#else
  return uintBitsToFloat(push.scale.lo);
#endif
}

// A product that no compiler contracts with a sum: the bit that changes is 0, which it does not know.
REAL unseen(REAL x) {
  const uint zero = push.count.is_u64 >> 1u;
#if defined(VKP_T_f64)
  return packDouble2x32(unpackDouble2x32(x) ^ uvec2(zero));
#else
  return uintBitsToFloat(floatBitsToUint(x) ^ zero);
#endif
}

// What becomes of a cell of which some elements are kept.
uvec4 result(Row row) {
  precise REAL x[ITEMS];
  REAL b[ITEMS];
  REAL r[ITEMS];
  unpack_cell(row.in_cell, x);
  if (has_bias) unpack_cell(row.bias_cell, b);
  if (has_residual) unpack_cell(row.residual_cell, r);
  // Not [[unroll]]: the copies that glslc makes of a loop's body have lost NoContraction.
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

// A byte for each bit of a cell.
void store_mask_bytes(uvec2 at, uint kept, uint items) {
  uint w[3];
  w[2] = 0u;
  [[unroll]] for (uint i = 0u; i < 2u; ++i) {
    const uint four = bitfieldExtract(kept, int(4u * i), 4);
    w[i] = (four | four << 7u | four << 14u | four << 21u) & 0x01010101u;
  }
  const uint skip = at.x & 3u;
  at.x -= skip;
  [[unroll]] for (uint i = 0u; i < 3u; ++i) {
    if (4u * i >= skip + items) break;
    uint x = w[i] << 8u * skip;
    if (i > 0u && skip != 0u) x |= w[i - 1u] >> 32u - 8u * skip;
    vkp_store_bytes(vkp_add64(at, 4u * i), x, vkp_byte_mask(i, skip, skip + items));
  }
}
uint load_mask_bytes(uvec2 at, uint items) {
  const uint skip = at.x & 3u;
  at.x -= skip;
  uint kept = 0u;
  [[unroll]] for (uint i = 0u; i < 3u; ++i) {
    if (4u * i >= skip + items) break;
    const uint w = VkpWords(at).v[i];
    uint four = 0u;
    [[unroll]] for (uint k = 0u; k < 4u; ++k) four |= min(bitfieldExtract(w, int(8u * k), 8), 1u) << k;
    kept |= i == 0u ? four >> skip : four << 4u * i - skip;
  }
  return kept;
}

// The bits of a cell that begins at an offset in the strip.
uint kept_cell(uvec2 first, uint offset, uint items) {
  if (source == VKP_DROPOUT_READ_BYTES) {
    return load_mask_bytes(vkp_add64(vkp_u64(push.mask), vkp_add64(first, offset)), items);
  }
  if (source != VKP_DROPOUT_READ_BITS) return source == VKP_DROPOUT_ALL ? 0xffffffffu : 0u;
  const uvec2 words = vkp_add64(vkp_u64(push.mask), vkp_shl64(vkp_shr64(first, 5u), 2u));
  const uint bit = (first.x & 31u) + offset;
  return VkpWords(words).v[bit / 32u] >> bit % 32u;
}

// The word of a lane. Bits from `valid` on are 0.
uint kept_word(uvec2 first, uint valid) {
  if (source == VKP_DROPOUT_NOTHING || valid == 0u) return 0u;
  uint kept = 0xffffffffu;
  if (draws) {
    const VkpRng rng = vkp_rng(push.rng);
    kept = shared_draws ? drawn_in_runs(rng, first, valid, push.run, push.threshold) : drawn(rng, first, push.threshold);
  }
  return kept & vkp_low_bits(valid);
}

// A strip of `valid` elements. `whole`: it has all of them, in cells that lie side by side and aligned.
void treat(uvec2 first, uint valid, bool whole) {
  const uint lane = gl_SubgroupInvocationID;
  Place strip = Place(0u, 0u, 0u);
  uint inverse = 0u;
  if (has_rows) {
    strip.column = divide(first, push.columns, strip.row);
    inverse = 0xffffffffu / push.columns;
  }
  const uint matrix = pitched ? ROWS : FLAT;
  const View in_view = view(push.in_base, push.in_pitch, matrix, first);
  const View out_view = view(push.out_base, push.out_pitch, matrix, first);
  const View bias_view = view(push.bias, push.bias_pitch, bias == VKP_DROPOUT_BIAS_ROW ? COLUMN : matrix, first);
  const View residual_view = view(push.residual, push.residual_pitch, matrix, first);
  const uvec2 mask_bytes = vkp_add64(vkp_u64(push.mask), first);
  uint word = 0u;
  [[unroll]] for (uint begin = 0u; begin < STRIP_ROWS; begin += rows) {
    Row r[rows];
    [[unroll]] for (uint i = 0u; i < rows; ++i) {
      const uint offset = ((begin + i) * gl_SubgroupSize + lane) * ITEMS;
      if (!whole && offset >= valid) continue;
      const uint items = whole ? ITEMS : min(valid - offset, ITEMS);
      Place p = Place(offset, 0u, 0u);
      if (has_rows) p = place_in_rows(offset, strip, push.columns, inverse);
      if (!by_words) r[i].kept = kept_cell(first, offset, items);
      r[i].in_cell = load_items(in_view, p, items, push.columns, whole);
      if (has_bias) r[i].bias_cell = load_items(bias_view, p, items, push.columns, whole);
      if (has_residual) r[i].residual_cell = load_items(residual_view, p, items, push.columns, whole);
    }
    if (by_words && begin == 0u) {  // while what is loaded is on its way
      const uint own = 32u * lane;
      word = kept_word(vkp_add64(first, own), whole ? 32u : valid > own ? min(valid - own, 32u) : 0u);
      const uvec2 words = vkp_add64(vkp_u64(push.mask), vkp_shl64(vkp_shr64(first, 5u), 2u));
      if (mask == VKP_DROPOUT_MASK_BITS && (whole || valid > own)) VkpWords(words).v[lane] = word;
    }
    [[unroll]] for (uint i = 0u; i < rows; ++i) {
      const uint offset = ((begin + i) * gl_SubgroupSize + lane) * ITEMS;
      if (by_words) r[i].kept = subgroupShuffle(word, offset / 32u) >> offset % 32u;
      if (!whole && offset >= valid) continue;
      const uint items = whole ? ITEMS : min(valid - offset, ITEMS);
      Place p = Place(offset, 0u, 0u);
      if (has_rows) p = place_in_rows(offset, strip, push.columns, inverse);
      if (mask == VKP_DROPOUT_MASK_BYTES) store_mask_bytes(vkp_add64(mask_bytes, offset), r[i].kept, items);
      store_items(out_view, p, result(r[i]), items, push.columns, whole);
    }
  }
}

void main() {
  const uint lane_items = STRIP_ROWS * ITEMS;
  const uint strip_items = lane_items * gl_SubgroupSize;
  const uvec2 tile = vkp_mul64(vkp_group_index(), lane_items * gl_WorkGroupSize.x);
  const uvec2 first = vkp_add64(tile, gl_SubgroupID * strip_items);
  const uint valid = vkp_clamped_difference(vkp_read_count(push.count), first, strip_items);
  if (row_words == 4u && valid == strip_items) {
    treat(first, valid, true);
  } else if (valid != 0u) {
    treat(first, valid, false);
  }
}
