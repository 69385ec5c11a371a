// Dropout of every element, forward and backward, with what comes before and after it: bias, residual. An element is
// chosen, never multiplied by 0.
//
// A strip is what a subgroup treats: 32 elements for each lane. A lane decides for the 32 elements of one word of the
// mask, so words are stored and loaded side by side; then all lanes go over the strip's cells row by row, and each takes
// the bits of its cell from the lane that has them. So it is the same for subgroups of any size.
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
const uint STRIP_ROWS = 32u / ITEMS;

struct Row {
  uvec4 in_cell, bias_cell, residual_cell;
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

// What becomes of a cell of which some elements are kept.
uvec4 result(Row row, uint kept) {
  precise REAL x[ITEMS];
  REAL b[ITEMS];
  REAL r[ITEMS];
  unpack_cell(row.in_cell, x);
  if (has_bias) unpack_cell(row.bias_cell, b);
  if (has_residual) unpack_cell(row.residual_cell, r);
  [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
    if (has_bias) x[i] += b[i];
    x[i] *= scale();
    REAL dropped = REAL(0.0);
    if (bias == VKP_DROPOUT_BIAS_ALPHA) {
      x[i] += REAL(uintBitsToFloat(push.bias.lo));
      dropped = REAL(uintBitsToFloat(push.bias.hi));
    }
    if ((kept >> i & 1u) == 0u) x[i] = dropped;
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

// The word of a lane. Bits from `valid` on are 0.
uint kept_word(uvec2 mask_words, uvec2 first, uint valid) {
  if (source == VKP_DROPOUT_NOTHING || valid == 0u) return 0u;
  uint kept = 0xffffffffu;
  if (source == VKP_DROPOUT_READ_BITS) {
    kept = VkpWords(mask_words).v[gl_SubgroupInvocationID];
  } else if (source == VKP_DROPOUT_DRAW_32 || source == VKP_DROPOUT_DRAW_16) {
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
  const uvec2 mask_words = vkp_add64(vkp_u64(push.mask), vkp_shl64(vkp_shr64(first, 5u), 2u));
  uint word = 0u;
  [[unroll]] for (uint begin = 0u; begin < STRIP_ROWS; begin += rows) {
    Row r[rows];
    [[unroll]] for (uint i = 0u; i < rows; ++i) {
      const uint offset = ((begin + i) * gl_SubgroupSize + lane) * ITEMS;
      if (!whole && offset >= valid) continue;
      const uint items = whole ? ITEMS : min(valid - offset, ITEMS);
      Place p = Place(offset, 0u, 0u);
      if (has_rows) p = place_in_rows(offset, strip, push.columns, inverse);
      r[i].in_cell = load_items(in_view, p, items, push.columns, whole);
      if (has_bias) r[i].bias_cell = load_items(bias_view, p, items, push.columns, whole);
      if (has_residual) r[i].residual_cell = load_items(residual_view, p, items, push.columns, whole);
    }
    if (begin == 0u) {  // while what is loaded is on its way
      const uint own = 32u * lane;
      word = kept_word(mask_words, vkp_add64(first, own), whole ? 32u : valid > own ? min(valid - own, 32u) : 0u);
      if (mask == VKP_DROPOUT_MASK_BITS && (whole || valid > own)) VkpWords(mask_words).v[lane] = word;
    }
    [[unroll]] for (uint i = 0u; i < rows; ++i) {
      const uint offset = ((begin + i) * gl_SubgroupSize + lane) * ITEMS;
      uint kept = subgroupShuffle(word, offset / 32u) >> offset % 32u;
      if (!whole && offset >= valid) continue;
      const uint items = whole ? ITEMS : min(valid - offset, ITEMS);
      Place p = Place(offset, 0u, 0u);
      if (has_rows) p = place_in_rows(offset, strip, push.columns, inverse);
      const uvec2 at = vkp_add64(mask_bytes, offset);
      if (source == VKP_DROPOUT_READ_BYTES) kept = load_mask_bytes(at, items);
      if (mask == VKP_DROPOUT_MASK_BYTES) store_mask_bytes(at, kept, items);
      store_items(out_view, p, result(r[i], kept), items, push.columns, whole);
    }
  }
}

void main() {
  const uint strip_items = 32u * gl_SubgroupSize;
  const uvec2 first = vkp_add64(vkp_mul64(vkp_group_index(), 32u * gl_WorkGroupSize.x), gl_SubgroupID * strip_items);
  const uint valid = vkp_clamped_difference(vkp_read_count(push.count), first, strip_items);
  if (row_words == 4u && valid == strip_items) {
    treat(first, valid, true);
  } else if (valid != 0u) {
    treat(first, valid, false);
  }
}
