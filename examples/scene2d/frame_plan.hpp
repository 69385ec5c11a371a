// What a frame does on the GPU: calls of the library, and kernels of the renderer between them.
#pragma once

#include <functional>

#include "frame_arrays.hpp"

namespace scene2d {

// Is told which stage begins; for tables of times.
using OnStage = std::function<void(const char* stage)>;

class FramePlan {
 public:
  FramePlan(const vkprims::Device& device, const FrameArrays& arrays);

  // What every call of the frame needs, one after the other in the same block.
  vkprims::ScratchNeed scratch() const;
  // From the scene in the arrays to the picture, the tiles to draw and the arguments of the draw.
  // What the scene's arrays were written by must be behind a barrier.
  void record(VkCommandBuffer cmd, const vkprims::Scratch& scratch, const OnStage& on_stage) const;

 private:
  class Recording;
  // Each item becomes several of the next kind: from counts to where those of each item begin, and
  // to the item of each and its rank in the item.
  struct Expansion {
    std::uint64_t Frame::*counts;
    std::uint64_t Frame::*begins;
    std::uint64_t Frame::*indices;
    std::uint64_t Frame::*ranks;
    std::size_t total, report;  // offsets in Results
    vkprims::ScanDesc begin = {};
    vkprims::ExpandDesc expand = {};
  };
  void record_expansion(Recording& r, const Expansion& x) const;
  void record_paths(Recording& r) const;
  void record_bounds(Recording& r) const;
  void record_clips(Recording& r) const;
  void record_items(Recording& r) const;
  void record_tiles(Recording& r) const;
  void record_lines(Recording& r) const;
  void record_edges(Recording& r) const;
  void record_coverage(Recording& r) const;
  void record_picture(Recording& r) const;

  vkprims::Count count_at(std::size_t offset_in_results, std::uint64_t max) const;
  vkprims::BufferView result(std::size_t offset, VkDeviceSize bytes) const;

  const vkprims::Device& device_;
  const FrameArrays& arrays_;

  vkprims::ScanDesc count_tags_;
  vkprims::StackFoldDesc multiply_transforms_, intersect_clips_;
  vkprims::SegmentedReduceDesc unite_boxes_;
  vkprims::SelectDesc select_visible_, select_drawn_;
  Expansion pairs_ = {}, lines_ = {}, edges_ = {}, crossings_ = {};
  vkprims::ScanDesc begin_cells_, sum_backdrops_;
  vkprims::RadixSortDesc sort_pairs_;
  vkprims::KeyRangesDesc find_tiles_;
  vkprims::DrawArgsDesc draw_tiles_;
};

}  // namespace scene2d
