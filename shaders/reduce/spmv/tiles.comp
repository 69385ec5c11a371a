// Sparse matrix times vector: the sums within tiles, by vkprims/device/segmented_reduce.glsl. The
// values there are products that exist nowhere else.
//
// A cell of values is loaded at once, and so are its columns where they are aligned, too. Values
// and columns of all rows come first, then all loads from x, by columns, then the products, so that
// loads are in flight together. The loads from x take most of the time unless columns are near each
// other. A column out of range is replaced by the last one before anything is loaded, whatever
// happens to the product, so that no branch stands between.
// %VARIANT% T f32|f64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "reduce/spmv/spmv.glsl"

// 4: the columns of a cell are aligned to their size.
layout(constant_id = VKP_SPEC_ROW_WORDS) const uint row_words = 4;

uint outside = 0u;                // number of columns out of range
uvec2 found_outside = uvec2(0u);  // number of the nonzero of one of them

// Returns the column whose element of x is loaded, and whether it is the one that was asked for. If
// two tiles have a cell, only one of them counts its columns.
uint checked_column(VkpTileItems items, uint column, uint item, out bool inside) {
  const uvec2 columns = vkp_u64(push.x_count);
  inside = out_of_range == unchecked || vkp_less64(uvec2(column, 0u), columns);
  if (inside) return column;
  if (vkp_has_item(items, item)) {
    ++outside;
    found_outside = vkp_add64(items.first, item);
  }
  return max(columns.x, 1u) - 1u;
}

VKP_T load_x(uint column) {
  return vkp_load_element(vkp_add64(vkp_u64(push.x_base), vkp_mul64(column, VKP_BYTES)), 0u);
}

VKP_T product(VKP_T value, VKP_T x, bool inside) {
  const bool skipped = !inside && (out_of_range == skip || vkp_u64(push.x_count) == uvec2(0u));
  return skipped ? VKP_T(0) : value * x;
}

// `first` may lie below 0 and then wraps back.
uvec2 columns_from(uvec2 first) {
  return vkp_add64(vkp_u64(push.column_base), vkp_shl64(first, 2u));
}

void vkp_load_values(VkpTileItems items, out VkpCell cells[vkp_rows]) {
  const uvec2 columns = columns_from(items.first);
  uint column[vkp_rows * VKP_CELL_ITEMS];
  [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
    const uint cell = vkp_row_cell(i);
    cells[i].v[0] = uvec4(0u);
    [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) column[i * VKP_CELL_ITEMS + k] = 0u;
    if (vkp_has_cell(items, cell)) {
      cells[i].v[0] = VkpWords4(items.base).v[cell];
      if (row_words == 4u) {
#if VKP_CELL_ITEMS == 4
        const uvec4 all = VkpWords4(columns).v[cell];
#else
        const uvec2 all = VkpWords2(columns).v[cell];
#endif
        [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
          column[i * VKP_CELL_ITEMS + k] = all[k];
        }
      } else {
        [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
          column[i * VKP_CELL_ITEMS + k] = VkpWords(columns).v[cell * VKP_CELL_ITEMS + k];
        }
      }
    }
  }
  VKP_T x[vkp_rows * VKP_CELL_ITEMS];
  bool inside[vkp_rows * VKP_CELL_ITEMS];
  [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
    const uint cell = vkp_row_cell(i);
    [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
      const uint j = i * VKP_CELL_ITEMS + k;
      x[j] = VKP_T(0);
      inside[j] = true;
      if (vkp_has_cell(items, cell)) {
        x[j] = load_x(checked_column(items, column[j], cell * VKP_CELL_ITEMS + k, inside[j]));
      }
    }
  }
  [[unroll]] for (uint j = 0u; j < vkp_rows * VKP_CELL_ITEMS; ++j) {
    const uint i = j / VKP_CELL_ITEMS;
    const uint k = j % VKP_CELL_ITEMS;
    vkp_set_cell_item(cells[i], k, product(vkp_cell_item(cells[i], k), x[j], inside[j]));
  }
}

VKP_T vkp_load_value(VkpTileItems items, uint item) {
  bool inside;
  const uint column =
      checked_column(items, VkpWords(columns_from(items.first)).v[item], item, inside);
  return product(vkp_load_item(items.base, item), load_x(column), inside);
}

void main() {
  vkp_segmented_tile(pushed_work(), VkpSegments(vkp_u64(push.offset_base), push.count,
                                                vkp_u64(push.value_count)));
  if (out_of_range != unchecked) {
    vkp_report_subgroup(vkp_u64(push.report), VKP_REPORT_INDEX_OUT_OF_RANGE, found_outside,
                        outside);
  }
}
