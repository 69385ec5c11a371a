// What CSS says about an element: its properties, and where they come from.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "scene.hpp"

namespace scene2d {

// The name of an element. Documents have removed the prefix of SVG's own elements.
inline std::string_view local_name(pugi::xml_node node) { return node.name(); }

using Counts = std::map<std::string, std::uint32_t>;  // SvgResult::skipped

// The value of fill, stroke and the like.
struct PaintValue {
  enum class Kind { none, colour, current } kind = Kind::none;
  Colour colour;                    // of Kind::colour
  std::optional<std::string> link;  // the id of a gradient; what is above is for want of it
};

// Children begin with the values of their parents.
struct Inherited {
  Colour color{0, 0, 0, 1};  // what currentColor is
  PaintValue fill{.kind = PaintValue::Kind::colour, .colour = {0, 0, 0, 1}, .link = {}};
  PaintValue stroke;
  float fill_opacity = 1, stroke_opacity = 1;
  Rule fill_rule = Rule::nonzero, clip_rule = Rule::nonzero;
  float stroke_width = 1, miter_limit = 4;
  Cap cap = Cap::butt;
  Join join = Join::miter;
  bool is_visible = true;
  bool is_stroke_first = false;  // before the fill
  // Not supported.
  bool is_dashed = false;
  bool has_start_marker = false, has_mid_marker = false, has_end_marker = false;
  float font_size = 16;             // for the unit em
  float width = 100, height = 100;  // of the viewport, for percentages
};

struct Style : Inherited {
  static Style child_of(const Inherited& parent) {
    Style style;
    static_cast<Inherited&>(style) = parent;
    return style;
  }

  bool is_displayed = true, hides_overflow = true;
  float opacity = 1;
  std::string clip_path;  // an id
  PaintValue stop_color{.kind = PaintValue::Kind::colour, .colour = {0, 0, 0, 1}, .link = {}};
  float stop_opacity = 1;
  // Not supported.
  bool is_filtered = false, is_masked = false, is_blended = false, has_vector_effect = false;

  Colour resolve(const PaintValue& value) const {
    return value.kind == PaintValue::Kind::current ? color : value.colour;
  }
};

struct Declaration {
  std::string_view name, value;
  bool is_important = false;
};

// The rules of <style>, those with simple selectors.
class StyleSheet {
 public:
  // The sheet refers to the text, which must outlive it. Other rules are counted.
  void add(std::string_view text, Counts& skipped);
  // Returns what applies to the element, from the weakest to the strongest; importance is left out.
  std::vector<Declaration> declarations_for(pugi::xml_node node) const;
  // Properties with unknown values are counted, and have no effect.
  static Style style_of(std::vector<Declaration> declarations, const Style& parent,
                        Counts& skipped);

 private:
  void add_rule(std::string_view selectors, std::string_view body, Counts& skipped);

  std::vector<std::vector<Declaration>> bodies_;  // in the order of the sheet
  // By selector: "path", ".class", "#id" or "*".
  std::map<std::string, std::vector<std::size_t>, std::less<>> rules_;
};

}  // namespace scene2d
