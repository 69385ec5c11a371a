// The stage: a batch is packed in shared memory and stored from there by aligned rows of 16 bytes;
// the stage also computes the places of the elements that a lane has marked. Each subgroup has a
// stage of its own and does not wait for others; with VKP_STAGE_OF_WORKGROUP the workgroup has one
// stage for all its subgroups.
//
// A part is what one subgroup has of a batch: vkp_rows rows of one cell per lane, with
// VKP_CELL_ITEMS elements each. The marks of a lane are bits: bit row * VKP_CELL_ITEMS + k is for
// element k of its cell of that row.
//
// Loops make the same number of turns in all subgroups, whatever these have to do, for lavapipe
// (README.md).
//
// Needs vkp_rows, vkp_batches (the batches of a tile) and VKP_CELL_ITEMS. VKP_STAGE_VECTORS is the
// size of a cell in rows of 16 bytes, if it is not 1.
#ifndef VKPRIMS_STAGE_GLSL
#define VKPRIMS_STAGE_GLSL

#extension GL_KHR_shader_subgroup_shuffle : require

#include "vkprims/core.glsl"
#include "vkprims/subgroup/lanes.glsl"
#include "vkprims/subgroup/subgroup_barrier.glsl"

const uint VKP_CELL_MARKS = (1u << VKP_CELL_ITEMS) - 1u;
const uint vkp_batch_marks = vkp_rows * VKP_CELL_ITEMS;  // of a lane; at most 32 in all batches

uint vkp_part_items() { return gl_SubgroupSize * vkp_batch_marks; }

// Returns the number of this lane's cell of a row in the part.
uint vkp_part_cell(const uint row) { return vkp_cell_of_lane(row, vkp_rows); }

uint vkp_cell_marks(uint marks, uint row) {
  return (marks >> (row * VKP_CELL_ITEMS)) & VKP_CELL_MARKS;
}

// Returns the marks of one batch from the marks of all.
uint vkp_marks_of_batch(uint marks, uint batch) {
  return (marks >> (batch * vkp_batch_marks)) & (0xffffffffu >> (32u - vkp_batch_marks));
}

// The rows of 16 bytes that a lane has in the stage.
#ifdef VKP_STAGE_VECTORS
const uint vkp_stage_rows = vkp_rows * VKP_STAGE_VECTORS;
#else
const uint vkp_stage_rows = vkp_rows;
#endif
shared uvec4 vkp_stage[gl_WorkGroupSize.x * vkp_stage_rows];

// These are the invocations that share a stage, the first of its rows, and the barrier between
// writing and reading it, and between reading and writing.
#ifdef VKP_STAGE_OF_WORKGROUP
uint vkp_stage_lane() { return gl_LocalInvocationIndex; }
uint vkp_stage_lanes() { return gl_WorkGroupSize.x; }
uint vkp_stage_begin() { return 0u; }
void vkp_stage_barrier() { barrier(); }
#else
uint vkp_stage_lane() { return gl_SubgroupInvocationID; }
uint vkp_stage_lanes() { return gl_SubgroupSize; }
uint vkp_stage_begin() { return gl_SubgroupID * gl_SubgroupSize * vkp_stage_rows; }
void vkp_stage_barrier() { vkp_subgroup_barrier(); }
#endif
uint vkp_stage_words() { return 4u * vkp_stage_lanes() * vkp_stage_rows; }

// Returns where a word of the stage is. Lanes that have neighbours stage a run of words each; with
// their rows of 16 bytes permuted like this they meet fewer bank conflicts. A stage has a multiple
// of 8 rows, or at most 32.
uint vkp_turned(uint word) { return VKP_CELLS_BY_LANE ? word ^ (word >> 3u & 28u) : word; }

uvec4 vkp_staged_row(uint row) { return vkp_stage[vkp_stage_begin() + vkp_turned(4u * row) / 4u]; }
uint vkp_staged(uint word) {
  word = vkp_turned(word);
  return vkp_stage[vkp_stage_begin() + word / 4u][word % 4u];
}
void vkp_stage_word(uint word, uint x) {
  word = vkp_turned(word);
  vkp_stage[vkp_stage_begin() + word / 4u][word % 4u] = x;
}

// Counts the marks before this lane's cell of each row, plus the `before` marks of other parts. Two
// rows are summed at a time, in 16 bits each. Where the cells of a lane are neighbours, only the
// count of the first cell is set. Returns the count before the next part.
uint vkp_rank(uint marks, uint before, out uint ranks[vkp_rows]) {
  if (VKP_CELLS_BY_LANE) {
    const uint upto = vkp_sum_upto_lane(bitCount(marks));
    ranks[0] = before + upto - bitCount(marks);
    return before + subgroupShuffle(upto, gl_SubgroupSize - 1u);
  }
  [[unroll]] for (uint row = 0u; row < vkp_rows; row += 2u) {
    const bool two = row + 1u < vkp_rows;
    uint both = bitCount(vkp_cell_marks(marks, row));
    if (two) both |= bitCount(vkp_cell_marks(marks, row + 1u)) << 16;
    const uint upto = vkp_sum_upto_lane(both);
    const uint rank = upto - both;
    const uint total = subgroupShuffle(upto, gl_SubgroupSize - 1u);
    ranks[row] = before + (rank & 0xffffu);
    before += total & 0xffffu;
    if (two) ranks[row + 1u] = before + (rank >> 16);
    before += total >> 16;
  }
  return before;
}

// Stages the numbers of the marked elements, a word each, from word `from` on. `first` is the
// number of the first element of the part's first cell.
void vkp_stage_numbers(uint marks, uint ranks[vkp_rows], uint first, uint from) {
  uint word = from + ranks[0];
  [[unroll]] for (uint row = 0u; row < vkp_rows; ++row) {
    if (!VKP_CELLS_BY_LANE) word = from + ranks[row];
    [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
      if ((marks & (1u << (row * VKP_CELL_ITEMS + k))) == 0u) continue;
      vkp_stage_word(word, first + vkp_part_cell(row) * VKP_CELL_ITEMS + k);
      ++word;
    }
  }
}

// Copies `words` words of the stage, from word `from` on, to `base`, by rows of 16 aligned bytes.
// `most` is the largest `words` in this workgroup.
void vkp_unstage(const uint from, const uint words, const uint most, const uvec2 base) {
  const uint lane = vkp_stage_lane();
  const uint head = min((0u - base.x / 4u) % 4u, words);  // words before the first aligned row
  const uint rows = (words - head) / 4u;
  const uint tail = words - head - 4u * rows;
  VkpWords4 out_rows = VkpWords4(vkp_add64(base, 4u * head));
  const uint shift = (from + head) % 4u;
  const uint begin = (from + head) / 4u;
  [[unroll]] for (uint i = 0u; i < vkp_stage_rows; ++i) {
    if (4u * i * vkp_stage_lanes() >= most) break;
    const uint row = i * vkp_stage_lanes() + lane;
    if (row < rows) {
      uvec4 x = vkp_staged_row(begin + row);
      if (shift != 0u) {
        const uvec4 right = vkp_staged_row(begin + row + 1u);
        if (shift == 1u) x = uvec4(x.yzw, right.x);
        if (shift == 2u) x = uvec4(x.zw, right.xy);
        if (shift == 3u) x = uvec4(x.w, right.xyz);
      }
      out_rows.v[row] = x;
    }
  }
  if (lane < head) VkpWords(base).v[lane] = vkp_staged(from + lane);
  const uint behind = head + 4u * rows + lane;
  if (lane < tail) VkpWords(base).v[behind] = vkp_staged(from + behind);
}

#endif
