// Finds the boxes that touch each tile of a screen, in their order, as a renderer does before it
// draws tile by tile: count, expand, gather, sort, ranges.
//
// How many pairs of tile and box there are is known on the GPU only. In the first frame there is
// room for half of them: what fits is right, and the report says what the second frame needs.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "bin/tile_of.hpp"
#include "bin/touched.hpp"
#include "vkprims/context.hpp"
#include "vkprims/vkprims.hpp"

using bin::touched::Box;  // made of the struct in GLSL
using u32 = std::uint32_t;

namespace {

constexpr u32 kTile = 16, kAcross = 120, kDown = 68;  // a screen of 1,920 x 1,088 pixels

std::vector<Box> make_boxes(u32 count) {
  std::vector<Box> boxes;
  std::uint64_t state = 1;
  const auto below = [&](u32 n) {
    state = 6364136223846793005 * state + 1442695040888963407;  // the constants of Knuth's MMIX
    return static_cast<u32>(state >> 33) % n;
  };
  for (u32 i = 0; i < count; ++i) {
    const u32 size = i % 100 == 0 ? 600 : 40, x = below(1300), y = below(480);
    boxes.push_back({x, y, x + 1 + below(size), y + 1 + below(size)});
  }
  return boxes;
}

struct Frame {
  // The boxes of tile t are boxes[begins[t]] … boxes[begins[t + 1] - 1].
  std::vector<u32> begins, boxes;
  vkprims::DeviceReport report;
};

Frame make_frame(vkprims::Context& context, const vkprims::Buffer<Box>& boxes, std::uint64_t room) {
  const auto counts = context.allocate<u32>(boxes.size());
  const auto indices = context.allocate<u32>(room), ranks = context.allocate<u32>(room);
  const auto pairs = context.allocate<Box>(room);
  const auto tiles = context.allocate<u32>(room), sorted_tiles = context.allocate<u32>(room);
  const auto sorted = context.allocate<u32>(room);
  const auto begins = context.allocate<u32>(kAcross * kDown + 1);
  const auto total = context.allocate<std::uint64_t>(1);
  const auto report = context.upload(std::vector<vkprims::DeviceReport>(1));
  vkprims::Count made = vkprims::count_in(total);
  made.max = room;
  context.run([&](vkprims::Recorder& r) {
    bin::touched::map(r, {}, boxes, counts);
    expand(r, {}, counts, indices, ranks, {.total = total, .report = report});
    gather(r, {.count = made}, boxes, indices, pairs);
    bin::tile_of::map(r, {.count = made, .arguments = kAcross}, pairs, ranks, tiles);
    radix_sort(r, {.end_bit = 13, .count = made}, tiles, sorted_tiles, indices, sorted);
    key_ranges(r, {.count = made}, sorted_tiles, begins);
  });
  return {context.download(begins), context.download(sorted), context.download(report)[0]};
}

// The same on the host, with the first `room` pairs.
bool is_right(const Frame& frame, const std::vector<Box>& boxes, std::uint64_t room) {
  std::vector<std::vector<u32>> tiles(kAcross * kDown);
  for (u32 i = 0; i < boxes.size(); ++i) {
    const Box& box = boxes[i];
    for (u32 y = box.top / kTile; y * kTile < box.bottom; ++y) {
      for (u32 x = box.left / kTile; x * kTile < box.right; ++x) {
        if (room == 0) continue;
        tiles[y * kAcross + x].push_back(i);
        --room;
      }
    }
  }
  for (u32 t = 0; t < tiles.size(); ++t) {
    const auto begin = frame.boxes.begin() + frame.begins[t];
    if (!std::equal(begin, frame.boxes.begin() + frame.begins[t + 1], tiles[t].begin(),
                    tiles[t].end())) {
      return false;
    }
  }
  return true;
}

}  // namespace

int main() try {
  const std::vector<Box> boxes = make_boxes(20000);
  vkprims::Context context;
  const auto on_device = context.upload(boxes);
  std::uint64_t room = 100000;
  const Frame first = make_frame(context, on_device, room);
  bool right = first.report.code == vkprims::DeviceReport::capacity_exceeded &&
               is_right(first, boxes, room);
  room = first.report.needed;
  const Frame second = make_frame(context, on_device, room);
  right = right && second.report.code == vkprims::DeviceReport::ok && is_right(second, boxes, room);
  std::printf("%zu boxes touch %llu tiles, %llu of them in the first frame: %s\n", boxes.size(),
              static_cast<unsigned long long>(room),
              static_cast<unsigned long long>(room - first.report.count),
              right ? "right" : "wrong");
  return right ? 0 : 1;
} catch (const vkprims::Error& error) {
  std::fprintf(stderr, "bin: %s\n", error.what());
  return 1;
}
