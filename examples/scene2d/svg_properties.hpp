// The properties that this reader knows, and what their values mean.
#pragma once

#include <optional>
#include <string_view>

#include "svg_style.hpp"

namespace scene2d {

// Returns the name as a view that stays valid, or an empty one if the property is unknown.
std::string_view property_called(std::string_view name);

// Sets a property that is known. Returns false if the value is malformed, and so has no effect.
// A number that is too large is clamped: what is drawn does not depend on a property being sane.
bool set_property(Style& style, const Style& parent, std::string_view name, std::string_view value);

// What a percentage is of.
enum class Axis { x, y, both };
std::optional<double> parse_pixels(std::string_view text, const Inherited& style, Axis axis);

}  // namespace scene2d
