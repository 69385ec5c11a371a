#include "memory.hpp"

#include <algorithm>
#include <bit>
#include <cinttypes>

namespace vkprims {
namespace {

constexpr VkDeviceSize kLargestStep = VkDeviceSize{16} << 20;

VkDeviceSize round_up(VkDeviceSize value, VkDeviceSize multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

[[noreturn]] void refuse(VkDeviceSize bytes, const char* limit, VkDeviceSize value,
                         const char* why) {
  throw Error(Status::error(Status::unsupported,
                            "allocate: %" PRIu64 " bytes are more than the device's %s of %" PRIu64
                            "%s",
                            bytes, limit, value, why));
}

}  // namespace

Memory::~Memory() {
  trim();
  destroy(held_);
}

// There are eight size classes per power of two, so that at most 12.5 % are wasted. From 128 MiB
// on, classes are 16 MiB apart; small ones are at least 256 bytes apart.
VkDeviceSize Memory::class_of(VkDeviceSize bytes) const {
  const VkDeviceSize needed = round_up(std::max(bytes, VkDeviceSize{1}), kBufferAlignment);
  const VkDeviceSize step = std::clamp(std::bit_floor(needed) / 8, kBufferAlignment, kLargestStep);
  const VkDeviceSize rounded = round_up(needed, step);
  // Rounding must not carry a size over a limit that it is within.
  for (const VkDeviceSize limit : {device_.max_allocation, device_.max_buffer}) {
    if (rounded > limit && needed <= limit) return needed;
  }
  return rounded;
}

// Throws Error with the reason why memory for a buffer was refused, if that is a limit.
void Memory::check_limit_of_one(VkDeviceSize bytes) const {
  if (bytes <= device_.max_allocation || bytes > device_.heap_bytes) return;
  const VkDeviceSize space = device_.properties.limits.sparseAddressSpaceSize;
  if (!device_.sparse) {
    refuse(bytes, "maxMemoryAllocationSize", device_.max_allocation,
           ", and it has no sparse binding to join several allocations");
  } else if (bytes > space) {
    refuse(bytes, "sparseAddressSpaceSize", space, "");
  }
}

DeviceBlock& Memory::take(VkDeviceSize bytes) {
  const VkDeviceSize size = class_of(bytes);
  const VkDeviceSize largest = std::max(size, bytes + bytes / 8);
  for (auto at = idle_.lower_bound(size); at != idle_.end() && at->first <= largest; ++at) {
    if (at->second.empty()) continue;
    --idle_count_;
    held_.splice(held_.end(), at->second, at->second.begin());
    return held_.back();
  }

  if (bytes > device_.max_buffer) refuse(bytes, "maxBufferSize", device_.max_buffer, "");
  idle_[size];
  BlockList made(1);
  made.front().self = made.begin();
  made.front().block.bytes = size;
  made.front().block.owner = &made.front();
  // A device that is asked for more than the system says is free may move memory out to the host,
  // which costs more than new blocks do.
  if (idle_count_ != 0 && size > device_.heap_budget()) trim();
  VkResult result = create(size, made.front());
  const bool full = result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_TOO_MANY_OBJECTS;
  if (full && idle_count_ != 0) {
    trim();
    result = create(size, made.front());
  }
  if (result < 0) {
    if (full) check_limit_of_one(bytes);
    char call[160];
    std::snprintf(call, sizeof call,
                  "allocate: %" PRIu64 " bytes of device memory (heap %" PRIu64 ", free %" PRIu64
                  ")",
                  bytes, device_.heap_bytes, device_.heap_budget());
    throw Error(Status::from(result, call));
  }
  held_.splice(held_.end(), made);
  return held_.back();
}

// The limit of one allocation is a soft one: above it the device may refuse, or not. A sparse
// buffer is the second choice, as its pages may be small: on an H200 copies of 8 GB take a third
// longer.
VkResult Memory::create(VkDeviceSize bytes, DeviceBlock& made) {
  if (bytes > device_.heap_bytes) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  VkResult result = allocator_.create_device_buffer(bytes, made.block.buffer, made.allocation);
  if (result < 0 && bytes > device_.max_allocation && device_.sparse) {
    result = create_sparse(bytes, made);
  }
  if (result >= 0) made.block.address = address_of(made.block.buffer);
  return result;
}

VkDeviceAddress Memory::address_of(VkBuffer buffer) const {
  const VkBufferDeviceAddressInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                       .buffer = buffer};
  return device_.vk.vkGetBufferDeviceAddress(device_.handle, &info);
}

VkResult Memory::create_sparse(VkDeviceSize bytes, DeviceBlock& made) {
  const VkBufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                .flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT,
                                .size = bytes,
                                .usage = kDeviceBufferUsage};
  VkResult result = device_.vk.vkCreateBuffer(device_.handle, &info, nullptr, &made.block.buffer);
  if (result < 0) return result;

  VkMemoryRequirements all{};
  device_.vk.vkGetBufferMemoryRequirements(device_.handle, made.block.buffer, &all);
  const VkDeviceSize largest = device_.max_allocation / all.alignment * all.alignment;
  std::vector<VkSparseMemoryBind> binds;
  for (VkDeviceSize at = 0; at < all.size && result >= 0; at += largest) {
    VkMemoryRequirements part = all;
    part.size = std::min(largest, all.size - at);
    VkSparseMemoryBind bind{.resourceOffset = at, .size = part.size};
    made.parts.push_back(nullptr);
    result = allocator_.allocate_part(part, made.parts.back(), bind.memory);
    if (result < 0) made.parts.pop_back();
    binds.push_back(bind);
  }
  if (result >= 0) result = bind_parts(made, binds);
  if (result < 0) release(made);
  return result;
}

VkResult Memory::bind_parts(const DeviceBlock& made, const std::vector<VkSparseMemoryBind>& binds) {
  const VkFenceCreateInfo fence_info{.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence = VK_NULL_HANDLE;
  VkResult result = device_.vk.vkCreateFence(device_.handle, &fence_info, nullptr, &fence);
  if (result < 0) return result;
  const VkSparseBufferMemoryBindInfo buffer{.buffer = made.block.buffer,
                                            .bindCount = static_cast<std::uint32_t>(binds.size()),
                                            .pBinds = binds.data()};
  const VkBindSparseInfo info{
      .sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO, .bufferBindCount = 1, .pBufferBinds = &buffer};
  result = device_.vk.vkQueueBindSparse(device_.queue, 1, &info, fence);
  // Bindings are not ordered with later submissions unless the host waits for them.
  if (result >= 0) {
    result = device_.vk.vkWaitForFences(device_.handle, 1, &fence, VK_TRUE, ~std::uint64_t{0});
  }
  device_.vk.vkDestroyFence(device_.handle, fence, nullptr);
  return result;
}

void Memory::give_back(DeviceBlock& block) noexcept {
  BlockList& list = idle_.find(block.block.bytes)->second;
  list.splice(list.end(), held_, block.self);
  ++idle_count_;
}

void Memory::give_back(BlockList& blocks) noexcept {
  while (!blocks.empty()) {
    BlockList& list = idle_.find(blocks.front().block.bytes)->second;
    list.splice(list.end(), blocks, blocks.begin());
    ++idle_count_;
  }
}

void Memory::trim() noexcept {
  device_.wait();
  for (auto& [bytes, blocks] : idle_) destroy(blocks);
  idle_count_ = 0;
}

void Memory::release(DeviceBlock& b) noexcept {
  if (b.allocation) {
    allocator_.destroy(b.block.buffer, b.allocation);
  } else {
    device_.vk.vkDestroyBuffer(device_.handle, b.block.buffer, nullptr);
  }
  for (Allocator::Allocation* part : b.parts) allocator_.free_part(part);
  b.block.buffer = VK_NULL_HANDLE;
  b.allocation = nullptr;
  b.parts.clear();
}

void Memory::destroy(BlockList& blocks) noexcept {
  for (DeviceBlock& b : blocks) release(b);
  blocks.clear();
}

}  // namespace vkprims
