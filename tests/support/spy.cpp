#include "support/spy.hpp"

#include <vulkan/vulkan.h>

#include <cstring>
#include <thread>

#include "runtime/validate.hpp"

namespace vkprims::test {
namespace {

Functions real;  // device functions behind the wrappers
PFN_vkGetDeviceProcAddr real_get_device_proc_addr;

void log(const char* name) {
  if (spy().keep_log) spy().recorded.emplace_back(name);
}

VKAPI_ATTR void VKAPI_CALL bind_pipeline(VkCommandBuffer cmd, VkPipelineBindPoint point,
                                         VkPipeline pipeline) {
  log("vkCmdBindPipeline");
  real.vkCmdBindPipeline(cmd, point, pipeline);
}

VKAPI_ATTR void VKAPI_CALL push_constants(VkCommandBuffer cmd, VkPipelineLayout layout,
                                          VkShaderStageFlags stages, std::uint32_t offset,
                                          std::uint32_t size, const void* values) {
  log("vkCmdPushConstants");
  real.vkCmdPushConstants(cmd, layout, stages, offset, size, values);
}

constexpr VkAccessFlags kShader = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;

VKAPI_ATTR void VKAPI_CALL dispatch(VkCommandBuffer cmd, std::uint32_t x, std::uint32_t y,
                                    std::uint32_t z) {
  log("vkCmdDispatch");
  spy().hazards.command("vkCmdDispatch", VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, kShader);
  real.vkCmdDispatch(cmd, x, y, z);
}

VKAPI_ATTR void VKAPI_CALL dispatch_indirect(VkCommandBuffer cmd, VkBuffer buffer,
                                             VkDeviceSize offset) {
  log("vkCmdDispatchIndirect");
  // The dispatch's arguments are among the accesses, so the stages and kinds of access of both are
  // passed.
  spy().hazards.command("vkCmdDispatchIndirect",
                        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
                        kShader | VK_ACCESS_INDIRECT_COMMAND_READ_BIT);
  real.vkCmdDispatchIndirect(cmd, buffer, offset);
}

VKAPI_ATTR void VKAPI_CALL fill_buffer(VkCommandBuffer cmd, VkBuffer buffer, VkDeviceSize offset,
                                       VkDeviceSize bytes, std::uint32_t word) {
  log("vkCmdFillBuffer");
  spy().hazards.command("vkCmdFillBuffer", VK_PIPELINE_STAGE_TRANSFER_BIT,
                        VK_ACCESS_TRANSFER_WRITE_BIT);
  real.vkCmdFillBuffer(cmd, buffer, offset, bytes, word);
}

VKAPI_ATTR void VKAPI_CALL update_buffer(VkCommandBuffer cmd, VkBuffer buffer, VkDeviceSize offset,
                                         VkDeviceSize bytes, const void* data) {
  log("vkCmdUpdateBuffer");
  spy().hazards.command("vkCmdUpdateBuffer", VK_PIPELINE_STAGE_TRANSFER_BIT,
                        VK_ACCESS_TRANSFER_WRITE_BIT);
  real.vkCmdUpdateBuffer(cmd, buffer, offset, bytes, data);
}

VKAPI_ATTR void VKAPI_CALL pipeline_barrier(VkCommandBuffer cmd, VkPipelineStageFlags from,
                                            VkPipelineStageFlags to, VkDependencyFlags flags,
                                            std::uint32_t n, const VkMemoryBarrier* barriers,
                                            std::uint32_t buffers,
                                            const VkBufferMemoryBarrier* buffer,
                                            std::uint32_t images,
                                            const VkImageMemoryBarrier* image) {
  log("vkCmdPipelineBarrier");
  spy().barrier_to = to;
  spy().barrier_to_accesses = n == 0 ? 0 : barriers[0].dstAccessMask;
  if (spy().barriers++ == spy().skip_barrier) return;
  for (std::uint32_t i = 0; i < n; ++i) {
    spy().hazards.barrier(from, barriers[i].srcAccessMask, to, barriers[i].dstAccessMask);
  }
  real.vkCmdPipelineBarrier(cmd, from, to, flags, n, barriers, buffers, buffer, images, image);
}

VKAPI_ATTR VkResult VKAPI_CALL create_pipelines(VkDevice device, VkPipelineCache cache,
                                                std::uint32_t n,
                                                const VkComputePipelineCreateInfo* infos,
                                                const VkAllocationCallbacks* allocator,
                                                VkPipeline* pipelines) {
  spy().pipelines_created += static_cast<int>(n);
  return real.vkCreateComputePipelines(device, cache, n, infos, allocator, pipelines);
}

// Remembers the real function behind a name and returns its wrapper, if it has one.
PFN_vkVoidFunction wrap(const char* name, PFN_vkVoidFunction function) {
#define VKPRIMS_WRAP(vk_name, wrapper)                        \
  if (!std::strcmp(name, #vk_name)) {                         \
    real.vk_name = reinterpret_cast<PFN_##vk_name>(function); \
    return reinterpret_cast<PFN_vkVoidFunction>(wrapper);     \
  }
  VKPRIMS_WRAP(vkCmdBindPipeline, bind_pipeline)
  VKPRIMS_WRAP(vkCmdPushConstants, push_constants)
  VKPRIMS_WRAP(vkCmdDispatch, dispatch)
  VKPRIMS_WRAP(vkCmdDispatchIndirect, dispatch_indirect)
  VKPRIMS_WRAP(vkCmdFillBuffer, fill_buffer)
  VKPRIMS_WRAP(vkCmdUpdateBuffer, update_buffer)
  VKPRIMS_WRAP(vkCmdPipelineBarrier, pipeline_barrier)
  VKPRIMS_WRAP(vkCreateComputePipelines, create_pipelines)
#undef VKPRIMS_WRAP
  return function;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device_proc_addr(VkDevice device, const char* name) {
  spy().loaded.emplace_back(name);
  return wrap(name, real_get_device_proc_addr(device, name));
}

}  // namespace

Spy& spy() {
  static Spy instance{.get_instance_proc_addr = vkGetInstanceProcAddr};
  return instance;
}

PFN_vkVoidFunction VKAPI_CALL spying_get_instance_proc_addr(VkInstance instance, const char* name) {
  spy().loaded.emplace_back(name);
  const PFN_vkVoidFunction function = spy().get_instance_proc_addr(instance, name);
  if (!std::strcmp(name, "vkGetDeviceProcAddr")) {
    real_get_device_proc_addr = reinterpret_cast<PFN_vkGetDeviceProcAddr>(function);
    return reinterpret_cast<PFN_vkVoidFunction>(get_device_proc_addr);
  }
  return function;
}

void observe(const Device& device) {
  static const std::thread::id only = std::this_thread::get_id();
  operand_observer = [](const char* primitive, std::span<const Operand> operands) {
    if (std::this_thread::get_id() == only) spy().hazards.call(primitive, operands);
  };
  device.state()->observer.on_command = [](void*, VkCommandBuffer, const RecordedCommand& command) {
    spy().hazards.announce(command.accesses, command.count);
  };
}

}  // namespace vkprims::test
