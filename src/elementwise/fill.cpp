// The host side of the primitive fill.
#include "vkprims/fill.hpp"

#include <cstring>

#include "elementwise/fill/fill.abi.h"
#include "runtime/push.hpp"
#include "runtime/record.hpp"
#include "spirv/fill.hpp"
#include "blocks/tile.hpp"
#include "runtime/validate.hpp"

namespace vkprims {
namespace {

Status check_desc(const FillDesc& desc) {
  VKPRIMS_TRY(check_element_bytes("fill", desc.element_bytes));
  VKPRIMS_TRY(check_count("fill", desc.count));
  VKPRIMS_TRY(check_kind("fill", desc.kind, desc.element_bytes));
  return check_value("fill", "value", desc.value, desc.kind, desc.element_bytes);
}

// The least number of elements in a tile: the first row of an unaligned output is used in part.
std::uint64_t items_per_tile(const Tuning& tuning, std::uint32_t element_bytes) {
  return (tile_bytes(tuning) - 16) / element_bytes;
}

Status get_pipeline(DeviceState& state, bool may_compile, VkPipeline& pipeline) {
  return state.pipelines.get(state.vk, spirv::fill, tile_specialization(state.tuning, 4),
                             may_compile, pipeline);
}

}  // namespace

ScratchNeed fill_scratch(const Device& device, const FillDesc& desc) {
  if (!device || !check_desc(desc)) return {};
  const std::uint64_t items = items_per_tile(device.state()->tuning, desc.element_bytes);
  return {grid_is_indirect(desc.count, items) ? kGridScratchBytes : 0};
}

Status record_fill(VkCommandBuffer cmd, const Device& device, const FillDesc& desc,
                   const FillBuffers& buffers) {
  VKPRIMS_RECORD_CALL("fill", cmd, device);
  DeviceState& state = *device.state();
  VKPRIMS_TRY(check_desc(desc));
  const ScratchNeed need = fill_scratch(device, desc);
  const VkDeviceSize bytes = desc.count.max * desc.element_bytes;
  VKPRIMS_TRY(check_arguments("fill", {{"out", buffers.out, bytes, desc.element_bytes, true},
                                       argument_of(desc.count),
                                       argument_of("value", desc.value, desc.element_bytes),
                                       argument_of(buffers.scratch, need)}));
  if (bytes == 0) return {};

  const bool may_compile = state.info.pipelines == PipelinePolicy::lazy;
  VkPipeline pipeline;
  VKPRIMS_TRY(get_pipeline(state, may_compile, pipeline));
  OldGrid grid;
  VKPRIMS_TRY(make_grid(state, desc.count, items_per_tile(state.tuning, desc.element_bytes),
                        buffers.scratch, may_compile, grid));

  abi::FillPush push{.out_base = push_u64(buffers.out.address),
                     .count = push_count(desc.count),
                     .element_bytes = desc.element_bytes,
                     .value_address = push_u64(desc.value.address),
                     .value = {}};
  const Value value = element_value(desc.value, desc.kind, desc.element_bytes);
  for (std::uint32_t at = 0; at < 16; at += desc.element_bytes) {
    std::memcpy(reinterpret_cast<char*>(push.value) + at, value.words, desc.element_bytes);
  }
  CommandStream stream(state, cmd);
  stream.dispatch(pipeline, push, grid,
                  {reads(desc.count), reads(desc.value, desc.element_bytes),
                   writes(buffers.out.address, bytes)});
  return {};
}

Status warm_up(const Device& device, const FillDesc& desc) {
  VKPRIMS_WARM_UP_CALL("fill", device);
  VKPRIMS_TRY(check_desc(desc));
  DeviceState& state = *device.state();
  VkPipeline pipeline;
  VKPRIMS_TRY(get_pipeline(state, true, pipeline));
  OldGrid grid;
  return make_grid(state, desc.count, items_per_tile(state.tuning, desc.element_bytes), {}, true,
                   grid);
}

}  // namespace vkprims
