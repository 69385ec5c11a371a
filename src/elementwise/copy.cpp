// The host side of the primitive copy.
#include "vkprims/copy.hpp"

#include "elementwise/copy/copy.abi.h"
#include "runtime/push.hpp"
#include "runtime/record.hpp"
#include "spirv/copy.hpp"
#include "blocks/tile.hpp"
#include "runtime/validate.hpp"

namespace vkprims {
namespace {

// The ways to move words, the best first.
enum class Path { rows, words, bytes };

Path path_for(VkDeviceAddress in, VkDeviceAddress out) {
  if ((in | out) % 16 == 0) return Path::rows;
  return (in | out) % 4 == 0 ? Path::words : Path::bytes;
}

Status check_desc(const CopyDesc& desc) {
  VKPRIMS_TRY(check_element_bytes("copy", desc.element_bytes));
  return check_count("copy", desc.count);
}

// The least number of elements in a tile: the first word of an unaligned output is used in part.
std::uint64_t items_per_tile(const Tuning& tuning, std::uint32_t element_bytes) {
  return (tile_bytes(tuning) - (element_bytes < 4 ? 4 : 0)) / element_bytes;
}

Status get_pipeline(DeviceState& state, Path path, bool may_compile, VkPipeline& pipeline) {
  Specialization constants = tile_specialization(state.tuning, path == Path::rows ? 4 : 1);
  constants.own[VKP_COPY_SPEC_ALIGNED - VKP_SPEC_FIRST_OWN] = path != Path::bytes;
  return state.pipelines.get(state.vk, spirv::copy, constants, may_compile, pipeline);
}

}  // namespace

ScratchNeed copy_scratch(const Device& device, const CopyDesc& desc) {
  if (!device || !check_desc(desc)) return {};
  const std::uint64_t items = items_per_tile(device.state()->tuning, desc.element_bytes);
  return {grid_is_indirect(desc.count, items) ? kGridScratchBytes : 0};
}

Status record_copy(VkCommandBuffer cmd, const Device& device, const CopyDesc& desc,
                   const CopyBuffers& buffers) {
  VKPRIMS_RECORD_CALL("copy", cmd, device);
  DeviceState& state = *device.state();
  VKPRIMS_TRY(check_desc(desc));
  const ScratchNeed need = copy_scratch(device, desc);
  const VkDeviceSize bytes = desc.count.max * desc.element_bytes;
  VKPRIMS_TRY(check_arguments("copy", {{"in", buffers.in, bytes, desc.element_bytes, false},
                                       {"out", buffers.out, bytes, desc.element_bytes, true},
                                       argument_of(desc.count),
                                       argument_of(buffers.scratch, need)}));
  if (bytes == 0) return {};

  const bool may_compile = state.info.pipelines == PipelinePolicy::lazy;
  VkPipeline pipeline;
  VKPRIMS_TRY(get_pipeline(state, path_for(buffers.in.address, buffers.out.address), may_compile,
                           pipeline));
  OldGrid grid;
  VKPRIMS_TRY(make_grid(state, desc.count, items_per_tile(state.tuning, desc.element_bytes),
                        buffers.scratch, may_compile, grid));

  const abi::CopyPush push{.in_base = push_u64(buffers.in.address),
                           .out_base = push_u64(buffers.out.address),
                           .count = push_count(desc.count),
                           .element_bytes = desc.element_bytes};
  CommandStream stream(state, cmd);
  stream.dispatch(
      pipeline, push, grid,
      {reads(desc.count), reads(buffers.in.address, bytes), writes(buffers.out.address, bytes)});
  return {};
}

Status warm_up(const Device& device, const CopyDesc& desc) {
  VKPRIMS_WARM_UP_CALL("copy", device);
  VKPRIMS_TRY(check_desc(desc));
  DeviceState& state = *device.state();
  VkPipeline pipeline;
  VKPRIMS_TRY(get_pipeline(state, Path::rows, true, pipeline));
  VKPRIMS_TRY(get_pipeline(state, Path::words, true, pipeline));
  if (desc.element_bytes < 4) VKPRIMS_TRY(get_pipeline(state, Path::bytes, true, pipeline));
  OldGrid grid;
  return make_grid(state, desc.count, items_per_tile(state.tuning, desc.element_bytes), {}, true,
                   grid);
}

}  // namespace vkprims
