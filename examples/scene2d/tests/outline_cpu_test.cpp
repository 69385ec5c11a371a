// Shapes on the CPU against areas that follow from PICTURE.md.
#include "outline_cpu.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "drawn.hpp"

namespace scene2d {
namespace {

using std::numbers::pi;

double off(double value, double expected) { return std::abs(value - expected); }

// Into how many steps PICTURE.md divides an angle around a stroke of half the width h.
double steps(double angle, double h) {
  return std::ceil(angle / std::min(pi / 2, std::sqrt(0.4 / h)) - 1 / 1024.0);
}
// The area of the polygon that stands for a sector.
double sector(double angle, double h) {
  return steps(angle, h) / 2 * h * h * std::sin(angle / steps(angle, h));
}

}  // namespace

TEST_CASE("outline: a rectangle covers fractions of pixels exactly") {
  const Picture picture = render([](Scene& s) {
    s.rectangle(3.25f, 4.5f, 10.5f, 7.125f);
    s.fill(0);
  });
  const auto part = [](double low, double high, std::uint32_t pixel) {
    return std::max(0.0, std::min(high, pixel + 1.0) - std::max<double>(low, pixel));
  };
  for (std::uint32_t y = 0; y < kSide; ++y) {
    for (std::uint32_t x = 0; x < kSide; ++x) {
      const double white = 1 - part(3.25, 13.75, x) * part(4.5, 11.625, y);
      const auto byte = static_cast<std::uint32_t>(std::floor(255 * white + 0.5));
      const std::uint32_t expected = byte * 0x10101 | 0xff000000;
      if (picture.pixels[y * kSide + x] == expected) continue;
      CAPTURE(x);
      CAPTURE(y);
      CHECK(picture.pixels[y * kSide + x] == expected);
    }
  }
  const auto all = [](Scene& s) {
    s.rectangle(-300.5f, -1000, 1000, 1e9f);
    s.fill(0);
  };
  CHECK(area(all) == 64 * 64);
}

TEST_CASE("outline: a circle has its area, but for what chords of 1/20 pixel leave out") {
  Scene scene;
  scene.solid({0, 0, 0, 1});
  scene.ellipse(256.3f, 255.8f, 200, 200);
  scene.fill(0);
  double sum = 0;
  for (const std::uint32_t pixel : render_cpu(scene).pixels) sum += 255 - (pixel & 255);
  CHECK(off(sum / 255, pi * 200 * 200) < 2 * pi * 200 / 20);
}

TEST_CASE("outline: rules decide where a path covers itself") {
  const auto two = [](Scene& s) {
    s.rectangle(5, 5, 40, 40);
    s.rectangle(15.5f, 15.5f, 10, 10);
  };
  CHECK(area([&](Scene& s) { two(s), s.fill(0); }) == 1600);
  const Picture picture = render([&](Scene& s) { two(s), s.fill(0, Rule::even_odd); });
  CHECK((red(picture, 10, 10) == 0 && red(picture, 20, 20) == 255));
  CHECK(off(red(picture, 15, 20), 127.5) < 0.6);
  CHECK(off(area([&](Scene& s) { two(s), s.fill(0, Rule::even_odd); }), 1500) < 0.1);
  // With nonzero, a path in the other direction is a hole, too.
  CHECK(area([](Scene& s) {
          s.rectangle(5, 5, 40, 40);
          s.polygon({{15, 15}, {15, 25}, {25, 25}, {25, 15}});
          s.fill(0);
        }) == 1500);
  // A fill closes what is open.
  CHECK(off(area([](Scene& s) {
              s.move({5, 5}), s.line({15, 5}), s.line({15, 15});
              s.fill(0);
            }),
            50) < 0.1);
}

TEST_CASE("outline: caps add their areas to a stroke") {
  const auto line = [](Cap cap) {
    return area([cap](Scene& s) {
      s.move({10, 30.5f}), s.line({50, 30.5f});
      s.stroke(0, {9, cap});
    });
  };
  CHECK(line(Cap::butt) == 40 * 9);
  CHECK(off(line(Cap::square), 49 * 9) < 0.1);  // with halves of pixels
  CHECK(off(line(Cap::round), 40 * 9 + 2 * sector(pi, 4.5)) < 0.1);
  CHECK(sector(pi, 4.5) == doctest::Approx(pi * 4.5 * 4.5 / 2).epsilon(0.03));
}

TEST_CASE("outline: joins add their areas to a stroke") {
  // A right angle: 575 without the square of 5 x 5 outside of the corner.
  const auto corner = [](Join join, float limit) {
    return area([=](Scene& s) {
      s.move({10, 20}), s.line({40, 20}), s.line({40, 50});
      s.stroke(0, {10, Cap::butt, join, limit});
    });
  };
  CHECK(corner(Join::miter, 4) == 600);
  CHECK(corner(Join::miter, 1.415f) == 600);  // The limit for it is sqrt(2).
  CHECK(off(corner(Join::miter, 1.413f), 587.5) < 0.1);
  CHECK(off(corner(Join::bevel, 4), 587.5) < 0.1);
  CHECK(off(corner(Join::round, 4), 575 + sector(pi / 2, 5)) < 0.1);
  // Where a line turns back, round is half a circle, and the others are nothing.
  const auto back = [](Join join) {
    return area([join](Scene& s) {
      s.move({10, 30}), s.line({40, 30}), s.line({15, 30});
      s.stroke(0, {10, Cap::butt, join, 100});
    });
  };
  CHECK(off(back(Join::round), 300 + sector(pi, 5)) < 0.1);
  CHECK(back(Join::miter) == 300);
  CHECK(back(Join::bevel) == 300);
}

TEST_CASE("outline: a closed stroke has joins only, and pieces of a curve have round ones") {
  const auto box = [](Join join) {
    return area([join](Scene& s) {
      s.rectangle(10, 10, 40, 30);
      s.stroke(0, {4, Cap::round, join});
    });
  };
  CHECK(box(Join::miter) == 44 * 34 - 36 * 26);
  CHECK(off(box(Join::bevel), 44 * 34 - 36 * 26 - 4 * 2) < 0.1);
  // This curve goes to x = 47.5, and back: its 28 pieces turn at t = 1/2.
  CHECK(off(area([](Scene& s) {
              s.move({10, 30}), s.cubic({60, 30}, {60, 30}, {10, 30});
              s.stroke(0, {10, Cap::butt, Join::miter});
            }),
            375 + sector(pi, 5)) < 0.2);
  CHECK(area([](Scene& s) {
          s.move({10, 30}), s.close();
          s.stroke(0, {10, Cap::round, Join::round});
        }) == 0);
}

TEST_CASE("outline: transforms apply to shapes and to widths, the innermost first") {
  const auto corner = [](const Affine& matrix) {
    return area([&](Scene& s) {
      s.push_transform(matrix);
      s.move({10, 20}), s.line({20, 20}), s.line({20, 28});
      s.stroke(0, {2, Cap::square, Join::miter});
      s.pop_transform();
    });
  };
  // Bodies of 12 x 2 and 10 x 2 with caps, the corner once.
  CHECK(corner({}) == 12 * 2 + 8 * 2);
  CHECK(corner({2, 0, 0, 2, 0, 0}) == 4 * 40);
  CHECK(corner({-1, 0, 0, 1, 40, 0}) == 40);
  CHECK(corner({2, 0, 0, 1, 0, 0}) == 2 * 40);
  CHECK(off(corner({0.8f, 0.6f, -0.6f, 0.8f, 20, 0}), 40) < 0.2);
  const Picture picture = render([](Scene& s) {
    s.push_transform({1, 0, 0, 1, 10, 20});
    s.push_transform({3, 0, 0, 2, 0, 0});
    s.rectangle(1, 1, 1, 1);  // 13 … 16, 22 … 24
    s.fill(0);
    s.pop_transform();
    s.rectangle(0, 0, 1, 1);
    s.fill(0);
  });
  CHECK((red(picture, 13, 22) == 0 && red(picture, 15, 23) == 0 && red(picture, 10, 20) == 0));
  CHECK(
      (red(picture, 12, 22) == 255 && red(picture, 16, 22) == 255 && red(picture, 13, 24) == 255));
}

}  // namespace scene2d
