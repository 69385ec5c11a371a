// Pictures of SVG documents that tests look at.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <utility>

#include "render_cpu.hpp"
#include "svg.hpp"

namespace scene2d {

using Counts = std::map<std::string, std::uint32_t>;

struct Drawing {
  Scene scene;
  Counts skipped;
  Picture picture;

  std::string at(std::uint32_t x, std::uint32_t y) const {
    const std::uint32_t p = picture.pixels[y * picture.width + x];
    char text[16];
    std::snprintf(text, sizeof text, "#%02x%02x%02x", p & 255, p >> 8 & 255, p >> 16 & 255);
    return text;
  }
  // How many pixels are black, in fractions of 255.
  double area() const {
    double sum = 0;
    for (const std::uint32_t pixel : picture.pixels) sum += 255 - (pixel & 255);
    return sum / 255;
  }
  // Brackets of transforms ( ), clips [ ] and layers { }, and D for each draw.
  std::string operations() const {
    std::string text;
    for (const Op& op : scene.ops) text += "()[]{}D"[static_cast<std::size_t>(op.tag()) - 8];
    return text;
  }
};

inline Drawing draw(const std::string& content,
                    const std::string& attributes = "viewBox='0 0 100 100'",
                    std::uint32_t width = 100, std::uint32_t height = 100) {
  SvgResult result =
      read_svg("<svg xmlns='http://www.w3.org/2000/svg' " + attributes + ">" + content + "</svg>",
               width, height);
  REQUIRE(find_error(result.scene) == "");
  Picture picture = render_cpu(result.scene);
  return {std::move(result.scene), std::move(result.skipped), std::move(picture)};
}

}  // namespace scene2d
