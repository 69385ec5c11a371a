// SVG documents: shapes, transforms, <use>, <symbol>, viewports and opacity. Pictures of 100 x 100
// pixels are probed.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "svg_drawing.hpp"

namespace scene2d {
namespace {

using std::numbers::pi;

void check_matrix(const Op& op, const std::array<double, 6>& expected) {
  REQUIRE(op.tag() == Tag::push_transform);
  for (std::size_t i = 0; i < 6; ++i) {
    CAPTURE(i);
    CHECK(op.values[i] == doctest::Approx(expected[i]).epsilon(1e-5));
  }
}

}  // namespace

TEST_CASE("svg: each shape has its area") {
  const std::pair<const char*, double> shapes[] = {
      {"<rect x='10' y='20' width='30' height='40'/>", 1200},
      {"<rect x='10' y='20' width='30' height='40' rx='5' ry='10'/>", 1200 - (4 - pi) * 50},
      {"<rect x='10' y='20' width='30' height='40' rx='10'/>", 1200 - (4 - pi) * 100},
      {"<rect x='10' y='20' width='30' height='40' rx='auto' ry='10'/>", 1200 - (4 - pi) * 100},
      {"<rect x='10' y='20' width='30' height='40' ry='500'/>", pi * 15 * 20},
      {"<rect x='10' y='20' width='30' height='40' rx='0' ry='10'/>", 1200},
      {"<circle cx='40' cy='50' r='20'/>", pi * 400},
      {"<ellipse cx='40' cy='50' rx='20' ry='10'/>", pi * 200},
      {"<ellipse cx='40' cy='50' rx='20'/>", pi * 400},
      {"<line x1='10' y1='20' x2='10' y2='50' stroke='black' stroke-width='6'/>", 180},
      {"<line x1='10' y1='20' x2='10' y2='50'/>", 0},
      {"<polyline points='10,10 30,10,30 30'/>", 200},
      {"<polyline points='10 10 50 10 50 50 10 50' fill='none' stroke='#000' stroke-width='2'/>",
       240},
      {"<polygon points='10 10 50 10 50 50 10 50' fill='none' stroke='#000' stroke-width='2'/>",
       42 * 42 - 38 * 38},
      {"<path d='M10 10h20v20H10z'/>", 400},
      {"<rect width='10'/><rect width='-5' height='5'/><circle r='0'/><circle/><path/>", 0}};
  for (const auto& entry : shapes) {
    const char* const shape = entry.first;
    CAPTURE(shape);
    const Drawing drawing = draw(shape);
    CHECK(drawing.area() == doctest::Approx(entry.second).epsilon(0.005));
    CHECK(drawing.skipped.empty());
  }
  const Drawing place = draw("<rect x='10' y='20' width='30' height='40'/>");
  CHECK((place.at(10, 20) == "#000000" && place.at(39, 59) == "#000000"));
  CHECK((place.at(9, 20) == "#ffffff" && place.at(10, 60) == "#ffffff"));
}

TEST_CASE("svg: transforms are read, and multiplied from the left to the right") {
  const double half = std::sqrt(0.5), third = std::tan(pi / 6);
  const std::pair<const char*, std::array<double, 6>> transforms[] = {
      {"matrix(1 2 3 4 5 6)", {1, 2, 3, 4, 5, 6}},
      {"translate(7)", {1, 0, 0, 1, 7, 0}},
      {" translate( 7 , -8 ) ", {1, 0, 0, 1, 7, -8}},
      {"scale(3)", {3, 0, 0, 3, 0, 0}},
      {"scale(3-2)", {3, 0, 0, -2, 0, 0}},
      {"rotate(45)", {half, half, -half, half, 0, 0}},
      {"rotate(90,10,20)", {0, 1, -1, 0, 30, 10}},
      {"skewX(30)", {1, 0, third, 1, 0, 0}},
      {"skewY(30)", {1, third, 0, 1, 0, 0}},
      {"translate(10 20)scale(2 3)", {2, 0, 0, 3, 10, 20}},
      {"scale(2 3), translate(10 20)", {2, 0, 0, 3, 20, 60}},
      {"rotate(90) translate(1 0) scale(2)", {0, 2, -2, 0, 0, 1}}};
  for (const auto& entry : transforms) {
    const char* const text = entry.first;
    CAPTURE(text);
    const Drawing drawing =
        draw("<rect width='9' height='9' transform='" + std::string(text) + "'/>");
    CHECK(drawing.operations() == "((D))");
    check_matrix(drawing.scene.ops.at(1), entry.second);
    CHECK(drawing.skipped.empty());
  }
  for (const char* text : {"translate(1 2 3)", "rotate(1 2)", "scale()", "foo(1)", "translate(1",
                           ")", "matrix(1 2 3 4 5)", "scale(2) x", "translate(1;2)"}) {
    CAPTURE(text);
    const Drawing drawing =
        draw("<rect width='9' height='9' transform='" + std::string(text) + "'/>");
    CHECK(drawing.operations() == "()");
    CHECK(drawing.skipped == Counts{{"transform", 1}});
  }
}

TEST_CASE("svg: <use> draws an element elsewhere, in the style of where it is used") {
  const Drawing drawing = draw(
      "<defs><g id='a' fill='red'><rect width='10' height='10'/></g>"
      "<rect id='b' width='10' height='10'/></defs>"
      "<use href='#a' x='5' y='6' fill='blue'/>"
      "<use xlink:href='#b' transform='translate(50 50) scale(2)' x='5' fill='lime'/>"
      "<g color='#00f'><use href='#c' y='80'/></g>"
      "<g visibility='hidden'><circle id='c' cx='5' cy='5' r='5' fill='currentColor'/></g>");
  CHECK((drawing.at(5, 6) == "#ff0000" && drawing.at(14, 15) == "#ff0000"));
  CHECK((drawing.at(4, 6) == "#ffffff" && drawing.at(14, 16) == "#ffffff"));
  CHECK((drawing.at(60, 50) == "#00ff00" && drawing.at(79, 69) == "#00ff00"));
  CHECK((drawing.at(59, 50) == "#ffffff" && drawing.at(80, 69) == "#ffffff"));
  CHECK((drawing.at(5, 85) == "#0000ff" && drawing.at(5, 5) == "#ffffff"));
  CHECK(drawing.skipped.empty());
}

TEST_CASE("svg: <symbol> and <svg> fit what is in them, and clip it") {
  const std::string boxes =
      "<rect width='20' height='10' fill='red'/><rect x='20' width='20' height='10' fill='blue'/>";
  // Twice as large, in the middle of 40 x 40.
  const std::string use = "<use href='#s' x='10' y='10' width='40' height='40'/>";
  const Drawing symbol = draw("<symbol id='s' viewBox='0 0 20 10'>" + boxes + "</symbol>" + use);
  CHECK((symbol.at(10, 20) == "#ff0000" && symbol.at(49, 39) == "#ff0000"));
  CHECK((symbol.at(10, 19) == "#ffffff" && symbol.at(49, 40) == "#ffffff"));
  CHECK(symbol.at(50, 20) == "#ffffff");
  const Drawing visible =
      draw("<symbol id='s' viewBox='0 0 20 10' overflow='visible'>" + boxes + "</symbol>" + use);
  CHECK((visible.at(49, 20) == "#ff0000" && visible.at(50, 20) == "#0000ff"));
  const Drawing svg = draw(
      "<svg x='10' y='20' width='50%' height='20' viewBox='0 0 40 10' "
      "preserveAspectRatio='none'>" +
      boxes + "<rect y='5' width='25%' height='50%'/></svg>");
  CHECK((svg.at(10, 20) == "#ff0000" && svg.at(34, 39) == "#ff0000"));
  CHECK((svg.at(35, 20) == "#0000ff" && svg.at(59, 39) == "#0000ff"));
  CHECK((svg.at(21, 39) == "#000000" && svg.at(23, 39) == "#ff0000"));
  CHECK((svg.at(60, 20) == "#ffffff" && svg.at(10, 40) == "#ffffff"));
  const Drawing plain =
      draw("<svg x='70' y='70' width='20' height='20'><rect width='30' height='10'/></svg>");
  CHECK(plain.area() == 200);
}

TEST_CASE("svg: <use> gives what it uses its own size, unless that is automatic") {
  const auto area = [](const std::string& size) {
    return draw(
               "<symbol id='t' width='20' "
               "height='10'><rect width='100%' height='100%'/></symbol><use href='#t' " +
               size + "/>")
        .area();
  };
  CHECK(area("") == 200);
  CHECK(area("width='40'") == 400);
  CHECK(area("width='auto' height='20'") == 400);
  CHECK(area("width='' height='50%'") == 20 * 50);
  CHECK(area("width='0'") == 0);
}

TEST_CASE("svg: <switch> draws the first child that is for this reader") {
  const std::string other = "<rect width='9' height='9' fill='red' ",
                    good = "<rect width='9' height='9' ";
  for (const std::string& content :
       {other + "requiredExtensions='http://x'/>" + good + "/>" + other + "/>",
        "<title/><desc/>" + good + "requiredExtensions=''/>" + other + "/>",
        other + "systemLanguage='de, fr'/>" + good + "systemLanguage='fr,EN-gb'/>" + other + "/>",
        other + "systemLanguage=''/><g>" + good + "/></g>" + other + "/>"}) {
    CAPTURE(content);
    const Drawing drawing = draw("<switch>" + content + "</switch>");
    CHECK(drawing.at(4, 4) == "#000000");
    CHECK(drawing.skipped.empty());
  }
  // Elsewhere, all children are drawn that are for this reader.
  const Drawing group = draw("<g>" + good + "/>" + other + "systemLanguage='de'/></g>");
  CHECK(group.at(4, 4) == "#000000");
  CHECK(draw("<clipPath id='c'>" + other +
             "systemLanguage='de'/><rect width='2' height='2'/>"
             "</clipPath><rect width='9' height='9' clip-path='url(#c)'/>")
            .area() == 4);
}

TEST_CASE("svg: the document fits into the picture") {
  struct Fit {
    const char* attributes;
    std::array<double, 6> matrix;
  };
  const Fit fits[] = {
      {"viewBox='0 0 100 100'", {1, 0, 0, 1, 50, 0}},
      {"viewBox='0 0 100 100' width='7' height='9'", {1, 0, 0, 1, 50, 0}},
      {"viewBox='0 0 100 100' preserveAspectRatio='xMinYMid'", {1, 0, 0, 1, 0, 0}},
      {"viewBox='0,0,100,100' preserveAspectRatio='xMaxYMid meet'", {1, 0, 0, 1, 100, 0}},
      {"viewBox='0 0 100 100' preserveAspectRatio='none'", {2, 0, 0, 1, 0, 0}},
      {"viewBox='0 0 100 100' preserveAspectRatio='xMidYMid slice'", {2, 0, 0, 2, 0, -50}},
      {"viewBox='0 0 100 100' preserveAspectRatio='xMidYMin slice'", {2, 0, 0, 2, 0, 0}},
      {"viewBox='0 0 100 100' preserveAspectRatio='xMidYMax slice'", {2, 0, 0, 2, 0, -100}},
      {"viewBox='10 20 50 25'", {4, 0, 0, 4, -40, -80}},
      {"width='400' height='200'", {0.5, 0, 0, 0.5, 0, 0}},
      {"width='1in' height='24'", {2.0833333, 0, 0, 2.0833333, 0, 25}},
      {"viewBox='0 0 10' width='400' height='200'", {0.5, 0, 0, 0.5, 0, 0}},
      {"", {1, 0, 0, 1, 0, 0}}};
  for (const Fit& fit : fits) {
    CAPTURE(fit.attributes);
    const Drawing drawing = draw("<rect width='9' height='9'/>", fit.attributes, 200, 100);
    REQUIRE(drawing.operations() == "(D)");
    check_matrix(drawing.scene.ops[0], fit.matrix);
  }
  CHECK(draw("<rect width='9' height='9'/>", "viewBox='0 0 0 5'").operations() == "");
}

TEST_CASE("svg: opacity is that of a group, and makes layers only where it must") {
  const std::string two = "<rect width='40' height='40'/><rect x='20' width='40' height='40'/>";
  const Drawing group = draw("<g opacity='.5'>" + two + "</g>");
  CHECK(group.operations() == "({DD})");
  CHECK((group.at(5, 5) == "#808080" && group.at(30, 5) == "#808080"));
  CHECK(draw("<g opacity='1.5'>" + two + "</g>").operations() == "(DD)");
  CHECK(draw("<g opacity='0'>" + two + "</g>").operations() == "()");

  const std::string circle = "<circle cx='50' cy='50' r='20' stroke='black' stroke-width='20' ";
  const Drawing both = draw(circle + "fill='red' opacity='50%'/>");
  CHECK(both.operations() == "({DD})");
  CHECK((both.at(50, 50) == "#ff8080" && both.at(67, 50) == "#808080"));
  const Drawing alone = draw(circle + "fill='none' opacity='.5' stroke-opacity='.5'/>");
  CHECK(alone.operations() == "(D)");
  CHECK(alone.at(67, 50) == "#bfbfbf");
  const Drawing parts = draw(circle + "fill='red' fill-opacity='.5'/>");
  CHECK(parts.operations() == "(DD)");
  CHECK((parts.at(50, 50) == "#ff8080" && parts.at(67, 50) == "#000000"));
}

}  // namespace scene2d
