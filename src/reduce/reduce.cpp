// The host side of the primitive reduce.
#include "vkprims/reduce.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "blocks/fold.hpp"
#include "blocks/tile.hpp"
#include "reduce/reduce/reduce.abi.h"
#include "runtime/push.hpp"
#include "spirv/reduce.hpp"

namespace vkprims {
namespace {

std::uint32_t argument_bytes(const ReduceDesc& desc) {
  return desc.own ? desc.own->argument_bytes : 0;
}

Status check_desc(const DeviceState& state, const ReduceDesc& desc) {
  VKPRIMS_TRY(check_fold("reduce", state, fold_of(desc)));
  VKPRIMS_TRY(check_count("reduce", desc.count));
  const std::uint32_t bytes = argument_bytes(desc);
  if (bytes > 32 || bytes % 4 != 0) {
    return Status::error(Status::invalid_argument,
                         "reduce: monoid %s has %u bytes of arguments, must be a multiple of 4, at "
                         "most 32",
                         desc.own->name, bytes);
  }
  return check_value("reduce", "initial", desc.initial, fold_of(desc));
}

Status check_arguments(const ReduceDesc& desc) {
  const std::uint32_t bytes = argument_bytes(desc);
  const Value& given = desc.arguments;
  if (!desc.own || (given.address ? bytes != 0 : given.bytes == bytes)) return {};
  return Status::error(Status::invalid_argument,
                       "reduce: arguments have %u bytes, those of monoid %s have %u", given.bytes,
                       desc.own->name, bytes);
}

// Bytes of an element of the input, and what its address must be a multiple of.
std::uint32_t input_size(const ReduceDesc& desc) {
  return desc.own ? desc.own->in_bytes : size_of(desc.type);
}
std::uint32_t input_alignment(const ReduceDesc& desc) {
  return desc.own ? Monoid::alignment(desc.own->in_bytes) : size_of(desc.type);
}

std::uint32_t max_groups(const DeviceState& state, const ReduceDesc& desc) {
  return max_fold_groups(state.tuning, input_size(desc), desc.count.max);
}

ScratchNeed need_of(const DeviceState& state, const ReduceDesc& desc) {
  const VkDeviceSize groups = max_groups(state, desc);
  return {groups == 1 ? 0 : VKP_REDUCE_RESULTS_OFFSET + groups * fold_of(desc).bytes()};
}

std::array<Operand, 6> operands_of(const DeviceState& state, const ReduceDesc& desc,
                                   const ReduceBuffers& buffers) {
  const Fold fold = fold_of(desc);
  const std::uint32_t size = fold.bytes();
  return {{{"in", buffers.in, desc.count.max * input_size(desc), input_alignment(desc), false},
           {"out", buffers.out, size, fold.alignment(), true, "", "one element"},
           operand_of(desc.count),
           operand_of("initial", desc.initial, size),
           operand_of("arguments", desc.arguments, argument_bytes(desc)),
           operand_of(buffers.scratch, need_of(state, desc))}};
}

Status check_buffers(const DeviceState& state, const ReduceDesc& desc,
                     const ReduceBuffers& buffers) {
  VKPRIMS_TRY(check_arguments(desc));
  const auto [in, out, count, initial, arguments, scratch] = operands_of(state, desc, buffers);
  VKPRIMS_TRY(check_operands("reduce", {in, out, count, arguments, scratch}));
  // The initial value may lie in `out`: the invocation that writes the result reads it just before.
  return check_operands("reduce", {initial, scratch});
}

abi::ReduceArguments push_arguments(const Value& given) {
  abi::ReduceArguments pushed{.at_address = given.address != 0};
  std::copy(std::begin(given.words), std::end(given.words), pushed.words);
  if (given.address) {
    pushed.words[0] = static_cast<std::uint32_t>(given.address);
    pushed.words[1] = static_cast<std::uint32_t>(given.address >> 32);
  }
  return pushed;
}

Status add_reduce(Commands& commands, const ReduceDesc& desc, const ReduceBuffers& buffers) {
  const DeviceState& state = commands.state();
  const auto [in, out, count, initial, arguments, scratch] = operands_of(state, desc, buffers);
  const Fold fold = fold_of(desc);
  const std::uint32_t groups = max_groups(state, desc);
  const abi::ReducePush push{.in_base = push_u64(in),
                             .out_base = push_u64(out),
                             .scratch = push_u64(scratch),
                             .count = push_count(desc.count),
                             .max_groups = groups,
                             .has_initial = desc.initial.given(),
                             .initial = push_element(desc.initial, fold)};
  if (groups > 1) VKPRIMS_TRY(commands.fill(buffers.scratch, 0, 4));
  Specialization constants = fold_specialization(state, input_size(desc), fold.operator_constant(),
                                                 in.address(), groups, desc.count.max);
  constants.set(VKP_REDUCE_SPEC_COMMUTES, fold.commutes());
  const Spirv* spirv = nullptr;
  VKPRIMS_TRY(find_kernel("reduce", fold, MonoidKernel::reduce, spirv::reduce(fold_type(desc.type)),
                          spirv));
  if (argument_bytes(desc) == 0) {
    return commands.dispatch(*spirv, constants, push, Grid(groups),
                             {count, initial, in, scratch, out});
  }
  return commands.dispatch(*spirv, constants,
                           abi::ReducePushWithArguments{push, push_arguments(desc.arguments)},
                           Grid(groups), {count, initial, arguments, in, scratch, out});
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
    const std::uint64_t most_alone = commands.tuning().single_group_bytes / input_size(desc);
    for (const std::uint64_t count : {std::uint64_t{1}, most_alone, kMaxCount}) {
      any.count.max = count;
      for (const VkDeviceAddress in : {16u, input_alignment(desc)}) {
        VKPRIMS_TRY(add_reduce(commands, any, {.in = {in}}));
      }
    }
    return Status();
  });
}

}  // namespace vkprims
