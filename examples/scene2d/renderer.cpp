// Memory, command buffers and submissions of frames.
#include "renderer.hpp"

#include <algorithm>
#include <cstring>

namespace scene2d {
namespace {

// Room for a quarter more than was needed, so that the next frames do not need more again.
std::uint64_t with_reserve(std::uint64_t needed) { return needed + needed / 4 + 64; }

std::uint64_t needed_of(const Report& report) {
  return report.needed_low | std::uint64_t{report.needed_high} << 32;
}

std::array<std::size_t, 8> size_of(const Scene& scene, const Room& room) {
  const auto segments = static_cast<std::size_t>(std::count_if(
      scene.tags.begin(), scene.tags.end(), [](Tag t) { return t >= Tag::line && t <= Tag::end; }));
  const std::uint64_t rooms[] = {room.lines, room.edges, room.pairs, room.crossings, room.saved};
  std::uint64_t all_rooms = 0;  // any of them changes it, as they only grow
  for (const std::uint64_t r : rooms) all_rooms += r;
  return {scene.tags.size(),
          scene.points.size(),
          scene.ops.size(),
          scene.paints.size(),
          scene.stops.size(),
          segments,
          std::size_t{scene.width} << 16 | scene.height,
          all_rooms};
}

struct Part {
  std::uint64_t Frame::*array;
  const void* data;
  std::size_t bytes;
};
std::array<Part, 5> parts_of(const Scene& scene) {
  return {{{&Frame::tags, scene.tags.data(), scene.tags.size()},
           {&Frame::points, scene.points.data(), scene.points.size() * sizeof(Point)},
           {&Frame::paints, scene.paints.data(), scene.paints.size() * sizeof(Paint)},
           {&Frame::stops, scene.stops.data(), scene.stops.size() * sizeof(Stop)},
           {&Frame::ops, scene.ops.data(), scene.ops.size() * sizeof(Op)}}};
}

// Copies are of whole words; the tags of the last word that are not there are Tag::none.
VkDeviceSize whole_words(VkDeviceSize bytes) { return (bytes + 3) / 4 * 4; }

}  // namespace

Renderer::Renderer(Gpu& gpu, const RenderOptions& options, Stopwatch* stopwatch)
    : gpu_(gpu), options_(options), stopwatch_(stopwatch), room_(options.room), pipeline_(gpu) {
  const VkCommandPoolCreateInfo pool{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                     .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                     .queueFamilyIndex = gpu.family()};
  check(vkCreateCommandPool(gpu.device(), &pool, nullptr, &pool_), "vkCreateCommandPool");
  for (Slot& slot : slots_) {
    const VkCommandBufferAllocateInfo cmd{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                          .commandPool = pool_,
                                          .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                          .commandBufferCount = 1};
    check(vkAllocateCommandBuffers(gpu.device(), &cmd, &slot.cmd), "vkAllocateCommandBuffers");
    const VkFenceCreateInfo fence{.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    check(vkCreateFence(gpu.device(), &fence, nullptr, &slot.fence), "vkCreateFence");
    slot.results = Memory(gpu, sizeof(Results), Where::download);
  }
}

Renderer::~Renderer() {
  vkDeviceWaitIdle(gpu_.device());
  for (const Slot& slot : slots_) vkDestroyFence(gpu_.device(), slot.fence, nullptr);
  vkDestroyCommandPool(gpu_.device(), pool_, nullptr);
  if (stopwatch_) stopwatch_->destroy(gpu_);
}

// Makes the memory of a frame, if it is not as large as the scene needs.
void Renderer::prepare(Slot& slot, const Scene& scene) {
  const std::array<std::size_t, 8> size = size_of(scene, room_);
  if (slot.arrays && slot.size == size) return;
  slot.size = size;
  slot.plan.reset();
  slot.arrays.reset();  // before the new ones are made, since memory may be short
  slot.arrays.emplace(gpu_, scene, room_);
  slot.plan.emplace(gpu_.prims(), *slot.arrays);
  VkDeviceSize bytes = sizeof(Frame);
  for (const Part& part : parts_of(scene)) bytes += whole_words(part.bytes);
  const VkDeviceSize scratch = std::max<VkDeviceSize>(slot.plan->scratch().bytes, 16);
  const VkDeviceSize picture = VkDeviceSize{4} * scene.width * scene.height;
  if (slot.upload.bytes() < bytes) slot.upload = Memory(gpu_, bytes, Where::upload);
  if (slot.scratch.bytes() < scratch) slot.scratch = Memory(gpu_, scratch, Where::device);
  if (slot.picture.bytes() < picture) slot.picture = Memory(gpu_, picture, Where::download);
  const VkExtent2D extent{scene.width, scene.height};
  if (!slot.window || slot.window->size().width != extent.width ||
      slot.window->size().height != extent.height) {
    slot.window = std::make_unique<Window>(gpu_, pipeline_, extent);
  }
}

// Records the copies from the host's memory into the arrays.
void Renderer::upload(Slot& slot, const Scene& scene, bool only_ops) {
  const FrameArrays& arrays = *slot.arrays;
  Frame frame = arrays.frame();
  frame.infinite_boxes = options_.infinite_boxes;
  auto* const mapped = static_cast<unsigned char*>(slot.upload.mapped());
  VkDeviceSize at = 0;
  const auto copy = [&](const void* data, std::size_t bytes, const vkprims::BufferView& to) {
    if (bytes == 0) return;
    const VkDeviceSize whole = whole_words(bytes);
    std::memset(mapped + at + whole - 4, 0, 4);
    std::memcpy(mapped + at, data, bytes);
    const VkBufferCopy region{at, to.offset, whole};
    vkCmdCopyBuffer(slot.cmd, slot.upload.buffer(), to.buffer, 1, &region);
    at += whole;
  };
  copy(&frame, sizeof frame, arrays.frame_view());
  for (const Part& part : parts_of(scene)) {
    if (!only_ops || part.array == &Frame::ops) copy(part.data, part.bytes, arrays[part.array]);
  }
}

void Renderer::record(Slot& slot) {
  const vkprims::Device& prims = gpu_.prims();
  const VkDeviceSize scratch_bytes = slot.plan->scratch().bytes;
  const vkprims::BufferView scratch_view = slot.scratch.view(0, slot.scratch.bytes());
  const vkprims::Scratch scratch{slot.scratch.buffer(), 0, scratch_view.address, scratch_bytes};
  const OnStage on_stage = [&](const char* stage) {
    if (stopwatch_) stopwatch_->stage(stage);
  };
  check(vkprims::record_barrier(slot.cmd, prims));
  if (stopwatch_) {
    stopwatch_->stage("upload");
    stopwatch_->mark("copies");
  }
  for (std::uint32_t i = 0; i < options_.repeat; ++i) {
    slot.plan->record(slot.cmd, scratch, on_stage);
    on_stage("window");
    slot.window->record(slot.cmd, *slot.arrays);
    if (stopwatch_) stopwatch_->mark("draw");
    on_stage("download");
    slot.window->record_download(slot.cmd, slot.picture.buffer());
    if (stopwatch_) stopwatch_->mark("copy");
    check(vkprims::record_barrier(slot.cmd, prims));
  }
  const vkprims::BufferView results = (*slot.arrays)[&Frame::results];
  const VkBufferCopy region{results.offset, 0, sizeof(Results)};
  vkCmdCopyBuffer(slot.cmd, results.buffer, slot.results.buffer(), 1, &region);
  check(vkprims::record_barrier(slot.cmd, prims, vkprims::BarrierBefore::host));
}

void Renderer::submit(const Scene& scene, bool only_ops) {
  Slot& slot = slots_[next_];
  next_ = (next_ + 1) % kFramesInFlight;
  prepare(slot, scene);
  const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                       .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
  check(vkBeginCommandBuffer(slot.cmd, &begin), "vkBeginCommandBuffer");
  if (stopwatch_) stopwatch_->begin(gpu_, slot.cmd);
  upload(slot, scene, only_ops);
  record(slot);
  if (stopwatch_) stopwatch_->end();
  check(vkEndCommandBuffer(slot.cmd), "vkEndCommandBuffer");
  const VkSubmitInfo submit{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                            .commandBufferCount = 1,
                            .pCommandBuffers = &slot.cmd};
  check(vkQueueSubmit(gpu_.queue(), 1, &submit, slot.fence), "vkQueueSubmit");
  slot.in_flight = true;
}

// Gives the next frames the room that this one has asked for.
void Renderer::grow(const Results& results) {
  const auto fit = [](std::uint64_t& room, std::uint64_t needed) {
    if (needed > room) room = with_reserve(needed);
  };
  fit(room_.pairs, needed_of(results.pair_report));
  fit(room_.lines, needed_of(results.line_report));
  fit(room_.edges, needed_of(results.edge_report));
  fit(room_.crossings, needed_of(results.crossing_report));
  fit(room_.saved, results.saved);
}

Shown Renderer::wait() {
  Slot* slot = &slots_[next_];
  if (!slot->in_flight) slot = &slots_[(next_ + 1) % kFramesInFlight];
  check(vkWaitForFences(gpu_.device(), 1, &slot->fence, VK_TRUE, ~std::uint64_t{0}),
        "vkWaitForFences");
  check(vkResetFences(gpu_.device(), 1, &slot->fence), "vkResetFences");
  slot->in_flight = false;
  Shown shown;
  const Frame& f = slot->arrays->frame();
  shown.picture = {f.width, f.height, {}};
  shown.picture.pixels.resize(std::size_t{f.width} * f.height);
  std::memcpy(shown.picture.pixels.data(), slot->picture.mapped(), 4 * shown.picture.pixels.size());
  std::memcpy(&shown.results, slot->results.mapped(), sizeof(Results));
  const Results& r = shown.results;
  shown.is_whole = (r.pair_report.code | r.line_report.code | r.edge_report.code |
                    r.crossing_report.code) == 0 &&
                   r.saved <= f.saved_room;
  const Room before = room_;
  grow(r);
  shown.has_grown = std::memcmp(&before, &room_, sizeof(Room)) != 0;
  if (stopwatch_) shown.times = stopwatch_->read(gpu_);
  return shown;
}

std::vector<Shown> Renderer::render(const Scene& scene) {
  std::vector<Shown> frames;
  do {
    submit(scene);
    frames.push_back(wait());
  } while (!frames.back().is_whole && frames.back().has_grown);
  return frames;
}

}  // namespace scene2d
