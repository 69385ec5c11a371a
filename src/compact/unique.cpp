// The host side of the primitive unique.
#include "blocks/key_type.hpp"
#include "compact/compact.hpp"

namespace vkprims {

Status make_compaction(const UniqueDesc& desc, Compaction& c) {
  const std::uint32_t bytes = desc.value_bytes;
  if (bytes != 0 && bytes != 4 && bytes != 8 && bytes != 16) {
    return Status::error(Status::invalid_argument,
                         "unique: value_bytes is %u, must be 0, 4, 8 or 16", bytes);
  }
  VKPRIMS_TRY(check_enum("unique", "float_order", desc.float_order, FloatOrder::by_bits));
  c = {.primitive = "unique",
       .type = desc.type,
       .item_bytes = size_of(desc.type),
       .source = VKP_COMPACT_HEADS,
       .by_value = by_value(desc.type, desc.float_order),
       .count = desc.count,
       .index_width = desc.index_width,
       .value_bytes = bytes,
       .schedule = desc.schedule};
  return check_compaction(c);
}

ScratchNeed unique_scratch(const Device& device, const UniqueDesc& desc) {
  return compaction_scratch(device, desc);
}

Status record_unique(VkCommandBuffer cmd, const Device& device, const UniqueDesc& desc,
                     const UniqueBuffers& buffers) {
  return record_compaction("unique", cmd, device, desc,
                           {.in = buffers.in,
                            .out = buffers.out,
                            .indices = buffers.indices,
                            .values_in = buffers.values_in,
                            .values_out = buffers.values_out,
                            .count_name = "unique_count",
                            .count = buffers.unique_count,
                            .scratch = buffers.scratch});
}

Status warm_up(const Device& device, const UniqueDesc& desc) {
  return warm_up_compaction("unique", device, desc);
}

}  // namespace vkprims
