// The host side of the primitive arg_reduce.
#include "vkprims/arg_reduce.hpp"

#include "reduce/arg_reduce/arg_reduce.abi.h"
#include "blocks/operators.hpp"
#include "runtime/push.hpp"
#include "runtime/record.hpp"
#include "spirv/arg_reduce.hpp"
#include "blocks/tile.hpp"
#include "runtime/validate.hpp"

namespace vkprims {
namespace {

constexpr const Spirv* kShaders[kFoldTypes] = {&spirv::arg_reduce_u32, &spirv::arg_reduce_f32,
                                               &spirv::arg_reduce_u64, &spirv::arg_reduce_f64};

Status check_desc(const ArgReduceDesc& desc) {
  VKPRIMS_TRY(check_type("arg_reduce", desc.type));
  if (desc.op != Op::min && desc.op != Op::max) {
    return Status::error(Status::invalid_argument,
                         "arg_reduce: op is %s (%u), must be Op::min (2) or Op::max (3)",
                         name_of(desc.op), static_cast<unsigned>(desc.op));
  }
  return check_count("arg_reduce", desc.count);
}

Status get_pipeline(DeviceState& state, const ArgReduceDesc& desc, bool alone,
                    VkDeviceAddress input, bool may_compile, VkPipeline& pipeline) {
  return state.pipelines.get(
      state.vk, *kShaders[fold_type(desc.type)],
      fold_specialization(state, desc.type, fold_operator(desc.type, desc.op), input, alone),
      may_compile, pipeline);
}

}  // namespace

ScratchNeed arg_reduce_scratch(const Device& device, const ArgReduceDesc& desc) {
  if (!device || !check_desc(desc)) return {};
  const std::uint32_t size = size_of(desc.type);
  const std::uint32_t groups = max_fold_groups(device.state()->tuning, size, desc.count.max);
  if (groups == 1) return {};
  return {VKP_REDUCE_RESULTS_OFFSET + VkDeviceSize{groups} * VKP_ARG_REDUCE_RESULT_BYTES(size)};
}

Status record_arg_reduce(VkCommandBuffer cmd, const Device& device, const ArgReduceDesc& desc,
                         const ArgReduceBuffers& buffers) {
  VKPRIMS_RECORD_CALL("arg_reduce", cmd, device);
  DeviceState& state = *device.state();
  VKPRIMS_TRY(check_desc(desc));
  const ScratchNeed need = arg_reduce_scratch(device, desc);
  const std::uint32_t size = size_of(desc.type);
  const VkDeviceSize bytes = desc.count.max * size;
  const VkDeviceSize value_bytes = buffers.value.address ? size : 0;
  VKPRIMS_TRY(check_arguments("arg_reduce",
                              {{"in", buffers.in, bytes, size, false},
                               argument_of_u64("index", buffers.index),
                               {"value", buffers.value, value_bytes, size, true, "", "one element"},
                               argument_of(desc.count),
                               argument_of(buffers.scratch, need)}));

  OldGrid grid;
  grid.groups = max_fold_groups(state.tuning, size, desc.count.max);
  VkPipeline pipeline;
  VKPRIMS_TRY(get_pipeline(state, desc, grid.groups == 1, buffers.in.address,
                           state.info.pipelines == PipelinePolicy::lazy, pipeline));
  const abi::ArgReducePush push{.in_base = push_u64(buffers.in.address),
                                .index_base = push_u64(buffers.index.address),
                                .value_base = push_u64(buffers.value.address),
                                .scratch = push_u64(buffers.scratch.address),
                                .count = push_count(desc.count),
                                .max_groups = static_cast<std::uint32_t>(grid.groups)};
  CommandStream stream(state, cmd);
  if (grid.groups > 1) stream.fill(buffers.scratch, 0, 4, 0);
  stream.dispatch(pipeline, push, grid,
                  {reads(desc.count), reads(buffers.in.address, bytes),
                   writes(buffers.scratch.address, need.bytes), writes(buffers.index.address, 8),
                   writes(buffers.value.address, value_bytes)});
  return {};
}

Status warm_up(const Device& device, const ArgReduceDesc& desc) {
  VKPRIMS_WARM_UP_CALL("arg_reduce", device);
  VKPRIMS_TRY(check_desc(desc));
  VkPipeline pipeline;
  for (const bool alone : {false, true}) {
    for (const VkDeviceAddress alignment : {16u, size_of(desc.type)}) {
      VKPRIMS_TRY(get_pipeline(*device.state(), desc, alone, alignment, true, pipeline));
    }
  }
  return {};
}

}  // namespace vkprims
