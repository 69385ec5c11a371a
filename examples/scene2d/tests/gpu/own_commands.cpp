// Functions of the same names as the loader's. The renderer calls these, because a program's own
// functions come before those of a library; they tell the hazard checker what is done to buffers,
// and call the driver's. vkprims has its functions from the spy, and never comes here.
//
// Images are not looked at: they have no addresses, and the validation layer sees what is done to
// them (scene2d --check --validation). Barriers for images are not counted as any.
#include "own_commands.hpp"

#include <vulkan/vulkan.h>

#include <cstring>
#include <initializer_list>

#include "support/spy.hpp"

namespace {

using vkprims::Access;
using vkprims::test::spy;

VkDevice watched = VK_NULL_HANDLE;
VkSubpassDependency behind_pass = {};  // the barrier that the end of a render pass is
VkDeviceAddress drawn_tiles = 0;

constexpr VkAccessFlags kTransfer = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;

template <class F>
F of_driver(const char* name) {
  return reinterpret_cast<F>(vkGetDeviceProcAddr(watched, name));
}

vkprims::BufferView view_of(VkBuffer buffer, VkDeviceSize offset, VkDeviceSize bytes) {
  const VkBufferDeviceAddressInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                       .buffer = buffer};
  return {vkGetBufferDeviceAddress(watched, &info) + offset, bytes};
}

VkDeviceSize bytes_of(const VkExtent3D& extent) {  // of an image of 8 bits in each channel
  return VkDeviceSize{4} * extent.width * extent.height * extent.depth;
}

void see(const char* name, VkPipelineStageFlags stages, VkAccessFlags kinds,
         std::initializer_list<Access> accesses) {
  vkprims::test::HazardChecker& hazards = spy().hazards;
  hazards.call(name, {});  // the last call of the library has ended
  hazards.announce(accesses.begin(), accesses.size());
  hazards.command(name, stages, kinds);
}

void see_transfer(const char* name, std::initializer_list<Access> accesses) {
  see(name, VK_PIPELINE_STAGE_TRANSFER_BIT, kTransfer, accesses);
}

}  // namespace

namespace scene2d {

void watch_own_commands(VkDevice device) {
  watched = device;
  spy().clear();
}

}  // namespace scene2d

VKAPI_ATTR void VKAPI_CALL vkCmdFillBuffer(VkCommandBuffer cmd, VkBuffer buffer,
                                           VkDeviceSize offset, VkDeviceSize bytes,
                                           std::uint32_t word) {
  see_transfer("vkCmdFillBuffer", {{view_of(buffer, offset, bytes), true}});
  of_driver<PFN_vkCmdFillBuffer>("vkCmdFillBuffer")(cmd, buffer, offset, bytes, word);
}

VKAPI_ATTR void VKAPI_CALL vkCmdCopyBuffer(VkCommandBuffer cmd, VkBuffer from, VkBuffer to,
                                           std::uint32_t n, const VkBufferCopy* regions) {
  for (std::uint32_t i = 0; i < n; ++i) {
    const VkBufferCopy& region = regions[i];
    see_transfer("vkCmdCopyBuffer", {{view_of(from, region.srcOffset, region.size), false},
                                     {view_of(to, region.dstOffset, region.size), true}});
  }
  of_driver<PFN_vkCmdCopyBuffer>("vkCmdCopyBuffer")(cmd, from, to, n, regions);
}

VKAPI_ATTR void VKAPI_CALL vkCmdCopyBufferToImage(VkCommandBuffer cmd, VkBuffer from, VkImage to,
                                                  VkImageLayout layout, std::uint32_t n,
                                                  const VkBufferImageCopy* regions) {
  for (std::uint32_t i = 0; i < n; ++i) {
    const VkBufferImageCopy& region = regions[i];
    see_transfer("vkCmdCopyBufferToImage",
                 {{view_of(from, region.bufferOffset, bytes_of(region.imageExtent)), false}});
  }
  of_driver<PFN_vkCmdCopyBufferToImage>("vkCmdCopyBufferToImage")(cmd, from, to, layout, n,
                                                                  regions);
}

VKAPI_ATTR void VKAPI_CALL vkCmdCopyImageToBuffer(VkCommandBuffer cmd, VkImage from,
                                                  VkImageLayout layout, VkBuffer to,
                                                  std::uint32_t n,
                                                  const VkBufferImageCopy* regions) {
  for (std::uint32_t i = 0; i < n; ++i) {
    const VkBufferImageCopy& region = regions[i];
    see_transfer("vkCmdCopyImageToBuffer",
                 {{view_of(to, region.bufferOffset, bytes_of(region.imageExtent)), true}});
  }
  of_driver<PFN_vkCmdCopyImageToBuffer>("vkCmdCopyImageToBuffer")(cmd, from, layout, to, n,
                                                                  regions);
}

// The first of the push constants is the address of the tiles, which the vertex shader reads.
VKAPI_ATTR void VKAPI_CALL vkCmdPushConstants(VkCommandBuffer cmd, VkPipelineLayout layout,
                                              VkShaderStageFlags stages, std::uint32_t offset,
                                              std::uint32_t bytes, const void* values) {
  std::memcpy(&drawn_tiles, values, sizeof drawn_tiles);
  of_driver<PFN_vkCmdPushConstants>("vkCmdPushConstants")(cmd, layout, stages, offset, bytes,
                                                          values);
}

VKAPI_ATTR void VKAPI_CALL vkCmdDrawIndirect(VkCommandBuffer cmd, VkBuffer buffer,
                                             VkDeviceSize offset, std::uint32_t draws,
                                             std::uint32_t stride) {
  see("vkCmdDrawIndirect",
      VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_VERTEX_SHADER_BIT,
      VK_ACCESS_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_SHADER_READ_BIT,
      {{view_of(buffer, offset, sizeof(VkDrawIndirectCommand)), false, true},
       {{drawn_tiles, 4}, false}});
  of_driver<PFN_vkCmdDrawIndirect>("vkCmdDrawIndirect")(cmd, buffer, offset, draws, stride);
}

VKAPI_ATTR VkResult VKAPI_CALL vkCreateRenderPass(VkDevice device,
                                                  const VkRenderPassCreateInfo* info,
                                                  const VkAllocationCallbacks* allocator,
                                                  VkRenderPass* pass) {
  for (std::uint32_t i = 0; i < info->dependencyCount; ++i) {
    const VkSubpassDependency& dependency = info->pDependencies[i];
    if (dependency.dstSubpass == VK_SUBPASS_EXTERNAL) behind_pass = dependency;
  }
  return of_driver<PFN_vkCreateRenderPass>("vkCreateRenderPass")(device, info, allocator, pass);
}

VKAPI_ATTR void VKAPI_CALL vkCmdEndRenderPass(VkCommandBuffer cmd) {
  spy().hazards.barrier(behind_pass.srcStageMask, behind_pass.srcAccessMask,
                        behind_pass.dstStageMask, behind_pass.dstAccessMask);
  of_driver<PFN_vkCmdEndRenderPass>("vkCmdEndRenderPass")(cmd);
}

// A frame that lacks a barrier must not run; its fence is signalled all the same.
VKAPI_ATTR VkResult VKAPI_CALL vkQueueSubmit(VkQueue queue, std::uint32_t n,
                                             const VkSubmitInfo* submits, VkFence fence) {
  if (spy().skip_barrier >= 0) n = 0;
  return of_driver<PFN_vkQueueSubmit>("vkQueueSubmit")(queue, n, submits, fence);
}
