// Dropout of every element, forward and backward, with what comes before and after it: a bias and a
// residual. An element is chosen, never multiplied by 0.
//
// A strip is what a subgroup treats. Where draws decide, or bits are stored, a strip has 32
// elements for each lane. Each lane decides for the elements of one word of the mask, so words are
// stored side by side; then all lanes go over the strip's cells row by row, and each takes the bits
// of its cell from the lane that has them. This is the same for subgroups of any size. Otherwise a
// strip is a row of cells, and each lane finds out what is kept of its own cell.
//
// Source: the layout of the mask is that of ONNX Runtime's BitmaskDropout; draws are made by Philox
// (vkprims/random/philox.glsl).
// %UNROLL% driver
// %INLINE% all
#version 460
// %VARIANT% T f32|f16|bf16|f64
#extension GL_GOOGLE_include_directive : require
#include "random/dropout/dropout.abi.h"
#include "random/dropout/result.glsl"
#include "random/dropout/rows.glsl"
#include "random/dropout/shifted.glsl"

layout(constant_id = VKP_SPEC_ROWS) const uint rows = 4;

const bool shifted = (flags & VKP_DROPOUT_SHIFTED) != 0u;
const bool has_rows = pitched || bias == VKP_DROPOUT_BIAS_ROW;
const uint STRIP_ROWS = by_words ? 32u / ITEMS : 1u;

// Returns the view of the strip that begins with element `first`.
View view(VkpU64 base, uint pitch, uint layout_of, uvec2 first) {
  uvec2 at = vkp_u64(base);
  if (layout_of == FLAT) at = vkp_add64(at, vkp_mul64(first, ITEM_BYTES));
  return View(at, pitch, layout_of);
}

struct Views {
  View from, to, bias, residual;
};

// Loads what may be cut where a row ends. The code for a view is long, so it stands in a loop,
// which only the driver unrolls.
Row load_row(Views v, Place p, uint items) {
  Row row;
  [[unroll]] for (uint k = 0u; k < 3u; ++k) {
    if ((k == 1u && !has_bias) || (k == 2u && !has_residual)) continue;
    View view = v.from;
    if (k == 1u) view = v.bias;
    if (k == 2u) view = v.residual;
    const uvec4 cell = load_items(view, p, items, push.columns);
    if (k == 0u) row.in_cell = cell;
    if (k == 1u) row.bias_cell = cell;
    if (k == 2u) row.residual_cell = cell;
  }
  return row;
}
Row load_whole_row(Views v, Place p, uint i) {
  Row row;
  row.in_cell = load_whole(v.from, p, i);
  if (has_bias) row.bias_cell = load_whole(v.bias, p, i);
  if (has_residual) row.residual_cell = load_whole(v.residual, p, i);
  return row;
}
Row load_shifted_row(Views v, uint i) {
  Row row;
  row.in_cell = load_shifted(v.from.base, i);
  if (has_bias) row.bias_cell = load_shifted(v.bias.base, i);
  if (has_residual) row.residual_cell = load_shifted(v.residual.base, i);
  return row;
}

Place place_of(Place strip, uint offset, uint inverse) {
  if (has_rows) return place_in_rows(offset, strip, push.columns, inverse);
  return Place(offset, 0u, 0u);
}

// Treats a strip that has all its elements, in cells that are aligned, or shifted.
void treat_whole(uvec2 first, Place strip, uint inverse, Views v) {
  uint word = 0u;
  uvec4 last = uvec4(0u);
  for (uint begin = 0u; begin < STRIP_ROWS; begin += rows) {
    Row r[rows];
    [[unroll]] for (uint i = 0u; i < rows; ++i) {
      const uint offset = ((begin + i) * gl_SubgroupSize + gl_SubgroupInvocationID) * ITEMS;
      uint kept = 0u;
      if (!by_words) kept = kept_cell(first, offset, ITEMS);
      if (shifted) {
        r[i] = load_shifted_row(v, begin + i);
      } else {
        r[i] = load_whole_row(v, place_of(strip, offset, inverse), begin + i);
      }
      r[i].kept = kept;
    }
    // The decision is made while loads are on their way.
    if (by_words && begin == 0u) word = decide(first, 32u * gl_SubgroupSize);
    [[unroll]] for (uint i = 0u; i < rows; ++i) {
      const uint offset = ((begin + i) * gl_SubgroupSize + gl_SubgroupInvocationID) * ITEMS;
      if (by_words) r[i].kept = kept_of_word(word, offset);
      if (mask == VKP_DROPOUT_MASK_BYTES) {
        store_mask_bytes(mask_byte(first, offset), r[i].kept, ITEMS);
      }
      if (shifted) {
        store_shifted(v.to.base, begin + i, STRIP_ROWS, result(r[i]), last);
      } else {
        store_whole(v.to, place_of(strip, offset, inverse), begin + i, result(r[i]));
      }
    }
  }
}

// Treats any strip.
void treat_parts(uvec2 first, uint valid, Place strip, uint inverse, Views v) {
  uint word = 0u;
  if (by_words) word = decide(first, valid);
  for (uint i = 0u; i < STRIP_ROWS; ++i) {
    const uint offset = (i * gl_SubgroupSize + gl_SubgroupInvocationID) * ITEMS;
    uint kept = 0u;
    if (by_words) kept = kept_of_word(word, offset);
    if (offset >= valid) continue;
    const uint items = min(valid - offset, ITEMS);
    const Place p = place_of(strip, offset, inverse);
    Row row = load_row(v, p, items);
    row.kept = kept;
    if (!by_words) row.kept = kept_cell(first, offset, items);
    if (mask == VKP_DROPOUT_MASK_BYTES) store_mask_bytes(mask_byte(first, offset), row.kept, items);
    store_items(v.to, p, result(row), items, push.columns);
  }
}

void main() {
  const uint lane_items = STRIP_ROWS * ITEMS;
  const uint strip_items = lane_items * gl_SubgroupSize;
  const uvec2 tile = vkp_mul64(vkp_group_index(), lane_items * gl_WorkGroupSize.x);
  const uvec2 first = vkp_add64(tile, gl_SubgroupID * strip_items);
  // Shifted loads reach over the ends of a strip, so strips at the ends of the sequence are treated
  // element by element.
  const uint margin = shifted ? ITEMS : 0u;
  const uint there =
      vkp_clamped_difference(vkp_read_count(push.count), first, strip_items + margin);
  if (there == 0u) return;  // the whole subgroup returns

  Place strip = Place(0u, 0u, 0u);
  uint inverse = 0u;
  if (has_rows) {
    strip.column = divide(first, push.columns, strip.row);
    inverse = 0xffffffffu / push.columns;
  }
  const uint matrix = pitched ? ROWS : FLAT;
  const uint bias_layout = bias == VKP_DROPOUT_BIAS_ROW ? COLUMN : matrix;
  const Views v = Views(view(push.in_base, push.in_pitch, matrix, first),
                        view(push.out_base, push.out_pitch, matrix, first),
                        view(push.bias, push.bias_pitch, bias_layout, first),
                        view(push.residual, push.residual_pitch, matrix, first));
  if ((row_words == 4u || (shifted && first != uvec2(0u))) && there == strip_items + margin) {
    treat_whole(first, strip, inverse, v);
  } else {
    treat_parts(first, min(there, strip_items), strip, inverse, v);
  }
}
