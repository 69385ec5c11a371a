// Sizes of the arrays of a frame.
#include "frame_arrays.hpp"

#include <algorithm>

namespace scene2d {
namespace {

constexpr VkDeviceSize kAlignment = 256;

std::uint32_t u32(std::uint64_t x) { return static_cast<std::uint32_t>(x); }

std::uint32_t as_pixel(const Colour& c) {
  const auto byte = [](float x) { return u32(std::clamp(x, 0.0f, 1.0f) * 255 + 0.5f); };
  return byte(c.r) | byte(c.g) << 8 | byte(c.b) << 16 | 0xff000000;
}

}  // namespace

void FrameArrays::add(std::uint64_t Frame::*member, std::uint64_t count,
                      std::uint64_t element_bytes) {
  // Nothing is empty, and a word behind the end is for what is stored behind the last element.
  const VkDeviceSize bytes = (count + 1) * element_bytes;
  arrays_.push_back({member, bytes, end_});
  end_ += (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

FrameArrays::FrameArrays(Gpu& gpu, const Scene& scene, const Room& room) : room_(room) {
  const std::uint64_t words = (scene.tags.size() + 3) / 4, ops = scene.ops.size();
  const auto tags_from = [&](Tag first, Tag last) {
    return static_cast<std::uint64_t>(std::count_if(
        scene.tags.begin(), scene.tags.end(), [=](Tag t) { return t >= first && t <= last; }));
  };
  const std::uint64_t segments = tags_from(Tag::line, Tag::end);
  const std::uint64_t subpaths = tags_from(Tag::move, Tag::move);
  frame_.words = u32(words);
  frame_.ops_in_all = u32(ops);
  frame_.segments_in_all = u32(segments);
  frame_.width = scene.width;
  frame_.height = scene.height;
  frame_.tiles_across = (scene.width + TILE_SIZE - 1) / TILE_SIZE;
  frame_.tiles_down = (scene.height + TILE_SIZE - 1) / TILE_SIZE;
  frame_.background = as_pixel(scene.background);
  frame_.line_room = u32(room.lines);
  frame_.edge_room = u32(room.edges);
  frame_.pair_room = u32(room.pairs);
  frame_.crossing_room = u32(room.crossings);
  frame_.saved_room = u32(room.saved);
  const std::uint64_t tiles = std::uint64_t{frame_.tiles_across} * frame_.tiles_down;

  end_ = (sizeof(Frame) + kAlignment - 1) / kAlignment * kAlignment;
  add(&Frame::tags, words, 4);
  add(&Frame::points, scene.points.size(), sizeof(Point));
  add(&Frame::ops, ops, sizeof(Op));
  add(&Frame::paints, scene.paints.size(), sizeof(Paint));
  add(&Frame::stops, scene.stops.size(), sizeof(Stop));
  add(&Frame::counts_before, words, 16);

  add(&Frame::segments, segments, 16);
  add(&Frame::segment_boxes, segments, 16);
  add(&Frame::line_counts, segments, 4);
  add(&Frame::line_begins, segments, 4);
  add(&Frame::subpaths, subpaths, 16);

  add(&Frame::op_segments, ops, 4);
  add(&Frame::transform_symbols, ops, 4);
  add(&Frame::transforms, ops, 24);
  add(&Frame::matrices, ops, 24);
  add(&Frame::clip_symbols, ops, 4);
  add(&Frame::clip_match, ops, 4);
  for (const auto boxes : {&Frame::op_boxes, &Frame::clip_values, &Frame::clip_boxes}) {
    add(boxes, ops, 16);
  }
  add(&Frame::op_items, ops, 16);
  add(&Frame::brushes, ops, 48);
  add(&Frame::item_of_op, ops, 4);
  add(&Frame::items, ops, 16);
  add(&Frame::pair_counts, ops, 4);
  add(&Frame::pair_begins, ops, 4);

  for (const auto numbers :
       {&Frame::pair_items, &Frame::pair_ranks, &Frame::pair_tiles, &Frame::pair_numbers,
        &Frame::sorted_tiles, &Frame::sorted_pairs, &Frame::places, &Frame::backdrops,
        &Frame::cell_counts, &Frame::cell_begins}) {
    add(numbers, room.pairs, 4);
  }
  add(&Frame::entries, room.pairs, 20);

  for (const auto numbers :
       {&Frame::line_segments, &Frame::line_ranks, &Frame::edge_counts, &Frame::edge_begins}) {
    add(numbers, room.lines, 4);
  }
  add(&Frame::lines, room.lines, 16);
  for (const auto numbers : {&Frame::edge_lines, &Frame::edge_ranks, &Frame::edge_items,
                             &Frame::crossing_counts, &Frame::crossing_begins}) {
    add(numbers, room.edges, 4);
  }
  add(&Frame::edges, room.edges, 16);
  for (const auto numbers : {&Frame::crossing_edges, &Frame::crossing_ranks, &Frame::crossing_cells,
                             &Frame::crossing_slots, &Frame::cell_edges}) {
    add(numbers, room.crossings, 4);
  }
  add(&Frame::tile_begins, tiles, 4);
  add(&Frame::tile_sizes, tiles, 4);
  add(&Frame::drawn_tiles, tiles, 4);
  add(&Frame::saved, room.saved * TILE_SIZE * TILE_SIZE, 4);
  add(&Frame::picture, std::uint64_t{scene.width} * scene.height, 4);
  add(&Frame::results, 1, sizeof(Results));

  block_ = Memory(gpu, end_, Where::device);
  for (const Array& array : arrays_) {
    frame_.*array.member = block_.view(array.offset, array.bytes).address;
  }
}

vkprims::BufferView FrameArrays::operator[](std::uint64_t Frame::*array) const {
  const auto at = std::find_if(arrays_.begin(), arrays_.end(),
                               [&](const Array& a) { return a.member == array; });
  return block_.view(at->offset, at->bytes);
}

}  // namespace scene2d
