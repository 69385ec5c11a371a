// The host side of the primitive dispatch_args.
#include "vkprims/dispatch_args.hpp"

#include <cinttypes>

#include "runtime/push.hpp"
#include "runtime/record.hpp"
#include "spirv/dispatch_args.hpp"
#include "blocks/tile.hpp"
#include "runtime/validate.hpp"

namespace vkprims {
namespace {

constexpr std::uint64_t kMaxGroups = std::uint64_t{65535} * 65535;

Status check_desc(const DispatchArgsDesc& desc) {
  VKPRIMS_TRY(check_count("dispatch_args", desc.count));
  if (desc.items_per_group == 0 || desc.items_per_group > kMaxCount) {
    return Status::error(Status::invalid_argument,
                         "dispatch_args: items_per_group is %" PRIu64 ", must be 1 … %" PRIu64,
                         desc.items_per_group, kMaxCount);
  }
  if (desc.count.max / desc.items_per_group >= kMaxGroups) {
    return Status::error(Status::invalid_argument,
                         "dispatch_args: count %" PRIu64 " in groups of %" PRIu64
                         " makes more than %" PRIu64 " workgroups",
                         desc.count.max, desc.items_per_group, kMaxGroups);
  }
  return {};
}

Status get_pipeline(DeviceState& state, bool may_compile, VkPipeline& pipeline) {
  return state.pipelines.get(state.vk, spirv::dispatch_args, kFirstInvocation, may_compile,
                             pipeline);
}

}  // namespace

Status record_dispatch_args(VkCommandBuffer cmd, const Device& device, const DispatchArgsDesc& desc,
                            const DispatchArgsBuffers& buffers) {
  VKPRIMS_RECORD_CALL("dispatch_args", cmd, device);
  DeviceState& state = *device.state();
  VKPRIMS_TRY(check_desc(desc));
  constexpr VkDeviceSize kBytes = sizeof(VkDispatchIndirectCommand);
  VKPRIMS_TRY(check_arguments(
      "dispatch_args", {{"args", buffers.args, kBytes, 4, true, "", "a VkDispatchIndirectCommand"},
                        argument_of(desc.count)}));
  VkPipeline pipeline;
  VKPRIMS_TRY(get_pipeline(state, state.info.pipelines == PipelinePolicy::lazy, pipeline));

  const abi::DispatchArgsPush push{.args = push_u64(buffers.args.address),
                                   .count = push_count(desc.count),
                                   .items = push_u64(desc.items_per_group),
                                   .inverse = push_u64(~std::uint64_t{0} / desc.items_per_group)};
  OldGrid grid;
  grid.groups = 1;
  CommandStream stream(state, cmd);
  stream.dispatch(pipeline, push, grid, {reads(desc.count), writes(buffers.args.address, kBytes)});
  return {};
}

Status warm_up(const Device& device, const DispatchArgsDesc& desc) {
  VKPRIMS_WARM_UP_CALL("dispatch_args", device);
  VKPRIMS_TRY(check_desc(desc));
  VkPipeline pipeline;
  return get_pipeline(*device.state(), true, pipeline);
}

}  // namespace vkprims
