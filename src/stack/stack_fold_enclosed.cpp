// Folds over what lies between an open and its close: ranges on a tree of folds. See
// shaders/stack/stack_fold/.
#include "spirv/stack_fold_enclosed.hpp"

#include <algorithm>

#include "runtime/push.hpp"
#include "runtime/scratch_layout.hpp"
#include "spirv/stack_fold_nodes.hpp"
#include "spirv/stack_fold_tiles.hpp"
#include "stack/stack_fold_plan.hpp"
#include "stack/stack_match_plan.hpp"

namespace vkprims {
namespace {

StackMatchDesc match_of(const StackFoldDesc& desc) {
  return {.input = desc.input, .count = desc.count};
}

// The scratch of the match lies before ours.
struct Plan {
  std::uint32_t workgroup_size, tile_blocks;  // of tiles.comp
  VkDeviceSize close_of, masks, nodes;        // places in scratch
  VkDeviceSize mask_bytes, node_bytes;
  std::uint32_t heights;  // how many heights of nodes there are above tiles
  ScratchNeed need;

  std::uint64_t tile_items() const { return std::uint64_t{tile_blocks} * VKP_STACK_BLOCK; }
};

Plan plan_of(const DeviceState& state, const StackFoldDesc& desc) {
  Plan plan{};
  const std::uint32_t words = stack_fold_value_bytes(desc) / 4;
  plan.tile_blocks = VKP_STACK_FOLD_TILE_BLOCKS;
  while (VKP_STACK_FOLD_TILE_WORDS(plan.tile_blocks, words) * 4 > state.shared_bytes) {
    plan.tile_blocks /= 2;
  }
  // An invocation has two symbols: about half of them are opens, whose folds are most of the work.
  const auto half = static_cast<std::uint32_t>(plan.tile_items() / 2);
  plan.workgroup_size = std::min(state.largest_workgroup, std::max(half, 128u));
  if (desc.count.max == 0) return plan;
  std::uint64_t nodes = ceil_div(desc.count.max, plan.tile_items());
  plan.mask_bytes = nodes * plan.tile_blocks * VKP_STACK_FOLD_MASK_BYTES;
  plan.node_bytes = nodes * VKP_STACK_FOLD_ROOM(words);
  for (; nodes > VKP_STACK_FAN_OUT; ++plan.heights) {
    nodes = ceil_div(nodes, VKP_STACK_FAN_OUT);
    plan.node_bytes += nodes * VKP_STACK_FOLD_ROOM(words);
  }
  ScratchLayout layout;
  layout.take(stack_match_need(state, match_of(desc)).bytes);
  plan.close_of = layout.take(desc.count.max * 4);
  plan.masks = layout.take(plan.mask_bytes);
  plan.nodes = layout.take(plan.node_bytes);
  plan.need = layout.need();
  return plan;
}

}  // namespace

ScratchNeed stack_fold_enclosed_need(const DeviceState& state, const StackFoldDesc& desc) {
  return plan_of(state, desc).need;
}

Status add_stack_fold_enclosed(Commands& commands, const StackFoldDesc& desc,
                               const StackFoldBuffers& buffers) {
  const Plan plan = plan_of(commands.state(), desc);
  const Scratch& all = buffers.scratch;
  const BufferView close_of{all.address + plan.close_of, desc.count.max * 4};
  {
    const Commands::Label label(commands, "stack_match");
    VKPRIMS_TRY(add_stack_match(commands, match_of(desc),
                                {.symbols = buffers.symbols,
                                 .closes = buffers.closes,
                                 .match = buffers.match,
                                 .close_of = close_of,
                                 .header = buffers.header,
                                 .scratch = part_of(all, 0, plan.close_of)}));
  }
  const StackFoldOperands operands = stack_fold_operands(desc, buffers);
  const auto& [symbols, closes, values, out, match, header, count] = operands;
  Specialization constants{.workgroup_size = plan.workgroup_size,
                           .row_words = stack_fold_words(desc, operands),
                           .op = stack_fold_op(desc)};
  constants.set(VKP_STACK_SPEC_INPUT, static_cast<std::uint32_t>(desc.input))
      .set(VKP_STACK_SPEC_BLOCKS, plan.tile_blocks);
  const std::uint32_t variant = stack_fold_variant(desc.monoid);
  abi::StackFoldPush push = stack_fold_push(desc, operands);
  push.stack.close_of = push_u64(close_of.address);
  push.stack.depth = push_u64(all.address + plan.masks);
  push.folds = push_u64(all.address + plan.nodes);
  push.with_open = desc.kind == StackFoldKind::after;
  const Access folds = writes(all.address + plan.nodes, plan.node_bytes);
  const Access masks = writes(all.address + plan.masks, plan.mask_bytes);
  // The sizes of all grids take the place of that of the matches, one after the other.
  VKPRIMS_TRY(dispatch_stack_fold(
      commands, desc, MonoidKernel::stack_fold_tiles, spirv::stack_fold_tiles(variant), constants,
      push, Grid(desc.count, plan.tile_items(), all),
      std::initializer_list<Access>{count, symbols, closes, values, out, folds, masks,
                                    writes(close_of.address, close_of.bytes)}));
  constants.workgroup_size = commands.tuning().csr_workgroup_size;
  constants.set(VKP_STACK_SPEC_INPUT, 0);
  if (plan.heights != 0) {
    const std::uint64_t group_tiles = std::uint64_t{constants.workgroup_size} * VKP_STACK_FAN_OUT;
    Grid nodes(desc.count, group_tiles * plan.tile_items(), all);
    VKPRIMS_TRY(commands.prepare(nodes));
    for (push.height = 1; push.height <= plan.heights; ++push.height) {
      VKPRIMS_TRY(dispatch_stack_fold(commands, desc, MonoidKernel::stack_fold_nodes,
                                      spirv::stack_fold_nodes(variant), constants, push, nodes,
                                      std::initializer_list<Access>{count, folds}));
    }
  }
  // These are whole tiles, which have a pair of masks for each block.
  const std::uint64_t group_items = std::uint64_t{constants.workgroup_size} * VKP_STACK_BLOCK;
  return dispatch_stack_fold(commands, desc, MonoidKernel::stack_fold_enclosed,
                             spirv::stack_fold_enclosed(variant), constants, push,
                             Grid(desc.count, group_items, all),
                             std::initializer_list<Access>{count, out, reads(folds.view),
                                                           reads(masks.view), reads(close_of)});
}

Status warm_up_stack_fold_enclosed(Commands& commands, const StackFoldDesc& desc) {
  StackFoldDesc any = desc;
  any.count.max = 0xffffffffu;
  for (const VkDeviceAddress values : {16, 4}) {
    VKPRIMS_TRY(add_stack_fold_enclosed(commands, any, {.values = {values}}));
  }
  for (const std::uint32_t match : {0, VKP_STACK_WANTS_MATCH}) {
    for (const std::uint32_t header : {0, VKP_STACK_WANTS_HEADER}) {
      VKPRIMS_TRY(
          warm_up_stack_match(commands, match_of(desc), VKP_STACK_WANTS_CLOSE_OF | match | header));
    }
  }
  return {};
}

}  // namespace vkprims
