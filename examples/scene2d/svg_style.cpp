// Reads style sheets, and computes the style of elements.
#include "svg_style.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "svg_values.hpp"

namespace scene2d {
namespace {

std::optional<Colour> parse_color(std::string_view text, const Inherited&) {
  return parse_colour(text);
}

std::optional<PaintValue> parse_paint(std::string_view text, const Inherited&) {
  PaintValue paint;
  paint.link = take_url(text);
  text = trim(text);
  if (text == "none" || (text.empty() && paint.link)) return paint;
  if (text == "currentColor" || text == "currentcolor") {
    paint.kind = PaintValue::Kind::current;
    return paint;
  }
  const std::optional<Colour> colour = parse_colour(text);
  if (!colour) return {};
  paint.kind = PaintValue::Kind::colour;
  paint.colour = *colour;
  return paint;
}

std::optional<float> parse_opacity(std::string_view text, const Inherited&) {
  std::optional<float> number = next_number(text);
  if (!number) return {};
  if (trim(text) == "%") *number /= 100;
  return std::clamp(*number, 0.f, 1.f);
}

std::optional<float> parse_size(std::string_view text, const Inherited& style) {
  const std::optional<float> length = parse_length(text, style, Axis::both);
  return length && *length >= 0 ? length : std::nullopt;
}

// Only em needs it, so it does not matter if a word like "small" is unknown.
std::optional<float> parse_font_size(std::string_view text, const Inherited& style) {
  return parse_size(text, style).value_or(style.font_size);
}

std::optional<float> parse_miter_limit(std::string_view text, const Inherited&) {
  const std::optional<float> limit = next_number(text);
  return limit && *limit >= 1 ? limit : std::nullopt;
}

std::optional<Rule> parse_rule(std::string_view text, const Inherited&) {
  if (text == "nonzero") return Rule::nonzero;
  if (text == "evenodd") return Rule::even_odd;
  return {};
}

std::optional<Cap> parse_cap(std::string_view text, const Inherited&) {
  if (text == "butt") return Cap::butt;
  if (text == "round") return Cap::round;
  if (text == "square") return Cap::square;
  return {};
}

std::optional<Join> parse_join(std::string_view text, const Inherited&) {
  if (text == "miter") return Join::miter;
  if (text == "round") return Join::round;
  if (text == "bevel") return Join::bevel;
  return {};
}

std::optional<std::string> parse_link(std::string_view text, const Inherited&) {
  return text == "none" ? "" : take_url(text);
}

std::optional<bool> parse_display(std::string_view text, const Inherited&) {
  return text != "none";
}

std::optional<bool> parse_visibility(std::string_view text, const Inherited&) {
  return text == "visible";
}

std::optional<bool> parse_overflow(std::string_view text, const Inherited&) {
  return text == "hidden" || text == "scroll";
}

// All that matters of a property that is not supported is whether it would do something.
std::optional<bool> has_effect(std::string_view text, const Inherited&) {
  return text != "none" && text != "normal";
}

// Values that are malformed have no effect.
template <auto member, auto parse>
bool set(Style& style, const Style& parent, std::string_view text) {
  if (text == "inherit") {
    style.*member = parent.*member;
    return true;
  }
  auto value = parse(text, style);
  if (value) style.*member = std::move(*value);
  return value.has_value();
}

using Setter = bool (*)(Style& style, const Style& parent, std::string_view text);
const std::map<std::string_view, Setter> kProperties = {
    {"clip-path", set<&Style::clip_path, parse_link>},
    {"clip-rule", set<&Style::clip_rule, parse_rule>},
    {"color", set<&Style::color, parse_color>},
    {"display", set<&Style::is_displayed, parse_display>},
    {"fill", set<&Style::fill, parse_paint>},
    {"fill-opacity", set<&Style::fill_opacity, parse_opacity>},
    {"fill-rule", set<&Style::fill_rule, parse_rule>},
    {"filter", set<&Style::is_filtered, has_effect>},
    {"font-size", set<&Style::font_size, parse_font_size>},
    {"marker", set<&Style::has_markers, has_effect>},
    {"marker-end", set<&Style::has_markers, has_effect>},
    {"marker-mid", set<&Style::has_markers, has_effect>},
    {"marker-start", set<&Style::has_markers, has_effect>},
    {"mask", set<&Style::is_masked, has_effect>},
    {"mix-blend-mode", set<&Style::is_blended, has_effect>},
    {"opacity", set<&Style::opacity, parse_opacity>},
    {"overflow", set<&Style::hides_overflow, parse_overflow>},
    {"paint-order", set<&Style::has_paint_order, has_effect>},
    {"stop-color", set<&Style::stop_color, parse_paint>},
    {"stop-opacity", set<&Style::stop_opacity, parse_opacity>},
    {"stroke", set<&Style::stroke, parse_paint>},
    {"stroke-dasharray", set<&Style::is_dashed, has_effect>},
    {"stroke-linecap", set<&Style::cap, parse_cap>},
    {"stroke-linejoin", set<&Style::join, parse_join>},
    {"stroke-miterlimit", set<&Style::miter_limit, parse_miter_limit>},
    {"stroke-opacity", set<&Style::stroke_opacity, parse_opacity>},
    {"stroke-width", set<&Style::stroke_width, parse_size>},
    {"vector-effect", set<&Style::has_vector_effect, has_effect>},
    {"visibility", set<&Style::is_visible, parse_visibility>},
};

// Adds the properties that are known; a declaration ends with a semicolon.
void parse_declarations(std::string_view text, std::vector<Declaration>& declarations) {
  while (!text.empty()) {
    std::string_view value = take_until(text, ';');
    const std::string_view name = trim(take_until(value, ':'));
    const bool is_important = value.find("!important") != std::string_view::npos;
    value = trim(value.substr(0, value.find('!')));
    if (kProperties.contains(name)) declarations.push_back({name, value, is_important});
  }
}

bool is_simple(std::string_view selector) {
  const std::size_t begin = selector.starts_with('.') || selector.starts_with('#');
  return selector == "*" || (selector.size() > begin &&
                             selector.find_first_of(" \t\n\r.#:[>+~*", begin) == selector.npos);
}

// Takes a block in braces off the front, with those inside it, and returns what is in it.
std::string_view take_block(std::string_view& text) {
  std::size_t end = 0;
  for (int depth = 1; end < text.size(); ++end) {
    depth += (text[end] == '{') - (text[end] == '}');
    if (depth == 0) break;
  }
  const std::string_view block = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return block;
}

}  // namespace

std::string_view local_name(pugi::xml_node node) {
  const std::string_view name = node.name();
  return name.starts_with("svg:") ? name.substr(4) : name;
}

std::optional<float> parse_length(std::string_view text, const Inherited& style, Axis axis) {
  const std::optional<float> number = next_number(text);
  if (!number) return {};
  const double w = style.width, h = style.height;
  const double whole = axis == Axis::x ? w : axis == Axis::y ? h : std::sqrt((w * w + h * h) / 2);
  const std::pair<std::string_view, double> units[] = {
      {"", 1},
      {"px", 1},
      {"%", whole / 100},
      {"pt", 4 / 3.0},
      {"pc", 16},
      {"in", 96},
      {"cm", 96 / 2.54},
      {"mm", 96 / 25.4},
      {"em", style.font_size},
      {"ex", style.font_size / 2},
  };
  for (const auto& [unit, pixels] : units) {
    if (trim(text) == unit) return checked(*number * pixels);
  }
  return {};
}

void StyleSheet::add(std::string_view text, Counts& skipped) {
  while (!(text = trim(text)).empty()) {
    const bool is_at_rule = text.starts_with('@');
    const bool has_block = !is_at_rule || text.find('{') < text.find(';');
    const std::string_view front = trim(take_until(text, has_block ? '{' : ';'));
    const std::string_view body = has_block ? take_block(text) : "";
    if (is_at_rule) {
      ++skipped[std::string(front.substr(0, front.find_first_of(" \t\n\r\f\"'(")))];
    } else {
      add_rule(front, body, skipped);
    }
  }
}

void StyleSheet::add_rule(std::string_view selectors, std::string_view body, Counts& skipped) {
  std::vector<Declaration> declarations;
  parse_declarations(body, declarations);
  if (declarations.empty()) return;
  while (!selectors.empty()) {
    const std::string_view selector = trim(take_until(selectors, ','));
    if (!is_simple(selector)) {
      ++skipped["selector"];
      continue;
    }
    rules_[std::string(selector)].push_back(bodies_.size());
  }
  bodies_.push_back(std::move(declarations));
}

// Returns what applies to the element, from the weakest to the strongest; importance is left out.
std::vector<Declaration> StyleSheet::declarations_for(pugi::xml_node node) const {
  std::vector<Declaration> declarations;
  for (const pugi::xml_attribute attribute : node.attributes()) {
    if (!kProperties.contains(attribute.name())) continue;
    declarations.push_back({attribute.name(), trim(attribute.value())});
  }
  std::vector<std::size_t> matches;
  const auto match = [&](std::string_view prefix, std::string_view name) {
    const auto found = rules_.find(std::string(prefix) + std::string(name));
    if (found == rules_.end()) return;
    matches.insert(matches.end(), found->second.begin(), found->second.end());
  };
  const auto take_matches = [&] {
    std::sort(matches.begin(), matches.end());
    for (const std::size_t i : matches) {
      declarations.insert(declarations.end(), bodies_[i].begin(), bodies_[i].end());
    }
    matches.clear();
  };
  match("", "*");
  take_matches();
  match("", local_name(node));
  take_matches();
  for (std::string_view classes = trim(node.attribute("class").value()); !classes.empty();) {
    match(".", take_until(classes, ' '));
  }
  take_matches();
  match("#", node.attribute("id").value());
  take_matches();
  parse_declarations(node.attribute("style").value(), declarations);
  return declarations;
}

Style StyleSheet::style_of(pugi::xml_node node, const Style& parent, Counts& skipped) const {
  std::vector<Declaration> declarations = declarations_for(node);
  // The size of the font comes first, since lengths may be in em.
  const auto rank = [](const Declaration& d) {
    return 2 * (d.name != "font-size") + d.is_important;
  };
  std::stable_sort(declarations.begin(), declarations.end(),
                   [&](const auto& d, const auto& e) { return rank(d) < rank(e); });
  Style style = Style::child_of(parent);
  for (const Declaration& d : declarations) {
    if (!kProperties.at(d.name)(style, parent, d.value)) ++skipped[std::string(d.name)];
  }
  return style;
}

}  // namespace scene2d
