// The host side of the primitive partition.
#include "vkprims/partition.hpp"

#include "compact/compact.hpp"
#include "runtime/validate.hpp"

namespace vkprims {
namespace {

Status make_compaction(const PartitionDesc& desc, Compaction& c) {
  c = {.primitive = "partition", .rejected = true, .one_output = desc.one_output};
  VKPRIMS_TRY(choose(desc, c));
  return check_compaction(c);
}

}  // namespace

ScratchNeed partition_scratch(const Device& device, const PartitionDesc& desc) {
  Compaction c;
  if (!device || !make_compaction(desc, c)) return {};
  return compaction_scratch(*device.state(), c);
}

Status record_partition(VkCommandBuffer cmd, const Device& device, const PartitionDesc& desc,
                        const PartitionBuffers& buffers) {
  VKPRIMS_RECORD_CALL("partition", cmd, device);
  Compaction c;
  VKPRIMS_TRY(make_compaction(desc, c));
  return record_compaction(cmd, *device.state(), c,
                           {.in = buffers.in,
                            .flags = buffers.flags,
                            .out = buffers.out,
                            .rejected = buffers.rejected,
                            .count_name = "selected_count",
                            .count = buffers.selected_count,
                            .scratch = buffers.scratch});
}

Status warm_up(const Device& device, const PartitionDesc& desc) {
  VKPRIMS_WARM_UP_CALL("partition", device);
  Compaction c;
  VKPRIMS_TRY(make_compaction(desc, c));
  return warm_up_compaction(*device.state(), c);
}

}  // namespace vkprims
