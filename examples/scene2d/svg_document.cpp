// Reads an SVG document into a tree, and finds ids and style sheets in it.
#include "svg_document.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "svg_values.hpp"

namespace scene2d {
namespace {

// Appends what CSS says without its comments.
void append_css(std::string& css, std::string_view text) {
  std::size_t begin = 0;
  while ((begin = text.find("/*")) != text.npos) {
    css.append(text.substr(0, begin));
    const std::size_t end = text.find("*/", begin + 2);
    text = end == text.npos ? "" : text.substr(end + 2);
  }
  css.append(text);
}

std::size_t size_of_prefix(std::string_view name) { return name.find(':') + 1; }

}  // namespace

// Visits all elements; pugixml does this without recursion.
struct Document::Walk : pugi::xml_tree_walker {
  explicit Walk(Document& walked) : document(walked) {}

  bool for_each(pugi::xml_node& node) override {
    remove_prefix(node);
    if (pugi::xml_attribute style = node.attribute("style")) remove_comments(style);
    if (const pugi::xml_attribute id = node.attribute("id"))
      document.ids_.emplace(id.value(), node);
    if (local_name(node) == "style") {
      for (const pugi::xml_node child : node.children()) append_css(document.css_, child.value());
      document.css_.push_back('\n');
    }
    return true;
  }

  // The prefix is that of the root; some programs make up their own.
  void remove_prefix(pugi::xml_node node) const {
    const std::string_view name = node.name();
    const std::size_t size = size_of_prefix(name);
    const bool is_svg = size > 0 && (name.starts_with("svg:") || name.substr(0, size) == prefix);
    if (is_svg) node.set_name(std::string(name.substr(size)).c_str());
  }

  static void remove_comments(pugi::xml_attribute style) {
    const std::string_view text = style.value();
    if (text.find("/*") == text.npos) return;
    std::string css;
    append_css(css, text);
    style.set_value(css.c_str());
  }

  Document& document;
  std::string prefix;  // with the colon, or nothing
};

Document::Document(const std::string& text) {
  const pugi::xml_parse_result result = xml_.load_buffer(text.data(), text.size());
  if (!result) {
    throw std::runtime_error(std::string("The SVG document is malformed: ") + result.description() +
                             " at byte " + std::to_string(result.offset) + ".");
  }
  root_ = xml_.document_element();
  const std::string name = root_.name();
  const std::size_t size = size_of_prefix(name);
  if (name.substr(size) != "svg") throw std::runtime_error("The document is no SVG document.");
  Walk walk(*this);
  walk.prefix = name.substr(0, size);
  xml_.traverse(walk);
  sheet_.add(css_, skipped);
}

pugi::xml_node Document::find(std::string_view id) const {
  const auto found = ids_.find(id);
  return found == ids_.end() ? pugi::xml_node() : found->second;
}

pugi::xml_node Document::target(pugi::xml_node node) const {
  const auto is_prefixed = [](pugi::xml_attribute attribute) {
    return std::string_view(attribute.name()).ends_with(":href");
  };
  const pugi::xml_attribute plain = node.attribute("href");
  const std::string_view link = (plain ? plain : node.find_attribute(is_prefixed)).value();
  return link.starts_with('#') ? find(link.substr(1)) : pugi::xml_node();
}

void Document::charge(std::size_t work) {
  constexpr std::size_t kMostWork = 1 << 26;
  if (work_ > kMostWork) throw Skipped{"size"};
  work_ += work;
}

void Document::charge_for_text(pugi::xml_node node) {
  std::size_t bytes = 0;
  for (const pugi::xml_attribute attribute : node.attributes()) {
    bytes += std::string_view(attribute.value()).size() + 1;
  }
  charge(bytes);
}

Style Document::style_of(pugi::xml_node node, const Style& parent, Counts& counts) {
  constexpr std::size_t kDeclaration = 16;
  charge_for_text(node);
  const std::vector<Declaration> declarations = sheet_.declarations_for(node);
  charge(kDeclaration * declarations.size());
  return StyleSheet::style_of(declarations, parent, counts);
}

Style Document::style_at(pugi::xml_node node, const Style& user) {
  std::vector<pugi::xml_node> ancestors;
  for (pugi::xml_node n = node.parent(); n && ancestors.size() < kMostLevels; n = n.parent()) {
    ancestors.push_back(n);
  }
  Style style;
  style.width = user.width;
  style.height = user.height;
  Counts counted_elsewhere;
  std::for_each(ancestors.rbegin(), ancestors.rend(), [&](pugi::xml_node ancestor) {
    style = style_of(ancestor, style, counted_elsewhere);
  });
  return style_of(node, style);
}

float length_of(const char* text, const char* otherwise, const Style& style, Axis axis) {
  const std::string_view given = trim(text);
  const bool is_given = !given.empty() && given != "auto";
  const std::optional<double> length = parse_pixels(is_given ? given : otherwise, style, axis);
  if (!length) throw Skipped{"number"};
  return checked(*length);
}

}  // namespace scene2d
