// Renders scenes: several frames in flight, each with memory and a command buffer of its own.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "frame_plan.hpp"
#include "picture.hpp"
#include "stopwatch.hpp"
#include "window.hpp"

namespace scene2d {

struct RenderOptions {
  bool infinite_boxes = false;  // clips are not used to leave work out; the picture is the same
  std::uint32_t repeat = 1;     // the same frame several times in one command buffer
  Room room;                    // at first
};

// What a frame has come to.
struct Shown {
  Picture picture;         // as the graphics pass has drawn it
  Results results = {};    // of the last frame in the command buffer
  bool is_whole = true;    // there was room for everything
  bool has_grown = false;  // the next frame needs more memory than this one has had
  std::vector<Stopwatch::Time> times;
};

class Renderer {
 public:
  static constexpr std::size_t kFramesInFlight = 2;

  // `stopwatch` may be null; then there are no times.
  Renderer(Gpu& gpu, const RenderOptions& options, Stopwatch* stopwatch = nullptr);
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  // Submits a frame; the one before the last must have been waited for. `only_ops`: nothing but
  // Scene::ops has changed since this frame's memory was used last.
  void submit(const Scene& scene, bool only_ops = false);
  // Waits for the oldest frame that is in flight.
  Shown wait();
  // Renders until there is room for everything, and returns what the frames have come to.
  std::vector<Shown> render(const Scene& scene);

  const Room& room() const { return room_; }
  // The arrays of the frame that was submitted last, for looking at them once it is done.
  const FrameArrays& arrays() const { return *slots_[(next_ + 1) % kFramesInFlight].arrays; }

 private:
  struct Slot {
    std::optional<FrameArrays> arrays;
    std::optional<FramePlan> plan;
    std::array<std::size_t, 8> size = {};  // what the arrays were made for
    Memory upload, scratch, picture, results;
    std::unique_ptr<Window> window;
    VkCommandBuffer cmd = VK_NULL_HANDLE;
    VkFence fence = VK_NULL_HANDLE;
    bool in_flight = false;
  };
  void prepare(Slot& slot, const Scene& scene);
  void upload(Slot& slot, const Scene& scene, bool only_ops);
  void record(Slot& slot);
  void grow(const Results& results);

  Gpu& gpu_;
  RenderOptions options_;
  Stopwatch* stopwatch_;
  Room room_;
  TilePipeline pipeline_;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  std::array<Slot, kFramesInFlight> slots_;
  std::size_t next_ = 0;
};

}  // namespace scene2d
