#include "submission.hpp"

#include <thread>
#include <utility>

#include "state.hpp"

namespace vkprims {
namespace {

// Makes a recording the one that freed buffers stay with for as long as its callback runs.
class Open {
 public:
  Open(ContextState& state, Recording& recording)
      : state_(state), outer_(std::exchange(state.open, &recording)) {}
  Open(const Open&) = delete;
  Open& operator=(const Open&) = delete;
  ~Open() { state_.open = outer_; }

 private:
  ContextState& state_;
  Recording* outer_;
};

}  // namespace

Submissions::Submissions(const LogicalDevice& device, Memory& memory)
    : device_(device), memory_(memory) {
  const VkCommandPoolCreateInfo info{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                     .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                     .queueFamilyIndex = device.family};
  throw_if_error(Status::from(device.vk.vkCreateCommandPool(device.handle, &info, nullptr, &pool_),
                              "vkCreateCommandPool"));
}

Submissions::~Submissions() {
  drain();
  // Plans may live on, but they are empty from now on.
  for (Recording* recording : recordings_) {
    recording->context = nullptr;
    memory_.give_back(recording->blocks);
  }
  for (const Slot& slot : slots_) {
    device_.vk.vkDestroyFence(device_.handle, slot.fence, nullptr);
    device_.vk.vkDestroyQueryPool(device_.handle, slot.queries, nullptr);
  }
  device_.vk.vkDestroyCommandPool(device_.handle, pool_, nullptr);
}

std::shared_ptr<Recording> Submissions::record(ContextState& state,
                                               const std::function<void(Recording&)>& steps,
                                               bool reusable) {
  auto recording = std::make_shared<Recording>(state);
  recordings_.insert(recording.get());
  recording->reusable = reusable;
  recording->commands = take_commands();
  begin(recording->commands, reusable ? VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT
                                      : VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  {
    const Open open(state, *recording);
    steps(*recording);
  }
  end(recording->commands);
  return recording;
}

// A Plan needs no wait for its previous submission: all submissions go to one queue, and the
// barrier in the head lets the commands of one begin only when those of the one before are done
// with the scratch that both use. SIMULTANEOUS_USE allows the command buffer itself to be pending
// twice.
std::shared_ptr<Submission> Submissions::submit(const std::shared_ptr<Recording>& recording) {
  poll();
  // Everything that can fail comes before vkQueueSubmit.
  std::list<std::shared_ptr<Submission>> made(1, std::make_shared<Submission>());
  const std::shared_ptr<Submission> submission = made.front();
  Slot& slot = take_slot();
  const VkCommandBuffer commands[] = {slot.head, recording->commands, slot.tail};
  const VkSubmitInfo info{
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 3, .pCommandBuffers = commands};
  submission->started = std::chrono::steady_clock::now();
  const VkResult result = device_.vk.vkQueueSubmit(device_.queue, 1, &info, slot.fence);
  if (result < 0) {
    idle_slots_.push_back(&slot);
    throw Error(Status::from(result, "vkQueueSubmit"));
  }
  submission->owner = this;
  submission->slot = &slot;
  submission->recording = recording;
  in_flight_.splice(in_flight_.end(), made);
  ++count_;
  if (!recording->reusable) recording->context->release(recording->blocks);
  return submission;
}

void Submissions::poll() noexcept {
  while (!in_flight_.empty()) {
    const VkResult result =
        device_.vk.vkGetFenceStatus(device_.handle, in_flight_.front()->slot->fence);
    if (result == VK_NOT_READY) return;
    retire_first(result);
  }
}

// The host stays awake at first, because sleeping and being woken takes some ten microseconds,
// which is much of what short work takes (H200, 600,000 rows of redact, awake for 0.2 ms: 46 us
// instead of 64).
VkResult Submissions::wait_for(VkFence fence) const noexcept {
  constexpr std::chrono::milliseconds kAwake{1};
  const auto start = std::chrono::steady_clock::now();
  do {
    const VkResult result = device_.vk.vkGetFenceStatus(device_.handle, fence);
    if (result != VK_NOT_READY) return result;
    std::this_thread::yield();
  } while (std::chrono::steady_clock::now() - start < kAwake);
  return device_.vk.vkWaitForFences(device_.handle, 1, &fence, VK_TRUE, ~std::uint64_t{0});
}

void Submissions::wait(Submission& submission) {
  if (submission.owner) {
    const VkResult result = wait_for(submission.slot->fence);
    // If host memory runs out, nothing is known about the GPU, so the submission stays in flight.
    if (result < 0 && result != VK_ERROR_DEVICE_LOST) {
      throw Error(Status::from(result, "vkWaitForFences"));
    }
    // Fences of one queue signal in order, so earlier submissions have finished, too.
    while (submission.owner) retire_first(result);
  }
  throw_if_error(Status::from(submission.result, "vkWaitForFences"));
}

void Submissions::drain() noexcept {
  const VkResult result = device_.wait();
  while (!in_flight_.empty()) retire_first(result);
}

void Submissions::retire_first(VkResult result) noexcept {
  const std::shared_ptr<Submission> submission = std::move(in_flight_.front());
  in_flight_.pop_front();
  submission->result = result;
  if (result >= 0) submission->gpu_ms = elapsed_ms(*submission);
  idle_slots_.push_back(submission->slot);
  submission->slot = nullptr;
  submission->owner = nullptr;
  submission->recording.reset();
}

double Submissions::elapsed_ms(const Submission& submission) const noexcept {
  std::uint64_t ticks[2] = {};
  const VkQueryPool queries = submission.slot->queries;
  if (!queries || device_.vk.vkGetQueryPoolResults(
                      device_.handle, queries, 0, 2, sizeof ticks, ticks, sizeof ticks[0],
                      VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT) != VK_SUCCESS) {
    const auto elapsed = std::chrono::steady_clock::now() - submission.started;
    return std::chrono::duration<double, std::milli>(elapsed).count();
  }
  const std::uint64_t valid = ~std::uint64_t{0} >> (64 - device_.timestamp_bits);
  const double period_ns = static_cast<double>(device_.properties.limits.timestampPeriod);
  return static_cast<double>((ticks[1] - ticks[0]) & valid) * period_ns * 1e-6;
}

void Submissions::forget(Recording& recording) noexcept {
  recordings_.erase(&recording);
  recording.context->release(recording.blocks);
  if (!recording.commands) return;
  // A command buffer that cannot be reset is freed with the pool.
  if (device_.vk.vkResetCommandBuffer(recording.commands, 0) >= 0) {
    idle_commands_.push_back(recording.commands);
  }
}

void Submissions::trim() noexcept {
  if (!idle_commands_.empty()) {
    device_.vk.vkFreeCommandBuffers(device_.handle, pool_,
                                    static_cast<std::uint32_t>(idle_commands_.size()),
                                    idle_commands_.data());
  }
  command_buffers_ -= idle_commands_.size();
  idle_commands_.clear();
  device_.vk.vkTrimCommandPool(device_.handle, pool_, 0);
}

VkCommandBuffer Submissions::allocate_commands() {
  const VkCommandBufferAllocateInfo info{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                         .commandPool = pool_,
                                         .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                         .commandBufferCount = 1};
  VkCommandBuffer commands = VK_NULL_HANDLE;
  throw_if_error(Status::from(device_.vk.vkAllocateCommandBuffers(device_.handle, &info, &commands),
                              "vkAllocateCommandBuffers"));
  return commands;
}

VkCommandBuffer Submissions::take_commands() {
  if (!idle_commands_.empty()) {
    const VkCommandBuffer commands = idle_commands_.back();
    idle_commands_.pop_back();
    return commands;
  }
  idle_commands_.reserve(command_buffers_ + 1);
  const VkCommandBuffer commands = allocate_commands();
  ++command_buffers_;
  return commands;
}

Slot& Submissions::take_slot() {
  if (idle_slots_.empty()) make_slot();
  Slot& slot = *idle_slots_.back();
  throw_if_error(
      Status::from(device_.vk.vkResetFences(device_.handle, 1, &slot.fence), "vkResetFences"));
  idle_slots_.pop_back();
  return slot;
}

// A slot that cannot be completed stays in slots_ for the destructor and is not used.
void Submissions::make_slot() {
  slots_.emplace_back();
  idle_slots_.reserve(slots_.size());
  Slot& slot = slots_.back();
  const VkFenceCreateInfo fence{.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  throw_if_error(Status::from(
      device_.vk.vkCreateFence(device_.handle, &fence, nullptr, &slot.fence), "vkCreateFence"));
  if (device_.timestamp_bits != 0) {
    const VkQueryPoolCreateInfo queries{.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                        .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                        .queryCount = 2};
    throw_if_error(
        Status::from(device_.vk.vkCreateQueryPool(device_.handle, &queries, nullptr, &slot.queries),
                     "vkCreateQueryPool"));
  }
  slot.head = allocate_commands();
  slot.tail = allocate_commands();
  record_ends(slot);
  idle_slots_.push_back(&slot);
}

void Submissions::record_ends(const Slot& slot) {
  // Timestamps are written at the bottom of the pipe, so that the first one waits for what was
  // submitted before.
  const auto timestamp = [&](VkCommandBuffer commands, std::uint32_t query) {
    if (!slot.queries) return;
    device_.vk.vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, slot.queries,
                                   query);
  };
  begin(slot.head, 0);
  barrier(slot.head, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
          VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT);
  if (slot.queries) device_.vk.vkCmdResetQueryPool(slot.head, slot.queries, 0, 2);
  timestamp(slot.head, 0);
  end(slot.head);

  begin(slot.tail, 0);
  timestamp(slot.tail, 1);
  barrier(slot.tail, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
  end(slot.tail);
}

void Submissions::barrier(VkCommandBuffer commands, VkPipelineStageFlags to,
                          VkAccessFlags accesses) {
  const VkMemoryBarrier memory{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                               .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                               .dstAccessMask = accesses};
  device_.vk.vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, to, 0, 1, &memory,
                                  0, nullptr, 0, nullptr);
}

void Submissions::begin(VkCommandBuffer commands, VkCommandBufferUsageFlags usage) {
  const VkCommandBufferBeginInfo info{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .flags = usage};
  throw_if_error(
      Status::from(device_.vk.vkBeginCommandBuffer(commands, &info), "vkBeginCommandBuffer"));
}

void Submissions::end(VkCommandBuffer commands) {
  throw_if_error(Status::from(device_.vk.vkEndCommandBuffer(commands), "vkEndCommandBuffer"));
}

}  // namespace vkprims
