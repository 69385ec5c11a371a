// Heads: the elements of a sequence at which a segment begins, as bits. They come from keys that
// change, from bytes or from bits, as VKP_SEGMENTS_SPEC_HEADS says. Keys are compared bit by bit,
// or floats by their values.
//
// The cells of a lane are those of the elements (cells.glsl). The keys or flags may lie at another
// distance from a multiple of 16 bytes. Keys are loaded by 16-byte vectors all the same: heads are
// found in the cells of the keys, and then their bits are moved to the cells of the elements, which
// takes one shuffle for a whole batch.
//
// Needs what scan_strip.glsl needs.
#ifndef VKPRIMS_HEADS_GLSL
#define VKPRIMS_HEADS_GLSL

#include "vkprims/floats.glsl"
#include "vkprims/workgroup/scan_strip.glsl"
#include "vkprims/device/segmented_scan.h"

layout(constant_id = VKP_SEGMENTS_SPEC_HEADS) const uint vkp_heads_from = VKP_HEADS_KEYS_4;

const bool vkp_keys_are_wide =
    vkp_heads_from == VKP_HEADS_KEYS_8 || vkp_heads_from == VKP_HEADS_FLOATS_8;
const uint vkp_key_words = vkp_keys_are_wide ? 2u : 1u;
const uint vkp_key_bytes = 4u * vkp_key_words;
const uint VKP_EACH_CELL = 0xffffffffu / ((1u << VKP_CELL_ITEMS) - 1u);  // a bit for every row

// The keys of a cell, as they are compared.
struct VkpKeys {
  uvec4 v[2];
};

VkpKeys vkp_load_keys(const uvec2 base, const uint cell) {
  VkpKeys keys = VkpKeys(uvec4[2](uvec4(0u), uvec4(0u)));
  if (vkp_key_words * VKP_CELL_ITEMS == 8u) {
    keys.v[0] = VkpWords4(base).v[2u * cell];
    keys.v[1] = VkpWords4(base).v[2u * cell + 1u];
  } else if (vkp_key_words * VKP_CELL_ITEMS == 4u) {
    keys.v[0] = VkpWords4(base).v[cell];
  } else if (vkp_key_words * VKP_CELL_ITEMS == 2u) {
    keys.v[0].xy = VkpWords2(base).v[cell];
  } else {
    keys.v[0].x = VkpWords(base).v[cell];
  }
  if (vkp_heads_from == VKP_HEADS_FLOATS_4) keys.v[0] = vkp_words_by_value(keys.v[0]);
  if (vkp_heads_from == VKP_HEADS_FLOATS_8) {
    keys.v[0] = vkp_pairs_by_value(keys.v[0]);
    if (VKP_CELL_ITEMS > 2u) keys.v[1] = vkp_pairs_by_value(keys.v[1]);
  }
  return keys;
}

uvec2 vkp_key_of(const VkpKeys keys, const uint k) {
  if (vkp_key_words == 1u) return uvec2(keys.v[0][k], 0u);
  const uint i = 2u * (k % 2u);
  return uvec2(keys.v[k / 2u][i], keys.v[k / 2u][i + 1u]);
}

// Loads a key as it is in memory; the other functions here return the same bits for all keys that
// are equal.
uvec2 vkp_load_key(const uvec2 address) {
  return vkp_key_words == 1u ? uvec2(VkpWords(address).v[0], 0u) : VkpWords2(address).v[0];
}

uvec2 vkp_load_compared_key(const uvec2 address) {
  uvec2 key = vkp_load_key(address);
  if (vkp_heads_from == VKP_HEADS_FLOATS_4) key.x = vkp_bits_by_value(key.x);
  if (vkp_heads_from == VKP_HEADS_FLOATS_8) key = vkp_bits_by_value(key);
  return key;
}

uvec2 vkp_shuffle_key(uvec2 key, uint lane) {
  key.x = subgroupShuffle(key.x, lane);
  if (vkp_key_words == 2u) key.y = subgroupShuffle(key.y, lane);
  return key;
}

// Finds the heads of a batch, in a strip that is whole and has a key before it; `base` is where the
// keys of the strip begin.
uint vkp_whole_key_heads_by_row(uvec2 base, uint batch) {
  const uint lane = gl_SubgroupInvocationID;
  const uint cells = vkp_rows * gl_SubgroupSize;
  // The cells of the keys begin `shift` elements before those of the strip.
  const uint shift = (base.x & (min(16u, vkp_key_bytes * VKP_CELL_ITEMS) - 1u)) / vkp_key_bytes;
  const uvec2 cells_base = vkp_sub64(base, uvec2(shift * vkp_key_bytes, 0u));
  VkpKeys keys[vkp_rows];
  [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
    keys[i] = vkp_load_keys(cells_base, vkp_batch_cell(batch, i));
  }
  const uvec2 first =
      vkp_add64(cells_base, vkp_mul64(batch * cells, VKP_CELL_ITEMS * vkp_key_bytes));
  uvec2 row_before = vkp_load_compared_key(vkp_sub64(first, uvec2(vkp_key_bytes, 0u)));
  uint heads = 0u;
  [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
    const uvec2 last = vkp_key_of(keys[i], VKP_CELL_ITEMS - 1u);
    uvec2 before = vkp_shuffle_key(last, max(lane, 1u) - 1u);
    if (lane == 0u) before = row_before;
    row_before = vkp_shuffle_key(last, gl_SubgroupSize - 1u);
    [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
      const uvec2 key = vkp_key_of(keys[i], k);
      if (key != before) heads |= 1u << (i * VKP_CELL_ITEMS + k);
      before = key;
    }
  }
  if (shift == 0u) return heads;
  // The strip goes on for `shift` elements behind these cells.
  const uvec2 behind = vkp_add64(first, vkp_mul64(cells, VKP_CELL_ITEMS * vkp_key_bytes));
  uint more = 0u;
  for (uint k = 0u; k < shift; ++k) {
    const uvec2 key = vkp_load_compared_key(vkp_add64(behind, k * vkp_key_bytes));
    if (key != row_before) more |= 1u << k;
    row_before = key;
  }
  // The last elements of a cell are the first ones of the next cell of keys.
  uint next = subgroupShuffle(heads, (lane + 1u) % gl_SubgroupSize);
  if (lane == gl_SubgroupSize - 1u) {
    next = next >> VKP_CELL_ITEMS | more << ((vkp_rows - 1u) * VKP_CELL_ITEMS);
  }
  const uint back = VKP_CELL_ITEMS - shift;
  const uint moved = (((1u << shift) - 1u) << back) * VKP_EACH_CELL;
  return ((heads >> shift) & ~moved) | ((next << back) & moved);
}

// Does the same where the cells of a lane are neighbours.
uint vkp_whole_key_heads_by_lane(uvec2 base, uint batch) {
  const uint lane = gl_SubgroupInvocationID;
  const uint items = vkp_rows * VKP_CELL_ITEMS;
  const uint shift = (base.x & (min(16u, vkp_key_bytes * VKP_CELL_ITEMS) - 1u)) / vkp_key_bytes;
  const uvec2 cells_base = vkp_sub64(base, uvec2(shift * vkp_key_bytes, 0u));
  VkpKeys keys[vkp_rows];
  [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
    keys[i] = vkp_load_keys(cells_base, vkp_batch_cell(batch, i));
  }
  const uvec2 first =
      vkp_add64(cells_base, vkp_mul64(batch * gl_SubgroupSize, items * vkp_key_bytes));
  const uvec2 last = vkp_key_of(keys[vkp_rows - 1u], VKP_CELL_ITEMS - 1u);
  uvec2 before = vkp_shuffle_key(last, max(lane, 1u) - 1u);
  if (lane == 0u) before = vkp_load_compared_key(vkp_sub64(first, uvec2(vkp_key_bytes, 0u)));
  uint heads = 0u;
  [[unroll]] for (uint i = 0u; i < items; ++i) {
    const uvec2 key = vkp_key_of(keys[i / VKP_CELL_ITEMS], i % VKP_CELL_ITEMS);
    if (key != before) heads |= 1u << i;
    before = key;
  }
  if (shift == 0u) return heads;
  // A lane's last elements are the first keys of the next lane; those of the last lane lie behind
  // all these cells.
  uint next = subgroupShuffle(heads, (lane + 1u) % gl_SubgroupSize);
  if (lane == gl_SubgroupSize - 1u) {
    const uvec2 behind = vkp_add64(first, vkp_mul64(gl_SubgroupSize, items * vkp_key_bytes));
    next = 0u;
    for (uint k = 0u; k < shift; ++k) {
      const uvec2 key = vkp_load_compared_key(vkp_add64(behind, k * vkp_key_bytes));
      if (key != before) next |= 1u << k;
      before = key;
    }
  }
  return (heads >> shift) | ((next & ((1u << shift) - 1u)) << (items - shift));
}

uint vkp_whole_key_heads(uvec2 base, uint batch) {
  if (VKP_CELLS_BY_LANE) return vkp_whole_key_heads_by_lane(base, batch);
  return vkp_whole_key_heads_by_row(base, batch);
}

// Finds the heads of a batch from flags, in a whole strip. `base` and `bit` say where the flag of
// the strip's element 0 is.
uint vkp_whole_flag_heads(uvec2 base, uint bit, uint batch) {
  const uint bits_each = vkp_heads_from == VKP_HEADS_BYTES ? 8u : 1u;
  const uint width = bits_each * VKP_CELL_ITEMS;
  uint flags[vkp_rows];
  [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
    // Counted in bits, a strip of byte flags may be longer than 2^32.
    const uint unit = bit / bits_each + vkp_batch_cell(batch, i) * VKP_CELL_ITEMS;
    const uint at = unit % (32u / bits_each) * bits_each;
    const uint word = unit / (32u / bits_each);
    flags[i] = VkpWords(base).v[word] >> at;
    if (at + width > 32u) flags[i] |= VkpWords(base).v[word + 1u] << (32u - at);
  }
  uint heads = 0u;
  [[unroll]] for (uint i = 0u; i < vkp_rows; ++i) {
    [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
      if (bitfieldExtract(flags[i], int(bits_each * k), int(bits_each)) != 0u) {
        heads |= 1u << (i * VKP_CELL_ITEMS + k);
      }
    }
  }
  return heads;
}

// Finds the heads of this lane's cells of a batch: bit row * VKP_CELL_ITEMS + k says that a segment
// begins at element k of its cell of that row. Element 0 of the sequence always is a head. Elements
// that do not exist are no heads, and nothing that belongs to them is read.
uint vkp_heads_of(uvec2 source, VkpStrip strip, uint batch) {
  // The strip begins at an address; for flags, at a place in the word at that address.
  uvec2 base = vkp_add64(source, vkp_mul64(strip.first, vkp_key_bytes));
  uint bit = 0u;
  if (vkp_heads_from == VKP_HEADS_BYTES) {
    const uvec2 address = vkp_add64(source, strip.first);
    base = uvec2(address.x & ~3u, address.y);
    bit = 8u * (address.x & 3u);
  } else if (vkp_heads_from == VKP_HEADS_BITS) {
    const uvec2 above = vkp_add64(strip.first, 32u);  // strip.first may lie below 0
    base = vkp_sub64(vkp_add64(source, vkp_mul64(vkp_shr64(above, 5u), 4u)), uvec2(4u, 0u));
    bit = above.x & 31u;
  }
  const bool keys = vkp_heads_from <= VKP_HEADS_FLOATS_8;
  const bool beginning = strip.first == uvec2(0u) || (strip.first.y & 0x80000000u) != 0u;
  if (vkp_whole(strip) && !beginning) {
    return keys ? vkp_whole_key_heads(base, batch) : vkp_whole_flag_heads(base, bit, batch);
  }
  uint heads = 0u;
  [[dont_unroll]] for (uint i = 0u; i < vkp_rows * VKP_CELL_ITEMS; ++i) {
    const uint item =
        vkp_batch_cell(batch, i / VKP_CELL_ITEMS) * VKP_CELL_ITEMS + i % VKP_CELL_ITEMS;
    bool head = false;
    if (item >= strip.begin && item < strip.end) {
      if (beginning && item == strip.begin) {
        head = true;
      } else if (keys) {
        const uvec2 address = vkp_add64(base, vkp_mul64(item, vkp_key_bytes));
        const uvec2 before = vkp_load_compared_key(vkp_sub64(address, uvec2(vkp_key_bytes, 0u)));
        head = vkp_load_compared_key(address) != before;
      } else if (vkp_heads_from == VKP_HEADS_BYTES) {
        const uint byte = bit / 8u + item;
        head = (VkpWords(base).v[byte / 4u] >> (8u * (byte % 4u)) & 0xffu) != 0u;
      } else {
        head = (VkpWords(base).v[(bit + item) / 32u] >> ((bit + item) % 32u) & 1u) != 0u;
      }
    }
    if (head) heads |= 1u << i;
  }
  return heads;
}

#endif
