// Path data of SVG, the d of <path>: "M10 10h80v80z".
#pragma once

#include <string_view>

#include "scene.hpp"

namespace scene2d {

// Adds the subpaths of the data to the shape that is being built, and ends the last one. Arcs
// become cubics. On a mistake it returns false, and keeps the segments that came before it.
bool add_path_data(Scene& scene, std::string_view data);

// Takes a number off the front of the text, as SVG writes them: 7, -.5, +1e3. Returns false and
// takes nothing if there is none or a float cannot hold it.
bool take_number(std::string_view& text, float& number);

// Takes spaces, tabs and ends of lines off the front of the text.
void take_blanks(std::string_view& text);

}  // namespace scene2d
