// The host side of the primitive scan_by_key.
#include "vkprims/scan_by_key.hpp"

#include "runtime/validate.hpp"
#include "scan/segments.hpp"

namespace vkprims {
namespace {

Status check_desc(const DeviceState& state, const ScanByKeyDesc& desc) {
  VKPRIMS_TRY(check_enum("scan_by_key", "key", desc.key, Type::f64));
  VKPRIMS_TRY(check_enum("scan_by_key", "float_order", desc.float_order, FloatOrder::by_bits));
  VKPRIMS_TRY(check_no_conversion("scan_by_key", fold_of(desc)));
  return check_scan_desc("scan_by_key", state, scan_desc(desc));
}

}  // namespace

ScratchNeed scan_by_key_scratch(const Device& device, const ScanByKeyDesc& desc) {
  if (!device || !check_desc(*device.state(), desc)) return {};
  return segment_scan(*device.state(), scan_desc(desc), heads_of(desc.key, desc.float_order)).need;
}

Status record_scan_by_key(VkCommandBuffer cmd, const Device& device, const ScanByKeyDesc& desc,
                          const ScanByKeyBuffers& buffers) {
  return record_call("scan_by_key", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(commands.state(), desc));
    const SegmentScan scan =
        segment_scan(commands.state(), scan_desc(desc), heads_of(desc.key, desc.float_order));
    const Fold fold = fold_of(desc);
    const std::uint32_t size = fold.bytes(), key_size = size_of(desc.key);
    const VkDeviceSize bytes = desc.count.max * size, key_bytes = desc.count.max * key_size;
    const Operand run_count =
        operand_of_u64("run_count", buffers.run_count, buffers.run_count.address != 0);
    VKPRIMS_TRY(check_operands(
        "scan_by_key", {{"keys", buffers.keys, key_bytes, key_size, false},
                        {"in", buffers.in, bytes, fold.alignment(), false},
                        in_place_of("in", {"out", buffers.out, bytes, fold.alignment(), true}),
                        operand_of(desc.count),
                        operand_of("initial", desc.initial, size),
                        run_count,
                        operand_of(buffers.scratch, scan.need)}));
    if (desc.count.max == 0 && !run_count.need) return Status();

    Grid grid = segment_scan_grid(scan, buffers.scratch);
    VKPRIMS_TRY(commands.prepare(grid));
    VKPRIMS_TRY(clear_segment_scan(commands, scan, buffers.scratch, beside(grid)));
    const BufferView keys{buffers.keys.address, key_bytes};
    return add_segment_scan(
        commands, scan, {buffers.in, buffers.out, keys, buffers.scratch, buffers.run_count}, grid);
  });
}

Status warm_up(const Device& device, const ScanByKeyDesc& desc) {
  return warm_up_call("scan_by_key", device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(commands.state(), desc));
    const Heads heads = heads_of(desc.key, desc.float_order);
    VKPRIMS_TRY(warm_up_segment_scan(commands, scan_desc(desc), heads, false));
    return warm_up_segment_scan(commands, scan_desc(desc), heads, true);
  });
}

}  // namespace vkprims
