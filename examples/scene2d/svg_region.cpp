// Unites and intersects regions. Where all outlines wind in one sense, winding numbers never cancel
// out, and the sum of the outlines is the union.
#include "svg_region.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "svg_shapes.hpp"
#include "svg_sweep.hpp"

namespace scene2d {
namespace {

// The sign of the area between the ends of segments is the sense of an outline that has but one.
bool is_negative(const Scene& shape) {
  double area = 0;
  const Point* next = shape.points.data();
  Point first{}, pen{};
  for (const Tag tag : shape.tags) {
    Point to = first;
    if (tag <= Tag::cubic) {
      next += tag == Tag::cubic ? 3 : tag == Tag::quad ? 2 : 1;
      to = next[-1];
    }
    if (tag == Tag::move) {
      first = to;
    } else {
      area += static_cast<double>(pen.x) * to.y - static_cast<double>(to.x) * pen.y;
    }
    pen = to;
  }
  return area < 0;
}

// The same outline in the other direction.
Scene reversed(const Scene& shape) {
  Scene result = shape;
  std::reverse(result.points.begin(), result.points.end());
  // Subpaths come in the opposite order, as their points do. Each begins with a move, and its last
  // tag says how it ends.
  result.tags.clear();
  for (auto end = shape.tags.rbegin(); end != shape.tags.rend();) {
    const auto move = std::find(end, shape.tags.rend(), Tag::move);
    result.tags.push_back(Tag::move);
    result.tags.insert(result.tags.end(), end + 1, move);
    result.tags.push_back(*end);
    end = move + 1;
  }
  return result;
}

double tolerance_for(const Box& box) {
  return 1e-5 * std::max(box.right - box.left, box.bottom - box.top);
}

// Returns the region with an outline that has the sense of Scene::rectangle everywhere.
Region with_positive_sense(Region region, Document& document) {
  if (region.has_one_sense) {
    if (is_negative(region.shape)) region.shape = reversed(region.shape);
    return region;
  }
  Sweep sweep(document, tolerance_for(bounds_of(region.shape)));
  sweep.add(region.shape, region.rule);
  sweep.run();
  const int limit = region.rule == Rule::nonzero ? std::numeric_limits<int>::max() : 1;
  const bool is_positive = sweep.least() == 0 && sweep.most() <= limit;
  const bool is_reversed = sweep.most() == 0 && sweep.least() >= -limit;
  if (!is_positive) region.shape = is_reversed ? reversed(region.shape) : sweep.result();
  return region;
}

}  // namespace

Region united(std::vector<Region> regions, Document& document) {
  std::erase_if(regions, [](const Region& region) { return region.shape.tags.empty(); });
  if (regions.size() == 1) return std::move(regions[0]);
  Region result;
  result.has_one_sense = true;
  for (Region& region : regions) {
    append(result.shape, with_positive_sense(std::move(region), document).shape);
  }
  return result;
}

Region intersection(const Region& one, const Region& other, Document& document) {
  Box box = bounds_of(one.shape);
  box.unite(bounds_of(other.shape));
  Sweep sweep(document, tolerance_for(box));
  sweep.add(one.shape, one.rule);
  sweep.add(other.shape, other.rule);
  sweep.run();
  return {sweep.result(), Rule::nonzero, true};
}

}  // namespace scene2d
