#include "stack/stack_match_seed_window.hpp"

#include <array>
#include <cinttypes>

#include "blocks/lookback.hpp"
#include "runtime/push.hpp"
#include "runtime/scratch_layout.hpp"
#include "spirv/stack_match_seed_window.hpp"
#include "stack/stack_match/seed_window.abi.h"
#include "stack/stack_match_plan.hpp"

namespace vkprims {
namespace {

constexpr std::uint64_t kMaxSymbols = 0xffffffff;  // indices are words, one of which means none

struct Plan {
  std::uint32_t tile;  // its size in symbols, and in invocations
  std::uint64_t max_tiles;
  VkDeviceSize state_offset;  // in scratch, behind what an indirect grid needs
  VkDeviceSize state_bytes;   // to be cleared
  ScratchNeed need;
};

Plan plan_of(const DeviceState& state, const StackMatchDesc& desc) {
  Plan plan{};
  plan.tile = state.tuning.stack_window_size;
  plan.max_tiles = ceil_div(desc.count.max, plan.tile);
  if (desc.count.max == 0) return plan;
  plan.state_offset = grid_is_indirect(desc.count, plan.tile) ? kGridScratchBytes : 0;
  plan.state_bytes = VKP_LOOKBACK_HEADER_BYTES + plan.max_tiles * VKP_SEED_RECORD_BYTES;
  plan.need.bytes = plan.state_offset + plan.state_bytes + plan.max_tiles * plan.tile * 4;
  return plan;
}

Status check_outputs(const StackMatchDesc& desc, const StackMatchBuffers& b) {
  const struct {
    const char* name;
    bool given;
  } outputs[] = {{"close_of", b.close_of.address != 0},
                 {"depth", b.depth.address != 0},
                 {"header", b.header.address != 0},
                 {"types", desc.types}};
  for (const auto& output : outputs) {
    if (!output.given) continue;
    return Status::error(
        Status::invalid_argument,
        "stack_match: %s is given, but schedule is seed_window, which has match only", output.name);
  }
  if (b.match.address == 0) {
    return Status::error(
        Status::invalid_argument,
        "stack_match: match.address is 0, must be given with schedule seed_window");
  }
  return {};
}

Status check_symbols(const StackMatchDesc& desc) {
  if (desc.count.max <= kMaxSymbols) return {};
  return Status::error(Status::invalid_argument,
                       "stack_match: count.max is %" PRIu64
                       ", must be 0 … 2^32 - 1 with StackSchedule::seed_window",
                       desc.count.max);
}

std::array<Operand, 5> operands_of(const Plan& plan, const StackMatchDesc& desc,
                                   const StackMatchBuffers& buffers) {
  const std::uint64_t n = desc.count.max;
  const std::uint32_t index_size = size_of(desc.index_width);
  return {{operand_of_symbols(desc.input, n, buffers.symbols),
           operand_of_closes(desc.input, n, buffers.closes),
           {"match", buffers.match, n * index_size, index_size, true},
           operand_of(desc.count),
           operand_of(buffers.scratch, plan.need)}};
}

}  // namespace

Status check_seed_window(const DeviceState& state, const StackMatchDesc& desc,
                         const StackMatchBuffers& buffers) {
  VKPRIMS_TRY(check_symbols(desc));
  VKPRIMS_TRY(check_outputs(desc, buffers));
  return check_operands("stack_match", operands_of(plan_of(state, desc), desc, buffers));
}

ScratchNeed seed_window_need(const DeviceState& state, const StackMatchDesc& desc) {
  if (!check_symbols(desc)) return {};
  return plan_of(state, desc).need;
}

Status add_seed_window(Commands& commands, const StackMatchDesc& desc,
                       const StackMatchBuffers& buffers) {
  if (desc.count.max == 0) return {};
  const DeviceState& state = commands.state();
  const Plan plan = plan_of(state, desc);
  const auto [symbols, closes, match, count, scratch] = operands_of(plan, desc, buffers);
  const Scratch states = part_of(buffers.scratch, plan.state_offset);
  Specialization constants{.workgroup_size = plan.tile,
                           .lookback = lookback_constants(state, false)};
  constants.set(VKP_SEED_SPEC_INPUT, static_cast<std::uint32_t>(desc.input))
      .set(VKP_SEED_SPEC_INDEX_WORDS, size_of(desc.index_width) / 4);
  const abi::SeedWindowPush push{.symbols = push_u64(symbols),
                                 .closes = push_u64(closes),
                                 .match = push_u64(match),
                                 .scratch = push_u64(states.address),
                                 .count = push_count(desc.count),
                                 .max_tiles = static_cast<std::uint32_t>(plan.max_tiles)};

  Grid grid(desc.count, plan.tile, buffers.scratch);
  VKPRIMS_TRY(commands.prepare(grid));
  if (!(state.hooks.lookback.faults & VKP_SEED_ALONE)) {
    VKPRIMS_TRY(commands.fill(states, 0, plan.state_bytes, 0, beside(grid)));
  }
  return commands.dispatch(
      spirv::stack_match_seed_window, constants, push, grid,
      {count, symbols, closes, writes(states.address, plan.need.bytes - plan.state_offset), match});
}

Status warm_up_seed_window(Commands& commands, const StackMatchDesc& desc) {
  StackMatchDesc any = desc;
  any.count.max = kMaxSymbols;
  return add_seed_window(commands, any, {});
}

}  // namespace vkprims
