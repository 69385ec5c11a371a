// The host side of the primitive segmented_scan.
#include "vkprims/segmented_scan.hpp"

#include "blocks/tile.hpp"
#include "runtime/arithmetic.hpp"
#include "runtime/scratch_layout.hpp"
#include "scan/segment_bits.hpp"
#include "scan/segments.hpp"

namespace vkprims {
namespace {

// Offsets are turned into bits in scratch.
Heads heads_of(const SegmentedScanDesc& desc) {
  return desc.form == SegmentForm::flags ? Heads::bytes : Heads::bits;
}

std::uint32_t segments_alignment(const SegmentedScanDesc& desc) {
  if (desc.form == SegmentForm::offsets) return size_of(desc.offset_width);
  return desc.form == SegmentForm::flags ? 1 : 4;
}

VkDeviceSize segments_bytes(const SegmentedScanDesc& desc) {
  if (desc.count.max == 0) return 0;
  if (desc.form == SegmentForm::flags) return desc.count.max;
  if (desc.form == SegmentForm::bits) return mask_bytes(desc.count.max);
  return desc.segments.max ? (desc.segments.max + 1) * size_of(desc.offset_width) : 0;
}

Status check_desc(const DeviceState& state, const SegmentedScanDesc& desc) {
  VKPRIMS_TRY(check_no_conversion("segmented_scan", fold_of(desc)));
  VKPRIMS_TRY(check_scan_desc("segmented_scan", state, scan_desc(desc)));
  VKPRIMS_TRY(check_enum("segmented_scan", "form", desc.form, SegmentForm::bits));
  if (desc.form != SegmentForm::offsets) return {};
  VKPRIMS_TRY(check_enum("segmented_scan", "offset_width", desc.offset_width, IndexWidth::u64));
  return check_count("segmented_scan", desc.segments, "segments");
}

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
  layout.grid_offset = round_up(layout.need.bytes, 16);
  layout.bits_offset = layout.grid_offset;
  layout.bits_offset += grid_need(segment_bits_grid(state.tuning, desc.segments)).bytes;
  layout.need.bytes = layout.bits_offset + mask_bytes(desc.count.max);
  return layout;
}

Status check_buffers(const SegmentedScanDesc& desc, const Layout& layout,
                     const SegmentedScanBuffers& buffers) {
  const Fold fold = fold_of(desc);
  const std::uint32_t size = fold.bytes();
  const VkDeviceSize bytes = desc.count.max * size;
  const bool offsets = desc.form == SegmentForm::offsets;
  return check_operands(
      "segmented_scan",
      {{"in", buffers.in, bytes, fold.alignment(), false},
       {"segments", buffers.segments, segments_bytes(desc), segments_alignment(desc), false, "",
        offsets ? "segments + 1" : "the count"},
       in_place_of("in", {"out", buffers.out, bytes, fold.alignment(), true}),
       operand_of(desc.count),
       offsets ? operand_of(desc.segments, "segments") : Operand{},
       operand_of("initial", desc.initial, size),
       operand_of(buffers.scratch, layout.need)});
}

SegmentBits bits_of(const SegmentedScanDesc& desc, const BufferView& offsets,
                    const BufferView& bits) {
  return {desc.segments, desc.offset_width, desc.count, offsets, bits};
}

}  // namespace

ScratchNeed segmented_scan_scratch(const Device& device, const SegmentedScanDesc& desc) {
  if (!device || !check_desc(*device.state(), desc)) return {};
  return layout_of(*device.state(), desc).need;
}

Status record_segmented_scan(VkCommandBuffer cmd, const Device& device,
                             const SegmentedScanDesc& desc, const SegmentedScanBuffers& buffers) {
  return record_call("segmented_scan", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(commands.state(), desc));
    const Layout layout = layout_of(commands.state(), desc);
    VKPRIMS_TRY(check_buffers(desc, layout, buffers));
    if (desc.count.max == 0) return Status();

    const Scratch& scratch = buffers.scratch;
    const BufferView segments{buffers.segments.address, segments_bytes(desc)};
    SegmentScanViews views{buffers.in, buffers.out, segments, scratch};
    Grid grid = segment_scan_grid(layout.scan, scratch);
    if (desc.form != SegmentForm::offsets) {
      VKPRIMS_TRY(commands.prepare(grid));
      VKPRIMS_TRY(clear_segment_scan(commands, layout.scan, scratch, beside(grid)));
      return add_segment_scan(commands, layout.scan, views, grid);
    }
    views.heads = {scratch.address + layout.bits_offset, mask_bytes(desc.count.max)};
    Grid offsets_grid =
        segment_bits_grid(commands.tuning(), desc.segments, part_of(scratch, layout.grid_offset));
    VKPRIMS_TRY(commands.prepare(offsets_grid));
    constexpr Independent kOtherMemory{"states and bits are disjoint parts of scratch"};
    const bool has_states = layout.scan.path != ScanPath::alone;
    VKPRIMS_TRY(clear_segment_scan(commands, layout.scan, scratch, beside(offsets_grid)));
    VKPRIMS_TRY(commands.fill(scratch, layout.bits_offset, views.heads.bytes, 0,
                              has_states ? &kOtherMemory : beside(offsets_grid)));
    VKPRIMS_TRY(add_segment_bits(commands, bits_of(desc, segments, views.heads), offsets_grid));
    return add_segment_scan(commands, layout.scan, views, grid);
  });
}

Status warm_up(const Device& device, const SegmentedScanDesc& desc) {
  return warm_up_call("segmented_scan", device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(commands.state(), desc));
    if (desc.form == SegmentForm::offsets) {
      Count any = desc.segments;
      any.max = kMaxCount;
      const Grid grid = segment_bits_grid(commands.tuning(), any);
      VKPRIMS_TRY(add_segment_bits(commands, bits_of(desc, {}, {}), grid));
    }
    return warm_up_segment_scan(commands, scan_desc(desc), heads_of(desc), false);
  });
}

}  // namespace vkprims
