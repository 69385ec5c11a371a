#include "runtime/record.hpp"

#include <cstdio>
#include <cstring>
#include <utility>

#include "runtime/arithmetic.hpp"
#include "runtime/push.hpp"
#include "spirv/dispatch_args.hpp"
#include "runtime/validate.hpp"

namespace vkprims {
namespace {

thread_local bool rehearses = false;
thread_local bool labelled = false;  // whether what this thread records lies in the label of a call

constexpr std::uint64_t kMaxGroupsPerDimension = 65535;

constexpr VkPipelineStageFlags kCompute = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;

void barrier(const DeviceState& state, VkCommandBuffer cmd, VkPipelineStageFlags from,
             VkAccessFlags written, VkPipelineStageFlags to, VkAccessFlags accesses) {
  const VkMemoryBarrier memory{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                               .srcAccessMask = written,
                               .dstAccessMask = accesses};
  state.vk.vkCmdPipelineBarrier(cmd, from, to, 0, 1, &memory, 0, nullptr, 0, nullptr);
}

}  // namespace

Rehearsal::Rehearsal() : before_(rehearses) { rehearses = true; }
Rehearsal::~Rehearsal() { rehearses = before_; }
bool Rehearsal::is_on() { return rehearses; }

Status make_grid(DeviceState& state, const Count& count, std::uint64_t items_per_group,
                 const Scratch& scratch, bool may_compile, OldGrid& grid) {
  grid.groups = ceil_div(count.max, items_per_group);
  if (!grid_is_indirect(count, items_per_group)) return {};
  VKPRIMS_TRY(state.pipelines.get(state.vk, spirv::dispatch_args, kFirstInvocation, may_compile,
                                  grid.args_pipeline));
  grid.args = {.args = push_u64(scratch.address),
               .count = push_count(count),
               .items = push_u64(items_per_group),
               .inverse = push_u64(~std::uint64_t{0} / items_per_group),
               .least = 1};
  grid.scratch = scratch;
  grid.count = count;
  return {};
}

CommandStream::CommandStream(DeviceState& state, VkCommandBuffer cmd, const char* part)
    : state_(state), cmd_(cmd) {
  const Functions& vk = state.vk;
  if (rehearses_ || !vk.vkCmdBeginDebugUtilsLabelEXT || !vk.vkCmdEndDebugUtilsLabelEXT) return;
  begin_label(part);
}

CommandStream::~CommandStream() {
  if (has_label_) state_.vk.vkCmdEndDebugUtilsLabelEXT(cmd_);
  if (is_outermost_) labelled = false;
}

void CommandStream::begin_label(const char* part) {
  char call[80];
  std::snprintf(call, sizeof call, "vkprims %s", PublicCall::outermost());
  is_outermost_ = !std::exchange(labelled, true);
  if (!part) part = PublicCall::innermost();
  has_label_ = is_outermost_ || std::strcmp(part, PublicCall::outermost()) != 0;
  if (!has_label_) return;
  const VkDebugUtilsLabelEXT info{.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                  .pLabelName = is_outermost_ ? call : part};
  state_.vk.vkCmdBeginDebugUtilsLabelEXT(cmd_, &info);
}

void CommandStream::observe(std::span<const Access> accesses) {
  if (!state_.observer.on_command) return;
  state_.observer.on_command(state_.observer.user, cmd_, accesses.data(), accesses.size());
}

void CommandStream::begin_command(VkPipelineStageFlags stages, VkAccessFlags accesses,
                                  const Independent* independent) {
  if (pending_stages_ && !independent) {
    barrier(state_, cmd_, pending_stages_, pending_writes_, stages, accesses);
    pending_stages_ = 0;
    pending_writes_ = 0;
  }
}

void CommandStream::bind(VkPipeline pipeline, const void* push, std::uint32_t push_bytes) {
  state_.vk.vkCmdBindPipeline(cmd_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  state_.vk.vkCmdPushConstants(cmd_, state_.pipelines.layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0,
                               push_bytes, push);
}

void CommandStream::prepare(const OldGrid& grid) {
  if (rehearses_ || !grid.args_pipeline) return;
  OldGrid single;
  single.groups = 1;
  dispatch(grid.args_pipeline, grid.args, single,
           {reads(grid.count), writes(grid.scratch.address, kGridScratchBytes)});
  prepared_ = true;
}

void CommandStream::dispatch_bytes(VkPipeline pipeline, const void* push, std::uint32_t push_bytes,
                                   const OldGrid& grid, std::span<const Access> accesses,
                                   const Independent* independent) {
  if (rehearses_ || grid.groups == 0) return;
  VkPipelineStageFlags stages = kCompute;
  VkAccessFlags access_mask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
  if (grid.args_pipeline) {
    if (!prepared_ && !grid.computed) prepare(grid);
    prepared_ = false;
    independent = nullptr;
    stages |= VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT;
    access_mask |= VK_ACCESS_INDIRECT_COMMAND_READ_BIT;
  }
  begin_command(stages, access_mask, independent);
  observe(accesses);
  bind(pipeline, push, push_bytes);
  if (grid.args_pipeline) {
    observe({{grid.scratch.address, kGridScratchBytes}, false, true});
    state_.vk.vkCmdDispatchIndirect(cmd_, grid.scratch.buffer, grid.scratch.offset);
  } else {
    const std::uint64_t y = ceil_div(grid.groups, kMaxGroupsPerDimension);
    state_.vk.vkCmdDispatch(cmd_, static_cast<std::uint32_t>(ceil_div(grid.groups, y)),
                            static_cast<std::uint32_t>(y), 1);
  }
  pending_stages_ |= kCompute;
  pending_writes_ |= VK_ACCESS_SHADER_WRITE_BIT;
}

void CommandStream::fill(const Scratch& scratch, VkDeviceSize offset, VkDeviceSize bytes,
                         std::uint32_t word, const Independent* independent) {
  if (rehearses_) return;
  begin_command(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, independent);
  observe(writes(scratch.address + offset, bytes));
  static constexpr std::uint32_t kZeros[1024] = {};
  if (bytes == 4) {
    state_.vk.vkCmdUpdateBuffer(cmd_, scratch.buffer, scratch.offset + offset, 4, &word);
  } else if (word == 0 && bytes <= sizeof kZeros) {
    state_.vk.vkCmdUpdateBuffer(cmd_, scratch.buffer, scratch.offset + offset, bytes, kZeros);
  } else {
    state_.vk.vkCmdFillBuffer(cmd_, scratch.buffer, scratch.offset + offset, bytes, word);
  }
  pending_stages_ |= VK_PIPELINE_STAGE_TRANSFER_BIT;
  pending_writes_ |= VK_ACCESS_TRANSFER_WRITE_BIT;
}

void CommandStream::write(const Scratch& scratch, VkDeviceSize offset, const void* data,
                          VkDeviceSize bytes, const Independent* independent) {
  if (rehearses_) return;
  begin_command(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, independent);
  observe(writes(scratch.address + offset, bytes));
  state_.vk.vkCmdUpdateBuffer(cmd_, scratch.buffer, scratch.offset + offset, bytes, data);
  pending_stages_ |= VK_PIPELINE_STAGE_TRANSFER_BIT;
  pending_writes_ |= VK_ACCESS_TRANSFER_WRITE_BIT;
}

Status record_barrier(VkCommandBuffer cmd, const Device& device, BarrierBefore before) {
  VKPRIMS_TRY(check_recording("barrier", cmd, device));
  if (Rehearsal::is_on() || device.state()->pipelines.only_notes()) return {};
  constexpr VkPipelineStageFlags kStages = kCompute | VK_PIPELINE_STAGE_TRANSFER_BIT;
  constexpr VkAccessFlags kWrites = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  VkPipelineStageFlags to = kStages;
  VkAccessFlags accesses = kWrites | VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT;
  if (before == BarrierBefore::compute_and_indirect) {
    to |= VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT;
    accesses |= VK_ACCESS_INDIRECT_COMMAND_READ_BIT;
  }
  barrier(*device.state(), cmd, kStages, kWrites, to, accesses);
  return {};
}

}  // namespace vkprims
