// This finds which part of each pixel edges cover, by exact areas, for the renderer on the CPU.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "outline_cpu.hpp"

namespace scene2d {

// Pixels x0 … x1 - 1 of the rows y0 … y1 - 1.
struct Box {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;

  bool empty() const { return x0 >= x1 || y0 >= y1; }
  std::size_t pixels() const {
    return empty() ? 0 : static_cast<std::size_t>(x1 - x0) * static_cast<std::size_t>(y1 - y0);
  }
};
Box box_of(std::span<const Edge> edges);
Box common(const Box& a, const Box& b);
Box around(const Box& a, const Box& b);  // The boxes may be empty.

// Pixels of a row that are covered alike.
struct Run {
  int y, x0, x1;
  float coverage;
};

class Coverage {
 public:
  Coverage(std::span<const Edge> edges, const Box& box);

  // Calls `use` with runs that are the whole box together, row by row.
  template <class Use>
  void for_each_run(Rule rule, const Use& use) const;

 private:
  // What edges do to a pixel and to those to the right of it.
  struct Cell {
    int y, x;
    double area;    // what they add to the winding integral of the pixel
    double height;  // and to those of all pixels to the right
  };

  void add_edge(const Edge& edge);
  void add_in_row(int y, double xa, double xb, double height);
  static float coverage_of(double winding, Rule rule);

  Box box_;
  std::vector<Cell> cells_;  // by rows and, inside of them, by columns
};

template <class Use>
void Coverage::for_each_run(Rule rule, const Use& use) const {
  auto cell = cells_.begin();
  for (int y = box_.y0; y < box_.y1; ++y) {
    int x = box_.x0;
    double winding = 0;
    while (cell != cells_.end() && cell->y == y) {
      const int column = cell->x;
      if (x < column) use(Run{y, x, column, coverage_of(winding, rule)});
      double area = 0, height = 0;
      for (; cell != cells_.end() && cell->y == y && cell->x == column; ++cell) {
        area += cell->area;
        height += cell->height;
      }
      use(Run{y, column, column + 1, coverage_of(winding + area, rule)});
      winding += height;
      x = column + 1;
    }
    if (x < box_.x1) use(Run{y, x, box_.x1, coverage_of(winding, rule)});
  }
}

}  // namespace scene2d
