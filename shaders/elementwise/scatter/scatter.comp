// Scatter: out[index[i]] = in[i], or in[i] combined with what is there, by the tiles of
// vkprims/device/indexed.glsl.
//
// Every invocation loads the indices and the elements of a batch, and then stores one element after
// another. Elements of one word are stored by atomics, so that duplicates race for them as wholes;
// larger elements are stored by plain vectors. Elements of 1 or 2 bytes share words with
// neighbours, so they are swapped in. If the element itself has changed since it was looked at,
// another element with the same index has won, and if it has the right value already, there is
// nothing to store: in both cases nothing is left to do, since any duplicate may win. Combining is
// explained in vkprims/memory/atomic_combine.glsl.
// %VARIANT% ATOMICS word32|word64|float64
#version 460
#extension GL_GOOGLE_include_directive : require
#include "elementwise/scatter/scatter.abi.h"
#include "vkprims/memory/atomic_combine.glsl"
#include "vkprims/device/indexed.glsl"

layout(constant_id = VKP_SPEC_OP) const uint mode = 0;              // vkprims::ScatterMode
layout(constant_id = VKP_SCATTER_SPEC_TYPE) const uint type = 0;    // vkprims::Type
layout(push_constant) uniform Push { ScatterPush push; };

const uint ASSIGN = 0;
const uint ADD = 1;
const uint MIN = 2;
const bool is_signed = type % 3u == 1u;
const bool is_float = type % 3u == 2u;

// Loads the elements of a batch.
void load_elements(VkpIndexedTile tile, uint row, uint live, out uvec4 element[vkp_items]) {
  [[unroll]] for (uint u = 0u; u < vkp_units; ++u) {
    const uint unit = vkp_unit(row, u);
    const uint at = u * vkp_unit_items;
    const uint unit_live = live >> at & vkp_unit_mask;
    if (vkp_element_bytes < 4u) {
      const uint word = unit_live == 0u ? 0u : VkpWords(tile.elements).v[unit];
      [[unroll]] for (uint k = 0u; k < vkp_unit_items; ++k) {
        const uint bits = word >> (8u * vkp_element_bytes * k) & vkp_element_mask;
        element[at + k] = uvec4(bits, 0u, 0u, 0u);
      }
    } else if (vkp_unit_items > 1u && unit_live == vkp_unit_mask) {
      const uvec4 v = VkpWords4(tile.elements).v[unit];
      [[unroll]] for (uint k = 0u; k < vkp_unit_items; ++k) {
        element[at + k] = vkp_unit_items == 4u ? uvec4(v[k]) : v.xyxy;
        if (vkp_unit_items == 2u && k == 1u) element[at + k] = v.zwzw;
      }
    } else {
      [[unroll]] for (uint k = 0u; k < vkp_unit_items; ++k) {
        const uint offset = (unit * vkp_unit_items + k) * vkp_element_bytes;
        if ((live >> (at + k) & 1u) == 0u) continue;
        element[at + k] = vkp_load_bits(vkp_add64(tile.elements, offset));
      }
    }
  }
}

void assign(uvec2 address, uvec4 x) {
  if (vkp_element_bytes == 16u) VkpWords4(address).v[0] = x;
  if (vkp_element_bytes == 8u) VkpWords2(address).v[0] = x.xy;
  if (vkp_element_bytes == 4u) {
    atomicStore(VkpSharedWords(address).v[0], x.x, gl_ScopeQueueFamily, 0, 0);
  }
}

// Assigns elements of 1 or 2 bytes.
void assign_narrow(uvec2 address[vkp_items], uvec4 x[vkp_items], uint live) {
  uint seen[vkp_items];
  [[unroll]] for (uint i = 0u; i < vkp_items; ++i) {
    if ((live >> i & 1u) == 0u) continue;
    seen[i] = atomicLoad(VkpSharedWords(uvec2(address[i].x & ~3u, address[i].y)).v[0],
                         gl_ScopeQueueFamily, 0, 0);
  }
  [[unroll]] for (uint i = 0u; i < vkp_items; ++i) {
    if ((live >> i & 1u) == 0u) continue;
    const uint shift = 8u * (address[i].x & 3u);
    const uint mask = vkp_element_mask << shift;
    const uint value = x[i].x << shift;
    const uint before = seen[i] & mask;
    VkpSharedWords word = VkpSharedWords(uvec2(address[i].x & ~3u, address[i].y));
    bool stored = before == value;
    while (!stored && (seen[i] & mask) == before) {
      const uint found = atomicCompSwap(word.v[0], seen[i], seen[i] & ~mask | value);
      stored = found == seen[i];
      seen[i] = found;
    }
  }
}

void combine(uvec2 address, uvec4 x) {
  const VKP_BITS bits = vkp_bits(x.xy);
  if (mode != ADD && is_float) {
    vkp_atomic_float_extreme(address, bits, mode == MIN);
  } else if (mode != ADD) {
    vkp_atomic_extreme(address, bits, is_signed, mode == MIN);
  } else {
#if defined(VKP_ATOMICS_word32)
    if (vkp_element_bytes == 8u) {
      vkp_atomic_add_words(address, x.xy);
      return;
    }
#endif
    vkp_atomic_add(address, bits);
  }
}

// Scatters a batch. Returns the bits of the elements whose index is out of range.
uint scatter(VkpIndexedTile tile, uint row, uvec2 out_count) {
  uvec2 index[vkp_items];
  uvec4 element[vkp_items];
  uint live = vkp_load_indices(tile, row, index);
  load_elements(tile, row, live, element);
  const uint outside = vkp_clamp_indices(index, live, out_count);
  if (vkp_out_of_range == VKP_SKIP) live &= ~outside;
  if (out_count == uvec2(0u)) live = 0u;

  uvec2 address[vkp_items];
  [[unroll]] for (uint i = 0u; i < vkp_items; ++i) {
    address[i] = vkp_add64(vkp_u64(push.out_base), vkp_mul64(index[i], vkp_element_bytes));
  }
  if (mode == ASSIGN && vkp_element_bytes < 4u) {
    assign_narrow(address, element, live);
    return outside;
  }
#if !defined(VKP_ATOMICS_word64)
  if (mode == ADD && is_float) {
    VKP_BITS x[vkp_items];
    [[unroll]] for (uint i = 0u; i < vkp_items; ++i) x[i] = vkp_bits(element[i].xy);
    vkp_atomic_add_floats(address, x, live);
    return outside;
  }
#endif
  [[unroll]] for (uint i = 0u; i < vkp_items; ++i) {
    if ((live >> i & 1u) == 0u) continue;
    if (mode == ASSIGN) {
      assign(address[i], element[i]);
    } else {
      combine(address[i], element[i]);
    }
  }
  return outside;
}

void main() {
  const VkpIndexedTile tile = vkp_indexed_tile(vkp_read_count(push.count), vkp_u64(push.in_base),
                                               vkp_u64(push.index_base));
  if (tile.end == 0u) return;
  VkpFindings found = VkpFindings(0u, 0u);
  for (uint row = 0u; row < vkp_rows; ++row) {
    vkp_find(found, row, scatter(tile, row, vkp_u64(push.out_count)));
  }
  vkp_report_found(vkp_u64(push.report), tile, found);
}
