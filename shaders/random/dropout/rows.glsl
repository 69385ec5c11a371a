// Elements as rows of a matrix, and cells that may be cut where a row ends.
#ifndef VKPRIMS_DROPOUT_ROWS_GLSL
#define VKPRIMS_DROPOUT_ROWS_GLSL

#include "random/dropout/cells.glsl"

const bool pitched = (flags & VKP_DROPOUT_PITCHED) != 0u;

// The place of an element: where it is in the strip, and its row and column where they are needed.
struct Place {
  uint offset;
  uint row, column;
};

// Divides a number below 2^38: returns the remainder, and sets the quotient, which fits into 32
// bits.
uint divide(uvec2 x, uint by, out uint quotient) {
  if (x.y == 0u) {
    quotient = x.x / by;
    return x.x % by;
  }
  uint remainder = x.y % by;  // higher digits would make quotients of 2^32 and more: there are none
  quotient = 0u;
  [[dont_unroll]] for (int bit = 31; bit >= 0; --bit) {
    remainder = remainder << 1u | (x.x >> uint(bit) & 1u);  // below 2^32, as `by` is at most 2^31
    quotient <<= 1u;
    if (remainder >= by) {
      remainder -= by;
      quotient |= 1u;
    }
  }
  return remainder;
}

// Finds a place by its column, counted from the beginning of a row; `inverse` is 0xffffffff /
// columns. The quotient that `inverse` gives is at most one too small, as columns and columns +
// offset are below 2^31 + 2^12.
Place place_in_rows(uint offset, Place begin, uint columns, uint inverse) {
  Place p = Place(offset, begin.row, begin.column + offset);
  uint low;
  uint more;
  umulExtended(p.column, inverse, more, low);
  p.column -= more * columns;
  if (p.column >= columns) {
    p.column -= columns;
    ++more;
  }
  p.row += more;
  return p;
}

// A layout says how the elements of a strip lie in memory.
const uint FLAT = 0u;    // one after the other
const uint ROWS = 1u;    // in rows with a pitch
const uint COLUMN = 2u;  // a single row for all
struct View {
  uvec2 base;  // FLAT: address of the strip
  uint pitch;
  uint layout_of;
};

uvec2 address_of(const View view, const Place p) {
  if (view.layout_of == FLAT) return vkp_add64(view.base, p.offset * ITEM_BYTES);
  if (view.layout_of == COLUMN) return vkp_add64(view.base, vkp_mul64(p.column, ITEM_BYTES));
  const uvec2 element = vkp_add64(vkp_mul64(p.row, view.pitch), p.column);
  return vkp_add64(view.base, vkp_mul64(element, ITEM_BYTES));
}

// Moves a place on by `items` items of its row.
void advance(inout Place p, uint items, uint columns) {
  p.offset += items;
  p.column += items;
  if (p.column == columns) {
    p.column = 0u;
    ++p.row;
  }
}

// moved_up() moves a cell by a number of items towards its end, moved_down() towards its beginning.
uvec4 moved_up(const uvec4 cell, const uint items) {
  const uint bytes = items * ITEM_BYTES;
  uvec4 r = uvec4(0u);
  [[unroll]] for (uint i = 0u; i < 4u; ++i) {
    const int from = int(i) - int(bytes / 4u);
    if (from >= 0) r[i] = cell[from] << 8u * (bytes & 3u);
    if (from >= 1 && (bytes & 3u) != 0u) r[i] |= cell[from - 1] >> 16u;
  }
  return r;
}
uvec4 moved_down(uvec4 cell, uint items) {
  const uint bytes = items * ITEM_BYTES;
  uvec4 r = uvec4(0u);
  [[unroll]] for (uint i = 0u; i < 4u; ++i) {
    const uint from = i + bytes / 4u;
    if (from < 4u) r[i] = cell[from] >> 8u * (bytes & 3u);
    if (from < 3u && (bytes & 3u) != 0u) r[i] |= cell[from + 1u] << 16u;
  }
  return r;
}

// load_whole() and store_whole() access the lane's cell of a row of the strip, all items of which
// lie side by side and aligned.
uvec4 load_whole(View view, Place p, uint row) {
  if (view.layout_of == FLAT) {
    return VkpWords4(view.base).v[row * gl_SubgroupSize + gl_SubgroupInvocationID];
  }
  return VkpWords4(address_of(view, p)).v[0];
}
void store_whole(View view, Place p, uint row, uvec4 cell) {
  if (view.layout_of == FLAT) {
    VkpWords4(view.base).v[row * gl_SubgroupSize + gl_SubgroupInvocationID] = cell;
  } else {
    VkpWords4(address_of(view, p)).v[0] = cell;
  }
}

// load_items() and store_items() access those items of a cell that exist.
uvec4 load_items(View view, Place p, uint items, uint columns) {
  uvec4 cell = uvec4(0u);
  for (uint first = 0u; first < items;) {
    const uint end = view.layout_of == FLAT ? items : min(items, first + (columns - p.column));
    cell |= moved_up(load_cell(address_of(view, p), (end - first) * ITEM_BYTES), first);
    advance(p, end - first, columns);
    first = end;
  }
  return cell;
}
void store_items(View view, Place p, uvec4 cell, uint items, uint columns) {
  for (uint first = 0u; first < items;) {
    const uint end = view.layout_of == FLAT ? items : min(items, first + (columns - p.column));
    store_cell(address_of(view, p), moved_down(cell, first), (end - first) * ITEM_BYTES);
    advance(p, end - first, columns);
    first = end;
  }
}

#endif
