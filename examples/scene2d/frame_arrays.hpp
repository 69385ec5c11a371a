// The arrays of a frame, in one block of device memory, and how much room there is in each.
#pragma once

#include "gpu.hpp"
#include "kernels/frame.h"
#include "scene.hpp"

namespace scene2d {

// Numbers that are known on the GPU only. A frame that needs more shows what fits, and the next one
// has room for it.
struct Room {
  std::uint64_t lines = 1 << 12, edges = 1 << 12, pairs = 1 << 12, crossings = 1 << 12;
  std::uint64_t saved = 1 << 10;  // words for each pixel of a tile
};

class FrameArrays {
 public:
  FrameArrays() = default;
  // For all scenes that have no more of anything than this one.
  FrameArrays(Gpu& gpu, const Scene& scene, const Room& room);

  // Addresses, sizes and counts, as kernels read them.
  const Frame& frame() const { return frame_; }
  // The array that a member of Frame is the address of.
  vkprims::BufferView operator[](std::uint64_t Frame::*array) const;
  vkprims::BufferView frame_view() const { return block_.view(0, sizeof(Frame)); }
  const Room& room() const { return room_; }
  VkDeviceSize bytes() const { return block_.bytes(); }

 private:
  struct Array {
    std::uint64_t Frame::*member;
    VkDeviceSize bytes, offset;
  };
  void add(std::uint64_t Frame::*member, std::uint64_t count, std::uint64_t element_bytes);

  std::vector<Array> arrays_;
  VkDeviceSize end_ = 0;
  Memory block_;
  Frame frame_ = {};
  Room room_;
};

}  // namespace scene2d
