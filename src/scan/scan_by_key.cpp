// The host side of the primitive scan_by_key.
#include "vkprims/scan_by_key.hpp"

#include "scan/segments.hpp"
#include "runtime/validate.hpp"

namespace vkprims {
namespace {

Status check_desc(const DeviceState& state, const ScanByKeyDesc& desc) {
  VKPRIMS_TRY(check_enum("scan_by_key", "key", desc.key, Type::f64));
  VKPRIMS_TRY(check_enum("scan_by_key", "float_order", desc.float_order, FloatOrder::by_bits));
  return check_scan_desc("scan_by_key", state, scan_desc(desc));
}

}  // namespace

ScratchNeed scan_by_key_scratch(const Device& device, const ScanByKeyDesc& desc) {
  if (!device || !check_desc(*device.state(), desc)) return {};
  return segment_scan(*device.state(), scan_desc(desc), heads_of(desc.key, desc.float_order)).need;
}

Status record_scan_by_key(VkCommandBuffer cmd, const Device& device, const ScanByKeyDesc& desc,
                          const ScanByKeyBuffers& buffers) {
  VKPRIMS_RECORD_CALL("scan_by_key", cmd, device);
  DeviceState& state = *device.state();
  VKPRIMS_TRY(check_desc(state, desc));
  const SegmentScan scan =
      segment_scan(state, scan_desc(desc), heads_of(desc.key, desc.float_order));
  const std::uint32_t size = size_of(desc.type), key_size = size_of(desc.key);
  const VkDeviceSize bytes = desc.count.max * size, key_bytes = desc.count.max * key_size;
  const bool in_place = buffers.in.address == buffers.out.address;
  const Argument in{"in", buffers.in, bytes, size, false};
  VKPRIMS_TRY(check_arguments("scan_by_key", {in, argument_of(buffers.scratch, scan.need)}));
  VKPRIMS_TRY(check_arguments("scan_by_key", {{"keys", buffers.keys, key_bytes, key_size, false},
                                              in_place ? Argument{} : in,
                                              {"out", buffers.out, bytes, size, true},
                                              argument_of(desc.count),
                                              argument_of("initial", desc.initial, size),
                                              argument_of(buffers.scratch, scan.need)}));
  if (desc.count.max == 0) return {};

  SegmentScanCommands commands;
  VKPRIMS_TRY(commands.get(
      state, scan, {buffers.in, buffers.out, {buffers.keys.address, key_bytes}, buffers.scratch},
      state.info.pipelines == PipelinePolicy::lazy));
  constexpr Independent kOtherMemory{"the size of the grid lies before the states"};
  CommandStream stream(state, cmd);
  stream.prepare(commands.grid());
  commands.clear(stream, &kOtherMemory);
  commands.dispatch(stream);
  return {};
}

Status warm_up(const Device& device, const ScanByKeyDesc& desc) {
  VKPRIMS_WARM_UP_CALL("scan_by_key", device);
  VKPRIMS_TRY(check_desc(*device.state(), desc));
  return warm_up_segment_scan(*device.state(), scan_desc(desc),
                              heads_of(desc.key, desc.float_order));
}

}  // namespace vkprims
