// Gather: out[i] = in[index[i]]. Elements are moved as bits, by the tiles of
// vkprims/device/indexed.glsl.
//
// Every invocation loads the indices of a batch, then all its elements, then stores them. Whole
// units are written by plain stores of their owner. A word that belongs to the caller in part, or
// that keeps elements which are skipped, is merged atomically. An index out of range reads the last
// element, whatever happens to what it reads.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "elementwise/gather/gather.abi.h"
#include "vkprims/device/indexed.glsl"

layout(push_constant) uniform Push { GatherPush push; };

uvec4 fill_value() {
  const uvec2 address = vkp_u64(push.fill_address);
  if (address != uvec2(0u)) return vkp_load_bits(address);
  return uvec4(push.fill[0], push.fill[1], push.fill[2], push.fill[3]);
}

// Stores the elements of a batch from `at` on as a unit. Only those whose bits are set in `live`
// are stored.
void store_unit(uvec2 base, uint unit, uint at, uvec4 element[vkp_items], uint live) {
  if (vkp_element_bytes < 4u) {
    uint word = 0u;
    uint mask = 0u;
    [[unroll]] for (uint k = 0u; k < vkp_unit_items; ++k) {
      const uint shift = 8u * vkp_element_bytes * k;
      word |= element[at + k].x << shift;
      if ((live >> k & 1u) != 0u) mask |= vkp_element_mask << shift;
    }
    vkp_store_bytes(vkp_add64(base, 4u * unit), word, mask);
  } else if (vkp_unit_items == 4u && live == vkp_unit_mask) {
    VkpWords4(base).v[unit] = uvec4(element[0].x, element[1].x, element[2].x, element[3].x);
  } else if (vkp_unit_items == 2u && live == vkp_unit_mask) {
    VkpWords4(base).v[unit] = uvec4(element[at].xy, element[(at + 1u) % vkp_items].xy);
  } else {
    [[unroll]] for (uint k = 0u; k < vkp_unit_items; ++k) {
      if ((live >> k & 1u) == 0u) continue;
      const uint i = unit * vkp_unit_items + k;
      if (vkp_element_bytes == 16u) VkpWords4(base).v[i] = element[at + k];
      if (vkp_element_bytes == 8u) VkpWords2(base).v[i] = element[at + k].xy;
      if (vkp_element_bytes == 4u) VkpWords(base).v[i] = element[at + k].x;
    }
  }
}

// Gathers a batch. Returns the bits of the elements whose index is out of range.
uint gather(VkpIndexedTile tile, uint row, uvec2 source_count) {
  uvec2 index[vkp_items];
  uint live = vkp_load_indices(tile, row, index);
  const uint outside = vkp_clamp_indices(index, live, source_count);
  if (vkp_out_of_range == VKP_SKIP) live &= ~outside;

  uvec4 element[vkp_items];
  if (source_count != uvec2(0u)) {
    [[unroll]] for (uint i = 0u; i < vkp_items; ++i) {
      element[i] =
          vkp_load_bits(vkp_add64(vkp_u64(push.in_base), vkp_mul64(index[i], vkp_element_bytes)));
    }
  } else {
    [[unroll]] for (uint i = 0u; i < vkp_items; ++i) element[i] = uvec4(0u);
    if (vkp_out_of_range != VKP_FILL) live = 0u;
  }
  if (vkp_out_of_range == VKP_FILL && outside != 0u) {
    const uvec4 value = fill_value();
    [[unroll]] for (uint i = 0u; i < vkp_items; ++i) {
      if ((outside >> i & 1u) != 0u) element[i] = value;
    }
  }
  [[unroll]] for (uint u = 0u; u < vkp_units; ++u) {
    const uint at = u * vkp_unit_items;
    store_unit(tile.elements, vkp_unit(row, u), at, element, live >> at & vkp_unit_mask);
  }
  return outside;
}

void main() {
  const VkpIndexedTile tile = vkp_indexed_tile(
      vkp_read_count(push.count), vkp_u64(push.out_base), vkp_u64(push.index_base));
  if (tile.end == 0u) return;
  VkpFindings found = VkpFindings(0u, 0u);
  for (uint row = 0u; row < vkp_rows; ++row) {
    vkp_find(found, row, gather(tile, row, vkp_u64(push.source_count)));
  }
  vkp_report_found(vkp_u64(push.report), tile, found);
}
