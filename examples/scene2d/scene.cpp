// Builds scenes operation by operation, and finds errors in scenes from elsewhere.
#include "scene.hpp"

#include <algorithm>
#include <cmath>

namespace scene2d {

Affine operator*(const Affine& outer, const Affine& inner) {
  return {outer.a * inner.a + outer.c * inner.b,
          outer.b * inner.a + outer.d * inner.b,
          outer.a * inner.c + outer.c * inner.d,
          outer.b * inner.c + outer.d * inner.d,
          outer.a * inner.e + outer.c * inner.f + outer.e,
          outer.b * inner.e + outer.d * inner.f + outer.f};
}

Point operator*(const Affine& matrix, Point p) {
  return {matrix.a * p.x + matrix.c * p.y + matrix.e, matrix.b * p.x + matrix.d * p.y + matrix.f};
}

namespace {

// A cubic with handles of this length is a quarter of a unit circle, within 0.03 %.
constexpr float kCircle = 0.5522847498f;

bool same(Point p, Point q) { return p.x == q.x && p.y == q.y; }

// The last tag tells whether a subpath is open.
bool is_open(const std::vector<Tag>& tags) {
  return !tags.empty() && tags.back() >= Tag::move && tags.back() <= Tag::cubic;
}

}  // namespace

void Scene::move(Point to) {
  end();
  tags.push_back(Tag::move);
  points.push_back(to);
  pen_ = first_ = to;
}

void Scene::line(Point to) {
  if (same(to, pen_)) return;
  if (!is_open(tags)) move(pen_);
  tags.push_back(Tag::line);
  points.push_back(to);
  pen_ = to;
}

void Scene::quad(Point control, Point to) {
  if (same(control, pen_) && same(to, pen_)) return;
  if (!is_open(tags)) move(pen_);
  tags.push_back(Tag::quad);
  points.insert(points.end(), {control, to});
  pen_ = to;
}

void Scene::cubic(Point control0, Point control1, Point to) {
  if (same(control0, pen_) && same(control1, pen_) && same(to, pen_)) return;
  if (!is_open(tags)) move(pen_);
  tags.push_back(Tag::cubic);
  points.insert(points.end(), {control0, control1, to});
  pen_ = to;
}

void Scene::close() {
  if (!is_open(tags)) return;
  tags.push_back(Tag::close);
  pen_ = first_;
}

void Scene::end() {
  if (!is_open(tags)) return;
  tags.push_back(Tag::end);
  pen_ = first_;
}

void Scene::rectangle(float x, float y, float w, float h) {
  polygon({{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}});
}

void Scene::rounded_rectangle(float x, float y, float w, float h, float rx, float ry) {
  rx = std::max(0.0f, std::min(rx, w / 2));
  ry = std::max(0.0f, std::min(ry, h / 2));
  const float right = x + w, bottom = y + h;
  const float dx = rx * (1 - kCircle), dy = ry * (1 - kCircle);  // from a corner to a handle
  move({x + rx, y});
  line({right - rx, y});
  cubic({right - dx, y}, {right, y + dy}, {right, y + ry});
  line({right, bottom - ry});
  cubic({right, bottom - dy}, {right - dx, bottom}, {right - rx, bottom});
  line({x + rx, bottom});
  cubic({x + dx, bottom}, {x, bottom - dy}, {x, bottom - ry});
  line({x, y + ry});
  cubic({x, y + dy}, {x + dx, y}, {x + rx, y});
  close();
}

void Scene::ellipse(float cx, float cy, float rx, float ry) {
  const float dx = rx * kCircle, dy = ry * kCircle;
  move({cx + rx, cy});
  cubic({cx + rx, cy + dy}, {cx + dx, cy + ry}, {cx, cy + ry});
  cubic({cx - dx, cy + ry}, {cx - rx, cy + dy}, {cx - rx, cy});
  cubic({cx - rx, cy - dy}, {cx - dx, cy - ry}, {cx, cy - ry});
  cubic({cx + dx, cy - ry}, {cx + rx, cy - dy}, {cx + rx, cy});
  close();
}

void Scene::polygon(const std::vector<Point>& corners) {
  if (corners.empty()) return;
  move(corners[0]);
  for (const Point& corner : corners) line(corner);  // the first is where the pen is
  close();
}

Op& Scene::add(Tag tag, std::uint32_t style) {
  end();
  tags.push_back(tag);
  ops.push_back({.style = static_cast<std::uint32_t>(tag) | style});
  return ops.back();
}

void Scene::push_transform(const Affine& m) {
  const float values[6] = {m.a, m.b, m.c, m.d, m.e, m.f};
  std::copy_n(values, 6, add(Tag::push_transform).values);
}

void Scene::pop_transform() { add(Tag::pop_transform); }

void Scene::begin_clip(Rule rule) { add(Tag::begin_clip, static_cast<std::uint32_t>(rule) << 8); }

void Scene::end_clip() { add(Tag::end_clip); }

void Scene::begin_layer(float opacity) { add(Tag::begin_layer).values[0] = opacity; }

void Scene::end_layer() { add(Tag::end_layer); }

void Scene::fill(std::uint32_t paint, Rule rule, float opacity) {
  Op& op = add(Tag::draw, static_cast<std::uint32_t>(rule) << 8);
  op.paint = paint;
  op.values[0] = opacity;
}

void Scene::stroke(std::uint32_t paint, const Stroke& stroke, float opacity) {
  Op& op = add(Tag::draw, static_cast<std::uint32_t>(stroke.cap) << 10 |
                              static_cast<std::uint32_t>(stroke.join) << 12 | 1u << 14);
  op.paint = paint;
  op.values[0] = opacity;
  op.values[1] = stroke.width;
  op.values[2] = stroke.miter_limit;
}

std::uint32_t Scene::solid(const Colour& colour) {
  Paint paint;
  paint.colour = colour;
  paints.push_back(paint);
  return static_cast<std::uint32_t>(paints.size() - 1);
}

std::uint32_t Scene::gradient(Paint paint, const std::vector<Stop>& its_stops) {
  paint.first_stop = static_cast<std::uint32_t>(stops.size());
  paint.stops = static_cast<std::uint32_t>(its_stops.size());
  stops.insert(stops.end(), its_stops.begin(), its_stops.end());
  paints.push_back(paint);
  return static_cast<std::uint32_t>(paints.size() - 1);
}

namespace {

bool finite(std::initializer_list<float> numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](float x) { return std::isfinite(x); });
}

bool finite(const Colour& c) { return finite({c.r, c.g, c.b, c.a}); }

std::string error_of(const char* what, std::size_t index, const char* error) {
  return std::string(what) + " " + std::to_string(index) + " " + error;
}

std::string error_of_count(const char* what, std::size_t count, std::size_t needed) {
  return "there are " + std::to_string(count) + " " + what + ", and the tags need " +
         std::to_string(needed);
}

std::string error_in_tags(const Scene& scene) {
  constexpr std::size_t kPoints[8] = {0, 1, 1, 2, 3, 0, 0, 0};
  std::size_t points = 0, ops = 0;
  bool open = false;  // a subpath
  for (std::size_t i = 0; i < scene.tags.size(); ++i) {
    const Tag tag = scene.tags[i];
    const auto value = static_cast<std::size_t>(tag);
    const bool is_op = tag >= Tag::push_transform;
    if (value == 0 || value == 7 || tag > Tag::draw) return error_of("tag", i, "is unknown");
    if (is_op || tag == Tag::move) {
      if (open) return error_of("tag", i, "stands in a subpath that has not ended");
    } else if (!open) {
      return error_of("tag", i, "stands outside of a subpath");
    }
    open = tag <= Tag::cubic;
    if (is_op && ops < scene.ops.size() && scene.ops[ops].tag() != tag) {
      return error_of("tag", i, "has the record of another operation");
    }
    if (is_op) {
      ++ops;
    } else {
      points += kPoints[value];
    }
  }
  if (open) return "the last subpath does not end";
  if (points != scene.points.size()) return error_of_count("points", scene.points.size(), points);
  if (ops != scene.ops.size()) return error_of_count("operations", scene.ops.size(), ops);
  return {};
}

std::string error_in_ops(const Scene& scene) {
  constexpr std::uint32_t kStyle = 15 | 1 << 8 | 3 << 10 | 3 << 12 | 1 << 14;  // bits in use
  for (std::size_t i = 0; i < scene.ops.size(); ++i) {
    const Op& op = scene.ops[i];
    const float(&v)[6] = op.values;
    if (!finite({v[0], v[1], v[2], v[3], v[4], v[5]})) {
      return error_of("operation", i, "has a number that is not finite");
    }
    if ((op.style & ~kStyle) != 0 || op.cap() > Cap::square || op.join() > Join::bevel) {
      return error_of("operation", i, "has an unknown style");
    }
    if (op.tag() == Tag::draw && op.paint >= scene.paints.size()) {
      return error_of("operation", i, "has a paint that does not exist");
    }
  }
  return {};
}

std::string error_in_paints(const Scene& scene) {
  for (std::size_t i = 0; i < scene.paints.size(); ++i) {
    const Paint& p = scene.paints[i];
    const Affine& m = p.matrix;
    if (!finite(p.colour) || !finite({p.x0, p.y0, p.x1, p.y1, p.radius}) ||
        !finite({m.a, m.b, m.c, m.d, m.e, m.f})) {
      return error_of("paint", i, "has a number that is not finite");
    }
    if (p.kind > PaintKind::radial || p.spread > Spread::repeat) {
      return error_of("paint", i, "is of an unknown kind");
    }
    if (p.kind == PaintKind::solid) continue;
    if (p.stops == 0 || std::uint64_t{p.first_stop} + p.stops > scene.stops.size()) {
      return error_of("paint", i, "has stops that do not exist");
    }
    const Stop* const stops = &scene.stops[p.first_stop];
    const auto sinks = [](const Stop& one, const Stop& next) { return next.at < one.at; };
    if (std::adjacent_find(stops, stops + p.stops, sinks) != stops + p.stops) {
      return error_of("paint", i, "has stops that are not in ascending order");
    }
  }
  for (std::size_t i = 0; i < scene.stops.size(); ++i) {
    const Stop& stop = scene.stops[i];
    if (!finite(stop.colour)) return error_of("stop", i, "has a number that is not finite");
    if (!(stop.at >= 0 && stop.at <= 1)) return error_of("stop", i, "is not in 0 … 1");
  }
  return {};
}

}  // namespace

std::string find_error(const Scene& scene) {
  if (scene.width == 0 || scene.height == 0) return "the picture has no pixels";
  if (scene.width > 16384 || scene.height > 16384) {
    return "the picture has more than 16384 pixels along a side";
  }
  if (!finite(scene.background)) return "the background has a number that is not finite";
  for (std::size_t i = 0; i < scene.points.size(); ++i) {
    if (!finite({scene.points[i].x, scene.points[i].y})) {
      return error_of("point", i, "is not finite");
    }
  }
  for (const auto find : {error_in_tags, error_in_ops, error_in_paints}) {
    if (std::string error = find(scene); !error.empty()) return error;
  }
  return {};
}

Scene scaled_to(Scene scene, std::uint32_t side) {
  const float s =
      static_cast<float>(side) / static_cast<float>(std::max(scene.width, scene.height));
  for (std::uint32_t* length : {&scene.width, &scene.height}) {
    *length = std::max(1u, static_cast<std::uint32_t>(static_cast<float>(*length) * s + 0.5f));
  }
  Op scale;
  scale.style = static_cast<std::uint32_t>(Tag::push_transform);
  scale.values[0] = scale.values[3] = s;
  scene.ops.insert(scene.ops.begin(), scale);
  scene.tags.insert(scene.tags.begin(), Tag::push_transform);
  return scene;
}

}  // namespace scene2d
