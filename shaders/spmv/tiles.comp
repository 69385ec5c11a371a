// Sparse matrix times vector: the sums within tiles, by vkprims/segmented_reduce.glsl, whose values are products that
// exist nowhere else.
//
// A cell of values is loaded at once, the columns that belong to it at once where they lie as well. All loads of
// a lane are of one branch, so that all its loads from x, by columns, are under way together: those are what the
// time goes to unless columns are near each other. A column out of range becomes the last one before anything is
// loaded, whatever happens to the product, so that no branch stands between.
// %VARIANT% T f32||f64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "spmv/spmv.glsl"

layout(constant_id = VKP_SPEC_ROW_WORDS) const uint row_words = 4;  // 4: columns of a cell are aligned to their size

uint outside = 0u;                // columns out of range,
uvec2 found_outside = uvec2(0u);  // the nonzero of one of them

VKP_T product(VKP_T value, uint column, uvec2 nonzero) {
  const uvec2 columns = vkp_u64(push.x_count);
  const bool inside = out_of_range == unchecked || vkp_less64(uvec2(column, 0u), columns);
  if (!inside) {
    ++outside;
    found_outside = nonzero;
    column = max(columns.x, 1u) - 1u;
  }
  const VKP_T x = vkp_load_element(vkp_add64(vkp_u64(push.x_base), vkp_mul64(column, VKP_BYTES)), 0u);
  VKP_T result = value * x;
  if (!inside && (out_of_range == skip || columns == uvec2(0u))) result = VKP_T(0);
  return result;
}

VkpCell vkp_load_values(VkpItems items, uint cell, bool whole) {
  // The nonzero that the cell begins with, below 0 if that is before the first one, which wraps back.
  const uvec2 bytes = vkp_sub64(vkp_add64(items.base, 16u * cell), vkp_u64(push.value_base));
  const uint shift = uint(findLSB(VKP_BYTES));
  const uvec2 first = uvec2(vkp_shr64(bytes, shift).x, uint(int(bytes.y) >> shift));
  const uvec2 columns = vkp_add64(vkp_u64(push.column_base), vkp_shl64(first, 2u));
  VkpCell c;
  if (whole) {
    c = vkp_load_whole_cell(items.base, cell);
    uint column[VKP_CELL_ITEMS];
    if (row_words == 4u) {
#if VKP_CELL_ITEMS == 4
      const uvec4 all = VkpWords4(columns).v[0];
#else
      const uvec2 all = VkpWords2(columns).v[0];
#endif
      [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) column[k] = all[k];
    } else {
      [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) column[k] = VkpWords(columns).v[k];
    }
    [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
      vkp_set_cell_item(c, k, product(vkp_cell_item(c, k), column[k], vkp_add64(first, k)));
    }
  } else {
    c = vkp_load_cell(items, cell);
    [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
      const uint item = cell * VKP_CELL_ITEMS + k;
      if (item >= items.begin && item < items.end) {
        const uint column = VkpWords(columns).v[k];
        vkp_set_cell_item(c, k, product(vkp_cell_item(c, k), column, vkp_add64(first, k)));
      }
    }
  }
  return c;
}

void main() {
  const uvec2 offsets = vkp_u64(push.offset_base);
  if (vkp_alone != 0u) {
    const uvec2 count = vkp_read_count(push.count);
    vkp_segmented_alone(pushed_work(), vkp_offsets(offsets, count, vkp_u64(push.value_count)));
  } else {
    vkp_segmented_tile(pushed_work(), offsets);
  }
  if (out_of_range != unchecked) {
    vkp_report_subgroup(vkp_u64(push.report), VKP_REPORT_INDEX_OUT_OF_RANGE, found_outside, outside);
  }
}
