// Adds up the signed areas of edges, pixel by pixel.
#include "coverage_cpu.hpp"

#include <tuple>

namespace scene2d {

Box box_of(std::span<const Edge> edges) {
  if (edges.empty()) return {};
  std::int32_t x0 = edges[0].x0, x1 = x0, y0 = edges[0].y0, y1 = y0;
  for (const Edge& edge : edges) {
    x0 = std::min({x0, edge.x0, edge.x1});
    x1 = std::max({x1, edge.x0, edge.x1});
    y0 = std::min({y0, edge.y0, edge.y1});
    y1 = std::max({y1, edge.y0, edge.y1});
  }
  const auto down = [](std::int32_t x) {
    return static_cast<int>(std::floor(static_cast<double>(x) / kUnitsPerPixel));
  };
  const auto up = [&](std::int32_t x) { return -down(-x); };
  return {down(x0), down(y0), up(x1), up(y1)};
}

Box common(const Box& a, const Box& b) {
  return {std::max(a.x0, b.x0), std::max(a.y0, b.y0), std::min(a.x1, b.x1), std::min(a.y1, b.y1)};
}

Box around(const Box& a, const Box& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  return {std::min(a.x0, b.x0), std::min(a.y0, b.y0), std::max(a.x1, b.x1), std::max(a.y1, b.y1)};
}

Coverage::Coverage(std::span<const Edge> edges, const Box& box) : box_(box) {
  for (const Edge& edge : edges) add_edge(edge);
  std::sort(cells_.begin(), cells_.end(),
            [](const Cell& a, const Cell& b) { return std::tie(a.y, a.x) < std::tie(b.y, b.x); });
}

void Coverage::add_edge(const Edge& edge) {
  const double x0 = static_cast<double>(edge.x0) / kUnitsPerPixel;
  const double y0 = static_cast<double>(edge.y0) / kUnitsPerPixel;
  const double x1 = static_cast<double>(edge.x1) / kUnitsPerPixel;
  const double y1 = static_cast<double>(edge.y1) / kUnitsPerPixel;
  const double top = std::min(y0, y1), bottom = std::max(y0, y1);
  const double sign = y0 < y1 ? 1 : -1, slope = (x1 - x0) / (y1 - y0);
  const int first = std::max(box_.y0, static_cast<int>(std::floor(top)));
  const int last = std::min(box_.y1, static_cast<int>(std::ceil(bottom)));
  for (int y = first; y < last; ++y) {
    const double from = std::max<double>(top, y), to = std::min<double>(bottom, y + 1);
    add_in_row(y, x0 + (from - y0) * slope, x0 + (to - y0) * slope, sign * (to - from));
  }
}

// The part of an edge that is inside a row; `height` has the sign of its direction.
void Coverage::add_in_row(int y, double xa, double xb, double height) {
  const double left = std::min(xa, xb), right = std::max(xa, xb);
  if (left >= box_.x1) return;
  const double height_per_x = right > left ? height / (right - left) : 0;
  int x = static_cast<int>(std::floor(left));
  if (x < box_.x0) {  // All of the box lies to the right of this part.
    const double part = right <= box_.x0 ? height : height_per_x * (box_.x0 - left);
    cells_.push_back({y, box_.x0, part, part});
    if (right <= box_.x0) return;
    x = box_.x0;
  }
  do {
    const double from = std::max<double>(left, x), to = std::min<double>(right, x + 1);
    const double part = from == left && to == right ? height : height_per_x * (to - from);
    cells_.push_back({y, x, part * (x + 1 - (from + to) / 2), part});
    ++x;
  } while (x < box_.x1 && x < right);
}

// Sums of doubles are not exact. What should be nothing or all is made so: then pixels that a shape
// does not touch stay as they are, and there are fewer of them to write.
float Coverage::coverage_of(double winding, Rule rule) {
  constexpr double kRounding = 1e-9;
  const double coverage = rule == Rule::nonzero ? std::min(1.0, std::fabs(winding))
                                                : std::fabs(winding - 2 * std::round(winding / 2));
  if (coverage < kRounding) return 0;
  return coverage > 1 - kRounding ? 1 : static_cast<float>(coverage);
}

}  // namespace scene2d
