// Offsets of segments as a bit for each element, which is set where a segment begins: the host side
// of shaders/scan/segmented_scan/offsets.comp.
#pragma once

#include "runtime/commands.hpp"

namespace vkprims {

struct SegmentBits {
  Count segments;
  IndexWidth offset_width;
  Count count;         // of elements
  BufferView offsets;  // one more than segments
  BufferView bits;     // mask_bytes(count.max), which an earlier command has set to 0
};

/// The grid of the dispatch, which is over offsets.
Grid segment_bits_grid(const Tuning& tuning, const Count& segments, const Scratch& room = {});

/// Adds the dispatch that sets the bits.
Status add_segment_bits(Commands& commands, const SegmentBits& segments, const Grid& grid);

}  // namespace vkprims
