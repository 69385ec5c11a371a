// Reads <linearGradient> and <radialGradient>.
#include "svg_gradient.hpp"

#include <cmath>
#include <vector>

#include "svg_values.hpp"

namespace scene2d {
namespace {

constexpr std::size_t kMostLinks = 16;
constexpr std::size_t kMostStops = 1 << 20;  // of all gradients of a scene

// A gradient, and those from which it takes what it does not say itself.
class Chain {
 public:
  Chain(Document& document, pugi::xml_node node) {
    for (; is_gradient(local_name(node)); node = document.target(node)) {
      document.charge_for_text(node);
      if (nodes_.size() == kMostLinks) throw Skipped{"long chain of gradients"};
      nodes_.push_back(node);
    }
  }

  const char* text(const char* name) const {
    for (const pugi::xml_node node : nodes_) {
      if (const pugi::xml_attribute attribute = node.attribute(name)) return attribute.value();
    }
    return "";
  }
  bool says(const char* name, std::string_view value) const { return trim(text(name)) == value; }

  // The stops of the first gradient that has some; they ascend.
  std::vector<Stop> stops(Document& document, const Style& style) const {
    std::vector<Stop> stops;
    for (const pugi::xml_node node : nodes_) {
      const Style parent = document.style_at(node, style);
      for (const pugi::xml_node child : node.children()) {
        document.charge(1);
        if (local_name(child) == "stop") add_stop(stops, document.style_of(child, parent), child);
      }
      if (!stops.empty()) break;
    }
    return stops;
  }

 private:
  static void add_stop(std::vector<Stop>& stops, const Style& style, pugi::xml_node node) {
    std::string_view text = node.attribute("offset").value();
    double number = next_real(text).value_or(0);
    if (trim(text) == "%") number /= 100;
    const float at = std::clamp(clamped(number), stops.empty() ? 0 : stops.back().at, 1.f);
    Colour colour = style.resolve(style.stop_color);
    colour.a *= style.stop_opacity;
    stops.push_back({at, colour});
  }

  std::vector<pugi::xml_node> nodes_;
};

// The focus must lie inside of the circle.
void move_focus_inside(Paint& paint) {
  const float dx = paint.x1 - paint.x0, dy = paint.y1 - paint.y0;
  const float distance = std::hypot(dx, dy), most = 0.99f * paint.radius;
  if (distance <= most) return;
  paint.x1 = paint.x0 + dx * (most / distance);
  paint.y1 = paint.y0 + dy * (most / distance);
}

Paint linear(const Chain& chain, const Style& style) {
  Paint paint;
  paint.kind = PaintKind::linear;
  paint.x0 = length_of(chain.text("x1"), "0%", style, Axis::x);
  paint.y0 = length_of(chain.text("y1"), "0%", style, Axis::y);
  paint.x1 = length_of(chain.text("x2"), "100%", style, Axis::x);
  paint.y1 = length_of(chain.text("y2"), "0%", style, Axis::y);
  return paint;
}

Paint radial(const Chain& chain, const Style& style, Counts& skipped) {
  const char *const cx = chain.text("cx"), *const cy = chain.text("cy");
  const char *const fx = chain.text("fx"), *const fy = chain.text("fy");
  Paint paint;
  paint.kind = PaintKind::radial;
  paint.x0 = length_of(cx, "50%", style, Axis::x);
  paint.y0 = length_of(cy, "50%", style, Axis::y);
  paint.radius = length_of(chain.text("r"), "50%", style, Axis::both);
  if (paint.radius < 0) throw Skipped{"number"};
  if (length_of(chain.text("fr"), "0", style, Axis::both) != 0) ++skipped["fr"];
  paint.x1 = length_of(*fx ? fx : cx, "50%", style, Axis::x);
  paint.y1 = length_of(*fy ? fy : cy, "50%", style, Axis::y);
  move_focus_inside(paint);
  return paint;
}

}  // namespace

bool is_gradient(std::string_view element) {
  return element == "linearGradient" || element == "radialGradient";
}

std::optional<std::uint32_t> add_gradient(Scene& scene, Document& document, pugi::xml_node node,
                                          const Style& style, const Box& box) {
  const Chain chain(document, node);
  const std::vector<Stop> stops = chain.stops(document, style);
  if (stops.size() + scene.stops.size() > kMostStops) throw Skipped{"size"};
  if (stops.empty()) return {};
  if (stops.size() == 1) return scene.solid(stops[0].colour);

  const bool is_relative = !chain.says("gradientUnits", "userSpaceOnUse");
  if (is_relative && !box.has_area()) return {};
  Style units = style;
  if (is_relative) units.width = units.height = 1;

  Paint paint = local_name(node) == "linearGradient" ? linear(chain, units)
                                                     : radial(chain, units, document.skipped);
  if (chain.says("spreadMethod", "reflect")) paint.spread = Spread::reflect;
  if (chain.says("spreadMethod", "repeat")) paint.spread = Spread::repeat;
  const std::optional<Affine> matrix = parse_transform(chain.text("gradientTransform"));
  if (!matrix) throw Skipped{"transform"};
  paint.matrix = is_relative ? box.matrix() * *matrix : *matrix;
  return scene.gradient(paint, stops);
}

}  // namespace scene2d
