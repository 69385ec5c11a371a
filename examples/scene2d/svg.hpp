// Reads SVG documents: the part of the format that icons and simple drawings are made of.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "scene.hpp"

namespace scene2d {

struct SvgResult {
  Scene scene;
  // What was left out or drawn in a simpler way, and how often: names of elements and properties,
  // and "number", "path data" and the like for mistakes.
  std::map<std::string, std::uint32_t> skipped;
};

// The picture has the given size. Throws std::runtime_error if the text is no SVG document at all.
SvgResult read_svg(const std::string& text, std::uint32_t width, std::uint32_t height);

}  // namespace scene2d
