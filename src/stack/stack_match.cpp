// The host side of the primitive stack_match.
#include <algorithm>
#include <cinttypes>

#include "blocks/lookback.hpp"
#include "runtime/push.hpp"
#include "spirv/stack_match_depths.hpp"
#include "spirv/stack_match_finish.hpp"
#include "spirv/stack_match_groups.hpp"
#include "spirv/stack_match_mismatch.hpp"
#include "spirv/stack_match_tiles.hpp"
#include "spirv/stack_match_tiles_look_back.hpp"
#include "spirv/stack_match_tree.hpp"
#include "spirv/stack_match_tree_look_back.hpp"
#include "spirv/stack_match_types.hpp"
#include "stack/stack_match_plan.hpp"
#include "stack/stack_match_seed_window.hpp"

namespace vkprims {
namespace {

Status check_desc(const StackMatchDesc& desc) {
  VKPRIMS_TRY(check_enum("stack_match", "input", desc.input, StackInput::bits));
  VKPRIMS_TRY(check_enum("stack_match", "index_width", desc.index_width, IndexWidth::u64));
  VKPRIMS_TRY(check_enum("stack_match", "schedule", desc.schedule, StackSchedule::seed_window));
  VKPRIMS_TRY(check_count("stack_match", desc.count));
  if (desc.index_width == IndexWidth::u32 && desc.count.max > 0xffffffffu) {
    return Status::error(Status::invalid_argument,
                         "stack_match: count.max is %" PRIu64
                         ", must be 0 … 2^32 - 1 with IndexWidth::u32",
                         desc.count.max);
  }
  return {};
}

// With StackSchedule::look_back the states of look-backs lie in front of everything else in
// scratch.
struct Plan : StackPlan {
  bool look_back = false;
  VkDeviceSize state_bytes = 0, base_offset = 0;
};

Plan plan_of(const DeviceState& state, const StackMatchDesc& desc) {
  Plan plan{stack_plan(state, desc.count.max, VKP_STACK_MAX_BLOCKS)};
  plan.look_back = desc.schedule == StackSchedule::look_back;
  if (desc.count.max == 0 || !plan.look_back) return plan;
  plan.state_bytes = lookback_bytes(plan.max_tiles, VKP_STACK_STATE_WORDS);
  plan.base_offset = VKP_STACK_STATES_OFFSET + plan.state_bytes;
  plan.need.bytes += plan.base_offset;
  return plan;
}

// Which outputs are wanted, as kernels take it.
std::uint32_t wants(const StackMatchBuffers& b, bool types) {
  return (b.match.address ? VKP_STACK_WANTS_MATCH : 0) |
         (b.close_of.address ? VKP_STACK_WANTS_CLOSE_OF : 0) |
         (b.header.address ? VKP_STACK_WANTS_HEADER : 0) |
         (b.depth.address ? VKP_STACK_WANTS_DEPTH : 0) | (types ? VKP_STACK_WANTS_TYPES : 0);
}

struct Operands {
  Operand symbols, closes, match, close_of, depth, header, count;
};

Operands operands_of(const StackMatchDesc& desc, const StackMatchBuffers& buffers) {
  const std::uint64_t n = desc.count.max;
  const auto indices = [&](const char* name, const BufferView& view) {
    return operand_of_stack_indices(name, view, n, desc.index_width);
  };
  return {.symbols = operand_of_symbols(desc.input, n, buffers.symbols),
          .closes = operand_of_closes(desc.input, n, buffers.closes),
          .match = indices("match", buffers.match),
          .close_of = indices("close_of", buffers.close_of),
          .depth = indices("depth", buffers.depth),
          .header = operand_of_stack_header(buffers.header),
          .count = operand_of(desc.count)};
}

Status check_buffers(const DeviceState& state, const StackMatchDesc& desc,
                     const StackMatchBuffers& buffers) {
  VKPRIMS_TRY(check_closes("stack_match", desc.input, buffers.closes));
  if (desc.schedule == StackSchedule::seed_window) return check_seed_window(state, desc, buffers);
  const bool bits = desc.input == StackInput::bits;
  if (desc.types && (bits || !buffers.match.address || !buffers.header.address)) {
    return Status::error(
        Status::invalid_argument,
        "stack_match: types is true, but %s; it is for tags, with match and header",
        bits                     ? "input is bits"
        : !buffers.match.address ? "match.address is 0"
                                 : "header.address is 0");
  }
  if (wants(buffers, desc.types) == 0) {
    return Status::error(
        Status::invalid_argument,
        "stack_match: match, close_of, depth and header have address 0, at least one "
        "must be given");
  }
  const auto [symbols, closes, match, close_of, depth, header, count] = operands_of(desc, buffers);
  return check_operands("stack_match", {symbols, closes, match, close_of, depth, header, count,
                                        operand_of(buffers.scratch, plan_of(state, desc).need)});
}

// Outputs that kernels find in one go.
constexpr std::uint32_t kIndices = VKP_STACK_WANTS_MATCH | VKP_STACK_WANTS_CLOSE_OF;

// What the kernels of a call work on.
struct Call {
  Plan plan;
  Operands on;
  std::uint32_t wanted;  // VKP_STACK_WANTS_…
  IndexWidth index_width;
  Access scratch;  // behind the size of a grid
  Grid tiles;
  abi::StackMatchPush push;
  Specialization constants;  // of kernels that look at symbols
};

Call call_of(const DeviceState& state, const StackMatchDesc& desc,
             const StackMatchBuffers& buffers) {
  const Plan plan = plan_of(state, desc);
  const VkDeviceAddress scratch = buffers.scratch.address;
  const VkDeviceSize grid_bytes = plan.look_back ? VKP_STACK_STATES_OFFSET : VKP_STACK_LISTS_OFFSET;
  Call call{
      .plan = plan,
      .on = operands_of(desc, buffers),
      .wanted = wants(buffers, desc.types),
      .index_width = desc.index_width,
      .scratch = writes(scratch + grid_bytes, desc.count.max ? plan.need.bytes - grid_bytes : 0),
      .tiles = Grid(desc.count, plan.tile_items, buffers.scratch)};
  const auto& [symbols, closes, match, close_of, depth, header, count] = call.on;
  const std::uint32_t head = stack_head(desc.input, symbols.address());
  call.push = {.symbols = push_u64(stack_first_cell(desc.input, symbols.address())),
               .closes = push_u64(closes),
               .match = push_u64(match),
               .close_of = push_u64(close_of),
               .depth = push_u64(depth),
               .header = push_u64(header),
               .scratch = push_u64(scratch + plan.base_offset),
               .count = push_count(desc.count),
               .head = head,
               .max_tiles = static_cast<std::uint32_t>(plan.max_tiles)};
  bool aligned = true;
  for (const Operand* out : {&match, &close_of, &depth}) {
    if (out->address() && !stack_rows_are_aligned(out->address(), head, desc.index_width)) {
      aligned = false;
    }
  }
  call.constants = {.workgroup_size = plan.workgroup_size, .row_words = aligned ? 4u : 1u};
  call.constants.set(VKP_STACK_SPEC_INPUT, static_cast<std::uint32_t>(desc.input))
      .set(VKP_STACK_SPEC_INDEX_WORDS, size_of(desc.index_width) / 4)
      .set(VKP_STACK_SPEC_BLOCKS, plan.workgroup_size)
      .set(VKP_STACK_SPEC_LEVEL_WORDS, 2);  // for kernels that have none
  return call;
}

// The grid has just been prepared.
Status add_tiles(Commands& commands, const Call& call, const Scratch& scratch) {
  const auto& [symbols, closes, match, close_of, depth, header, count] = call.on;
  Specialization constants = call.constants;
  constants.set(VKP_STACK_SPEC_WANTS, call.wanted & (kIndices | VKP_STACK_WANTS_HEADER));
  if (!call.plan.look_back) {
    return commands.dispatch(spirv::stack_match_tiles, constants, call.push, call.tiles,
                             {count, symbols, closes, call.scratch, match, close_of});
  }
  VKPRIMS_TRY(commands.fill(scratch, VKP_STACK_STATES_OFFSET, call.plan.state_bytes, 0,
                            beside(call.tiles)));
  constants.set(VKP_STACK_SPEC_LEVEL_WORDS, call.plan.level_words);
  constants.lookback = lookback_constants(commands.state(), false);
  return commands.dispatch(spirv::stack_match_tiles_look_back(lookback_is_wide(commands.state())),
                           constants, call.push, call.tiles,
                           {count, symbols, closes, call.scratch, match, close_of});
}

// Whatever the count is, at least one workgroup writes the header.
Status add_tree(Commands& commands, const Call& call) {
  const Grid groups(call.plan.groups());
  const Operand &count = call.on.count, &header = call.on.header;
  Specialization constants = stack_tree_constants(commands.state(), call.plan);
  if (groups.groups > 1 && !call.plan.look_back) {
    VKPRIMS_TRY(commands.dispatch(spirv::stack_match_groups, constants, call.push, groups,
                                  {count, call.scratch}));
  }
  constants.set(VKP_STACK_SPEC_WANTS, call.wanted & VKP_STACK_WANTS_HEADER);
  const Spirv& tree =
      call.plan.look_back ? spirv::stack_match_tree_look_back : spirv::stack_match_tree;
  return commands.dispatch(tree, constants, call.push, groups, {count, call.scratch, header});
}

// Adds the indices that lie in other tiles.
Status add_finish(Commands& commands, const Call& call) {
  const auto& [symbols, closes, match, close_of, depth, header, count] = call.on;
  const Specialization constants =
      stack_finish_constants(commands.state(), call.plan, call.index_width, call.wanted & kIndices);
  return commands.dispatch(spirv::stack_match_finish, constants, call.push, call.tiles,
                           {count, call.scratch, match, close_of});
}

Status add_depths(Commands& commands, const Call& call) {
  const auto& [symbols, closes, match, close_of, depth, header, count] = call.on;
  Specialization constants = call.constants;
  constants.set(VKP_STACK_SPEC_LEVEL_WORDS, call.plan.level_words);
  return commands.dispatch(spirv::stack_match_depths, constants, call.push, call.tiles,
                           {count, symbols, closes, call.scratch, depth});
}

// Adds the comparison of the types of opens and closes.
Status add_types(Commands& commands, const Call& call) {
  const auto& [symbols, closes, match, close_of, depth, header, count] = call.on;
  Specialization types = call.constants;
  types.row_words = 4;
  VKPRIMS_TRY(commands.dispatch(spirv::stack_match_types, types, call.push, call.tiles,
                                {count, symbols, match, call.scratch}));
  Specialization mismatch = stack_tree_constants(commands.state(), call.plan);
  mismatch.set(VKP_STACK_SPEC_LEVEL_WORDS, 2);  // it has none
  return commands.dispatch(spirv::stack_match_mismatch, mismatch, call.push, Grid(1),
                           {count, call.scratch, header});
}

}  // namespace

ScratchNeed stack_match_need(const DeviceState& state, const StackMatchDesc& desc) {
  if (desc.schedule == StackSchedule::seed_window) return seed_window_need(state, desc);
  return plan_of(state, desc).need;
}

ScratchNeed stack_match_scratch(const Device& device, const StackMatchDesc& desc) {
  if (!device || !check_desc(desc)) return {};
  return stack_match_need(*device.state(), desc);
}

Status add_stack_match(Commands& commands, const StackMatchDesc& desc,
                       const StackMatchBuffers& buffers) {
  if (desc.schedule == StackSchedule::seed_window) return add_seed_window(commands, desc, buffers);
  Call call = call_of(commands.state(), desc, buffers);
  if (desc.count.max == 0) {
    return buffers.header.address ? add_tree(commands, call) : Status();
  }
  VKPRIMS_TRY(commands.prepare(call.tiles));
  VKPRIMS_TRY(add_tiles(commands, call, buffers.scratch));
  VKPRIMS_TRY(add_tree(commands, call));
  if (call.plan.max_tiles > 1 && call.wanted & kIndices) VKPRIMS_TRY(add_finish(commands, call));
  if (call.wanted & VKP_STACK_WANTS_DEPTH) VKPRIMS_TRY(add_depths(commands, call));
  return desc.types ? add_types(commands, call) : Status();
}

Status warm_up_stack_match(Commands& commands, const StackMatchDesc& desc, std::uint32_t wanted) {
  const DeviceState& state = commands.state();
  const std::uint64_t tile = stack_plan(state, 1, VKP_STACK_MAX_BLOCKS).tile_items;
  const std::uint64_t short_count = state.tuning.stack_short_count;
  const VkDeviceAddress aligned = 1 << 20, unaligned = aligned + size_of(desc.index_width);
  StackMatchDesc any = desc;
  any.types = wanted & VKP_STACK_WANTS_TYPES;
  for (const std::uint64_t count :
       {std::uint64_t{2}, tile + 1, short_count - 1, short_count, kMaxCount}) {
    any.count.max = count;
    for (const VkDeviceAddress out : {aligned, unaligned}) {
      const auto view = [&](std::uint32_t output) { return BufferView{wanted & output ? out : 0}; };
      VKPRIMS_TRY(add_stack_match(commands, any,
                                  {.match = view(VKP_STACK_WANTS_MATCH),
                                   .close_of = view(VKP_STACK_WANTS_CLOSE_OF),
                                   .depth = view(VKP_STACK_WANTS_DEPTH),
                                   .header = view(VKP_STACK_WANTS_HEADER)}));
    }
  }
  return {};
}

Status record_stack_match(VkCommandBuffer cmd, const Device& device, const StackMatchDesc& desc,
                          const StackMatchBuffers& buffers) {
  return record_call("stack_match", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(desc));
    VKPRIMS_TRY(check_buffers(commands.state(), desc, buffers));
    return add_stack_match(commands, desc, buffers);
  });
}

Status warm_up(const Device& device, const StackMatchDesc& desc) {
  return warm_up_call("stack_match", device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(desc));
    if (desc.schedule == StackSchedule::seed_window) return warm_up_seed_window(commands, desc);
    const bool bits = desc.input == StackInput::bits;  // these have no types
    const std::uint32_t always = VKP_STACK_WANTS_DEPTH | (bits ? 0 : VKP_STACK_WANTS_TYPES);
    for (std::uint32_t together = 0; together <= (kIndices | VKP_STACK_WANTS_HEADER); ++together) {
      VKPRIMS_TRY(warm_up_stack_match(commands, desc, together | always));
    }
    return Status();
  });
}

}  // namespace vkprims
