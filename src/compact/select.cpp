// The host side of the primitive select.
#include "vkprims/select.hpp"

#include "compact/compact.hpp"
#include "runtime/validate.hpp"

namespace vkprims {
namespace {

Status make_compaction(const SelectDesc& desc, Compaction& c) {
  c = {.primitive = "select", .index_width = desc.index_width};
  VKPRIMS_TRY(choose(desc, c));
  return check_compaction(c);
}

}  // namespace

ScratchNeed select_scratch(const Device& device, const SelectDesc& desc) {
  Compaction c;
  if (!device || !make_compaction(desc, c)) return {};
  return compaction_scratch(*device.state(), c);
}

Status record_select(VkCommandBuffer cmd, const Device& device, const SelectDesc& desc,
                     const SelectBuffers& buffers) {
  VKPRIMS_RECORD_CALL("select", cmd, device);
  Compaction c;
  VKPRIMS_TRY(make_compaction(desc, c));
  return record_compaction(cmd, *device.state(), c,
                           {.in = buffers.in,
                            .flags = buffers.flags,
                            .out = buffers.out,
                            .indices = buffers.indices,
                            .count_name = "selected_count",
                            .count = buffers.selected_count,
                            .scratch = buffers.scratch});
}

Status warm_up(const Device& device, const SelectDesc& desc) {
  VKPRIMS_WARM_UP_CALL("select", device);
  Compaction c;
  VKPRIMS_TRY(make_compaction(desc, c));
  return warm_up_compaction(*device.state(), c);
}

}  // namespace vkprims
