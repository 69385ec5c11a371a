#include <cinttypes>

#include "runtime/device_state.hpp"
#include "runtime/validate.hpp"
#include "vkprims/device.hpp"

namespace vkprims {
namespace {

// What a bit of BarrierBefore adds to the destination of a barrier.
struct Destination {
  BarrierBefore bit;
  VkPipelineStageFlags stages;
  VkAccessFlags accesses;
};
constexpr Destination kDestinations[] = {
    {BarrierBefore::indirect, VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
     VK_ACCESS_INDIRECT_COMMAND_READ_BIT},
    {BarrierBefore::vertex,
     VK_PIPELINE_STAGE_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_VERTEX_SHADER_BIT,
     VK_ACCESS_INDEX_READ_BIT | VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT | VK_ACCESS_SHADER_READ_BIT},
    {BarrierBefore::fragment, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT},
    {BarrierBefore::host, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT},
};

}  // namespace

Status record_barrier(VkCommandBuffer cmd, const Device& device, BarrierBefore before) {
  VKPRIMS_TRY(check_recording("barrier", cmd, device));
  constexpr VkPipelineStageFlags kStages =
      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
  constexpr VkAccessFlags kWrites = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  VkPipelineStageFlags to = kStages;
  VkAccessFlags accesses = kWrites | VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT;
  auto bits = static_cast<std::uint32_t>(before);
  for (const Destination& destination : kDestinations) {
    const auto bit = static_cast<std::uint32_t>(destination.bit);
    if ((bits & bit) == 0) continue;
    bits &= ~bit;
    to |= destination.stages;
    accesses |= destination.accesses;
  }
  if (bits != 0) {
    return Status::error(Status::invalid_argument,
                         "barrier: before is %" PRIu32 ", must be at most 15",
                         static_cast<std::uint32_t>(before));
  }
  if (device.state()->pipelines.only_notes()) return {};
  const VkMemoryBarrier memory{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                               .srcAccessMask = kWrites,
                               .dstAccessMask = accesses};
  device.state()->vk.vkCmdPipelineBarrier(cmd, kStages, to, 0, 1, &memory, 0, nullptr, 0, nullptr);
  return {};
}

}  // namespace vkprims
