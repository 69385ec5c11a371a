// What all walks over the elements of a document have in common: where they are, how far they may
// go, which elements they visit, and how these place what is in them.
#pragma once

#include <cstddef>
#include <optional>
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

// An element where it is drawn.
struct Element {
  pugi::xml_node node;
  Style style;
  pugi::xml_node user;  // the <use> that it is drawn for, or nothing
};

// Elements that draw nothing where they stand; programs add others with prefixes of their own.
bool is_silent(std::string_view element);
bool is_container(std::string_view element);

// Returns the children that are elements to draw: all, or that which a <switch> chooses.
std::vector<pugi::xml_node> children_of(Document& document, pugi::xml_node node);

Affine translation(float x, float y);
// Returns the place of <use>.
Affine place_of(pugi::xml_node use, const Style& style);
Affine transform_of(pugi::xml_node node);

// Where <svg> or <symbol> puts what is in it.
struct Viewport {
  float x, y, width, height;  // of the parent's coordinates
  Affine matrix;              // from what is inside to the parent
  Style inside;
};
bool has_viewport(std::string_view element);
// Returns nothing if the viewport has no area. That of the root is the picture, which is the
// viewport of the root's style.
std::optional<Viewport> viewport_of(const Element& e);

}  // namespace scene2d
