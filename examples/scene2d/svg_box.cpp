// Walks over an element to find its box.
#include "svg_box.hpp"

#include <utility>

#include "svg_values.hpp"

namespace scene2d {
namespace {

class BoxWalk {
 public:
  BoxWalk(Document& document, Route& route) : document_(document), route_(route) {}

  // Adds what the element consists of, without its own transform.
  void add_content(const Element& element, const Affine& matrix) {
    const auto& [node, style, user] = element;
    const std::string_view name = local_name(node);
    if (is_shape(name)) {
      Scene shape = shape_of(node, style, document_.skipped);
      transform_points(shape, matrix);
      box.unite(bounds_of(shape));
    } else if (name == "use") {
      add(route_.target_of_use(document_, node), style, matrix * place_of(node, style), node);
    } else if (has_viewport(name)) {
      const std::optional<Viewport> viewport = viewport_of(element);
      if (viewport) add_children(node, viewport->inside, matrix * viewport->matrix);
    } else if (is_container(name)) {
      add_children(node, style, matrix);
    }
  }

  Box box;

 private:
  // What cannot be drawn is not counted here, since it is when it is drawn.
  void add(pugi::xml_node node, const Style& parent, const Affine& matrix, pugi::xml_node user) {
    const std::size_t level = route_.level();
    try {
      route_.enter(node);
      const Element element{node, document_.style_of(node, parent), user};
      if (element.style.is_displayed) add_content(element, matrix * transform_of(node));
    } catch (const Skipped&) {
    }
    route_.leave_to(level);
  }

  void add_children(pugi::xml_node node, const Style& style, const Affine& matrix) {
    for (const pugi::xml_node child : children_of(document_, node)) add(child, style, matrix, {});
  }

  Document& document_;
  Route& route_;
};

}  // namespace

Box box_of(Document& document, Route& route, const Element& element) {
  Counts counts;
  std::swap(document.skipped, counts);
  BoxWalk walk(document, route);
  try {
    walk.add_content(element, {});
  } catch (const Skipped&) {
    // The element will not be drawn either.
  }
  std::swap(document.skipped, counts);
  return walk.box;
}

}  // namespace scene2d
