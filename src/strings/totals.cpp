#include "strings/totals.hpp"

#include "blocks/tile.hpp"
#include "runtime/push.hpp"
#include "spirv/strings_totals.hpp"

namespace vkprims::strings {
namespace {

constexpr std::uint32_t kItemBytes = 4;  // of the items that decide how many workgroups there are

Status add_totals(Commands& commands, const TotalsCall& call, std::uint32_t groups) {
  const DeviceState& state = commands.state();
  Specialization constants =
      fold_specialization(state, size_of(Type::u32), static_cast<std::uint32_t>(Op::add),
                          kItemBytes, groups, call.push.items);
  constants.set(VKP_TOTALS_SPEC_OP, call.operation);
  const std::vector<Access> accesses(call.operands.begin(), call.operands.end());
  return commands.dispatch(spirv::strings_totals, constants, call.push, Grid(groups), accesses);
}

}  // namespace

ScratchNeed totals_scratch(const DeviceState& state, std::uint64_t items) {
  const std::uint32_t groups = max_fold_groups(state.tuning, kItemBytes, items);
  if (groups == 1) return {};
  return {VKP_REDUCE_RESULTS_OFFSET + VkDeviceSize{groups} * sizeof(std::uint64_t)};
}

Status check_and_add_totals(Commands& commands, TotalsCall call, const Scratch& scratch) {
  const ScratchNeed need = totals_scratch(commands.state(), call.push.items);
  call.operands.push_back(operand_of_u64("out", call.out));
  call.operands.push_back(operand_of(scratch, need));
  VKPRIMS_TRY(check_operands(commands.primitive(), call.operands));

  const std::uint32_t groups = max_fold_groups(commands.tuning(), kItemBytes, call.push.items);
  call.push.total = push_u64(call.out.address);
  call.push.scratch = push_u64(scratch.address);
  call.push.max_groups = groups;
  if (groups > 1) VKPRIMS_TRY(commands.fill(scratch, 0, 4));
  return add_totals(commands, call, groups);
}

Status warm_up_totals(Commands& commands, std::uint32_t operation) {
  VKPRIMS_TRY(add_totals(commands, {.operation = operation}, 1));
  VKPRIMS_TRY(add_totals(commands, {.operation = operation, .push = {.items = ~0u}}, 1));
  return add_totals(commands, {.operation = operation}, 2);
}

}  // namespace vkprims::strings
