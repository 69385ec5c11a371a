// Clips of SVG: which elements they are of, in which units, and what the unions of their children
// are.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <random>
#include <vector>

#include "svg_drawing.hpp"

namespace scene2d {
namespace {

using std::numbers::pi;

// What a square of 100 x 100 is clipped to.
Drawing clipped_to(const std::string& content, const std::string& attributes = "") {
  return draw("<clipPath id='c'>" + content + "</clipPath>" +
              "<rect width='100' height='100' clip-path='url(#c)' " + attributes + "/>");
}

std::string with_fill_rule(std::string text) {
  const std::string word = "clip-rule";
  for (std::size_t at; (at = text.find(word)) != text.npos;) {
    text.replace(at, word.size(), "fill-rule");
  }
  return text;
}

// The red channel of a pixel if its neighbours have the same, so that no border is near, or -1.
int plain_red(const Picture& picture, std::uint32_t x, std::uint32_t y) {
  const auto red = [&](std::uint32_t i, std::uint32_t k) {
    return static_cast<int>(picture.pixels[k * picture.width + i] & 255);
  };
  for (std::uint32_t k = y - 1; k <= y + 1; ++k) {
    for (std::uint32_t i = x - 1; i <= x + 1; ++i) {
      if (red(i, k) != red(x, y)) return -1;
    }
  }
  return red(x, y);
}

// How many pixels differ from what the children cover that are drawn one by one. What lies at
// borders is left out.
int differences(const std::vector<std::string>& children) {
  std::string all;
  std::vector<Picture> pictures;
  for (const std::string& child : children) {
    all += child;
    pictures.push_back(draw(with_fill_rule(child)).picture);
  }
  const Drawing drawing = clipped_to(all);
  CHECK(drawing.skipped.empty());
  int count = 0;
  for (std::uint32_t y = 1; y < 99; ++y) {
    for (std::uint32_t x = 1; x < 99; ++x) {
      int expected = 255;
      for (const Picture& picture : pictures) {
        expected = std::min(expected, plain_red(picture, x, y));
      }
      const std::uint32_t pixel = drawing.picture.pixels[y * drawing.picture.width + x];
      count += expected >= 0 && static_cast<int>(pixel & 255) != expected;
    }
  }
  return count;
}

}  // namespace

TEST_CASE("svg: a clip path is in the units of the element, with its transform") {
  const std::string rect = "<rect width='60' height='60' clip-path='url(#c)' ";
  const auto clipped = [&](const std::string& clip, const std::string& attributes = "") {
    return draw("<clipPath id='c' " + clip + "</clipPath>" + rect + attributes + "/>");
  };
  const Drawing moved =
      clipped("><rect x='10' y='10' width='20' height='20'/>", "transform='translate(5 0)'");
  CHECK(moved.area() == 400);
  CHECK((moved.at(15, 10) == "#000000" && moved.at(34, 29) == "#000000"));
  CHECK(clipped("transform='scale(2)'><rect width='10' height='10'/>").area() == 400);
  CHECK(clipped("><rect width='9' height='9'/><rect x='5' width='9' height='9'/>").area() ==
        14 * 9);
  const std::string ring = "><path d='M0 0h40v40H0zM10 10h20v20H10z' clip-rule='";
  CHECK(clipped(ring + "evenodd'/>").area() == 1200);
  CHECK(clipped(ring + "nonzero'/>").area() == 1600);
  CHECK(clipped("><g><rect width='9' height='9'/></g>").area() == 0);  // no groups
  CHECK(clipped("><rect width='9' height='9' display='none'/>").area() == 0);
  CHECK(clipped(">").area() == 0);
  CHECK(clipped("clip-path='url(#d)'><rect width='20' height='20'/></clipPath>"
                "<clipPath id='d'><rect x='15' y='5' width='20' height='20'/>")
            .area() == 5 * 15);
  CHECK(clipped("><use href='#r' x='3'/></clipPath><rect id='r' width='5' height='6' "
                "visibility='hidden'/><clipPath>")
            .area() == 0);  // The style of what is used holds.
  CHECK(clipped("><use href='#r' x='56'/></clipPath><clipPath><rect id='r' width='5' height='6'/>")
            .area() == 24);
  // Percentages are of the viewport in which it is used.
  CHECK(draw("<clipPath id='c'><rect width='50%' height='50%'/></clipPath><rect width='200' "
             "height='200' clip-path='url(#c)'/>",
             "viewBox='0 0 200 200'")
            .area() == 50 * 50);
  const Drawing missing = draw(rect + "/>");
  CHECK(missing.area() == 3600);
  CHECK(missing.skipped == Counts{{"missing clip-path", 1}});
}

TEST_CASE("svg: a clip path can be in units of the element's box") {
  const std::string clip =
      "<clipPath id='c' clipPathUnits='objectBoundingBox'>"
      "<rect x='.5' width='.5' height='.25'/></clipPath>";
  const Drawing one =
      draw(clip + "<rect x='20' y='40' width='40' height='40' clip-path='url(#c)'/>");
  CHECK(one.area() == 20 * 10);
  CHECK((one.at(40, 40) == "#000000" && one.at(59, 49) == "#000000"));
  CHECK(draw("<clipPath id='c' clipPathUnits='objectBoundingBox' transform='scale(.5)'><rect "
             "width='1' height='1'/></clipPath><rect x='20' y='40' width='40' height='40' "
             "clip-path='url(#c)'/>")
            .area() == 20 * 20);
  // The box is around 10 … 50 and 10 … 90.
  const Drawing group =
      draw(clip +
           "<g clip-path='url(#c)' transform='translate(1 0)'><rect x='10' y='10' width='20' "
           "height='40'/><g transform='translate(20 40)'><rect x='10' y='10' width='20' "
           "height='40'/></g><rect x='30' y='15' width='10' height='5'/></g>");
  CHECK(group.area() == 50);
  CHECK((group.at(31, 15) == "#000000" && group.at(40, 19) == "#000000"));
  // The box of a curve is that of its extremes: y is 40 … 80.
  const Drawing curve = draw(clip + "<path d='M10 80Q50 0 90 80z' clip-path='url(#c)'/>");
  CHECK((curve.at(51, 41) == "#000000" && curve.at(51, 49) == "#000000"));
  CHECK((curve.at(51, 50) == "#ffffff" && curve.at(48, 45) == "#ffffff"));
  CHECK(draw(clip + "<path d='M10 10h50' stroke='#000' clip-path='url(#c)'/>").area() == 0);
}

TEST_CASE("svg: the box of an element is around what it consists of") {
  const std::string clip =
      "<clipPath id='c' clipPathUnits='objectBoundingBox'>"
      "<rect x='.5' width='.5' height='.5'/></clipPath>";
  // Twice as large, at 10, 20; the box is 14 … 34 by 24 … 44.
  const std::string inside =
      "<title>a</title><desc/><defs><rect width='99' height='99'/></defs><metadata/>"
      "<rect x='2' y='2' width='10' height='10'/>";
  const std::string viewport = " width='60' height='60' viewBox='0 0 30 30'";
  const std::string clipped = " clip-path='url(#c)'";
  for (const std::string& content :
       {"<svg x='10' y='20'" + viewport + clipped + ">" + inside + "</svg>",
        "<g" + clipped + "><svg x='10' y='20'" + viewport + ">" + inside + "</svg></g>",
        "<symbol id='s' viewBox='0 0 30 30'>" + inside +
            "</symbol><use href='#s' x='10' y='20' "
            "width='60' height='60'" +
            clipped + "/>",
        "<symbol id='s'" + viewport + clipped + ">" + inside +
            "</symbol><use href='#s' x='10' "
            "y='20'/>"}) {
    CAPTURE(content);
    const Drawing drawing = draw(clip + content);
    CHECK(drawing.area() == 100);
    CHECK((drawing.at(24, 24) == "#000000" && drawing.at(33, 33) == "#000000"));
    CHECK(drawing.skipped.empty());
  }
  // What is not visible counts, and what is not displayed does not: 0 … 40 by 0 … 20.
  CHECK(draw(clip + "<g" + clipped +
             "><rect width='40' height='20' visibility='hidden'/><rect "
             "width='99' height='99' display='none'/><rect width='30' height='5'/></g>")
            .area() == 50);
  // What is left out is counted once, where it is drawn.
  const Drawing wrong = draw(clip + "<g" + clipped +
                             "><path d='M0 0h9v9zx'/><text/><rect "
                             "width='9' height='9' fill='?'/></g>");
  CHECK(wrong.skipped == Counts{{"path data", 1}, {"text", 1}, {"fill", 1}});
}

TEST_CASE("svg: a clip path is the union of its children, whichever way they run") {
  const std::string right = "<path d='M10 10h40v40h-40z'/>", left = "<path d='M30 30v40h40v-40z'/>";
  CHECK(clipped_to(right + left).area() == 2 * 1600 - 400);
  CHECK(clipped_to("<rect width='40' height='40'/><rect x='-60' y='20' width='40' height='40' "
                   "transform='scale(-1 1)'/>")
            .area() == 2 * 1600 - 400);
  const std::string mirrored = "<circle cx='-60' cy='50' r='30' transform='scale(-1 1)'/>";
  const Drawing circles = clipped_to("<circle cx='40' cy='50' r='30'/>" + mirrored);
  const double lens = 1800 * std::acos(1 / 3.) - 10 * std::sqrt(3600 - 400.);
  CHECK(circles.area() == doctest::Approx(2 * pi * 900 - lens).epsilon(0.002));
  CHECK(circles.scene.points.size() == 2 * 13 + 4);  // They still are curves.
  const Drawing path = clipped_to(
      "<circle cx='40' cy='50' r='30'/><path d='M30 50a30 30 0 0 0 60 0a30 "
      "30 0 0 0-60 0'/>");
  CHECK(path.area() == doctest::Approx(circles.area()).epsilon(1e-4));
  CHECK(path.scene.points.size() == 2 * 13 + 4);
  // Their border is as smooth as that of one shape: two halves are a whole.
  CHECK(clipped_to("<path d='M10 10h30v50h-30z'/><path d='M40.3 10v50h20v-50z'/>").at(40, 20) ==
        "#4d4d4d");
  CHECK(clipped_to("<path d='M10 10h30.3v50h-30.3z'/><path d='M40.3 10v50h20v-50z'/>").area() ==
        doctest::Approx(50.3 * 50).epsilon(1e-4));
}

TEST_CASE("svg: each child of a clip path has its own rule") {
  const std::string ring = "<path d='M10 10h60v60h-60zM25 25h30v30h-30z' clip-rule='evenodd'/>";
  CHECK(clipped_to(ring + "<rect x='80' width='10' height='10'/>").area() == 3600 - 900 + 100);
  CHECK(clipped_to("<rect x='80' width='10' height='10' clip-rule='evenodd'/>"
                   "<path d='M10 10h60v60h-60zM25 25h30v30h-30z'/>")
            .area() == 3600 + 100);
  CHECK(clipped_to(ring + "<rect x='30' y='30' width='10' height='10'/>").area() == 2700 + 100);
  CHECK(clipped_to(ring + ring).area() == 2700);
  CHECK(clipped_to(ring + "<g/><title/><path/><rect x='1' y='1'/>").area() == 2700);
}

TEST_CASE("svg: the union is right for outlines that cross themselves") {
  const std::string star = "d='M50 5L79 95L3 39L97 39L21 95z'";
  const std::vector<std::vector<std::string>> cases = {
      {"<path " + star + "/>", "<rect x='80' y='80' width='15' height='15'/>"},
      {"<path " + star + " clip-rule='evenodd'/>", "<circle cx='10' cy='10' r='8'/>"},
      {"<path " + star + " clip-rule='evenodd'/>", "<path d='M50 60v9h4v-9z'/>"},
      {"<path d='M10 10L90 90V10L10 90z'/>", "<rect x='30' y='45' width='40' height='10'/>"},
      {"<path d='M10 10h20v20h-20zM60 60v20h20v-20z'/>", "<circle cx='45' cy='45' r='25'/>"},
      {"<path d='M10 50C10 0 90 100 90 50S10 100 10 50'/>", "<path d='M20 20V80Q90 50 20 20'/>",
       "<ellipse cx='60' cy='40' rx='30' ry='5' transform='rotate(30) scale(1 -1)'/>"},
      {"<polygon points='0,0 50,0 50,50 0,50 0,0 0,50 50,50 50,0'/>", "<path d='M40 40h30v30z'/>"},
      {"<path d='M0 0h100v100h-100z'/>", "<path d='M10 10v80h80v-80z'/>",
       "<path d='M20 20h9v9'/>"}};
  for (const auto& children : cases) {
    CAPTURE(children[0]);
    CHECK(differences(children) == 0);
  }
  std::minstd_rand random(7);
  const auto below = [&random](unsigned end) { return static_cast<int>(random() % end); };
  for (int i = 0; i < 60; ++i) {
    std::vector<std::string> children;
    for (int count = 2 + below(3); count > 0; --count) {
      std::string data = "M";
      for (int points = 3 + below(7); points > 0; --points) {
        data += std::to_string(below(101)) + ' ' + std::to_string(below(101)) + ' ';
        if (below(9) == 0) data += "zM50 50 ";
      }
      children.push_back("<path d='" + data + "z'" + (below(2) ? " clip-rule='evenodd'" : "") +
                         "/>");
    }
    CAPTURE(i);
    CHECK(differences(children) == 0);
  }
}

TEST_CASE("svg: a child of a clip path can be clipped itself") {
  const std::string inner =
      "</clipPath><clipPath id='d'><rect x='10' y='10' width='50' height='50'/>"
      "<circle cx='80' cy='80' r='10'/></clipPath><clipPath>";
  const std::string by_inner = " clip-path='url(#d)'/>";
  CHECK(clipped_to("<rect width='40' height='40'" + by_inner + inner).area() == 900);
  CHECK(clipped_to("<rect width='40' height='40'" + by_inner + "<rect width='20' height='20'/>" +
                   inner)
            .area() == 900 + 400 - 100);
  CHECK(clipped_to("<rect width='100' height='100'" + by_inner + inner).area() ==
        doctest::Approx(2500 + 100 * pi).epsilon(0.002));
  // The inner clip has the transform of the child, and its rule.
  CHECK(clipped_to("<rect width='10' height='10' transform='scale(2)'" + by_inner + inner).area() ==
        0);
  CHECK(clipped_to("<rect width='10' height='20' transform='scale(2)' clip-rule='evenodd'/>"
                   "<rect width='20' height='20' transform='scale(2)'" +
                   by_inner + inner)
            .area() == 20 * 40 + 20 * 20);
  CHECK(clipped_to("<use href='#r' x='5'" + by_inner + inner +
                   "</clipPath><clipPath><rect id='r' width='20' height='20'/>")
            .area() == 150);
  const std::string units =
      "<clipPath id='d' clipPathUnits='objectBoundingBox'><rect x='.5' "
      "width='.5' height='.5'/></clipPath>";
  CHECK(draw(units + "<clipPath id='c'><rect x='20' y='20' width='40' height='40'" + by_inner +
             "</clipPath><rect width='100' height='100' clip-path='url(#c)'/>")
            .area() == 400);
  // A clip of itself is left out.
  const Drawing cycle = clipped_to("<rect width='9' height='9' clip-path='url(#c)'/>");
  CHECK(cycle.area() == 0);
  CHECK(cycle.skipped == Counts{{"deep nesting", 1}});
}

TEST_CASE("svg: in a clip path, <use> can stand for a shape only") {
  CHECK(
      clipped_to("<use href='#g'/></clipPath><clipPath><g id='g'><rect width='9' height='9'/></g>")
          .area() == 0);
  CHECK(clipped_to("<use href='#r'/></clipPath><clipPath><path id='r' d='M0 0h9v9z' "
                   "transform='scale(2)'/>")
            .area() == doctest::Approx(162).epsilon(1e-3));
  const Drawing text = clipped_to("<text>a</text><rect width='9' height='9'/>");
  CHECK(text.area() == 81);
  CHECK(text.skipped == Counts{{"text", 1}});
}

}  // namespace scene2d
