// Reads scenes that are written as text.
#include "scene_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <map>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "path_data.hpp"

namespace scene2d {
namespace {

constexpr float kLargestNumber = 1e9f;  // so that sums of a few are finite
constexpr float kLargestSide = 16384;   // of the picture

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f'; }

// Colours also begin with #, but are not followed by a blank.
std::string_view without_comment(std::string_view line) {
  bool first = true;  // nothing but blanks so far
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '#') {
      const bool alone =
          i > 0 && is_blank(line[i - 1]) && (i + 1 == line.size() || is_blank(line[i + 1]));
      if (first || alone) return line.substr(0, i);
    }
    first &= is_blank(line[i]);
  }
  return line;
}

class Reader {
 public:
  Scene read(std::string_view text) {
    while (!text.empty()) {
      ++line_;
      const std::size_t end = std::min(text.find('\n'), text.size());
      rest_ = without_comment(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
      take_blanks(rest_);
      if (!rest_.empty()) operation();
      if (!rest_.empty()) fail("nothing may follow before " + quoted(word("")));
    }
    return std::move(scene_);
  }

 private:
  void operation() {
    const std::string_view name = word("an operation");
    if (name == "size") {
      size();
    } else if (name == "linear") {
      gradient(PaintKind::linear);
    } else if (name == "radial") {
      gradient(PaintKind::radial);
    } else if (name == "push") {
      const auto [a, b, c, d, e, f] = numbers<6>("a number of the matrix");
      scene_.push_transform({a, b, c, d, e, f});
    } else if (name == "pop") {
      scene_.pop_transform();
    } else if (name == "clip") {
      const Rule rule = take_rule();
      shape();
      scene_.begin_clip(rule);
    } else if (name == "unclip") {
      scene_.end_clip();
    } else if (name == "layer") {
      scene_.begin_layer(fraction("the opacity"));
    } else if (name == "unlayer") {
      scene_.end_layer();
    } else if (name == "fill") {
      fill();
    } else if (name == "stroke") {
      stroke();
    } else {
      fail("there is no operation " + quoted(name));
    }
  }

  void size() {
    for (std::uint32_t* side : {&scene_.width, &scene_.height}) {
      const float pixels = number("a side of the picture");
      if (!(pixels >= 1 && pixels <= kLargestSide && pixels == std::floor(pixels))) {
        fail("a side of the picture must be a whole number from 1 to 16384");
      }
      *side = static_cast<std::uint32_t>(pixels);
    }
    if (rest_.empty()) return;
    scene_.background = colour(word("a colour"));
    if (scene_.background.a != 1) fail("the background must be opaque");
  }

  void gradient(PaintKind kind) {
    const std::string_view name = word("the name of the gradient");
    if (name[0] == '#') fail("the name of a gradient must not begin with #");
    if (paints_.contains(name)) fail("there is already a gradient " + quoted(name));
    Paint paint;
    paint.kind = kind;
    paint.x0 = number("x0 or cx");
    paint.y0 = number("y0 or cy");
    if (kind == PaintKind::radial) paint.radius = length("the radius");
    paint.x1 = number("x1 or fx");
    paint.y1 = number("y1 or fy");
    if (take("reflect")) {
      paint.spread = Spread::reflect;
    } else if (take("repeat")) {
      paint.spread = Spread::repeat;
    } else {
      take("pad");
    }
    std::vector<Stop> stops;
    do {
      const float at = fraction("a stop of the gradient");
      if (!stops.empty() && at < stops.back().at) fail("the stops must be in ascending order");
      stops.push_back({at, colour(word("the colour of the stop"))});
    } while (!rest_.empty());
    paints_.emplace(name, scene_.gradient(paint, stops));
  }

  void fill() {
    const std::uint32_t index = paint();
    const Rule rule = take_rule();
    const float opacity = take("opacity") ? fraction("the opacity") : 1;
    shape();
    scene_.fill(index, rule, opacity);
  }

  void stroke() {
    const std::uint32_t index = paint();
    Scene::Stroke stroke{.width = length("the width")};
    float opacity = 1;
    while (true) {
      if (take("cap")) {
        stroke.cap = static_cast<Cap>(choice("a cap", {"butt", "round", "square"}));
      } else if (take("join")) {
        stroke.join = static_cast<Join>(choice("a join", {"miter", "round", "bevel"}));
      } else if (take("miter")) {
        stroke.miter_limit = length("the limit of miters");
      } else if (take("opacity")) {
        opacity = fraction("the opacity");
      } else {
        break;
      }
    }
    shape();
    scene_.stroke(index, stroke, opacity);
  }

  void shape() {
    const std::string_view name = word("a shape");
    if (name == "rect") {
      const auto [x, y, w, h] = numbers<4>("a number of the rectangle");
      not_negative({w, h}, "a side of the rectangle");
      scene_.rectangle(x, y, w, h);
    } else if (name == "round") {
      const auto [x, y, w, h, rx, ry] = numbers<6>("a number of the rounded rectangle");
      not_negative({w, h, rx, ry}, "a side or radius of the rounded rectangle");
      scene_.rounded_rectangle(x, y, w, h, rx, ry);
    } else if (name == "ellipse") {
      const auto [cx, cy, rx, ry] = numbers<4>("a number of the ellipse");
      not_negative({rx, ry}, "a radius of the ellipse");
      scene_.ellipse(cx, cy, rx, ry);
    } else if (name == "polygon") {
      std::vector<Point> corners;
      do {
        const auto [x, y] = numbers<2>("a coordinate of the polygon");
        corners.push_back({x, y});
      } while (!rest_.empty());
      scene_.polygon(corners);
    } else if (name == "path") {
      if (!add_path_data(scene_, rest_)) fail("there is a mistake in the path data");
      rest_ = {};
    } else {
      fail("there is no shape " + quoted(name));
    }
  }

  // The index of a paint. Each colour becomes one paint, however often it is used.
  std::uint32_t paint() {
    const std::string_view name = word("a paint");
    const auto known = paints_.find(name);
    if (known != paints_.end()) return known->second;
    if (name[0] != '#') fail("there is no gradient " + quoted(name));
    const std::uint32_t index = scene_.solid(colour(name));
    paints_.emplace(name, index);
    return index;
  }

  Colour colour(std::string_view text) const {
    std::uint32_t value = 0;
    const char* const end = text.data() + text.size();
    const bool has_alpha = text.size() == 9;
    if (text[0] != '#' || (text.size() != 7 && !has_alpha)) fail(quoted(text) + " is no colour");
    const auto [stop, error] = std::from_chars(text.data() + 1, end, value, 16);
    if (error != std::errc() || stop != end) fail(quoted(text) + " is no colour");
    if (!has_alpha) value = value << 8 | 255;
    const auto channel = [value](int shift) {
      return static_cast<float>(value >> shift & 255) / 255;
    };
    return {channel(24), channel(16), channel(8), channel(0)};
  }

  Rule take_rule() { return take("evenodd") ? Rule::even_odd : Rule::nonzero; }

  std::uint32_t choice(const char* what, std::initializer_list<std::string_view> names) {
    const std::string_view name = word(what);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) fail(quoted(name) + " is not " + what);
    return static_cast<std::uint32_t>(found - names.begin());
  }

  float number(const char* what) {
    const std::string_view text = word(what);
    std::string_view rest = text;
    float value = 0;
    if (!take_number(rest, value) || !rest.empty()) {
      fail(std::string(what) + " is missing, and " + quoted(text) + " is no number");
    }
    if (std::abs(value) > kLargestNumber) fail(quoted(text) + " is too large");
    return value;
  }

  template <std::size_t N>
  std::array<float, N> numbers(const char* what) {
    std::array<float, N> values;
    for (float& value : values) value = number(what);
    return values;
  }

  float length(const char* what) {
    const float value = number(what);
    not_negative({value}, what);
    return value;
  }

  float fraction(const char* what) {
    const float value = number(what);
    if (!(value >= 0 && value <= 1)) fail(std::string(what) + " must be from 0 to 1");
    return value;
  }

  void not_negative(std::initializer_list<float> values, const char* what) const {
    if (std::min(values) < 0) fail(std::string(what) + " must not be negative");
  }

  // The next word of the line.
  std::string_view word(const char* what) {
    if (rest_.empty()) fail(std::string(what) + " is missing");
    const auto end = std::find_if(rest_.begin(), rest_.end(), is_blank);
    const std::string_view taken = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
    rest_.remove_prefix(taken.size());
    take_blanks(rest_);
    return taken;
  }

  // Takes the next word if it is the expected one.
  bool take(std::string_view expected) {
    const std::string_view line = rest_;
    if (!line.empty() && word("") == expected) return true;
    rest_ = line;
    return false;
  }

  static std::string quoted(std::string_view text) { return '"' + std::string(text) + '"'; }

  [[noreturn]] void fail(const std::string& sentence) const {
    throw std::runtime_error("line " + std::to_string(line_) + ": " + sentence);
  }

  Scene scene_;
  std::map<std::string_view, std::uint32_t> paints_;  // by name or colour
  std::string_view rest_;                             // of the line; it begins with a word
  std::size_t line_ = 0;
};

}  // namespace

Scene read_scene_text(std::string_view text) { return Reader().read(text); }

}  // namespace scene2d
