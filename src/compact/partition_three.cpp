// The host side of the primitive partition_three.
#include "vkprims/partition_three.hpp"

#include "compact/compact.hpp"

namespace vkprims {

Status make_compaction(const PartitionThreeDesc& desc, Compaction& c) {
  c = {.primitive = "partition_three",
       .source = VKP_COMPACT_OWN,
       .operand = desc.arguments,
       .own = desc.own,
       .count = desc.count,
       .schedule = desc.schedule,
       .three = true};
  if (!desc.own) {
    return Status::error(Status::invalid_argument,
                         "partition_three: own is null, must be the function that says where "
                         "elements go");
  }
  c.item_bytes = desc.own->bytes;
  return check_compaction(c);
}

ScratchNeed partition_three_scratch(const Device& device, const PartitionThreeDesc& desc) {
  return compaction_scratch(device, desc);
}

Status record_partition_three(VkCommandBuffer cmd, const Device& device,
                              const PartitionThreeDesc& desc,
                              const PartitionThreeBuffers& buffers) {
  return record_compaction("partition_three", cmd, device, desc,
                           {.in = buffers.in,
                            .out = buffers.first,
                            .rejected = buffers.third,
                            .indices = buffers.second,
                            .count_name = "counts",
                            .count = buffers.counts,
                            .scratch = buffers.scratch});
}

Status warm_up(const Device& device, const PartitionThreeDesc& desc) {
  return warm_up_compaction("partition_three", device, desc);
}

}  // namespace vkprims
