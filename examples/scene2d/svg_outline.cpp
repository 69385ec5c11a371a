// Gathers shapes of elements, and bounds the walk over them.
#include "svg_outline.hpp"

#include <algorithm>

#include "svg_shapes.hpp"
#include "svg_values.hpp"

namespace scene2d {

void Route::enter(pugi::xml_node node) {
  constexpr std::size_t kMostElements = 1 << 20;
  if (nodes_.size() >= kMostLevels) throw Skipped{"deep nesting"};
  if (entered_ >= kMostElements) throw Skipped{"size"};
  ++entered_;
  nodes_.push_back(node);
}

pugi::xml_node Route::target_of_use(const Document& document, pugi::xml_node use) const {
  const pugi::xml_node target = document.target(use);
  if (!target) throw Skipped{"use of nothing"};
  if (std::find(nodes_.begin(), nodes_.end(), target) != nodes_.end()) {
    throw Skipped{"use in itself"};
  }
  return target;
}

bool is_container(std::string_view element) {
  return element == "g" || element == "a" || element == "svg" || element == "symbol";
}

Affine translation(float x, float y) { return {1, 0, 0, 1, x, y}; }

Affine place_of(pugi::xml_node use, const Style& style) {
  return translation(length_of(use, "x", style, Axis::x), length_of(use, "y", style, Axis::y));
}

Affine transform_of(pugi::xml_node node) {
  const auto matrix = parse_transform(node.attribute("transform").value());
  if (!matrix) throw Skipped{"transform"};
  return *matrix;
}

void OutlineBuilder::add(pugi::xml_node node, const Style& parent, const Affine& matrix) {
  const std::size_t level = route_.level();
  try {
    route_.enter(node);
    const Style style = document_.style_of(node, parent);
    if (outline_.is_clip && !style.clip_path.empty()) ++document_.skipped["nested clip-path"];
    if (style.is_displayed && style.is_visible) {
      add_content(node, style, matrix * transform_of(node));
    }
  } catch (const Skipped& skipped) {
    ++document_.skipped[skipped.name];
  }
  route_.leave_to(level);
}

void OutlineBuilder::add_content(pugi::xml_node node, const Style& style, const Affine& matrix) {
  const std::string_view name = local_name(node);
  if (is_shape(name)) {
    Scene shape = shape_of(node, style, document_.skipped);
    transform_points(shape, matrix);
    if (outline_.shape.tags.size() + shape.tags.size() > kMostTags) throw Skipped{"size"};
    append(outline_.shape, shape);
    outline_.rule = style.clip_rule;
    ++outline_.elements;
  } else if (name == "use") {
    add(route_.target_of_use(document_, node), style, matrix * place_of(node, style));
  } else if (name == "g" || name == "a") {
    for (const pugi::xml_node child : node.children()) {
      if (child.type() == pugi::node_element) add(child, style, matrix);
    }
  } else {
    throw Skipped{std::string(name)};
  }
}

}  // namespace scene2d
