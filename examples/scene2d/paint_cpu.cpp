// Evaluates gradients.
#include "paint_cpu.hpp"

#include <cmath>

namespace scene2d {

Pixel premultiplied(const Colour& c) { return {c.r * c.a, c.g * c.a, c.b * c.a, c.a}; }

Brush::Brush(const Scene& scene, const Paint& paint, const Affine& matrix) : paint_(paint) {
  if (is_solid()) return;
  stops_ = std::span(scene.stops).subspan(paint.first_stop, paint.stops);
  const Affine m = matrix * paint.matrix;
  const double a = m.a, b = m.b, c = m.c, d = m.d, e = m.e, f = m.f;
  const double determinant = a * d - b * c;
  invertible_ = determinant != 0 && std::isfinite(determinant);
  if (!invertible_) return;
  a_ = d / determinant;
  b_ = -b / determinant;
  c_ = -c / determinant;
  d_ = a / determinant;
  e_ = -(a_ * e + c_ * f);
  f_ = -(b_ * e + d_ * f);
}

namespace {

double spread(double t, Spread how) {
  switch (how) {
    case Spread::repeat:
      return t - std::floor(t);
    case Spread::reflect:
      return 1 - std::fabs(1 - (t - 2 * std::floor(t / 2)));
    default:
      return t;
  }
}

Colour mixed(const Colour& p, const Colour& q, float t) {
  return {p.r + (q.r - p.r) * t, p.g + (q.g - p.g) * t, p.b + (q.b - p.b) * t,
          p.a + (q.a - p.a) * t};
}

}  // namespace

double Brush::parameter_at(double x, double y) const {
  if (!invertible_) return 1;
  const double px = a_ * x + c_ * y + e_, py = b_ * x + d_ * y + f_;
  const double x0 = paint_.x0, y0 = paint_.y0, x1 = paint_.x1, y1 = paint_.y1;
  if (paint_.kind == PaintKind::linear) {
    const double dx = x1 - x0, dy = y1 - y0, square = dx * dx + dy * dy;
    return square == 0 ? 1 : ((px - x0) * dx + (py - y0) * dy) / square;
  }
  // From the focus, in which t = 0, to the point and to the centre.
  const double qx = px - x1, qy = py - y1, ex = x0 - x1, ey = y0 - y1, r = paint_.radius;
  const double a = r * r - (ex * ex + ey * ey), b = qx * ex + qy * ey;
  return a <= 0 ? 1 : (std::sqrt(b * b + a * (qx * qx + qy * qy)) - b) / a;
}

Colour Brush::colour_at(float t) const {
  if (t < stops_.front().at) return stops_.front().colour;
  if (t >= stops_.back().at) return stops_.back().colour;
  std::size_t behind = 1;
  while (stops_[behind].at <= t) ++behind;
  const Stop &before = stops_[behind - 1], &after = stops_[behind];
  return mixed(before.colour, after.colour, (t - before.at) / (after.at - before.at));
}

Pixel Brush::at(int x, int y) const {
  if (is_solid()) return premultiplied(paint_.colour);
  const double t = spread(parameter_at(x + 0.5, y + 0.5), paint_.spread);
  return premultiplied(colour_at(static_cast<float>(t)));
}

}  // namespace scene2d
