#include "transfer.hpp"

#include <algorithm>
#include <cstring>

#include "state.hpp"

namespace vkprims {
namespace {

// The staging buffer has two halves: while the GPU copies one, the host works on the other.
constexpr VkDeviceSize kHalf = VkDeviceSize{32} << 20;

struct Chunk {
  VkDeviceSize at;  // in the transfer
  VkDeviceSize bytes;
  VkDeviceSize staging;  // offset of its half
};

Chunk chunk(std::uint64_t index, VkDeviceSize total) {
  const VkDeviceSize at = index * kHalf;
  return {at, std::min(kHalf, total - at), index % 2 * kHalf};
}

// A transfer that fails must not leave copies behind which still use the staging buffer.
template <class F>
void with_idle_on_failure(ContextState& state, F&& transfer) {
  try {
    transfer();
  } catch (...) {
    state.device.wait();
    throw;
  }
}

}  // namespace

void Transfer::prepare() {
  if (staging_) return;
  void* mapped = nullptr;
  throw_if_error(
      Status::from(allocator_.create_staging_buffer(2 * kHalf, staging_, allocation_, mapped),
                   "staging buffer"));
  mapped_ = static_cast<std::byte*>(mapped);
}

void Transfer::trim() noexcept {
  if (staging_) allocator_.destroy(staging_, allocation_);
  staging_ = VK_NULL_HANDLE;
}

std::shared_ptr<Submission> Transfer::copy(ContextState& state, VkBuffer from, VkBuffer to,
                                           const VkBufferCopy& region) {
  const auto record = [&](Recording& recording) {
    state.device.vk.vkCmdCopyBuffer(recording.commands, from, to, 1, &region);
  };
  return state.submissions.submit(state.submissions.record(state, record, false));
}

void Transfer::write(ContextState& state, VkBuffer buffer, VkDeviceSize offset, const void* data,
                     VkDeviceSize bytes) {
  if (bytes == 0) return;
  prepare();
  const auto* from = static_cast<const std::byte*>(data);
  const std::uint64_t chunks = (bytes + kHalf - 1) / kHalf;
  with_idle_on_failure(state, [&] {
    std::shared_ptr<Submission> copies[2];
    for (std::uint64_t i = 0; i < chunks; ++i) {
      const Chunk c = chunk(i, bytes);
      if (copies[i % 2]) state.submissions.wait(*copies[i % 2]);
      std::memcpy(mapped_ + c.staging, from + c.at, c.bytes);
      throw_if_error(Status::from(allocator_.flush(allocation_, c.staging, c.bytes),
                                  "flush of staging memory"));
      copies[i % 2] = copy(state, staging_, buffer, {c.staging, offset + c.at, c.bytes});
    }
    for (const auto& last : copies) {
      if (last) state.submissions.wait(*last);
    }
  });
}

void Transfer::read(ContextState& state, VkBuffer buffer, VkDeviceSize offset, void* data,
                    VkDeviceSize bytes) {
  if (bytes == 0) return;
  prepare();
  auto* to = static_cast<std::byte*>(data);
  const std::uint64_t chunks = (bytes + kHalf - 1) / kHalf;
  const auto start = [&](std::uint64_t i) {
    const Chunk c = chunk(i, bytes);
    return copy(state, buffer, staging_, {offset + c.at, c.staging, c.bytes});
  };
  with_idle_on_failure(state, [&] {
    std::shared_ptr<Submission> next = start(0);
    for (std::uint64_t i = 0; i < chunks; ++i) {
      const std::shared_ptr<Submission> done =
          std::exchange(next, i + 1 < chunks ? start(i + 1) : nullptr);
      state.submissions.wait(*done);
      const Chunk c = chunk(i, bytes);
      throw_if_error(Status::from(allocator_.invalidate(allocation_, c.staging, c.bytes),
                                  "invalidation of staging memory"));
      std::memcpy(to + c.at, mapped_ + c.staging, c.bytes);
    }
  });
}

}  // namespace vkprims
