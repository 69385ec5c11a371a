// What the builder puts into a scene, and what is found to be wrong with scenes.
#include "scene.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace scene2d {
namespace {

// A letter for each tag: M L Q C segments, Z and E ends of subpaths, and brackets for operations:
// ( ) transforms, [ ] clips, { } layers, D a draw.
std::string letters(const Scene& scene) {
  std::string text;
  for (const Tag tag : scene.tags) text += "0MLQCZE7()[]{}D"[static_cast<std::size_t>(tag)];
  return text;
}

void check_points(const Scene& scene, const std::vector<Point>& expected) {
  REQUIRE(scene.points.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(scene.points[i].x == doctest::Approx(expected[i].x).epsilon(1e-6));
    CHECK(scene.points[i].y == doctest::Approx(expected[i].y).epsilon(1e-6));
  }
}

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

}  // namespace

TEST_CASE("scene: shapes without segments are empty") {
  Scene scene;
  scene.close();
  scene.end();
  scene.line({0, 0});
  scene.quad({0, 0}, {0, 0});
  scene.cubic({0, 0}, {0, 0}, {0, 0});
  scene.polygon({});
  CHECK(letters(scene) == "");
  scene.fill(scene.solid({}));
  CHECK(letters(scene) == "D");
  scene.ellipse(5, 5, 0, 0);
  scene.rectangle(1, 2, 0, 0);
  scene.rounded_rectangle(1, 2, 0, 0, 3, 4);
  scene.polygon({{7, 7}});
  scene.begin_clip();
  CHECK(letters(scene) == "DMZMZMZMZ[");
  CHECK(find_error(scene) == "");
}

TEST_CASE("scene: operations end subpaths, and what follows begins where they began") {
  Scene scene;
  scene.move({3, 4});
  scene.line({5, 4});
  scene.push_transform({});
  scene.quad({3, 4}, {3, 5});
  scene.begin_clip(Rule::even_odd);
  scene.cubic({3, 4}, {4, 4}, {4, 5});
  scene.close();
  scene.line({9, 9});
  scene.stroke(scene.solid({}), {});
  scene.move({1, 1});
  scene.begin_layer(0.5f);
  scene.end_layer();
  scene.end_clip();
  scene.pop_transform();
  CHECK(letters(scene) == "MLE(MQE[MCZMLEDME{}])");
  check_points(scene, {{3, 4},
                       {5, 4},
                       {3, 4},
                       {3, 4},
                       {3, 5},
                       {3, 4},
                       {3, 4},
                       {4, 4},
                       {4, 5},
                       {3, 4},
                       {9, 9},
                       {1, 1}});
  CHECK(find_error(scene) == "");
}

TEST_CASE("scene: a move ends the subpath before it") {
  Scene scene;
  scene.move({1, 1});
  scene.move({2, 2});
  scene.line({3, 3});
  scene.move({4, 4});
  scene.close();
  CHECK(letters(scene) == "MEMLEMZ");
}

TEST_CASE("scene: radii of a rounded rectangle are at most half a side, and not negative") {
  constexpr float kHandle = 0.5522847498f;  // 4/3 (sqrt(2) - 1)
  Scene scene;
  scene.rounded_rectangle(1, 2, 30, 20, 5, 4);
  CHECK(letters(scene) == "MLCLCLCLCZ");
  CHECK(scene.points[0].x == 6);
  CHECK(scene.points[1].x == 26);  // where the upper side ends
  check_points(scene, {{6, 2},
                       {26, 2},
                       {31 - 5 * (1 - kHandle), 2},
                       {31, 6 - 4 * kHandle},
                       {31, 6},
                       {31, 18},
                       {31, 18 + 4 * kHandle},
                       {31 - 5 * (1 - kHandle), 22},
                       {26, 22},
                       {6, 22},
                       {6 - 5 * kHandle, 22},
                       {1, 18 + 4 * kHandle},
                       {1, 18},
                       {1, 6},
                       {1, 6 - 4 * kHandle},
                       {6 - 5 * kHandle, 2},
                       {6, 2}});
  Scene most;
  most.rounded_rectangle(1, 2, 30, 20, 500, 10);
  CHECK(letters(most) == "MCCCCZ");  // an ellipse has no sides
  CHECK(most.points[0].x == 16);
  CHECK(most.points[3].y == 12);
  Scene sharp;
  sharp.rounded_rectangle(1, 2, 30, 20, -1, -1);
  CHECK(letters(sharp) == "MLLLLZ");
  check_points(sharp, {{1, 2}, {31, 2}, {31, 22}, {1, 22}, {1, 2}});
}

TEST_CASE("scene: an ellipse is one within 0.03 % of its radii") {
  Scene scene;
  scene.ellipse(10, 20, 4, 7);
  REQUIRE(letters(scene) == "MCCCCZ");
  for (std::size_t i = 0; i < 64; ++i) {
    const Point* p = &scene.points[i / 16 * 3];
    const float t = static_cast<float>(i % 16) / 16, u = 1 - t;
    const float w[4] = {u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t};
    float x = 0, y = 0;
    for (std::size_t j = 0; j < 4; ++j) x += w[j] * p[j].x, y += w[j] * p[j].y;
    CHECK(std::abs(std::hypot((x - 10) / 4, (y - 20) / 7) - 1) < 3e-4f);
  }
}

TEST_CASE("scene: records of operations are what the shaders expect") {
  Scene scene;
  const std::uint32_t red = scene.solid({1, 0, 0, 1});
  const std::uint32_t faded =
      scene.gradient({.kind = PaintKind::linear}, {{0, {0, 0, 0, 1}}, {1, {1, 1, 1, 1}}});
  scene.push_transform({1, 2, 3, 4, 5, 6});
  scene.begin_clip(Rule::even_odd);
  scene.begin_layer(0.25f);
  scene.fill(red, Rule::even_odd, 0.5f);
  scene.stroke(faded, {2, Cap::square, Join::bevel, 3}, 0.75f);
  scene.stroke(red, {.cap = Cap::round, .join = Join::round});
  const std::uint32_t styles[] = {8,
                                  10 | 1 << 8,
                                  12,
                                  14 | 1 << 8,
                                  14 | 2 << 10 | 2 << 12 | 1 << 14,
                                  14 | 1 << 10 | 1 << 12 | 1 << 14};
  const float values[][3] = {{1, 2, 3}, {}, {0.25f}, {0.5f}, {0.75f, 2, 3}, {1, 1, 4}};
  REQUIRE(scene.ops.size() == 6);
  for (std::size_t i = 0; i < 6; ++i) {
    CAPTURE(i);
    CHECK(scene.ops[i].style == styles[i]);
    for (std::size_t k = 0; k < 3; ++k) CHECK(scene.ops[i].values[k] == values[i][k]);
  }
  CHECK(scene.ops[0].values[5] == 6);
  CHECK(scene.ops[4].cap() == Cap::square);
  CHECK(scene.ops[4].join() == Join::bevel);
  CHECK(scene.ops[3].rule() == Rule::even_odd);
  CHECK((!scene.ops[3].is_stroke() && scene.ops[4].is_stroke()));
  CHECK((scene.ops[3].paint == 0 && scene.ops[4].paint == 1 && scene.ops[5].paint == 0));
  CHECK((scene.paints[1].first_stop == 0 && scene.paints[1].stops == 2));
}

TEST_CASE("scene: a product of matrices applies the right one first") {
  const Affine outer{1, 2, 3, 4, 5, 6}, inner{2, 0, 1, 3, 7, 8};
  const Point p = outer * inner * Point{3, 4};
  // The inner one makes (6 + 4 + 7, 12 + 8) = (17, 20) of it.
  CHECK(p.x == 17 + 60 + 5);
  CHECK(p.y == 34 + 80 + 6);
}

TEST_CASE("scene: scaled_to scales the picture and what is in it") {
  Scene scene;
  scene.width = 400;
  scene.height = 300;
  scene.rectangle(0, 0, 400, 300);
  scene.fill(scene.solid({}));
  const Scene small = scaled_to(scene, 100);
  CHECK((small.width == 100 && small.height == 75));
  CHECK(letters(small) == "(MLLLZD");
  CHECK((small.ops[0].values[0] == 0.25f && small.ops[0].values[3] == 0.25f));
  CHECK((small.ops[0].values[1] == 0 && small.ops[0].values[4] == 0));
  CHECK(find_error(small) == "");
}

TEST_CASE("scene: find_error finds each error, and says where it is") {
  Scene good;
  good.gradient({.kind = PaintKind::linear, .x1 = 1}, {{0, {0, 0, 0, 1}}, {1, {1, 1, 1, 1}}});
  good.rectangle(0, 0, 5, 5);  // tags 0 … 4
  good.begin_clip();
  good.ellipse(5, 5, 2, 2);  // tags 6 … 11
  good.fill(0);
  good.move({0, 0});  // tags 13 … 15
  good.line({1, 1});
  good.stroke(good.solid({}), {});
  good.end_clip();
  good.end_clip();  // an extra end is no error
  good.begin_layer(1);
  REQUIRE(find_error(good) == "");
  CHECK(find_error(Scene{}) == "");

  const auto expect = [&good](const std::string& error, const std::function<void(Scene&)>& break_) {
    Scene scene = good;
    break_(scene);
    CHECK(find_error(scene) == error);
  };
  expect("the picture has no pixels", [](Scene& s) { s.width = 0; });
  expect("the picture has no pixels", [](Scene& s) { s.height = 0; });
  expect("the background has a number that is not finite", [](Scene& s) { s.background.b = kNaN; });
  expect("point 3 is not finite", [](Scene& s) { s.points[3].y = -kInfinity; });

  expect("tag 5 is unknown", [](Scene& s) { s.tags[5] = Tag{15}; });
  expect("tag 7 is unknown", [](Scene& s) { s.tags[7] = Tag{7}; });
  expect("tag 20 is unknown", [](Scene& s) { s.tags.push_back(Tag::none); });
  expect("tag 0 stands outside of a subpath", [](Scene& s) { s.tags[0] = Tag::line; });
  expect("tag 6 stands outside of a subpath", [](Scene& s) { s.tags[6] = Tag::end; });
  expect("tag 5 stands in a subpath that has not ended", [](Scene& s) { s.tags[4] = Tag::line; });
  expect("tag 3 stands in a subpath that has not ended", [](Scene& s) { s.tags[3] = Tag::move; });
  expect("tag 5 has the record of another operation", [](Scene& s) { s.tags[5] = Tag::end_clip; });
  expect("the last subpath does not end", [](Scene& s) { s.tags.resize(15); });
  expect("there are 18 points, and the tags need 19", [](Scene& s) { s.points.pop_back(); });
  expect("there are 20 points, and the tags need 19", [](Scene& s) { s.points.push_back({}); });
  expect("there are 5 operations, and the tags need 6", [](Scene& s) { s.ops.pop_back(); });
  expect("there are 7 operations, and the tags need 6", [](Scene& s) { s.ops.push_back({}); });

  const std::string infinite = "operation 1 has a number that is not finite";
  expect(infinite, [](Scene& s) { s.ops[1].values[5] = kInfinity; });
  expect("operation 1 has an unknown style", [](Scene& s) { s.ops[1].style |= 3 << 12; });
  expect("operation 2 has an unknown style", [](Scene& s) { s.ops[2].style |= 3 << 10; });
  expect("operation 0 has an unknown style", [](Scene& s) { s.ops[0].style |= 1 << 15; });
  expect("operation 1 has a paint that does not exist", [](Scene& s) { s.ops[1].paint = 2; });

  expect("paint 0 has a number that is not finite", [](Scene& s) { s.paints[0].matrix.e = kNaN; });
  expect("paint 1 has a number that is not finite", [](Scene& s) { s.paints[1].colour.a = kNaN; });
  expect("paint 0 is of an unknown kind", [](Scene& s) { s.paints[0].kind = PaintKind{3}; });
  expect("paint 0 is of an unknown kind", [](Scene& s) { s.paints[0].spread = Spread{3}; });
  expect("paint 0 has stops that do not exist", [](Scene& s) { s.paints[0].stops = 3; });
  expect("paint 0 has stops that do not exist", [](Scene& s) { s.paints[0].stops = 0; });
  expect("paint 0 has stops that do not exist", [](Scene& s) { s.paints[0].first_stop = ~0u; });
  expect("paint 0 has stops that are not in ascending order",
         [](Scene& s) { std::swap(s.stops[0].at, s.stops[1].at); });
  expect("stop 0 is not in 0 … 1", [](Scene& s) { s.stops[0].at = -0.5f; });
  expect("stop 1 is not in 0 … 1", [](Scene& s) { s.stops[1].at = kNaN; });
  expect("stop 1 has a number that is not finite", [](Scene& s) { s.stops[1].colour.r = kNaN; });
}

}  // namespace scene2d
