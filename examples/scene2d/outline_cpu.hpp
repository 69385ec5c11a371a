// Shapes as straight edges, for the renderer on the CPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scene.hpp"

namespace scene2d {

constexpr std::int32_t kUnitsPerPixel = 4096;  // of the coordinates of edges

// An edge of what a shape covers; it has a direction, and is not horizontal.
struct Edge {
  std::int32_t x0, y0, x1, y1;
};

// The segments that an operation uses.
struct Shape {
  std::span<const Tag> tags;
  std::span<const Point> points;
};

inline bool is_segment(Tag tag) { return tag >= Tag::move && tag <= Tag::end; }
inline std::size_t points_of(Tag tag) {
  switch (tag) {
    case Tag::move:
    case Tag::line:
      return 1;
    case Tag::quad:
      return 2;
    case Tag::cubic:
      return 3;
    default:
      return 0;
  }
}

// Appends the edges of a fill, of a clip or, if `op` says so, of a stroke. They make closed
// polygons.
void append_outline(const Shape& shape, const Op& op, const Affine& matrix,
                    std::vector<Edge>& edges);

}  // namespace scene2d
