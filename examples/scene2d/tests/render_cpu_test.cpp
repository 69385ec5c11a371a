// The renderer on the CPU against colours that follow from PICTURE.md.
#include "render_cpu.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "drawn.hpp"

namespace scene2d {
namespace {

constexpr Colour kBlack{0, 0, 0, 1}, kRed{1, 0, 0, 1};
const std::vector<Stop> kGrey{{0, {0, 0, 0, 1}}, {1, {1, 1, 1, 1}}};

// The other channels.
int green(const Picture& p, std::uint32_t x, std::uint32_t y) {
  return static_cast<int>(p.pixels[y * p.width + x] >> 8 & 255);
}
int blue(const Picture& p, std::uint32_t x, std::uint32_t y) {
  return static_cast<int>(p.pixels[y * p.width + x] >> 16 & 255);
}

Picture render_gradient(const Paint& paint, const std::vector<Stop>& stops) {
  return render([&](Scene& scene) {
    const std::uint32_t gradient = scene.gradient(paint, stops);
    scene.rectangle(0, 0, kSide, kSide);
    scene.fill(gradient);
  });
}

double off(double value, double expected) { return std::abs(value - expected); }

void cover(Scene& scene, float opacity = 1) {
  scene.rectangle(0, 0, kSide, kSide);
  scene.fill(0, Rule::nonzero, opacity);
}

}  // namespace

TEST_CASE("render: linear gradients, with each spread") {
  Paint paint{.kind = PaintKind::linear, .x0 = 10, .x1 = 26};
  for (const Spread spread : {Spread::pad, Spread::reflect, Spread::repeat}) {
    CAPTURE(static_cast<int>(spread));
    paint.spread = spread;
    const Picture picture = render_gradient(paint, kGrey);
    for (std::uint32_t x = 0; x < kSide; ++x) {
      const double t = (x + 0.5 - 10) / 16;
      double shade = std::clamp(t, 0.0, 1.0);
      if (spread != Spread::pad) shade = t - std::floor(t);
      const bool is_odd = static_cast<int>(std::floor(t)) & 1;
      if (spread == Spread::reflect && is_odd) shade = 1 - shade;
      CAPTURE(x);
      CHECK(off(red(picture, x, x), 255 * shade) < 0.51);
    }
  }
  // Across the axis nothing changes, whatever its direction.
  const Picture slanted =
      render_gradient({.kind = PaintKind::linear, .x0 = 0, .y0 = 0, .x1 = 32, .y1 = 32}, kGrey);
  CHECK(off(red(slanted, 20, 11), 127.5) < 0.51);
  CHECK(off(red(slanted, 11, 20), 127.5) < 0.51);
  CHECK(off(red(slanted, 0, 15), 63.75) < 0.51);
}

TEST_CASE("render: radial gradients go from the focus to the circle") {
  const std::vector<Stop> stops{{0, {1, 0, 0, 1}}, {1, {0, 1, 0, 1}}};
  Paint paint{
      .kind = PaintKind::radial, .x0 = 30.5f, .y0 = 32.5f, .x1 = 20.5f, .y1 = 32.5f, .radius = 25};
  const Picture picture = render_gradient(paint, stops);
  for (std::uint32_t x = 0; x < kSide; ++x) {
    const double right = (x - 20.0) / 35, left = (20.0 - x) / 15;
    const double t = std::min(1.0, std::max(right, left));
    CAPTURE(x);
    CHECK(off(green(picture, x, 32), 255 * t) < 0.51);
    CHECK(off(red(picture, x, 32), 255 * (1 - t)) < 0.51);
  }
  // Above the focus: the circle is sqrt(25² - 10²) away.
  CHECK(off(green(picture, 20, 20), 255 * 12 / std::sqrt(625 - 100)) < 0.51);
  paint.x1 = 70;  // outside of the circle
  CHECK(green(render_gradient(paint, stops), 3, 3) == 255);
  paint = {.kind = PaintKind::radial, .radius = 0};
  CHECK(green(render_gradient(paint, stops), 3, 3) == 255);
}

TEST_CASE("render: gradients have transforms, and stops as they are") {
  Paint paint{.kind = PaintKind::linear, .x1 = 1, .matrix = {64, 0, 0, 1, 0, 0}};
  const Picture half = render([&](Scene& s) {
    const std::uint32_t gradient = s.gradient(paint, kGrey);
    s.push_transform({0.5f, 0, 0, 0.5f, 4, 0});
    s.rectangle(0, 0, 64, 64);
    s.fill(gradient);
  });
  CHECK(off(red(half, 10, 3), 255 * 6.5 / 32) < 0.51);
  CHECK(red(half, 40, 3) == 255);     // where there is no shape
  paint.matrix = {0, 0, 0, 0, 0, 0};  // the last stop then
  CHECK(red(render_gradient(paint, {{0, kBlack}, {1, kRed}}), 3, 3) == 255);
  paint = {.kind = PaintKind::linear, .x0 = 5, .x1 = 5};
  CHECK(red(render_gradient(paint, {{0, kBlack}, {1, kRed}}), 3, 3) == 255);

  paint = {.kind = PaintKind::linear, .x1 = 64};
  const Picture step = render_gradient(paint, {{0.5f, kBlack}, {0.5f, kRed}, {0.5f, {0, 0, 1, 1}}});
  CHECK((blue(step, 31, 3) == 0 && red(step, 31, 3) == 0));
  CHECK((blue(step, 32, 3) == 255 && red(step, 32, 3) == 0));
  // Where t is that of two stops, the second one is meant.
  const Picture exact = render_gradient({.kind = PaintKind::linear, .x0 = 0.5f, .x1 = 64.5f},
                                        {{0, kBlack}, {0.5f, kBlack}, {0.5f, kRed}, {1, kRed}});
  CHECK((red(exact, 31, 3) == 0 && red(exact, 32, 3) == 255));
  const Picture inner = render_gradient(paint, {{0.25f, kBlack}, {0.75f, {1, 1, 1, 1}}});
  CHECK((red(inner, 15, 3) == 0 && red(inner, 48, 3) == 255));
  CHECK(off(red(inner, 24, 3), 255 * (24.5 / 64 - 0.25) * 2) < 0.51);
  // Colours are mixed before they are premultiplied: at t, red t and alpha 1 - t.
  const Picture clear = render_gradient(paint, {{0, {0, 0, 0, 1}}, {1, {1, 0, 0, 0}}});
  const double t = 16.5 / 64;
  CHECK(off(red(clear, 16, 3), 255 * (t * (1 - t) + t)) < 0.51);
  CHECK(off(green(clear, 16, 3), 255 * t) < 0.51);
}

TEST_CASE("render: colours, opacity and the background") {
  Scene scene;
  scene.width = scene.height = kSide;
  scene.background = {0, 0, 1, 1};
  scene.rectangle(0, 0, 32, 64);
  scene.fill(scene.solid({1, 0, 0, 0.5f}), Rule::nonzero, 0.5f);
  const Picture picture = render_cpu(scene);
  CHECK(picture.pixels[3] == 0xffbf0040);  // a quarter red
  CHECK(picture.pixels[40] == 0xffff0000);
}

TEST_CASE("render: clips multiply, and end") {
  const Picture picture = render([](Scene& s) {
    for (int i = 0; i < 2; ++i) s.rectangle(10.5f, 10, 20, 20), s.begin_clip();
    cover(s);
    s.end_clip();
    s.end_clip();
    s.rectangle(0, 50, 5, 5);
    s.fill(0);
  });
  CHECK((red(picture, 9, 15) == 255 && red(picture, 11, 15) == 0 && red(picture, 11, 9) == 255));
  CHECK(off(red(picture, 10, 15), 255 * 0.75) < 0.51);
  CHECK(off(red(picture, 30, 15), 255 * 0.75) < 0.51);
  CHECK(red(picture, 2, 52) == 0);
  const auto clipped = [](Rule rule) {
    return area([rule](Scene& s) {
      s.rectangle(5, 5, 40, 40), s.rectangle(10, 10, 10, 10);
      s.begin_clip(rule);
      cover(s);
    });
  };
  CHECK(clipped(Rule::nonzero) == 1600);
  CHECK(clipped(Rule::even_odd) == 1500);
  CHECK(area([](Scene& s) { s.begin_clip(), cover(s); }) == 0);  // by nothing
  CHECK(area([](Scene& s) {
          s.rectangle(0, 0, 9, 9), s.begin_clip();
          s.rectangle(20, 20, 9, 9), s.begin_clip();
          cover(s);
        }) == 0);
}

TEST_CASE("render: layers are put onto what is below as a whole") {
  const Picture picture = render([](Scene& s) {
    s.rectangle(10.5f, 10, 20, 20);
    s.begin_clip();
    s.begin_layer(0.5f);
    cover(s);
    s.rectangle(0, 0, 20, 64);
    s.fill(s.solid({1, 0, 0, 0.5f}));
    s.begin_layer(0.5f);
    s.rectangle(24, 0, 40, 64);
    s.fill(s.solid({1, 1, 1, 1}));
    s.end_layer();
    s.end_layer();
    s.end_clip();
  });
  CHECK(red(picture, 5, 15) == 255);
  CHECK(off(green(picture, 22, 15), 127.5) < 0.51);  // black, once
  CHECK(off(red(picture, 15, 15), 255 * 0.75) < 0.51);
  CHECK(off(green(picture, 15, 15), 127.5) < 0.51);
  CHECK(off(green(picture, 10, 15), 255 * 0.75) < 0.51);  // at the edge of the clip
  CHECK(off(green(picture, 26, 15), 255 * 0.75) < 0.51);  // grey in the layer
  CHECK(area([](Scene& s) {
          s.begin_layer(0), cover(s), s.end_layer();
          s.begin_layer(1), s.end_layer();
        }) == 0);
}

TEST_CASE("render: an end ends the innermost clip or layer; extra ends do nothing") {
  CHECK(area([](Scene& s) {
          s.end_clip(), s.end_layer(), s.pop_transform();
          s.rectangle(0, 0, 10, 10), s.begin_clip();
          s.end_layer();  // ends the clip
          s.end_clip();
          s.push_transform({0.5f, 0, 0, 0.5f, 0, 0});
          s.end_clip();
          s.pop_transform();
          s.pop_transform();
          cover(s);
        }) == 64 * 64);
  const Picture mixed = render([](Scene& s) {
    s.rectangle(0, 0, 32, 64), s.begin_clip();
    s.begin_layer(0.5f);
    cover(s);
    s.end_clip();  // ends the layer
    cover(s, 0.5f);
    s.end_layer();
    s.rectangle(60, 60, 4, 4), s.fill(0);
  });
  CHECK(off(red(mixed, 5, 5), 255 * 0.25) < 0.51);
  CHECK((red(mixed, 40, 5) == 255 && red(mixed, 62, 62) == 0));
}

TEST_CASE("render: what stays open ends with the scene") {
  const Picture picture = render([](Scene& s) {
    s.rectangle(0, 0, 32, 64), s.begin_clip();
    s.push_transform({1, 0, 0, 0.5f, 0, 0});
    s.begin_layer(0.25f);
    cover(s);
  });
  CHECK(off(red(picture, 5, 5), 255 * 0.75) < 0.51);
  CHECK((red(picture, 40, 5) == 255 && red(picture, 5, 40) == 255));
}

TEST_CASE("render: scenes in which there is nothing to see") {
  Scene scene;
  scene.width = 7;
  scene.height = 3;
  scene.background = kRed;
  CHECK(render_cpu(scene).pixels == std::vector<std::uint32_t>(21, 0xff0000ff));
  scene.end_clip(), scene.pop_transform(), scene.end_layer(), scene.begin_layer(1);
  scene.begin_clip();
  scene.fill(scene.solid(kBlack));
  scene.stroke(0, {});
  scene.rectangle(9, 0, 5, 5);
  scene.fill(0);
  scene.push_transform({0, 0, 0, 0, 0, 0});
  scene.rectangle(0, 0, 5, 5);
  scene.fill(0);
  CHECK(render_cpu(scene).pixels == std::vector<std::uint32_t>(21, 0xff0000ff));
}

TEST_CASE("render: numbers that are huge or tiny do no harm") {
  for (const float z : {3e38f, 1e30f, 1e6f, 1e-30f, 0.0f}) {
    Scene scene;
    scene.width = scene.height = kSide;
    scene.solid(kBlack);
    const std::uint32_t faded =
        scene.gradient({.kind = PaintKind::radial, .x1 = 1, .radius = z}, kGrey);
    for (int i = 0; i < 2; ++i) {
      scene.push_transform({z, 1, -2, z, z, -z});
      scene.move({-z, z}), scene.quad({z, 0}, {-z, -z}), scene.cubic({z, 1}, {5, z}, {0, 0});
      scene.stroke(0, {z, Cap::round, Join::round});
      scene.ellipse(0, 0, z, z), scene.begin_clip();
      scene.rectangle(-z / 2, -z / 2, z, z), scene.stroke(faded, {5, Cap::square, Join::miter, z});
    }
    CHECK(render_cpu(scene).pixels.size() == kSide * kSide);
  }
}

}  // namespace scene2d
