// The stage: a batch of a workgroup, packed in shared memory and stored from there by aligned rows of 16 bytes; and
// where in it the elements go that a lane has marked.
//
// A part is what one subgroup has of a batch: vkp_rows rows of one cell per lane, VKP_CELL_ITEMS elements each. Marks
// of a lane are bits: row * VKP_CELL_ITEMS + k for element k of its cell of that row.
//
// Needs vkp_rows, vkp_batches (of a tile, at most 8) and VKP_CELL_ITEMS.
#ifndef VKPRIMS_STAGE_GLSL
#define VKPRIMS_STAGE_GLSL

#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require

#include "core.glsl"

const uint VKP_CELL_MARKS = (1u << VKP_CELL_ITEMS) - 1u;
const uint vkp_batch_marks = vkp_rows * VKP_CELL_ITEMS;  // of a lane, at most 32 in all batches

uint vkp_part_items() { return gl_SubgroupSize * vkp_batch_marks; }
uint vkp_group_batch_items() { return gl_WorkGroupSize.x * vkp_batch_marks; }

// Number of this lane's cell of a row in the part.
uint vkp_part_cell(uint row) { return row * gl_SubgroupSize + gl_SubgroupInvocationID; }

uint vkp_cell_marks(uint marks, uint row) { return (marks >> (row * VKP_CELL_ITEMS)) & VKP_CELL_MARKS; }

// Of the marks of a tile, those of a batch.
uint vkp_marks_of_batch(uint marks, uint batch) {
  return (marks >> (batch * vkp_batch_marks)) & (0xffffffffu >> (32u - vkp_batch_marks));
}

// Numbers below 2^16, one for each batch, in pairs.
uint vkp_pair(uint batch) { return vkp_batches <= 2u ? 0u : batch / 2u; }
uint vkp_half(uvec4 pairs, uint batch) { return (pairs[vkp_pair(batch)] >> (16u * (batch % 2u))) & 0xffffu; }

shared uvec4 vkp_stage[gl_WorkGroupSize.x * vkp_rows];
const uint vkp_stage_words = 4u * gl_WorkGroupSize.x * vkp_rows;

// Marks before this lane's cell of a row, and `before` of other parts: two rows at a time, 16 bits each.
void vkp_rank(uint marks, uint before, out uint ranks[vkp_rows]) {
  [[unroll]] for (uint row = 0u; row < vkp_rows; row += 2u) {
    const bool two = row + 1u < vkp_rows;
    uint both = bitCount(vkp_cell_marks(marks, row));
    if (two) both |= bitCount(vkp_cell_marks(marks, row + 1u)) << 16;
    const uint rank = subgroupExclusiveAdd(both);
    const uint total = subgroupShuffle(rank + both, gl_SubgroupSize - 1u);
    ranks[row] = before + (rank & 0xffffu);
    before += total & 0xffffu;
    if (two) ranks[row + 1u] = before + (rank >> 16);
    before += total >> 16;
  }
}

// Stages the numbers of the marked elements, a word each, from word `from` on. `first`: that of the part's first cell.
void vkp_stage_numbers(uint marks, uint ranks[vkp_rows], uint first, uint from) {
  [[unroll]] for (uint row = 0u; row < vkp_rows; ++row) {
    uint word = from + ranks[row];
    [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
      if ((marks & (1u << (row * VKP_CELL_ITEMS + k))) == 0u) continue;
      vkp_stage[word / 4u][word % 4u] = first + vkp_part_cell(row) * VKP_CELL_ITEMS + k;
      ++word;
    }
  }
}

uint vkp_staged(uint word) { return vkp_stage[word / 4u][word % 4u]; }

// Copies `words` words of the stage, from word `from` on, to `base`, by rows of 16 aligned bytes.
void vkp_unstage(uint from, uint words, uvec2 base) {
  const uint off = (base.x / 4u) % 4u;
  const uint rows = (words + off + 3u) / 4u;
  VkpWords4 out_rows = VkpWords4(vkp_sub64(base, uvec2(4u * off, 0u)));
  const uint shift = (from - off) % 4u;
  for (uint first = 0u; first < rows; first += gl_WorkGroupSize.x) {
    const uint i = first + gl_LocalInvocationIndex;
    const uint begin = 4u * i - off;  // of the row, in words from `base`; the first one may begin before it
    if (i < rows && 4u * i >= off && begin + 4u <= words) {
      const uint at = (from + begin) / 4u;
      uvec4 row = vkp_stage[at];
      if (shift != 0u) {
        const uvec4 right = vkp_stage[at + 1u];
        if (shift == 1u) row = uvec4(row.yzw, right.x);
        if (shift == 2u) row = uvec4(row.zw, right.xy);
        if (shift == 3u) row = uvec4(row.w, right.xyz);
      }
      out_rows.v[i] = row;
    } else if (i < rows) {
      for (uint w = 0u; w < 4u; ++w) {
        const uint word = begin + w;  // wraps before the beginning
        if (word < words) VkpWords(base).v[word] = vkp_staged(from + word);
      }
    }
  }
}

#endif
