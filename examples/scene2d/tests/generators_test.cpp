// Generators: how much they make, that it nests as they say, and that it stays the same.
#include "generators.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>

namespace scene2d {
namespace {

// Operations by tag, and how their brackets nest.
struct Counts {
  std::array<std::size_t, 16> of{};
  std::size_t deepest = 0, open = 0;
  std::size_t unmatched = 0;  // ends that end another kind of bracket, or none

  explicit Counts(const Scene& scene) {
    std::vector<Tag> stack;
    for (const Op& op : scene.ops) {
      const Tag tag = op.tag();
      ++of[static_cast<std::size_t>(tag)];
      if (tag == Tag::draw) continue;
      if (tag == Tag::push_transform || tag == Tag::begin_clip || tag == Tag::begin_layer) {
        stack.push_back(tag);
        deepest = std::max(deepest, stack.size());
        continue;
      }
      const auto begin = static_cast<Tag>(static_cast<int>(tag) - 1);
      if (stack.empty() || stack.back() != begin) ++unmatched;
      if (!stack.empty()) stack.pop_back();
    }
    open = stack.size();
  }

  std::size_t operator[](Tag tag) const { return of[static_cast<std::size_t>(tag)]; }
  bool match() const { return unmatched == 0 && open == 0; }
};

Counts counts(const char* name, std::uint32_t n) {
  const Scene scene = generate(name, n);
  CAPTURE(name);
  CAPTURE(n);
  CHECK(find_error(scene) == "");
  return Counts(scene);
}

// FNV-1a, of what does not depend on how a platform rounds: tags, styles, paints and stops.
std::uint32_t hash_of(const Scene& scene) {
  std::uint32_t hash = 2166136261u;
  const auto add = [&hash](std::uint32_t value) { hash = (hash ^ value) * 16777619u; };
  for (const Tag tag : scene.tags) add(static_cast<std::uint32_t>(tag));
  for (const Op& op : scene.ops) add(op.style), add(op.paint);
  for (const Paint& paint : scene.paints) {
    add(static_cast<std::uint32_t>(paint.kind) << 8 | static_cast<std::uint32_t>(paint.spread));
    add(paint.stops);
  }
  return hash;
}

// Numbers may differ in their last bits between platforms, so they are summed up, not hashed.
double sum_of(const Scene& scene) {
  double sum = 0;
  for (const Point& p : scene.points) sum += p.x + 3 * p.y;
  for (const Op& op : scene.ops) {
    for (const float value : op.values) sum += 100 * value;
  }
  for (const Paint& p : scene.paints) sum += p.x0 + 3 * p.y0 + 100 * (p.colour.r + p.radius);
  return sum;
}

}  // namespace

TEST_CASE("generators: each is found by its name, and 0 stands for its default") {
  CHECK(generators().size() == 8);
  for (const Generator& generator : generators()) {
    CAPTURE(generator.name);
    CHECK(generator.n > 0);
    CHECK(!generator.sentence.empty());
    if (generator.n > 5000) continue;  // It takes long.
    const Scene scene = generate(generator.name);
    CHECK(scene.ops.size() == generate(generator.name, generator.n).ops.size());
    CHECK(find_error(scene) == "");
  }
  CHECK_THROWS_WITH_AS(generate("foo"), "there is no generator \"foo\"", std::invalid_argument);
  CHECK_THROWS_WITH_AS(generate("quadtree", 11), "quadtree: a depth of more than 10 is too much",
                       std::invalid_argument);
}

TEST_CASE("generators: droste makes n clips in n transforms, each inside the one before") {
  for (const std::uint32_t n : {1u, 2u, 7u, 500u}) {
    const Counts c = counts("droste", n);
    CHECK((c[Tag::begin_clip] == n && c[Tag::push_transform] == n && c[Tag::draw] == n));
    CHECK(c.deepest == 2 * n);
    CHECK(c.match());
  }
  // Each transform turns by 2 degrees about the middle; all shrink by 64 together.
  const Scene scene = generate("droste", 6);
  for (const Op& op : scene.ops) {
    if (op.tag() != Tag::push_transform) continue;
    const Affine m{op.values[0], op.values[1], op.values[2],
                   op.values[3], op.values[4], op.values[5]};
    CHECK(m.a == doctest::Approx(0.5 * std::cos(0.034906585)).epsilon(1e-5));
    CHECK(m.b == doctest::Approx(0.5 * std::sin(0.034906585)).epsilon(1e-4));
    const Point middle = m * Point{512, 512};
    CHECK(middle.x == doctest::Approx(512).epsilon(1e-5));
    CHECK(middle.y == doctest::Approx(512).epsilon(1e-5));
  }
}

TEST_CASE("generators: quadtree clips to 4^k cells on each level k") {
  std::size_t cells = 1, all = 1;
  for (std::uint32_t n = 1; n <= 5; ++n) {
    cells *= 4;
    all += cells;
    const Counts c = counts("quadtree", n);
    CHECK((c[Tag::begin_clip] == all && c[Tag::push_transform] == all));
    CHECK(c[Tag::draw] == all + cells);  // one more in each leaf
    CHECK(c.deepest == 2 * (n + 1));
    CHECK(c.match());
  }
}

TEST_CASE("generators: tree and large make n operations, whose brackets match") {
  for (const char* name : {"tree", "large"}) {
    for (std::uint32_t n = 1; n <= 40; ++n) {
      const Counts c = counts(name, n);
      CHECK(c.match());
      CHECK(generate(name, n).ops.size() == n);
    }
    const Counts c = counts(name, 5000);
    CHECK(c.match());
    CHECK(c.deepest >= 10);
    CHECK((c[Tag::begin_layer] > 5 && c[Tag::begin_clip] > 100 && c[Tag::push_transform] > 100));
    CHECK(generate(name, 5000).ops.size() == 5000);
  }
}

TEST_CASE("generators: shapes makes n draws of all kinds, and nothing else") {
  const Scene scene = generate("shapes", 400);
  const Counts c(scene);
  CHECK((c[Tag::draw] == 400 && scene.ops.size() == 400));
  std::map<std::string, int> kinds;
  for (const Op& op : scene.ops) {
    ++kinds[op.is_stroke() ? "stroke" : "fill"];
    ++kinds["paint " + std::to_string(static_cast<int>(scene.paints[op.paint].kind))];
    if (op.is_stroke()) ++kinds["cap " + std::to_string(static_cast<int>(op.cap()))];
    if (op.is_stroke()) ++kinds["join " + std::to_string(static_cast<int>(op.join()))];
    ++kinds["rule " + std::to_string(static_cast<int>(op.rule()))];
  }
  CHECK(kinds.size() == 13);
  for (const auto& kind : kinds) {
    CAPTURE(kind.first);
    CHECK(kind.second > 10);
  }
}

TEST_CASE("generators: adversary has n brackets in tiles of four kinds") {
  for (const std::uint32_t n : {1u, 3u, 255u, 1500u}) {
    const Counts c = counts("adversary", n);
    CHECK(c[Tag::begin_clip] + c[Tag::end_clip] == n);
    CHECK(c[Tag::push_transform] + c[Tag::begin_layer] + c[Tag::end_layer] == 0);
  }
  // Tiles of 256: ()(((…  )))…)()(  )(((…  )))…()
  std::string brackets;
  for (const Op& op : generate("adversary", 1024).ops) {
    if (op.tag() != Tag::draw) brackets += op.tag() == Tag::begin_clip ? '(' : ')';
  }
  const std::string many(300, '('), back(300, ')');
  const std::string tiles = "()" + many.substr(0, 254) + back.substr(0, 253) + "()(" + ")" +
                            many.substr(0, 255) + back.substr(0, 254) + "()";
  CHECK(brackets == tiles);
}

TEST_CASE("generators: broken makes n operations, with extra ends and brackets that stay open") {
  for (const std::uint32_t n : {1u, 16u, 17u, 200u}) {
    const Counts c = counts("broken", n);
    CHECK(generate("broken", n).ops.size() == n);
    CHECK(c.unmatched >= std::min(n, 16u));
  }
  const Counts c = counts("broken", 2000);
  CHECK(c.open > 10);
  CHECK(c[Tag::draw] > 1000);
}

TEST_CASE("generators: clips stand in stacks of 10,000, with a fill in each hundredth") {
  for (const std::uint32_t n : {1u, 100u, 101u, 12345u}) {
    const Counts c = counts("clips", n);
    CHECK(c[Tag::begin_clip] == n);
    CHECK(c.deepest == std::min(n, 10000u));
    CHECK(c.match());
    CHECK(c[Tag::draw] == (n + 99) / 100);
  }
}

TEST_CASE("generators: scenes are the same on each call, and as they always were") {
  struct Known {
    std::uint32_t n, hash;
    double sum;
  };
  // These have been computed by the generators: whoever changes one has to change them on purpose.
  const std::map<std::string_view, Known> known = {
      {"droste", {20, 270303261u, 1721647.41}},      {"quadtree", {2, 297579929u, 1206234.09}},
      {"tree", {300, 1357258920u, 5753861.5}},       {"shapes", {50, 3785782226u, 1338836.87}},
      {"adversary", {300, 3064896052u, 3097008.22}}, {"broken", {200, 708771877u, 1372373.12}},
      {"clips", {150, 3576490135u, 1248548.92}},     {"large", {300, 1357258920u, 5753861.5}}};
  for (const Generator& generator : generators()) {
    CAPTURE(generator.name);
    const Known& k = known.at(generator.name);
    const Scene scene = generate(generator.name, k.n), again = generate(generator.name, k.n);
    CHECK(hash_of(scene) == k.hash);
    CHECK(sum_of(scene) == doctest::Approx(k.sum).epsilon(1e-6));
    CHECK(hash_of(again) == hash_of(scene));
    CHECK(sum_of(again) == sum_of(scene));
  }
}

}  // namespace scene2d
