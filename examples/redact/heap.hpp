// A heap in device memory, from which kernels take blocks and to which they give them back.
#pragma once

#include <array>
#include <cstdint>

#include "vkprims/context.hpp"

namespace redact {

/// Blocks of 16, 32, 64 … bytes, up to 512 KiB. heap.glsl says how they are taken, and why that is
/// right.
class Heap {
 public:
  static constexpr std::size_t kClasses = 16;
  static constexpr std::uint64_t kSmallestBlock = 16;
  using Blocks = std::array<std::uint32_t, kClasses>;  ///< how many there are of each size

  Heap(vkprims::Context& context, const Blocks& blocks);

  /// Enough blocks for `rows` texts that have `bytes` bytes in all, however these are shared out,
  /// if no text is larger than the largest block.
  static Blocks enough_for(std::uint64_t rows, std::uint64_t bytes);
  /// Enough blocks for `rows` texts of up to 32 bytes each.
  static Blocks enough_for_short(std::uint64_t rows);
  /// The device memory that `blocks` take.
  static std::uint64_t device_bytes(const Blocks& blocks);

  VkDeviceAddress address() const { return state_.address(); }
  vkprims::BufferView memory() const { return memory_.view(); }  ///< where the blocks are

  /// Says how the heap has been used. Waits.
  struct Use {
    std::uint64_t blocks;  ///< that are taken now
    std::uint64_t failed;  ///< how many times there was no block
  };
  Use use(vkprims::Context& context) const;

 private:
  vkprims::Buffer<std::uint32_t> state_, memory_, lists_;
};

}  // namespace redact
