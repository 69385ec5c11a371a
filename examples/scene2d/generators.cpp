// Makes scenes by a rule or at random.
//
// The random choices are the same on all platforms. Sines and cosines need not be, so coordinates
// may differ in their last bits.
#include "generators.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace scene2d {
namespace {

// A linear congruential generator with the constants of Knuth's MMIX, of which the high half is
// used. Calls that are arguments of one function would come in any order, so they are made in
// braces or one by one.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) { next(); }

  std::uint32_t next() {
    state_ = state_ * 6364136223846793005 + 1442695040888963407;
    return static_cast<std::uint32_t>(state_ >> 32);
  }

  std::uint32_t below(std::uint32_t n) {
    return static_cast<std::uint32_t>(std::uint64_t{next()} * n >> 32);
  }
  bool percent(std::uint32_t chance) { return below(100) < chance; }
  float between(float low, float high) {
    return low + (high - low) * (static_cast<float>(next() >> 16) / 65536);
  }

 private:
  std::uint64_t state_;
};

struct Box {
  float x, y, w, h;
  Point centre() const { return {x + w / 2, y + h / 2}; }
};

Affine turn_about(Point centre, float degrees, float scale) {
  const float angle = degrees * std::numbers::pi_v<float> / 180;
  const float c = scale * std::cos(angle), s = scale * std::sin(angle);
  return {
      c, s, -s, c, centre.x - c * centre.x + s * centre.y, centre.y - s * centre.x - c * centre.y};
}

// Colours of the rainbow; a whole turn comes back to the first.
Colour rainbow(float turn) {
  const auto channel = [turn](float shift) {
    const float x = turn + shift;
    return std::clamp(std::abs(6 * (x - std::floor(x)) - 3) - 1, 0.0f, 1.0f);
  };
  return {channel(0), channel(2 / 3.0f), channel(1 / 3.0f), 1};
}

// Adds shapes, paints and operations to a scene at random.
class Artist {
 public:
  Artist(std::uint32_t width, std::uint32_t height) : random(width + height) {
    scene.width = width;
    scene.height = height;
    for (std::uint32_t& colour : colours_) colour = scene.solid(any_colour());
  }

  Scene scene;
  Random random;

  Colour any_colour() {
    Colour colour{random.between(0, 1), random.between(0, 1), random.between(0, 1), 1};
    if (random.percent(30)) colour.a = random.between(0.3f, 1);
    return colour;
  }

  std::uint32_t solid() { return colours_[random.below(kColours)]; }

  // The sides are between low and high. The box lies in the area, or covers it if it is larger.
  Box box_in(const Box& area, float low, float high) {
    Box box{0, 0, random.between(low, high), random.between(low, high)};
    box.x = area.x + random.between(0, area.w - box.w);
    box.y = area.y + random.between(0, area.h - box.h);
    return box;
  }

  // A shape of any kind, for fills, strokes and clips.
  void shape(const Box& box) {
    const Point centre = box.centre();
    switch (random.below(5)) {
      case 0:
        return scene.rectangle(box.x, box.y, box.w, box.h);
      case 1: {
        const float rx = random.between(0, box.w / 2), ry = random.between(0, box.h / 2);
        return scene.rounded_rectangle(box.x, box.y, box.w, box.h, rx, ry);
      }
      case 2:
        return scene.ellipse(centre.x, centre.y, box.w / 2, box.h / 2);
      case 3: {
        std::vector<Point> corners(3 + random.below(6));
        for (Point& corner : corners) corner = point_in(box);
        return scene.polygon(corners);
      }
      default:
        return path(box);
    }
  }

  void draw(const Box& box) {
    const std::uint32_t paint = random.percent(80) ? solid() : gradient(box);
    const float opacity = random.percent(30) ? random.between(0.25f, 1) : 1;
    shape(box);
    if (random.percent(75)) {
      scene.fill(paint, random.percent(25) ? Rule::even_odd : Rule::nonzero, opacity);
      return;
    }
    const Scene::Stroke stroke{.width = random.between(0.5f, std::min(16.0f, box.w / 4)),
                               .cap = static_cast<Cap>(random.below(3)),
                               .join = static_cast<Join>(random.below(3)),
                               .miter_limit = random.between(1, 8)};
    scene.stroke(paint, stroke, opacity);
  }

 private:
  static constexpr std::uint32_t kColours = 64;

  Point point_in(const Box& box) {
    return {box.x + random.between(0, box.w), box.y + random.between(0, box.h)};
  }

  void path(const Box& box) {
    scene.move(point_in(box));
    for (std::uint32_t segments = 2 + random.below(4); segments > 0; --segments) {
      const std::array<Point, 3> p{point_in(box), point_in(box), point_in(box)};
      const std::uint32_t kind = random.below(4);
      if (kind == 0) {
        scene.line(p[0]);
      } else if (kind == 1) {
        scene.quad(p[0], p[1]);
      } else {
        scene.cubic(p[0], p[1], p[2]);
      }
    }
    if (random.percent(50)) scene.close();  // otherwise the next operation ends it
  }

  std::uint32_t gradient(const Box& box) {
    Paint paint;
    paint.spread = static_cast<Spread>(random.below(3));
    const Point from = point_in(box), to = point_in(box);
    paint.x0 = from.x;
    paint.y0 = from.y;
    if (random.percent(50)) {
      paint.kind = PaintKind::linear;
      paint.x1 = to.x;
      paint.y1 = to.y;
    } else {
      paint.kind = PaintKind::radial;
      paint.radius = random.between(0.2f, 0.8f) * std::max(box.w, box.h);
      paint.x1 = from.x + random.between(-0.6f, 0.6f) * paint.radius;
      paint.y1 = from.y + random.between(-0.6f, 0.6f) * paint.radius;
    }
    std::vector<Stop> stops(2 + random.below(3));
    for (std::size_t i = 0; i < stops.size(); ++i) {
      stops[i] = {static_cast<float>(i) / static_cast<float>(stops.size() - 1), any_colour()};
    }
    return scene.gradient(paint, stops);
  }

  std::array<std::uint32_t, kColours> colours_;
};

// Each level is turned and shrunk a little against the one around it. The innermost is a 64th as
// large as the outermost, however many there are.
Scene droste(std::uint32_t n) {
  constexpr std::uint32_t kHues = 96;
  Scene scene;
  scene.width = scene.height = 1024;
  for (std::uint32_t i = 0; i < kHues; ++i) {
    scene.solid(rainbow(static_cast<float>(i) / kHues));
  }
  const auto scale = static_cast<float>(std::pow(1 / 64.0, 1.0 / n));
  const Affine inwards = turn_about({512, 512}, 2, scale);
  for (std::uint32_t level = 0; level < n; ++level) {
    scene.push_transform(inwards);
    scene.rounded_rectangle(64, 64, 896, 896, 128, 128);
    scene.begin_clip();
    scene.rounded_rectangle(64, 64, 896, 896, 128, 128);
    scene.fill(level % kHues);
  }
  for (std::uint32_t level = 0; level < n; ++level) {
    scene.end_clip();
    scene.pop_transform();
  }
  return scene;
}

void quadtree_node(Artist& artist, const Box& cell, std::uint32_t level, std::uint32_t depth) {
  Scene& scene = artist.scene;
  const Point centre = cell.centre();
  scene.push_transform(turn_about(centre, artist.random.between(-8, 8), 1));
  if (level % 2 == 0) {
    const float inset = cell.w / 32, side = cell.w - 2 * inset;
    scene.rounded_rectangle(cell.x + inset, cell.y + inset, side, side, side / 4, side / 8);
  } else {
    scene.ellipse(centre.x, centre.y, cell.w * 0.58f, cell.h * 0.49f);
  }
  scene.begin_clip();
  scene.rectangle(cell.x - cell.w / 4, cell.y - cell.h / 4, cell.w * 1.5f, cell.h * 1.5f);
  scene.fill(artist.solid());
  if (level == depth) artist.draw(cell);
  for (const float y : {cell.y, centre.y}) {
    for (const float x : {cell.x, centre.x}) {
      if (level < depth) quadtree_node(artist, {x, y, cell.w / 2, cell.h / 2}, level + 1, depth);
    }
  }
  scene.end_clip();
  scene.pop_transform();
}

Scene quadtree(std::uint32_t n) {
  if (n > 10) throw std::invalid_argument("quadtree: a depth of more than 10 is too much");
  Artist artist(1024, 1024);
  quadtree_node(artist, {0, 0, 1024, 1024}, 0, n);
  return std::move(artist.scene);
}

// A walk that opens and closes brackets at random. It closes more than it opens, so it comes back
// to the outermost level again and again.
Scene tree(std::uint32_t n) {
  Artist artist(1920, 1080);
  Scene& scene = artist.scene;
  Random& random = artist.random;
  struct Bracket {
    void (Scene::*end)();
    Box area;  // What it contains is drawn here.
  };
  std::vector<Bracket> open;
  const auto clip = [&](const Box& area, float side) {
    const Box box = artist.box_in(area, side / 4, side);
    artist.shape(box);
    scene.begin_clip();
    open.push_back({&Scene::end_clip, box});
  };
  while (scene.ops.size() < n) {
    const Box area = open.empty() ? Box{-30, -30, 1980, 1140} : open.back().area;
    const std::size_t left = n - scene.ops.size() - open.size();  // each open bracket needs an end
    const std::uint32_t choice = random.below(100);
    if (left == 0 || (choice < 24 && !open.empty())) {
      (scene.*open.back().end)();
      open.pop_back();
    } else if (left < 4 || choice < 82) {
      const float largest = random.percent(2) ? 400 : 60;
      artist.draw(artist.box_in(area, 5, largest));
    } else if (choice < 92) {
      clip(area, 240);
    } else if (choice < 99) {
      const float degrees = random.between(-20, 20), scale = random.between(0.9f, 1.1f);
      scene.push_transform(turn_about(area.centre(), degrees, scale));
      open.push_back({&Scene::pop_transform, area});
    } else {
      clip(area, 120);  // keeps the layer small
      scene.begin_layer(random.between(0.3f, 1));
      open.push_back({&Scene::end_layer, open.back().area});
    }
  }
  return std::move(scene);
}

Scene shapes(std::uint32_t n) {
  Artist artist(1920, 1080);
  for (std::uint32_t i = 0; i < n; ++i) {
    artist.draw(artist.box_in({-60, -60, 2040, 1200}, 10, 200));
  }
  return std::move(artist.scene);
}

// Clips to a shape that contains the middle of a picture of 512 x 512.
void large_clip(Artist& artist) {
  Random& random = artist.random;
  const Point low{random.between(-80, 80), random.between(-80, 80)};
  const Point high{random.between(432, 592), random.between(432, 592)};
  if (random.percent(50)) {
    artist.scene.rectangle(low.x, low.y, high.x - low.x, high.y - low.y);
  } else {
    const float rx = random.between(240, 400), ry = random.between(240, 400);
    artist.scene.ellipse((low.x + high.x) / 2, (low.y + high.y) / 2, rx, ry);
  }
  artist.scene.begin_clip();
}

// Is the bracket an opening one? Where P = 256 symbols are a tile, four kinds of tiles take turns:
//   () (…(    )…) ()(    ) (…(    )…) ()
// A run matches that of the tile before, all but one bracket, which stays open.
bool opens(std::uint32_t bracket) {
  constexpr std::uint32_t kTile = 256;
  const std::uint32_t place = bracket % kTile;
  switch (bracket / kTile % 4) {
    case 0:
      return place != 1;
    case 1:
      return place == kTile - 3 || place == kTile - 1;
    case 2:
      return place != 0;
    default:
      return place == kTile - 2;
  }
}

Scene adversary(std::uint32_t n) {
  Artist artist(512, 512);
  for (std::uint32_t i = 0; i < n; ++i) {
    if (opens(i)) {
      large_clip(artist);
    } else {
      artist.scene.end_clip();
    }
    if (artist.random.percent(25)) artist.draw(artist.box_in({0, 0, 512, 512}, 4, 32));
  }
  return std::move(artist.scene);
}

// Ends come at random, whatever is open, and fewer than beginnings.
Scene broken(std::uint32_t n) {
  constexpr std::array<void (Scene::*)(), 3> kEnds{&Scene::end_clip, &Scene::end_layer,
                                                   &Scene::pop_transform};
  Artist artist(512, 512);
  Scene& scene = artist.scene;
  while (scene.ops.size() < std::min(n, 16u)) (scene.*kEnds[scene.ops.size() % 3])();
  while (scene.ops.size() < n) {
    const std::uint32_t choice = artist.random.below(100);
    if (choice < 60) {
      artist.draw(artist.box_in({0, 0, 512, 512}, 8, 80));
    } else if (choice < 78) {
      (scene.*kEnds[artist.random.below(3)])();
    } else if (choice < 88) {
      large_clip(artist);
    } else if (choice < 90) {
      scene.begin_layer(artist.random.between(0.5f, 1));
    } else {
      scene.push_transform(turn_about({256, 256}, artist.random.between(-9, 9), 1));
    }
  }
  return std::move(scene);
}

// Stacks of clips stand in the cells of a grid, one after the other.
Scene clips(std::uint32_t n) {
  constexpr std::uint32_t kDepth = 10000, kLevelsPerFill = 100;
  const std::uint32_t stacks = (n + kDepth - 1) / kDepth;
  const auto columns = static_cast<std::uint32_t>(std::ceil(std::sqrt(stacks)));
  const float cell = 1024 / static_cast<float>(columns);
  Artist artist(1024, 1024);
  Scene& scene = artist.scene;
  for (std::uint32_t stack = 0; stack < stacks; ++stack) {
    const float x = cell * static_cast<float>(stack % columns);
    const float y = cell * static_cast<float>(stack / columns);
    const std::uint32_t depth = std::min(kDepth, n - stack * kDepth);
    for (std::uint32_t level = 0; level < depth; ++level) {
      const float inset = cell / 2 * static_cast<float>(level) / kDepth;
      const float side = cell - 2 * inset;
      scene.rectangle(x + inset, y + inset, side, side);
      scene.begin_clip();
      if (level % kLevelsPerFill != 0) continue;
      scene.rectangle(x, y, cell, cell);
      scene.fill(artist.solid());
    }
    for (std::uint32_t level = 0; level < depth; ++level) scene.end_clip();
  }
  return std::move(scene);
}

constexpr Generator kGenerators[] = {
    {"droste", 4096, "n clips, each inside the one before and turned a little", droste},
    {"quadtree", 7, "clips to cells of cells, n levels deep (at most 10)", quadtree},
    {"tree", 100000, "n operations: a random tree of clips, transforms, layers and draws", tree},
    {"shapes", 1000, "n draws of all kinds without clips", shapes},
    {"adversary", 65536, "n begins and ends of clips in an order that is hard to match", adversary},
    {"broken", 2000, "n operations whose begins and ends do not match", broken},
    {"clips", 200000, "n clips in stacks of 10,000", clips},
    {"large", 1000000, "the same as tree with more operations, for timing", tree},
};

}  // namespace

std::span<const Generator> generators() { return kGenerators; }

Scene generate(std::string_view name, std::uint32_t n) {
  for (const Generator& generator : kGenerators) {
    if (generator.name == name) return generator.make(n != 0 ? n : generator.n);
  }
  throw std::invalid_argument("there is no generator \"" + std::string(name) + "\"");
}

}  // namespace scene2d
