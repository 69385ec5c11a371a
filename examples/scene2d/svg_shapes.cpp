// Builds the shapes of SVG, and measures them.
#include "svg_shapes.hpp"

#include <cmath>

#include "path_data.hpp"
#include "svg_values.hpp"

namespace scene2d {
namespace {

void add_rect(Scene& shape, pugi::xml_node node, const Style& style) {
  const float x = length_of(node, "x", style, Axis::x), y = length_of(node, "y", style, Axis::y);
  const float w = length_of(node, "width", style, Axis::x);
  const float h = length_of(node, "height", style, Axis::y);
  if (!(w > 0 && h > 0)) return;
  // One radius is for both directions.
  float rx = length_of(node, "rx", style, Axis::x, "-1");
  float ry = length_of(node, "ry", style, Axis::y, "-1");
  if (rx < 0) rx = ry;
  if (ry < 0) ry = rx;
  if (rx > 0 && ry > 0) {
    shape.rounded_rectangle(x, y, w, h, rx, ry);
  } else {
    shape.rectangle(x, y, w, h);
  }
}

void add_ellipse(Scene& shape, pugi::xml_node node, const Style& style) {
  float rx = length_of(node, "rx", style, Axis::x, "-1");
  float ry = length_of(node, "ry", style, Axis::y, "-1");
  if (rx < 0) rx = ry;
  if (ry < 0) ry = rx;
  if (local_name(node) == "circle") rx = ry = length_of(node, "r", style, Axis::both);
  if (!(rx > 0 && ry > 0)) return;
  const float cx = length_of(node, "cx", style, Axis::x),
              cy = length_of(node, "cy", style, Axis::y);
  shape.ellipse(cx, cy, rx, ry);
}

void add_line(Scene& shape, pugi::xml_node node, const Style& style) {
  shape.move({length_of(node, "x1", style, Axis::x), length_of(node, "y1", style, Axis::y)});
  shape.line({length_of(node, "x2", style, Axis::x), length_of(node, "y2", style, Axis::y)});
  shape.end();
}

// Returns whether the points are well-formed.
bool add_points(Scene& shape, pugi::xml_node node) {
  std::string_view text = node.attribute("points").value();
  while (const std::optional<float> x = next_number(text)) {
    const std::optional<float> y = next_number(text);
    if (!y) return false;
    const Point p{*x, *y};
    if (shape.tags.empty()) {
      shape.move(p);
    } else {
      shape.line(p);
    }
  }
  if (local_name(node) == "polygon") shape.close();
  shape.end();
  return trim(text).empty();
}

// Between p0 and p3, a cubic is extreme on an axis where a t² + 2 b t + c is 0; these are the
// coefficients of its derivative, divided by 3.
void add_extremes(Box& box, const Point (&p)[4], float Point::*axis) {
  const double p0 = p[0].*axis, p1 = p[1].*axis, p2 = p[2].*axis, p3 = p[3].*axis;
  const double a = p3 - 3 * p2 + 3 * p1 - p0, b = p2 - 2 * p1 + p0, c = p1 - p0;
  const double discriminant = b * b - a * c;
  if (discriminant < 0) return;
  const double q = -(b + std::copysign(std::sqrt(discriminant), b));
  for (const double t : {q / a, c / q}) {
    if (!(t > 0 && t < 1)) continue;
    const double s = 1 - t;
    const double w[4] = {s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t};
    const auto at = [&](float Point::*m) {
      return static_cast<float>(w[0] * p[0].*m + w[1] * p[1].*m + w[2] * p[2].*m + w[3] * p[3].*m);
    };
    box.add({at(&Point::x), at(&Point::y)});
  }
}

void add_cubic(Box& box, const Point (&p)[4]) {
  box.add(p[3]);
  add_extremes(box, p, &Point::x);
  add_extremes(box, p, &Point::y);
}

Point between(Point p, Point q, float t) { return {p.x + (q.x - p.x) * t, p.y + (q.y - p.y) * t}; }

}  // namespace

bool is_shape(std::string_view element) {
  constexpr std::string_view kShapes[] = {"path", "rect",     "circle", "ellipse",
                                          "line", "polyline", "polygon"};
  return std::find(std::begin(kShapes), std::end(kShapes), element) != std::end(kShapes);
}

Scene shape_of(pugi::xml_node node, const Style& style, Counts& skipped) {
  Scene shape;
  const std::string_view name = local_name(node);
  if (name == "path" && !add_path_data(shape, node.attribute("d").value())) ++skipped["path data"];
  if (name == "rect") add_rect(shape, node, style);
  if (name == "circle" || name == "ellipse") add_ellipse(shape, node, style);
  if (name == "line") add_line(shape, node, style);
  if (name.starts_with("poly") && !add_points(shape, node)) ++skipped["points"];
  for (const Point& p : shape.points) checked(p.x), checked(p.y);
  return shape;
}

void transform_points(Scene& shape, const Affine& matrix) {
  for (Point& p : shape.points) {
    p = matrix * p;
    checked(p.x), checked(p.y);
  }
}

void append(Scene& scene, const Scene& shape) {
  scene.tags.insert(scene.tags.end(), shape.tags.begin(), shape.tags.end());
  scene.points.insert(scene.points.end(), shape.points.begin(), shape.points.end());
}

Box bounds_of(const Scene& shape) {
  Box box;
  const Point* next = shape.points.data();
  Point pen{};
  for (const Tag tag : shape.tags) {
    if (tag == Tag::move || tag == Tag::line) {
      box.add(next[0]);
      pen = *next++;
    } else if (tag == Tag::quad) {
      const Point &control = next[0], &end = next[1];
      add_cubic(box, {pen, between(pen, control, 2 / 3.f), between(end, control, 2 / 3.f), end});
      pen = end;
      next += 2;
    } else if (tag == Tag::cubic) {
      add_cubic(box, {pen, next[0], next[1], next[2]});
      pen = next[2];
      next += 3;
    }
  }
  return box;
}

}  // namespace scene2d
