// Copies between host memory of any size and buffers, through one staging buffer.
#pragma once

#include <cstddef>
#include <memory>

#include "allocator.hpp"

namespace vkprims {

struct ContextState;
struct Submission;

class Transfer {
 public:
  explicit Transfer(Allocator& allocator) : allocator_(allocator) {}
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;
  /// The queue must be idle.
  ~Transfer() { trim(); }

  void write(ContextState& state, VkBuffer buffer, VkDeviceSize offset, const void* data,
             VkDeviceSize bytes);
  void read(ContextState& state, VkBuffer buffer, VkDeviceSize offset, void* data,
            VkDeviceSize bytes);
  /// Frees the staging buffer. The queue must be idle.
  void trim() noexcept;

 private:
  void prepare();
  std::shared_ptr<Submission> copy(ContextState& state, VkBuffer from, VkBuffer to,
                                   const VkBufferCopy& region);

  Allocator& allocator_;
  VkBuffer staging_ = VK_NULL_HANDLE;
  Allocator::Allocation* allocation_ = nullptr;
  std::byte* mapped_ = nullptr;
};

}  // namespace vkprims
