// The host side of the primitive adjacent_difference.
#include "vkprims/adjacent_difference.hpp"

#include "elementwise/adjacent_difference/adjacent_difference.abi.h"
#include "elementwise/map.hpp"
#include "runtime/push.hpp"
#include "runtime/record.hpp"
#include "spirv/adjacent_difference.hpp"
#include "blocks/tile.hpp"
#include "runtime/validate.hpp"

namespace vkprims {
namespace {

constexpr const char* kName = "adjacent_difference";
constexpr const Spirv* kShaders[] = {
    &spirv::adjacent_difference_u32, &spirv::adjacent_difference_i32,
    &spirv::adjacent_difference_f32, &spirv::adjacent_difference_u64,
    &spirv::adjacent_difference_i64, &spirv::adjacent_difference_f64};

Status check_desc(const DeviceState& state, const AdjacentDifferenceDesc& desc) {
  VKPRIMS_TRY(check_type(kName, state, desc.type));
  if (desc.op > MapOp::shift_right) {
    return Status::error(Status::invalid_argument,
                         "%s: op is %s (%u), must be a MapOp from add (0) to shift_right (10)",
                         kName, name_of(desc.op), static_cast<unsigned>(desc.op));
  }
  VKPRIMS_TRY(check_map_op(kName, desc.type, desc.op));
  VKPRIMS_TRY(check_enum(kName, "neighbour", desc.neighbour, Neighbour::right));
  return check_count(kName, desc.count);
}

MapCell cell_of(const AdjacentDifferenceDesc& desc) {
  return {size_of(desc.type), size_of(desc.type)};
}

Status get_pipeline(DeviceState& state, const AdjacentDifferenceDesc& desc, bool aligned,
                    bool may_compile, VkPipeline& pipeline) {
  Specialization constants = tile_specialization(state.tuning, aligned ? 4 : 1);
  constants.op = static_cast<std::uint32_t>(desc.op);
  constants.own[VKP_ADJACENT_DIFFERENCE_SPEC_RIGHT - VKP_SPEC_FIRST_OWN] =
      desc.neighbour == Neighbour::right;
  return state.pipelines.get(state.vk, *kShaders[static_cast<std::uint32_t>(desc.type)], constants,
                             may_compile, pipeline);
}

}  // namespace

ScratchNeed adjacent_difference_scratch(const Device& device, const AdjacentDifferenceDesc& desc) {
  if (!device || !check_desc(*device.state(), desc)) return {};
  const std::uint64_t items = cell_of(desc).items_per_tile(device.state()->tuning);
  return {grid_is_indirect(desc.count, items) ? kGridScratchBytes : 0};
}

Status record_adjacent_difference(VkCommandBuffer cmd, const Device& device,
                                  const AdjacentDifferenceDesc& desc,
                                  const AdjacentDifferenceBuffers& buffers) {
  VKPRIMS_RECORD_CALL(kName, cmd, device);
  DeviceState& state = *device.state();
  VKPRIMS_TRY(check_desc(state, desc));
  const ScratchNeed need = adjacent_difference_scratch(device, desc);
  const std::uint32_t size = size_of(desc.type);
  const VkDeviceSize bytes = desc.count.max * size;
  VKPRIMS_TRY(check_arguments(kName, {{"in", buffers.in, bytes, size, false},
                                      {"out", buffers.out, bytes, size, true},
                                      argument_of(desc.count),
                                      argument_of(buffers.scratch, need)}));
  if (bytes == 0) return {};

  const bool may_compile = state.info.pipelines == PipelinePolicy::lazy;
  const MapCell cell = cell_of(desc);
  VkPipeline pipeline;
  VKPRIMS_TRY(get_pipeline(state, desc, cell.aligned(buffers.in.address, buffers.out.address),
                           may_compile, pipeline));
  OldGrid grid;
  VKPRIMS_TRY(make_grid(state, desc.count, cell.items_per_tile(state.tuning), buffers.scratch,
                        may_compile, grid));

  const abi::AdjacentDifferencePush push{.in_base = push_u64(buffers.in.address),
                                         .out_base = push_u64(buffers.out.address),
                                         .count = push_count(desc.count)};
  CommandStream stream(state, cmd);
  stream.dispatch(
      pipeline, push, grid,
      {reads(desc.count), reads(buffers.in.address, bytes), writes(buffers.out.address, bytes)});
  return {};
}

Status warm_up(const Device& device, const AdjacentDifferenceDesc& desc) {
  VKPRIMS_WARM_UP_CALL(kName, device);
  DeviceState& state = *device.state();
  VKPRIMS_TRY(check_desc(state, desc));
  VkPipeline pipeline;
  for (const bool aligned : {false, true}) {
    VKPRIMS_TRY(get_pipeline(state, desc, aligned, true, pipeline));
  }
  OldGrid grid;
  return make_grid(state, desc.count, cell_of(desc).items_per_tile(state.tuning), {}, true, grid);
}

}  // namespace vkprims
