// The host side of the primitive iota.
#include "vkprims/iota.hpp"

#include "elementwise/iota/iota.abi.h"
#include "blocks/operators.hpp"
#include "runtime/push.hpp"
#include "runtime/record.hpp"
#include "spirv/iota.hpp"
#include "blocks/tile.hpp"
#include "runtime/validate.hpp"

namespace vkprims {
namespace {

constexpr const Spirv* kShaders[kFoldTypes] = {&spirv::iota_u32, &spirv::iota_f32, &spirv::iota_u64,
                                               &spirv::iota_f64};

Status check_desc(const DeviceState& state, const IotaDesc& desc) {
  VKPRIMS_TRY(check_type("iota", state, desc.type));
  VKPRIMS_TRY(check_count("iota", desc.count));
  VKPRIMS_TRY(check_value("iota", "start", desc.start, desc.type));
  return check_value("iota", "step", desc.step, desc.type);
}

// The least number of elements in a tile: the first row of an unaligned output is used in part.
std::uint64_t items_per_tile(const Tuning& tuning, Type type) {
  return (tile_bytes(tuning) - 16) / size_of(type);
}

Status get_pipeline(DeviceState& state, Type type, bool may_compile, VkPipeline& pipeline) {
  return state.pipelines.get(state.vk, *kShaders[fold_type(type)],
                             tile_specialization(state.tuning, 4), may_compile, pipeline);
}

}  // namespace

ScratchNeed iota_scratch(const Device& device, const IotaDesc& desc) {
  if (!device || !check_desc(*device.state(), desc)) return {};
  const std::uint64_t items = items_per_tile(device.state()->tuning, desc.type);
  return {grid_is_indirect(desc.count, items) ? kGridScratchBytes : 0};
}

Status record_iota(VkCommandBuffer cmd, const Device& device, const IotaDesc& desc,
                   const IotaBuffers& buffers) {
  VKPRIMS_RECORD_CALL("iota", cmd, device);
  DeviceState& state = *device.state();
  VKPRIMS_TRY(check_desc(state, desc));
  const ScratchNeed need = iota_scratch(device, desc);
  const std::uint32_t size = size_of(desc.type);
  const VkDeviceSize bytes = desc.count.max * size;
  VKPRIMS_TRY(check_arguments("iota", {{"out", buffers.out, bytes, size, true},
                                       argument_of(desc.count),
                                       argument_of("start", desc.start, size),
                                       argument_of("step", desc.step, size),
                                       argument_of(buffers.scratch, need)}));
  if (bytes == 0) return {};

  const bool may_compile = state.info.pipelines == PipelinePolicy::lazy;
  VkPipeline pipeline;
  VKPRIMS_TRY(get_pipeline(state, desc.type, may_compile, pipeline));
  OldGrid grid;
  VKPRIMS_TRY(make_grid(state, desc.count, items_per_tile(state.tuning, desc.type), buffers.scratch,
                        may_compile, grid));

  const abi::IotaPush push{.out_base = push_u64(buffers.out.address),
                           .count = push_count(desc.count),
                           .start = push_value(desc.start, desc.type),
                           .step = push_value(desc.step, desc.type, 1)};
  CommandStream stream(state, cmd);
  stream.dispatch(pipeline, push, grid,
                  {reads(desc.count), reads(desc.start, size), reads(desc.step, size),
                   writes(buffers.out.address, bytes)});
  return {};
}

Status warm_up(const Device& device, const IotaDesc& desc) {
  VKPRIMS_WARM_UP_CALL("iota", device);
  DeviceState& state = *device.state();
  VKPRIMS_TRY(check_desc(state, desc));
  VkPipeline pipeline;
  VKPRIMS_TRY(get_pipeline(state, desc.type, true, pipeline));
  OldGrid grid;
  return make_grid(state, desc.count, items_per_tile(state.tuning, desc.type), {}, true, grid);
}

}  // namespace vkprims
