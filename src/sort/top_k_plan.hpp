// How a descriptor of top_k is carried out on a device.
#pragma once

#include "blocks/stage.hpp"
#include "sort/sort_passes.hpp"
#include "vkprims/top_k.hpp"

namespace vkprims {

struct TopKPlan {
  Count count;
  std::uint64_t results;  // at most
  bool alone;             // one workgroup does everything
  bool sampled;           // a sample of the input is taken first
  bool lower;             // the range from the sample has a lower end, too
  bool sorted;            // results are sorted in the end
  StageTile tile;         // of selections
  std::uint64_t items;    // in a tile at least, as a sequence may begin inside a cell
  std::uint32_t group_shift, sample_shift, capacity, portions;
  std::uint64_t max_tiles;  // tiles of the first portion, which is the largest
  VkDeviceSize portions_offset, range_states, input_states, candidate_states, zeros_end;
  VkDeviceSize candidates, candidate_indices, result_keys, result_indices, sort_scratch;
  ScratchNeed need;
};

TopKPlan top_k_plan(const DeviceState& state, const TopKDesc& desc);

/// The width of indices inside the primitive: wide if 32 bits do not tell all elements apart.
IndexWidth top_k_inner_width(const TopKDesc& desc);

/// The rows that an invocation of a pass has in flight.
std::uint32_t top_k_pass_rows(const Tuning& tuning);

/// The job that sorts so many results.
SortJob top_k_sort_job(const TopKDesc& desc, const Count& results, bool indices);

}  // namespace vkprims
