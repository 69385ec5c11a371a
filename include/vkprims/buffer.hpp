// Buffer and DeviceSpan: typed device memory of a Context.
/// @ingroup context
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstdint>
#include <type_traits>
#include <utility>

#include "vkprims/types.hpp"

namespace vkprims {

/// A typed range of device memory, as primitives take it. It does not own the memory.
template <class T>
struct DeviceSpan {
  using value_type = T;              ///< the type of the elements
  VkDeviceAddress address = 0;       ///< device address of the first element
  std::uint64_t count = 0;           ///< number of elements
  VkBuffer buffer = VK_NULL_HANDLE;  ///< as BufferView::buffer
  VkDeviceSize offset = 0;           ///< as BufferView::offset

  /// The range as record functions take it.
  BufferView view() const { return {address, count * sizeof(T), buffer, offset}; }
  /// Number of elements.
  std::uint64_t size() const { return count; }
  /// The n elements from `first` on, which must exist: this is not checked.
  DeviceSpan slice(std::uint64_t first, std::uint64_t n) const {
    return {address + first * sizeof(T), n, buffer, offset + first * sizeof(T)};
  }
};

struct ContextState;  // internal

/// A block of device memory from a Context. Internal; Buffer<T> is its typed owner.
struct Block {
  VkBuffer buffer = VK_NULL_HANDLE;  ///< the buffer whose first byte is at address
  VkDeviceAddress address = 0;       ///< device address, a multiple of 256
  VkDeviceSize bytes = 0;            ///< size in bytes
  void* owner = nullptr;             ///< what the Context knows of it
};

/// count elements of T in device memory, usable by every primitive and as Scratch.
///
/// The address is a multiple of 256. Destroying a Buffer returns the memory to its Context: later
/// submissions reuse it after the work that was submitted before, and Context::trim() gives it back
/// to the system. A Buffer that is destroyed while steps are being recorded stays allocated for
/// that recording. A Buffer must not outlive its Context.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  using value_type = T;  ///< the type of the elements
  /// An empty Buffer.
  Buffer() = default;
  /// Internal: the owner of a block. Context::allocate() makes Buffers.
  Buffer(ContextState* context, const Block& block, std::uint64_t count)
      : context_(context), block_(block), count_(count) {}
  /// Takes the memory of other, which is empty afterwards.
  Buffer(Buffer&& other) noexcept
      : context_(std::exchange(other.context_, nullptr)),
        block_(other.block_),
        count_(std::exchange(other.count_, 0)) {}
  /// Returns the memory that this Buffer had to its Context.
  Buffer& operator=(Buffer other) noexcept {
    std::swap(context_, other.context_);
    std::swap(block_, other.block_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~Buffer();

  /// Converts to elements of another type in the same memory, as many as fit; this buffer is empty
  /// afterwards.
  template <class U>
  Buffer<U> as() && {
    const std::uint64_t bytes = size_bytes();
    count_ = 0;
    return Buffer<U>(std::exchange(context_, nullptr), block_, bytes / sizeof(U));
  }

  /// Number of elements.
  std::uint64_t size() const { return count_; }
  /// Size of the elements in bytes.
  std::uint64_t size_bytes() const { return count_ * sizeof(T); }
  /// Device address of the first element, a multiple of 256.
  VkDeviceAddress address() const { return block_.address; }
  VkBuffer handle() const { return block_.buffer; }  ///< offset 0 is address()
  /// The elements as record functions take them.
  BufferView view() const { return {block_.address, size_bytes(), block_.buffer, 0}; }
  /// The elements as a range that does not own them.
  DeviceSpan<T> span() const { return {block_.address, count_, block_.buffer, 0}; }
  /// The n elements from `first` on, which must exist: this is not checked.
  DeviceSpan<T> slice(std::uint64_t first, std::uint64_t n) const { return span().slice(first, n); }

 private:
  ContextState* context_ = nullptr;
  Block block_;
  std::uint64_t count_ = 0;
};

}  // namespace vkprims
