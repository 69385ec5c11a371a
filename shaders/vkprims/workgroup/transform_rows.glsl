// Rows of a scan that converts its elements (transform_cells.glsl): a part of scan_strip.glsl.
#ifndef VKPRIMS_TRANSFORM_ROWS_GLSL
#define VKPRIMS_TRANSFORM_ROWS_GLSL

#ifdef VKP_OUT
#define VKP_STORED_WORDS VKP_OUT_WORDS
void vkp_stored(VKP_T exclusive, VKP_T inclusive, uvec2 index, out uint w[VKP_OUT_WORDS]) {
  vkp_pack_out(vkp_store(exclusive, inclusive, index), w);
}
#else
#define VKP_STORED_WORDS VKP_WORDS
void vkp_stored(VKP_T exclusive, VKP_T inclusive, uvec2 index, out uint w[VKP_WORDS]) {
  if (vkp_inclusive != 0u) {
    vkp_pack(inclusive, w);
  } else {
    vkp_pack(exclusive, w);
  }
}
#endif
#define VKP_STORED_BYTES (4 * VKP_STORED_WORDS)

// Notes in each cell what comes before it, in the row and by `before`, which becomes what comes
// before the next row.
void vkp_scan_row(inout VkpCell cell, inout VKP_T before) {
  const VKP_T upto = vkp_subgroup_inclusive_scan(vkp_fold_cell(cell));
  VKP_T lanes = vkp_shuffle(upto, max(gl_SubgroupInvocationID, 1u) - 1u);
  if (gl_SubgroupInvocationID == 0u) lanes = vkp_identity();
  cell.before = vkp_combine(before, lanes);
  before = vkp_combine(before, vkp_shuffle(upto, gl_SubgroupSize - 1u));
}

// Puts `prefix` before the elements of a cell that has been scanned.
void vkp_prefix_cell(VKP_T prefix, inout VkpCell cell) {
  cell.before = vkp_combine(prefix, cell.before);
}

// Where a strip is stored, row after row.
struct VkpOutRows {
  uvec2 base;
  bool whole;
};

// Stores this lane's cell of the next row, which is cell `index`.
void vkp_store_row(inout VkpOutRows rows, uint index, VkpCell cell) {
  uint w[VKP_CELL_ITEMS * VKP_STORED_WORDS];
  VKP_T running = cell.before;
  [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
    const VKP_T next = vkp_combine(running, vkp_cell_item(cell, k));
    uint x[VKP_STORED_WORDS];
    vkp_stored(running, next, vkp_add64(cell.first, k), x);
    [[unroll]] for (uint i = 0u; i < VKP_STORED_WORDS; ++i) w[k * VKP_STORED_WORDS + i] = x[i];
    running = next;
  }
#if VKP_CELL_ITEMS * VKP_STORED_WORDS % 4 == 0
  if (rows.whole && vkp_row_words == 4u) {
    const uint vectors = VKP_CELL_ITEMS * VKP_STORED_WORDS / 4;
    [[unroll]] for (uint i = 0u; i < vectors; ++i) {
      VkpWords4(rows.base).v[index * vectors + i] =
          uvec4(w[4u * i], w[4u * i + 1u], w[4u * i + 2u], w[4u * i + 3u]);
    }
    return;
  }
#endif
  [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
    if ((cell.exists >> k & 1u) == 0u) continue;
    [[unroll]] for (uint i = 0u; i < VKP_STORED_WORDS; ++i) {
      VkpWords(rows.base).v[(index * VKP_CELL_ITEMS + k) * VKP_STORED_WORDS + i] =
          w[k * VKP_STORED_WORDS + i];
    }
  }
}

void vkp_finish_rows(VkpOutRows rows) {}

#endif
