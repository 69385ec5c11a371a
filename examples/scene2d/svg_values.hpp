// Values in SVG documents: numbers, colours, transforms and view boxes, read from text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scene.hpp"

namespace scene2d {

// This is thrown while an element is read that cannot be drawn. SvgResult::skipped counts them by
// name.
struct Skipped {
  std::string name;
};

// Returns the value; throws Skipped unless it is finite and of a size that floats can work with.
float checked(double value);
// Returns the nearest value that `checked` accepts.
float clamped(double value);

std::string_view trim(std::string_view text);
std::string lower_case(std::string_view text);
// Returns whether the text is the word, of lower case, in whatever case.
bool same_word(std::string_view text, std::string_view word);
// Takes all up to a space off the front, and spaces before it; nothing if there are only spaces.
std::string_view take_word(std::string_view& text);
// Takes all text before the separator off the front, and the separator.
std::string_view take_until(std::string_view& text, char separator);

// Takes a number off the front, and separators before it. One that no float can hold is huge, or 0.
std::optional<double> next_real(std::string_view& text);
// Throws Skipped if it is too large.
std::optional<float> next_number(std::string_view& text);
// These read the whole text, and return nothing if it is malformed.
std::optional<std::vector<float>> parse_numbers(std::string_view text);
std::optional<Affine> parse_transform(std::string_view text);
std::optional<Colour> parse_colour(std::string_view text);
std::optional<Colour> named_colour(std::string_view name);

// Takes `url(#id)` off the front, and returns the id, which is empty if the link leads to another
// document.
std::optional<std::string> take_url(std::string_view& text);

struct ViewBox {
  float x, y, width, height;
};
std::optional<ViewBox> parse_view_box(std::string_view text);
// The transform that puts the box into a viewport at the origin; aspect is preserveAspectRatio.
Affine fit(const ViewBox& box, std::string_view aspect, float width, float height);

}  // namespace scene2d
