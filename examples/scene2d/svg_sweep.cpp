// Sweeps over the lines of shapes from the top to the bottom.
#include "svg_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "svg_values.hpp"
#include "svg_walk.hpp"

namespace scene2d {
namespace {

// Costs, in the unit of Document::charge.
constexpr std::size_t kCostOfLine = 4;  // when it is added, and in each band
constexpr std::size_t kCostOfCrossing = 16;

}  // namespace

void Sweep::add(const Scene& shape, Rule rule) {
  rules_.push_back(rule);
  const auto place = [](Point p) { return Place{p.x, p.y}; };
  const auto third = [](Place p, Place control) {
    return Place{p.x + (control.x - p.x) * 2 / 3, p.y + (control.y - p.y) * 2 / 3};
  };
  const Point* next = shape.points.data();
  Place first{}, pen{};
  for (const Tag tag : shape.tags) {
    Place to = first;
    if (tag == Tag::move || tag == Tag::line) {
      to = place(*next++);
    } else if (tag == Tag::quad) {
      const Place control = place(next[0]);
      to = place(next[1]);
      add_curve({pen, third(pen, control), third(to, control), to});
      next += 2;
    } else if (tag == Tag::cubic) {
      to = place(next[2]);
      add_curve({pen, place(next[0]), place(next[1]), to});
      next += 3;
    }
    if (tag == Tag::move) {
      first = to;
    } else if (tag != Tag::quad && tag != Tag::cubic) {
      add_line(pen, to);
    }
    pen = to;
  }
}

void Sweep::add_line(Place from, Place to) {
  constexpr std::size_t kMostLines = 1 << 20;
  document_.charge(kCostOfLine);
  if (lines_.size() >= kMostLines) throw Skipped{"size"};
  const std::size_t shape = rules_.size() - 1;
  if (from.y < to.y) lines_.push_back({from, to, -1, shape});
  if (from.y > to.y) lines_.push_back({to, from, 1, shape});
}

void Sweep::add_curve(const Place (&p)[4]) {
  constexpr double kMostPieces = 1024;
  const auto bend = [&](int i) {
    return std::hypot(p[i].x - 2 * p[i + 1].x + p[i + 2].x, p[i].y - 2 * p[i + 1].y + p[i + 2].y);
  };
  const double pieces = std::ceil(std::sqrt(0.75 * std::max(bend(0), bend(1)) / tolerance_));
  const double count = std::fmin(std::fmax(pieces, 1.0), kMostPieces);
  Place pen = p[0];
  for (double k = 1; k < count; ++k) {
    const double t = k / count, s = 1 - t;
    const double w[4] = {s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t};
    const auto at = [&](double Place::*m) {
      return w[0] * p[0].*m + w[1] * p[1].*m + w[2] * p[2].*m + w[3] * p[3].*m;
    };
    const Place to{at(&Place::x), at(&Place::y)};
    add_line(pen, to);
    pen = to;
  }
  add_line(pen, p[3]);
}

void Sweep::run() {
  std::sort(lines_.begin(), lines_.end(),
            [](const Line& a, const Line& b) { return a.from.y < b.from.y; });
  std::vector<double> ends;
  for (const Line& line : lines_) ends.insert(ends.end(), {line.from.y, line.to.y});
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  std::size_t next = 0;
  for (std::size_t i = 1; i < ends.size(); ++i) {
    const double top = ends[i - 1], bottom = ends[i];
    std::erase_if(active_, [top](const Line* line) { return line->to.y <= top; });
    while (next < lines_.size() && lines_[next].from.y <= top) active_.push_back(&lines_[next++]);
    const std::vector<double> ys = cuts(top, bottom);
    for (std::size_t k = 1; k < ys.size(); ++k) {
      if (ys[k] > ys[k - 1]) add_band(ys[k - 1], ys[k]);
    }
  }
  if (!ends.empty()) go_on({}, ends.back());
}

std::vector<double> Sweep::cuts(double top, double bottom) {
  struct Crossed {
    double top, bottom;  // x
    bool operator<(const Crossed& other) const {
      return std::pair(top, bottom) < std::pair(other.top, other.bottom);
    }
  };
  std::vector<Crossed> order;
  for (const Line* line : active_) order.push_back({line->x(top), line->x(bottom)});
  std::sort(order.begin(), order.end());
  // To sort them by their lower ends, all pairs that cross are exchanged, and no other ones.
  std::vector<double> ys = {top, bottom};
  for (std::size_t i = 1; i < order.size(); ++i) {
    for (std::size_t k = i; k > 0 && order[k].bottom < order[k - 1].bottom; --k) {
      const double before = order[k].top - order[k - 1].top;
      const double behind = order[k - 1].bottom - order[k].bottom;
      document_.charge(kCostOfCrossing);
      ys.push_back(std::clamp(top + (bottom - top) * (before / (before + behind)), top, bottom));
      std::swap(order[k], order[k - 1]);
    }
  }
  std::sort(ys.begin(), ys.end());
  return ys;
}

void Sweep::add_band(double top, double bottom) {
  document_.charge(kCostOfLine * (active_.size() + 1));
  const double middle = (top + bottom) / 2;
  std::vector<std::pair<double, const Line*>> order;
  for (const Line* line : active_) order.emplace_back(line->x(middle), line);
  std::sort(order.begin(), order.end());
  std::vector<int> windings(rules_.size());
  std::vector<Span> spans;
  const Line* left = nullptr;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto& [x, line] = order[i];
    windings[line->shape] += line->sense;
    if (i + 1 < order.size() && order[i + 1].first - x > tolerance_) {
      const auto [least, most] = std::minmax_element(windings.begin(), windings.end());
      least_ = std::min(least_, *least);
      most_ = std::max(most_, *most);
    }
    const bool covers = is_covered(windings);
    if (covers && !left) left = line;
    if (!covers && left) spans.push_back({std::exchange(left, nullptr), line, top});
  }
  go_on(std::move(spans), top);
}

bool Sweep::is_covered(const std::vector<int>& windings) const {
  for (std::size_t i = 0; i < windings.size(); ++i) {
    if (rules_[i] == Rule::nonzero ? windings[i] == 0 : windings[i] % 2 == 0) return false;
  }
  return true;
}

void Sweep::go_on(std::vector<Span> spans, double y) {
  const auto less = [](const Span& a, const Span& b) {
    return std::pair(a.left, a.right) < std::pair(b.left, b.right);
  };
  std::sort(spans.begin(), spans.end(), less);
  for (const Span& span : open_) {
    const auto same = std::lower_bound(spans.begin(), spans.end(), span, less);
    if (same != spans.end() && !less(span, *same)) {
      same->top = span.top;
    } else {
      end(span, y);
    }
  }
  open_ = std::move(spans);
}

void Sweep::end(const Span& span, double bottom) {
  if (result_.tags.size() > kMostTags) throw Skipped{"size"};
  const auto at = [](const Line* line, double y) {
    return Point{static_cast<float>(line->x(y)), static_cast<float>(y)};
  };
  result_.polygon({at(span.left, span.top), at(span.right, span.top), at(span.right, bottom),
                   at(span.left, bottom)});
}

}  // namespace scene2d
