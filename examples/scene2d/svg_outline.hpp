// Shapes of several elements as one: what clips consist of, and what the box of a group is around.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "scene.hpp"
#include "svg_document.hpp"

namespace scene2d {

constexpr std::size_t kMostTags = 1 << 24;  // of a scene

// The elements from the root to the one that is being read, through <use>. Throws Skipped where it
// would become too long: a short document can stand for a huge scene, or for an endless one.
class Route {
 public:
  std::size_t level() const { return nodes_.size(); }
  void enter(pugi::xml_node node);
  void leave_to(std::size_t level) { nodes_.resize(level); }
  // The element that <use> stands for.
  pugi::xml_node target_of_use(const Document& document, pugi::xml_node use) const;

 private:
  std::vector<pugi::xml_node> nodes_;
  std::size_t entered_ = 0;
};

bool is_container(std::string_view element);
Affine translation(float x, float y);
// Returns the place of <use>.
Affine place_of(pugi::xml_node use, const Style& style);
Affine transform_of(pugi::xml_node node);

struct Outline {
  Scene shape;
  Rule rule = Rule::nonzero;  // that of the last element, so of the only one
  std::size_t elements = 0;
  bool is_clip = false;  // then its elements cannot be clipped themselves, which is counted
};

// Adds shapes to an outline.
class OutlineBuilder {
 public:
  OutlineBuilder(Document& document, Route& route, Outline& outline)
      : document_(document), route_(route), outline_(outline) {}

  // Adds an element as its parent sees it, or leaves it out and counts it.
  void add(pugi::xml_node node, const Style& parent, const Affine& matrix);
  // Adds what the element consists of, without its own transform.
  void add_content(pugi::xml_node node, const Style& style, const Affine& matrix);

 private:
  Document& document_;
  Route& route_;
  Outline& outline_;
};

}  // namespace scene2d
