// The host side of the primitive run_length_encode.
#include "vkprims/run_length_encode.hpp"

#include "compact/reduce_runs.hpp"

namespace vkprims {
namespace {

Status make_sums(const DeviceState& state, const RunLengthEncodeDesc& desc, RunSums& sums) {
  VKPRIMS_TRY(check_type("run_length_encode", desc.type));
  VKPRIMS_TRY(check_enum("run_length_encode", "length_width", desc.length_width, IndexWidth::u64));
  const bool wide = desc.length_width == IndexWidth::u64;
  if (wide && !state.info.enabled.int64) {
    return Status::error(Status::unsupported,
                         "run_length_encode: length_width is u64, but the device was created "
                         "without int64 (shaderInt64)");
  }
  sums = {.primitive = "run_length_encode",
          .key = desc.type,
          .float_order = desc.float_order,
          .values = {.type = wide ? Type::u64 : Type::u32,
                     .count = desc.count,
                     .schedule = desc.schedule},
          .ones = true};
  return check_run_sums(state, sums);
}

}  // namespace

ScratchNeed run_length_encode_scratch(const Device& device, const RunLengthEncodeDesc& desc) {
  RunSums sums;
  if (!device || !make_sums(*device.state(), desc, sums)) return {};
  return run_sums_scratch(*device.state(), sums);
}

Status record_run_length_encode(VkCommandBuffer cmd, const Device& device,
                                const RunLengthEncodeDesc& desc,
                                const RunLengthEncodeBuffers& buffers) {
  return record_call("run_length_encode", cmd, device, [&](Commands& commands) {
    RunSums sums;
    VKPRIMS_TRY(make_sums(commands.state(), desc, sums));
    const RunSumsBuffers views{.keys = buffers.in,
                               .out_keys = buffers.out,
                               .out = buffers.lengths,
                               .run_count = buffers.run_count,
                               .keys_name = "in",
                               .out_keys_name = "out",
                               .out_name = "lengths",
                               .scratch = buffers.scratch};
    VKPRIMS_TRY(check_buffers(commands.state(), sums, views));
    return add_run_sums(commands, sums, views);
  });
}

Status warm_up(const Device& device, const RunLengthEncodeDesc& desc) {
  return warm_up_call("run_length_encode", device, [&](Commands& commands) {
    RunSums sums;
    VKPRIMS_TRY(make_sums(commands.state(), desc, sums));
    return warm_up_run_sums(commands, sums);
  });
}

}  // namespace vkprims
