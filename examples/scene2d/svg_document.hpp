// An SVG document: its elements, their ids, and its style sheets.
#pragma once

#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <unordered_map>

#include "svg_properties.hpp"
#include "svg_style.hpp"

namespace scene2d {

// Elements that lie deeper than this are not read, so that no document exhausts the stack.
constexpr std::size_t kMostLevels = 200;

class Document {
 public:
  // Throws std::runtime_error if the text is not XML or has no <svg>.
  explicit Document(const std::string& text);
  Document(const Document&) = delete;  // there are views of the texts
  Document& operator=(const Document&) = delete;

  pugi::xml_node root() const { return root_; }
  // Returns an empty node if no element has the id.
  pugi::xml_node find(std::string_view id) const;
  // Follows href, or xlink:href, to an element of this document.
  pugi::xml_node target(pugi::xml_node node) const;

  Style style_of(pugi::xml_node node, const Style& parent) {
    return style_of(node, parent, skipped);
  }
  // The style that the element has where it is defined, whatever uses it. Percentages are those of
  // the user.
  Style style_at(pugi::xml_node node, const Style& user);

  // Adds to the work that the document has made, which is about a byte of text that is read. Throws
  // Skipped if it is too much: elements are read as often as they are used.
  void charge(std::size_t work);
  void charge_for_text(pugi::xml_node node);

  Counts skipped;

 private:
  struct Walk;
  Style style_of(pugi::xml_node node, const Style& parent, Counts& counts);

  pugi::xml_document xml_;
  pugi::xml_node root_;
  std::unordered_map<std::string_view, pugi::xml_node> ids_;
  std::string css_;
  StyleSheet sheet_;
  std::size_t work_ = 0;
};

// Return the length, or the other one if the text is empty or "auto", or there is no attribute.
// They throw Skipped if the text is no length.
float length_of(const char* text, const char* otherwise, const Style& style, Axis axis);
inline float length_of(pugi::xml_node node, const char* name, const Style& style, Axis axis,
                       const char* otherwise = "0") {
  return length_of(node.attribute(name).value(), otherwise, style, axis);
}

}  // namespace scene2d
