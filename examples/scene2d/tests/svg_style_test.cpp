// The style of elements in SVG: colours, units, style sheets, inheritance, strokes and gradients.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <utility>

#include "render_cpu.hpp"
#include "svg.hpp"

namespace scene2d {
namespace {

using Counts = std::map<std::string, std::uint32_t>;

SvgResult read(const std::string& content, const char* view_box = "0 0 100 100") {
  SvgResult result = read_svg("<svg xmlns='http://www.w3.org/2000/svg' viewBox='" +
                                  std::string(view_box) + "'>" + content + "</svg>",
                              100, 100);
  REQUIRE(find_error(result.scene) == "");
  return result;
}

// The picture of 100 x 100 pixels.
class Drawing {
 public:
  explicit Drawing(const std::string& content) : picture_(render_cpu(read(content).scene)) {}
  std::string at(std::uint32_t x, std::uint32_t y) const {
    const std::uint32_t p = picture_.pixels[y * 100 + x];
    char text[16];
    std::snprintf(text, sizeof text, "#%02x%02x%02x", p & 255, p >> 8 & 255, p >> 16 & 255);
    return text;
  }
  // The red channel, 0 … 1.
  double red(std::uint32_t x, std::uint32_t y) const {
    return static_cast<double>(picture_.pixels[y * 100 + x] & 255) / 255;
  }

 private:
  Picture picture_;
};

// What <rect> is filled with, as attributes say.
std::string fill_of(const std::string& attributes) {
  return Drawing("<rect width='9' height='9' " + attributes + "/>").at(4, 4);
}

// Black where t = 0, and white where t = 1.
const std::string kStops = "<stop offset='0'/><stop offset='1' stop-color='white'/>";

void check_shades(const std::string& gradient, const std::function<double(double, double)>& t) {
  const Drawing drawing(gradient + "<rect x='10' y='20' width='80' height='40' fill='url(#g)'/>");
  double worst = 0;
  for (std::uint32_t y = 20; y < 60; y += 3) {
    for (std::uint32_t x = 10; x < 90; x += 7) {
      worst = std::max(worst, std::abs(drawing.red(x, y) - t(x + 0.5, y + 0.5)));
    }
  }
  CAPTURE(gradient);
  CHECK(worst < 0.503 / 255);
}

double pad(double t) { return std::clamp(t, 0.0, 1.0); }

}  // namespace

TEST_CASE("svg: colours in all notations") {
  const std::pair<const char*, const char*> colours[] = {
      {"red", "#ff0000"},
      {"LightGoldenRodYellow", "#fafad2"},
      {"rebeccapurple", "#663399"},
      {"yellowgreen", "#9acd32"},
      {"aliceblue", "#f0f8ff"},
      {"darkslategrey", "#2f4f4f"},
      {"#1aF", "#11aaff"},
      {"#12aBcD", "#12abcd"},
      {"#f008", "#ff7777"},  // 0x88 / 0xff over white
      {"#ff000080", "#ff7f7f"},
      {"rgb(1,2,3)", "#010203"},
      {"rgb( 100% , 50% 0% )", "#ff8000"},
      {"rgba(255,0,0,.2)", "#ffcccc"},
      {"rgb(255 0 0 / 20%)", "#ffcccc"},
      {"rgb(300,-5,0)", "#ff0000"},
      {"RGB(0,0,255)", "#0000ff"},
      {"hsl(0,100%,50%)", "#ff0000"},
      {"hsl(120 100% 25%)", "#008000"},
      {"hsl(-120, 100%, 50%)", "#0000ff"},
      {"hsl(30,100%,50%)", "#ff8000"},
      {"hsl(960,0%,20%)", "#333333"},
      {"hsla(0,100%,50%,.2)", "#ffcccc"},
      {"transparent", "#ffffff"},
      {"none", "#ffffff"},
      {"currentColor", "#0000ff"},
      {"inherit", "#008000"},
      {"url(#nothing) red", "#ff0000"},
      {"url('#nothing') none", "#ffffff"}};
  for (const auto& entry : colours) {
    const char *const colour = entry.first, *const pixel = entry.second;
    CAPTURE(colour);
    CHECK(Drawing("<g fill='green' color='blue'><rect width='9' height='9' fill=\"" +
                  std::string(colour) + "\"/></g>")
              .at(4, 4) == pixel);
  }
  for (const char* colour : {"", "reddish", "#12", "#12345", "#12g", "#-12", "rgb(1,2)",
                             "rgb(1,2,3", "rgb(1,2,3,4,5)", "hsl(0,0%)", "rgb(1,x,3)", "url(#g"}) {
    CAPTURE(colour);
    const std::string rect = "<rect width='9' height='9' fill='" + std::string(colour) + "'/>";
    CHECK(Drawing("<g fill='green'>" + rect + "</g>").at(4, 4) == "#008000");
    CHECK(read(rect).skipped == Counts{{"fill", 1}});
  }
}

TEST_CASE("svg: lengths have units, and percentages are of the viewport") {
  const std::pair<const char*, double> lengths[] = {
      {"7", 7},       {"7px", 7},     {" 7 px", 7}, {"3pt", 4},  {"2pc", 32}, {"1in", 96},
      {"2.54cm", 96}, {"25.4mm", 96}, {"2em", 32},  {"2ex", 16}, {"1e1", 10}, {"50%", 100}};
  for (const auto& entry : lengths) {
    const char* const text = entry.first;
    CAPTURE(text);
    const SvgResult result =
        read("<rect width='" + std::string(text) + "' height='9'/>", "0 0 200 50");
    REQUIRE(result.scene.points.size() == 4);
    CHECK(result.scene.points[1].x == doctest::Approx(entry.second));
  }
  const auto point = [](const std::string& element, std::size_t i) {
    return read(element, "0 0 80 60").scene.points.at(i);
  };
  CHECK(point("<rect width='9' height='50%'/>", 2).y == doctest::Approx(30));
  // Other percentages are of sqrt((80² + 60²) / 2).
  CHECK(point("<circle r='10%'/>", 0).x == doctest::Approx(std::sqrt(50)));
  CHECK(point("<rect width='2em' height='9' font-size='10'/>", 1).x == 20);
  CHECK(
      point("<g font-size='10'><rect style='width:1;font-size:2em' width='2em' height='9'/></g>", 1)
          .x == 40);
  for (const char* text : {"7 px x", "7foo", "px", "nan", "1e30"}) {
    CAPTURE(text);
    const SvgResult result = read("<rect width='" + std::string(text) + "' height='9'/>");
    CHECK(result.scene.points.empty());
    CHECK(result.skipped == Counts{{"number", 1}});
  }
}

TEST_CASE("svg: style sheets have the order of CSS") {
  const std::string sheet =
      "<style>rect{fill:red}.a{fill:green}#i{fill:blue}*{fill:pink} /* rect{fill:tan} */\n"
      ".e , .f {fill:cyan !important}.g{fill:tan}.h{fill:gold;fill:silver}</style>"
      "<style><![CDATA[.c{fill:lime}]]></style>";
  const std::pair<const char*, const char*> rules[] = {
      {"fill='pink'", "#ff0000"},
      {"class='a'", "#008000"},
      {"class='a' id='i'", "#0000ff"},
      {"class='a' style='fill:orange'", "#ffa500"},
      {"class='e' style='fill:orange'", "#00ffff"},
      {"class='e' style='fill:orange!important'", "#ffa500"},
      {"class=' f  a '", "#00ffff"},
      {"class='g a'", "#d2b48c"},  // the later one of the sheet
      {"class='a g'", "#d2b48c"},
      {"class='h'", "#c0c0c0"},
      {"class='c'", "#00ff00"},
      {"class='b'", "#ff0000"},
      {"style=';fill : #123 ; :x;y:z'", "#112233"}};
  for (const auto& entry : rules) {
    const char *const attributes = entry.first, *const pixel = entry.second;
    CAPTURE(attributes);
    CHECK(Drawing(sheet + "<rect width='9' height='9' " + attributes + "/>").at(4, 4) == pixel);
  }
  CHECK(Drawing(sheet + "<circle r='9'/>").at(2, 2) == "#ffc0cb");
  const SvgResult result = read(
      "<style>@import url(x); @media print { rect { fill:red } } rect > g, .a.b, a:hover, "
      "#d {fill:red} .c{unknown:1} rect {fill:} </style><rect width='9' height='9'/>");
  CHECK(result.skipped == Counts{{"@import", 1}, {"@media", 1}, {"selector", 3}, {"fill", 1}});
}

TEST_CASE("svg: some properties are inherited, and others are not") {
  CHECK(Drawing("<g fill='red' opacity='.5'><g><rect width='9' height='9'/></g></g>").at(4, 4) ==
        "#ff8080");
  CHECK(Drawing("<g fill='red' opacity='.5'><rect width='9' height='9' opacity='inherit'/></g>")
            .at(4, 4) == "#ffbfbf");
  CHECK(Drawing("<g fill='red'><g fill='none'><rect width='9' height='9' fill='inherit'/></g></g>")
            .at(4, 4) == "#ffffff");
  const Drawing hidden(
      "<g display='none'><rect width='50' height='50' display='inline'/></g>"
      "<g visibility='hidden'><rect width='30' height='30'/>"
      "<rect x='50' width='30' height='30' visibility='visible' fill='red'/></g>");
  CHECK((hidden.at(5, 5) == "#ffffff" && hidden.at(55, 5) == "#ff0000"));
  // currentColor is the colour of the element that says it.
  CHECK(fill_of("color='lime' style='fill:currentColor'") == "#00ff00");
}

TEST_CASE("svg: strokes and rules arrive in the records of draws") {
  const SvgResult result = read(
      "<g stroke='red' fill='none'><path d='M0 0h9v9'/>"
      "<g stroke-width='3' stroke-linecap='round' stroke-linejoin='bevel' stroke-miterlimit='7'>"
      "<path d='M0 0h9v9' stroke-opacity='.25'/></g>"
      "<path d='M0 0h9v9' style='stroke-linecap:square;stroke-linejoin:round;"
      "stroke-width:0.5em;font-size:20px'/>"
      "<path d='M0 0h9v9' stroke-width='0'/></g><path d='M0 0h9v9' fill-rule='evenodd'/>");
  REQUIRE(result.scene.ops.size() == 6);
  const Op* op = &result.scene.ops[1];
  CHECK((op[0].cap() == Cap::butt && op[0].join() == Join::miter && op[0].is_stroke()));
  CHECK((op[0].values[0] == 1 && op[0].values[1] == 1 && op[0].values[2] == 4));
  CHECK((op[1].cap() == Cap::round && op[1].join() == Join::bevel));
  CHECK((op[1].values[0] == 0.25f && op[1].values[1] == 3 && op[1].values[2] == 7));
  CHECK((op[2].cap() == Cap::square && op[2].join() == Join::round && op[2].values[1] == 10));
  CHECK((op[3].rule() == Rule::even_odd && !op[3].is_stroke()));
  const Counts wrong = {{"stroke-width", 1},    {"stroke-linecap", 1}, {"stroke-miterlimit", 1},
                        {"stroke-linejoin", 1}, {"fill-rule", 1},      {"opacity", 1}};
  CHECK(read("<path d='M0 0h9v9' stroke-width='-1' stroke-linecap='flat' stroke-linejoin='x' "
             "stroke-miterlimit='.5' fill-rule='odd' opacity='x'/>")
            .skipped == wrong);
}

TEST_CASE("svg: linear gradients, in both units and with all spreads") {
  const std::string end = kStops + "</linearGradient>";
  check_shades("<linearGradient id='g'>" + end, [](double x, double) { return (x - 10) / 80; });
  check_shades("<linearGradient id='g' x2='0' y2='100%'>" + end,
               [](double, double y) { return (y - 20) / 40; });
  check_shades("<linearGradient id='g' x1='.25' x2='75%'>" + end,
               [](double x, double) { return pad((x - 30) / 40); });
  // In units of the box, the direction is skewed with it.
  check_shades("<linearGradient id='g' y2='1'>" + end,
               [](double x, double y) { return ((x - 10) / 80 + (y - 20) / 40) / 2; });
  check_shades("<linearGradient id='g' gradientTransform='translate(.25)'>" + end,
               [](double x, double) { return pad((x - 30) / 80); });
  const std::string user = "<linearGradient id='g' gradientUnits='userSpaceOnUse' x1='20%' ";
  check_shades(user + "x2='60'>" + end, [](double x, double) { return pad((x - 20) / 40); });
  check_shades(user + "x2='60' gradientTransform='translate(5 0) scale(.5)'>" + end,
               [](double x, double) { return pad((x - 15) / 20); });
  check_shades(user + "x2='60' spreadMethod='repeat'>" + end,
               [](double x, double) { return (x - 20) / 40 - std::floor((x - 20) / 40); });
  check_shades(user + "x2='60' spreadMethod='reflect'>" + end,
               [](double x, double) { return std::abs(std::remainder((x - 20) / 40, 2)); });
  check_shades(user + "x2='20'>" + end, [](double, double) { return 1; });
}

TEST_CASE("svg: radial gradients, in both units, with a focus") {
  const std::string end = kStops + "</radialGradient>";
  check_shades("<radialGradient id='g'>" + end, [](double x, double y) {
    return pad(2 * std::hypot((x - 50) / 80, (y - 40) / 40));
  });
  const std::string user = "<radialGradient id='g' gradientUnits='userSpaceOnUse' ";
  check_shades(user + "cx='40' cy='30' r='30'>" + end,
               [](double x, double y) { return pad(std::hypot(x - 40, y - 30) / 30); });
  // From the focus, the circle is d away where |focus + d direction - centre| = r.
  const auto focal = [](double fx) {
    return [fx](double x, double y) {
      const double length = std::hypot(x - fx, y - 30), along = (x - fx) / length * (fx - 40);
      return pad(length / (std::sqrt(along * along + 900 - (fx - 40) * (fx - 40)) - along));
    };
  };
  check_shades(user + "cx='40' cy='30' r='30' fx='30'>" + end, focal(30));
  check_shades(user + "cx='40' cy='30' r='30' fx='95'>" + end, focal(40 + 29.7));  // moved inside
  check_shades(user + "cx='40' cy='30' r='0'>" + end, [](double, double) { return 1; });
}

TEST_CASE("svg: gradients take from others what they do not say") {
  const std::string base =
      "<linearGradient id='a' x1='.5' spreadMethod='reflect'>" + kStops + "</linearGradient>";
  const auto reflected = [](double x, double) { return std::abs((x - 50) / 40); };
  check_shades(base + "<linearGradient id='g' href='#a'/>", reflected);
  check_shades("<linearGradient id='g' xlink:href='#b'/><linearGradient id='b' href='#a'/>" + base,
               reflected);
  check_shades(base + "<linearGradient id='g' href='#a' x1='0' spreadMethod='pad'/>",
               [](double x, double) { return (x - 10) / 80; });
  check_shades(base + "<radialGradient id='g' href='#a'/>", [](double x, double y) {
    return std::abs(std::remainder(2 * std::hypot((x - 50) / 80, (y - 40) / 40), 2));
  });
}

TEST_CASE("svg: stops of gradients") {
  const auto fill = [](const std::string& stops, std::uint32_t x) {
    return Drawing(
               "<style>.s{stop-color:lime}</style><g color='red'><linearGradient id='g' "
               "color='blue'>" +
               stops + "</linearGradient><rect width='100' height='9' fill='url(#g) tan'/></g>")
        .at(x, 4);
  };
  // Percentages; offsets never sink; and colours come from style, classes and color.
  const std::string hard =
      "<stop offset='-1' style='stop-color:#123456'/><stop offset='30%' stop-color='#123456'/>"
      "<stop offset='.2' class='s'/><stop offset='60%' class='s'/>"
      "<stop offset='.6' stop-color='currentColor'/><stop offset='7' stop-color='currentColor'/>";
  CHECK((fill(hard, 0) == "#123456" && fill(hard, 29) == "#123456"));
  CHECK((fill(hard, 30) == "#00ff00" && fill(hard, 59) == "#00ff00"));
  CHECK((fill(hard, 60) == "#0000ff" && fill(hard, 99) == "#0000ff"));
  CHECK(fill("<stop stop-color='red' stop-opacity='.5'/>", 5) == "#ff8080");  // one alone
  CHECK(fill("", 5) == "#ffffff");                                            // none
  // A box without an area has no units; a single stop needs none.
  const auto operations = [](const std::string& stops) {
    const SvgResult flat = read("<linearGradient id='g'>" + stops +
                                "</linearGradient><path d='M1 1h9' fill='none' stroke='url(#g)'/>");
    CHECK(flat.skipped.empty());
    return flat.scene.ops.size();
  };
  CHECK(operations(kStops) == 2);
  CHECK(operations("<stop/>") == 3);
}

}  // namespace scene2d
