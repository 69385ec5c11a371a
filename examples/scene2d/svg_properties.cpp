// Reads the values of properties.
#include "svg_properties.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "svg_values.hpp"

namespace scene2d {
namespace {

// A word of CSS, and what it means.
template <class T>
using Words = std::initializer_list<std::pair<std::string_view, T>>;

template <class T>
std::optional<T> find_word(std::string_view text, const Words<T>& words) {
  for (const auto& [word, meaning] : words) {
    if (same_word(text, word)) return meaning;
  }
  return {};
}

std::optional<Colour> parse_color(std::string_view text, const Inherited&) {
  return parse_colour(text);
}

std::optional<PaintValue> parse_paint(std::string_view text, const Inherited&) {
  PaintValue paint;
  paint.link = take_url(text);
  text = trim(text);
  if (same_word(text, "none") || (text.empty() && paint.link)) return paint;
  if (same_word(text, "currentcolor")) {
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
  const std::optional<double> number = next_real(text);
  const std::string_view unit = trim(text);
  if (!number || !(unit.empty() || unit == "%")) return {};
  return clamped(std::clamp(unit.empty() ? *number : *number / 100, 0.0, 1.0));
}

std::optional<float> parse_size(std::string_view text, const Inherited& style) {
  const std::optional<double> length = parse_pixels(text, style, Axis::both);
  if (!length || *length < 0) return {};
  return clamped(*length);
}

// Percentages are of the parent's size, as em is.
std::optional<float> parse_font_size(std::string_view text, const Inherited& parent) {
  const float size = parent.font_size;
  const auto word = find_word<float>(text, {{"xx-small", 9.f},
                                            {"x-small", 10.f},
                                            {"small", 13.f},
                                            {"medium", 16.f},
                                            {"large", 18.f},
                                            {"x-large", 24.f},
                                            {"xx-large", 32.f},
                                            {"smaller", size / 1.2f},
                                            {"larger", clamped(size * 1.2)}});
  if (word) return word;
  Inherited units = parent;
  units.width = units.height = size;
  return parse_size(text, units);
}

std::optional<float> parse_miter_limit(std::string_view text, const Inherited&) {
  const std::optional<double> limit = next_real(text);
  if (!limit || *limit < 1 || !trim(text).empty()) return {};
  return clamped(*limit);
}

std::optional<Rule> parse_rule(std::string_view text, const Inherited&) {
  return find_word<Rule>(text, {{"nonzero", Rule::nonzero}, {"evenodd", Rule::even_odd}});
}

std::optional<Cap> parse_cap(std::string_view text, const Inherited&) {
  return find_word<Cap>(text,
                        {{"butt", Cap::butt}, {"round", Cap::round}, {"square", Cap::square}});
}

std::optional<Join> parse_join(std::string_view text, const Inherited&) {
  return find_word<Join>(text,
                         {{"miter", Join::miter}, {"round", Join::round}, {"bevel", Join::bevel}});
}

std::optional<std::string> parse_link(std::string_view text, const Inherited&) {
  return same_word(text, "none") ? "" : take_url(text);
}

std::optional<bool> parse_display(std::string_view text, const Inherited&) {
  return !same_word(text, "none");
}

std::optional<bool> parse_visibility(std::string_view text, const Inherited&) {
  return find_word<bool>(text, {{"visible", true}, {"hidden", false}, {"collapse", false}});
}

std::optional<bool> parse_overflow(std::string_view text, const Inherited&) {
  return find_word<bool>(
      text,
      {{"visible", false}, {"auto", false}, {"hidden", true}, {"scroll", true}, {"clip", true}});
}

// Returns whether strokes come before fills; of what is not named, fills come first.
std::optional<bool> parse_paint_order(std::string_view text, const Inherited&) {
  if (same_word(text, "normal")) return false;
  std::optional<bool> is_stroke_first;
  for (std::string_view word = take_word(text); !word.empty(); word = take_word(text)) {
    const auto is_stroke = find_word<bool>(word, {{"stroke", true}, {"fill", false}});
    if (!is_stroke && !same_word(word, "markers")) return {};
    if (!is_stroke_first) is_stroke_first = is_stroke;
  }
  return is_stroke_first.value_or(false);
}

// Dashes that all have no length are none.
std::optional<bool> parse_dashes(std::string_view text, const Inherited&) {
  return text.find_first_of("123456789") != text.npos;
}

// All that matters of a property that is not supported is whether it would do something.
std::optional<bool> has_effect(std::string_view text, const Inherited&) {
  return !same_word(text, "none") && !same_word(text, "normal");
}

template <auto member, auto parse>
bool set(Style& style, const Style& parent, std::string_view text) {
  if (same_word(text, "inherit")) {
    style.*member = parent.*member;
  } else if (same_word(text, "initial")) {
    style.*member = Style().*member;
  } else if (same_word(text, "unset") || same_word(text, "revert")) {
    style.*member = Style::child_of(parent).*member;
  } else {
    auto value = parse(text, style);
    if (!value) return false;
    style.*member = std::move(*value);
  }
  return true;
}

// A weaker declaration of the same element does not matter to a relative size.
bool set_font_size(Style& style, const Style& parent, std::string_view text) {
  Style result = Style::child_of(parent);
  const bool is_good = set<&Style::font_size, parse_font_size>(result, parent, text);
  if (is_good) style.font_size = result.font_size;
  return is_good;
}

bool set_color(Style& style, const Style& parent, std::string_view text) {
  const bool is_parents = same_word(text, "currentcolor");
  return set<&Style::color, parse_color>(style, parent, is_parents ? "inherit" : text);
}

// The shorthand of all markers.
bool set_markers(Style& style, const Style& parent, std::string_view text) {
  return set<&Style::has_start_marker, has_effect>(style, parent, text) &&
         set<&Style::has_mid_marker, has_effect>(style, parent, text) &&
         set<&Style::has_end_marker, has_effect>(style, parent, text);
}

using Setter = bool (*)(Style& style, const Style& parent, std::string_view text);
const std::map<std::string_view, Setter> kProperties = {
    {"clip-path", set<&Style::clip_path, parse_link>},
    {"clip-rule", set<&Style::clip_rule, parse_rule>},
    {"color", set_color},
    {"display", set<&Style::is_displayed, parse_display>},
    {"fill", set<&Style::fill, parse_paint>},
    {"fill-opacity", set<&Style::fill_opacity, parse_opacity>},
    {"fill-rule", set<&Style::fill_rule, parse_rule>},
    {"filter", set<&Style::is_filtered, has_effect>},
    {"font-size", set_font_size},
    {"marker", set_markers},
    {"marker-end", set<&Style::has_end_marker, has_effect>},
    {"marker-mid", set<&Style::has_mid_marker, has_effect>},
    {"marker-start", set<&Style::has_start_marker, has_effect>},
    {"mask", set<&Style::is_masked, has_effect>},
    {"mix-blend-mode", set<&Style::is_blended, has_effect>},
    {"opacity", set<&Style::opacity, parse_opacity>},
    {"overflow", set<&Style::hides_overflow, parse_overflow>},
    {"paint-order", set<&Style::is_stroke_first, parse_paint_order>},
    {"stop-color", set<&Style::stop_color, parse_paint>},
    {"stop-opacity", set<&Style::stop_opacity, parse_opacity>},
    {"stroke", set<&Style::stroke, parse_paint>},
    {"stroke-dasharray", set<&Style::is_dashed, parse_dashes>},
    {"stroke-linecap", set<&Style::cap, parse_cap>},
    {"stroke-linejoin", set<&Style::join, parse_join>},
    {"stroke-miterlimit", set<&Style::miter_limit, parse_miter_limit>},
    {"stroke-opacity", set<&Style::stroke_opacity, parse_opacity>},
    {"stroke-width", set<&Style::stroke_width, parse_size>},
    {"vector-effect", set<&Style::has_vector_effect, has_effect>},
    {"visibility", set<&Style::is_visible, parse_visibility>},
};

}  // namespace

std::string_view property_called(std::string_view name) {
  const auto found = kProperties.find(name);
  return found == kProperties.end() ? std::string_view() : found->first;
}

bool set_property(Style& style, const Style& parent, std::string_view name,
                  std::string_view value) {
  return kProperties.at(name)(style, parent, value);
}

std::optional<double> parse_pixels(std::string_view text, const Inherited& style, Axis axis) {
  const std::optional<double> number = next_real(text);
  if (!number) return {};
  const double w = style.width, h = style.height;
  const double whole = axis == Axis::x ? w : axis == Axis::y ? h : std::sqrt((w * w + h * h) / 2);
  const auto pixels = find_word<double>(trim(text), {{"", 1},
                                                     {"px", 1},
                                                     {"%", whole / 100},
                                                     {"pt", 4 / 3.0},
                                                     {"pc", 16},
                                                     {"in", 96},
                                                     {"cm", 96 / 2.54},
                                                     {"mm", 96 / 25.4},
                                                     {"em", style.font_size},
                                                     {"ex", style.font_size / 2}});
  if (!pixels) return {};
  return *number * *pixels;
}

}  // namespace scene2d
