// Blocks of device memory: made once, reused through free lists by size class.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <vector>

#include "allocator.hpp"

namespace vkprims {

/// A block and the memory that it is made of. A block lives in one list at a time: in Memory's list
/// of what the program holds, in a Recording, or in a free list. It moves between lists by
/// splicing, which neither allocates nor fails.
struct DeviceBlock {
  Block block;                                  // owner: this
  Allocator::Allocation* allocation = nullptr;  // of a buffer that is not sparse
  std::vector<Allocator::Allocation*> parts;    // of a sparse buffer
  std::list<DeviceBlock>::iterator self;
};

using BlockList = std::list<DeviceBlock>;

class Memory {
 public:
  Memory(const LogicalDevice& device, Allocator& allocator)
      : device_(device), allocator_(allocator) {}
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory();

  /// A block of at least `bytes` bytes, which may be one that an earlier user gave back. Throws
  /// Error.
  DeviceBlock& take(VkDeviceSize bytes);
  /// Moves a block that the program holds to another list.
  void move(DeviceBlock& block, BlockList& to) noexcept { to.splice(to.end(), held_, block.self); }
  /// Ends the use of a block that the program holds, or of all blocks of a list.
  ///
  /// The GPU may still be using the blocks. That does not matter: whoever takes them next uses them
  /// in a later submission to the same queue, and every submission begins with a barrier on
  /// everything before it. Only destroying blocks has to wait.
  void give_back(DeviceBlock& block) noexcept;
  void give_back(BlockList& blocks) noexcept;

  /// Waits for the queue, then destroys all blocks that nobody uses.
  void trim() noexcept;

  std::uint64_t held() const { return held_.size(); }
  std::uint64_t idle() const { return idle_count_; }

 private:
  VkResult create(VkDeviceSize bytes, DeviceBlock& block);
  VkResult create_sparse(VkDeviceSize bytes, DeviceBlock& block);
  VkResult bind_parts(const DeviceBlock& block, const std::vector<VkSparseMemoryBind>& binds);
  void check_limit_of_one(VkDeviceSize bytes) const;
  VkDeviceAddress address_of(VkBuffer buffer) const;
  VkDeviceSize class_of(VkDeviceSize bytes) const;
  void release(DeviceBlock& block) noexcept;
  void destroy(BlockList& blocks) noexcept;

  const LogicalDevice& device_;
  Allocator& allocator_;
  BlockList held_;
  // Free blocks by size in bytes. A class has its entry from the first block on, so that giving a
  // block back allocates nothing.
  std::map<VkDeviceSize, BlockList> idle_;
  std::uint64_t idle_count_ = 0;
};

}  // namespace vkprims
