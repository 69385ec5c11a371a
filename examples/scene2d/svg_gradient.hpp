// The gradients of SVG, as paints of a scene.
#pragma once

#include <cstdint>
#include <optional>

#include "scene.hpp"
#include "svg_document.hpp"
#include "svg_shapes.hpp"

namespace scene2d {

bool is_gradient(std::string_view element);

// Adds the paint for a shape with the style and the box, and returns its index. There is none if
// the gradient has no stops, or is relative to a box without area.
std::optional<std::uint32_t> add_gradient(Scene& scene, Document& document, pugi::xml_node node,
                                          const Style& style, const Box& box);

}  // namespace scene2d
