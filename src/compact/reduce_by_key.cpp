// The host side of the primitive reduce_by_key.
#include "vkprims/reduce_by_key.hpp"

#include "compact/reduce_runs.hpp"

namespace vkprims {
namespace {

RunSums run_sums(const ReduceByKeyDesc& desc) {
  return {.primitive = "reduce_by_key",
          .key = desc.key,
          .float_order = desc.float_order,
          .values = {.type = desc.type,
                     .op = desc.op,
                     .own = desc.own,
                     .count = desc.count,
                     .schedule = desc.schedule,
                     .determinism = desc.determinism}};
}

}  // namespace

ScratchNeed reduce_by_key_scratch(const Device& device, const ReduceByKeyDesc& desc) {
  if (!device || !check_run_sums(*device.state(), run_sums(desc))) return {};
  return run_sums_scratch(*device.state(), run_sums(desc));
}

Status record_reduce_by_key(VkCommandBuffer cmd, const Device& device, const ReduceByKeyDesc& desc,
                            const ReduceByKeyBuffers& buffers) {
  return record_call("reduce_by_key", cmd, device, [&](Commands& commands) {
    const RunSums sums = run_sums(desc);
    const RunSumsBuffers views{.keys = buffers.keys,
                               .in = buffers.in,
                               .out_keys = buffers.out_keys,
                               .out = buffers.out,
                               .run_count = buffers.run_count,
                               .keys_name = "keys",
                               .out_keys_name = "out_keys",
                               .out_name = "out",
                               .scratch = buffers.scratch};
    VKPRIMS_TRY(check_run_sums(commands.state(), sums));
    VKPRIMS_TRY(check_buffers(commands.state(), sums, views));
    return add_run_sums(commands, sums, views);
  });
}

Status warm_up(const Device& device, const ReduceByKeyDesc& desc) {
  return warm_up_call("reduce_by_key", device, [&](Commands& commands) {
    VKPRIMS_TRY(check_run_sums(commands.state(), run_sums(desc)));
    return warm_up_run_sums(commands, run_sums(desc));
  });
}

}  // namespace vkprims
