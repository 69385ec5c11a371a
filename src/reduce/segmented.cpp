#include "reduce/segmented.hpp"

#include <algorithm>

#include "reduce/segmented_starts/segmented_starts.abi.h"
#include "runtime/push.hpp"
#include "runtime/scratch_layout.hpp"
#include "spirv/segmented_starts.hpp"

namespace vkprims {
namespace {

// Up to so many times Tuning::small_count words of segments and values, tiles search for themselves
// where they begin, or a subgroup searches for each. Searches by subgroups take fewer turns, but
// more loads in all, for which many of them would wait.
constexpr std::uint64_t kWordsOfFewTiles = 5, kWordsBySubgroup = 24;

// The most rows of an invocation that fit into shared memory. Each takes 16 bytes and its bits of
// heads; besides, there are the partial results of subgroups and a few words.
std::uint32_t max_rows(const DeviceState& state, std::uint32_t workgroup_size,
                       std::uint32_t element_words) {
  const bool small = state.hooks.shared16k || state.limits.maxComputeSharedMemorySize < 32768;
  const std::uint32_t fixed = workgroup_size * (element_words + 1) + 128;
  const std::uint32_t row = workgroup_size * (16 * ceil_div(element_words, 4) + 1);
  return ((small ? 16384 : 32768) - fixed) / row;
}

}  // namespace

SegmentedPlan segmented_plan(const DeviceState& state, std::uint32_t element_words,
                             const Count& segments, std::uint64_t value_count,
                             std::uint32_t lane_items) {
  SegmentedPlan plan{};
  plan.workgroup_size = std::min(state.tuning.csr_workgroup_size, 512u);
  while (max_rows(state, plan.workgroup_size, element_words) == 0) plan.workgroup_size /= 2;
  const std::uint32_t cell_items = element_words <= 2 ? 4 / element_words : 1;
  plan.rows = std::min({state.tuning.csr_rows, lane_items / cell_items,
                        max_rows(state, plan.workgroup_size, element_words)});
  plan.tile_items = plan.workgroup_size * plan.rows * cell_items - (cell_items - 1);
  plan.max_tiles =
      std::max<std::uint64_t>(1, ceil_div(segments.max + value_count, plan.tile_items));
  const std::uint64_t words = (segments.max + value_count) * element_words;
  const std::uint64_t small = state.tuning.small_count;
  const bool few = words <= kWordsOfFewTiles * small;
  plan.mode = few ? VKP_SEGMENTED_FEW_TILES : VKP_SEGMENTED_MANY_TILES;
  if (plan.max_tiles == 1) plan.mode = VKP_SEGMENTED_ONE_TILE;
  plan.starts_by_subgroup = words <= kWordsBySubgroup * small;
  plan.record_bytes = VKP_SEGMENTED_RECORD_BYTES(4 * element_words);
  if (plan.max_tiles > 1 && segments.max != 0) {
    const std::uint64_t groups = ceil_div(plan.max_tiles, plan.workgroup_size);
    plan.need.bytes =
        VKP_SEGMENTED_RECORDS_OFFSET + (plan.max_tiles + 1 + groups) * plan.record_bytes;
  }
  return plan;
}

std::array<std::uint64_t, 4> segmented_counts(const DeviceState& state, std::uint32_t words) {
  const std::uint64_t small = state.tuning.small_count;
  const std::uint64_t few = kWordsOfFewTiles * small, by_subgroup = kWordsBySubgroup * small;
  return {1, few / (2 * words), by_subgroup / (2 * words), UINT32_MAX};
}

Specialization segmented_specialization(const SegmentedPlan& plan, IndexWidth offset_width) {
  Specialization constants{.workgroup_size = plan.workgroup_size, .rows = plan.rows};
  return constants.set(VKP_SEGMENTED_SPEC_OFFSET_WORDS, size_of(offset_width) / 4)
      .set(VKP_SEGMENTED_SPEC_TILES, plan.mode);
}

Status add_segmented_starts(Commands& commands, const SegmentedPlan& plan,
                            const Specialization& constants, const SegmentedInput& input) {
  if (plan.mode != VKP_SEGMENTED_MANY_TILES) return {};
  Specialization starts{.workgroup_size = plan.workgroup_size};
  starts.set(VKP_SEGMENTED_SPEC_OFFSET_WORDS,
             constants.own[VKP_SEGMENTED_SPEC_OFFSET_WORDS - VKP_SPEC_FIRST_OWN]);
  starts.set(VKP_SEGMENTED_STARTS_SPEC_BY_SUBGROUP, plan.starts_by_subgroup);
  const std::uint32_t lanes = plan.starts_by_subgroup ? commands.state().subgroup_size : 1;
  const abi::SegmentedStartsPush push{.offset_base = push_u64(input.offsets),
                                      .scratch = push_u64(input.scratch.address),
                                      .count = push_count(input.segments),
                                      .value_count = push_u64(input.value_count),
                                      .max_tiles = static_cast<std::uint32_t>(plan.max_tiles),
                                      .tile_items = plan.tile_items,
                                      .record_bytes = plan.record_bytes};
  return commands.dispatch(
      spirv::segmented_starts, starts, push,
      Grid(ceil_div(plan.max_tiles + 1, plan.workgroup_size / lanes)),
      {operand_of(input.segments), input.offsets, writes(input.scratch.address, plan.need.bytes)});
}

Grid segmented_grid(const SegmentedPlan& plan, const SegmentedInput& input,
                    std::uint32_t tiles_per_group, std::uint32_t number) {
  Count tiles = plan.max_tiles;
  if (input.segments.address && plan.mode == VKP_SEGMENTED_MANY_TILES) {
    const VkDeviceAddress at = input.scratch.address + VKP_SEGMENTED_TILES_OFFSET;
    tiles = {plan.max_tiles, at, CountWidth::u64};
  }
  return {tiles, tiles_per_group,
          part_of(input.scratch, VKP_SEGMENTED_GRID_OFFSET + number * kGridScratchBytes,
                  kGridScratchBytes)};
}

}  // namespace vkprims
