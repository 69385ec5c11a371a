// The shapes of SVG: <path>, <rect> and so on, as segments.
#pragma once

#include <algorithm>
#include <limits>
#include <string_view>

#include "scene.hpp"
#include "svg_document.hpp"

namespace scene2d {

bool is_shape(std::string_view element);

// Builds the shape of an element in a scene of its own. What is drawn of malformed path data is the
// part before the mistake, which is counted.
Scene shape_of(pugi::xml_node node, const Style& style, Counts& skipped);

void transform_points(Scene& shape, const Affine& matrix);
// Puts a shape into a scene, behind what is there.
void append(Scene& scene, const Scene& shape);

struct Box {
  float left = std::numeric_limits<float>::infinity(), top = left;
  float right = -left, bottom = -left;

  void add(Point p) {
    left = std::min(left, p.x), right = std::max(right, p.x);
    top = std::min(top, p.y), bottom = std::max(bottom, p.y);
  }
  void unite(const Box& other) {
    left = std::min(left, other.left), right = std::max(right, other.right);
    top = std::min(top, other.top), bottom = std::max(bottom, other.bottom);
  }
  bool has_area() const { return right > left && bottom > top; }
  // From a unit square to the box.
  Affine matrix() const { return {right - left, 0, 0, bottom - top, left, top}; }
};
// The exact box, without the width of a stroke.
Box bounds_of(const Scene& shape);

}  // namespace scene2d
