#include "strings/totals.hpp"

#include "runtime/push.hpp"
#include "spirv/strings_totals.hpp"
#include "blocks/tile.hpp"

namespace vkprims::strings {
namespace {

constexpr std::uint32_t kItemBytes = 4;  // of the items that decide how many workgroups there are

Status get_pipeline(DeviceState& state, std::uint32_t operation, bool alone, bool may_compile,
                    VkPipeline& pipeline) {
  Specialization constants =
      fold_specialization(state, Type::u32, static_cast<std::uint32_t>(Op::add), kItemBytes, alone);
  constants.own[VKP_TOTALS_SPEC_OP - VKP_SPEC_FIRST_OWN] = operation;
  return state.pipelines.get(state.vk, spirv::strings_totals, constants, may_compile, pipeline);
}

}  // namespace

ScratchNeed totals_scratch(const DeviceState& state, std::uint64_t items) {
  const std::uint32_t groups = max_fold_groups(state.tuning, kItemBytes, items);
  if (groups == 1) return {};
  return {VKP_REDUCE_RESULTS_OFFSET + VkDeviceSize{groups} * sizeof(std::uint64_t)};
}

Status record_totals(VkCommandBuffer cmd, DeviceState& state, TotalsCall call,
                     const Scratch& scratch) {
  const ScratchNeed need = totals_scratch(state, call.push.items);
  std::vector<Access> accesses;
  for (const Argument& argument : call.arguments) {
    if (argument.need) accesses.push_back(reads(argument.view.address, argument.need));
  }
  accesses.push_back(writes(call.out.address, sizeof(std::uint64_t)));
  accesses.push_back(writes(scratch.address, need.bytes));
  call.arguments.push_back(argument_of_u64("out", call.out));
  call.arguments.push_back(argument_of(scratch, need));
  VKPRIMS_TRY(check_arguments(call.primitive, std::span<const Argument>(call.arguments)));

  OldGrid grid;
  grid.groups = max_fold_groups(state.tuning, kItemBytes, call.push.items);
  VkPipeline pipeline;
  VKPRIMS_TRY(get_pipeline(state, call.operation, grid.groups == 1,
                           state.info.pipelines == PipelinePolicy::lazy, pipeline));
  call.push.total = push_u64(call.out.address);
  call.push.scratch = push_u64(scratch.address);
  call.push.max_groups = static_cast<abi::uint>(grid.groups);
  CommandStream stream(state, cmd);
  if (grid.groups > 1) stream.fill(scratch, 0, 4, 0);
  stream.dispatch(pipeline, call.push, grid, std::span<const Access>(accesses));
  return {};
}

Status warm_up_totals(DeviceState& state, std::uint32_t operation) {
  VkPipeline pipeline;
  VKPRIMS_TRY(get_pipeline(state, operation, false, true, pipeline));
  return get_pipeline(state, operation, true, true, pipeline);
}

}  // namespace vkprims::strings
