// Makes edges of shapes: flattens curves, and surrounds strokes by polygons.
#include "outline_cpu.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <numbers>

namespace scene2d {

namespace {

// Counts are computed in float, as on the GPU: both renderers must arrive at the same ones. Places
// are computed in double, because there a small difference is a small one in the picture, too.
constexpr float kTolerance = 1.0f / 20;
constexpr float kMostPieces = 1024;
constexpr float kSlack = 1.0f / 1024;  // of numbers of steps
constexpr float kPi = std::numbers::pi_v<float>;
constexpr double kFarthest = 131072;
constexpr double kParallel = 1e-6;  // the sine of an angle that needs no join

struct Vec {
  double x, y;
};

Vec vec(Point p) { return {p.x, p.y}; }
Vec operator+(Vec p, Vec q) { return {p.x + q.x, p.y + q.y}; }
Vec operator-(Vec p, Vec q) { return {p.x - q.x, p.y - q.y}; }
Vec operator-(Vec p) { return {-p.x, -p.y}; }
Vec operator*(double s, Vec p) { return {s * p.x, s * p.y}; }
bool operator==(Vec p, Vec q) { return p.x == q.x && p.y == q.y; }
double dot(Vec p, Vec q) { return p.x * q.x + p.y * q.y; }
double cross(Vec p, Vec q) { return p.x * q.y - p.y * q.x; }

struct Corner {
  Vec at;
  int segment;  // of the piece that ends here
};

// A chain of pieces: neighbouring corners differ, since pieces without a length are left out.
struct Subpath {
  std::vector<Corner> corners;
  bool closed = false;

  void add(Vec at, int segment) {
    if (corners.empty() || !(corners.back().at == at)) corners.push_back({at, segment});
  }
};

int whole_count(float count) {  // also if it is infinite or not a number
  return static_cast<int>(std::fmin(std::fmax(std::ceil(count), 1.0f), kMostPieces));
}

// |p - 2 q + r| in pixels
float bend(const Affine& m, Point p, Point q, Point r) {
  const float x = p.x - 2 * q.x + r.x, y = p.y - 2 * q.y + r.y;
  const float across = m.a * x + m.c * y, down = m.b * x + m.d * y;
  return std::sqrt(across * across + down * down);
}

// The sum of the angles between the legs of a control polygon.
float turn_of(std::span<const Point> control) {
  float sum = 0;
  Point last{0, 0};
  for (std::size_t i = 1; i < control.size(); ++i) {
    const Point leg{control[i].x - control[i - 1].x, control[i].y - control[i - 1].y};
    if (leg.x == 0 && leg.y == 0) continue;
    const float s = last.x * leg.y - last.y * leg.x, co = last.x * leg.x + last.y * leg.y;
    if (last.x != 0 || last.y != 0) sum += std::atan2(std::fabs(s), co);
    last = leg;
  }
  return sum;
}

Vec point_on(std::span<const Point> control, double t) {
  std::array<Vec, 4> p{};
  for (std::size_t i = 0; i < control.size(); ++i) p[i] = vec(control[i]);
  for (std::size_t left = control.size() - 1; left > 0; --left)
    for (std::size_t i = 0; i < left; ++i) p[i] = (1 - t) * p[i] + t * p[i + 1];
  return p[0];
}

class Flattener {
 public:
  // `step` is that of round joins, or infinite for a fill.
  Flattener(const Affine& matrix, float step) : matrix_(matrix), step_(step) {}

  std::vector<Subpath> flatten(const Shape& shape) const {
    std::vector<Subpath> subpaths;
    std::size_t next = 0;
    for (std::size_t i = 0; i < shape.tags.size(); ++i) {
      const Tag tag = shape.tags[i];
      if (tag == Tag::move) subpaths.emplace_back();
      Subpath& subpath = subpaths.back();
      const int segment = static_cast<int>(i);
      switch (tag) {
        case Tag::move:
        case Tag::line:
          subpath.add(vec(shape.points[next]), segment);
          break;
        case Tag::quad:
          add_curve(shape.points.subspan(next - 1, 3), segment, subpath);
          break;
        case Tag::cubic:
          add_curve(shape.points.subspan(next - 1, 4), segment, subpath);
          break;
        case Tag::close:
          subpath.closed = true;
          subpath.add(subpath.corners[0].at, segment);
          break;
        default:
          break;
      }
      next += points_of(tag);
    }
    return subpaths;
  }

 private:
  int pieces_of(std::span<const Point> p) const {
    int pieces = 1;
    if (p.size() == 3) {
      pieces = whole_count(std::sqrt(bend(matrix_, p[0], p[1], p[2]) / (4 * kTolerance)));
    } else {
      const float most =
          std::fmax(bend(matrix_, p[0], p[1], p[2]), bend(matrix_, p[1], p[2], p[3]));
      pieces = whole_count(std::sqrt(3 * most / (4 * kTolerance)));
    }
    return std::isinf(step_) ? pieces : std::max(pieces, whole_count(turn_of(p) / step_ - kSlack));
  }

  void add_curve(std::span<const Point> control, int segment, Subpath& subpath) const {
    const int pieces = pieces_of(control);
    for (int k = 1; k < pieces; ++k)
      subpath.add(point_on(control, static_cast<double>(k) / pieces), segment);
    subpath.add(vec(control.back()), segment);
  }

  const Affine& matrix_;
  float step_;
};

// Transforms closed polygons, and makes edges of them.
class Polygons {
 public:
  Polygons(const Affine& matrix, std::vector<Edge>& edges) : matrix_(matrix), edges_(edges) {}

  // `corner(i)` is a Vec.
  template <class CornerAt>
  void add(std::size_t corners, const CornerAt& corner) const {
    Rounded last = rounded(corner(corners - 1));
    for (std::size_t i = 0; i < corners; ++i) {
      const Rounded here = rounded(corner(i));
      if (last.y != here.y) edges_.push_back({last.x, last.y, here.x, here.y});
      last = here;
    }
  }
  void add(std::initializer_list<Vec> corners) const {
    add(corners.size(), [&](std::size_t i) { return corners.begin()[i]; });
  }

 private:
  struct Rounded {
    std::int32_t x, y;
  };

  static std::int32_t round_one(double x) {
    const double clamped = std::fmin(std::fmax(x, -kFarthest), kFarthest);  // never NaN
    return static_cast<std::int32_t>(std::floor(clamped * kUnitsPerPixel + 0.5));
  }
  Rounded rounded(Vec p) const {
    const Affine& m = matrix_;
    return {round_one(m.a * p.x + m.c * p.y + m.e), round_one(m.b * p.x + m.d * p.y + m.f)};
  }

  const Affine& matrix_;
  std::vector<Edge>& edges_;
};

class Stroker {
 public:
  Stroker(const Op& op, const Affine& m, std::vector<Edge>& edges)
      : op_(op), polygons_(m, edges), h_(op.values[1] / 2) {
    const float scale = std::sqrt(std::fmax(m.a * m.a + m.b * m.b, m.c * m.c + m.d * m.d));
    const float radius = op.values[1] / 2 * scale;
    step_ = std::fmin(kPi / 2, std::sqrt(8 * kTolerance / radius));
  }

  float step() const { return step_; }

  void stroke(const Subpath& subpath) const {
    const std::vector<Piece> pieces = pieces_of(subpath);
    if (pieces.empty()) return;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const Piece &piece = pieces[i], &next = pieces[(i + 1) % pieces.size()];
      const bool first = i == 0, last = i + 1 == pieces.size();
      add_body(piece, !subpath.closed && first, !subpath.closed && last);
      if (!last) {
        add_join(piece, next, piece.segment == next.segment ? Join::round : op_.join());
      } else if (subpath.closed) {
        add_join(piece, next, op_.join());
      }
    }
    if (subpath.closed || op_.cap() != Cap::round) return;
    add_arc(pieces.front().p, -pieces.front().n, kPi, false);
    add_arc(pieces.back().q, pieces.back().n, kPi, false);
  }

 private:
  struct Piece {
    Vec p, q, t, n;  // from, to, direction, normal
    int segment;
  };

  std::vector<Piece> pieces_of(const Subpath& subpath) const {
    std::vector<Piece> pieces;
    for (std::size_t i = 1; i < subpath.corners.size(); ++i) {
      const Vec p = subpath.corners[i - 1].at, q = subpath.corners[i].at;
      const Vec t = 1 / std::hypot(q.x - p.x, q.y - p.y) * (q - p);
      pieces.push_back({p, q, t, h_ * Vec{-t.y, t.x}, subpath.corners[i].segment});
    }
    return pieces;
  }

  void add_body(const Piece& piece, bool begins, bool ends) const {
    const bool square = op_.cap() == Cap::square;
    const Vec p = square && begins ? piece.p - h_ * piece.t : piece.p;
    const Vec q = square && ends ? piece.q + h_ * piece.t : piece.q;
    polygons_.add({p + piece.n, q + piece.n, q - piece.n, p - piece.n});
  }

  void add_join(const Piece& piece, const Piece& next, Join join) const {
    const double s = cross(piece.t, next.t), co = dot(piece.t, next.t);
    if (std::fabs(s) < kParallel && co > 0) return;
    const Vec c = piece.q, u = s < 0 ? piece.n : -next.n, v = s < 0 ? next.n : -piece.n;
    const double limit = op_.values[2];
    if (join == Join::round) {
      add_arc(c, u, std::atan2(std::fabs(s), co), true);
    } else if (join == Join::miter && 2 <= limit * limit * (1 + co)) {
      polygons_.add({c, c + u, c + 1 / (1 + co) * (u + v), c + v});
    } else {
      polygons_.add({c, c + u, c + v});
    }
  }

  // The points around `c` from c + u on, on the side where all polygons have the same orientation,
  // and, if they make a sector, c itself.
  void add_arc(Vec c, Vec u, double angle, bool sector) const {
    const int steps = whole_count(static_cast<float>(angle) / step_ - kSlack);
    const std::size_t before = sector ? 1 : 0;
    polygons_.add(static_cast<std::size_t>(steps) + 1 + before, [&](std::size_t i) {
      if (i < before) return c;
      const double a = angle * static_cast<double>(i - before) / steps;
      return c + std::cos(a) * u + std::sin(a) * Vec{u.y, -u.x};
    });
  }

  const Op& op_;
  Polygons polygons_;
  double h_;
  float step_;
};

}  // namespace

void append_outline(const Shape& shape, const Op& op, const Affine& matrix,
                    std::vector<Edge>& edges) {
  if (op.is_stroke()) {
    const Stroker stroker(op, matrix, edges);
    for (const Subpath& subpath : Flattener(matrix, stroker.step()).flatten(shape))
      stroker.stroke(subpath);
    return;
  }
  const Polygons polygons(matrix, edges);
  const Flattener flattener(matrix, std::numeric_limits<float>::infinity());
  for (const Subpath& subpath : flattener.flatten(shape))
    polygons.add(subpath.corners.size(), [&](std::size_t i) { return subpath.corners[i].at; });
}

}  // namespace scene2d
