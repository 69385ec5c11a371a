// Context and its Jobs: construction, memory, transfers and submissions.
#include "vkprims/context.hpp"

#include <cinttypes>

#include "state.hpp"
#include "tuning_file.hpp"

namespace vkprims {
namespace {

Device create_library(const LogicalDevice& device, VkPipelineCache cache, PipelinePolicy pipelines,
                      const Tuning& tuning) {
  Device library;
  throw_if_error(create_device({.instance = device.instance.handle,
                                .physical_device = device.physical,
                                .device = device.handle,
                                .get_instance_proc_addr = device.instance.get_proc,
                                .enabled = device.enabled,
                                .pipeline_cache = cache,
                                .pipelines = pipelines,
                                .tuning = tuning,
                                .graphics_queue = device.has_graphics},
                               device.hooks, library));
  return library;
}

}  // namespace

ContextState::ContextState(const ContextInfo& info)
    : messages(info.log),
      instance(info, messages),
      device(instance, info),
      cache(std::in_place, device, messages, info.pipeline_cache_file),
      library(create_library(device, cache->handle(), info.pipelines, tuning_of(info))),
      allocator(device),
      memory(device, allocator),
      submissions(device, memory),
      transfer(allocator) {
  messages.send(LogLevel::info, std::string(device.properties.deviceName) + ", " + device.driver);
}

ContextState::ContextState(const Adopt& adopt)
    : messages(adopt.log),
      instance(adopt),
      device(instance, adopt),
      library(create_library(device, adopt.pipeline_cache, adopt.pipelines, adopt.tuning)),
      allocator(device),
      memory(device, allocator),
      submissions(device, memory),
      transfer(allocator) {}

void ContextState::release(DeviceBlock& block) noexcept {
  if (open) {
    memory.move(block, open->blocks);
  } else {
    memory.give_back(block);
  }
}

void ContextState::release(BlockList& blocks) noexcept {
  if (open) {
    open->blocks.splice(open->blocks.end(), blocks);
  } else {
    memory.give_back(blocks);
  }
}

Context::Context(const ContextInfo& info) : state_(std::make_unique<ContextState>(info)) {}
Context::Context(const Adopt& adopt) : state_(std::make_unique<ContextState>(adopt)) {}
Context::Context(Context&&) noexcept = default;
Context& Context::operator=(Context&&) noexcept = default;
Context::~Context() = default;

const Device& Context::device() const { return state_->library; }
VkInstance Context::instance() const { return state_->instance.handle; }
VkPhysicalDevice Context::physical_device() const { return state_->device.physical; }
VkDevice Context::vk_device() const { return state_->device.handle; }
VkQueue Context::queue() const { return state_->device.queue; }
std::uint32_t Context::queue_family() const { return state_->device.family; }
PFN_vkGetInstanceProcAddr Context::get_instance_proc_addr() const {
  return state_->instance.get_proc;
}
const VkPhysicalDeviceProperties& Context::properties() const { return state_->device.properties; }
std::string Context::driver() const { return state_->device.driver; }
double Context::timestamp_period() const {
  return static_cast<double>(state_->device.properties.limits.timestampPeriod);
}
std::uint32_t Context::timestamp_bits() const { return state_->device.timestamp_bits; }
VkDeviceSize Context::heap_bytes() const { return state_->device.heap_bytes; }
VkDeviceSize Context::heap_budget() const { return state_->device.heap_budget(); }

void Context::too_large(std::uint64_t count, std::uint64_t element_bytes) {
  throw Error(Status::error(Status::unsupported,
                            "allocate: %" PRIu64 " elements of %" PRIu64
                            " bytes are more than 2^62 bytes",
                            count, element_bytes));
}

Block Context::allocate_block(VkDeviceSize bytes) { return state_->memory.take(bytes).block; }

void free_block(ContextState& context, const Block& block) noexcept {
  context.release(*static_cast<DeviceBlock*>(block.owner));
}

void check_range(std::uint64_t first, std::uint64_t count, std::uint64_t size) {
  if (first <= size && count <= size - first) return;
  throw Error(Status::error(Status::invalid_argument,
                            "%" PRIu64 " elements from %" PRIu64
                            " on are not within a buffer of %" PRIu64,
                            count, first, size));
}

void Context::write_block(VkBuffer buffer, VkDeviceSize offset, const void* data,
                          VkDeviceSize bytes) {
  state_->transfer.write(*state_, buffer, offset, data, bytes);
}

void Context::read_block(VkBuffer buffer, VkDeviceSize offset, void* data, VkDeviceSize bytes) {
  state_->transfer.read(*state_, buffer, offset, data, bytes);
}

Job Context::submit(const std::function<void(Recorder&)>& steps) {
  Job job;
  job.submission_ = state_->submissions.submit(record_steps(steps, state_->library, false));
  return job;
}

Plan Context::record(const std::function<void(Recorder&)>& steps) {
  Plan plan;
  plan.recording_ = record_steps(steps, state_->library, true);
  return plan;
}

void Context::note(const WarmUp& warm, const std::function<void(Recorder&)>& steps) {
  record_steps(steps, warm.device(), false);
}

std::shared_ptr<Recording> Context::record_steps(const std::function<void(Recorder&)>& steps,
                                                 const Device& library, bool reusable) {
  if (!steps) throw Error(Status::error(Status::invalid_argument, "steps: an empty function"));
  return state_->submissions.record(
      *state_,
      [&](Recording& recording) {
        recording.library = &library;
        Recorder recorder(recording);
        steps(recorder);
      },
      reusable);
}

Job Context::submit(const Plan& plan) {
  if (!plan.recording_ || plan.recording_->context != state_.get()) {
    throw Error(Status::error(Status::invalid_argument, "plan: %s",
                              plan.recording_ ? "recorded by another Context" : "empty"));
  }
  Job job;
  job.submission_ = state_->submissions.submit(plan.recording_);
  return job;
}

void Job::wait() {
  if (!submission_) return;
  if (submission_->owner) {
    submission_->owner->wait(*submission_);
  } else {
    throw_if_error(Status::from(submission_->result, "vkWaitForFences"));
  }
}

bool Job::done() const {
  if (submission_ && submission_->owner) submission_->owner->poll();
  return !submission_ || !submission_->owner;
}

double Job::gpu_ms() {
  wait();
  return submission_ ? submission_->gpu_ms : 0;
}

void Context::wait_idle() {
  const VkResult result = state_->device.wait();
  state_->submissions.poll();
  throw_if_error(Status::from(result, "vkQueueWaitIdle"));
}

void Context::trim() {
  state_->submissions.drain();
  state_->submissions.trim();
  state_->transfer.trim();
  state_->memory.trim();
}

ContextStatistics Context::statistics() const {
  return {.device_allocations = state_->allocator.allocations(),
          .device_bytes = state_->allocator.bytes(),
          .live_buffers = state_->memory.held(),
          .idle_buffers = state_->memory.idle(),
          .submissions = state_->submissions.count(),
          .validation_messages = state_->messages.validation};
}

}  // namespace vkprims
