// Folds over the opens that enclose a symbol: tiles, links between them, rows. See
// shaders/stack/stack_fold/.
#include <algorithm>
#include <bit>

#include "runtime/push.hpp"
#include "runtime/scratch_layout.hpp"
#include "spirv/stack_fold_chains.hpp"
#include "spirv/stack_fold_jump.hpp"
#include "spirv/stack_fold_links.hpp"
#include "spirv/stack_fold_rows.hpp"
#include "spirv/stack_fold_seeds.hpp"
#include "spirv/stack_fold_slices.hpp"
#include "spirv/stack_match_finish.hpp"
#include "spirv/stack_match_groups.hpp"
#include "spirv/stack_match_tiles.hpp"
#include "spirv/stack_match_tree.hpp"
#include "stack/stack_fold_plan.hpp"
#include "stack/stack_match_plan.hpp"

namespace vkprims {
namespace {

struct Plan {
  StackPlan stack;
  std::uint32_t link_size;    // tiles of a workgroup of links.comp
  std::uint32_t jumps;        // dispatches of jump.comp
  VkDeviceSize codes, folds;  // places in scratch
  VkDeviceSize fold_bytes;    // one fold for each tile
  VkDeviceSize grids;         // the sizes of two grids, besides the one that scratch begins with
  ScratchNeed need;
};

// Up to so many symbols tiles are small. chains.comp has only such tiles, and where a subgroup goes
// over a tile alone they occupy more subgroups. Tuning::stack_chain_count is not larger.
constexpr std::uint64_t kFewSymbols = 1 << 22;

Plan plan_with(const DeviceState& state, const StackFoldDesc& desc, std::uint32_t blocks) {
  Plan plan{};
  plan.stack = stack_plan(state, desc.count.max, std::max(blocks, state.subgroup_size));
  plan.link_size = std::min(state.largest_workgroup, VKP_STACK_FOLD_GROUP);
  const std::uint64_t tiles = plan.stack.max_tiles;
  const std::uint64_t groups = ceil_div(tiles, plan.link_size);
  plan.jumps = static_cast<std::uint32_t>(std::bit_width(groups - 1));
  if (desc.count.max == 0) return plan;
  const std::uint64_t tile_items = std::uint64_t{plan.stack.workgroup_size} * VKP_STACK_BLOCK;
  plan.codes = round_up(plan.stack.need.bytes, 16);
  plan.folds = plan.codes + tiles * tile_items * 2;
  plan.fold_bytes = tiles * VKP_STACK_FOLD_ROOM(stack_fold_value_bytes(desc) / 4);
  plan.grids = round_up(plan.folds + 2 * plan.fold_bytes, 16);
  plan.need.bytes = plan.grids + 2 * kGridScratchBytes;
  return plan;
}

Plan plan_of(const DeviceState& state, const StackFoldDesc& desc) {
  if (desc.count.max <= kFewSymbols) return plan_with(state, desc, 32);
  Plan plan = plan_with(state, desc, 64);
  StackFoldDesc few = desc;
  few.count.max = kFewSymbols;
  plan.need.bytes = std::max(plan.need.bytes, plan_with(state, few, 32).need.bytes);
  return plan;
}

// What the kernels of a call work on.
struct Call {
  StackFoldDesc desc;
  Plan plan;
  StackFoldOperands on;
  Access scratch;                      // without the sizes of grids
  Grid tiles{}, links{}, subgroups{};  // by how many tiles a workgroup has
  abi::StackFoldPush push;
  Specialization folds;  // of the kernels of stack_fold
  std::uint32_t variant;
  std::uint32_t wanted;  // VKP_STACK_WANTS_MATCH, VKP_STACK_WANTS_HEADER
};

Call call_of(const DeviceState& state, const StackFoldDesc& desc, const StackFoldBuffers& buffers) {
  Call call{.desc = desc, .plan = plan_of(state, desc)};
  const Plan& plan = call.plan;
  const VkDeviceAddress scratch = buffers.scratch.address;
  call.on = stack_fold_operands(desc, buffers);
  call.scratch = writes(scratch + VKP_STACK_COUNTER_OFFSET, plan.grids - VKP_STACK_COUNTER_OFFSET);
  const auto grid = [&](std::uint64_t tiles_per_group, VkDeviceSize offset) {
    return Grid(desc.count, tiles_per_group * plan.stack.tile_items,
                part_of(buffers.scratch, offset));
  };
  call.tiles = grid(1, 0);
  call.links = grid(plan.link_size, plan.grids);
  call.subgroups = grid(VKP_STACK_FOLD_TILES, plan.grids + kGridScratchBytes);
  call.push = stack_fold_push(desc, call.on);
  call.push.stack.depth = push_u64(scratch + plan.codes);
  call.push.stack.scratch = push_u64(scratch);
  call.push.stack.max_tiles = static_cast<std::uint32_t>(plan.stack.max_tiles);
  call.push.folds = push_u64(scratch + plan.folds);
  call.push.next = push_u64(scratch + plan.folds + plan.fold_bytes);
  call.folds = stack_tree_constants(state, plan.stack);
  call.folds.set(VKP_STACK_SPEC_ONE_MORE, desc.kind == StackFoldKind::after);
  call.folds.op = stack_fold_op(desc);
  call.folds.row_words = stack_fold_words(desc, call.on);
  call.variant = stack_fold_variant(desc.monoid);
  call.wanted = (buffers.match.address ? VKP_STACK_WANTS_MATCH : 0) |
                (buffers.header.address ? VKP_STACK_WANTS_HEADER : 0);
  return call;
}

// Adds the dispatches of stack_match that find what tiles do to the stack and where they lie.
Status add_tiles(Commands& commands, const Call& call) {
  const StackPlan& stack = call.plan.stack;
  const auto& [symbols, closes, values, out, match, header, count] = call.on;
  const IndexWidth width = call.desc.index_width;
  Specialization tree = stack_tree_constants(commands.state(), stack);
  tree.set(VKP_STACK_SPEC_ONE_MORE, call.desc.kind == StackFoldKind::after);
  Specialization tiles = tree;
  tiles.workgroup_size = stack.workgroup_size;
  tiles.row_words = stack_rows_are_aligned(match.address(), call.push.stack.head, width) ? 4u : 1u;
  tiles.set(VKP_STACK_SPEC_INPUT, static_cast<std::uint32_t>(call.desc.input))
      .set(VKP_STACK_SPEC_WANTS, VKP_STACK_WANTS_CODES | call.wanted)
      .set(VKP_STACK_SPEC_INDEX_WORDS, size_of(width) / 4)
      .set(VKP_STACK_SPEC_LEVEL_WORDS, 2);  // it has none
  VKPRIMS_TRY(commands.dispatch(spirv::stack_match_tiles, tiles, call.push.stack, call.tiles,
                                {count, symbols, closes, call.scratch, match}));
  if (stack.max_tiles == 1 && !header.address()) return {};
  const Grid groups(stack.groups());
  if (groups.groups > 1) {
    VKPRIMS_TRY(commands.dispatch(spirv::stack_match_groups, tree, call.push.stack, groups,
                                  {count, call.scratch}));
  }
  tree.set(VKP_STACK_SPEC_WANTS, call.wanted & VKP_STACK_WANTS_HEADER);
  return commands.dispatch(spirv::stack_match_tree, tree, call.push.stack, groups,
                           {count, call.scratch, header});
}

// Adds the matches that lie in other tiles.
Status add_finish(Commands& commands, const Call& call) {
  static constexpr Independent kOfSeeds{"seeds store folds, and this stores matches"};
  const Operand &match = call.on.match, &count = call.on.count;
  Specialization constants = stack_finish_constants(commands.state(), call.plan.stack,
                                                    call.desc.index_width, VKP_STACK_WANTS_MATCH);
  constants.set(VKP_STACK_SPEC_ONE_MORE, call.desc.kind == StackFoldKind::after);
  return commands.dispatch(spirv::stack_match_finish, constants, call.push.stack, call.tiles,
                           {count, reads(call.scratch.view), match}, &kOfSeeds);
}

// Adds the folds before each tile, which the seeds of tiles follow from.
Status add_links(Commands& commands, Call& call) {
  const auto& [symbols, closes, values, out, match, header, count] = call.on;
  Specialization constants = call.folds;
  constants.workgroup_size = call.plan.link_size;
  VKPRIMS_TRY(dispatch_stack_fold(commands, call.desc, MonoidKernel::stack_fold_links,
                                  spirv::stack_fold_links(call.variant), constants, call.push,
                                  call.links,
                                  std::initializer_list<Access>{count, call.scratch, values, out}));
  for (std::uint32_t i = 0; i < call.plan.jumps; ++i) {
    VKPRIMS_TRY(dispatch_stack_fold(
        commands, call.desc, MonoidKernel::stack_fold_jump, spirv::stack_fold_jump(call.variant),
        constants, call.push, call.links, std::initializer_list<Access>{count, call.scratch}));
    std::swap(call.push.folds, call.push.next);
  }
  return {};
}

// The constants of kernels in which a subgroup goes over a tile.
Specialization by_subgroup(const DeviceState& state, const Call& call) {
  Specialization constants = call.folds;
  constants.workgroup_size =
      std::min(state.largest_workgroup, VKP_STACK_FOLD_TILES * state.subgroup_size);
  return constants;
}

// Adds the folds of items whose stack in their tile is empty.
Status add_seeds(Commands& commands, Call& call) {
  const DeviceState& state = commands.state();
  const auto& [symbols, closes, values, out, match, header, count] = call.on;
  VKPRIMS_TRY(dispatch_stack_fold(commands, call.desc, MonoidKernel::stack_fold_slices,
                                  spirv::stack_fold_slices(call.variant), by_subgroup(state, call),
                                  call.push, call.subgroups,
                                  std::initializer_list<Access>{count, call.scratch, values, out}));
  VKPRIMS_TRY(add_links(commands, call));
  Specialization seeds = call.folds;
  seeds.workgroup_size = state.tuning.csr_workgroup_size;
  return dispatch_stack_fold(
      commands, call.desc, MonoidKernel::stack_fold_seeds, spirv::stack_fold_seeds(call.variant),
      seeds, call.push, call.tiles,
      std::initializer_list<Access>{count, reads(call.scratch.view), values, out});
}

// Adds the folds of all items, from those of the seeds on.
Status add_rows(Commands& commands, const Call& call) {
  const auto& [symbols, closes, values, out, match, header, count] = call.on;
  const Specialization rows = by_subgroup(commands.state(), call);
  return dispatch_stack_fold(commands, call.desc, MonoidKernel::stack_fold_rows,
                             spirv::stack_fold_rows(call.variant), rows, call.push, call.subgroups,
                             std::initializer_list<Access>{count, call.scratch, values, out});
}
Status add_chains(Commands& commands, const Call& call) {
  const auto& [symbols, closes, values, out, match, header, count] = call.on;
  Specialization chains = call.folds;
  chains.workgroup_size = std::min(commands.state().largest_workgroup, 256u);
  return dispatch_stack_fold(commands, call.desc, MonoidKernel::stack_fold_chains,
                             spirv::stack_fold_chains(call.variant), chains, call.push, call.tiles,
                             std::initializer_list<Access>{count, call.scratch, values, out});
}

}  // namespace

ScratchNeed stack_fold_enclosing_need(const DeviceState& state, const StackFoldDesc& desc) {
  return plan_of(state, desc).need;
}

Status add_stack_fold_enclosing(Commands& commands, const StackFoldDesc& desc,
                                const StackFoldBuffers& buffers) {
  Call call = call_of(commands.state(), desc, buffers);
  const bool is_single = call.plan.stack.max_tiles == 1;  // nothing comes before a tile
  const bool are_few = desc.count.max <= commands.tuning().stack_chain_count;
  VKPRIMS_TRY(commands.prepare({&call.tiles, &call.links, &call.subgroups}));
  VKPRIMS_TRY(add_tiles(commands, call));
  if (!is_single) VKPRIMS_TRY(add_seeds(commands, call));
  if (!is_single && buffers.match.address) VKPRIMS_TRY(add_finish(commands, call));
  return are_few ? add_chains(commands, call) : add_rows(commands, call);
}

Status warm_up_stack_fold_enclosing(Commands& commands, const StackFoldDesc& desc) {
  StackFoldDesc any = desc;
  const Tuning& tuning = commands.tuning();
  const std::uint64_t short_count = tuning.stack_short_count;
  any.count.max = 2;
  const std::uint64_t tile = plan_of(commands.state(), any).stack.tile_items;
  for (const std::uint64_t count :
       {std::uint64_t{2}, tile + 1, std::uint64_t{tuning.stack_chain_count}, kFewSymbols,
        short_count - 1, short_count, kMaxCount}) {
    any.count.max = count;
    for (const VkDeviceAddress values : {16, 4}) {
      for (const VkDeviceAddress match : {0, 16, 8}) {
        for (const VkDeviceAddress header : {0, 16}) {
          VKPRIMS_TRY(add_stack_fold_enclosing(
              commands, any, {.values = {values}, .match = {match}, .header = {header}}));
        }
      }
    }
  }
  return {};
}

}  // namespace vkprims
