// Pictures as PNG files.
#pragma once

#include <string>

#include "picture.hpp"

namespace scene2d {

// Both throw std::runtime_error if they fail.
void write_png(const std::string& path, const Picture& picture);
Picture read_png(const std::string& path);

}  // namespace scene2d
