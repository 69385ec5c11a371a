// The host side of the primitive scan.
#include "vkprims/scan.hpp"

#include <algorithm>

#include "blocks/lookback.hpp"
#include "blocks/operators.hpp"
#include "runtime/push.hpp"
#include "runtime/record.hpp"
#include "scan/scan/scan.abi.h"
#include "scan/scan_desc.hpp"
#include "blocks/scan_tile.hpp"
#include "spirv/scan_multi_pass_fold.hpp"
#include "spirv/scan_look_back.hpp"
#include "spirv/scan_multi_pass_scan.hpp"
#include "runtime/validate.hpp"

namespace vkprims {
namespace {

constexpr const Spirv* kLookBack[2][kFoldTypes] = {
    {&spirv::scan_look_back_u32_word32, &spirv::scan_look_back_f32_word32,
     &spirv::scan_look_back_u64_word32, &spirv::scan_look_back_f64_word32},
    {&spirv::scan_look_back_u32_word64, &spirv::scan_look_back_f32_word64,
     &spirv::scan_look_back_u64_word64, &spirv::scan_look_back_f64_word64}};
constexpr const Spirv* kFoldStrips[kFoldTypes] = {
    &spirv::scan_multi_pass_fold_u32, &spirv::scan_multi_pass_fold_f32,
    &spirv::scan_multi_pass_fold_u64, &spirv::scan_multi_pass_fold_f64};
constexpr const Spirv* kStrips[kFoldTypes] = {
    &spirv::scan_multi_pass_scan_u32, &spirv::scan_multi_pass_scan_f32,
    &spirv::scan_multi_pass_scan_u64, &spirv::scan_multi_pass_scan_f64};

constexpr std::uint32_t kRowTurns = 8;  // turns of a row in strips, on a subgroup of 128

// How a descriptor is carried out on a device.
struct Shape {
  ScanPath path;
  ScanTile tile;
  std::uint64_t max_parts;    // tiles (look_back) or workgroups (strips)
  VkDeviceSize state_offset;  // in scratch, behind what an indirect grid needs
  ScratchNeed need;
};

Shape shape_of(const DeviceState& state, const ScanDesc& desc) {
  const std::uint32_t size = size_of(desc.type);
  Shape shape{};
  shape.path = scan_path(state.tuning, desc);
  shape.tile = scan_tile(state.tuning, size / 4, input_size(desc));
  shape.max_parts = scan_max_tiles(shape.tile, desc.count.max);
  if (shape.path == ScanPath::one_group) {
    shape.tile.workgroup_size = state.largest_workgroup;
    shape.max_parts = 1;
  } else if (shape.path == ScanPath::look_back) {
    shape.state_offset =
        grid_is_indirect(desc.count, scan_items_per_group(shape.tile)) ? kGridScratchBytes : 0;
    shape.need.bytes = shape.state_offset + lookback_bytes(shape.max_parts, size / 4);
  } else {
    shape.max_parts =
        scan_groups(state.tuning, shape.tile, state.tuning.scan_rows, shape.max_parts, kRowTurns);
    const std::uint64_t strips_per_group = shape.tile.workgroup_size / kSmallestSubgroup;
    shape.need.bytes = VKP_SCAN_FOLDS_OFFSET + shape.max_parts * (1 + strips_per_group) * size;
  }
  if (desc.count.max == 0) shape.need.bytes = 0;
  return shape;
}

struct ScanPipelines {
  VkPipeline fold = VK_NULL_HANDLE;  // for the schedule in strips only
  VkPipeline scan = VK_NULL_HANDLE;
};

Status get_pipelines(DeviceState& state, const ScanDesc& desc, const Shape& shape, bool in_place,
                     bool aligned, bool may_compile, ScanPipelines& pipelines) {
  const FoldType type = fold_type(desc.type);
  Specialization constants = scan_specialization(desc, shape.tile, state.tuning.scan_rows, aligned);
  constants.own[VKP_SCAN_SPEC_ITEM_BYTES - VKP_SPEC_FIRST_OWN] =
      desc.input == ScanInput::as_type ? 0 : input_size(desc);
  const Spirv* spirv = kStrips[type];
  if (shape.path == ScanPath::look_back) {
    constants.lookback = lookback_constants(state, in_place);
    spirv = kLookBack[lookback_is_wide(state)][type];
  }
  VKPRIMS_TRY(state.pipelines.get(state.vk, *spirv, constants, may_compile, pipelines.scan));
  if (shape.path != ScanPath::strips) return {};
  constants.row_words = 4;  // of the output, which this kernel does not write
  return state.pipelines.get(state.vk, *kFoldStrips[type], constants, may_compile, pipelines.fold);
}

}  // namespace

ScratchNeed scan_scratch(const Device& device, const ScanDesc& desc) {
  if (!device || !check_scan_desc("scan", *device.state(), desc)) return {};
  return shape_of(*device.state(), desc).need;
}

Status record_scan(VkCommandBuffer cmd, const Device& device, const ScanDesc& desc,
                   const ScanBuffers& buffers) {
  VKPRIMS_RECORD_CALL("scan", cmd, device);
  DeviceState& state = *device.state();
  VKPRIMS_TRY(check_scan_desc("scan", state, desc));
  const Shape shape = shape_of(state, desc);
  const std::uint32_t size = size_of(desc.type);
  const VkDeviceSize out_bytes = desc.count.max * size;
  const VkDeviceSize in_bytes = desc.count.max * input_size(desc);
  const bool in_place =
      desc.input == ScanInput::as_type && buffers.in.address == buffers.out.address;
  const Argument in{"in", buffers.in, in_bytes, input_size(desc), false};
  VKPRIMS_TRY(check_arguments(
      "scan", {in, argument_of(desc.count), argument_of("initial", desc.initial, size),
               argument_of(buffers.scratch, shape.need)}));
  VKPRIMS_TRY(check_arguments("scan", {in_place ? Argument{} : in,
                                       {"out", buffers.out, out_bytes, size, true},
                                       argument_of(desc.count),
                                       argument_of("initial", desc.initial, size),
                                       argument_of(buffers.scratch, shape.need)}));
  if (desc.count.max == 0) return {};

  const bool may_compile = state.info.pipelines == PipelinePolicy::lazy;
  const std::uint32_t head = cell_head(buffers.in.address, input_size(desc), size / 4);
  const bool aligned = (buffers.out.address - head * size) % 16 == 0;
  ScanPipelines pipelines;
  VKPRIMS_TRY(get_pipelines(state, desc, shape, in_place, aligned, may_compile, pipelines));
  Grid grid;
  Scratch states = buffers.scratch;
  if (shape.path == ScanPath::look_back) {
    VKPRIMS_TRY(make_grid(state, desc.count, scan_items_per_group(shape.tile), buffers.scratch,
                          may_compile, grid));
    states.offset += shape.state_offset;
    states.address += shape.state_offset;
  } else {
    grid.groups = shape.max_parts;
  }
  const abi::ScanPush push{.in_base = push_u64(buffers.in.address),
                           .out_base = push_u64(buffers.out.address),
                           .scratch = push_u64(states.address),
                           .count = push_count(desc.count),
                           .max_parts = static_cast<std::uint32_t>(shape.max_parts),
                           .has_initial = desc.initial.given(),
                           .initial = push_value(desc.initial, desc.type)};
  const VkDeviceSize state_bytes = shape.need.bytes - shape.state_offset;

  CommandStream stream(state, cmd);
  if (shape.path == ScanPath::look_back) {
    constexpr Independent kOtherMemory{"the size of the grid lies before the states"};
    stream.prepare(grid);
    stream.fill(states, 0, state_bytes, 0, &kOtherMemory);
  }
  if (shape.path == ScanPath::strips) {
    stream.fill(states, 0, 4, 0);
    stream.dispatch(pipelines.fold, push, grid,
                    {reads(desc.count), reads(desc.initial, size),
                     reads(buffers.in.address, in_bytes), writes(states.address, state_bytes)});
  }
  stream.dispatch(
      pipelines.scan, push, grid,
      {reads(desc.count), reads(desc.initial, size), reads(buffers.in.address, in_bytes),
       writes(states.address, state_bytes), writes(buffers.out.address, out_bytes)});
  return {};
}

Status warm_up(const Device& device, const ScanDesc& desc) {
  VKPRIMS_WARM_UP_CALL("scan", device);
  DeviceState& state = *device.state();
  VKPRIMS_TRY(check_scan_desc("scan", state, desc));
  for (const std::uint64_t count : {std::uint64_t{1}, kMaxCount}) {
    ScanDesc any = desc;
    any.count.max = count;
    const Shape shape = shape_of(state, any);
    for (const bool in_place : {false, true}) {
      if (in_place && desc.input != ScanInput::as_type) continue;
      for (const bool aligned : {false, true}) {
        ScanPipelines pipelines;
        VKPRIMS_TRY(get_pipelines(state, any, shape, in_place, aligned, true, pipelines));
      }
    }
    Grid grid;
    VKPRIMS_TRY(make_grid(state, any.count, scan_items_per_group(shape.tile), {}, true, grid));
  }
  return {};
}

}  // namespace vkprims
