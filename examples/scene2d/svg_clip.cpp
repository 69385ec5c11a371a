// Reads <clipPath>: the union of its children's silhouettes.
#include "svg_clip.hpp"

#include <string>
#include <utility>
#include <vector>

#include "svg_box.hpp"
#include "svg_region.hpp"
#include "svg_shapes.hpp"
#include "svg_values.hpp"

namespace scene2d {
namespace {

constexpr std::size_t kMostClips = 8;  // of one element: a <clipPath> can itself be clipped

class ClipWalk {
 public:
  ClipWalk(Document& document, Route& route) : document_(document), route_(route) {}

  // Returns regions whose intersection is what a <clipPath> leaves of the element. The matrix leads
  // from its coordinates to theirs.
  std::vector<Region> regions_of(const std::string& id, const Element& element,
                                 const Affine& matrix, std::size_t depth = 0);

 private:
  // Adds the silhouette of an element, or leaves it out and counts it.
  void add(std::vector<Region>& parts, pugi::xml_node node, const Style& parent,
           const Affine& matrix, std::size_t depth);
  void add_silhouette(std::vector<Region>& parts, const Element& element, const Affine& matrix,
                      std::size_t depth);
  void add_shape(std::vector<Region>& parts, const Element& element, const Affine& matrix);

  Document& document_;
  Route& route_;
  std::size_t tags_ = 0;  // of all shapes
};

std::vector<Region> ClipWalk::regions_of(const std::string& id, const Element& element,
                                         const Affine& matrix, std::size_t depth) {
  if (id.empty()) return {};
  const pugi::xml_node clip = document_.find(id);
  if (local_name(clip) != "clipPath") {
    ++document_.skipped["missing clip-path"];
    return {};
  }
  if (depth == kMostClips) throw Skipped{"deep nesting"};
  Style inside = document_.style_at(clip, element.style);
  std::vector<Region> regions = regions_of(inside.clip_path, element, matrix, depth + 1);
  std::vector<Region> parts;
  Affine place = transform_of(clip);
  bool is_empty = false;
  if (clip.attribute("clipPathUnits").value() == std::string_view("objectBoundingBox")) {
    // The box is that of the element before its own transform.
    const Box box = box_of(document_, route_, element);
    is_empty = !box.has_area();
    if (!is_empty) place = box.matrix() * place;
    inside.width = inside.height = 1;
  }
  for (const pugi::xml_node child : children_of(document_, clip)) {
    // Groups are not allowed in a <clipPath>.
    if (!is_empty && !is_container(local_name(child))) {
      add(parts, child, inside, matrix * place, depth);
    }
  }
  regions.push_back(united(std::move(parts), document_));
  return regions;
}

void ClipWalk::add(std::vector<Region>& parts, pugi::xml_node node, const Style& parent,
                   const Affine& matrix, std::size_t depth) {
  const std::size_t level = route_.level(), before = parts.size();
  try {
    route_.enter(node);
    const Element element{node, document_.style_of(node, parent), {}};
    if (element.style.is_displayed) {
      add_silhouette(parts, element, matrix * transform_of(node), depth);
    }
  } catch (const Skipped& skipped) {
    ++document_.skipped[skipped.name];
    parts.resize(before);
  }
  route_.leave_to(level);
}

void ClipWalk::add_silhouette(std::vector<Region>& parts, const Element& element,
                              const Affine& matrix, std::size_t depth) {
  const auto& [node, style, user] = element;
  const std::string_view name = local_name(node);
  const std::size_t before = parts.size();
  if (is_shape(name)) {
    if (style.is_visible) add_shape(parts, element, matrix);
  } else if (name == "use") {
    const pugi::xml_node target = route_.target_of_use(document_, node);
    if (is_container(local_name(target))) return;  // no more than a group
    add(parts, target, style, matrix * place_of(node, style), depth);
  } else {
    throw Skipped{std::string(name)};
  }
  for (const Region& region : regions_of(style.clip_path, element, matrix, depth + 1)) {
    for (std::size_t i = before; i < parts.size(); ++i) {
      parts[i] = intersection(parts[i], region, document_);
    }
  }
}

void ClipWalk::add_shape(std::vector<Region>& parts, const Element& element, const Affine& matrix) {
  const std::string_view name = local_name(element.node);
  Region part;
  part.shape = shape_of(element.node, element.style, document_.skipped);
  transform_points(part.shape, matrix);
  part.rule = element.style.clip_rule;
  part.has_one_sense = name == "rect" || name == "circle" || name == "ellipse";
  tags_ += part.shape.tags.size();
  if (tags_ > kMostTags) throw Skipped{"size"};
  parts.push_back(std::move(part));
}

}  // namespace

std::size_t begin_clips(Scene& scene, Document& document, Route& route, const Element& element) {
  ClipWalk walk(document, route);
  const std::vector<Region> regions = walk.regions_of(element.style.clip_path, element, {});
  for (const Region& region : regions) {
    append(scene, region.shape);
    scene.begin_clip(region.rule);
  }
  return regions.size();
}

}  // namespace scene2d
