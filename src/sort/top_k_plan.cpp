#include "sort/top_k_plan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "blocks/lookback.hpp"
#include "runtime/scratch_layout.hpp"
#include "sort/top_k/top_k.abi.h"

namespace vkprims {
namespace {

// log2 of how many workgroups share a pass over the input. Each has at least 4 batches, fewer only
// where there would not be some workgroups, and at most so many that lavapipe, which ends loops
// after 65,535 iterations of an invocation, runs all of them.
std::uint32_t group_shift_of(const Tuning& tuning, std::uint64_t count, std::uint32_t size) {
  constexpr std::uint64_t kMostBatches = 400, kSomeGroups = 16;
  const std::uint64_t batch =
      std::uint64_t{tuning.workgroup_size} * top_k_pass_rows(tuning) * (16 / size);
  const std::uint64_t most = std::bit_floor(tuning.max_reduce_groups);
  const std::uint64_t batches = count / batch;
  const std::uint64_t wanted =
      std::bit_ceil(std::max(batches / 4, std::min(batches, kSomeGroups)) + 1);
  const std::uint64_t least = std::bit_ceil(count / (kMostBatches * batch) + 1);
  return static_cast<std::uint32_t>(std::countr_zero(std::max(least, std::min(most, wanted))));
}

// About how many elements a range without a lower end holds, as sample.comp chooses it.
double expected_candidates(const TopKPlan& plan) {
  const double stride = static_cast<double>(plan.count.max >> plan.sample_shift);
  const double sampled = static_cast<double>(plan.results) / stride;
  return (sampled + 4.5 * std::sqrt(sampled) + 6) * stride;
}

// Chooses whether there is a sample, and what it is like. Sampling saves passes over the input, but
// takes some dispatches.
void choose_sample(const Tuning& tuning, TopKPlan& plan) {
  constexpr std::uint64_t kMostSamples = 1 << 16, kMostCandidates = 1 << 30;
  const std::uint64_t n = plan.count.max;
  plan.sampled = n > std::uint64_t{16} * tuning.small_count;
  if (!plan.sampled) return;
  plan.capacity = static_cast<std::uint32_t>(std::min(n / 16, kMostCandidates));
  plan.sample_shift = static_cast<std::uint32_t>(
      std::bit_width(std::min<std::uint64_t>(plan.capacity, kMostSamples)) - 1);
  plan.lower = expected_candidates(plan) > 0.75 * plan.capacity;
}

// Lays out what selections need.
void lay_out_selections(const TopKDesc& desc, TopKPlan& plan, ScratchLayout& layout) {
  layout.take(VKP_TOP_K_TIES_OFFSET + (VkDeviceSize{4} << plan.group_shift));
  plan.portions_offset = layout.take(VkDeviceSize{8} * plan.portions);
  plan.input_states = layout.take(lookback_bytes(plan.max_tiles, 1));
  if (plan.sampled) {
    plan.range_states = layout.take(lookback_bytes(plan.max_tiles, 1));
    plan.candidate_states = layout.take(lookback_bytes(ceil_div(plan.capacity, plan.items), 1));
  }
  plan.zeros_end = layout.end();
  plan.candidates = layout.take(VkDeviceSize{plan.capacity} * size_of(desc.type));
  plan.candidate_indices =
      layout.take(VkDeviceSize{plan.capacity} * size_of(top_k_inner_width(desc)));
}

}  // namespace

IndexWidth top_k_inner_width(const TopKDesc& desc) {
  return desc.count.max > std::uint64_t{1} << 32 ? IndexWidth::u64 : desc.index_width;
}

std::uint32_t top_k_pass_rows(const Tuning& tuning) { return std::min(tuning.rows_per_tile, 4u); }

SortJob top_k_sort_job(const TopKDesc& desc, const Count& results, bool indices) {
  return {.primitive = "top_k",
          .type = desc.type,
          .order = desc.side == TopKSide::largest ? SortOrder::descending : SortOrder::ascending,
          .float_order = desc.float_order,
          .begin_bit = 0,
          .end_bit = 8 * size_of(desc.type),
          .count = results,
          .schedule = Schedule::automatic,
          .value_words = indices ? size_of(desc.index_width) / 4 : 0,
          .make_indices = false,
          .keep_keys = true};
}

TopKPlan top_k_plan(const DeviceState& state, const TopKDesc& desc) {
  const Tuning& tuning = state.tuning;
  const std::uint32_t size = size_of(desc.type);
  TopKPlan plan{};
  const std::uint64_t k = desc.k.value_or(0);
  if (k != 0) plan.count = desc.count;
  const std::uint64_t n = plan.count.max;
  plan.results = std::min(k, n);
  plan.sorted = desc.sorted && plan.results > 1;
  plan.alone = n * size <= tuning.single_scan_bytes;
  plan.tile =
      stage_tile(state, size, plan.alone ? state.largest_workgroup : tuning.scan_workgroup_size,
                 tuning.compact_rows, tuning.compact_batches);
  plan.items = plan.tile.items - (16 / size - 1);
  plan.portions =
      static_cast<std::uint32_t>(std::max<std::uint64_t>(ceil_div(n, VKP_TOP_K_PORTION), 1));
  ScratchLayout layout;
  if (!plan.alone) {
    plan.max_tiles = ceil_div(std::min<std::uint64_t>(n, VKP_TOP_K_PORTION), plan.items);
    plan.group_shift = group_shift_of(tuning, n, size);
    choose_sample(tuning, plan);
    lay_out_selections(desc, plan, layout);
  } else if (plan.sorted) {
    layout.take(VKP_TOP_K_BINS_OFFSET);  // the plan in scratch, for the number of results
  }
  if (plan.sorted) {
    plan.result_keys = layout.take(plan.results * size);
    plan.result_indices = layout.take(plan.results * size_of(desc.index_width));
    const Count results{plan.results, 8, CountWidth::u64};
    plan.sort_scratch = layout.take(sort_need(state, top_k_sort_job(desc, results, true)).bytes);
  }
  plan.need.bytes = layout.end();
  return plan;
}

}  // namespace vkprims
