#include "sort/sort_passes_old.hpp"

#include <algorithm>
#include <bit>
#include <span>

#include "blocks/key_type.hpp"
#include "blocks/lookback.hpp"
#include "runtime/arithmetic.hpp"
#include "runtime/push.hpp"
#include "runtime/tuning.hpp"
#include "runtime/validate.hpp"
#include "spirv/radix_sort_count.hpp"
#include "spirv/radix_sort_histogram.hpp"
#include "spirv/radix_sort_prefixes.hpp"
#include "spirv/radix_sort_single.hpp"
#include "spirv/radix_sort_sweep.hpp"

namespace vkprims {
namespace {

constexpr VkDeviceSize kAlignment = 16;
// The limit for an index times the size of its element.
constexpr std::uint64_t kLargestOffset = std::uint64_t{1} << 32;
constexpr std::uint32_t kMostCountedRows = 4;  // rows in flight per invocation of histogram.comp

VkDeviceSize aligned(VkDeviceSize bytes) { return ceil_div(bytes, kAlignment) * kAlignment; }

// Modules of sweep.comp, by the number of keys of an invocation.
struct Rows {
  std::uint32_t rows;
  const Spirv* word;
  const Spirv* pair;
};
constexpr Rows kSweeps[] = {
    {4, &spirv::radix_sort_sweep_word_4, &spirv::radix_sort_sweep_pair_4},
    {8, &spirv::radix_sort_sweep_word_8, &spirv::radix_sort_sweep_pair_8},
    {12, &spirv::radix_sort_sweep_word_12, &spirv::radix_sort_sweep_pair_12},
    {15, &spirv::radix_sort_sweep_word_15, &spirv::radix_sort_sweep_pair_15},
    {20, &spirv::radix_sort_sweep_word_20, &spirv::radix_sort_sweep_pair_20},
    {23, &spirv::radix_sort_sweep_word_23, &spirv::radix_sort_sweep_pair_23}};
constexpr Rows kSingles[] = {
    {4, &spirv::radix_sort_single_word_4, &spirv::radix_sort_single_pair_4},
    {8, &spirv::radix_sort_single_word_8, &spirv::radix_sort_single_pair_8}};

// Places are numbers of 32 bits for at most so many keys: drivers multiply an index by the size of
// its element in 32 bits.
std::uint64_t largest_narrow_count(const SortJob& job) {
  return kLargestOffset / std::max(size_of(job.type), 4 * job.value_words);
}

}  // namespace

SortPasses::Shape SortPasses::shape_of(const DeviceState& state, const SortJob& job,
                                       bool in_place) {
  const Tuning& tuning = state.tuning;
  const std::uint32_t key_words = size_of(job.type) / 4;
  const std::uint64_t n = job.count.max;
  Shape shape{};
  const std::uint32_t largest =
      std::min(state.largest_workgroup, std::max(32 * state.subgroup_size, 128u));
  shape.tile = sort_tile(state, key_words, true, largest / 128 * 128, tuning.sort_rows);
  shape.single = n <= std::min<std::uint64_t>(shape.tile.items(), tuning.single_sort_count);
  if (!shape.single) {
    const bool words = key_words + job.value_words == 1;
    const bool small = n <= tuning.small_sort_count;
    shape.tile = sort_tile(state, key_words, false,
                           words ? tuning.sort_workgroup_size : tuning.sort_pair_workgroup_size,
                           small ? std::min(tuning.sort_rows, 8u) : tuning.sort_rows);
  }
  const std::uint32_t bits = job.end_bit - job.begin_bit;
  shape.passes = std::max(static_cast<std::uint32_t>(ceil_div(bits, shape.tile.digit_bits)), 1u);
  if (in_place && !shape.single) shape.passes += shape.passes % 2;
  shape.digit_bits = std::max(static_cast<std::uint32_t>(ceil_div(bits, shape.passes)), 1u);
  if (shape.single) return shape;

  shape.wide = n > largest_narrow_count(job);
  shape.prepared = job.schedule == Schedule::multi_pass;
  const std::uint64_t tiles = ceil_div(n, shape.tile.items());
  // An invocation of prefixes.comp adds up the blocks before its own.
  const std::uint64_t most_tiles = (kMostTurns - VKP_RADIX_BLOCK_TILES) * VKP_RADIX_BLOCK_TILES;
  shape.portion_tiles = std::min(
      {tiles, most_tiles, std::max<std::uint64_t>(tuning.sort_portion / shape.tile.items(), 1)});
  shape.portions = ceil_div(tiles, shape.portion_tiles);
  shape.rotates = !shape.prepared && shape.portions == 1 && state.info.lookback.faults == 0;
  // There are at least so many workgroups that none makes more than kMostTurns turns. Each batch of
  // rows counts as one turn for each of its keys and passes, as if no loop were unrolled.
  const std::uint64_t key_rows = n * key_words / 4 + 1;
  const std::uint32_t rows = std::min(tuning.rows_per_tile, kMostCountedRows);
  const std::uint64_t batch = std::uint64_t{tuning.workgroup_size} * rows;
  const std::uint64_t most_batches =
      kMostTurns / (1 + rows + shape.passes * (1 + rows * (1 + 4 / key_words)));
  std::uint64_t groups =
      std::min<std::uint64_t>(ceil_div(key_rows, batch), tuning.max_reduce_groups);
  groups = std::max<std::uint64_t>(groups, key_rows / (batch * most_batches) + 1);
  shape.groups = static_cast<std::uint32_t>(groups);
  shape.group_rows =
      static_cast<std::uint32_t>(ceil_div(ceil_div(key_rows, groups), batch) * batch);

  const VkDeviceSize bin_bytes = 4ull << shape.digit_bits;
  shape.header_offset =
      VKP_RADIX_BINS_OFFSET + VkDeviceSize{shape.passes} * VKP_RADIX_BINS_BYTES(shape.digit_bits);
  shape.state_offset =
      shape.header_offset + shape.passes * shape.portions * VKP_LOOKBACK_HEADER_BYTES;
  shape.block_offset = shape.state_offset + shape.portion_tiles * bin_bytes;
  shape.zero_end = shape.block_offset;
  if (shape.prepared) {
    shape.zero_end += ceil_div(shape.portion_tiles, VKP_RADIX_BLOCK_TILES) * bin_bytes;
  }
  shape.grid_offset = aligned(shape.zero_end);
  shape.key_offset = shape.grid_offset + (shape.portions - 1) * kGridScratchBytes;
  shape.end = shape.key_offset;
  const auto take = [&](std::uint32_t element_bytes) {
    const VkDeviceSize offset = shape.end;
    if (shape.passes > 1) shape.end += aligned(n * element_bytes);
    return offset;
  };
  take(4 * key_words);
  shape.second_key_offset = job.keep_keys ? 0 : take(4 * key_words);
  shape.value_offset = take(4 * job.value_words);
  return shape;
}

Status SortPasses::get(DeviceState& state, const SortJob& job, const SortPlaces& places,
                       bool may_compile) {
  const bool keys_in_place = job.keep_keys && places.keys_in == places.keys_out;
  const bool has_values = job.value_words != 0 && !job.make_indices;
  const bool values_in_place = has_values && places.values_in == places.values_out;
  const bool in_place = keys_in_place || values_in_place;
  const bool moves = !keys_in_place || (job.value_words != 0 && !values_in_place);
  job_ = job;
  places_ = places;
  shape_ = shape_of(state, job, in_place);
  const VkDeviceAddress scratch = places.scratch.address;
  const VkDeviceAddress keys_out =
      job.keep_keys ? places.keys_out : scratch + shape_.second_key_offset;
  push_ = {.scratch = push_u64(scratch),
           .states = push_u64(scratch + shape_.state_offset),
           .keys_in = push_u64(places.keys_in),
           .keys_out = push_u64(keys_out),
           .keys_third = push_u64(scratch + shape_.key_offset),
           .values_in = push_u64(places.values_in),
           .values_out = push_u64(places.values_out),
           .values_third = push_u64(scratch + shape_.value_offset),
           .count = push_count(job.count),
           .flags = (job.make_indices ? VKP_RADIX_MAKE_INDICES : 0u) |
                    (job.keep_keys ? 0u : VKP_RADIX_DROP_KEYS) |
                    (shape_.rotates ? VKP_RADIX_ROTATE : 0u) |
                    (in_place ? VKP_RADIX_IN_PLACE : 0u) | (moves ? VKP_RADIX_MOVES : 0u),
           .passes = shape_.passes,
           .begin_bit = job.begin_bit,
           .end_bit = job.end_bit,
           .portions = static_cast<std::uint32_t>(shape_.portions),
           .portion_tiles = static_cast<std::uint32_t>(shape_.portion_tiles),
           .groups = shape_.groups,
           .group_rows = shape_.group_rows};

  const bool word = size_of(job.type) == 4;
  Specialization constants{.workgroup_size = shape_.tile.workgroup_size,
                           .rows = shape_.tile.rows,
                           .lookback = lookback_constants(state, false)};
  constants.lookback.pause = 0;
  const auto own = [&](std::uint32_t constant) -> std::uint32_t& {
    return constants.own[constant - VKP_SPEC_FIRST_OWN];
  };
  const auto get = [&](const Spirv& spirv, VkPipeline& pipeline) {
    return state.pipelines.get(state.vk, spirv, constants, may_compile, pipeline);
  };
  own(VKP_RADIX_SPEC_TYPE) = key_type(job.type, job.float_order);
  own(VKP_RADIX_SPEC_VARIANT) = (job.order == SortOrder::descending ? VKP_RADIX_DESCENDING : 0u) |
                                (shape_.wide ? VKP_RADIX_WIDE : 0u) |
                                (shape_.prepared ? VKP_RADIX_PREPARED : 0u);
  own(VKP_RADIX_SPEC_VALUE_WORDS) = job.value_words;
  own(VKP_RADIX_SPEC_DIGIT_BITS) = shape_.digit_bits;
  own(VKP_RADIX_SPEC_SUBGROUPS) = shape_.tile.subgroups;
  const auto module_of = [&](const Rows* modules) -> const Spirv& {
    while (modules->rows != shape_.tile.rows) ++modules;
    return word ? *modules->word : *modules->pair;
  };
  if (shape_.single) {
    constants.lookback = {};
    return get(module_of(kSingles), single_);
  }
  VKPRIMS_TRY(get(module_of(kSweeps), sweep_));
  constants.lookback = {};
  if (shape_.prepared) {
    VKPRIMS_TRY(get(word ? spirv::radix_sort_count_word : spirv::radix_sort_count_pair, count_));
    VKPRIMS_TRY(get(spirv::radix_sort_prefixes, prefixes_));
  }
  constants.workgroup_size = std::max(state.tuning.workgroup_size, 1u << shape_.digit_bits);
  constants.rows = std::min(state.tuning.rows_per_tile, kMostCountedRows);
  VKPRIMS_TRY(
      get(word ? spirv::radix_sort_histogram_word : spirv::radix_sort_histogram_pair, histogram_));
  // The grid of a portion is that of all keys except those before it, but not larger than a
  // portion.
  Count portion = job.count;
  portion.max = std::min(portion.max, shape_.portion_tiles * shape_.tile.items());
  return make_grid(state, portion, shape_.tile.items(), places.scratch, may_compile, grid_);
}

OldGrid SortPasses::grid_of(std::uint32_t portion) const {
  OldGrid grid = grid_;
  if (!grid.args_pipeline || portion == 0) return grid;
  const VkDeviceSize offset = shape_.grid_offset + (portion - 1) * kGridScratchBytes;
  const std::uint64_t first = portion * shape_.portion_tiles * shape_.tile.items();
  grid.scratch.offset += offset;
  grid.scratch.address += offset;
  grid.args.args = push_u64(grid.scratch.address);
  grid.args.first = push_u64(first);
  // Counts that are larger than this are read as this; here it is the end of the portion.
  grid.args.count.max =
      push_u64(std::min(job_.count.max, first + shape_.portion_tiles * shape_.tile.items()));
  return grid;
}

void SortPasses::record_single(CommandStream& stream) const {
  const std::uint32_t key_bytes = size_of(job_.type), value_bytes = 4 * job_.value_words;
  const std::uint64_t n = job_.count.max;
  OldGrid one;
  one.groups = 1;
  stream.dispatch(single_, push_, one,
                  {reads(job_.count), reads(places_.keys_in, n * key_bytes),
                   reads(places_.values_in, job_.make_indices ? 0 : n * value_bytes),
                   writes(places_.keys_out, job_.keep_keys ? n * key_bytes : 0),
                   writes(places_.values_out, n * value_bytes)});
}

void SortPasses::record_pass(CommandStream& stream, const OldGrid& grid, std::uint32_t pass,
                             std::uint32_t portion) const {
  abi::RadixSortPush push = push_;
  push.pass = pass;
  push.portion = portion;
  const std::uint64_t n = job_.count.max;
  const std::uint32_t key_bytes = size_of(job_.type), value_bytes = 4 * job_.value_words;
  const Scratch& scratch = places_.scratch;
  const VkDeviceAddress at = scratch.address;
  const Access plan = reads(at + VKP_RADIX_PLAN_OFFSET, 64);
  const Access states = writes(at + shape_.state_offset, shape_.zero_end - shape_.state_offset);
  const Access in = reads(places_.keys_in, n * key_bytes);
  const Access moved = writes(at + shape_.key_offset, shape_.end - shape_.key_offset);
  const Access out = writes(places_.keys_out, job_.keep_keys ? n * key_bytes : 0);
  if (!shape_.rotates && pass + portion != 0) {
    stream.fill(scratch, shape_.state_offset, shape_.zero_end - shape_.state_offset, 0);
  }
  if (shape_.prepared) {
    stream.dispatch(count_, push, grid, {reads(job_.count), plan, in, moved, out, states});
    OldGrid blocks;
    blocks.groups = ceil_div(shape_.portion_tiles, VKP_RADIX_BLOCK_TILES);
    stream.dispatch(prefixes_, push, blocks, {reads(job_.count), plan, states});
  }
  stream.dispatch(sweep_, push, grid,
                  {reads(job_.count), plan, in, moved, out, states,
                   writes(at + VKP_RADIX_BINS_OFFSET, shape_.state_offset - VKP_RADIX_BINS_OFFSET),
                   reads(places_.values_in, job_.make_indices ? 0 : n * value_bytes),
                   writes(places_.values_out, n * value_bytes)});
}

void SortPasses::record(CommandStream& stream) const {
  if (shape_.single) return record_single(stream);
  const Scratch& scratch = places_.scratch;
  constexpr Independent kOtherMemory{"the size of the grid lies before what is filled"};
  for (std::uint32_t portion = 0; portion < shape_.portions; ++portion) {
    stream.prepare(grid_of(portion));
  }
  stream.fill(scratch, VKP_RADIX_ZERO_OFFSET, shape_.zero_end - VKP_RADIX_ZERO_OFFSET, 0,
              &kOtherMemory);
  OldGrid groups;
  groups.groups = shape_.groups;
  stream.dispatch(histogram_, push_, groups,
                  {reads(job_.count), reads(places_.keys_in, job_.count.max * size_of(job_.type)),
                   writes(scratch.address + VKP_RADIX_ZERO_OFFSET,
                          shape_.header_offset - VKP_RADIX_ZERO_OFFSET)});
  for (std::uint32_t pass = 0; pass < shape_.passes; ++pass) {
    for (std::uint32_t portion = 0; portion < shape_.portions; ++portion) {
      OldGrid grid = grid_of(portion);
      grid.computed = true;
      record_pass(stream, grid, pass, portion);
    }
  }
}

Status warm_up_sort(DeviceState& state, const SortJob& job) {
  const Tuning& tuning = state.tuning;
  // These counts give every shape that there is: one workgroup, small tiles, large ones, a grid
  // whose size is computed, and more keys than an index has.
  for (const std::uint64_t count :
       {std::uint64_t{1}, std::uint64_t{tuning.single_sort_count} + 1,
        std::uint64_t{tuning.small_sort_count}, std::uint64_t{tuning.small_sort_count} + 1,
        std::uint64_t{tuning.sort_portion}, largest_narrow_count(job) + 1}) {
    for (const bool in_place : {false, true}) {
      if (in_place && !job.keep_keys) continue;
      SortJob any = job;
      any.count.max = std::min(count, kMaxCount);
      SortPlaces places{};
      places.keys_out = places.values_out = in_place ? 0 : 16;
      SortPasses passes;
      VKPRIMS_TRY(passes.get(state, any, places, true));
    }
  }
  return {};
}

}  // namespace vkprims
