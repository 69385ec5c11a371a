// Small pictures that tests of the CPU renderer draw and look at.
#pragma once

#include <doctest/doctest.h>

#include <functional>

#include "render_cpu.hpp"

namespace scene2d {

inline constexpr std::uint32_t kSide = 64;

// The red channel of a pixel, 0 … 255.
inline int red(const Picture& p, std::uint32_t x, std::uint32_t y) {
  return static_cast<int>(p.pixels[y * p.width + x] & 255);
}

// The picture of what is drawn with black, paint 0, on white.
inline Picture render(const std::function<void(Scene&)>& draw) {
  Scene scene;
  scene.width = scene.height = kSide;
  scene.solid({0, 0, 0, 1});
  draw(scene);
  REQUIRE(find_error(scene) == "");
  return render_cpu(scene);
}

// How many pixels are black, in fractions of 255.
inline double area(const std::function<void(Scene&)>& draw) {
  const Picture picture = render(draw);
  double sum = 0;
  for (const std::uint32_t pixel : picture.pixels) sum += 255 - (pixel & 255);
  return sum / 255;
}

}  // namespace scene2d
