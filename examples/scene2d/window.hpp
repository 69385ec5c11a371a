// The graphics pass: it draws the tiles of a picture into what stands for a window.
#pragma once

#include "frame_arrays.hpp"

namespace scene2d {

// The pipeline, which is the same for every size.
class TilePipeline {
 public:
  explicit TilePipeline(Gpu& gpu);
  ~TilePipeline();
  TilePipeline(const TilePipeline&) = delete;
  TilePipeline& operator=(const TilePipeline&) = delete;

 private:
  friend class Window;
  Gpu& gpu_;
  VkRenderPass pass_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
};

// The image of one size.
class Window {
 public:
  Window(Gpu& gpu, const TilePipeline& pipeline, VkExtent2D size);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  VkExtent2D size() const { return size_; }
  // Draws the tiles of the picture. FramePlan has recorded before.
  void record(VkCommandBuffer cmd, const FrameArrays& arrays) const;
  // Copies what has been drawn to a buffer.
  void record_download(VkCommandBuffer cmd, VkBuffer buffer) const;

 private:
  Gpu& gpu_;
  const TilePipeline& pipeline_;
  VkExtent2D size_;
  Image target_;
  VkFramebuffer framebuffer_ = VK_NULL_HANDLE;
};

}  // namespace scene2d
