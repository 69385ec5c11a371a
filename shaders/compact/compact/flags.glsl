// Finds which elements the built-in selections take: those whose flag is set (a byte or a bit),
// those that compare with an operand, or those that differ from the element before. Elements are
// words here, so 64-bit types need no device feature.
#include "vkprims/device/compact.glsl"
#include "vkprims/floats.glsl"

layout(constant_id = VKP_COMPACT_SPEC_SOURCE) const uint source = VKP_COMPACT_BYTES;
layout(constant_id = VKP_COMPACT_SPEC_KIND) const uint kind = VKP_COMPACT_UNSIGNED;
layout(constant_id = VKP_COMPACT_SPEC_COMPARE) const uint comparison = 0;

// Returns VKP_CELL_ITEMS flags from element `first` on. No word is read that holds none of them.
uint byte_flags(uvec2 base, uint first, uint exist) {
  const uvec2 address = vkp_add64(base, first);
  VkpWords words = VkpWords(uvec2(address.x & ~3u, address.y));
  uint bits = 0u;
  if (exist == VKP_CELL_MARKS) {
    const uint shift = address.x & 3u;
    uint bytes = words.v[0] >> (8u * shift);
    if (shift + VKP_CELL_ITEMS > 4u) bytes |= words.v[1] << (32u - 8u * shift);
    [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
      if (((bytes >> (8u * k)) & 0xffu) != 0u) bits |= 1u << k;
    }
    return bits;
  }
  for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
    if (((exist >> k) & 1u) == 0u) continue;
    const uvec2 byte = vkp_add64(base, first + k);
    const uint word = VkpWords(uvec2(byte.x & ~3u, byte.y)).v[0];
    if (((word >> (8u * (byte.x & 3u))) & 0xffu) != 0u) bits |= 1u << k;
  }
  return bits;
}

uint bit_flags(uvec2 base, uint first, uint exist) {
  uint bits = 0u;
  if (exist == VKP_CELL_MARKS) {
    const uint shift = first % 32u;
    bits = VkpWords(base).v[first / 32u] >> shift;
    if (shift + VKP_CELL_ITEMS > 32u) bits |= VkpWords(base).v[first / 32u + 1u] << (32u - shift);
    return bits;
  }
  for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
    if (((exist >> k) & 1u) == 0u) continue;
    const uint item = first + k;
    bits |= ((VkpWords(base).v[item / 32u] >> (item % 32u)) & 1u) << k;
  }
  return bits;
}

#if VKP_ITEM_WORDS <= 2
uvec2 cell_element(uvec4 cell, uint k) {
#if VKP_ITEM_WORDS == 1
  return uvec2(0u, cell[k]);
#else
  return uvec2(cell[2u * k], cell[2u * k + 1u]);
#endif
}

// Elements are {low word or 0, high or only word}.
bool is_nan(uvec2 x) {
  const uint infinity = VKP_ITEM_WORDS == 1 ? 0x7f800000u : 0x7ff00000u;
  const uint magnitude = x.y & 0x7fffffffu;
  return kind == VKP_COMPACT_FLOAT &&
         (magnitude > infinity || (magnitude == infinity && x.x != 0u));
}

// Returns keys that order as unsigned numbers do; -0 and 0 have the same key.
uvec2 order_key(uvec2 x) {
  if (kind == VKP_COMPACT_UNSIGNED) return x;
  if (kind == VKP_COMPACT_SIGNED) return uvec2(x.x, x.y ^ 0x80000000u);
  if ((x.y & 0x7fffffffu) == 0u && x.x == 0u) return uvec2(0u, 0x80000000u);
  return (x.y & 0x80000000u) != 0u ? ~x : uvec2(x.x, x.y | 0x80000000u);
}

bool compares(uvec2 x, uvec2 operand) {
  if (comparison == VKP_COMPACT_HAS_BITS) return (x & operand) != uvec2(0u);
  const bool unordered = is_nan(x) || is_nan(operand);
  const uvec2 a = order_key(x);
  const uvec2 b = order_key(operand);
  switch (comparison) {
    case VKP_COMPACT_LESS: return !unordered && vkp_less64(a, b);
    case VKP_COMPACT_LESS_EQUAL: return !unordered && !vkp_less64(b, a);
    case VKP_COMPACT_EQUAL: return !unordered && a == b;
    case VKP_COMPACT_NOT_EQUAL: return unordered || a != b;
    case VKP_COMPACT_GREATER_EQUAL: return !unordered && !vkp_less64(a, b);
    default: return !unordered && vkp_less64(b, a);
  }
}

uint compared(uvec4 cells[vkp_rows], uvec2 operand) {
  uint flags = 0u;
  [[unroll]] for (uint i = 0u; i < vkp_batch_marks; ++i) {
    const uvec2 x = cell_element(cells[i / VKP_CELL_ITEMS], i % VKP_CELL_ITEMS);
    if (compares(x, operand)) flags |= 1u << i;
  }
  return flags;
}

uvec2 shuffled(uvec2 x, uint lane) {
  return uvec2(VKP_ITEM_WORDS == 1 ? 0u : subgroupShuffle(x.x, lane), subgroupShuffle(x.y, lane));
}

// Returns the same bits for all elements that are equal, so that a run of them has one head.
uvec2 run_element(uvec2 x) {
  if (kind != VKP_COMPACT_FLOAT) return x;
#if VKP_ITEM_WORDS == 1
  return uvec2(0u, vkp_bits_by_value(x.y));
#else
  return vkp_bits_by_value(x);
#endif
}

uvec2 load_run_element(const uvec2 address) {
  VkpWords words = VkpWords(address);
  return run_element(uvec2(VKP_ITEM_WORDS == 2 ? words.v[0] : 0u, words.v[VKP_ITEM_WORDS - 1u]));
}

// `preceded` means that there are elements before those of the sequence.
uint heads(VkpPart part, uvec4 cells[vkp_rows], bool preceded) {
  uvec2 before = uvec2(0u);  // for lane 0: the last element before the row
  if (part.begin == 0u && part.end != 0u && part.first != 0u) {
    before = load_run_element(vkp_sub64(part.base, uvec2(VKP_ITEM_BYTES, 0u)));
  }
  uint flags = 0u;
  [[unroll]] for (uint row = 0u; row < vkp_rows; ++row) {
    // Lane 0 gets the last element of the row, for the next row.
    const uvec2 last = run_element(cell_element(cells[row], VKP_CELL_ITEMS - 1u));
    const uvec2 rotated = shuffled(last, (gl_SubgroupInvocationID - 1u) % gl_SubgroupSize);
    uvec2 left = gl_SubgroupInvocationID == 0u ? before : rotated;
    before = rotated;
    [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
      const uvec2 x = run_element(cell_element(cells[row], k));
      if (left != x) flags |= 1u << (row * VKP_CELL_ITEMS + k);
      left = x;
    }
  }
  // The first element begins a run, but that of a later portion does so only if it differs from the
  // last element before.
  if (part.end != 0u && part.first + part.begin == 0u && gl_SubgroupInvocationID == 0u) {
    flags |= 1u << part.begin;
    if (preceded) {
      const uvec2 own = vkp_add64(part.base, part.begin * VKP_ITEM_BYTES);
      const uvec2 last = load_run_element(vkp_sub64(own, uvec2(VKP_ITEM_BYTES, 0u)));
      if (last == load_run_element(own)) flags &= ~(1u << part.begin);
    }
  }
  return flags;
}
#endif

uint built_in_flags(VkpPart part, uint existing, uvec2 flags_base, VkpValue operand,
                    bool preceded) {
#if VKP_ITEM_WORDS <= 2
  if (source == VKP_COMPACT_HEADS || source == VKP_COMPACT_COMPARED) {
    uvec4 cells[vkp_rows];
    vkp_load_part(part, existing, existing, cells);
    if (source == VKP_COMPACT_HEADS) return heads(part, cells, preceded);
    uvec2 x = uvec2(operand.word0, operand.word1);
    if (vkp_u64(operand.address) != uvec2(0u)) {
      x.x = VkpWords(vkp_u64(operand.address)).v[0];
      if (VKP_ITEM_WORDS == 2) x.y = VkpWords(vkp_u64(operand.address)).v[1];
    }
    return compared(cells, VKP_ITEM_WORDS == 2 ? x : uvec2(0u, x.x));
  }
#endif
  uint flags = 0u;
  [[unroll]] for (uint row = 0u; row < vkp_rows; ++row) {
    const uint exist = vkp_cell_marks(existing, row);
    if (exist == 0u) continue;
    const uint first = part.first + vkp_part_cell(row) * VKP_CELL_ITEMS;
    const uint bits = source == VKP_COMPACT_BITS ? bit_flags(flags_base, first, exist)
                                                 : byte_flags(flags_base, first, exist);
    flags |= (bits & exist) << (row * VKP_CELL_ITEMS);
  }
  return flags;
}
