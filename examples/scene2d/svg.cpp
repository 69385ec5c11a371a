// Walks an SVG document, and draws its elements into a scene.
#include "svg.hpp"

#include <optional>

#include "svg_clip.hpp"
#include "svg_document.hpp"
#include "svg_gradient.hpp"
#include "svg_shapes.hpp"
#include "svg_values.hpp"
#include "svg_walk.hpp"

namespace scene2d {
namespace {

bool is_identity(const Affine& m) {
  return m.a == 1 && m.b == 0 && m.c == 0 && m.d == 1 && m.e == 0 && m.f == 0;
}

// Where a scene ended, to go back there.
class Mark {
 public:
  explicit Mark(const Scene& s)
      : tags_(s.tags.size()),
        points_(s.points.size()),
        ops_(s.ops.size()),
        paints_(s.paints.size()),
        stops_(s.stops.size()) {}
  void restore(Scene& s) const {
    s.tags.resize(tags_);
    s.points.resize(points_);
    s.ops.resize(ops_);
    s.paints.resize(paints_);
    s.stops.resize(stops_, Stop{});
  }

 private:
  std::size_t tags_, points_, ops_, paints_, stops_;
};

class Painter {
 public:
  Painter(Document& document, Scene& scene) : document_(document), scene_(scene) {}

  void draw_root();

 private:
  // Draws an element, or leaves it out and counts it. user is the <use> that it is drawn for.
  void draw(pugi::xml_node node, const Style& parent, pugi::xml_node user = {});
  void draw_element(pugi::xml_node node, const Style& parent, pugi::xml_node user);
  void draw_content(const Element& element);
  void draw_children(pugi::xml_node node, const Style& style);
  void draw_viewport(const Element& element);
  void draw_shape(pugi::xml_node node, const Style& style);
  std::optional<std::uint32_t> add_paint(const PaintValue& value, const Style& style,
                                         const Box& box);

  void count_if(bool is_ignored, const char* name);

  Document& document_;
  Scene& scene_;
  Route route_;
};

void Painter::draw(pugi::xml_node node, const Style& parent, pugi::xml_node user) {
  const Mark mark(scene_);
  const std::size_t level = route_.level();
  try {
    if (scene_.tags.size() > kMostTags) throw Skipped{"size"};
    route_.enter(node);
    draw_element(node, parent, user);
  } catch (const Skipped& skipped) {
    ++document_.skipped[skipped.name];
    mark.restore(scene_);
  }
  route_.leave_to(level);
}

void Painter::draw_element(pugi::xml_node node, const Style& parent, pugi::xml_node user) {
  const std::string_view name = local_name(node);
  const Element element{node, document_.style_of(node, parent), user};
  const Style& style = element.style;
  if (!style.is_displayed || style.opacity == 0) return;
  if (!is_shape(name) && !is_container(name) && name != "use") throw Skipped{std::string(name)};
  count_if(style.is_filtered, "filter");
  count_if(style.is_masked, "mask");
  count_if(style.is_blended, "mix-blend-mode");

  const Affine matrix = transform_of(node);
  const bool moves = !is_identity(matrix);
  if (moves) scene_.push_transform(matrix);
  std::size_t clips = begin_clips(scene_, document_, route_, element);
  draw_content(element);
  for (; clips > 0; --clips) scene_.end_clip();
  if (moves) scene_.pop_transform();
}

void Painter::draw_content(const Element& element) {
  const auto& [node, style, user] = element;
  const std::string_view name = local_name(node);
  if (is_shape(name)) {
    draw_shape(node, style);
    return;
  }
  if (style.opacity < 1) scene_.begin_layer(style.opacity);
  if (name == "use") {
    const pugi::xml_node target = route_.target_of_use(document_, node);
    const Affine place = place_of(node, style);
    const bool moves = !is_identity(place);
    if (moves) scene_.push_transform(place);
    draw(target, style, node);
    if (moves) scene_.pop_transform();
  } else if (has_viewport(name)) {
    draw_viewport(element);
  } else {
    draw_children(node, style);
  }
  if (style.opacity < 1) scene_.end_layer();
}

void Painter::draw_children(pugi::xml_node node, const Style& style) {
  for (const pugi::xml_node child : children_of(document_, node)) draw(child, style);
}

void Painter::draw_viewport(const Element& element) {
  const std::optional<Viewport> viewport = viewport_of(element);
  if (!viewport) return;
  const bool is_clipped = route_.level() > 1 && element.style.hides_overflow;
  if (is_clipped) {
    scene_.rectangle(viewport->x, viewport->y, viewport->width, viewport->height);
    scene_.begin_clip();
  }
  scene_.push_transform(viewport->matrix);
  draw_children(element.node, viewport->inside);
  scene_.pop_transform();
  if (is_clipped) scene_.end_clip();
}

void Painter::draw_root() {
  Style style;
  style.width = static_cast<float>(scene_.width);
  style.height = static_cast<float>(scene_.height);
  draw(document_.root(), style);
}

void Painter::draw_shape(pugi::xml_node node, const Style& style) {
  if (!style.is_visible) return;
  const Scene shape = shape_of(node, style, document_.skipped);
  if (shape.tags.empty()) return;
  const Box box = bounds_of(shape);
  const auto fill = add_paint(style.fill, style, box);
  const auto stroke = style.stroke_width > 0 ? add_paint(style.stroke, style, box) : std::nullopt;
  const std::string_view name = local_name(node);
  const bool has_markers = style.has_start_marker || style.has_mid_marker || style.has_end_marker;
  count_if(has_markers && (name == "path" || name == "line" || name.starts_with("poly")), "marker");
  count_if(stroke && style.is_dashed, "stroke-dasharray");
  count_if(stroke && style.has_vector_effect, "vector-effect");
  // A fill and a stroke are made transparent together; alone, either can be by itself.
  const bool is_layer = fill && stroke && style.opacity < 1;
  const float opacity = is_layer ? 1 : style.opacity;
  if (is_layer) scene_.begin_layer(style.opacity);
  for (const bool is_stroke : {style.is_stroke_first, !style.is_stroke_first}) {
    const std::optional<std::uint32_t> paint = is_stroke ? stroke : fill;
    if (!paint) continue;
    append(scene_, shape);
    if (is_stroke) {
      const Scene::Stroke line{style.stroke_width, style.cap, style.join, style.miter_limit};
      scene_.stroke(*paint, line, style.stroke_opacity * opacity);
    } else {
      scene_.fill(*paint, style.fill_rule, style.fill_opacity * opacity);
    }
  }
  if (is_layer) scene_.end_layer();
}

std::optional<std::uint32_t> Painter::add_paint(const PaintValue& value, const Style& style,
                                                const Box& box) {
  if (value.link) {
    const pugi::xml_node target = document_.find(*value.link);
    const std::string_view name = local_name(target);
    if (is_gradient(name)) return add_gradient(scene_, document_, target, style, box);
    ++document_.skipped[target ? std::string(name) : "missing paint"];
  }
  if (value.kind == PaintValue::Kind::none) return {};
  return scene_.solid(style.resolve(value));
}

void Painter::count_if(bool is_ignored, const char* name) {
  if (is_ignored) ++document_.skipped[name];
}

}  // namespace

SvgResult read_svg(const std::string& text, std::uint32_t width, std::uint32_t height) {
  Document document(text);
  SvgResult result;
  result.scene.width = width;
  result.scene.height = height;
  Painter(document, result.scene).draw_root();
  result.skipped = std::move(document.skipped);
  return result;
}

}  // namespace scene2d
