// Values of properties in SVG: sizes of fonts, numbers that are too large, words that all
// properties know, and how a declaration is written.
#include <doctest/doctest.h>

#include <utility>

#include "svg.hpp"

namespace scene2d {
namespace {

using Counts = std::map<std::string, std::uint32_t>;

SvgResult read(const std::string& content) {
  SvgResult result =
      read_svg("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 200 50'>" + content + "</svg>",
               100, 100);
  REQUIRE(find_error(result.scene) == "");
  return result;
}

// What a rectangle is drawn with that has the attributes. Its stroke is drawn last.
struct Drawn {
  Op op;
  Colour colour;
};
Drawn drawn(const std::string& attributes, const std::string& of_parent = "") {
  const SvgResult result =
      read("<g " + of_parent + "><rect width='9' height='9' " + attributes + "/></g>");
  CHECK(result.skipped.empty());
  for (auto op = result.scene.ops.rbegin(); op != result.scene.ops.rend(); ++op) {
    if (op->tag() == Tag::draw) return {*op, result.scene.paints[op->paint].colour};
  }
  FAIL("nothing is drawn");
  return {};
}

float stroke_width(const std::string& attributes, const std::string& of_parent = "") {
  return drawn("stroke='red' " + attributes, of_parent).op.values[1];
}

bool is(const Colour& colour, float r, float g, float b) {
  return colour.r == r && colour.g == g && colour.b == b;
}

}  // namespace

TEST_CASE("svg: sizes of fonts are relative to that of the parent") {
  const std::pair<const char*, double> sizes[] = {
      {"50%", 10},     {"1.5em", 30},   {"1ex", 10},     {"12", 12},           {"9pt", 12},
      {"medium", 16},  {"X-Large", 24}, {"larger", 24},  {"smaller", 50 / 3.}, {"inherit", 20},
      {"initial", 16}, {"unset", 20},   {"1e400", 1e7f}, {"1e-400", 0},        {"200%", 40}};
  for (const auto& [text, size] : sizes) {
    CAPTURE(text);
    const std::string font = "font-size='" + std::string(text) + "'";
    CHECK(stroke_width("stroke-width='.5em' " + font, "font-size='20'") ==
          doctest::Approx(size / 2));
  }
  CHECK(stroke_width("stroke-width='1em'", "font-size='25%'") == 4);
  // The stronger one of two declarations holds, and its size is of the parent's as well.
  CHECK(stroke_width("stroke-width='1em' font-size='7' style='font-size:50%'", "font-size='20'") ==
        10);
  CHECK(stroke_width("style='font-size:2em;font-size:3em;stroke-width:1em'", "font-size='2'") == 6);
  CHECK(stroke_width("stroke-width='1em' style='font-size:3;'", "font-size='2'") == 3);
  CHECK(read("<g font-size='-1'/><g font-size='wide'/>").skipped == Counts{{"font-size", 2}});
}

TEST_CASE("svg: a property whose number is too large is clamped, and its element stays") {
  for (const char* huge : {"1e400", "1e40", "1e30", "123456789e999", "1e9", "1e40px", "1e400%"}) {
    CAPTURE(huge);
    const std::string text(huge);
    CHECK(stroke_width("stroke-width='" + text + "'") == 1e7f);
    CHECK(read("<g stroke-width='-" + text + "'/>").skipped == Counts{{"stroke-width", 1}});
  }
  CHECK(stroke_width("stroke-width='" + std::string(400, '9') + "'") == 1e7f);
  CHECK(stroke_width("stroke-width='1e7em'") == 1e7f);
  CHECK(drawn("stroke='red' stroke-miterlimit='1e400'").op.values[2] == 1e7f);
  const std::pair<const char*, float> opacities[] = {{"1e400", 1},  {"-1e400", 0}, {"1e40%", 1},
                                                     {"1e-400", 0}, {"1e-50", 0},  {"+.5", 0.5}};
  for (const auto& [text, opacity] : opacities) {
    CAPTURE(text);
    CHECK(drawn("fill-opacity='" + std::string(text) + "'").op.values[0] == opacity);
  }
  const std::string zeros(400, '0');
  CHECK(drawn("fill-opacity='." + zeros + "1'").op.values[0] == 0);
  CHECK(is(drawn("fill='rgb(1e400,-1e400,0)'").colour, 1, 0, 0));
  const SvgResult gradient = read(
      "<linearGradient id='g'><stop offset='-1e400'/><stop offset='1e400' stop-opacity='1e400'/>"
      "</linearGradient><rect width='9' height='9' fill='url(#g)'/>");
  REQUIRE(gradient.scene.stops.size() == 2);
  CHECK((gradient.scene.stops[0].at == 0 && gradient.scene.stops[1].at == 1));
  CHECK(gradient.skipped.empty());
  // Numbers that are too small are 0, also where they are no properties.
  CHECK(read("<rect x='1e-400' width='9' height='9'/>").scene.points.at(0).x == 0);
}

TEST_CASE("svg: all properties know the words of CSS for other values") {
  CHECK(is(drawn("fill='initial'", "fill='red'").colour, 0, 0, 0));
  CHECK(is(drawn("fill='UNSET'", "fill='red'").colour, 1, 0, 0));
  CHECK(is(drawn("fill='blue' style='fill:revert'", "fill='red'").colour, 1, 0, 0));
  CHECK(drawn("style='opacity:.5;opacity:unset'", "opacity='.25'").op.values[0] == 1);
  CHECK(drawn("opacity='initial' fill-opacity='inherit'", "fill-opacity='.25'").op.values[0] ==
        0.25);
  CHECK(is(drawn("fill='currentColor' color='CurrentColor'", "color='red'").colour, 1, 0, 0));
  CHECK(is(drawn("fill='CURRENTCOLOR'", "color='red'").colour, 1, 0, 0));
}

TEST_CASE("svg: declarations may have comments, capitals and spaces") {
  CHECK(is(drawn("style='/* fill:blue; */fill:/**/red'").colour, 1, 0, 0));
  CHECK(is(drawn("style='/*a*/stroke:none/*b*/;fill:red;/*fill:blue'").colour, 1, 0, 0));
  CHECK(is(drawn("style='FILL : Red ! IMPORTANT; fill:blue'").colour, 1, 0, 0));
  CHECK(is(drawn("style='fill:red; fill:blue !ie'").colour, 1, 0, 0));  // that is malformed
  CHECK(drawn("style='fill-rule:EvenOdd'").op.rule() == Rule::even_odd);
  CHECK(stroke_width("style='stroke-width:1PX'") == 1);
  const SvgResult classes =
      read("<style>.a{fill:red}.b{stroke:blue}</style><rect class='a\n\tb' width='9' height='9'/>");
  REQUIRE(classes.scene.paints.size() == 2);
  CHECK(
      (is(classes.scene.paints[0].colour, 1, 0, 0) && is(classes.scene.paints[1].colour, 0, 0, 1)));
  const SvgResult wrong = read(
      "<rect width='9' height='9' visibility='foo' overflow='x' opacity='.5x' "
      "stroke-miterlimit='4px' paint-order='stroke foo'/>");
  CHECK(wrong.skipped == Counts{{"visibility", 1},
                                {"overflow", 1},
                                {"opacity", 1},
                                {"stroke-miterlimit", 1},
                                {"paint-order", 1}});
  CHECK(wrong.scene.ops.size() == 3);  // It is drawn, nevertheless.
}

TEST_CASE("svg: the order of painting says whether fills or strokes come first") {
  const std::pair<const char*, bool> orders[] = {
      {"stroke", true},         {"stroke fill markers", true},
      {"markers stroke", true}, {"fill stroke", false},
      {"markers", false},       {"normal", false},
      {"markers fill", false},  {"Stroke", true}};
  for (const auto& [order, is_stroke_first] : orders) {
    CAPTURE(order);
    const std::string attributes = "stroke='red' paint-order='" + std::string(order) + "'";
    CHECK(drawn(attributes).op.is_stroke() != is_stroke_first);
    CHECK(drawn("stroke='red'", attributes).op.is_stroke() != is_stroke_first);  // inherited
  }
}

TEST_CASE("svg: dashes without a length are none") {
  CHECK(drawn("stroke='red' stroke-dasharray='0, 0.0'").op.is_stroke());  // none is counted
  CHECK(read("<rect width='9' height='9' stroke='red' stroke-dasharray='0 1'/>").skipped ==
        Counts{{"stroke-dasharray", 1}});
}

TEST_CASE("svg: the prefixes of elements and links are what the document says") {
  const SvgResult result = read_svg(
      "<ns0:svg xmlns:ns0='http://www.w3.org/2000/svg' xmlns:ns1='http://www.w3.org/1999/xlink'>"
      "<ns0:style>rect{fill:red}</ns0:style><ns0:defs><ns0:rect id='r' width='9' height='9'/>"
      "</ns0:defs><ns0:use ns1:href='#r'/><ns2:rect width='9' height='9'/></ns0:svg>",
      9, 9);
  CHECK(result.skipped.empty());
  REQUIRE(result.scene.paints.size() == 1);
  CHECK(is(result.scene.paints[0].colour, 1, 0, 0));
}

}  // namespace scene2d
