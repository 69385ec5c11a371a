// The tiles of segmented_reduce.glsl, which says what they do and includes this file behind the
// names that it needs.
#ifndef VKPRIMS_SEGMENTED_TILES_GLSL
#define VKPRIMS_SEGMENTED_TILES_GLSL

// A bit for each item, counted from the first cell. There is one word more, so that a lane's bits
// always lie in two words.
shared uint vkp_tile_heads[VKP_HEAD_WORDS + 1u];
// At first cells on their way to the lanes; then for each item the fold from the last head up to
// it.
shared uvec4 vkp_tile_cells[VKP_TILE_CELLS * VKP_CELL_VECTORS];

// Returns where vector j of a cell is; the order makes bank conflicts rare when lanes each read a
// run of cells.
uint vkp_tile_cell(uint cell, uint j) {
  return (cell ^ ((cell >> 3u) & 7u)) * VKP_CELL_VECTORS + j;
}

VKP_T vkp_load_fold_at(uint item) {
  uint w[VKP_WORDS];
  [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) {
    const uint word = item % VKP_CELL_ITEMS * VKP_WORDS + i;
    w[i] = vkp_tile_cells[vkp_tile_cell(item / VKP_CELL_ITEMS, word / 4u)][word % 4u];
  }
  return vkp_unpack(w);
}

void vkp_store_fold_at(const uint item, const VKP_T x) {
  uint w[VKP_WORDS];
  vkp_pack(x, w);
  [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) {
    const uint word = item % VKP_CELL_ITEMS * VKP_WORDS + i;
    vkp_tile_cells[vkp_tile_cell(item / VKP_CELL_ITEMS, word / 4u)][word % 4u] = w[i];
  }
}

void vkp_finish(const uvec2 segment, const VKP_T total);

// gl_LocalInvocationIndex need not follow the lanes, so invocations are numbered by subgroup.
uint vkp_invocation() { return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID; }

// Returns this lane's cell of a row of its subgroup.
uint vkp_row_cell(uint row) {
  return (gl_SubgroupID * vkp_rows + row) * gl_SubgroupSize + gl_SubgroupInvocationID;
}

// The values of a tile as items, which are counted from the first cell on. The first and last cells
// of a tile may also have values of its neighbours; they are loaded whole unless something in them
// belongs to no segment.
struct VkpTileItems {
  uvec2 base;              // address of the first cell
  uvec2 first;             // the number of item 0, which need not exist: may lie below 0 and wrap
  uint begin, end;         // the items of the tile
  uint cell_begin, cell_end;  // cells to be loaded whole
};

bool vkp_has_cell(VkpTileItems items, uint cell) {
  return cell >= items.cell_begin && cell < items.cell_end;
}

bool vkp_has_item(VkpTileItems items, uint item) { return item >= items.begin && item < items.end; }

// An includer with values of its own defines these two functions.
//
// vkp_load_values() loads those of this lane's cells that are loaded whole; the others become words
// of 0. Each load has a condition of its own, under which nothing else stands, so that all loads
// are under way together.
void vkp_load_values(VkpTileItems items, out VkpCell cells[vkp_rows]);
VKP_T vkp_load_value(VkpTileItems items, uint item);

#ifndef VKP_OWN_VALUES
void vkp_load_values(VkpTileItems items, out VkpCell cells[vkp_rows]) {
  [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
    [[unroll]] for (uint j = 0u; j < VKP_CELL_VECTORS; ++j) cells[i].v[j] = uvec4(0u);
    if (vkp_has_cell(items, vkp_row_cell(i))) {
      cells[i] = vkp_load_whole_cell(items.base, vkp_row_cell(i));
    }
  }
}

VKP_T vkp_load_value(VkpTileItems items, uint item) { return vkp_load_item(items.base, item); }
#endif

// The segments that end in a tile; items are counted from its first cell.
struct VkpTileEnds {
  uvec2 offsets;       // address of the end of the first one
  uvec2 first;         // the tile's first value
  uint count;
  uint begin, values;  // the item of the tile's first value, and how many values it has
};

struct VkpTileSegment {
  uint begin, end;  // the part that the tile has; empty if begin is not below end
};

uint vkp_tile_end(VkpTileEnds ends, uint i) {
  if (vkp_offset_words == 1u) {
    const uint offset = VkpWords(ends.offsets).v[i];
    return ends.begin + min(max(offset, ends.first.x) - ends.first.x, ends.values);
  }
  return ends.begin + vkp_clamped_difference(VkpWords2(ends.offsets).v[i], ends.first, ends.values);
}

// Segment i of a tile; the lanes of a subgroup ask for neighbours. Nothing that belongs to segments
// that do not exist is read. One function loads and another one finishes, so that more can be
// loaded in between.
VkpTileSegment vkp_load_tile_segment(const VkpTileEnds ends, const uint i) {
  VkpTileSegment s = VkpTileSegment(ends.begin, ends.begin);
  if (i < ends.count) s.end = vkp_tile_end(ends, i);
  if (i < ends.count && i != 0u && gl_SubgroupInvocationID == 0u) {
    s.begin = vkp_tile_end(ends, i - 1u);
  }
  return s;
}
VkpTileSegment vkp_join_tile_segment(VkpTileSegment s) {
  const uint left = subgroupShuffle(s.end, max(gl_SubgroupInvocationID, 1u) - 1u);
  return VkpTileSegment(gl_SubgroupInvocationID == 0u ? s.begin : left, s.end);
}
VkpTileSegment vkp_tile_segment(VkpTileEnds ends, uint i) {
  return vkp_join_tile_segment(vkp_load_tile_segment(ends, i));
}

// Turns rows of cells into a run of neighbours for every lane, and returns the first cell of this
// lane's run. What does not belong to the tile becomes the identity.
uint vkp_turn_over(VkpTileItems items, inout VkpCell cells[vkp_rows]) {
  [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
    const uint cell = vkp_row_cell(i);
    if (!vkp_has_cell(items, cell)) {
      [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
        vkp_set_cell_item(cells[i], k, vkp_identity());
      }
    }
    [[unroll]] for (uint j = 0u; j < VKP_CELL_VECTORS; ++j) {
      vkp_tile_cells[vkp_tile_cell(cell, j)] = cells[i].v[j];
    }
  }
  vkp_subgroup_barrier();
#if VKP_CELL_ITEMS > 1
  // In the subgroup that has the first or the last cell of the tile, a few lanes handle one item of
  // that cell each.
  [[unroll]] for (uint edge = 0u; edge < 2u; ++edge) {
    const uint cell = edge == 0u ? 0u : items.end / VKP_CELL_ITEMS;
    const uint item = cell * VKP_CELL_ITEMS + gl_SubgroupInvocationID;
    const bool once = edge == 0u || cell != 0u;
    if (once && gl_SubgroupInvocationID < VKP_CELL_ITEMS &&
        cell / (vkp_rows * gl_SubgroupSize) == gl_SubgroupID) {
      if (!vkp_has_item(items, item)) {
        vkp_store_fold_at(item, vkp_identity());
      } else if (!vkp_has_cell(items, cell)) {
        vkp_store_fold_at(item, vkp_load_value(items, item));
      }
    }
  }
  vkp_subgroup_barrier();
#endif
  const uint first = vkp_invocation() * vkp_rows;
  [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
    [[unroll]] for (uint j = 0u; j < VKP_CELL_VECTORS; ++j) {
      cells[i].v[j] = vkp_tile_cells[vkp_tile_cell(first + i, j)];
    }
  }
  return first;
}

// Stores at items the fold from the last head up to them; it is complete where it will be read,
// which is at the last item before a head. Returns the fold behind the last head.
VKP_T vkp_fold_cells(VkpTileItems items, VkpCell cells[vkp_rows]) {
  const uint first = vkp_turn_over(items, cells);
  // From here on only this lane uses the places of its cells.
  const uint bit = first * VKP_CELL_ITEMS;
  const uint bits = vkp_rows * VKP_CELL_ITEMS;  // at most 32
  uint heads = vkp_tile_heads[bit / 32u] >> (bit % 32u);
  if (32u % bits != 0u) heads |= vkp_tile_heads[bit / 32u + 1u] << 1u << (31u - bit % 32u);
  heads &= 0xffffffffu >> (32u - bits);
  VKP_T x = vkp_identity();
  [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
    [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
      if ((heads >> (i * VKP_CELL_ITEMS + k) & 1u) != 0u) x = vkp_identity();
      x = vkp_combine(x, vkp_cell_item(cells[i], k));
      vkp_set_cell_item(cells[i], k, x);
    }
    [[unroll]] for (uint j = 0u; j < VKP_CELL_VECTORS; ++j) {
      vkp_tile_cells[vkp_tile_cell(first + i, j)] = cells[i].v[j];
    }
  }
  const VkpLaneTails lanes = vkp_scan_lane_tails(VkpLaneTail(heads != 0u, x));
  const VkpLaneTails group = vkp_scan_subgroup_tails(lanes.total);
  // What comes before this lane also belongs to its items before its first head; the last of these
  // may be read.
  const uint open = heads == 0u ? bits : uint(findLSB(heads));
  if (open != 0u) {
    const uint item = bit + open - 1u;
    const VKP_T before = vkp_join(group.before, lanes.before).value;
    vkp_store_fold_at(item, vkp_combine(before, vkp_load_fold_at(item)));
  }
  return group.total.value;
}

// Where a segment ends the next one begins.
void vkp_mark_head(uint i, VkpTileEnds ends, VkpTileSegment s) {
  if (i < ends.count && s.end < VKP_TILE_CELLS * VKP_CELL_ITEMS) {
    atomicOr(vkp_tile_heads[s.end / 32u], 1u << (s.end % 32u));
  }
}

void vkp_store_fold(const VkpSegmented work, const VkpMergeTile tile, const uint index,
                    const uint i, const VkpTileSegment s) {
  if (i >= tile.ends) return;
  VKP_T x = vkp_identity();
  if (s.begin < s.end) x = vkp_load_fold_at(s.end - 1u);
  if (i == 0u && !vkp_alone) {
    vkp_store_element(vkp_add64(vkp_segmented_record(work, index), 8u), 0u, x);
  } else {
    vkp_finish(vkp_add64(tile.segment, i), x);
  }
}

VkpTileItems vkp_tile_items(VkpSegmented work, VkpOffsets segments, VkpMergeTile tile) {
  const uvec2 first = vkp_add64(segments.first, tile.value);
  const uvec2 base = vkp_add64(work.values, vkp_mul64(first, VKP_BYTES));
  const uint head = vkp_cell_head(base);
  VkpTileItems items;
  items.base = vkp_sub64(base, uvec2(head * VKP_BYTES, 0u));
  items.first = vkp_sub64(first, uvec2(head, 0u));
  items.begin = head;
  items.end = head + tile.values;
  items.cell_begin = vkp_less64(tile.value, uvec2(head, 0u)) ? 1u : 0u;
  const uint most = VKP_TILE_CELLS * VKP_CELL_ITEMS;
  const uint upto = head + vkp_clamped_difference(segments.values, tile.value, most);
  items.cell_end = min((items.end + VKP_CELL_ITEMS - 1u) / VKP_CELL_ITEMS, upto / VKP_CELL_ITEMS);
  return items;
}

void vkp_fold_tile(const VkpSegmented work, const VkpOffsets segments, const VkpMergeTile tile,
                   const uint index) {
  const VkpTileItems items = vkp_tile_items(work, segments, tile);
  const VkpTileEnds ends = VkpTileEnds(
      vkp_add64(segments.offsets, vkp_mul64(vkp_add64(tile.segment, 1u), 4u * vkp_offset_words)),
      vkp_add64(segments.first, tile.value), tile.ends, items.begin, tile.values);
  // Most tiles have at most one segment for each lane, which keeps what it has loaded of it.
  const uint own = vkp_invocation();
  VkpTileSegment own_segment = vkp_load_tile_segment(ends, own);
  VkpCell cells[vkp_rows];
  vkp_load_values(items, cells);
  own_segment = vkp_join_tile_segment(own_segment);

  for (uint i = own; i < VKP_HEAD_WORDS; i += gl_WorkGroupSize.x) vkp_tile_heads[i] = 0u;
  barrier();
  vkp_mark_head(own, ends, own_segment);
  for (uint i = gl_WorkGroupSize.x; i < tile.ends; i += gl_WorkGroupSize.x) {
    vkp_mark_head(i + own, ends, vkp_tile_segment(ends, i + own));
  }
  barrier();
  const VKP_T rest = vkp_fold_cells(items, cells);
  barrier();
  vkp_store_fold(work, tile, index, own, own_segment);
  for (uint i = gl_WorkGroupSize.x; i < tile.ends; i += gl_WorkGroupSize.x) {
    vkp_store_fold(work, tile, index, i + own, vkp_tile_segment(ends, i + own));
  }
  if (own == 0u && !vkp_alone) {
    vkp_store_element(vkp_add64(vkp_segmented_record(work, index), 8u), 1u, rest);
  }
}

// Does the second dispatch, with one workgroup per tile, or the only one of a tile that is alone.
void vkp_segmented_tile(VkpSegmented work, VkpSegments given) {
  const VkpMergeTiles tiles = VkpMergeTiles(work.scratch, work.max_tiles, vkp_segmented_items(),
                                            VKP_SEGMENTED_RECORD_BYTES(VKP_BYTES));
  const uint index = vkp_group_index();
  VkpOffsets segments;
  VkpMergeTile tile;
  if (!vkp_find_merge_tile(tiles, given, index, segments, tile)) return;
  vkp_fold_tile(work, segments, tile, index);
}

#endif
