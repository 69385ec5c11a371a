// Ties are elements equal to the last code taken: counts those of a sequence, and finds one of
// them.
#ifndef TOP_K_TIES_GLSL
#define TOP_K_TIES_GLSL

#include "sort/top_k/bins.glsl"

uint tie_flags(VkpPart part, VKP_KEY last) {
  const uint existing = vkp_existing(part);
  uvec4 cells[vkp_rows];
  vkp_load_part(part, existing, existing, cells);
  uint flags = 0u;
  [[unroll]] for (uint i = 0u; i < vkp_batch_marks; ++i) {
    if (code_of(key_bits(cells[i / VKP_CELL_ITEMS], i % VKP_CELL_ITEMS)) == last) flags |= 1u << i;
  }
  return flags & existing;
}

uint count_ties(VkpSequence s, VKP_KEY last) {
  uint count = 0u;
  const uint batches = batches_of(s);
  for (uint batch = 0u; batch < batches; ++batch) {
    count += bitCount(tie_flags(vkp_part(s, batch), last));
  }
  return vkp_scan_subgroups(vkp_sum_of_lanes(count)).total;
}

shared uint tie_position;

// Returns the position in s of the rank-th element that has the last code. Ranks begin with 1, and
// there are as many.
uint find_tie(VkpSequence s, VKP_KEY last, uint rank) {
  const uint batches = batches_of(s);
  VkpPart part = vkp_part(s, 0u);
  uint flags = 0u;
  uint before = 0u;
  for (uint batch = 0u; batch < batches; ++batch) {
    part = vkp_part(s, batch);
    flags = tie_flags(part, last);
    const VkpGroupScan ties = vkp_scan_subgroups(vkp_sum_of_lanes(bitCount(flags)));
    before = ties.before;
    if (rank <= ties.total) break;
    rank -= ties.total;
  }
  uint ranks[vkp_rows];
  vkp_rank(flags, before, ranks);
  [[unroll]] for (uint row = 0u; row < vkp_rows; ++row) {
    uint upto = ranks[row];
    [[unroll]] for (uint k = 0u; k < VKP_CELL_ITEMS; ++k) {
      if (((flags >> (row * VKP_CELL_ITEMS + k)) & 1u) == 0u) continue;
      ++upto;
      if (upto == rank) tie_position = part.first + vkp_part_cell(row) * VKP_CELL_ITEMS + k;
    }
  }
  barrier();
  return tie_position;
}

#endif
