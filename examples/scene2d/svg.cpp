// Walks an SVG document, and draws its elements into a scene.
#include "svg.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include "svg_document.hpp"
#include "svg_gradient.hpp"
#include "svg_outline.hpp"
#include "svg_shapes.hpp"
#include "svg_values.hpp"

namespace scene2d {
namespace {

constexpr std::size_t kMostClips = 8;  // of one element: a <clipPath> can itself be clipped

// Elements that draw nothing where they stand; programs add others with prefixes of their own.
bool is_silent(std::string_view element) {
  constexpr std::string_view kSilent[] = {
      "clipPath", "defs",    "desc",           "filter", "linearGradient", "marker", "mask",
      "metadata", "pattern", "radialGradient", "script", "style",          "symbol", "title"};
  return std::find(std::begin(kSilent), std::end(kSilent), element) != std::end(kSilent) ||
         element.find(':') != element.npos;
}

bool is_element(pugi::xml_node node) { return node.type() == pugi::node_element; }

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
  void draw_content(pugi::xml_node node, const Style& style, pugi::xml_node user);
  void draw_children(pugi::xml_node node, const Style& style);
  void draw_viewport(pugi::xml_node node, const Style& style, pugi::xml_node user);
  void draw_shape(pugi::xml_node node, const Style& style);
  std::optional<std::uint32_t> add_paint(const PaintValue& value, const Style& style,
                                         const Box& box);

  // Begins the clips that an element gets from a <clipPath>, and returns how many there are.
  std::size_t begin_clip(const std::string& id, pugi::xml_node node, const Style& style,
                         std::size_t depth);
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
  if (is_silent(name) && !user) return;
  const Style style = document_.style_of(node, parent);
  if (!style.is_displayed || style.opacity == 0) return;
  if (!is_shape(name) && !is_container(name) && name != "use") throw Skipped{std::string(name)};
  count_if(style.is_filtered, "filter");
  count_if(style.is_masked, "mask");
  count_if(style.is_blended, "mix-blend-mode");

  const Affine matrix = transform_of(node);
  const bool moves = !is_identity(matrix);
  if (moves) scene_.push_transform(matrix);
  std::size_t clips = 0;
  if (!style.clip_path.empty()) clips = begin_clip(style.clip_path, node, style, 0);
  draw_content(node, style, user);
  for (; clips > 0; --clips) scene_.end_clip();
  if (moves) scene_.pop_transform();
}

void Painter::draw_content(pugi::xml_node node, const Style& style, pugi::xml_node user) {
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
  } else if (name == "svg" || name == "symbol") {
    draw_viewport(node, style, user);
  } else {
    draw_children(node, style);
  }
  if (style.opacity < 1) scene_.end_layer();
}

void Painter::draw_children(pugi::xml_node node, const Style& style) {
  for (const pugi::xml_node child : node.children()) {
    if (is_element(child)) draw(child, style);
  }
}

// A size that <use> has comes before that of what it uses.
void Painter::draw_viewport(pugi::xml_node node, const Style& style, pugi::xml_node user) {
  const auto size = [&](const char* name, Axis axis) {
    const bool is_given = user.attribute(name);
    return length_of(is_given ? user : node, name, style, axis, "100%");
  };
  const bool is_root = route_.level() == 1, is_svg = local_name(node) == "svg";
  const float w = is_root ? static_cast<float>(scene_.width) : size("width", Axis::x);
  const float h = is_root ? static_cast<float>(scene_.height) : size("height", Axis::y);
  const float x = is_svg && !is_root ? length_of(node, "x", style, Axis::x) : 0;
  const float y = is_svg && !is_root ? length_of(node, "y", style, Axis::y) : 0;
  std::optional<ViewBox> view = parse_view_box(node.attribute("viewBox").value());
  if (is_root && !view) view = ViewBox{0, 0, size("width", Axis::x), size("height", Axis::y)};
  if (!view) view = ViewBox{0, 0, w, h};
  if (!(w > 0 && h > 0 && view->width > 0 && view->height > 0)) return;

  const char* const aspect = node.attribute("preserveAspectRatio").value();
  const Affine matrix = translation(x, y) * fit(*view, aspect, w, h);
  const bool is_clipped = !is_root && style.hides_overflow;
  if (is_clipped) {
    scene_.rectangle(x, y, w, h);
    scene_.begin_clip();
  }
  scene_.push_transform(matrix);
  Style inside = style;
  inside.width = view->width;
  inside.height = view->height;
  draw_children(node, inside);
  scene_.pop_transform();
  if (is_clipped) scene_.end_clip();
}

void Painter::draw_root() {
  // Without a viewBox the document is as large as it says, or else as the picture.
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
  count_if(style.has_markers && (name == "path" || name == "line" || name.starts_with("poly")),
           "marker");
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

std::size_t Painter::begin_clip(const std::string& id, pugi::xml_node node, const Style& style,
                                std::size_t depth) {
  const pugi::xml_node clip = document_.find(id);
  if (local_name(clip) != "clipPath") {
    ++document_.skipped["missing clip-path"];
    return 0;
  }
  if (depth == kMostClips) throw Skipped{"deep nesting"};
  Style inside = document_.style_at(clip, style);
  std::size_t clips = 0;
  if (!inside.clip_path.empty()) clips = begin_clip(inside.clip_path, node, style, depth + 1);

  Affine matrix = transform_of(clip);
  bool is_empty = false;
  if (clip.attribute("clipPathUnits").value() == std::string_view("objectBoundingBox")) {
    // The box is that of the element before its own transform.
    Outline content;
    OutlineBuilder(document_, route_, content).add_content(node, style, {});
    const Box box = bounds_of(content.shape);
    is_empty = !box.has_area();
    if (!is_empty) matrix = box.matrix() * matrix;
    inside.width = inside.height = 1;
  }
  Outline outline;
  outline.is_clip = true;
  OutlineBuilder builder(document_, route_, outline);
  for (const pugi::xml_node child : clip.children()) {
    // Groups are not allowed in a <clipPath>.
    const std::string_view name = local_name(child);
    if (is_element(child) && !is_empty && !is_silent(name) && !is_container(name)) {
      builder.add(child, inside, matrix);
    }
  }
  append(scene_, outline.shape);
  scene_.begin_clip(outline.elements == 1 ? outline.rule : Rule::nonzero);
  return clips + 1;
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
