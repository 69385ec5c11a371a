// A scene: operations in the order in which they paint, encoded as the renderers read it.
//
// There are two streams. Tags say what happens; a shape is the tags of its segments, and the
// operation that uses it follows them. Points belong to segments, in order. Each operation also has
// a record of fixed size. Every shape is a path, so rectangles and ellipses are segments, too.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace scene2d {

struct Point {
  float x, y;
};

// x' = a x + c y + e, y' = b x + d y + f, as in SVG.
struct Affine {
  float a = 1, b = 0, c = 0, d = 1, e = 0, f = 0;
};
// First `inner`, then `outer`.
Affine operator*(const Affine& outer, const Affine& inner);
Point operator*(const Affine& matrix, Point p);

// Values are what the shaders expect; those of operations have the bit 8.
enum class Tag : std::uint8_t {
  none = 0,   // ends the last word of four tags
  move = 1,   // 1 point; begins a subpath
  line = 2,   // 1 point
  quad = 3,   // 2 points: control, end
  cubic = 4,  // 3 points: control, control, end
  close = 5,  // ends a subpath by a line to where it began
  end = 6,    // ends a subpath and leaves it open; filled, it is closed all the same
  push_transform = 8,
  pop_transform = 9,
  begin_clip = 10,  // clips what follows to the shape
  end_clip = 11,
  begin_layer = 12,  // draws what follows into a layer
  end_layer = 13,    // and that onto what is below, with an opacity
  draw = 14,         // fills or strokes the shape
};

enum class Rule : std::uint32_t { nonzero, even_odd };
enum class Cap : std::uint32_t { butt, round, square };
enum class Join : std::uint32_t { miter, round, bevel };

// What an operation has besides its shape: 32 bytes.
struct Op {
  std::uint32_t style = 0;  // tag | rule << 8 | cap << 10 | join << 12 | is_stroke << 14
  std::uint32_t paint = 0;  // of draw: an index into Scene::paints
  // push_transform: the matrix, from what is inside to what is outside. begin_layer: values[0] =
  // opacity. draw: values[0] = opacity; a stroke also has [1] = width, [2] = miter limit.
  float values[6] = {};

  Tag tag() const { return static_cast<Tag>(style & 15); }
  Rule rule() const { return static_cast<Rule>(style >> 8 & 1); }
  Cap cap() const { return static_cast<Cap>(style >> 10 & 3); }
  Join join() const { return static_cast<Join>(style >> 12 & 3); }
  bool is_stroke() const { return style >> 14 & 1; }
};

// Colours are not premultiplied, and are mixed as they are (in sRGB, as browsers do).
struct Colour {
  float r = 0, g = 0, b = 0, a = 1;
};
struct Stop {
  float at;  // 0 … 1, ascending
  Colour colour;
};

enum class PaintKind : std::uint32_t { solid, linear, radial };
enum class Spread : std::uint32_t { pad, reflect, repeat };

// Between two stops colours are interpolated before they are premultiplied. linear: from x0, y0
// (stop 0) to x1, y1 (stop 1). radial: from the point x1, y1 (stop 0) to the circle of the given
// radius around x0, y0 (stop 1), inside of which the point lies.
struct Paint {
  PaintKind kind = PaintKind::solid;
  Spread spread = Spread::pad;
  std::uint32_t first_stop = 0, stops = 0;  // of Scene::stops, at least one
  Colour colour;                            // of solid
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0, radius = 0;
  Affine matrix;  // from the gradient to the coordinates of the shape
};

struct Scene {
  std::uint32_t width = 512, height = 512;  // of the picture, in pixels
  Colour background{1, 1, 1, 1};            // opaque
  std::vector<Tag> tags;
  std::vector<Point> points;
  std::vector<Op> ops;
  std::vector<Paint> paints;
  std::vector<Stop> stops;

  // Builds shapes, subpath by subpath; each is ended by close() or end(). Segments that have no
  // length are left out.
  void move(Point to);
  void line(Point to);
  void quad(Point control, Point to);
  void cubic(Point control0, Point control1, Point to);
  void close();
  void end();
  void rectangle(float x, float y, float w, float h);
  void rounded_rectangle(float x, float y, float w, float h, float rx, float ry);
  void ellipse(float cx, float cy, float rx, float ry);
  void polygon(const std::vector<Point>& corners);

  // Operations; those that use a shape take the one that was built since the last operation.
  void push_transform(const Affine& matrix);
  void pop_transform();
  void begin_clip(Rule rule = Rule::nonzero);
  void end_clip();
  void begin_layer(float opacity);
  void end_layer();
  void fill(std::uint32_t paint, Rule rule = Rule::nonzero, float opacity = 1);
  struct Stroke {
    float width = 1;
    Cap cap = Cap::butt;
    Join join = Join::miter;
    float miter_limit = 4;
  };
  void stroke(std::uint32_t paint, const Stroke& stroke, float opacity = 1);

  std::uint32_t solid(const Colour& colour);  // adds a paint
  std::uint32_t gradient(Paint paint, const std::vector<Stop>& stops);

 private:
  Op& add(Tag tag, std::uint32_t style = 0);
  Point pen_{}, first_{};
};

// The scene with everything scaled, so that the longer side of the picture has so many pixels.
Scene scaled_to(Scene scene, std::uint32_t side);

// An empty string, or what is wrong with the scene: segments outside of subpaths, a subpath that
// does not end, too few points or records, numbers that are not finite, a paint that does not
// exist. Brackets that do not match are no error. The builder above makes none of these.
std::string find_error(const Scene& scene);

// Brackets that do not match. Extra ends do nothing, and what stays open ends with the scene.
struct Unmatched {
  std::uint32_t extra_ends = 0, unclosed = 0;
};

}  // namespace scene2d
