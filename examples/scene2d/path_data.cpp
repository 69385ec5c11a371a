// Reads path data with the grammar of SVG 1.1, which that of SVG 2 is a part of:
// https://www.w3.org/TR/SVG11/paths.html#PathDataBNF
#include "path_data.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <system_error>

namespace scene2d {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool finite(Point p) { return std::isfinite(p.x) && std::isfinite(p.y); }

class PathReader {
 public:
  PathReader(Scene& scene, std::string_view data) : scene_(scene), rest_(data) {}

  bool read() {
    take_blanks(rest_);
    if (!rest_.empty() && rest_[0] != 'M' && rest_[0] != 'm') return false;
    while (!rest_.empty()) {
      if (!command()) return false;
    }
    return true;
  }

 private:
  // A letter, and its arguments as often as they follow.
  bool command() {
    char letter = rest_[0];
    const bool relative = letter >= 'a';
    if (relative) letter = static_cast<char>(letter - 'a' + 'A');
    rest_.remove_prefix(1);
    take_blanks(rest_);
    if (letter == 'Z') {
      close();
      return true;
    }
    do {
      if (!arguments(letter) || !segment(letter, relative ? pen_ : Point{0, 0})) return false;
      previous_ = letter;
      if (letter == 'M') letter = 'L';  // what follows the first point are lines
    } while (others_follow());
    return true;
  }

  static int count_of_arguments(char letter) {
    switch (letter) {
      case 'M':
      case 'L':
      case 'T':
        return 2;
      case 'H':
      case 'V':
        return 1;
      case 'S':
      case 'Q':
        return 4;
      case 'C':
        return 6;
      case 'A':
        return 7;
      default:
        return 0;
    }
  }

  bool arguments(char letter) {
    const int count = count_of_arguments(letter);
    for (int i = 0; i < count; ++i) {
      if (i > 0) comma();
      const bool is_flag = letter == 'A' && (i == 3 || i == 4);
      if (!(is_flag ? take_flag(values_[i]) : take_number(rest_, values_[i]))) return false;
    }
    return count > 0;
  }

  // Flags are single digits, so that nothing need separate them from what follows.
  bool take_flag(float& flag) {
    if (rest_.empty() || (rest_[0] != '0' && rest_[0] != '1')) return false;
    flag = static_cast<float>(rest_[0] - '0');
    rest_.remove_prefix(1);
    return true;
  }

  bool comma() {
    take_blanks(rest_);
    if (rest_.empty() || rest_[0] != ',') return false;
    rest_.remove_prefix(1);
    take_blanks(rest_);
    return true;
  }

  // After a comma there must be more arguments, or else they are found to be missing.
  bool others_follow() {
    if (comma()) return true;
    if (rest_.empty()) return false;
    const char c = rest_[0];
    return is_digit(c) || c == '.' || c == '-' || c == '+';
  }

  bool segment(char letter, Point base) {
    const float(&v)[7] = values_;
    const auto at = [&v, base](int i) { return Point{base.x + v[i], base.y + v[i + 1]}; };
    switch (letter) {
      case 'M':
        return move(at(0));
      case 'L':
        return line(at(0));
      case 'H':
        return line({base.x + v[0], pen_.y});
      case 'V':
        return line({pen_.x, base.y + v[0]});
      case 'C':
        return cubic(at(0), at(2), at(4));
      case 'S':
        return cubic(mirrored('C', 'S'), at(0), at(2));
      case 'Q':
        return quad(at(0), at(2));
      case 'T':
        return quad(mirrored('Q', 'T'), at(0));
      default:
        return arc(std::abs(v[0]), std::abs(v[1]), v[2], v[3] != 0, v[4] != 0, at(5));
    }
  }

  // The control point that continues a curve smoothly, if one of these came before.
  Point mirrored(char either, char other) const {
    if (previous_ != either && previous_ != other) return pen_;
    return {2 * pen_.x - control_.x, 2 * pen_.y - control_.y};
  }

  // Sums may be too large for a float; that is a mistake, too.
  bool move(Point to) {
    if (!finite(to)) return false;
    scene_.move(to);
    pen_ = first_ = to;
    return true;
  }

  bool line(Point to) {
    if (!finite(to)) return false;
    scene_.line(to);
    pen_ = to;
    return true;
  }

  bool quad(Point control, Point to) {
    if (!finite(control) || !finite(to)) return false;
    scene_.quad(control, to);
    control_ = control;
    pen_ = to;
    return true;
  }

  bool cubic(Point control0, Point control1, Point to) {
    if (!finite(control0) || !finite(control1) || !finite(to)) return false;
    scene_.cubic(control0, control1, to);
    control_ = control1;
    pen_ = to;
    return true;
  }

  void close() {
    scene_.close();
    pen_ = first_;
    previous_ = 'Z';
  }

  bool arc(double rx, double ry, double degrees, bool large, bool sweep, Point to);

  Scene& scene_;
  std::string_view rest_;
  float values_[7] = {};
  Point pen_{}, first_{};
  Point control_{};  // the last one of the previous segment
  char previous_ = 0;
};

// The conversion of https://www.w3.org/TR/SVG11/implnote.html#ArcImplementationNotes, without the
// centre: where the ellipse is a unit circle, the chord between the angles a and b has the length
// 2 sin((b - a) / 2), and is perpendicular to the radius at (a + b) / 2. So huge radii lose no
// digits.
bool PathReader::arc(double rx, double ry, double degrees, bool large, bool sweep, Point to) {
  using std::numbers::pi;
  if (!finite(to)) return false;
  const Point from = pen_;
  const double dx = double{to.x} - from.x, dy = double{to.y} - from.y;
  if (dx == 0 && dy == 0) return true;
  if (rx == 0 || ry == 0) return line(to);

  const double cosine = std::cos(degrees * pi / 180), sine = std::sin(degrees * pi / 180);
  const double u = (cosine * dx + sine * dy) / rx, v = (cosine * dy - sine * dx) / ry;
  const double half_chord = std::hypot(u, v) / 2;
  rx *= std::max(1.0, half_chord);  // radii that are too small grow
  ry *= std::max(1.0, half_chord);
  double turn = 2 * std::asin(std::min(1.0, half_chord));
  if (large) turn = 2 * pi - turn;
  if (!sweep) turn = -turn;
  const double middle = std::atan2(v, u) - std::copysign(pi / 2, turn);
  const double start = middle - turn / 2;

  const auto mapped = [&](double x, double y) {  // from the unit circle; without the translation
    return Point{static_cast<float>(cosine * rx * x - sine * ry * y),
                 static_cast<float>(sine * rx * x + cosine * ry * y)};
  };
  const auto chord_to = [&](double angle) {
    const double length = 2 * std::sin((angle - start) / 2), radius = (angle + start) / 2;
    return mapped(-length * std::sin(radius), length * std::cos(radius));
  };
  const int pieces = std::max(1, static_cast<int>(std::ceil(std::abs(turn) / (pi / 2) - 1e-6)));
  const double handle = std::tan(turn / pieces / 4) * 4 / 3;
  const auto handle_at = [&](double angle) {
    return mapped(-handle * std::sin(angle), handle * std::cos(angle));
  };
  for (int i = 0; i < pieces; ++i) {
    const double angle = start + turn * i / pieces, next = start + turn * (i + 1) / pieces;
    const Point chord = chord_to(next), handle0 = handle_at(angle), handle1 = handle_at(next);
    const Point end = i + 1 == pieces ? to : Point{from.x + chord.x, from.y + chord.y};
    const Point control0{pen_.x + handle0.x, pen_.y + handle0.y};
    const Point control1{end.x - handle1.x, end.y - handle1.y};
    if (!cubic(control0, control1, end)) return false;
  }
  return true;
}

}  // namespace

bool add_path_data(Scene& scene, std::string_view data) {
  const bool good = PathReader(scene, data).read();
  scene.end();
  return good;
}

bool take_number(std::string_view& text, float& number) {
  const auto is = [&text](std::size_t i, char c) { return i < text.size() && text[i] == c; };
  const auto digits = [&text](std::size_t i) {
    while (i < text.size() && is_digit(text[i])) ++i;
    return i;
  };
  const std::size_t sign = is(0, '-') || is(0, '+');
  std::size_t end = digits(sign), mantissa = end - sign;
  if (is(end, '.')) {
    const std::size_t fraction = end + 1;
    end = digits(fraction);
    mantissa += end - fraction;
  }
  if (mantissa == 0) return false;
  if (is(end, 'e') || is(end, 'E')) {
    const std::size_t exponent = end + 1 + (is(end + 1, '-') || is(end + 1, '+'));
    if (digits(exponent) > exponent) end = digits(exponent);  // "1em" is a 1 and a unit
  }
  double value = 0;
  const char* const begin = text.data() + is(0, '+');  // from_chars takes no plus
  const auto [stop, error] = std::from_chars(begin, text.data() + end, value);
  if (error != std::errc() || std::abs(value) > std::numeric_limits<float>::max()) return false;
  number = static_cast<float>(value);
  text.remove_prefix(end);
  return true;
}

void take_blanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n\f"), text.size()));
}

}  // namespace scene2d
