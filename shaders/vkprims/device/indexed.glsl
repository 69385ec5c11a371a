// Tiles of a sequence of elements that are moved as bits and each have an index: what gather and
// scatter share.
//
// An invocation handles 4 elements at once, a batch. So as many independent accesses by index are
// under way, which hides the latency of random access. A batch consists of units. A unit is what
// one access to the sequence of elements itself moves: a row of 16 bytes where alignment allows it,
// otherwise one element; for elements of 1 or 2 bytes, a word. A sequence of such small elements is
// seen as words from its address rounded down to a multiple of 4, and the indices are seen as if
// they began as many elements earlier.
#ifndef VKPRIMS_INDEXED_GLSL
#define VKPRIMS_INDEXED_GLSL

#include "vkprims/memory/bytes.glsl"
#include "vkprims/device/indexed.h"
#include "vkprims/memory/report.glsl"
#include "vkprims/memory/tile.glsl"

layout(constant_id = VKP_INDEXED_SPEC_ELEMENT_BYTES) const uint vkp_element_bytes = 4;
layout(constant_id = VKP_INDEXED_SPEC_INDEX_WORDS) const uint vkp_index_words = 1;
layout(constant_id = VKP_INDEXED_SPEC_OUT_OF_RANGE) const uint vkp_out_of_range = 0;

// The values of vkprims::OutOfRange.
const uint VKP_UNCHECKED = 0;
const uint VKP_SKIP = 1;
const uint VKP_FILL = 2;

const uint vkp_items = VKP_INDEXED_ITEMS;
const uint vkp_row_items = vkp_row_words == 4u ? 16u / vkp_element_bytes : 1u;
const uint vkp_unit_items = vkp_element_bytes < 4u ? 4u / vkp_element_bytes : vkp_row_items;
const uint vkp_units = vkp_items / vkp_unit_items;
const uint vkp_unit_mask = (1u << vkp_unit_items) - 1u;
const uint vkp_element_mask = vkp_element_bytes < 4u ? (1u << (8u * vkp_element_bytes)) - 1u : ~0u;

// Elements begin … end - 1 of a tile exist, none if end is 0. They are numbered from the first word
// on.
struct VkpIndexedTile {
  uvec2 elements, indices;  // addresses
  // The number of the tile's first element in the sequence wraps below 0 in the first tile.
  uvec2 start;
  uint begin, end;
};

VkpIndexedTile vkp_indexed_tile(uvec2 count, uvec2 elements, uvec2 indices) {
  const uint head = vkp_element_bytes < 4u ? (elements.x & 3u) / vkp_element_bytes : 0u;
  const uint tile_items = gl_WorkGroupSize.x * vkp_rows * vkp_items;
  const uvec2 first = vkp_mul64(vkp_group_index(), tile_items);
  VkpIndexedTile t;
  t.start = vkp_sub64(first, uvec2(head, 0u));
  t.elements = vkp_add64(elements, vkp_mul64(t.start, vkp_element_bytes));
  t.indices = vkp_add64(indices, vkp_mul64(t.start, 4u * vkp_index_words));
  t.begin = first == uvec2(0u) ? head : 0u;
  t.end = vkp_clamped_difference(vkp_add64(count, head), first, tile_items);
  if (count == uvec2(0u)) t.end = 0u;
  return t;
}

// Returns where unit `u` of batch `row` lies in the tile, in units.
uint vkp_unit(uint row, uint u) { return vkp_move(row * vkp_units + u); }

uint vkp_position(uint row, uint item) {
  return vkp_unit(row, item / vkp_unit_items) * vkp_unit_items + item % vkp_unit_items;
}

uvec2 vkp_load_index(uvec2 base, uint i) {
  if (vkp_index_words == 2u) return VkpWords2(base).v[i];
  return uvec2(VkpWords(base).v[i], 0u);
}

// Loads the indices of a whole unit by accesses of up to 16 bytes.
void vkp_load_unit_indices(uvec2 base, uint unit, uint at, inout uvec2 index[vkp_items]) {
  if (vkp_unit_items == 1u) {
    index[at] = vkp_load_index(base, unit);
  } else if (vkp_unit_items * vkp_index_words == 2u) {
    const uvec2 both = VkpWords2(base).v[unit];
    index[at] = uvec2(both.x, 0u);
    index[(at + 1u) % vkp_items] = uvec2(both.y, 0u);
  } else if (vkp_index_words == 1u) {
    const uvec4 all = VkpWords4(base).v[unit];
    [[unroll]] for (uint k = 0u; k < vkp_items; ++k) index[k] = uvec2(all[k], 0u);
  } else {
    [[unroll]] for (uint k = 0u; k < vkp_unit_items; k += 2u) {
      const uvec4 both = VkpWords4(base).v[(unit * vkp_unit_items + k) / 2u];
      index[(at + k) % vkp_items] = both.xy;
      index[(at + k + 1u) % vkp_items] = both.zw;
    }
  }
}

// Loads the indices of a batch; those of elements that do not exist become 0. Returns the bits of
// the elements that exist.
uint vkp_load_indices(VkpIndexedTile t, uint row, out uvec2 index[vkp_items]) {
  uint live = 0u;
  [[unroll]] for (uint u = 0u; u < vkp_units; ++u) {
    const uint unit = vkp_unit(row, u);
    const uint first = unit * vkp_unit_items;
    const uint at = u * vkp_unit_items;
    if ((vkp_row_words == 4u || vkp_unit_items == 1u) && first >= t.begin &&
        first + vkp_unit_items <= t.end) {
      vkp_load_unit_indices(t.indices, unit, at, index);
      live |= vkp_unit_mask << at;
    } else {
      [[unroll]] for (uint k = 0u; k < vkp_unit_items; ++k) {
        index[at + k] = uvec2(0u);
        if (first + k < t.begin || first + k >= t.end) continue;
        index[at + k] = vkp_load_index(t.indices, first + k);
        live |= 1u << (at + k);
      }
    }
  }
  return live;
}

// Replaces every index that is out of range by the last one in range, so that no branch need stand
// between accesses and no address out of range is ever formed. Returns the bits of the elements
// concerned.
uint vkp_clamp_indices(inout uvec2 index[vkp_items], uint live, uvec2 index_count) {
  uint outside = 0u;
  if (vkp_out_of_range != VKP_UNCHECKED) {
    const uvec2 last = vkp_sub64(index_count, uvec2(1u, 0u));
    [[unroll]] for (uint i = 0u; i < vkp_items; ++i) {
      if (vkp_less64(index[i], index_count)) continue;
      outside |= 1u << i;
      index[i] = last;
    }
  }
  return outside & live;
}

// Loads the element at an address into the low bytes.
uvec4 vkp_load_bits(uvec2 address) {
  if (vkp_element_bytes == 16u) return VkpWords4(address).v[0];
  if (vkp_element_bytes == 8u) return uvec4(VkpWords2(address).v[0], 0u, 0u);
  const uint word = VkpWords(uvec2(address.x & ~3u, address.y)).v[0];
  return uvec4((word >> (8u * (address.x & 3u))) & vkp_element_mask, 0u, 0u, 0u);
}

// Collects what vkp_clamp_indices() returns, for the report at the end.
struct VkpFindings {
  uint count;
  uint position;  // position of one of them in the tile
};

void vkp_find(inout VkpFindings found, uint row, uint outside) {
  if (outside == 0u) return;
  found.count += uint(bitCount(outside));
  found.position = vkp_position(row, uint(findLSB(outside)));
}

void vkp_report_found(uvec2 report, VkpIndexedTile t, VkpFindings found) {
  if (vkp_out_of_range == VKP_UNCHECKED) return;
  vkp_report_subgroup(report, VKP_REPORT_INDEX_OUT_OF_RANGE, vkp_add64(t.start, found.position),
                      found.count);
}

#endif
