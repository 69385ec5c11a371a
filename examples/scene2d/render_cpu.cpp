// Paints one operation after the other, each over all pixels where it can be seen.
#include "render_cpu.hpp"

#include <cmath>
#include <utility>

#include "coverage_cpu.hpp"
#include "outline_cpu.hpp"
#include "paint_cpu.hpp"

namespace scene2d {

namespace {

bool begins(Tag tag) { return tag == Tag::begin_clip || tag == Tag::begin_layer; }
bool ends(Tag tag) { return tag == Tag::end_clip || tag == Tag::end_layer; }

// Operations with their shapes as edges.
struct Outlined {
  const Op* op;
  Affine matrix;
  std::size_t first_edge = 0, edges = 0;
  Box box;  // of the edges; later, the pixels for which the operation matters
};

struct OutlinedScene {
  std::vector<Outlined> ops;
  std::vector<Edge> edges;

  std::span<const Edge> edges_of(const Outlined& op) const {
    return std::span(edges).subspan(op.first_edge, op.edges);
  }
};

// A product of matrices. It is kept in double, so that thousands of them do no harm.
struct Product {
  double a = 1, b = 0, c = 0, d = 1, e = 0, f = 0;

  Product operator*(const Affine& m) const {
    return {a * m.a + c * m.b, b * m.a + d * m.b,     a * m.c + c * m.d,
            b * m.c + d * m.d, a * m.e + c * m.f + e, b * m.e + d * m.f + f};
  }
  Affine rounded() const {
    const auto to_float = [](double x) { return static_cast<float>(x); };
    return {to_float(a), to_float(b), to_float(c), to_float(d), to_float(e), to_float(f)};
  }
};

// Reads the two streams. Transforms are applied, and are no longer among the operations.
OutlinedScene outline(const Scene& scene) {
  OutlinedScene result;
  std::vector<Product> matrices{Product{}};
  std::size_t next_op = 0, first_tag = 0, first_point = 0, point = 0;
  for (std::size_t i = 0; i < scene.tags.size(); ++i) {
    const Tag tag = scene.tags[i];
    point += points_of(tag);
    if (tag == Tag::none || is_segment(tag)) continue;
    const Op& op = scene.ops[next_op++];
    if (tag == Tag::push_transform) {
      const float* v = op.values;
      matrices.push_back(matrices.back() * Affine{v[0], v[1], v[2], v[3], v[4], v[5]});
    } else if (tag == Tag::pop_transform) {
      if (matrices.size() > 1) matrices.pop_back();
    } else {
      Outlined outlined{&op, matrices.back().rounded(), result.edges.size(), 0, {}};
      if (tag == Tag::draw || tag == Tag::begin_clip) {
        const Shape shape{std::span(scene.tags).subspan(first_tag, i - first_tag),
                          std::span(scene.points).subspan(first_point, point - first_point)};
        append_outline(shape, op, outlined.matrix, result.edges);
        outlined.edges = result.edges.size() - outlined.first_edge;
        outlined.box = box_of(result.edges_of(outlined));
      }
      result.ops.push_back(outlined);
    }
    first_tag = i + 1;
    first_point = point;
  }
  return result;
}

// Restricts the box of a draw to the clips that hold, and that of a clip or layer to what is drawn
// in it. So clips that are nested deeply, or have little in them, take little time and memory.
void restrict_boxes(std::vector<Outlined>& ops, const Box& picture) {
  struct Bracket {
    Outlined* op;
    Box clip, content;
  };
  std::vector<Bracket> stack{{nullptr, picture, {}}};
  const auto end_one = [&] {
    const Bracket inner = stack.back();
    stack.pop_back();
    inner.op->box = inner.content;
    stack.back().content = around(stack.back().content, inner.content);
  };
  for (Outlined& op : ops) {
    const Tag tag = op.op->tag();
    Bracket& top = stack.back();
    if (tag == Tag::draw) {
      op.box = common(op.box, top.clip);
      top.content = around(top.content, op.box);
    } else if (begins(tag)) {
      stack.push_back({&op, tag == Tag::begin_clip ? common(op.box, top.clip) : top.clip, {}});
    } else if (ends(tag) && stack.size() > 1) {
      end_one();
    }
  }
  while (stack.size() > 1) end_one();
}

// What is drawn into: the picture or a layer, as far as it can be seen.
struct Layer {
  explicit Layer(const Box& b, const Pixel& colour = {}, float o = 1)
      : box(b), opacity(o), pixels(b.pixels(), colour), clip(b.pixels(), 1.0f) {}

  std::uint32_t index(int x, int y) const {
    return static_cast<std::uint32_t>((y - box.y0) * (box.x1 - box.x0) + x - box.x0);
  }

  Box box;
  float opacity;
  std::vector<Pixel> pixels;
  std::vector<float> clip;  // coverages
};

class Renderer {
 public:
  Renderer(const Scene& scene, const OutlinedScene& outlined)
      : scene_(scene), outlined_(outlined) {}

  std::vector<Pixel> run(const Box& picture) {
    layers_.emplace_back(picture, premultiplied(scene_.background));
    for (const Outlined& op : outlined_.ops) {
      switch (op.op->tag()) {
        case Tag::draw:
          draw(op);
          break;
        case Tag::begin_clip:
          begin_clip(op);
          break;
        case Tag::begin_layer:
          begin_layer(op);
          break;
        default:
          end_one();
          break;
      }
    }
    while (!brackets_.empty()) end_one();
    return std::move(layers_.front().pixels);
  }

 private:
  struct Bracket {
    bool is_layer;
    std::size_t changes;  // how many there were before a clip
  };
  // A coverage before a clip changed it. Clips keep only these, since they change most pixels
  // either not at all or to 0, which happens once.
  struct Change {
    std::uint32_t index;
    float coverage;
  };

  void draw(const Outlined& op) {
    if (op.box.empty()) return;
    Layer& layer = layers_.back();
    const Brush brush(scene_, scene_.paints[op.op->paint], op.matrix);
    const float opacity = op.op->values[0];
    const Rule rule = op.op->is_stroke() ? Rule::nonzero : op.op->rule();
    Coverage(outlined_.edges_of(op), op.box).for_each_run(rule, [&](const Run& run) {
      if (run.coverage == 0) return;
      Pixel colour = brush.at(run.x0, run.y);
      std::uint32_t i = layer.index(run.x0, run.y);
      for (int x = run.x0; x < run.x1; ++x, ++i) {
        if (!brush.is_solid()) colour = brush.at(x, run.y);
        layer.pixels[i] = over(colour * (opacity * run.coverage * layer.clip[i]), layer.pixels[i]);
      }
    });
  }

  void begin_clip(const Outlined& op) {
    brackets_.push_back({false, changes_.size()});
    if (op.box.empty()) return;
    Layer& layer = layers_.back();
    Coverage(outlined_.edges_of(op), op.box).for_each_run(op.op->rule(), [&](const Run& run) {
      if (run.coverage == 1) return;
      std::uint32_t i = layer.index(run.x0, run.y);
      for (int x = run.x0; x < run.x1; ++x, ++i) {
        if (layer.clip[i] == 0) continue;
        changes_.push_back({i, layer.clip[i]});
        layer.clip[i] *= run.coverage;
      }
    });
  }

  void begin_layer(const Outlined& op) {
    brackets_.push_back({true, 0});
    layers_.emplace_back(op.box, Pixel{}, op.op->values[0]);
  }

  // Ends the innermost clip or layer, whichever it is.
  void end_one() {
    if (brackets_.empty()) return;
    const Bracket bracket = brackets_.back();
    brackets_.pop_back();
    if (bracket.is_layer) {
      end_layer();
    } else {
      end_clip(bracket.changes);
    }
  }

  void end_clip(std::size_t changes) {
    for (; changes_.size() > changes; changes_.pop_back())
      layers_.back().clip[changes_.back().index] = changes_.back().coverage;
  }

  void end_layer() {
    const Layer upper = std::move(layers_.back());
    layers_.pop_back();
    Layer& lower = layers_.back();
    auto pixel = upper.pixels.begin();
    for (int y = upper.box.y0; y < upper.box.y1; ++y) {
      std::uint32_t i = lower.index(upper.box.x0, y);
      for (int x = upper.box.x0; x < upper.box.x1; ++x, ++i, ++pixel)
        lower.pixels[i] = over(*pixel * (upper.opacity * lower.clip[i]), lower.pixels[i]);
    }
  }

  const Scene& scene_;
  const OutlinedScene& outlined_;
  std::vector<Layer> layers_;
  std::vector<Bracket> brackets_;
  std::vector<Change> changes_;  // of all clips that hold
};

std::uint32_t packed(const Pixel& p) {
  const auto byte = [](float x) {
    return static_cast<std::uint32_t>(
        std::fmin(std::fmax(std::floor(255 * x + 0.5f), 0.0f), 255.0f));
  };
  return byte(p.r) | byte(p.g) << 8 | byte(p.b) << 16 | 0xff000000u;
}

}  // namespace

Picture render_cpu(const Scene& scene) {
  const Box box{0, 0, static_cast<int>(scene.width), static_cast<int>(scene.height)};
  OutlinedScene outlined = outline(scene);
  restrict_boxes(outlined.ops, box);
  const std::vector<Pixel> pixels = Renderer(scene, outlined).run(box);
  Picture picture{scene.width, scene.height, {}};
  picture.pixels.reserve(pixels.size());
  for (const Pixel& pixel : pixels) picture.pixels.push_back(packed(pixel));
  return picture;
}

}  // namespace scene2d
