// The host side of the primitive reduce.
#include "vkprims/reduce.hpp"

#include <array>

#include "blocks/operators.hpp"
#include "blocks/tile.hpp"
#include "reduce/reduce/reduce.abi.h"
#include "runtime/push.hpp"
#include "spirv/reduce.hpp"

namespace vkprims {
namespace {

Status check_desc(const DeviceState& state, const ReduceDesc& desc) {
  VKPRIMS_TRY(check_type("reduce", state, desc.type));
  VKPRIMS_TRY(check_op("reduce", desc.type, desc.op));
  VKPRIMS_TRY(check_count("reduce", desc.count));
  return check_value("reduce", "initial", desc.initial, desc.type);
}

std::uint32_t max_groups(const DeviceState& state, const ReduceDesc& desc) {
  return max_fold_groups(state.tuning, size_of(desc.type), desc.count.max);
}

ScratchNeed need_of(const DeviceState& state, const ReduceDesc& desc) {
  const VkDeviceSize groups = max_groups(state, desc);
  return {groups == 1 ? 0 : VKP_REDUCE_RESULTS_OFFSET + groups * size_of(desc.type)};
}

std::array<Operand, 5> operands_of(const DeviceState& state, const ReduceDesc& desc,
                                   const ReduceBuffers& buffers) {
  const std::uint32_t size = size_of(desc.type);
  return {{{"in", buffers.in, desc.count.max * size, size, false},
           {"out", buffers.out, size, size, true, "", "one element"},
           operand_of(desc.count),
           operand_of("initial", desc.initial, size),
           operand_of(buffers.scratch, need_of(state, desc))}};
}

Status check_buffers(const DeviceState& state, const ReduceDesc& desc,
                     const ReduceBuffers& buffers) {
  const auto [in, out, count, initial, scratch] = operands_of(state, desc, buffers);
  VKPRIMS_TRY(check_operands("reduce", {in, out, count, scratch}));
  // The initial value may lie in `out`: the invocation that writes the result reads it just before.
  return check_operands("reduce", {initial, scratch});
}

Status add_reduce(Commands& commands, const ReduceDesc& desc, const ReduceBuffers& buffers) {
  const DeviceState& state = commands.state();
  const auto [in, out, count, initial, scratch] = operands_of(state, desc, buffers);
  const std::uint32_t groups = max_groups(state, desc);
  const abi::ReducePush push{.in_base = push_u64(in),
                             .out_base = push_u64(out),
                             .scratch = push_u64(scratch),
                             .count = push_count(desc.count),
                             .max_groups = groups,
                             .has_initial = desc.initial.given(),
                             .initial = push_value(desc.initial, desc.type)};
  if (groups > 1) commands.fill(buffers.scratch, 0, 4);
  return commands.dispatch(spirv::reduce(fold_type(desc.type)),
                           fold_specialization(state, desc.type, fold_operator(desc.type, desc.op),
                                               in.address(), groups == 1),
                           push, Grid(groups), {count, initial, in, scratch, out});
}

}  // namespace

ScratchNeed reduce_scratch(const Device& device, const ReduceDesc& desc) {
  if (!device || !check_desc(*device.state(), desc)) return {};
  return need_of(*device.state(), desc);
}

Status record_reduce(VkCommandBuffer cmd, const Device& device, const ReduceDesc& desc,
                     const ReduceBuffers& buffers) {
  return record_call("reduce", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(commands.state(), desc));
    VKPRIMS_TRY(check_buffers(commands.state(), desc, buffers));
    return add_reduce(commands, desc, buffers);
  });
}

Status warm_up(const Device& device, const ReduceDesc& desc) {
  return warm_up_call("reduce", device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(commands.state(), desc));
    ReduceDesc any = desc;
    for (const std::uint64_t count : {std::uint64_t{1}, kMaxCount}) {
      any.count.max = count;
      for (const VkDeviceAddress in : {16u, size_of(desc.type)}) {
        VKPRIMS_TRY(add_reduce(commands, any, {.in = {in}}));
      }
    }
    return Status();
  });
}

}  // namespace vkprims
