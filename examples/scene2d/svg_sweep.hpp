// What several shapes cover together, found by a line that sweeps over them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "scene.hpp"
#include "svg_document.hpp"

namespace scene2d {

// The plane is cut into bands at the ends of lines and where lines cross. Within a band they have
// an order, in which winding numbers are known.
class Sweep {
 public:
  // Curves become lines that differ from them by at most the tolerance. The work is charged to the
  // document, which throws Skipped if it is too much.
  Sweep(Document& document, double tolerance) : document_(document), tolerance_(tolerance) {}

  void add(const Scene& shape, Rule rule);
  void run();

  // The least and the most winding number of any shape, 0 included, as long as the place where it
  // has that is wider than the tolerance. Those of Scene::rectangle are 0 and 1.
  int least() const { return least_; }
  int most() const { return most_; }
  // What all shapes cover, as trapezoids that do not overlap.
  const Scene& result() const { return result_; }

 private:
  struct Place {
    double x, y;
  };
  struct Line {
    Place from, to;  // to lies below
    int sense;       // what it adds to the winding numbers on its right
    std::size_t shape;

    double x(double y) const { return from.x + (to.x - from.x) * ((y - from.y) / (to.y - from.y)); }
  };
  // A trapezoid, which begins at `top` and goes on as long as its sides remain neighbours.
  struct Span {
    const Line *left, *right;
    double top;
  };

  void add_line(Place from, Place to);
  void add_curve(const Place (&p)[4]);
  // Returns where lines cross between top and bottom, and these two; ascending.
  std::vector<double> cuts(double top, double bottom);
  void add_band(double top, double bottom);
  bool is_covered(const std::vector<int>& windings) const;
  // Ends the spans that are not among the given ones, and begins those that are new.
  void go_on(std::vector<Span> spans, double y);
  void end(const Span& span, double bottom);

  Document& document_;
  double tolerance_;
  std::vector<Line> lines_;
  std::vector<Rule> rules_;  // of shapes
  std::vector<const Line*> active_;
  std::vector<Span> open_;
  Scene result_;
  int least_ = 0, most_ = 0;
};

}  // namespace scene2d
