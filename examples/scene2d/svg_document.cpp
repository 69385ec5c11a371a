// Reads an SVG document into a tree, and finds ids and style sheets in it.
#include "svg_document.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "svg_values.hpp"

namespace scene2d {
namespace {

// Appends a style sheet without its comments.
void append_css(std::string& css, std::string_view text) {
  std::size_t begin = 0;
  while ((begin = text.find("/*")) != text.npos) {
    css.append(text.substr(0, begin));
    const std::size_t end = text.find("*/", begin + 2);
    text = end == text.npos ? "" : text.substr(end + 2);
  }
  css.append(text).push_back('\n');
}

}  // namespace

// Visits all elements; pugixml does this without recursion.
struct Document::Walk : pugi::xml_tree_walker {
  explicit Walk(Document& walked) : document(walked) {}

  bool for_each(pugi::xml_node& node) override {
    if (const pugi::xml_attribute id = node.attribute("id"))
      document.ids_.emplace(id.value(), node);
    if (local_name(node) == "style") {
      for (const pugi::xml_node child : node.children()) append_css(document.css_, child.value());
    }
    return true;
  }

  Document& document;
};

Document::Document(const std::string& text) {
  const pugi::xml_parse_result result = xml_.load_buffer(text.data(), text.size());
  if (!result) {
    throw std::runtime_error(std::string("The SVG document is malformed: ") + result.description() +
                             " at byte " + std::to_string(result.offset) + ".");
  }
  root_ = xml_.document_element();
  if (local_name(root_) != "svg") throw std::runtime_error("The document is no SVG document.");
  Walk walk(*this);
  xml_.traverse(walk);
  sheet_.add(css_, skipped);
}

pugi::xml_node Document::find(std::string_view id) const {
  const auto found = ids_.find(id);
  return found == ids_.end() ? pugi::xml_node() : found->second;
}

pugi::xml_node Document::target(pugi::xml_node node) const {
  const pugi::xml_attribute plain = node.attribute("href");
  const std::string_view link = (plain ? plain : node.attribute("xlink:href")).value();
  return link.starts_with('#') ? find(link.substr(1)) : pugi::xml_node();
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
    style = sheet_.style_of(ancestor, style, counted_elsewhere);
  });
  return style_of(node, style);
}

float length_of(const char* text, const char* otherwise, const Style& style, Axis axis) {
  const std::string_view given = trim(text);
  const bool is_given = !given.empty() && given != "auto";
  const std::optional<float> length = parse_length(is_given ? given : otherwise, style, axis);
  if (!length) throw Skipped{"number"};
  return *length;
}

}  // namespace scene2d
