// Recording of a submission's steps.
#include <algorithm>
#include <cinttypes>

#include "state.hpp"

namespace vkprims {
namespace {

constexpr VkDeviceSize kSmallestScratch = VkDeviceSize{64} << 10;
constexpr VkDeviceSize kLargestDoubledScratch = VkDeviceSize{64} << 20;
constexpr VkDeviceSize kMaxUpdateBytes = 65536;  // of vkCmdUpdateBuffer

// The front of a block as Scratch; its bytes are 0 if the block is too small.
Scratch fit(const Block& block, const ScratchNeed& need) {
  const VkDeviceSize alignment = std::max(need.alignment, VkDeviceSize{1});
  const VkDeviceAddress aligned = (block.address + alignment - 1) / alignment * alignment;
  const VkDeviceSize offset = aligned - block.address;
  if (!block.buffer || offset > block.bytes || need.bytes > block.bytes - offset) return {};
  return {block.buffer, offset, aligned, need.bytes};
}

// The size of the block to take next. Small blocks are doubled, so that steps with growing needs do
// not leave a trail of blocks.
VkDeviceSize next_scratch_bytes(const Block& current, const ScratchNeed& need) {
  const VkDeviceSize padding = need.alignment > kBufferAlignment ? need.alignment : 0;
  const VkDeviceSize doubled = std::min(current.bytes * 2, kLargestDoubledScratch);
  return std::max({need.bytes + padding, doubled, kSmallestScratch});
}

}  // namespace

Recording::~Recording() {
  if (context) context->submissions.forget(*this);
}

const Device& Recorder::device() const { return *recording_->library; }

VkCommandBuffer Recorder::command_buffer() const { return recording_->commands; }

Scratch Recorder::begin_step(const ScratchNeed& need, BarrierBefore before) {
  Recording& recording = *recording_;
  ContextState& context = *recording.context;
  // The barrier before the first step is in the head of the submission.
  if (recording.has_steps)
    throw_if_error(record_barrier(recording.commands, *recording.library, before));
  recording.has_steps = true;
  if (need.bytes == 0) return {};

  Scratch scratch = fit(recording.scratch, need);
  if (scratch.bytes == 0) {
    DeviceBlock& block = context.memory.take(next_scratch_bytes(recording.scratch, need));
    context.memory.move(block, recording.blocks);
    recording.scratch = block.block;
    scratch = fit(recording.scratch, need);
  }
  return scratch;
}

ContextState* Recorder::context() const { return recording_->context; }

Block Recorder::allocate_block(VkDeviceSize bytes) {
  return recording_->context->memory.take(bytes).block;
}

void Recorder::update_bytes(VkBuffer buffer, VkDeviceSize offset, const void* data,
                            VkDeviceSize bytes) {
  if (bytes > kMaxUpdateBytes || bytes % 4 || offset % 4) {
    throw Error(Status::error(Status::invalid_argument,
                              "update: %" PRIu64 " bytes at offset %" PRIu64
                              "; both must be multiples of 4, and at most %" PRIu64 " bytes",
                              bytes, offset, kMaxUpdateBytes));
  }
  begin_step({}, BarrierBefore::compute);
  if (bytes == 0) return;
  recording_->context->device.vk.vkCmdUpdateBuffer(recording_->commands, buffer, offset, bytes,
                                                   data);
}

}  // namespace vkprims
