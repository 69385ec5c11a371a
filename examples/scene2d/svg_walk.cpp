// Bounds walks over elements, and finds out which elements they visit and where these are.
#include "svg_walk.hpp"

#include <algorithm>
#include <iterator>

#include "svg_values.hpp"

namespace scene2d {
namespace {

// A renderer without extensions, for readers of English.
bool is_meant_for_us(pugi::xml_node node) {
  if (*node.attribute("requiredExtensions").value()) return false;
  const pugi::xml_attribute languages = node.attribute("systemLanguage");
  if (!languages) return true;
  for (std::string_view rest = languages.value(); !rest.empty();) {
    const std::string language = lower_case(trim(take_until(rest, ',')));
    if (language == "en" || language.starts_with("en-")) return true;
  }
  return false;
}

}  // namespace

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

bool is_silent(std::string_view element) {
  constexpr std::string_view kSilent[] = {
      "clipPath", "defs",    "desc",           "filter", "linearGradient", "marker", "mask",
      "metadata", "pattern", "radialGradient", "script", "style",          "symbol", "title"};
  return std::find(std::begin(kSilent), std::end(kSilent), element) != std::end(kSilent) ||
         element.find(':') != element.npos;
}

bool is_container(std::string_view element) {
  return element == "g" || element == "a" || element == "switch" || has_viewport(element);
}

std::vector<pugi::xml_node> children_of(Document& document, pugi::xml_node node) {
  constexpr std::size_t kCostOfChild = 4;
  const bool is_switch = local_name(node) == "switch";
  std::vector<pugi::xml_node> children;
  for (const pugi::xml_node child : node.children()) {
    document.charge(kCostOfChild);
    if (child.type() != pugi::node_element || is_silent(local_name(child))) continue;
    if (is_meant_for_us(child)) children.push_back(child);
    if (is_switch && !children.empty()) break;
  }
  return children;
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

bool has_viewport(std::string_view element) { return element == "svg" || element == "symbol"; }

std::optional<Viewport> viewport_of(const Element& e) {
  // A size that <use> has comes before that of what it uses.
  const auto size = [&](const char* name, Axis axis) {
    const std::string_view given = trim(e.user.attribute(name).value());
    const bool is_given = !given.empty() && given != "auto";
    return length_of(is_given ? e.user : e.node, name, e.style, axis, "100%");
  };
  const bool is_root = e.node.parent() == e.node.root();
  const bool is_placed = !is_root && local_name(e.node) == "svg";
  const float x = is_placed ? length_of(e.node, "x", e.style, Axis::x) : 0;
  const float y = is_placed ? length_of(e.node, "y", e.style, Axis::y) : 0;
  const float w = is_root ? e.style.width : size("width", Axis::x);
  const float h = is_root ? e.style.height : size("height", Axis::y);
  // Without a viewBox the document is as large as it says, or else as the picture.
  std::optional<ViewBox> view = parse_view_box(e.node.attribute("viewBox").value());
  if (!view) view = ViewBox{0, 0, size("width", Axis::x), size("height", Axis::y)};
  if (!(w > 0 && h > 0 && view->width > 0 && view->height > 0)) return {};
  const char* const aspect = e.node.attribute("preserveAspectRatio").value();
  Viewport result{x, y, w, h, translation(x, y) * fit(*view, aspect, w, h), e.style};
  result.inside.width = view->width;
  result.inside.height = view->height;
  return result;
}

}  // namespace scene2d
