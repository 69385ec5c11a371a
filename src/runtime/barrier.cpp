// record_barrier: what one primitive wrote becomes visible to the next.
#include "runtime/device_state.hpp"
#include "runtime/validate.hpp"

namespace vkprims {

Status record_barrier(VkCommandBuffer cmd, const Device& device, BarrierBefore before) {
  VKPRIMS_TRY(check_recording("barrier", cmd, device));
  if (device.state()->pipelines.only_notes()) return {};
  constexpr VkPipelineStageFlags kStages =
      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
  constexpr VkAccessFlags kWrites = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  VkPipelineStageFlags to = kStages;
  VkAccessFlags accesses = kWrites | VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT;
  if (before == BarrierBefore::compute_and_indirect) {
    to |= VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT;
    accesses |= VK_ACCESS_INDIRECT_COMMAND_READ_BIT;
  }
  const VkMemoryBarrier memory{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                               .srcAccessMask = kWrites,
                               .dstAccessMask = accesses};
  device.state()->vk.vkCmdPipelineBarrier(cmd, kStages, to, 0, 1, &memory, 0, nullptr, 0, nullptr);
  return {};
}

}  // namespace vkprims
