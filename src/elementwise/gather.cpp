// The host side of the primitive gather.
#include "vkprims/gather.hpp"

#include <cstring>

#include "elementwise/gather/gather.abi.h"
#include "blocks/indexed.hpp"
#include "runtime/push.hpp"
#include "runtime/record.hpp"
#include "spirv/gather.hpp"

namespace vkprims {
namespace {

Status check_desc(const GatherDesc& desc) {
  VKPRIMS_TRY(check_element_bytes("gather", desc.element_bytes));
  VKPRIMS_TRY(check_indexed("gather", desc, "source_count", desc.source_count));
  if (desc.out_of_range != OutOfRange::fill) return {};
  VKPRIMS_TRY(check_kind("gather", desc.kind, desc.element_bytes));
  return check_value("gather", "fill", desc.fill, desc.kind, desc.element_bytes);
}

Status get_pipeline(DeviceState& state, const GatherDesc& desc, bool aligned, bool may_compile,
                    VkPipeline& pipeline) {
  return state.pipelines.get(state.vk, spirv::gather,
                             indexed_specialization(state.tuning, desc.element_bytes,
                                                    desc.index_width, desc.out_of_range, aligned),
                             may_compile, pipeline);
}

}  // namespace

ScratchNeed gather_scratch(const Device& device, const GatherDesc& desc) {
  if (!device || !check_desc(desc)) return {};
  const std::uint64_t items = indexed_items_per_tile(device.state()->tuning, desc.element_bytes);
  return {grid_is_indirect(desc.count, items) ? kGridScratchBytes : 0};
}

Status record_gather(VkCommandBuffer cmd, const Device& device, const GatherDesc& desc,
                     const GatherBuffers& buffers) {
  VKPRIMS_RECORD_CALL("gather", cmd, device);
  DeviceState& state = *device.state();
  VKPRIMS_TRY(check_desc(desc));
  const ScratchNeed need = gather_scratch(device, desc);
  VKPRIMS_TRY(check_report("gather", buffers.report, desc.out_of_range));
  const std::uint32_t size = desc.element_bytes;
  const bool fills = desc.out_of_range == OutOfRange::fill;
  const VkDeviceSize in_bytes = desc.source_count * size;
  const VkDeviceSize out_bytes = desc.count.max * size;
  const std::uint32_t index_size = size_of(desc.index_width);
  const VkDeviceSize index_bytes = desc.count.max * index_size;
  const Value fill = fills ? element_value(desc.fill, desc.kind, desc.element_bytes) : Value();
  VKPRIMS_TRY(
      check_arguments("gather", {{"in", buffers.in, in_bytes, size, false, "", "source_count"},
                                 {"indices", buffers.indices, index_bytes, index_size, false},
                                 {"out", buffers.out, out_bytes, size, true},
                                 argument_of_report(buffers.report),
                                 argument_of(desc.count),
                                 argument_of("fill", fill, size),
                                 argument_of(buffers.scratch, need)}));
  if (desc.count.max == 0) return {};

  const bool may_compile = state.info.pipelines == PipelinePolicy::lazy;
  const bool aligned =
      indexed_is_aligned(size, desc.index_width, buffers.out.address, buffers.indices.address);
  VkPipeline pipeline;
  VKPRIMS_TRY(get_pipeline(state, desc, aligned, may_compile, pipeline));
  OldGrid grid;
  VKPRIMS_TRY(make_grid(state, desc.count, indexed_items_per_tile(state.tuning, size),
                        buffers.scratch, may_compile, grid));

  abi::GatherPush push{.in_base = push_u64(buffers.in.address),
                       .index_base = push_u64(buffers.indices.address),
                       .out_base = push_u64(buffers.out.address),
                       .report = push_u64(buffers.report.address),
                       .count = push_count(desc.count),
                       .source_count = push_u64(desc.source_count),
                       .fill_address = push_u64(fill.address),
                       .fill = {}};
  std::memcpy(push.fill, fill.words, size);
  CommandStream stream(state, cmd);
  stream.dispatch(
      pipeline, push, grid,
      {reads(desc.count), reads(fill, size), reads(buffers.in.address, in_bytes),
       reads(buffers.indices.address, index_bytes), writes(buffers.out.address, out_bytes),
       writes(buffers.report.address, report_bytes(buffers.report))});
  return {};
}

Status warm_up(const Device& device, const GatherDesc& desc) {
  VKPRIMS_WARM_UP_CALL("gather", device);
  VKPRIMS_TRY(check_desc(desc));
  DeviceState& state = *device.state();
  VkPipeline pipeline;
  VKPRIMS_TRY(get_pipeline(state, desc, true, true, pipeline));
  VKPRIMS_TRY(get_pipeline(state, desc, false, true, pipeline));
  OldGrid grid;
  return make_grid(state, desc.count, indexed_items_per_tile(state.tuning, desc.element_bytes), {},
                   true, grid);
}

}  // namespace vkprims
