// The host side of the primitive top_k.
#include "vkprims/top_k.hpp"

#include <algorithm>
#include <bit>
#include <cinttypes>
#include <cmath>

#include "blocks/key_type.hpp"
#include "blocks/lookback.hpp"
#include "runtime/push.hpp"
#include "runtime/record.hpp"
#include "sort/sort_passes.hpp"
#include "spirv/top_k_alone.hpp"
#include "spirv/top_k_histogram.hpp"
#include "spirv/top_k_sample.hpp"
#include "spirv/top_k_select.hpp"
#include "spirv/top_k_ties.hpp"
#include "blocks/stage.hpp"
#include "sort/top_k/top_k.abi.h"
#include "runtime/validate.hpp"

namespace vkprims {
namespace {

constexpr std::uint64_t k2To32 = std::uint64_t{1} << 32;

// Indexed by the size of a key: 1 or 2 words.
constexpr const Spirv* kAlone[] = {&spirv::top_k_alone_word, &spirv::top_k_alone_pair};
constexpr const Spirv* kHistogram[] = {&spirv::top_k_histogram_word, &spirv::top_k_histogram_pair};
constexpr const Spirv* kTies[] = {&spirv::top_k_ties_word, &spirv::top_k_ties_pair};
constexpr const Spirv* kSample[] = {&spirv::top_k_sample_word, &spirv::top_k_sample_pair};
constexpr const Spirv* kSelect[2][2] = {
    {&spirv::top_k_select_word_word32, &spirv::top_k_select_pair_word32},
    {&spirv::top_k_select_word_word64, &spirv::top_k_select_pair_word64}};

Status check_desc(const TopKDesc& desc) {
  VKPRIMS_TRY(check_type("top_k", desc.type));
  VKPRIMS_TRY(check_enum("top_k", "side", desc.side, TopKSide::smallest));
  VKPRIMS_TRY(check_enum("top_k", "float_order", desc.float_order, FloatOrder::by_bits));
  VKPRIMS_TRY(check_enum("top_k", "index_width", desc.index_width, IndexWidth::u64));
  return check_count("top_k", desc.count);
}

VkDeviceSize aligned(VkDeviceSize bytes) { return (bytes + 15) / 16 * 16; }

// How a descriptor is carried out on a device.
struct Shape {
  Count count;
  std::uint64_t results;  // at most
  bool alone;             // one workgroup does everything
  bool sampled;           // if not, a sample is taken first
  bool lower;             // the range from the sample has a lower end, too
  bool sorted;            // results are sorted in the end
  StageTile tile;         // of selections
  std::uint64_t items;    // in a tile at least, as a sequence may begin inside a cell
  std::uint32_t group_shift, sample_shift, capacity, portions;
  std::uint64_t max_tiles;  // tiles of the first portion, which is the largest
  std::uint64_t candidate_tiles;
  VkDeviceSize portions_offset, range_states, input_states, candidate_states, zeros_end;
  VkDeviceSize candidates, candidate_indices, result_keys, result_indices, sort_scratch;
  ScratchNeed need;
};

// The width of indices inside the primitive: wide if 32 bits do not tell all elements apart.
IndexWidth inner_width(const TopKDesc& desc) {
  return desc.count.max > k2To32 ? IndexWidth::u64 : desc.index_width;
}

std::uint32_t pass_rows(const Tuning& tuning) { return std::min(tuning.rows_per_tile, 4u); }

// log2 of how many workgroups share a pass over the input. Each has at least 4 batches, and at most
// so many that lavapipe, which ends loops after 65,535 iterations of an invocation, runs all of
// them.
std::uint32_t group_shift_of(const Tuning& tuning, std::uint64_t count, std::uint32_t size) {
  constexpr std::uint64_t kMostBatches = 400;
  const std::uint64_t batch =
      std::uint64_t{tuning.workgroup_size} * pass_rows(tuning) * (16 / size);
  const std::uint64_t most = std::bit_floor(tuning.max_reduce_groups);
  const std::uint64_t wanted = std::bit_ceil(count / (4 * batch) + 1);
  const std::uint64_t least = std::bit_ceil(count / (kMostBatches * batch) + 1);
  return static_cast<std::uint32_t>(std::countr_zero(std::max(least, std::min(most, wanted))));
}

// About how many elements a range without a lower end holds, as sample.comp chooses it.
double expected_candidates(const Shape& shape) {
  const double stride = static_cast<double>(shape.count.max >> shape.sample_shift);
  const double sampled = static_cast<double>(shape.results) / stride;
  return (sampled + 4.5 * std::sqrt(sampled) + 6) * stride;
}

SortJob sort_job(const TopKDesc& desc, const Count& results, bool indices) {
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

Shape shape_of(const DeviceState& state, const TopKDesc& desc) {
  const Tuning& tuning = state.tuning;
  const std::uint32_t size = size_of(desc.type);
  Shape shape{};
  const std::uint64_t k = desc.k.value_or(0);
  if (k != 0) shape.count = desc.count;
  const std::uint64_t n = shape.count.max;
  shape.results = std::min(k, n);
  shape.sorted = desc.sorted && shape.results > 1;
  shape.alone = n * size <= tuning.single_scan_bytes;
  shape.tile =
      stage_tile(state, size, shape.alone ? state.largest_workgroup : tuning.scan_workgroup_size,
                 tuning.compact_rows, tuning.compact_batches);
  shape.items = shape.tile.items - (16 / size - 1);
  shape.portions = static_cast<std::uint32_t>(
      std::max<std::uint64_t>((n + VKP_TOP_K_PORTION - 1) >> VKP_TOP_K_PORTION_SHIFT, 1));
  VkDeviceSize end = 0;
  const auto take = [&](VkDeviceSize bytes) {
    const VkDeviceSize offset = end;
    end += aligned(bytes);
    return offset;
  };
  if (!shape.alone) {
    const auto tiles = [&](std::uint64_t items) { return (items + shape.items - 1) / shape.items; };
    shape.max_tiles = tiles(std::min<std::uint64_t>(n, VKP_TOP_K_PORTION));
    shape.group_shift = group_shift_of(tuning, n, size);
    take(VKP_TOP_K_TIES_OFFSET + (VkDeviceSize{4} << shape.group_shift));
    shape.portions_offset = take(VkDeviceSize{8} * shape.portions);
    shape.input_states = take(lookback_bytes(shape.max_tiles, 1));
    // Sampling saves passes over the input, but takes some dispatches.
    shape.sampled = n > std::uint64_t{16} * tuning.small_count;
    if (shape.sampled) {
      constexpr std::uint64_t kMostSamples = 1 << 16, kMostCandidates = 1 << 30;
      shape.capacity = static_cast<std::uint32_t>(std::min(n / 16, kMostCandidates));
      shape.sample_shift = static_cast<std::uint32_t>(
          std::bit_width(std::min<std::uint64_t>(shape.capacity, kMostSamples)) - 1);
      shape.lower = expected_candidates(shape) > 0.75 * shape.capacity;
      shape.candidate_tiles = tiles(shape.capacity);
      shape.range_states = take(lookback_bytes(shape.max_tiles, 1));
      shape.candidate_states = take(lookback_bytes(shape.candidate_tiles, 1));
    }
    shape.zeros_end = end;
    shape.candidates = take(VkDeviceSize{shape.capacity} * size);
    shape.candidate_indices = take(VkDeviceSize{shape.capacity} * size_of(inner_width(desc)));
  } else if (shape.sorted) {
    take(VKP_TOP_K_BINS_OFFSET);  // the plan, for the number of results
  }
  if (shape.sorted) {
    shape.result_keys = take(shape.results * size);
    shape.result_indices = take(shape.results * size_of(desc.index_width));
    shape.sort_scratch = end;
    end += sort_need(state, sort_job(desc, {shape.results, 8, CountWidth::u64}, true)).bytes;
  }
  shape.need.bytes = end;
  return shape;
}

struct TopKPipelines {
  VkPipeline alone = VK_NULL_HANDLE;
  VkPipeline sample = VK_NULL_HANDLE;
  VkPipeline histogram = VK_NULL_HANDLE;
  VkPipeline ties = VK_NULL_HANDLE;
  VkPipeline range = VK_NULL_HANDLE;  // selections, by VKP_TOP_K_SPEC_MODE
  VkPipeline from_input = VK_NULL_HANDLE;
  VkPipeline from_candidates = VK_NULL_HANDLE;
};

// The bits of a pass's digit: fewer if shared memory is small.
std::uint32_t digit_bits(const DeviceState& state) {
  return state.shared_bytes >= 32768 ? VKP_TOP_K_MAX_DIGIT_BITS : 8;
}

Status get_pipelines(DeviceState& state, const TopKDesc& desc, const Shape& shape, bool indices,
                     bool may_compile, TopKPipelines& pipelines) {
  const std::uint32_t words = size_of(desc.type) / 8;
  const std::uint32_t order = desc.side == TopKSide::largest ? VKP_TOP_K_LARGEST : 0;
  Specialization constants{.workgroup_size = shape.tile.workgroup_size, .rows = shape.tile.rows};
  const auto own = [&](std::uint32_t constant) -> std::uint32_t& {
    return constants.own[constant - VKP_SPEC_FIRST_OWN];
  };
  const auto get = [&](const Spirv& spirv, VkPipeline& pipeline) {
    return state.pipelines.get(state.vk, spirv, constants, may_compile, pipeline);
  };
  const auto wide = [](IndexWidth width) {
    return width == IndexWidth::u64 ? VKP_COMPACT_WIDE_INDICES : 0u;
  };
  own(VKP_COMPACT_SPEC_OUTPUTS) = wide(desc.index_width);
  own(VKP_COMPACT_SPEC_BATCHES) = shape.tile.batches;
  own(VKP_TOP_K_SPEC_TYPE) = key_type(desc.type, desc.float_order);
  own(VKP_TOP_K_SPEC_ORDER) = order;
  own(VKP_TOP_K_SPEC_DIGIT_BITS) = 8;
  if (shape.alone) return get(*kAlone[words], pipelines.alone);

  constants.lookback = lookback_constants(state, false);
  const Spirv& select = *kSelect[lookback_is_wide(state)][words];
  own(VKP_TOP_K_SPEC_MODE) = VKP_TOP_K_FROM_INPUT;
  VKPRIMS_TRY(get(select, pipelines.from_input));
  if (shape.sampled) {
    own(VKP_TOP_K_SPEC_MODE) = VKP_TOP_K_RANGE;
    own(VKP_COMPACT_SPEC_OUTPUTS) = wide(inner_width(desc));
    VKPRIMS_TRY(get(select, pipelines.range));
    if (!shape.lower) {
      own(VKP_TOP_K_SPEC_MODE) = VKP_TOP_K_FROM_CANDIDATES;
      own(VKP_COMPACT_SPEC_OUTPUTS) =
          indices ? VKP_COMPACT_VALUE_WORDS * size_of(desc.index_width) / 4 : 0;
      VKPRIMS_TRY(get(select, pipelines.from_candidates));
    }
  }
  constants = {.workgroup_size = state.tuning.workgroup_size, .rows = pass_rows(state.tuning)};
  own(VKP_COMPACT_SPEC_OUTPUTS) = wide(inner_width(desc));
  own(VKP_COMPACT_SPEC_BATCHES) = 1;
  own(VKP_TOP_K_SPEC_TYPE) = key_type(desc.type, desc.float_order);
  own(VKP_TOP_K_SPEC_ORDER) = order;
  own(VKP_TOP_K_SPEC_DIGIT_BITS) = digit_bits(state);
  VKPRIMS_TRY(get(*kHistogram[words], pipelines.histogram));
  VKPRIMS_TRY(get(*kTies[words], pipelines.ties));
  if (!shape.sampled) return {};
  constants.workgroup_size = state.largest_workgroup;
  constants.rows = 1;
  own(VKP_COMPACT_SPEC_OUTPUTS) = 0;
  return get(*kSample[words], pipelines.sample);
}

Scratch part_of(const Scratch& scratch, VkDeviceSize offset) {
  return {scratch.buffer, scratch.offset + offset, scratch.address + offset,
          scratch.bytes - offset};
}

// A number that the plan holds.
Count planned(const Scratch& scratch, std::uint64_t max, std::uint32_t word) {
  return {max, scratch.address + VKP_TOP_K_PLAN_OFFSET + 4 * word, CountWidth::u64};
}

// Grids of selections, by VKP_TOP_K_SPEC_MODE.
struct TopKGrids {
  OldGrid range, from_input, from_candidates;
};

Status make_grids(DeviceState& state, const Shape& shape, const Scratch& scratch, bool may_compile,
                  TopKGrids& grids) {
  // With several portions grids are of the largest size.
  const bool one = shape.portions == 1;
  const Count all = one ? shape.count : Count(VKP_TOP_K_PORTION);
  VKPRIMS_TRY(make_grid(state, all, shape.items, part_of(scratch, VKP_TOP_K_RANGE_GRID_OFFSET),
                        may_compile, grids.range));
  // If candidates may suffice, often nothing is selected from the input.
  const bool perhaps = one && shape.sampled && !shape.lower;
  VKPRIMS_TRY(make_grid(state, perhaps ? planned(scratch, all.max, VKP_TOP_K_FROM_INPUT64) : all,
                        shape.items, part_of(scratch, VKP_TOP_K_INPUT_GRID_OFFSET), may_compile,
                        grids.from_input));
  return make_grid(state, planned(scratch, shape.capacity, VKP_TOP_K_FROM_CANDIDATES64),
                   shape.items, part_of(scratch, VKP_TOP_K_CANDIDATES_GRID_OFFSET), may_compile,
                   grids.from_candidates);
}

// The memory that the commands use.
struct Ranges {
  Access in, out, indices_out, count_out, count, scratch;
};

// Records the sample if there is one, the passes, the ties, and the selections.
void record_passes(CommandStream& stream, const Shape& shape, const TopKPipelines& pipelines,
                   const TopKGrids& grids, const Scratch& scratch, std::uint32_t passes,
                   const Ranges& r, abi::TopKPush push) {
  const auto select = [&](VkPipeline pipeline, VkDeviceSize states, const OldGrid& grid) {
    push.states = push_u64(scratch.address + states);
    stream.dispatch(pipeline, push, grid, {r.count, r.in, r.scratch, r.out, r.indices_out});
  };
  const auto select_portions = [&](VkPipeline pipeline, VkDeviceSize states, const OldGrid& grid) {
    for (push.portion = 0; push.portion < shape.portions; ++push.portion) {
      if (push.portion) stream.fill(scratch, states, lookback_bytes(shape.max_tiles, 1), 0);
      select(pipeline, states, grid);
    }
    push.portion = 0;
  };
  OldGrid single, groups;
  single.groups = 1;
  groups.groups = std::uint64_t{1} << shape.group_shift;
  stream.fill(scratch, VKP_TOP_K_PLAN_OFFSET, shape.zeros_end - VKP_TOP_K_PLAN_OFFSET, 0);
  if (shape.sampled) {
    stream.dispatch(pipelines.sample, push, single, {r.count, r.in, r.scratch});
    select_portions(pipelines.range, shape.range_states, grids.range);
  }
  for (push.pass = 0; push.pass < passes; ++push.pass) {
    stream.dispatch(pipelines.histogram, push, groups, {r.count, r.in, r.scratch, r.count_out});
  }
  stream.dispatch(pipelines.ties, push, groups, {r.count, r.in, r.scratch});
  select_portions(pipelines.from_input, shape.input_states, grids.from_input);
  if (shape.sampled && !shape.lower) {
    select(pipelines.from_candidates, shape.candidate_states, grids.from_candidates);
  }
}

}  // namespace

ScratchNeed top_k_scratch(const Device& device, const TopKDesc& desc) {
  if (!device || !check_desc(desc)) return {};
  return shape_of(*device.state(), desc).need;
}

Status record_top_k(VkCommandBuffer cmd, const Device& device, const TopKDesc& desc,
                    const TopKBuffers& buffers) {
  VKPRIMS_RECORD_CALL("top_k", cmd, device);
  DeviceState& state = *device.state();
  VKPRIMS_TRY(check_desc(desc));
  if (!desc.k) {
    return Status::error(Status::invalid_argument, "top_k: k is not given; 0 must be said");
  }
  const bool indices = buffers.indices_out.address != 0;
  if (indices && desc.index_width == IndexWidth::u32 && desc.count.max > k2To32) {
    return Status::error(Status::invalid_argument,
                         "top_k: count is %" PRIu64 ", at most %" PRIu64
                         " is allowed for indices of 32 bits; index_width may be u64",
                         desc.count.max, k2To32);
  }
  const Shape shape = shape_of(state, desc);
  const Scratch& scratch = buffers.scratch;
  const std::uint32_t size = size_of(desc.type), index_size = size_of(desc.index_width);
  const VkDeviceSize in_bytes = shape.count.max * size;
  const VkDeviceSize out_bytes = shape.results * size;
  const VkDeviceSize index_bytes = indices ? shape.results * index_size : 0;
  const VkDeviceSize count_bytes = buffers.count_out.address ? 8 : 0;
  VKPRIMS_TRY(check_arguments(
      "top_k", {{"in", buffers.in, in_bytes, size, false},
                {"out", buffers.out, out_bytes, size, true, "", "k"},
                {"indices_out", buffers.indices_out, index_bytes, index_size, true, "", "k"},
                argument_of_u64("count_out", buffers.count_out, count_bytes != 0),
                argument_of(desc.count),
                argument_of(scratch, shape.need)}));
  if (shape.count.max == 0 && count_bytes == 0) return {};

  // If results are sorted, they go through scratch.
  const VkDeviceAddress out =
      shape.sorted ? scratch.address + shape.result_keys : buffers.out.address;
  const VkDeviceAddress indices_out = shape.sorted && indices
                                          ? scratch.address + shape.result_indices
                                          : buffers.indices_out.address;
  const bool may_compile = state.info.pipelines == PipelinePolicy::lazy;
  TopKPipelines pipelines;
  TopKGrids grids;
  SortPasses sort;
  VKPRIMS_TRY(get_pipelines(state, desc, shape, indices, may_compile, pipelines));
  if (!shape.alone) VKPRIMS_TRY(make_grids(state, shape, scratch, may_compile, grids));
  if (shape.sorted) {
    const Count results = shape.count.address ? planned(scratch, shape.results, VKP_TOP_K_WANTED64)
                                              : Count(shape.results);
    const SortPlaces places{out, buffers.out.address, indices_out, buffers.indices_out.address,
                            part_of(scratch, shape.sort_scratch)};
    VKPRIMS_TRY(sort.get(state, sort_job(desc, results, indices), places, may_compile));
  }

  const abi::TopKPush push{.in_base = push_u64(buffers.in.address),
                           .out_base = push_u64(out),
                           .index_base = push_u64(indices_out),
                           .count_out = push_u64(buffers.count_out.address),
                           .scratch = push_u64(shape.need.bytes ? scratch.address : 0),
                           .candidates = push_u64(scratch.address + shape.candidates),
                           .candidate_indices = push_u64(scratch.address + shape.candidate_indices),
                           .count = push_count(shape.count),
                           .k = push_u64(*desc.k),
                           .capacity = shape.capacity,
                           .group_shift = shape.group_shift,
                           .sample_shift = shape.sample_shift,
                           .lower = shape.lower,
                           .portions = shape.portions,
                           .portions_offset = static_cast<std::uint32_t>(shape.portions_offset)};
  const Ranges ranges{
      reads(buffers.in.address, in_bytes),
      writes(out, out_bytes),
      writes(indices_out, index_bytes),
      writes(buffers.count_out.address, count_bytes),
      reads(shape.count),
      writes(scratch.address, shape.sorted ? shape.sort_scratch : shape.need.bytes)};
  CommandStream stream(state, cmd);
  if (shape.alone) {
    OldGrid single;
    single.groups = 1;
    stream.dispatch(pipelines.alone, push, single,
                    {ranges.count, ranges.in, ranges.scratch, ranges.out, ranges.indices_out,
                     ranges.count_out});
  } else {
    const std::uint32_t digit = digit_bits(state);
    const std::uint32_t passes = (8 * size + digit - 1) / digit;
    record_passes(stream, shape, pipelines, grids, scratch, passes, ranges, push);
  }
  if (shape.sorted) sort.record(stream);
  return {};
}

Status warm_up(const Device& device, const TopKDesc& desc) {
  VKPRIMS_WARM_UP_CALL("top_k", device);
  VKPRIMS_TRY(check_desc(desc));
  DeviceState& state = *device.state();
  for (const std::uint64_t count :
       {std::uint64_t{1}, std::uint64_t{VKP_TOP_K_PORTION}, kMaxCount}) {
    TopKDesc any = desc;
    any.count.max = count;
    any.k = 1;  // a range with a lower end needs no other pipelines
    const Shape shape = shape_of(state, any);
    for (const bool indices : {false, true}) {
      TopKPipelines pipelines;
      VKPRIMS_TRY(get_pipelines(state, any, shape, indices, true, pipelines));
    }
    // Results are selected by a number that the plan holds.
    OldGrid grid;
    VKPRIMS_TRY(make_grid(state, {count, 8, CountWidth::u64}, shape.items, {}, true, grid));
  }
  if (!desc.sorted) return {};
  for (const bool indices : {false, true}) {
    const Count results{1, desc.count.address ? VkDeviceAddress{8} : 0, CountWidth::u64};
    VKPRIMS_TRY(warm_up_sort(state, sort_job(desc, results, indices)));
  }
  return {};
}

}  // namespace vkprims
