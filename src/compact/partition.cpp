// The host side of the primitive partition.
#include "compact/compact.hpp"

namespace vkprims {

Status make_compaction(const PartitionDesc& desc, Compaction& c) {
  c = {.primitive = "partition", .rejected = true, .one_output = desc.one_output};
  VKPRIMS_TRY(choose(desc, c));
  return check_compaction(c);
}

ScratchNeed partition_scratch(const Device& device, const PartitionDesc& desc) {
  return compaction_scratch(device, desc);
}

Status record_partition(VkCommandBuffer cmd, const Device& device, const PartitionDesc& desc,
                        const PartitionBuffers& buffers) {
  return record_compaction("partition", cmd, device, desc,
                           {.in = buffers.in,
                            .flags = buffers.flags,
                            .out = buffers.out,
                            .rejected = buffers.rejected,
                            .count_name = "selected_count",
                            .count = buffers.selected_count,
                            .scratch = buffers.scratch});
}

Status warm_up(const Device& device, const PartitionDesc& desc) {
  return warm_up_compaction("partition", device, desc);
}

}  // namespace vkprims
