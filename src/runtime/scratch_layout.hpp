// Parts of scratch, one behind the other.
#pragma once

#include <algorithm>

#include "runtime/arithmetic.hpp"
#include "vkprims/types.hpp"

namespace vkprims {

/// Hands out parts of scratch. Each begins at a multiple of 16 bytes, as ScratchNeed says of the
/// first one.
class ScratchLayout {
 public:
  /// The offset of a new part of so many bytes.
  VkDeviceSize take(VkDeviceSize bytes) {
    const VkDeviceSize offset = end_;
    end_ = round_up(offset + bytes, 16);
    most_ = std::max(most_, offset + bytes);
    return offset;
  }
  /// Parts that are taken from now on begin at `offset`, where earlier ones are not needed any
  /// more.
  void reuse(VkDeviceSize offset) { end_ = offset; }
  /// Where the next part would begin.
  VkDeviceSize end() const { return end_; }
  /// What all parts need.
  ScratchNeed need() const { return {most_}; }

 private:
  VkDeviceSize end_ = 0, most_ = 0;
};

/// A part of scratch.
inline Scratch part_of(const Scratch& scratch, VkDeviceSize offset, VkDeviceSize bytes) {
  return {scratch.buffer, scratch.offset + offset, scratch.address + offset, bytes};
}
/// What lies behind an offset.
inline Scratch part_of(const Scratch& scratch, VkDeviceSize offset) {
  return part_of(scratch, offset, scratch.bytes > offset ? scratch.bytes - offset : 0);
}

}  // namespace vkprims
