// The host side of the primitive arg_reduce.
#include "vkprims/arg_reduce.hpp"

#include <array>

#include "blocks/operators.hpp"
#include "blocks/tile.hpp"
#include "reduce/arg_reduce/arg_reduce.abi.h"
#include "runtime/push.hpp"
#include "spirv/arg_reduce.hpp"

namespace vkprims {
namespace {

Status check_desc(const ArgReduceDesc& desc) {
  VKPRIMS_TRY(check_type("arg_reduce", desc.type));
  if (desc.op != Op::min && desc.op != Op::max) {
    return Status::error(Status::invalid_argument,
                         "arg_reduce: op is %s (%u), must be Op::min (2) or Op::max (3)",
                         name_of(desc.op), static_cast<unsigned>(desc.op));
  }
  return check_count("arg_reduce", desc.count);
}

std::uint32_t max_groups(const DeviceState& state, const ArgReduceDesc& desc) {
  return max_fold_groups(state.tuning, size_of(desc.type), desc.count.max);
}

ScratchNeed need_of(const DeviceState& state, const ArgReduceDesc& desc) {
  const VkDeviceSize groups = max_groups(state, desc);
  if (groups == 1) return {};
  return {VKP_REDUCE_RESULTS_OFFSET + groups * VKP_ARG_REDUCE_RESULT_BYTES(size_of(desc.type))};
}

std::array<Operand, 5> operands_of(const DeviceState& state, const ArgReduceDesc& desc,
                                   const ArgReduceBuffers& buffers) {
  const std::uint32_t size = size_of(desc.type), value_bytes = buffers.value.address ? size : 0;
  return {{{"in", buffers.in, desc.count.max * size, size, false},
           operand_of_u64("index", buffers.index),
           {"value", buffers.value, value_bytes, size, true, "", "one element"},
           operand_of(desc.count),
           operand_of(buffers.scratch, need_of(state, desc))}};
}

Status add_arg_reduce(Commands& commands, const ArgReduceDesc& desc,
                      const ArgReduceBuffers& buffers) {
  const DeviceState& state = commands.state();
  const auto [in, index, value, count, scratch] = operands_of(state, desc, buffers);
  const std::uint32_t groups = max_groups(state, desc);
  const abi::ArgReducePush push{.in_base = push_u64(in),
                                .index_base = push_u64(index),
                                .value_base = push_u64(value),
                                .scratch = push_u64(scratch),
                                .count = push_count(desc.count),
                                .max_groups = groups};
  if (groups > 1) VKPRIMS_TRY(commands.fill(buffers.scratch, 0, 4));
  return commands.dispatch(
      spirv::arg_reduce(fold_type(desc.type)),
      fold_specialization(state, size_of(desc.type), fold_operator(desc.type, desc.op),
                          in.address(), groups, desc.count.max),
      push, Grid(groups), {count, in, scratch, index, value});
}

}  // namespace

ScratchNeed arg_reduce_scratch(const Device& device, const ArgReduceDesc& desc) {
  if (!device || !check_desc(desc)) return {};
  return need_of(*device.state(), desc);
}

Status record_arg_reduce(VkCommandBuffer cmd, const Device& device, const ArgReduceDesc& desc,
                         const ArgReduceBuffers& buffers) {
  return record_call("arg_reduce", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(desc));
    VKPRIMS_TRY(check_operands("arg_reduce", operands_of(commands.state(), desc, buffers)));
    return add_arg_reduce(commands, desc, buffers);
  });
}

Status warm_up(const Device& device, const ArgReduceDesc& desc) {
  return warm_up_call("arg_reduce", device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(desc));
    ArgReduceDesc any = desc;
    const std::uint64_t most_alone = commands.tuning().single_group_bytes / size_of(desc.type);
    for (const std::uint64_t count : {std::uint64_t{1}, most_alone, kMaxCount}) {
      any.count.max = count;
      for (const VkDeviceAddress in : {16u, size_of(desc.type)}) {
        VKPRIMS_TRY(add_arg_reduce(commands, any, {.in = {in}}));
      }
    }
    return Status();
  });
}

}  // namespace vkprims
