// The host side of the primitive select.
#include "compact/compact.hpp"

namespace vkprims {

Status make_compaction(const SelectDesc& desc, Compaction& c) {
  c = {.primitive = "select", .index_width = desc.index_width};
  VKPRIMS_TRY(choose(desc, c));
  return check_compaction(c);
}

ScratchNeed select_scratch(const Device& device, const SelectDesc& desc) {
  return compaction_scratch(device, desc);
}

Status record_select(VkCommandBuffer cmd, const Device& device, const SelectDesc& desc,
                     const SelectBuffers& buffers) {
  return record_compaction("select", cmd, device, desc,
                           {.in = buffers.in,
                            .flags = buffers.flags,
                            .out = buffers.out,
                            .indices = buffers.indices,
                            .count_name = "selected_count",
                            .count = buffers.selected_count,
                            .scratch = buffers.scratch});
}

Status warm_up(const Device& device, const SelectDesc& desc) {
  return warm_up_compaction("select", device, desc);
}

}  // namespace vkprims
