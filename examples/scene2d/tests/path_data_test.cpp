// Path data: its grammar, and arcs against the formulas of the specification of SVG.
#include "path_data.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numbers>
#include <sstream>
#include <string>

namespace scene2d {
namespace {

using std::numbers::pi;

// Sines that should be 0 are not quite.
double snapped(float x) { return std::abs(x) < 1e-9f ? 0 : x; }

// What becomes of the data: a letter for each segment, and its points. Z ends a subpath that is
// closed, and E one that is open. A question mark follows if the data has a mistake.
std::string read(std::string_view data) {
  Scene scene;
  const bool good = add_path_data(scene, data);
  std::string text;
  const Point* next = scene.points.data();
  for (const Tag tag : scene.tags) {
    const auto value = static_cast<std::size_t>(tag);
    REQUIRE(value < 7);
    text += " MLQCZE"[value];
    for (int points = "0112300"[value] - '0'; points > 0; --points, ++next) {
      char numbers[64];
      std::snprintf(numbers, sizeof numbers, "%g,%g ", snapped(next->x), snapped(next->y));
      text += numbers;
    }
  }
  scene.fill(scene.solid({}));
  CHECK(find_error(scene) == "");
  return good ? text : text + "?";
}

// Numbers that are the same on all platforms.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  double below(double end) {
    state_ = state_ * 6364136223846793005 + 1442695040888963407;
    return static_cast<double>(state_ >> 40) / (1 << 24) * end;
  }

 private:
  std::uint64_t state_;
};

}  // namespace

TEST_CASE("path data: capitals are absolute, and small letters relative to the pen") {
  CHECK(read("M1 2") == "M1,2 E");
  CHECK(read("m1 2") == "M1,2 E");
  CHECK(read("M1 2 L4 6") == "M1,2 L4,6 E");
  CHECK(read("M1 2 l4 6") == "M1,2 L5,8 E");
  CHECK(read("M1 2 H4 V6 h4 v6") == "M1,2 L4,2 L4,6 L8,6 L8,12 E");
  CHECK(read("M1 2 C3 4 5 6 7 8 c1 2 3 4 5 6") == "M1,2 C3,4 5,6 7,8 C8,10 10,12 12,14 E");
  CHECK(read("M1 2 Q3 4 5 6 q1 2 3 4") == "M1,2 Q3,4 5,6 Q6,8 8,10 E");
  CHECK(read("M1 2 L3 4 Z") == "M1,2 L3,4 Z");
  CHECK(read("M1 2 L3 4 z m1 1 l1 0") == "M1,2 L3,4 ZM2,3 L3,3 E");
  CHECK(read("M1 2 L3 4 m1 1 l1 0") == "M1,2 L3,4 EM4,5 L5,5 E");
}

TEST_CASE("path data: a command repeats as long as arguments follow") {
  CHECK(read("M1 2 3 4 5 6") == "M1,2 L3,4 L5,6 E");
  CHECK(read("m1 2 3 4 5 6") == "M1,2 L4,6 L9,12 E");
  CHECK(read("M1 1 h2 3 v1 1") == "M1,1 L3,1 L6,1 L6,2 L6,3 E");
  CHECK(read("M0 0 c1 2 3 4 5 6 1 2 3 4 5 6") == "M0,0 C1,2 3,4 5,6 C6,8 8,10 10,12 E");
  CHECK(read("M0 0 q1 2 3 4 1 2 3 4") == "M0,0 Q1,2 3,4 Q4,6 6,8 E");
}

TEST_CASE("path data: numbers need no separators") {
  CHECK(read("M10-20.5.5.25") == "M10,-20.5 L0.5,0.25 E");
  CHECK(read("M1e1-1E-1L+3.+1.5e+1") == "M10,-0.1 L3,15 E");
  CHECK(read("M.5.5h1v-.25.125z") == "M0.5,0.5 L1.5,0.5 L1.5,0.25 L1.5,0.375 Z");
  CHECK(read(" \t\r\n\fM1,2 ,3\n,\t4 z ") == "M1,2 L3,4 Z");
}

TEST_CASE("path data: smooth curves mirror the control point of a curve of their kind") {
  CHECK(read("M0 0 C1 2 3 4 5 6 S7 8 9 10") == "M0,0 C1,2 3,4 5,6 C7,8 7,8 9,10 E");
  CHECK(read("M0 0 C1 2 3 4 5 6 s1 1 2 2") == "M0,0 C1,2 3,4 5,6 C7,8 6,7 7,8 E");
  CHECK(read("M1 1 q1 1 2 0 t2 0 2 0") == "M1,1 Q2,2 3,1 Q4,0 5,1 Q6,2 7,1 E");
  CHECK(read("M1 1 q1 1 2 0 T0 0") == "M1,1 Q2,2 3,1 Q4,0 0,0 E");
  // Otherwise the control point is where the pen is.
  CHECK(read("M1 1 S2 2 3 3") == "M1,1 C1,1 2,2 3,3 E");
  CHECK(read("M1 1 T3 3") == "M1,1 Q1,1 3,3 E");
  CHECK(read("M1 1 q1 1 2 0 s1 1 2 0") == "M1,1 Q2,2 3,1 C3,1 4,2 5,1 E");
  CHECK(read("M0 0 C1 2 3 4 5 6 T8 8") == "M0,0 C1,2 3,4 5,6 Q5,6 8,8 E");
  CHECK(read("M0 0 C1 2 3 4 5 6 L6 6 S7 8 9 10") == "M0,0 C1,2 3,4 5,6 L6,6 C6,6 7,8 9,10 E");
}

TEST_CASE("path data: a close takes the pen to where the subpath began") {
  CHECK(read("m5 5 l1 1 z l2 2 z m1 1 l1 0") == "M5,5 L6,6 ZM5,5 L7,7 ZM6,6 L7,6 E");
  CHECK(read("M0 0 Z Z") == "M0,0 Z");
  CHECK(read("M3 4 h1 z H9") == "M3,4 L4,4 ZM3,4 L9,4 E");
}

TEST_CASE("path data: what has no length is left out") {
  CHECK(read("") == "");
  CHECK(read(" \n") == "");
  CHECK(read("M1 2 L1 2 H1 V2 l0 0 L3 3") == "M1,2 L3,3 E");
  CHECK(read("M1 2 A5 5 0 0 1 1 2") == "M1,2 E");
  CHECK(read("M1e-60 0") == "M0,0 E");
}

TEST_CASE("path data: a mistake keeps what came before it") {
  for (const char* data : {"5", "L1 1", "M", "M1", "M,1 1", "M- 1", "M. 1", "M+-1 1", "Minf 1",
                           "MNaN 1", "M0x10 1", "M1;1", "M1e999 0", "M1e39 0", "zM1 1"}) {
    CAPTURE(data);
    CHECK(read(data) == "?");
  }
  std::istringstream tails(
      "X|L|L1|L1 x|Z5|,|,L3 4|,,2 2|5|L2 2 3|L 1e 2|H|C1 2 3 4 5|Q1 2 3|S1 2 3|T1|E1 1|e|"
      "l3e38 3e38 3e38 0|A5 5 0 2 1 3 3|A5 5 0 -1 1 3 3|A5 5 0 1|A5 5 0 1,1|\xff");
  for (std::string tail; std::getline(tails, tail, '|');) {
    CAPTURE(tail);
    const std::string text = read("M1 1 2 3 " + tail);
    CHECK(text.substr(0, 9) == "M1,1 L2,3");
    CHECK(text.back() == '?');
  }
  CHECK(read("M1 1 L2 2 3 x 4 4") == "M1,1 L2,2 E?");
  CHECK(read("M1 1 L2 2 Z5 5") == "M1,1 L2,2 Z?");
  CHECK(read("M3e38 0 l3e38 0") == "M3e+38,0 E?");
}

TEST_CASE("path data: take_number leaves what follows the number") {
  const auto take = [](std::string_view text, float expected) {
    float number = 77;
    CHECK(take_number(text, number) == (expected != 77));
    CHECK(number == expected);
    return std::string(text);
  };
  CHECK(take("7px", 7) == "px");
  CHECK(take("1em", 1) == "em");
  CHECK(take("-.5.5", -0.5f) == ".5");
  CHECK(take("+1e3-", 1000) == "-");
  CHECK(take("2.e-1e", 0.2f) == "e");
  for (const char* text : {"", " 1", "-", ".", "+.", "e1", "1e999", "4e38", "nan"}) {
    CAPTURE(text);
    CHECK(take(text, 77) == text);
  }
}

TEST_CASE("path data: flags of arcs need no separators") {
  const std::string two = read("M0 0 a1 1 0 0 1 10 0 a1 1 0 0 0 10 0");
  CHECK(two.size() > 20);
  CHECK(read("M0 0a1 1 0 0110 0 1 1 0 0010 0") == two);
  CHECK(read("M0,0a1,1,0,0,1,10,0,1,1,0,0,0,10,0") == two);
  CHECK(read("M0 0a1 1 0 01.5.5") == read("M0 0 A1 1 0 0 1 0.5 0.5"));
  CHECK(read("M0 0a1-1 0 10-.5-.5") == read("M0 0 A1 1 0 1 0 -0.5 -0.5"));
}

TEST_CASE("path data: arcs of a quarter, of three quarters, and of a straight line") {
  // The handles of a quarter of a unit circle are 4/3 tan(pi / 8) = 0.55228 long.
  CHECK(read("M10 0 A10 10 0 0 1 0 10") == "M10,0 C10,5.52285 5.52285,10 0,10 E");
  CHECK(read("M10 0 A10 10 0 0 0 0 10") == "M10,0 C4.47715,0 0,4.47715 0,10 E");
  const std::string most = read("M10 0 a10 10 0 1 1 -10 10");  // around 10, 10
  CHECK(std::count(most.begin(), most.end(), 'C') == 3);
  CHECK(most.find(" 20,10 C") != most.npos);
  CHECK(most.find(" 10,20 C") != most.npos);
  CHECK(read("M1 1 A0 5 0 0 1 6 6") == "M1,1 L6,6 E");
  CHECK(read("M1 1 A5 0 0 0 1 6 6") == "M1,1 L6,6 E");
  // A radius this huge makes the arc as good as straight.
  CHECK(read("M0 0 A1e30 1e30 0 0 1 9 0") == "M0,0 C3,0 6,0 9,0 E");
}

// https://www.w3.org/TR/SVG11/implnote.html#ArcImplementationNotes, sections F.6.5 and F.6.6
TEST_CASE("path data: arcs are those of the specification, within 0.03 % of the radius") {
  Random random(5);
  int scaled = 0;
  for (int k = 0; k < 600; ++k) {
    const double x1 = random.below(100), y1 = random.below(100), x2 = random.below(100),
                 y2 = random.below(100), degrees = random.below(720) - 360;
    double rx = random.below(80) + 0.5, ry = random.below(80) + 0.5;
    const bool large = k & 1, sweep = k & 2;
    char data[256];
    std::snprintf(data, sizeof data, "M%.9g %.9gA%.9g %.9g %.9g %d%d%.9g %.9g", x1, y1, rx, ry,
                  degrees, large, sweep, x2, y2);
    CAPTURE(data);
    Scene scene;
    REQUIRE(add_path_data(scene, data));

    const double c = std::cos(degrees * pi / 180), s = std::sin(degrees * pi / 180);
    const double xp = (c * (x1 - x2) + s * (y1 - y2)) / 2, yp = (c * (y1 - y2) - s * (x1 - x2)) / 2;
    const double lambda = xp * xp / (rx * rx) + yp * yp / (ry * ry);
    if (lambda > 1) rx *= std::sqrt(lambda), ry *= std::sqrt(lambda), ++scaled;
    const double below = rx * rx * yp * yp + ry * ry * xp * xp;
    const double root = std::sqrt(std::max(0.0, rx * rx * ry * ry / below - 1));
    const double cxp = (large == sweep ? -root : root) * rx * yp / ry;
    const double cyp = -(large == sweep ? -root : root) * ry * xp / rx;
    const double cx = c * cxp - s * cyp + (x1 + x2) / 2, cy = s * cxp + c * cyp + (y1 + y2) / 2;
    const double begin = std::atan2((yp - cyp) / ry, (xp - cxp) / rx);
    double turn = std::atan2((-yp - cyp) / ry, (-xp - cxp) / rx) - begin;
    turn = sweep ? turn - 2 * pi * std::floor(turn / (2 * pi))
                 : turn - 2 * pi * std::ceil(turn / (2 * pi));
    if (lambda > 1) turn = sweep ? pi : -pi;  // which rounding would make 0 or 2 pi

    const std::size_t pieces = (scene.points.size() - 1) / 3;
    CHECK(pieces == static_cast<std::size_t>(std::ceil(std::abs(turn) / (pi / 2) - 1e-6)));
    double off = 0, late = 0;  // the largest distances from the ellipse and from the angle
    for (std::size_t i = 0; i < 8 * pieces; ++i) {
      const double t = static_cast<double>(i % 8) / 8, u = 1 - t;
      const double w[4] = {u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t};
      double x = -cx, y = -cy;
      for (std::size_t j = 0; j < 4; ++j) {
        x += w[j] * scene.points[i / 8 * 3 + j].x, y += w[j] * scene.points[i / 8 * 3 + j].y;
      }
      const double gx = (c * x + s * y) / rx, gy = (c * y - s * x) / ry;  // on a unit circle
      const double angle =
          begin + turn * (static_cast<double>(i) / 8) / static_cast<double>(pieces);
      off = std::max(off, std::abs(std::hypot(gx, gy) - 1));
      late = std::max(late, std::abs(std::remainder(std::atan2(gy, gx) - angle, 2 * pi)));
    }
    const double rounding = 1e-3 / std::min(rx, ry);  // coordinates are floats
    CHECK(off <= 3e-4 + rounding);
    CHECK(late <= 0.02 + rounding);
  }
  CHECK(scaled > 100);
}

TEST_CASE("path data: random characters make a scene without errors") {
  constexpr std::string_view kCharacters = "MmLlHhVvCcSsQqTtAaZz0123456789..--++eE,, \n\t#\xff";
  Random random(1);
  for (int k = 0; k < 5000; ++k) {
    std::string data = k % 8 == 0 ? "" : "M1 1";
    for (int i = k % 60; i > 0; --i) {
      data += kCharacters[static_cast<std::size_t>(random.below(kCharacters.size()))];
    }
    CAPTURE(data);
    read(data);
  }
}

}  // namespace scene2d
