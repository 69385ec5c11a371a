// Sequences as compactions read them: by tiles of parts, which are what one subgroup has of a
// batch. compact.glsl says what these are; it, or whatever else includes this, first defines the
// type of numbers of elements (VKP_T and what belongs to it) and VKP_ITEM_WORDS.
#ifndef VKPRIMS_COMPACT_PARTS_GLSL
#define VKPRIMS_COMPACT_PARTS_GLSL

#include "vkprims/device/compact.h"
#define VKP_CELL_ITEMS (4 / VKP_ITEM_WORDS)
#define VKP_ITEM_BYTES (4 * VKP_ITEM_WORDS)

layout(constant_id = VKP_SPEC_ROWS) const uint vkp_rows = 1;
layout(constant_id = VKP_COMPACT_SPEC_OUTPUTS) const uint vkp_outputs = 0;
layout(constant_id = VKP_COMPACT_SPEC_BATCHES) const uint vkp_batches = 1;

#define VKP_STAGE_OF_WORKGROUP
#include "vkprims/subgroup/lanes.glsl"
#include "vkprims/workgroup/stage.glsl"
#include "vkprims/workgroup/workgroup.glsl"

uint vkp_group_batch_items() { return gl_WorkGroupSize.x * vkp_batch_marks; }

// Numbers below 2^16, one for each batch, are stored in pairs.
uint vkp_pair(uint batch) { return vkp_batches <= 2u ? 0u : batch / 2u; }
uint vkp_half(const uvec4 pairs, const uint batch) {
  return (pairs[vkp_pair(batch)] >> (16u * (batch % 2u))) & 0xffffu;
}

struct VkpSequence {
  uvec2 base;  // the first element
  uint count;  // at most 2^31
};

struct VkpPart {
  uvec2 base;  // the first cell
  uint first;  // number of the element that the first cell begins with; before element 0 it wraps
  uint begin, end;  // the elements that exist, counted from the first cell
};

uint vkp_sequence_head(VkpSequence s) { return (s.base.x & 15u) / VKP_ITEM_BYTES; }

uint vkp_tiles(VkpSequence s) {
  const uint items = vkp_group_batch_items() * vkp_batches;
  return s.count == 0u ? 0u : (s.count + vkp_sequence_head(s) + items - 1u) / items;
}

// `batch` is counted in the whole sequence.
VkpPart vkp_part(const VkpSequence s, const uint batch) {
  const uint head = vkp_sequence_head(s);
  const uint items = vkp_part_items();
  const uint first = (batch * gl_NumSubgroups + gl_SubgroupID) * items;
  VkpPart part;
  part.base = vkp_add64(vkp_sub64(s.base, uvec2(head * VKP_ITEM_BYTES, 0u)),
                        vkp_mul64(first, VKP_ITEM_BYTES));
  part.first = first - head;
  part.begin = first == 0u ? head : 0u;
  part.end = first < s.count + head ? min(items, s.count + head - first) : 0u;
  return part;
}

// Returns, as flags, which elements exist.
uint vkp_existing(const VkpPart part) {
  const uint all = uint(-1) >> (32u - vkp_batch_marks);
  if (part.begin == 0u && part.end == vkp_part_items()) return all;
  uint bits = 0u;
  [[dont_unroll]] for (uint i = 0u; i < vkp_batch_marks; ++i) {
    const uint item = vkp_part_cell(i / VKP_CELL_ITEMS) * VKP_CELL_ITEMS + i % VKP_CELL_ITEMS;
    if (item >= part.begin && item < part.end) bits |= 1u << i;
  }
  return bits;
}

// Loads the cells in which `flags` has any element; elements that do not exist become 0. Whole
// cells are loaded first, so that their loads are under way together; only the first and the last
// part of a sequence may have cells that are not whole.
void vkp_load_part(VkpPart part, uint flags, uint existing, out uvec4 cells[vkp_rows]) {
  [[unroll]] for (uint row = 0u; row < vkp_rows; ++row) {
    cells[row] = uvec4(0u);
    const bool whole = vkp_cell_marks(existing, row) == VKP_CELL_MARKS;
    if (whole && vkp_cell_marks(flags, row) != 0u) {
      cells[row] = VkpWords4(part.base).v[vkp_part_cell(row)];
    }
  }
  if (part.begin == 0u && part.end == vkp_part_items()) return;
  [[unroll]] for (uint row = 0u; row < vkp_rows; ++row) {
    const uint exist = vkp_cell_marks(existing, row);
    if (exist == VKP_CELL_MARKS || vkp_cell_marks(flags & existing, row) == 0u) continue;
    [[unroll]] for (uint w = 0u; w < 4u; ++w) {
      if (((exist >> (w / VKP_ITEM_WORDS)) & 1u) != 0u) {
        cells[row][w] = VkpWords(part.base).v[4u * vkp_part_cell(row) + w];
      }
    }
  }
}

#endif
