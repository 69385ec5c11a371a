// The colours of paints at pixels, for the renderer on the CPU.
#pragma once

#include <span>

#include "scene.hpp"

namespace scene2d {

// A premultiplied colour.
struct Pixel {
  float r = 0, g = 0, b = 0, a = 0;
};
inline Pixel operator*(const Pixel& p, float s) { return {p.r * s, p.g * s, p.b * s, p.a * s}; }
inline Pixel over(const Pixel& s, const Pixel& d) {
  const float rest = 1 - s.a;
  return {s.r + d.r * rest, s.g + d.g * rest, s.b + d.b * rest, s.a + d.a * rest};
}
Pixel premultiplied(const Colour& colour);

class Brush {
 public:
  // `matrix` is that of the operation.
  Brush(const Scene& scene, const Paint& paint, const Affine& matrix);

  bool is_solid() const { return paint_.kind == PaintKind::solid; }
  Pixel at(int x, int y) const;  // of the pixel, at its centre

 private:
  double parameter_at(double x, double y) const;
  Colour colour_at(float t) const;

  const Paint& paint_;
  std::span<const Stop> stops_;
  bool invertible_ = false;
  double a_ = 0, b_ = 0, c_ = 0, d_ = 0, e_ = 0, f_ = 0;  // from pixels to the gradient
};

}  // namespace scene2d
