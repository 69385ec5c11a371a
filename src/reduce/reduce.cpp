// The host side of the primitive reduce.
#include "vkprims/reduce.hpp"

#include "blocks/operators.hpp"
#include "runtime/push.hpp"
#include "runtime/record.hpp"
#include "reduce/reduce/reduce.abi.h"
#include "spirv/reduce.hpp"
#include "blocks/tile.hpp"
#include "runtime/validate.hpp"

namespace vkprims {
namespace {

constexpr const Spirv* kShaders[kFoldTypes] = {&spirv::reduce_u32, &spirv::reduce_f32,
                                               &spirv::reduce_u64, &spirv::reduce_f64};

Status check_desc(const DeviceState& state, const ReduceDesc& desc) {
  VKPRIMS_TRY(check_type("reduce", state, desc.type));
  VKPRIMS_TRY(check_op("reduce", desc.type, desc.op));
  VKPRIMS_TRY(check_count("reduce", desc.count));
  return check_value("reduce", "initial", desc.initial, desc.type);
}

Status get_pipeline(DeviceState& state, const ReduceDesc& desc, bool alone, VkDeviceAddress input,
                    bool may_compile, VkPipeline& pipeline) {
  return state.pipelines.get(
      state.vk, *kShaders[fold_type(desc.type)],
      fold_specialization(state, desc.type, fold_operator(desc.type, desc.op), input, alone),
      may_compile, pipeline);
}

}  // namespace

ScratchNeed reduce_scratch(const Device& device, const ReduceDesc& desc) {
  if (!device || !check_desc(*device.state(), desc)) return {};
  const std::uint32_t groups =
      max_fold_groups(device.state()->tuning, size_of(desc.type), desc.count.max);
  if (groups == 1) return {};
  return {VKP_REDUCE_RESULTS_OFFSET + VkDeviceSize{groups} * size_of(desc.type)};
}

Status record_reduce(VkCommandBuffer cmd, const Device& device, const ReduceDesc& desc,
                     const ReduceBuffers& buffers) {
  VKPRIMS_RECORD_CALL("reduce", cmd, device);
  DeviceState& state = *device.state();
  VKPRIMS_TRY(check_desc(state, desc));
  const ScratchNeed need = reduce_scratch(device, desc);
  const std::uint32_t size = size_of(desc.type);
  const VkDeviceSize bytes = desc.count.max * size;
  VKPRIMS_TRY(check_arguments("reduce", {{"in", buffers.in, bytes, size, false},
                                         {"out", buffers.out, size, size, true, "", "one element"},
                                         argument_of(desc.count),
                                         argument_of(buffers.scratch, need)}));
  // The initial value may lie in `out`: the invocation that writes the result reads it just before.
  VKPRIMS_TRY(check_arguments(
      "reduce", {argument_of("initial", desc.initial, size), argument_of(buffers.scratch, need)}));

  OldGrid grid;
  grid.groups = max_fold_groups(state.tuning, size, desc.count.max);
  VkPipeline pipeline;
  VKPRIMS_TRY(get_pipeline(state, desc, grid.groups == 1, buffers.in.address,
                           state.info.pipelines == PipelinePolicy::lazy, pipeline));
  const abi::ReducePush push{.in_base = push_u64(buffers.in.address),
                             .out_base = push_u64(buffers.out.address),
                             .scratch = push_u64(buffers.scratch.address),
                             .count = push_count(desc.count),
                             .max_groups = static_cast<std::uint32_t>(grid.groups),
                             .has_initial = desc.initial.given(),
                             .initial = push_value(desc.initial, desc.type)};
  CommandStream stream(state, cmd);
  if (grid.groups > 1) stream.fill(buffers.scratch, 0, 4, 0);
  stream.dispatch(pipeline, push, grid,
                  {reads(desc.count), reads(desc.initial, size), reads(buffers.in.address, bytes),
                   writes(buffers.scratch.address, need.bytes), writes(buffers.out.address, size)});
  return {};
}

Status warm_up(const Device& device, const ReduceDesc& desc) {
  VKPRIMS_WARM_UP_CALL("reduce", device);
  DeviceState& state = *device.state();
  VKPRIMS_TRY(check_desc(state, desc));
  VkPipeline pipeline;
  for (const bool alone : {false, true}) {
    for (const VkDeviceAddress alignment : {16u, size_of(desc.type)}) {
      VKPRIMS_TRY(get_pipeline(state, desc, alone, alignment, true, pipeline));
    }
  }
  return {};
}

}  // namespace vkprims
