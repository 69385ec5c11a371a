// The arrays of a frame as tables of a few lines each.
#include "dump.hpp"

#include <cstdio>
#include <cstring>

namespace scene2d {
namespace {

// A copy of all arrays on the host.
class HostArrays {
 public:
  HostArrays(Gpu& gpu, const FrameArrays& arrays) : arrays_(arrays) {
    const vkprims::BufferView first = arrays.frame_view();
    memory_ = Memory(gpu, arrays.bytes(), Where::download);
    const VkCommandPoolCreateInfo pool_info{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                            .queueFamilyIndex = gpu.family()};
    VkCommandPool pool = VK_NULL_HANDLE;
    check(vkCreateCommandPool(gpu.device(), &pool_info, nullptr, &pool), "vkCreateCommandPool");
    const VkCommandBufferAllocateInfo cmd_info{
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1};
    VkCommandBuffer cmd = VK_NULL_HANDLE;
    check(vkAllocateCommandBuffers(gpu.device(), &cmd_info, &cmd), "vkAllocateCommandBuffers");
    const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    check(vkBeginCommandBuffer(cmd, &begin), "vkBeginCommandBuffer");
    check(vkprims::record_barrier(cmd, gpu.prims()));
    const VkBufferCopy region{0, 0, arrays.bytes()};
    vkCmdCopyBuffer(cmd, first.buffer, memory_.buffer(), 1, &region);
    check(vkprims::record_barrier(cmd, gpu.prims(), vkprims::BarrierBefore::host));
    check(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
    const VkSubmitInfo submit{
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cmd};
    check(vkQueueSubmit(gpu.queue(), 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
    check(vkQueueWaitIdle(gpu.queue()), "vkQueueWaitIdle");
    vkDestroyCommandPool(gpu.device(), pool, nullptr);
  }

  const unsigned char* operator[](std::uint64_t Frame::*array) const {
    return static_cast<const unsigned char*>(memory_.mapped()) + arrays_[array].offset;
  }

 private:
  const FrameArrays& arrays_;
  Memory memory_;
};

enum class As { numbers, signed_numbers, floats };

// Prints `count` rows of `words` words each; words of one are printed side by side.
void print(const HostArrays& host, const char* name, std::uint64_t Frame::*array,
           std::uint32_t count, std::uint32_t words, As as) {
  constexpr std::uint32_t kMost = 64;  // rows
  std::printf("%s (%u):", name, count);
  const unsigned char* at = host[array];
  for (std::uint32_t i = 0; i < count && i < kMost; ++i) {
    std::printf(words == 1 ? " " : i % 4 == 0 ? "\n  (" : " (");
    for (std::uint32_t k = 0; k < words; ++k, at += 4) {
      std::uint32_t word;
      float number;
      std::memcpy(&word, at, 4);
      std::memcpy(&number, at, 4);
      if (k != 0) std::printf(" ");
      if (as == As::floats) {
        std::printf("%.4g", static_cast<double>(number));
      } else if (as == As::signed_numbers) {
        std::printf("%d", static_cast<int>(word));
      } else if (word == NOTHING) {
        std::printf("-");
      } else {
        std::printf("%u", word);
      }
    }
    if (words != 1) std::printf(")");
  }
  std::printf(count > kMost ? " ...\n" : "\n");
}

}  // namespace

void dump(Gpu& gpu, const FrameArrays& arrays, const Results& r) {
  const HostArrays host(gpu, arrays);
  const Frame& f = arrays.frame();
  using F = Frame;
  const auto numbers = [&](const char* name, std::uint64_t F::*array, std::uint32_t count,
                           std::uint32_t words = 1) {
    print(host, name, array, count, words, As::numbers);
  };
  const auto floats = [&](const char* name, std::uint64_t F::*array, std::uint32_t count,
                          std::uint32_t words) {
    print(host, name, array, count, words, As::floats);
  };
  numbers("paths: counts before each word of tags: operations, segments, points, subpaths",
          &F::counts_before, f.words, 4);
  numbers("paths: segments: tag, point, operation, subpath", &F::segments, f.segments_in_all, 4);
  numbers("paths: where the segments of each operation begin", &F::op_segments, f.ops_in_all + 1);
  numbers("bounds: symbols of the stack of transforms", &F::transform_symbols, f.ops_in_all);
  floats("bounds: matrices", &F::matrices, f.ops_in_all, 6);
  floats("bounds: boxes of shapes", &F::op_boxes, f.ops_in_all, 4);
  numbers("clips: symbols", &F::clip_symbols, f.ops_in_all);
  numbers("clips: what each end ends, and where each beginning lies in", &F::clip_match,
          f.ops_in_all);
  floats("clips: boxes that hold", &F::clip_boxes, f.ops_in_all, 4);
  numbers("items: operation, subject, first tile, behind the last tile (x + 65536 y)", &F::items,
          r.items, 4);
  numbers("tiles: where the pairs of each item begin", &F::pair_begins, r.items + 1);
  numbers("tiles: tiles of pairs", &F::pair_tiles, r.pairs);
  numbers("tiles: pairs, sorted by tile", &F::sorted_pairs, r.pairs);
  numbers("tiles: where the pairs of each tile begin", &F::tile_begins,
          f.tiles_across * f.tiles_down + 1);
  numbers("lines: where those of each segment begin", &F::line_begins, f.segments_in_all + 1);
  floats("lines: from, to", &F::lines, r.lines, 4);
  print(host, "edges: from, to, in 1/4096 pixel", &F::edges, r.edges, 4, As::signed_numbers);
  numbers("coverage: where the crossings of each edge begin", &F::crossing_begins, r.edges + 1);
  numbers("coverage: cells of crossings", &F::crossing_cells, r.crossings);
  numbers("coverage: crossings of cells", &F::cell_counts, r.pairs);
  print(host, "coverage: backdrops", &F::backdrops, r.pairs, 1, As::signed_numbers);
  print(host, "picture: kind and class, subject, first edge, edges, backdrop", &F::entries, r.pairs,
        5, As::signed_numbers);
}

}  // namespace scene2d
