// A picture in memory, and how two pictures differ.
#pragma once

#include <cstdint>
#include <vector>

namespace scene2d {

struct Picture {
  std::uint32_t width = 0, height = 0;
  std::vector<std::uint32_t> pixels;  // r | g << 8 | b << 16 | a << 24, a = 255; row by row
};

struct Difference {
  std::uint64_t pixels_above_1 = 0;  // pixels with a channel that differs by more than 1
  std::uint32_t largest = 0;         // difference of a channel, 0 … 255
  double mean = 0;                   // difference of the channels r, g and b
};
// Throws std::invalid_argument if the sizes are not equal.
Difference compare(const Picture& a, const Picture& b);

}  // namespace scene2d
