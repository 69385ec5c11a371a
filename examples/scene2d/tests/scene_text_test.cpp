// Scenes as text: what each line adds, what is said of mistakes, and a way there and back.
#include "scene_text.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>

#include "generators.hpp"

namespace scene2d {
namespace {

// Whether what is drawn is the same; paints may be in another order, and colours have 8 bits.
void check_equal(const Scene& a, const Scene& b) {
  CHECK((a.width == b.width && a.height == b.height));
  CHECK(a.tags == b.tags);
  REQUIRE(a.points.size() == b.points.size());
  std::size_t different = 0;
  for (std::size_t i = 0; i < a.points.size(); ++i) {
    different += a.points[i].x != b.points[i].x || a.points[i].y != b.points[i].y;
  }
  CHECK(different == 0);
  const auto near = [](const Colour& c, const Colour& d) {
    return std::abs(c.r - d.r) + std::abs(c.g - d.g) + std::abs(c.b - d.b) + std::abs(c.a - d.a) <
           4 * 0.502f / 255;
  };
  CHECK(near(a.background, b.background));
  REQUIRE(a.ops.size() == b.ops.size());
  for (std::size_t i = 0; i < a.ops.size(); ++i) {
    CAPTURE(i);
    CHECK(a.ops[i].style == b.ops[i].style);
    for (std::size_t k = 0; k < 6; ++k) CHECK(a.ops[i].values[k] == b.ops[i].values[k]);
    if (a.ops[i].tag() != Tag::draw) continue;
    const Paint &p = a.paints.at(a.ops[i].paint), &q = b.paints.at(b.ops[i].paint);
    CHECK(p.kind == q.kind);
    CHECK(p.stops == q.stops);
    CHECK((p.kind != PaintKind::solid || near(p.colour, q.colour)));
    CHECK((p.kind == PaintKind::solid || p.spread == q.spread));
    CHECK((p.x0 == q.x0 && p.y0 == q.y0 && p.x1 == q.x1 && p.y1 == q.y1));
    CHECK(p.radius == q.radius);
    for (std::size_t k = 0; k < p.stops; ++k) {
      const Stop &s = a.stops[p.first_stop + k], &t = b.stops[q.first_stop + k];
      CHECK((s.at == t.at && near(s.colour, t.colour)));
    }
  }
}

std::string numbers(std::initializer_list<float> values) {
  std::string text;
  char digits[32];
  for (const float value : values) {
    std::snprintf(digits, sizeof digits, " %.9g", value);
    text += digits;
  }
  return text;
}

std::string colour(const Colour& c) {
  char text[16];
  const auto byte = [](float x) { return static_cast<unsigned>(std::lround(255 * x)); };
  std::snprintf(text, sizeof text, " #%02x%02x%02x%02x", byte(c.r), byte(c.g), byte(c.b),
                byte(c.a));
  return text;
}

// The line that adds a gradient by the name g and its index.
std::string gradient(const Scene& scene, std::size_t index) {
  const Paint& p = scene.paints[index];
  const char* const spreads[] = {" pad", " reflect", " repeat"};
  const std::string name = " g" + std::to_string(index);
  std::string text = p.kind == PaintKind::linear
                         ? "linear" + name + numbers({p.x0, p.y0, p.x1, p.y1})
                         : "radial" + name + numbers({p.x0, p.y0, p.radius, p.x1, p.y1});
  text += spreads[static_cast<std::size_t>(p.spread)];
  for (std::size_t k = 0; k < p.stops; ++k) {
    const Stop& stop = scene.stops[p.first_stop + k];
    text += numbers({stop.at}) + colour(stop.colour);
  }
  return text + "\n";
}

// Writes a scene; all shapes become paths.
std::string write(const Scene& scene) {
  std::string text = "size" + numbers({static_cast<float>(scene.width)}) +
                     numbers({static_cast<float>(scene.height)}) + colour(scene.background) + "\n";
  for (std::size_t i = 0; i < scene.paints.size(); ++i) {
    if (scene.paints[i].kind != PaintKind::solid) text += gradient(scene, i);
  }
  const char* const caps[] = {" butt", " round", " square"};
  const char* const joins[] = {" miter", " round", " bevel"};
  const Point* point = scene.points.data();
  const Op* next = scene.ops.data();
  std::string path;
  for (const Tag tag : scene.tags) {
    const auto value = static_cast<std::size_t>(tag);
    if (value < 8) {
      path += std::string(" ") + " MLQCZ "[value];
      for (int n = "0112300"[value] - '0'; n > 0; --n, ++point)
        path += numbers({point->x, point->y});
      continue;
    }
    const char* const names[] = {"push", "pop", "clip", "unclip", "layer", "unlayer", "fill"};
    const Op& op = *next++;
    const float(&v)[6] = op.values;
    text += op.is_stroke() ? "stroke" : names[value - 8];
    if (tag == Tag::push_transform) text += numbers({v[0], v[1], v[2], v[3], v[4], v[5]});
    if (tag == Tag::begin_layer) text += numbers({v[0]});
    if (tag == Tag::draw) {
      const Paint& paint = scene.paints[op.paint];
      text +=
          paint.kind == PaintKind::solid ? colour(paint.colour) : " g" + std::to_string(op.paint);
    }
    if (op.is_stroke()) {
      text += numbers({v[1]}) + " cap" + caps[static_cast<std::size_t>(op.cap())] + " join" +
              joins[static_cast<std::size_t>(op.join())] + " miter" + numbers({v[2]});
    }
    if (op.rule() == Rule::even_odd) text += " evenodd";
    if (tag == Tag::draw) text += " opacity" + numbers({v[0]});
    if (tag == Tag::draw || tag == Tag::begin_clip) text += " path" + path;
    text += "\n";
    path.clear();
  }
  return text;
}

void check_mistake(const char* text, const std::string& message) {
  CAPTURE(text);
  CHECK_THROWS_WITH_AS(read_scene_text(text), message.c_str(), std::runtime_error);
}

}  // namespace

TEST_CASE("scene text: each operation does what the builder does") {
  const Scene scene = read_scene_text(R"(size 20 30 #8000ff
linear l 1 2 3 4 0 #000000 1 #ffffff
radial r 1 2 3 4 5 reflect 0 #000000 .5 #ffffff80 1 #ff0000
clip evenodd polygon 0 0 1 0 1 1
layer .5
push 1 2 3 4 5 6
fill r evenodd opacity 0.25 round 0 0 9 9 2 3
pop
unlayer
unclip
unclip
stroke #010203 2.5 join bevel cap round miter 3 opacity .5 path M 0 0 L 5 5
clip rect 1 2 3 4
fill l ellipse 5 6 7 8
fill #01020380 path)");
  Scene expected;
  expected.width = 20;
  expected.height = 30;
  expected.background = {128 / 255.f, 0, 1, 1};
  const auto linear =
      expected.gradient({.kind = PaintKind::linear, .x0 = 1, .y0 = 2, .x1 = 3, .y1 = 4},
                        {{0, {0, 0, 0, 1}}, {1, {1, 1, 1, 1}}});
  const auto radial =
      expected.gradient({.kind = PaintKind::radial,
                         .spread = Spread::reflect,
                         .x0 = 1,
                         .y0 = 2,
                         .x1 = 4,
                         .y1 = 5,
                         .radius = 3},
                        {{0, {0, 0, 0, 1}}, {.5f, {1, 1, 1, 128 / 255.f}}, {1, {1, 0, 0, 1}}});
  expected.polygon({{0, 0}, {1, 0}, {1, 1}});
  expected.begin_clip(Rule::even_odd);
  expected.begin_layer(0.5f);
  expected.push_transform({1, 2, 3, 4, 5, 6});
  expected.rounded_rectangle(0, 0, 9, 9, 2, 3);
  expected.fill(radial, Rule::even_odd, 0.25f);
  expected.pop_transform();
  expected.end_layer();
  expected.end_clip();
  expected.end_clip();
  expected.move({0, 0});
  expected.line({5, 5});
  expected.stroke(expected.solid({1 / 255.f, 2 / 255.f, 3 / 255.f, 1}),
                  {2.5f, Cap::round, Join::bevel, 3}, 0.5f);
  expected.rectangle(1, 2, 3, 4);
  expected.begin_clip();
  expected.ellipse(5, 6, 7, 8);
  expected.fill(linear);
  expected.fill(expected.solid({1 / 255.f, 2 / 255.f, 3 / 255.f, 128 / 255.f}));
  check_equal(scene, expected);
  CHECK(scene.background.r == 128 / 255.f);
}

TEST_CASE("scene text: what may be left out, comments, and ends of lines") {
  const Scene empty = read_scene_text("");
  CHECK((empty.width == 512 && empty.height == 512 && empty.background.g == 1));
  CHECK(empty.tags.empty());
  const Scene scene = read_scene_text(
      "# a scene\r\n  #another\n\n\t \nsize 3 4 # its size\r\n"
      "fill #00ff00\trect 0  0 1 1\n#fill\nstroke #00ff00 2 rect 0 0 1 1 # \nfill #00ff00 path "
      "#\n");
  CHECK((scene.width == 3 && scene.height == 4 && scene.background.r == 1));
  REQUIRE(scene.ops.size() == 3);
  CHECK(scene.paints.size() == 1);  // each colour is one paint
  CHECK(scene.ops[0].values[0] == 1);
  CHECK(scene.ops[0].rule() == Rule::nonzero);
  CHECK((scene.ops[1].cap() == Cap::butt && scene.ops[1].join() == Join::miter));
  CHECK((scene.ops[1].values[1] == 2 && scene.ops[1].values[2] == 4));
  const Scene gradients = read_scene_text(
      "linear a 0 0 1 1 0 #000000\nradial b 0 0 1 1 1 pad 0 #000000\n"
      "linear c 0 0 1 1 repeat 0 #000000");
  REQUIRE(gradients.paints.size() == 3);
  CHECK(gradients.paints[0].spread == Spread::pad);
  CHECK(gradients.paints[1].spread == Spread::pad);
  CHECK(gradients.paints[2].spread == Spread::repeat);
}

TEST_CASE("scene text: each mistake is named, with its line") {
  const std::map<const char*, const char*> mistakes = {
      {"size 1", "a side of the picture is missing"},
      {"size 1 0", "a side of the picture must be a whole number from 1 to 16384"},
      {"size 1.5 1", "a side of the picture must be a whole number from 1 to 16384"},
      {"size 1 16385", "a side of the picture must be a whole number from 1 to 16384"},
      {"size 1 1 #00000000", "the background must be opaque"},
      {"size 1 1 red", "\"red\" is no colour"},
      {"foo", "there is no operation \"foo\""},
      {"pop 1", "nothing may follow before \"1\""},
      {"push 1 2 3 4 5", "a number of the matrix is missing"},
      {"push 1 2 3 4 5 1e10", "\"1e10\" is too large"},
      {"push 1 2 3 4 5 6e", "a number of the matrix is missing, and \"6e\" is no number"},
      {"layer", "the opacity is missing"},
      {"layer 2", "the opacity must be from 0 to 1"},
      {"fill", "a paint is missing"},
      {"fill red rect 0 0 1 1", "there is no gradient \"red\""},
      {"fill #12345 rect 0 0 1 1", "\"#12345\" is no colour"},
      {"fill #12345g rect 0 0 1 1", "\"#12345g\" is no colour"},
      {"fill #-23456 rect 0 0 1 1", "\"#-23456\" is no colour"},
      {"fill #123456", "a shape is missing"},
      {"fill #123456 opacity -1 path", "the opacity must be from 0 to 1"},
      {"fill #123456 blob", "there is no shape \"blob\""},
      {"fill #123456 rect 0 0 1", "a number of the rectangle is missing"},
      {"fill #123456 rect 0 0 1 x", "a number of the rectangle is missing, and \"x\" is no number"},
      {"fill #123456 rect 0 0 1 1 1", "nothing may follow before \"1\""},
      {"fill #123456 rect 0 0 1 -1", "a side of the rectangle must not be negative"},
      {"clip round 0 0 1 1 1", "a number of the rounded rectangle is missing"},
      {"clip round 0 0 1 1 1 -1", "a side or radius of the rounded rectangle must not be negative"},
      {"clip ellipse 0 0 1", "a number of the ellipse is missing"},
      {"clip ellipse 0 0 1 -1", "a radius of the ellipse must not be negative"},
      {"clip polygon", "a coordinate of the polygon is missing"},
      {"clip polygon 1 2 3", "a coordinate of the polygon is missing"},
      {"clip path M 0 0 L", "there is a mistake in the path data"},
      {"stroke #000000 rect 0 0 1 1", "the width is missing, and \"rect\" is no number"},
      {"stroke #000000 -1 rect 0 0 1 1", "the width must not be negative"},
      {"stroke #000000 1 cap flat rect 0 0 1 1", "\"flat\" is not a cap"},
      {"stroke #000000 1 join", "a join is missing"},
      {"stroke #000000 1 join flat rect 0 0 1 1", "\"flat\" is not a join"},
      {"stroke #000000 1 miter -1 path", "the limit of miters must not be negative"},
      {"linear", "the name of the gradient is missing"},
      {"linear #a 0 0 1 1 0 #000000", "the name of a gradient must not begin with #"},
      {"linear a", "x0 or cx is missing"},
      {"linear a 0 0 1 1", "a stop of the gradient is missing"},
      {"linear a 0 0 1 1 0", "the colour of the stop is missing"},
      {"linear a 0 0 1 1 2 #000000", "a stop of the gradient must be from 0 to 1"},
      {"linear a 0 0 1 1 .5 #000000 .2 #000000", "the stops must be in ascending order"},
      {"radial a 0 0 -1 1 1 0 #000000", "the radius must not be negative"}};
  for (const auto& [text, message] : mistakes) {
    check_mistake(text, std::string("line 1: ") + message);
  }
  check_mistake("# c\n\r\n \nunclip\nfoo\nbar", "line 5: there is no operation \"foo\"");
  check_mistake("linear a 0 0 1 1 0 #000000\nradial a 0 0 1 1 1 0 #000000",
                "line 2: there is already a gradient \"a\"");
}

TEST_CASE("scene text: scenes that are written and read are the same") {
  for (const Generator& generator : generators()) {
    CAPTURE(generator.name);
    const Scene scene = generate(generator.name, generator.n > 10 ? 150 : 2);
    check_equal(scene, read_scene_text(write(scene)));
  }
}

}  // namespace scene2d
