// The host side of the primitive segmented_scan.
#include "vkprims/segmented_scan.hpp"

#include "runtime/push.hpp"
#include "scan/segments.hpp"
#include "spirv/segmented_scan_offsets.hpp"
#include "blocks/tile.hpp"
#include "runtime/validate.hpp"

namespace vkprims {
namespace {

// Offsets are turned into bits in scratch.
Heads heads_of(const SegmentedScanDesc& desc) {
  return desc.form == SegmentForm::flags ? Heads::bytes : Heads::bits;
}

VkDeviceSize bits_bytes(std::uint64_t count) { return (count / 32 + (count % 32 != 0)) * 4; }

std::uint32_t segments_alignment(const SegmentedScanDesc& desc) {
  if (desc.form == SegmentForm::offsets) return size_of(desc.offset_width);
  return desc.form == SegmentForm::flags ? 1 : 4;
}

VkDeviceSize segments_bytes(const SegmentedScanDesc& desc) {
  if (desc.count.max == 0) return 0;
  if (desc.form == SegmentForm::flags) return desc.count.max;
  if (desc.form == SegmentForm::bits) return bits_bytes(desc.count.max);
  return desc.segments.max ? (desc.segments.max + 1) * size_of(desc.offset_width) : 0;
}

Status check_desc(const DeviceState& state, const SegmentedScanDesc& desc) {
  VKPRIMS_TRY(check_scan_desc("segmented_scan", state, scan_desc(desc)));
  VKPRIMS_TRY(check_enum("segmented_scan", "form", desc.form, SegmentForm::bits));
  if (desc.form != SegmentForm::offsets) return {};
  VKPRIMS_TRY(check_enum("segmented_scan", "offset_width", desc.offset_width, IndexWidth::u64));
  return check_count("segmented_scan", desc.segments, "segments");
}

// Offsets per workgroup, less one, because there is one more offset than segments.
std::uint64_t segments_per_group(const Tuning& tuning) { return tile_bytes(tuning) / 4 - 1; }

// Scratch holds what the scan needs and then, for offsets, the size of their grid, if it is
// indirect, and bits.
struct Layout {
  SegmentScan scan;
  VkDeviceSize grid_offset = 0;
  VkDeviceSize bits_offset = 0;
  ScratchNeed need;
};

Layout layout_of(const DeviceState& state, const SegmentedScanDesc& desc) {
  Layout layout{.scan = segment_scan(state, scan_desc(desc), heads_of(desc))};
  layout.need = layout.scan.need;
  if (desc.form != SegmentForm::offsets || desc.count.max == 0) return layout;
  layout.grid_offset = (layout.need.bytes + 15) / 16 * 16;
  layout.bits_offset = layout.grid_offset;
  if (grid_is_indirect(desc.segments, segments_per_group(state.tuning))) {
    layout.bits_offset += kGridScratchBytes;
  }
  layout.need.bytes = layout.bits_offset + bits_bytes(desc.count.max);
  return layout;
}

Scratch from(const Scratch& scratch, VkDeviceSize offset) {
  return {scratch.buffer, scratch.offset + offset, scratch.address + offset,
          scratch.bytes - offset};
}

Status get_offsets_pipeline(DeviceState& state, const SegmentedScanDesc& desc, bool may_compile,
                            VkPipeline& pipeline) {
  Specialization constants = tile_specialization(state.tuning, 1);
  constants.own[VKP_SEGMENTED_SCAN_SPEC_OFFSET_WORDS - VKP_SPEC_FIRST_OWN] =
      size_of(desc.offset_width) / 4;
  return state.pipelines.get(state.vk, spirv::segmented_scan_offsets, constants, may_compile,
                             pipeline);
}

}  // namespace

ScratchNeed segmented_scan_scratch(const Device& device, const SegmentedScanDesc& desc) {
  if (!device || !check_desc(*device.state(), desc)) return {};
  return layout_of(*device.state(), desc).need;
}

Status record_segmented_scan(VkCommandBuffer cmd, const Device& device,
                             const SegmentedScanDesc& desc, const SegmentedScanBuffers& buffers) {
  VKPRIMS_RECORD_CALL("segmented_scan", cmd, device);
  DeviceState& state = *device.state();
  VKPRIMS_TRY(check_desc(state, desc));
  const Layout layout = layout_of(state, desc);
  const std::uint32_t size = size_of(desc.type);
  const VkDeviceSize bytes = desc.count.max * size, heads_bytes = segments_bytes(desc);
  const bool in_place = buffers.in.address == buffers.out.address;
  const bool offsets = desc.form == SegmentForm::offsets;
  const Argument in{"in", buffers.in, bytes, size, false};
  const Argument scratch = argument_of(buffers.scratch, layout.need);
  VKPRIMS_TRY(check_arguments("segmented_scan", {in, scratch}));
  VKPRIMS_TRY(check_arguments("segmented_scan",
                              {in_place ? Argument{} : in,
                               {"segments", buffers.segments, heads_bytes, segments_alignment(desc),
                                false, "", offsets ? "segments + 1" : "the count"},
                               {"out", buffers.out, bytes, size, true},
                               argument_of(desc.count),
                               offsets ? argument_of(desc.segments, "segments") : Argument{},
                               argument_of("initial", desc.initial, size),
                               scratch}));
  if (desc.count.max == 0) return {};

  const bool may_compile = state.info.pipelines == PipelinePolicy::lazy;
  const Scratch bits = from(buffers.scratch, layout.bits_offset);
  const VkDeviceSize bytes_of_bits = bits_bytes(desc.count.max);
  SegmentScanViews views{
      buffers.in, buffers.out, {buffers.segments.address, heads_bytes}, buffers.scratch};
  if (offsets) views.heads = {bits.address, bytes_of_bits};
  SegmentScanCommands commands;
  VKPRIMS_TRY(commands.get(state, layout.scan, views, may_compile));
  VkPipeline offsets_pipeline = VK_NULL_HANDLE;
  Grid grid;
  if (offsets) {
    VKPRIMS_TRY(get_offsets_pipeline(state, desc, may_compile, offsets_pipeline));
    VKPRIMS_TRY(make_grid(state, desc.segments, segments_per_group(state.tuning),
                          from(buffers.scratch, layout.grid_offset), may_compile, grid));
  }

  constexpr Independent kOtherMemory{
      "sizes of grids, states and bits are disjoint parts of scratch"};
  CommandStream stream(state, cmd);
  stream.prepare(offsets ? grid : commands.grid());
  commands.clear(stream, &kOtherMemory);
  if (offsets) stream.fill(bits, 0, bytes_of_bits, 0, &kOtherMemory);
  if (offsets && grid.groups != 0) {
    const abi::SegmentedScanOffsetsPush push{.offsets = push_u64(buffers.segments.address),
                                             .bits = push_u64(bits.address),
                                             .segments = push_count(desc.segments),
                                             .count = push_count(desc.count)};
    stream.dispatch(
        offsets_pipeline, push, grid,
        {reads(desc.segments), reads(desc.count), reads(buffers.segments.address, heads_bytes),
         writes(bits.address, bytes_of_bits)});
  }
  commands.dispatch(stream);
  return {};
}

Status warm_up(const Device& device, const SegmentedScanDesc& desc) {
  VKPRIMS_WARM_UP_CALL("segmented_scan", device);
  DeviceState& state = *device.state();
  VKPRIMS_TRY(check_desc(state, desc));
  if (desc.form == SegmentForm::offsets) {
    VkPipeline pipeline;
    VKPRIMS_TRY(get_offsets_pipeline(state, desc, true, pipeline));
    SegmentedScanDesc any = desc;
    any.segments.max = kMaxCount;
    Grid grid;
    VKPRIMS_TRY(make_grid(state, any.segments, segments_per_group(state.tuning), {}, true, grid));
  }
  return warm_up_segment_scan(state, scan_desc(desc), heads_of(desc));
}

}  // namespace vkprims
