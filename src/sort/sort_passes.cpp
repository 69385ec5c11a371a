#include "sort/sort_passes.hpp"

#include <algorithm>
#include <span>

#include "blocks/key_type.hpp"
#include "blocks/lookback.hpp"
#include "runtime/arithmetic.hpp"
#include "runtime/push.hpp"
#include "runtime/scratch_layout.hpp"
#include "runtime/tuning.hpp"
#include "sort/radix_sort/radix_sort.abi.h"
#include "spirv/radix_sort_count.hpp"
#include "spirv/radix_sort_histogram.hpp"
#include "spirv/radix_sort_prefixes.hpp"
#include "spirv/radix_sort_single.hpp"
#include "spirv/radix_sort_sweep.hpp"

namespace vkprims {
namespace {

// The limit for an index times the size of its element.
constexpr std::uint64_t kLargestOffset = std::uint64_t{1} << 32;
constexpr std::uint32_t kMostPairRows = 20;    // keys of an invocation, with values of two words
constexpr std::uint32_t kMostCountedRows = 4;  // rows in flight per invocation of histogram.comp

// Places are numbers of 32 bits for at most so many keys: drivers multiply an index by the size of
// its element in 32 bits.
std::uint64_t largest_narrow_count(const SortJob& job) {
  return kLargestOffset / std::max(size_of(job.type), 4 * job.value_words);
}

// How a job is carried out on a device.
struct Plan {
  SortTile tile;
  std::uint32_t digit_bits, passes;  // of this job
  bool single;
  std::uint64_t portion_tiles, portions;  // tiles of the largest portion
  std::uint32_t groups, group_rows;       // of the dispatch that counts
  bool multi_pass, wide, rotates;
  std::uint32_t sweep_flags;                           // besides those of all kernels
  VkDeviceSize header_offset, state_offset, zero_end;  // in scratch
  VkDeviceSize grid_offset;                            // for all portions except the first
  VkDeviceSize key_offset, second_key_offset, value_offset, end;
};

// The position of the rows of its tile in names of modules.
std::size_t position_of_rows(const Plan& plan) {
  const std::span<const std::uint32_t> modules = sort_rows_of_modules(plan.single);
  return static_cast<std::size_t>(std::ranges::find(modules, plan.tile.rows) - modules.begin());
}

// Chooses the tile of a workgroup, and how many passes there are.
void choose_passes(const DeviceState& state, const SortJob& job, bool in_place, Plan& plan) {
  const Tuning& tuning = state.tuning;
  const std::uint32_t key_words = size_of(job.type) / 4;
  const std::uint64_t n = job.count.max;
  const std::uint32_t largest =
      std::min(state.largest_workgroup, std::max(32 * state.subgroup_size, 128u));
  // The workgroup is the smallest that has room for all keys: barriers of larger ones take longer.
  std::uint32_t size = std::min(largest / 128 * 128, 256u);
  for (;; size *= 2) {
    plan.tile = sort_tile(state, key_words, true, size, n <= 4 * size ? 4 : tuning.sort_rows);
    if (n <= plan.tile.items() || 2 * size > largest) break;
  }
  plan.single = n <= std::min<std::uint64_t>(plan.tile.items(), tuning.single_sort_count);
  if (!plan.single) {
    const bool words = key_words + job.value_words == 1, small = n <= tuning.small_sort_count;
    const std::uint32_t most = small ? 8 : job.value_words == 2 ? kMostPairRows : tuning.sort_rows;
    plan.tile = sort_tile(state, key_words, false,
                          words ? tuning.sort_workgroup_size : tuning.sort_pair_workgroup_size,
                          std::min(tuning.sort_rows, most));
    // Finding the numbers of keys twice takes longer than keeping them, but twice as many
    // workgroups fit. With values, registers are as many in any case.
    const bool spares = words && job.type != Type::u32 && n / 2 > tuning.small_sort_count;
    plan.sweep_flags = spares ? VKP_RADIX_SPARES_REGISTERS : 0;
  }
  const std::uint32_t bits = job.end_bit - job.begin_bit;
  plan.passes = std::max(static_cast<std::uint32_t>(ceil_div(bits, plan.tile.digit_bits)), 1u);
  if (in_place && !plan.single) plan.passes += plan.passes % 2;
  plan.digit_bits = std::max(static_cast<std::uint32_t>(ceil_div(bits, plan.passes)), 1u);
}

// Chooses the grid of the dispatch that counts. There are at least so many workgroups that none
// makes more than kMostTurns turns. Each batch of rows counts as one turn for each of its keys and
// passes, as if no loop were unrolled.
void choose_groups(const Tuning& tuning, const SortJob& job, Plan& plan) {
  const std::uint32_t key_words = size_of(job.type) / 4;
  const std::uint64_t key_rows = job.count.max * key_words / 4 + 1;
  const std::uint32_t rows = std::min(tuning.rows_per_tile, kMostCountedRows);
  const std::uint64_t batch = std::uint64_t{tuning.workgroup_size} * rows;
  const std::uint64_t most_batches =
      kMostTurns / (1 + rows + plan.passes * (1 + rows * (1 + 4 / key_words)));
  std::uint64_t groups =
      std::min<std::uint64_t>(ceil_div(key_rows, batch), tuning.max_reduce_groups);
  groups = std::max<std::uint64_t>(groups, key_rows / (batch * most_batches) + 1);
  plan.groups = static_cast<std::uint32_t>(groups);
  plan.group_rows = static_cast<std::uint32_t>(round_up(ceil_div(key_rows, groups), batch));
}

void lay_out(const SortJob& job, Plan& plan) {
  const VkDeviceSize bin_bytes = 4ull << plan.digit_bits;
  plan.header_offset =
      VKP_RADIX_BINS_OFFSET + VkDeviceSize{plan.passes} * VKP_RADIX_BINS_BYTES(plan.digit_bits);
  plan.state_offset = plan.header_offset + plan.passes * plan.portions * VKP_LOOKBACK_HEADER_BYTES;
  plan.zero_end = plan.state_offset + plan.portion_tiles * bin_bytes;
  if (plan.multi_pass) {
    plan.zero_end += ceil_div(plan.portion_tiles, VKP_RADIX_BLOCK_TILES) * bin_bytes;
  }
  ScratchLayout layout;
  layout.take(plan.zero_end);
  plan.grid_offset = layout.take((plan.portions - 1) * kGridScratchBytes);
  const std::uint64_t moved = plan.passes > 1 ? job.count.max : 0;  // through scratch
  const VkDeviceSize key_bytes = moved * size_of(job.type);
  plan.key_offset = layout.take(key_bytes);
  plan.second_key_offset = job.keep_keys ? 0 : layout.take(key_bytes);
  plan.value_offset = layout.take(moved * 4 * job.value_words);
  plan.end = layout.end();
}

Plan plan_of(const DeviceState& state, const SortJob& job, bool in_place) {
  Plan plan{};
  choose_passes(state, job, in_place, plan);
  if (plan.single) return plan;
  const std::uint64_t n = job.count.max;
  plan.wide = n > largest_narrow_count(job);
  plan.multi_pass = job.schedule == Schedule::multi_pass;
  const std::uint64_t tiles = ceil_div(n, plan.tile.items());
  // An invocation of prefixes.comp adds up the blocks before its own.
  const std::uint64_t most_tiles = (kMostTurns - VKP_RADIX_BLOCK_TILES) * VKP_RADIX_BLOCK_TILES;
  plan.portion_tiles =
      std::min({tiles, most_tiles,
                std::max<std::uint64_t>(state.tuning.sort_portion / plan.tile.items(), 1)});
  plan.portions = ceil_div(tiles, plan.portion_tiles);
  plan.rotates = !plan.multi_pass && plan.portions == 1 && state.hooks.lookback.faults == 0;
  choose_groups(state.tuning, job, plan);
  lay_out(job, plan);
  return plan;
}

// What is sorted in place.
struct InPlace {
  bool keys, values;
  bool any() const { return keys || values; }
};

InPlace what_is_in_place(const SortJob& job, const SortPlaces& places) {
  return {job.keep_keys && places.keys_in == places.keys_out,
          job.value_words != 0 && !job.make_indices && places.values_in == places.values_out};
}

abi::RadixSortPush push_of(const SortJob& job, const SortPlaces& places, const Plan& plan) {
  const InPlace in_place = what_is_in_place(job, places);
  const bool moves = !in_place.keys || (job.value_words != 0 && !in_place.values);
  const VkDeviceAddress scratch = places.scratch.address;
  return {.scratch = push_u64(scratch),
          .states = push_u64(scratch + plan.state_offset),
          .keys_in = push_u64(places.keys_in),
          .keys_out = push_u64(job.keep_keys ? places.keys_out : scratch + plan.second_key_offset),
          .keys_third = push_u64(scratch + plan.key_offset),
          .values_in = push_u64(places.values_in),
          .values_out = push_u64(places.values_out),
          .values_third = push_u64(scratch + plan.value_offset),
          .count = push_count(job.count),
          .flags = (job.make_indices ? VKP_RADIX_MAKE_INDICES : 0u) |
                   (job.keep_keys ? 0u : VKP_RADIX_DROP_KEYS) |
                   (plan.rotates ? VKP_RADIX_ROTATE : 0u) |
                   (in_place.any() ? VKP_RADIX_IN_PLACE : 0u) | (moves ? VKP_RADIX_MOVES : 0u),
          .passes = plan.passes,
          .begin_bit = job.begin_bit,
          .end_bit = job.end_bit,
          .portions = static_cast<std::uint32_t>(plan.portions),
          .portion_tiles = static_cast<std::uint32_t>(plan.portion_tiles),
          .groups = plan.groups,
          .group_rows = plan.group_rows};
}

Specialization specialization_of(const SortJob& job, const Plan& plan) {
  Specialization constants{.workgroup_size = plan.tile.workgroup_size, .rows = plan.tile.rows};
  constants.set(VKP_RADIX_SPEC_TYPE, key_type(job.type, job.float_order));
  constants.set(VKP_RADIX_SPEC_FLAGS,
                (job.order == SortOrder::descending ? VKP_RADIX_DESCENDING : 0u) |
                    (plan.wide ? VKP_RADIX_WIDE : 0u) |
                    (plan.multi_pass ? VKP_RADIX_MULTI_PASS : 0u) |
                    (plan.tile.masked ? VKP_RADIX_MASKED : 0u));
  constants.set(VKP_RADIX_SPEC_VALUE_WORDS, job.value_words);
  constants.set(VKP_RADIX_SPEC_DIGIT_BITS, plan.digit_bits);
  constants.set(VKP_RADIX_SPEC_SUBGROUPS, plan.tile.subgroups);
  return constants;
}

// What all commands of a job have in common.
struct Sort {
  Commands& commands;
  const SortJob& job;
  const SortPlaces& places;
  const Plan plan = plan_of(commands.state(), job, what_is_in_place(job, places).any());
  const std::size_t key = size_of(job.type) / 8;  // position of its size in names of modules
  const Specialization constants = specialization_of(job, plan);
  abi::RadixSortPush push = push_of(job, places, plan);
  const VkDeviceSize key_bytes = job.count.max * size_of(job.type);
  const VkDeviceSize value_bytes = job.count.max * 4 * job.value_words;
  const Access count = operand_of(job.count);
  const Access keys_in = reads(places.keys_in, key_bytes);
  const Access keys_out = writes(places.keys_out, job.keep_keys ? key_bytes : 0);
  const Access values_in = reads(places.values_in, job.make_indices ? 0 : value_bytes);
  const Access values_out = writes(places.values_out, value_bytes);

  Access in_scratch(VkDeviceSize begin, VkDeviceSize end) const {
    return writes(places.scratch.address + begin, end - begin);
  }
};

Status add_single(const Sort& s) {
  return s.commands.dispatch(spirv::radix_sort_single(s.key, position_of_rows(s.plan)), s.constants,
                             s.push, Grid(1),
                             {s.count, s.keys_in, s.values_in, s.keys_out, s.values_out});
}

Status add_histogram(const Sort& s) {
  const Tuning& tuning = s.commands.tuning();
  Specialization constants = s.constants;
  constants.workgroup_size = std::max(tuning.workgroup_size, 1u << s.plan.digit_bits);
  constants.rows = std::min(tuning.rows_per_tile, kMostCountedRows);
  return s.commands.dispatch(
      spirv::radix_sort_histogram(s.key), constants, s.push, Grid(s.plan.groups),
      {s.count, s.keys_in, s.in_scratch(VKP_RADIX_ZERO_OFFSET, s.plan.header_offset)});
}

// The grid of a portion is that of all keys except those before it, but not larger than a portion.
Grid grid_of(const Sort& s, std::uint32_t portion) {
  const Plan& plan = s.plan;
  const std::uint64_t most = plan.portion_tiles * plan.tile.items(), first = portion * most;
  const VkDeviceSize offset =
      portion == 0 ? 0 : plan.grid_offset + (portion - 1) * kGridScratchBytes;
  Count count = s.job.count;
  count.max = std::min(count.max, most);
  Grid grid(count, plan.tile.items(), part_of(s.places.scratch, offset));
  grid.first = first;
  // Counts that are larger than this are read as this; here it is the end of the portion.
  grid.count.max = std::min(s.job.count.max, first + most);
  return grid;
}

Status add_pass(Sort& s, std::uint32_t pass, std::uint32_t portion) {
  const Plan& plan = s.plan;
  s.push.pass = pass;
  s.push.portion = portion;
  Grid grid = grid_of(s, portion);
  grid.is_computed = true;
  const Access pass_plan = reads(s.places.scratch.address + VKP_RADIX_PLAN_OFFSET, 64);
  const Access states = s.in_scratch(plan.state_offset, plan.zero_end);
  const Access moved = s.in_scratch(plan.key_offset, plan.end);
  if (!plan.rotates && pass + portion != 0) {
    VKPRIMS_TRY(s.commands.fill(s.places.scratch, plan.state_offset, states.view.bytes));
  }
  if (plan.multi_pass) {
    VKPRIMS_TRY(s.commands.dispatch(spirv::radix_sort_count(s.key), s.constants, s.push, grid,
                                    {s.count, pass_plan, s.keys_in, moved, s.keys_out, states}));
    const Grid blocks(ceil_div(plan.portion_tiles, VKP_RADIX_BLOCK_TILES));
    VKPRIMS_TRY(s.commands.dispatch(spirv::radix_sort_prefixes, s.constants, s.push, blocks,
                                    {s.count, pass_plan, states}));
  }
  Specialization sweep = s.constants;
  sweep.own[VKP_RADIX_SPEC_FLAGS - VKP_SPEC_FIRST_OWN] |= plan.sweep_flags;
  sweep.lookback = lookback_constants(s.commands.state(), false);
  sweep.lookback.pause = 0;
  return s.commands.dispatch(
      spirv::radix_sort_sweep(s.key, position_of_rows(plan)), sweep, s.push, grid,
      {s.count, pass_plan, s.keys_in, moved, s.keys_out, states,
       s.in_scratch(VKP_RADIX_BINS_OFFSET, plan.state_offset), s.values_in, s.values_out});
}

}  // namespace

Status check_sort_job(SortJob& job) {
  const char* name = job.primitive;
  VKPRIMS_TRY(check_type(name, job.type));
  VKPRIMS_TRY(check_enum(name, "order", job.order, SortOrder::descending));
  VKPRIMS_TRY(check_enum(name, "float_order", job.float_order, FloatOrder::by_bits));
  VKPRIMS_TRY(check_enum(name, "schedule", job.schedule, Schedule::multi_pass));
  VKPRIMS_TRY(check_count(name, job.count));
  const std::uint32_t bits = 8 * size_of(job.type);
  if (job.end_bit > bits) {
    return Status::error(Status::invalid_argument, "%s: end_bit is %u, must be at most %u for %s",
                         name, job.end_bit, bits, name_of(job.type));
  }
  if (job.begin_bit > job.end_bit) {
    return Status::error(Status::invalid_argument,
                         "%s: begin_bit is %u, must not be above end_bit, which is %u", name,
                         job.begin_bit, job.end_bit);
  }
  // A range without bits takes one pass, in which all keys are alike.
  if (job.begin_bit == job.end_bit) job.begin_bit = job.end_bit = 0;
  return {};
}

ScratchNeed sort_need(const DeviceState& state, const SortJob& job) {
  ScratchNeed need;
  const auto include = [&](std::uint64_t count) {
    SortJob any = job;
    any.count.max = count;
    for (const bool in_place : {false, true}) {
      need.bytes = std::max(need.bytes, plan_of(state, any, in_place).end);
    }
  };
  if (job.count.max == 0) return {};
  include(job.count.max);
  // Up to this count tiles are small, and their states take much memory.
  if (job.count.max > state.tuning.small_sort_count) include(state.tuning.small_sort_count);
  return need;
}

Status add_sort(Commands& commands, const SortJob& job, const SortPlaces& places) {
  if (job.count.max == 0) return {};
  Sort s{commands, job, places};
  const Plan& plan = s.plan;
  if (plan.single) return add_single(s);
  for (std::uint32_t portion = 0; portion < plan.portions; ++portion) {
    Grid grid = grid_of(s, portion);
    VKPRIMS_TRY(commands.prepare(grid));
  }
  VKPRIMS_TRY(commands.fill(places.scratch, VKP_RADIX_ZERO_OFFSET,
                            plan.zero_end - VKP_RADIX_ZERO_OFFSET, 0, beside(grid_of(s, 0))));
  VKPRIMS_TRY(add_histogram(s));
  for (std::uint32_t pass = 0; pass < plan.passes; ++pass) {
    for (std::uint32_t portion = 0; portion < plan.portions; ++portion) {
      VKPRIMS_TRY(add_pass(s, pass, portion));
    }
  }
  return {};
}

Status warm_up_sort(Commands& commands, const SortJob& job) {
  const Tuning& tuning = commands.tuning();
  Status status;
  const auto add = [&](std::uint64_t count) {
    for (const bool in_place : {false, true}) {
      if (in_place && !job.keep_keys) continue;
      SortJob any = job;
      any.count.max = std::min(count, kMaxCount);
      SortPlaces places{};
      places.keys_out = places.values_out = in_place ? 0 : 16;
      if (status) status = add_sort(commands, any, places);
    }
  };
  // These counts give every plan: one workgroup of each size, small tiles, large ones, those that
  // spare registers, a grid whose size is computed, and more keys than an index has.
  for (std::uint64_t n = 1; n < tuning.single_sort_count; n *= 2) add(n);
  for (const std::uint64_t n : {tuning.single_sort_count, tuning.small_sort_count}) {
    add(n);
    add(n + 1);
  }
  add(2 * (std::uint64_t{tuning.small_sort_count} + 1));
  add(tuning.sort_portion);
  add(largest_narrow_count(job) + 1);
  return status;
}

}  // namespace vkprims
