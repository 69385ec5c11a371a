// Compares pictures.
#include "picture.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace scene2d {

Difference compare(const Picture& a, const Picture& b) {
  if (a.width != b.width || a.height != b.height || a.pixels.size() != b.pixels.size())
    throw std::invalid_argument("The pictures differ in size.");
  Difference result;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i) {
    std::uint32_t largest = 0;
    for (int shift = 0; shift < 32; shift += 8) {
      const int x = static_cast<int>(a.pixels[i] >> shift & 255);
      const int y = static_cast<int>(b.pixels[i] >> shift & 255);
      const auto difference = static_cast<std::uint32_t>(std::abs(x - y));
      largest = std::max(largest, difference);
      if (shift < 24) sum += difference;
    }
    result.largest = std::max(result.largest, largest);
    if (largest > 1) ++result.pixels_above_1;
  }
  if (!a.pixels.empty())
    result.mean = static_cast<double>(sum) / (3 * static_cast<double>(a.pixels.size()));
  return result;
}

}  // namespace scene2d
