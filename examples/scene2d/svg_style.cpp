// Reads style sheets, and computes the style of elements.
#include "svg_style.hpp"

#include <algorithm>
#include <iterator>

#include "svg_properties.hpp"
#include "svg_values.hpp"

namespace scene2d {
namespace {

// Adds the properties that are known; a declaration ends with a semicolon.
void parse_declarations(std::string_view text, std::vector<Declaration>& declarations) {
  while (!text.empty()) {
    std::string_view rest = take_until(text, ';');
    const std::string_view name = property_called(lower_case(trim(take_until(rest, ':'))));
    const std::string_view value = trim(take_until(rest, '!'));
    const bool is_important = same_word(trim(rest), "important");
    if (!name.empty() && (is_important || rest.empty())) {
      declarations.push_back({name, value, is_important});
    }
  }
}

// Returns each word once: thousands of equal classes need not be looked up.
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (auto word = take_word(text); !word.empty(); word = take_word(text)) words.push_back(word);
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
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

void StyleSheet::add(std::string_view text, Counts& skipped) {
  while (!(text = trim(text)).empty()) {
    const bool is_at_rule = text.starts_with('@');
    const std::size_t front_end = std::min(text.find_first_of("{;"), text.size() - 1);
    const bool has_block = !is_at_rule || text[front_end] == '{';
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
    std::vector<std::size_t>& bodies = rules_[std::string(selector)];
    if (bodies.empty() || bodies.back() != bodies_.size()) bodies.push_back(bodies_.size());
  }
  bodies_.push_back(std::move(declarations));
}

std::vector<Declaration> StyleSheet::declarations_for(pugi::xml_node node) const {
  std::vector<Declaration> declarations;
  for (const pugi::xml_attribute attribute : node.attributes()) {
    const std::string_view name = property_called(attribute.name());
    if (!name.empty()) declarations.push_back({name, trim(attribute.value())});
  }
  std::vector<std::size_t> matches;
  const auto match = [&](std::string_view prefix, std::string_view name) {
    const auto found = rules_.find(std::string(prefix) + std::string(name));
    if (found == rules_.end()) return;
    matches.insert(matches.end(), found->second.begin(), found->second.end());
  };
  const auto take_matches = [&] {
    std::sort(matches.begin(), matches.end());
    matches.erase(std::unique(matches.begin(), matches.end()), matches.end());
    for (const std::size_t i : matches) {
      declarations.insert(declarations.end(), bodies_[i].begin(), bodies_[i].end());
    }
    matches.clear();
  };
  match("", "*");
  take_matches();
  match("", local_name(node));
  take_matches();
  for (const std::string_view name : words_of(node.attribute("class").value())) match(".", name);
  take_matches();
  match("#", node.attribute("id").value());
  take_matches();
  parse_declarations(node.attribute("style").value(), declarations);
  return declarations;
}

Style StyleSheet::style_of(std::vector<Declaration> declarations, const Style& parent,
                           Counts& skipped) {
  // The size of the font comes first, since lengths may be in em.
  const auto rank = [](const Declaration& d) {
    return 2 * (d.name != "font-size") + d.is_important;
  };
  std::stable_sort(declarations.begin(), declarations.end(),
                   [&](const auto& d, const auto& e) { return rank(d) < rank(e); });
  Style style = Style::child_of(parent);
  for (const Declaration& d : declarations) {
    if (!set_property(style, parent, d.name, d.value)) ++skipped[std::string(d.name)];
  }
  return style;
}

}  // namespace scene2d
