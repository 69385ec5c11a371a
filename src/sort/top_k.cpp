// The host side of the primitive top_k.
#include "vkprims/top_k.hpp"

#include <cinttypes>

#include "blocks/key_type.hpp"
#include "blocks/lookback.hpp"
#include "runtime/push.hpp"
#include "runtime/scratch_layout.hpp"
#include "sort/top_k/top_k.abi.h"
#include "sort/top_k_plan.hpp"
#include "spirv/top_k_alone.hpp"
#include "spirv/top_k_histogram.hpp"
#include "spirv/top_k_sample.hpp"
#include "spirv/top_k_select.hpp"
#include "spirv/top_k_ties.hpp"

namespace vkprims {
namespace {

constexpr std::uint64_t k2To32 = std::uint64_t{1} << 32;

Status check_desc(const TopKDesc& desc) {
  VKPRIMS_TRY(check_type("top_k", desc.type));
  VKPRIMS_TRY(check_enum("top_k", "side", desc.side, TopKSide::smallest));
  VKPRIMS_TRY(check_enum("top_k", "float_order", desc.float_order, FloatOrder::by_bits));
  VKPRIMS_TRY(check_enum("top_k", "index_width", desc.index_width, IndexWidth::u64));
  return check_count("top_k", desc.count);
}

// Checks the arguments of a record function besides its buffers.
Status check_call(const TopKDesc& desc, const TopKBuffers& buffers) {
  VKPRIMS_TRY(check_desc(desc));
  if (!desc.k) {
    return Status::error(Status::invalid_argument, "top_k: k is not given; 0 must be said");
  }
  if (!buffers.indices_out.address || desc.index_width == IndexWidth::u64 ||
      desc.count.max <= k2To32) {
    return {};
  }
  return Status::error(Status::invalid_argument,
                       "top_k: count is %" PRIu64 ", at most %" PRIu64
                       " is allowed for indices of 32 bits; index_width may be u64",
                       desc.count.max, k2To32);
}

struct Operands {
  Operand in, out, indices_out, count_out;
};

Operands operands_of(const TopKDesc& desc, const TopKPlan& plan, const TopKBuffers& buffers) {
  const std::uint32_t size = size_of(desc.type), index_size = size_of(desc.index_width);
  const bool indices = buffers.indices_out.address != 0, counts = buffers.count_out.address != 0;
  return {.in = {"in", buffers.in, plan.count.max * size, size, false},
          .out = {"out", buffers.out, plan.results * size, size, true, "", "k"},
          .indices_out = {"indices_out", buffers.indices_out,
                          indices ? plan.results * index_size : 0, index_size, true, "", "k"},
          .count_out = operand_of_u64("count_out", buffers.count_out, counts)};
}

// What all commands of a call have in common.
struct Call {
  Commands& commands;
  const TopKDesc& desc;
  const TopKPlan& plan;
  const Operands x;  // where the selections write: results that are sorted go through scratch
  const Scratch scratch;
  const std::size_t key = size_of(desc.type) / 8;  // position of its size in names of modules
  const Access count = operand_of(plan.count);
  const Access used = writes(scratch.address, plan.sorted ? plan.sort_scratch : plan.need.bytes);
};

abi::TopKPush push_of(const Call& c) {
  const TopKPlan& plan = c.plan;
  const VkDeviceAddress scratch = c.scratch.address;
  return {.in_base = push_u64(c.x.in),
          .out_base = push_u64(c.x.out),
          .index_base = push_u64(c.x.indices_out),
          .count_out = push_u64(c.x.count_out),
          .scratch = push_u64(plan.need.bytes ? scratch : 0),
          .candidates = push_u64(scratch + plan.candidates),
          .candidate_indices = push_u64(scratch + plan.candidate_indices),
          .count = push_count(plan.count),
          .k = push_u64(*c.desc.k),
          .capacity = plan.capacity,
          .group_shift = plan.group_shift,
          .sample_shift = plan.sample_shift,
          .lower = plan.lower,
          .portions = plan.portions,
          .portions_offset = static_cast<std::uint32_t>(plan.portions_offset)};
}

std::uint32_t wide(IndexWidth width) {
  return width == IndexWidth::u64 ? VKP_COMPACT_WIDE_INDICES : 0u;
}

// The bits of a pass's digit: fewer if shared memory is small.
std::uint32_t digit_bits(const DeviceState& state) {
  return state.shared_bytes >= 32768 ? VKP_TOP_K_MAX_DIGIT_BITS : 8;
}

Specialization specialization_of(const TopKDesc& desc, std::uint32_t workgroup_size,
                                 std::uint32_t rows, std::uint32_t outputs) {
  Specialization constants{.workgroup_size = workgroup_size, .rows = rows};
  return constants.set(VKP_COMPACT_SPEC_OUTPUTS, outputs)
      .set(VKP_COMPACT_SPEC_BATCHES, 1)
      .set(VKP_TOP_K_SPEC_TYPE, key_type(desc.type, desc.float_order))
      .set(VKP_TOP_K_SPEC_ORDER, desc.side == TopKSide::largest ? VKP_TOP_K_LARGEST : 0)
      .set(VKP_TOP_K_SPEC_DIGIT_BITS, 8);
}

// The constants of kernels that take tiles.
Specialization tile_specialization(const Call& c, std::uint32_t outputs) {
  const StageTile& tile = c.plan.tile;
  return specialization_of(c.desc, tile.workgroup_size, tile.rows, outputs)
      .set(VKP_COMPACT_SPEC_BATCHES, tile.batches);
}

// Adds one workgroup that does everything.
Status add_alone(const Call& c) {
  return c.commands.dispatch(spirv::top_k_alone(c.key),
                             tile_specialization(c, wide(c.desc.index_width)), push_of(c), Grid(1),
                             {c.count, c.x.in, c.used, c.x.out, c.x.indices_out, c.x.count_out});
}

// A kind of selection, and its states in scratch.
struct Selection {
  std::uint32_t mode, outputs;
  VkDeviceSize states;
};

// Adds a selection by so many dispatches.
Status add_selection(const Call& c, const Selection& selection, std::uint32_t portions,
                     const Grid& grid) {
  const DeviceState& state = c.commands.state();
  Specialization constants = tile_specialization(c, selection.outputs);
  constants.set(VKP_TOP_K_SPEC_MODE, selection.mode);
  constants.lookback = lookback_constants(state, false);
  abi::TopKPush push = push_of(c);
  push.states = push_u64(c.scratch.address + selection.states);
  for (; push.portion < portions; ++push.portion) {
    if (push.portion) {
      VKPRIMS_TRY(
          c.commands.fill(c.scratch, selection.states, lookback_bytes(c.plan.max_tiles, 1)));
    }
    VKPRIMS_TRY(c.commands.dispatch(spirv::top_k_select(c.key, lookback_is_wide(state)), constants,
                                    push, grid,
                                    {c.count, c.x.in, c.used, c.x.out, c.x.indices_out}));
  }
  return {};
}

// A number that the plan in scratch holds.
Count planned(const Scratch& scratch, std::uint64_t max, std::uint32_t word) {
  return {max, scratch.address + VKP_TOP_K_PLAN_OFFSET + 4 * word, CountWidth::u64};
}

// The elements of a portion. With several of them grids are of the largest size.
Count portion_of(const TopKPlan& plan) {
  return plan.portions == 1 ? plan.count : Count(VKP_TOP_K_PORTION);
}

// Adds the sample, and the selection of the candidates that lie in its range.
Status add_range(const Call& c) {
  const Specialization constants =
      specialization_of(c.desc, c.commands.state().largest_workgroup, 1, 0)
          .set(VKP_TOP_K_SPEC_DIGIT_BITS, digit_bits(c.commands.state()));
  VKPRIMS_TRY(c.commands.dispatch(spirv::top_k_sample(c.key), constants, push_of(c), Grid(1),
                                  {c.count, c.x.in, c.used}));
  const Grid grid(portion_of(c.plan), c.plan.items,
                  part_of(c.scratch, VKP_TOP_K_RANGE_GRID_OFFSET));
  return add_selection(c, {VKP_TOP_K_RANGE, wide(top_k_inner_width(c.desc)), c.plan.range_states},
                       c.plan.portions, grid);
}

// Adds the passes that find the last result, one digit after the other, and its ties.
Status add_passes(const Call& c) {
  const Tuning& tuning = c.commands.tuning();
  const std::uint32_t bits = digit_bits(c.commands.state());
  const auto passes = static_cast<std::uint32_t>(ceil_div(8 * size_of(c.desc.type), bits));
  const Specialization constants =
      specialization_of(c.desc, tuning.workgroup_size, top_k_pass_rows(tuning),
                        wide(top_k_inner_width(c.desc)))
          .set(VKP_TOP_K_SPEC_DIGIT_BITS, bits);
  const Grid groups(std::uint64_t{1} << c.plan.group_shift);
  abi::TopKPush push = push_of(c);
  for (; push.pass < passes; ++push.pass) {
    VKPRIMS_TRY(c.commands.dispatch(spirv::top_k_histogram(c.key), constants, push, groups,
                                    {c.count, c.x.in, c.used, c.x.count_out}));
  }
  return c.commands.dispatch(spirv::top_k_ties(c.key), constants, push, groups,
                             {c.count, c.x.in, c.used});
}

// Adds the selections of results: from the input, or from the candidates if these suffice.
Status add_results(const Call& c) {
  const TopKPlan& plan = c.plan;
  const bool perhaps = plan.sampled && !plan.lower;  // whether candidates may suffice
  Count input = portion_of(plan);
  // Often nothing is selected from the input then.
  if (perhaps && plan.portions == 1) input = planned(c.scratch, input.max, VKP_TOP_K_FROM_INPUT64);
  VKPRIMS_TRY(add_selection(
      c, {VKP_TOP_K_FROM_INPUT, wide(c.desc.index_width), plan.input_states}, plan.portions,
      Grid(input, plan.items, part_of(c.scratch, VKP_TOP_K_INPUT_GRID_OFFSET))));
  if (!perhaps) return {};
  const bool indices = c.x.indices_out.address() != 0;
  const std::uint32_t outputs =
      indices ? VKP_COMPACT_VALUE_WORDS * size_of(c.desc.index_width) / 4 : 0;
  return add_selection(c, {VKP_TOP_K_FROM_CANDIDATES, outputs, plan.candidate_states}, 1,
                       Grid(planned(c.scratch, plan.capacity, VKP_TOP_K_FROM_CANDIDATES64),
                            plan.items, part_of(c.scratch, VKP_TOP_K_CANDIDATES_GRID_OFFSET)));
}

Status add_selections(const Call& c) {
  if (c.plan.alone) return add_alone(c);
  VKPRIMS_TRY(
      c.commands.fill(c.scratch, VKP_TOP_K_PLAN_OFFSET, c.plan.zeros_end - VKP_TOP_K_PLAN_OFFSET));
  if (c.plan.sampled) VKPRIMS_TRY(add_range(c));
  VKPRIMS_TRY(add_passes(c));
  return add_results(c);
}

// Adds the commands of a call that has been checked.
Status add_top_k(Commands& commands, const TopKDesc& desc, const TopKBuffers& buffers) {
  const TopKPlan plan = top_k_plan(commands.state(), desc);
  const Scratch& scratch = buffers.scratch;
  Operands x = operands_of(desc, plan, buffers);
  if (!plan.sorted) return add_selections({commands, desc, plan, x, scratch});
  const bool indices = buffers.indices_out.address != 0;
  x.out.view.address = scratch.address + plan.result_keys;
  if (indices) x.indices_out.view.address = scratch.address + plan.result_indices;
  VKPRIMS_TRY(add_selections({commands, desc, plan, x, scratch}));
  const Count results =
      plan.count.address ? planned(scratch, plan.results, VKP_TOP_K_WANTED64) : Count(plan.results);
  return add_sort(commands, top_k_sort_job(desc, results, indices),
                  {x.out.address(), buffers.out.address, x.indices_out.address(),
                   buffers.indices_out.address, part_of(scratch, plan.sort_scratch)});
}

}  // namespace

ScratchNeed top_k_scratch(const Device& device, const TopKDesc& desc) {
  if (!device || !check_desc(desc)) return {};
  return top_k_plan(*device.state(), desc).need;
}

Status record_top_k(VkCommandBuffer cmd, const Device& device, const TopKDesc& desc,
                    const TopKBuffers& buffers) {
  return record_call("top_k", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_call(desc, buffers));
    const TopKPlan plan = top_k_plan(commands.state(), desc);
    const Operands x = operands_of(desc, plan, buffers);
    VKPRIMS_TRY(
        check_operands("top_k", {x.in, x.out, x.indices_out, x.count_out, operand_of(desc.count),
                                 operand_of(buffers.scratch, plan.need)}));
    if (plan.count.max == 0 && x.count_out.need == 0) return Status();
    return add_top_k(commands, desc, buffers);
  });
}

Status warm_up(const Device& device, const TopKDesc& desc) {
  return warm_up_call("top_k", device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(desc));
    TopKDesc any = desc;
    any.k = 1;  // a range with a lower end needs no other pipelines
    for (const std::uint64_t count :
         {std::uint64_t{1}, std::uint64_t{VKP_TOP_K_PORTION}, kMaxCount}) {
      any.count.max = count;
      for (const VkDeviceAddress indices : {0, 16}) {
        VKPRIMS_TRY(add_top_k(commands, any, {.indices_out = {indices}}));
      }
    }
    if (!desc.sorted) return Status();
    const Count results{1, desc.count.address ? VkDeviceAddress{8} : 0, CountWidth::u64};
    for (const bool indices : {false, true}) {
      VKPRIMS_TRY(warm_up_sort(commands, top_k_sort_job(desc, results, indices)));
    }
    return Status();
  });
}

}  // namespace vkprims
