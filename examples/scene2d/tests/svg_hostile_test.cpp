// SVG documents that are malformed, endless, deep or huge, or have in them what is not supported.
// What is left of them is a scene without errors, and what is left out is counted.
#include <doctest/doctest.h>

#include <cstdint>
#include <iterator>
#include <stdexcept>

#include "render_cpu.hpp"
#include "svg.hpp"

namespace scene2d {
namespace {

using Counts = std::map<std::string, std::uint32_t>;

std::string document(const std::string& content, const char* attributes = "viewBox='0 0 24 24'") {
  return "<svg xmlns='http://www.w3.org/2000/svg' " + std::string(attributes) + ">" + content +
         "</svg>";
}

// Brackets of what has been left out must not stay.
bool brackets_match(const Scene& scene) {
  std::vector<int> stack;
  for (const Op& op : scene.ops) {
    const auto tag = static_cast<int>(op.tag());
    if (op.tag() == Tag::draw) continue;
    if (tag % 2 == 0) {
      stack.push_back(tag);
    } else {
      if (stack.empty() || stack.back() != tag - 1) return false;
      stack.pop_back();
    }
  }
  return stack.empty();
}

SvgResult read(const std::string& text) {
  SvgResult result = read_svg(text, 24, 24);
  CHECK(find_error(result.scene) == "");
  CHECK(brackets_match(result.scene));
  return result;
}

std::size_t draws(const Scene& scene) {
  std::size_t count = 0;
  for (const Op& op : scene.ops) count += op.tag() == Tag::draw;
  return count;
}

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (; times > 0; --times) result += text;
  return result;
}

}  // namespace

TEST_CASE("svg: what is no document is refused with a reason") {
  const auto refused = [](const std::string& text, const char* message) {
    CAPTURE(text);
    CHECK_THROWS_WITH_AS(read_svg(text, 24, 24), doctest::Contains(message), std::runtime_error);
  };
  refused("", "The SVG document is malformed: ");
  refused("hello", "The SVG document is malformed: ");
  refused("<html/>", "The document is no SVG document.");
  refused("<svg", "The SVG document is malformed: ");
  refused("<svg><g></svg>", "The SVG document is malformed: ");
  refused("<svg><rect width='5/></svg>", "The SVG document is malformed: ");
  refused(repeated("<g>", 20000), " at byte ");
  refused(std::string("<svg>\0<rect/></svg>", 19), "The SVG document is malformed: ");
  std::string bytes;
  for (int i = 0; i < 5000; ++i) bytes += static_cast<char>(i % 251);
  refused(bytes, "The SVG document is malformed: ");
  CHECK(read("<?xml version='1.0'?><!DOCTYPE svg><!-- a --><svg:svg><svg:rect width='5' "
             "height='5'/></svg:svg>")
            .scene.ops.size() == 3);
}

TEST_CASE("svg: what is left out is counted by its name") {
  const SvgResult result = read(document(
      "<text>a</text><image/><image/><foreignObject><svg/></foreignObject>"
      "<rect filter='url(#f)' mask='url(#m)' style='mix-blend-mode:screen' width='4' height='4'/>"
      "<rect width='4' height='4' stroke='#000' stroke-dasharray='1 2' "
      "vector-effect='non-scaling-stroke'/><rect width='4' height='4' stroke-dasharray='1 2'/>"
      "<path marker-start='url(#m)' marker-end='none' d='M0 0h5v5'/><rect width='5' height='5' "
      "fill='url(#p) red'/>"
      "<rect width='5' height='5' fill='url(#none)'/><pattern id='p'/><title/><desc/>"
      "<radialGradient id='g' fr='.1'><stop/><stop/></radialGradient>"
      "<rect width='5' height='5' fill='url(#g)'/>"
      "<metadata/><style/><sodipodi:namedview/><path d='M50 50h5v5h-5 x'/>"
      "<polygon points='70 70 80 70 80 80 1'/><use/><use href='#nothing'/><use href='http://x'/>",
      "viewBox='0 0 100 100'"));
  const Counts expected = {{"text", 1},
                           {"image", 2},
                           {"foreignObject", 1},
                           {"filter", 1},
                           {"mask", 1},
                           {"mix-blend-mode", 1},
                           {"stroke-dasharray", 1},
                           {"vector-effect", 1},
                           {"marker", 1},
                           {"pattern", 1},
                           {"missing paint", 1},
                           {"path data", 1},
                           {"points", 1},
                           {"use of nothing", 3},
                           {"fr", 1}};
  CHECK(result.skipped == expected);
  CHECK(draws(result.scene) == 9);                         // eight fills and a stroke
  const std::vector<Point>& points = result.scene.points;  // the last are those before mistakes
  CHECK((points[points.size() - 4].x == 50 && points[points.size() - 4].y == 55));
  CHECK((points.back().x == 80 && points.back().y == 80));
}

TEST_CASE("svg: what uses itself is left out") {
  const SvgResult use = read(
      document("<g id='a'><rect width='5' height='5'/><use href='#a'/></g><use href='#b' id='b'/>"
               "<g id='c'><use xlink:href='#d'/></g><g id='d'><use xlink:href='#c'/></g>"));
  CHECK(use.skipped == Counts{{"use in itself", 4}});
  CHECK(draws(use.scene) == 1);
  CHECK(read(document("<use href='#r'/>", "id='r'")).skipped == Counts{{"use in itself", 1}});
  const SvgResult symbol = read(document(
      "<symbol id='s' viewBox='0 0 9 9'><rect width='9' height='9'/><use href='#s'/></symbol>"
      "<use href='#s' width='5' height='5'/>"));
  CHECK(symbol.skipped == Counts{{"use in itself", 1}});
  CHECK(draws(symbol.scene) == 1);

  const SvgResult clip = read(document(
      "<clipPath id='a' clip-path='url(#b)'><rect width='9' height='9'/></clipPath>"
      "<clipPath id='b' clip-path='url(#a)'><use href='#u'/></clipPath>"
      "<rect id='u' width='9' height='9' clip-path='url(#a)'/><rect width='9' height='9'/>"));
  CHECK(clip.skipped == Counts{{"deep nesting", 1}});
  CHECK(draws(clip.scene) == 1);
  const SvgResult in_clip =
      read(document("<clipPath id='a'><use href='#u' id='u'/></clipPath><rect width='9' height='9' "
                    "clip-path='url(#a)'/>"));
  CHECK(in_clip.skipped == Counts{{"use in itself", 1}});

  const SvgResult gradient = read(document(
      "<linearGradient id='a' href='#b'/><linearGradient id='b' href='#a'><stop/></linearGradient>"
      "<linearGradient id='s' href='#s'/><rect width='9' height='9' fill='url(#a)'/>"
      "<rect width='9' height='9' stroke='url(#s)'/><rect width='9' height='9'/>"));
  CHECK(gradient.skipped == Counts{{"long chain of gradients", 2}});
  CHECK(draws(gradient.scene) == 1);
  for (const int links : {16, 17}) {
    std::string chain = "<linearGradient id='g1'><stop/></linearGradient>";
    for (int i = 2; i <= links; ++i) {
      chain += "<linearGradient id='g" + std::to_string(i) + "' href='#g" + std::to_string(i - 1) +
               "'/>";
    }
    chain += "<rect width='9' height='9' fill='url(#g" + std::to_string(links) + ")'/>";
    CHECK(draws(read(document(chain)).scene) == 17 - links);
  }
}

TEST_CASE("svg: what lies deeper than 200 elements is left out") {
  const std::string rect = "<rect width='5' height='5'/>";
  const auto nested = [&](int levels) {
    return read(document(repeated("<g>", levels) + rect + repeated("</g>", levels)));
  };
  CHECK(draws(nested(190).scene) == 1);
  CHECK(nested(190).skipped.empty());
  for (const int levels : {210, 20000}) {
    CHECK(draws(nested(levels).scene) == 0);
    CHECK(nested(levels).skipped == Counts{{"deep nesting", 1}});
  }
  std::string chain = "<rect id='u0' width='5' height='5'/>";
  for (int i = 0; i < 300; ++i) {
    chain += "<use id='u" + std::to_string(i + 1) + "' href='#u" + std::to_string(i) + "'/>";
  }
  const SvgResult uses = read(document("<defs>" + chain + "</defs><use href='#u300'/>"));
  CHECK(uses.skipped == Counts{{"deep nesting", 1}});
  const std::string group = "<g clip-path='url(#c)' transform='scale(1.1)' opacity='.9'>";
  read(
      document("<clipPath id='c' clipPathUnits='objectBoundingBox'><rect width='1' height='1'/>"
               "</clipPath>" +
               repeated(group, 60) + rect + repeated("</g>", 60)));
}

TEST_CASE("svg: a short document that stands for a huge scene is cut off") {
  // 40 times 40 times 1000 groups with nothing in them.
  const SvgResult result =
      read(document("<defs><g id='a'>" + repeated("<g/>", 1000) + "</g><g id='b'>" +
                    repeated("<use href='#a'/>", 40) + "</g></defs>" +
                    repeated("<use href='#b'/>", 40) + "<rect width='5' height='5'/>"));
  CHECK(result.skipped.size() == 1);
  CHECK(result.skipped.at("size") > 0);
  CHECK(draws(result.scene) == 0);  // The rectangle comes too late.
}

TEST_CASE("svg: a short document that makes much work is cut off") {
  const std::string rect = "<rect width='5' height='5' clip-path='url(#c)'/>";
  const auto is_cut_off = [](const std::string& content) {
    return read(document(content)).skipped.contains("size");
  };
  const auto often = [](const std::string& element) {
    return "<defs>" + element + "<g id='g'>" + repeated("<use href='#e'/>", 100) + "</g></defs>" +
           repeated("<use href='#g'/>", 100);
  };
  // Most of this is not drawn, so that the size of the scene does not tell.
  CHECK(is_cut_off(often("<path id='e' fill='none' d='M0 0" + repeated("h1v1", 50000) + "'/>")));
  CHECK(is_cut_off(often("<g id='e' style='" + repeated("fill:red;", 20000) + "'/>")));
  CHECK(is_cut_off(often("<g id='e'>" + repeated("<title/>", 20000) + "</g>")));
  CHECK(is_cut_off("<style>" + repeated(".a{fill:red}", 20000) + "</style>" +
                   repeated("<g class='a'/>", 2000)));
  // Lines that all cross each other.
  std::string data = "M";
  for (int i = 0; i < 8000; ++i)
    data += std::to_string(i % 2 * 9000) + ' ' + std::to_string(i) + ' ';
  for (int i = 0; i < 8000; ++i)
    data += std::to_string(i) + ' ' + std::to_string(i % 2 * 9000) + ' ';
  CHECK(is_cut_off("<clipPath id='c'><path d='" + data +
                   "'/><rect width='9' height='9'/></clipPath>" + rect));
  // What is only written often is read once.
  const SvgResult result = read(document("<style>" + repeated("@a;", 100000) +
                                         repeated(".a{fill:red}", 20000) + repeated("b,", 100000) +
                                         "b{fill:red}</style><rect width='5' height='5' class='" +
                                         repeated("a ", 100000) + "'/><b/>"));
  CHECK(result.skipped == Counts{{"@a", 100000}, {"b", 1}});
}

TEST_CASE("svg: attributes that are no numbers, or huge, leave their elements out") {
  const SvgResult result = read(document(
      "<rect width='NaN' height='5'/><rect width='1e30' height='5'/><circle r='1e8' opacity='.5' "
      "transform='scale(2)' clip-path='url(#c)'/><clipPath id='c'/>"
      "<rect width='1e999' height='inf'/><rect width='1' height='1' stroke='#000' "
      "stroke-width='1e40'/><path d='M0 0L1e20 1'/><g transform='scale(1e6) scale(1e6)'/>"
      "<use href='#r' x='1e9'/><path d='M0 0L1e99 1 5 5'/><polygon points='1 2 3 nan'/>"
      "<rect id='r' width='5' height='5' opacity='nan'/><path d='M9e6 0l9e5 9e5z'/>"));
  CHECK(result.skipped == Counts{{"number", 7}, {"path data", 1}, {"points", 1}, {"opacity", 1}});
  CHECK(draws(result.scene) == 6);
  const SvgResult gradient = read(document(
      "<radialGradient id='g' r='1e-39' fx='5' gradientTransform='scale(0)'><stop offset='nan'/>"
      "<stop offset='9'/></radialGradient><rect width='5' height='5' fill='url(#g)'/>"
      "<linearGradient id='l' x1='1e20'><stop/><stop/></linearGradient>"
      "<rect width='5' height='5' fill='url(#l)'/>"));
  CHECK(gradient.skipped == Counts{{"number", 1}});
  CHECK(draws(gradient.scene) == 1);
  CHECK(render_cpu(gradient.scene).pixels[0] == 0xff000000);
  CHECK(read(document("<rect width='9' height='9'/>", "viewBox='0 0 1e-30 1e-30'")).skipped ==
        Counts{{"number", 1}});
  CHECK(draws(read(document("<rect width='9' height='9'/>", "viewBox='0 0 -1 5'")).scene) == 1);
}

TEST_CASE("svg: malformed style sheets lose what is malformed") {
  const SvgResult result = read(document(
      "<style>{{{{ } rect {fill:} { ; } .a, .b .c, #d{fill:#f00 ! important; stroke:url(}</style>"
      "<style>@media</style><style>.z{fill:red} /* unclosed</style>"
      "<rect class=' a  b ' width='5' height='5' style='fill:blue;;:;fill;color:);stroke:rgb(;"
      "stroke-width:)('/><rect class='z' width='5' height='5'/>"));
  CHECK(draws(result.scene) == 2);
  CHECK(result.skipped.at("stroke-width") == 1);
  CHECK(read(document("<style>" + repeated("{", 30000) + "</style>")).skipped.empty());
}

TEST_CASE("svg: documents with random changes make scenes without errors") {
  const std::string good = document(
      "<style>.a{fill:red}</style><linearGradient id='g' x1='.2'><stop offset='.5'/><stop "
      "stop-color='#fff'/></linearGradient><clipPath id='c'><use href='#p' x='2'/>"
      "<path d='M1 1L9 9V1L1 9' clip-rule='evenodd'/><circle r='9' clip-path='url(#d)'/></clipPath>"
      "<clipPath id='d' clipPathUnits='objectBoundingBox'><path d='M0 0Q1 0 1 1H0z'/></clipPath>"
      "<g clip-path='url(#c)' opacity='.5'><path id='p' class='a' d='M1 2a3 4 0 01 5 6q1 2 3 4z' "
      "transform='rotate(9)'/></g><symbol id='s' viewBox='0 0 9 9'><rect width='50%' height='9' "
      "fill='url(#g) tan' style='stroke:rgb(1,2,3);stroke-width:.1em'/></symbol><use href='#s' "
      "width='9'/><polygon points='1,2 3,4 5 6'/><svg x='1' y='2' width='3' height='4'/>");
  const char* const parts[] = {"url(#",      ")",         "(",      "nan",
                               "1e9",        "-",         "e",      "%",
                               "em",         "{",         "}",      ":",
                               ";",          "/*",        "#",      "<g>",
                               "<",          "href='#s'", "id='c'", "'",
                               "99999999",   ".",         ",",      " ",
                               "!important", "</g>",      ">",      "inherit",
                               "0",          "1e-30",     "@",      "clip-path='url(#c)'"};
  std::uint64_t state = 1;
  const auto below = [&state](std::size_t end) {
    state = state * 6364136223846793005 + 1442695040888963407;
    return static_cast<std::size_t>(state >> 33) % end;
  };
  int scenes = 0;
  for (int i = 0; i < 1500; ++i) {
    std::string text = good;
    for (std::size_t changes = 1 + below(3); changes > 0; --changes) {
      const std::size_t place = below(text.size());
      const std::size_t kind = below(4), length = below(8);
      if (kind == 0) text.insert(place, parts[below(std::size(parts))]);
      if (kind == 1) text.erase(place, length);
      if (kind == 2) text[place] = static_cast<char>(below(256));
      if (kind == 3) text.insert(place, good.substr(below(good.size()), 4 * length));
    }
    CAPTURE(text);
    try {
      read(text);
      ++scenes;
    } catch (const std::runtime_error& error) {
      CHECK(std::string(error.what()).find("SVG document") != std::string::npos);
    }
  }
  CHECK(scenes > 300);
}

}  // namespace scene2d
