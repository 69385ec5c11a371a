// The host side of the primitive scatter.
#include "vkprims/scatter.hpp"

#include "blocks/indexed.hpp"
#include "runtime/push.hpp"
#include "runtime/record.hpp"
#include "elementwise/scatter/scatter.abi.h"
#include "spirv/scatter.hpp"

namespace vkprims {
namespace {

constexpr const char* kModes[] = {"assign", "add", "min", "max"};

std::uint32_t element_size(const ScatterDesc& desc) {
  return desc.mode == ScatterMode::assign ? desc.element_bytes : size_of(desc.type);
}

// The variant of the shader that a descriptor takes.
enum class Atomics { word32, word64, float64 };

Atomics atomics_of(const DeviceState& state, const ScatterDesc& desc) {
  if (desc.mode == ScatterMode::assign || size_of(desc.type) == 4) return Atomics::word32;
  if (desc.mode != ScatterMode::add) return Atomics::word64;
  if (desc.type == Type::f64) return Atomics::float64;
  const Features& has = state.info.enabled;
  return has.int64 && has.int64_atomics ? Atomics::word64 : Atomics::word32;
}

Status check_features(const DeviceState& state, const ScatterDesc& desc) {
  const Atomics atomics = atomics_of(state, desc);
  if (atomics == Atomics::word32) return {};
  const Features& has = state.info.enabled;
  const char* lacks = nullptr;
  if (!has.int64_atomics) lacks = "int64_atomics (shaderBufferInt64Atomics)";
  if (!has.int64) lacks = "int64 (shaderInt64)";
  if (atomics == Atomics::float64 && !has.float64) lacks = "float64 (shaderFloat64)";
  if (!lacks) return {};
  return Status::error(Status::unsupported,
                       "scatter: mode is %s of type %s, but the device was created without %s",
                       kModes[static_cast<std::uint32_t>(desc.mode)], name_of(desc.type), lacks);
}

Status check_desc(const DeviceState& state, const ScatterDesc& desc) {
  VKPRIMS_TRY(check_enum("scatter", "mode", desc.mode, ScatterMode::max));
  VKPRIMS_TRY(check_type("scatter", desc.type));
  VKPRIMS_TRY(check_element_bytes("scatter", element_size(desc)));
  VKPRIMS_TRY(check_features(state, desc));
  return check_indexed("scatter", desc, "out_count", desc.out_count);
}

Status get_pipeline(DeviceState& state, const ScatterDesc& desc, bool aligned, bool may_compile,
                    VkPipeline& pipeline) {
  constexpr const Spirv* kShaders[] = {&spirv::scatter_word32, &spirv::scatter_word64,
                                       &spirv::scatter_float64};
  const OutOfRange policy =
      desc.out_of_range == OutOfRange::fill ? OutOfRange::skip : desc.out_of_range;
  Specialization constants =
      indexed_specialization(state.tuning, element_size(desc), desc.index_width, policy, aligned);
  constants.op = static_cast<std::uint32_t>(desc.mode);
  if (desc.mode != ScatterMode::assign) {
    constants.own[VKP_SCATTER_SPEC_TYPE - VKP_SPEC_FIRST_OWN] =
        static_cast<std::uint32_t>(desc.type);
  }
  return state.pipelines.get(state.vk, *kShaders[static_cast<int>(atomics_of(state, desc))],
                             constants, may_compile, pipeline);
}

}  // namespace

ScratchNeed scatter_scratch(const Device& device, const ScatterDesc& desc) {
  if (!device || !check_desc(*device.state(), desc)) return {};
  const std::uint64_t items = indexed_items_per_tile(device.state()->tuning, element_size(desc));
  return {grid_is_indirect(desc.count, items) ? kGridScratchBytes : 0};
}

Status record_scatter(VkCommandBuffer cmd, const Device& device, const ScatterDesc& desc,
                      const ScatterBuffers& buffers) {
  VKPRIMS_RECORD_CALL("scatter", cmd, device);
  DeviceState& state = *device.state();
  VKPRIMS_TRY(check_desc(state, desc));
  const ScratchNeed need = scatter_scratch(device, desc);
  VKPRIMS_TRY(check_report("scatter", buffers.report, desc.out_of_range));
  const std::uint32_t size = element_size(desc);
  const VkDeviceSize in_bytes = desc.count.max * size;
  const VkDeviceSize out_bytes = desc.out_count * size;
  const std::uint32_t index_size = size_of(desc.index_width);
  const VkDeviceSize index_bytes = desc.count.max * index_size;
  VKPRIMS_TRY(
      check_arguments("scatter", {{"in", buffers.in, in_bytes, size, false},
                                  {"indices", buffers.indices, index_bytes, index_size, false},
                                  {"out", buffers.out, out_bytes, size, true, "", "out_count"},
                                  argument_of_report(buffers.report),
                                  argument_of(desc.count),
                                  argument_of(buffers.scratch, need)}));
  if (desc.count.max == 0) return {};

  const bool may_compile = state.info.pipelines == PipelinePolicy::lazy;
  const bool aligned =
      indexed_is_aligned(size, desc.index_width, buffers.in.address, buffers.indices.address);
  VkPipeline pipeline;
  VKPRIMS_TRY(get_pipeline(state, desc, aligned, may_compile, pipeline));
  OldGrid grid;
  VKPRIMS_TRY(make_grid(state, desc.count, indexed_items_per_tile(state.tuning, size),
                        buffers.scratch, may_compile, grid));

  const abi::ScatterPush push{.in_base = push_u64(buffers.in.address),
                              .index_base = push_u64(buffers.indices.address),
                              .out_base = push_u64(buffers.out.address),
                              .report = push_u64(buffers.report.address),
                              .count = push_count(desc.count),
                              .out_count = push_u64(desc.out_count)};
  CommandStream stream(state, cmd);
  stream.dispatch(
      pipeline, push, grid,
      {reads(desc.count), reads(buffers.in.address, in_bytes),
       reads(buffers.indices.address, index_bytes), writes(buffers.out.address, out_bytes),
       writes(buffers.report.address, report_bytes(buffers.report))});
  return {};
}

Status warm_up(const Device& device, const ScatterDesc& desc) {
  VKPRIMS_WARM_UP_CALL("scatter", device);
  DeviceState& state = *device.state();
  VKPRIMS_TRY(check_desc(state, desc));
  VkPipeline pipeline;
  VKPRIMS_TRY(get_pipeline(state, desc, true, true, pipeline));
  VKPRIMS_TRY(get_pipeline(state, desc, false, true, pipeline));
  OldGrid grid;
  return make_grid(state, desc.count, indexed_items_per_tile(state.tuning, element_size(desc)), {},
                   true, grid);
}

}  // namespace vkprims
