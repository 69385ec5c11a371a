// Areas as shapes, and their unions and intersections.
#pragma once

#include <vector>

#include "scene.hpp"
#include "svg_document.hpp"

namespace scene2d {

// What a shape covers by a rule.
struct Region {
  Scene shape;
  Rule rule = Rule::nonzero;
  // The outline winds around all that is covered once or more, and in the same sense. False means
  // that it is not known.
  bool has_one_sense = false;
};

// The curves of regions remain, unless an outline crosses itself, or runs around some places in one
// sense and around others in the other; then they become lines that differ by at most 1/100000 of
// the size. What this costs is charged to the document, which may throw Skipped.
Region united(std::vector<Region> regions, Document& document);
// All curves become lines.
Region intersection(const Region& one, const Region& other, Document& document);

}  // namespace scene2d
