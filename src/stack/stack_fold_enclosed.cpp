// Folds over what lies between an open and its close: ranges on a tree of folds. See
// shaders/stack/stack_fold/.
#include "spirv/stack_fold_enclosed.hpp"

#include "runtime/push.hpp"
#include "runtime/scratch_layout.hpp"
#include "spirv/stack_fold_nodes.hpp"
#include "stack/stack_fold_plan.hpp"
#include "stack/stack_match_plan.hpp"

namespace vkprims {
namespace {

StackMatchDesc match_of(const StackFoldDesc& desc) {
  return {.input = desc.input, .count = desc.count};
}

// The scratch of the match lies before ours.
struct Plan {
  VkDeviceSize close_of, nodes, node_bytes;  // places in scratch
  std::uint32_t heights;                     // how many heights of nodes there are
  ScratchNeed need;
};

Plan plan_of(const DeviceState& state, const StackFoldDesc& desc) {
  Plan plan{};
  if (desc.count.max == 0) return plan;
  for (std::uint64_t below = desc.count.max; below > VKP_STACK_FAN_OUT || plan.heights == 0;) {
    below = ceil_div(below, VKP_STACK_FAN_OUT);
    plan.node_bytes += below * VKP_STACK_FOLD_ROOM(stack_fold_value_bytes(desc) / 4);
    ++plan.heights;
  }
  ScratchLayout layout;
  layout.take(stack_match_need(state, match_of(desc)).bytes);
  plan.close_of = layout.take(desc.count.max * 4);
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
  const std::uint64_t group_size = commands.tuning().csr_workgroup_size;
  Specialization constants{.workgroup_size = commands.tuning().csr_workgroup_size,
                           .row_words = stack_fold_words(desc, operands),
                           .op = stack_fold_op(desc)};
  constants.set(VKP_STACK_SPEC_INPUT, static_cast<std::uint32_t>(desc.input));
  const std::uint32_t variant = stack_fold_variant(desc.monoid);
  abi::StackFoldPush push = stack_fold_push(desc, operands);
  push.stack.match = push_u64(close_of.address);
  push.folds = push_u64(all.address + plan.nodes);
  const Access folds = writes(all.address + plan.nodes, plan.node_bytes);
  // The sizes of both grids take the place of that of the matches.
  Grid nodes(desc.count, group_size * VKP_STACK_FAN_OUT, all);
  const Grid opens(desc.count, group_size, all);
  VKPRIMS_TRY(commands.prepare(nodes));
  for (push.height = 1; push.height <= plan.heights; ++push.height) {
    VKPRIMS_TRY(dispatch_stack_fold(
        commands, desc, MonoidKernel::stack_fold_nodes, spirv::stack_fold_nodes(variant), constants,
        push, nodes, std::initializer_list<Access>{count, symbols, closes, values, out, folds}));
  }
  push.with_open = desc.kind == StackFoldKind::after;
  return dispatch_stack_fold(commands, desc, MonoidKernel::stack_fold_enclosed,
                             spirv::stack_fold_enclosed(variant), constants, push, opens,
                             std::initializer_list<Access>{count, symbols, closes, values, out,
                                                           reads(folds.view), reads(close_of)});
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
