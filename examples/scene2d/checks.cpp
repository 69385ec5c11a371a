// Pictures against those of the CPU, and the promises of the renderer: partial pictures, frames in
// flight, no allocation in later frames.
#include "checks.hpp"

#include <chrono>
#include <cstdio>

#include "generators.hpp"
#include "render_cpu.hpp"
#include "renderer.hpp"

namespace scene2d {
namespace {

int failures = 0;

void expect(bool right, const std::string& what) {
  std::printf("%s %s\n", right ? "ok    " : "FAILED", what.c_str());
  std::fflush(stdout);
  if (!right) ++failures;
}

bool agree(const Difference& d) { return d.largest <= 1; }

std::string numbers(const Difference& d) {
  char text[160];
  std::snprintf(text, sizeof text, "%llu pixels differ by more than 1/255, at most %u/255",
                static_cast<unsigned long long>(d.pixels_above_1), d.largest);
  return text;
}

Unmatched brackets_of(const Shown& shown) {  // StackHeader: count, unmatched closes, unclosed
  return {shown.results.brackets[2], shown.results.brackets[4]};
}

// Those for lavapipe are small in another respect, too: an invocation of the last kernel has a turn
// for every entry of its tile, and Mesa 22.3 leaves loops after 65,535 turns.
struct Case {
  const char* name;
  std::uint32_t n, side;  // for lavapipe; 0: of full size
};
constexpr Case kCases[] = {{"droste", 128, 128}, {"quadtree", 4, 128},   {"tree", 1000, 192},
                           {"shapes", 60, 192},  {"adversary", 256, 80}, {"broken", 300, 96},
                           {"clips", 1500, 96}};

Scene make(const Case& c, bool full) {
  return full ? generate(c.name) : scaled_to(generate(c.name, c.n), c.side);
}

void check_ablation(Gpu& gpu, bool full) {
  // Every clip lies in every tile then, so this scene is small even on a GPU.
  const Scene scene = full ? generate("quadtree", 4) : scaled_to(generate("quadtree", 3), 128);
  const auto render = [&](bool infinite, std::uint32_t& pairs, double& seconds) {
    Renderer renderer(gpu, {.infinite_boxes = infinite});
    renderer.render(scene);
    const auto begin = std::chrono::steady_clock::now();
    renderer.submit(scene);
    const Shown shown = renderer.wait();
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    pairs = shown.results.pairs;
    return shown.picture;
  };
  std::uint32_t pairs = 0, all_pairs = 0;
  double seconds = 0, all_seconds = 0;
  const Picture with = render(false, pairs, seconds);
  const Picture without = render(true, all_pairs, all_seconds);
  char text[160];
  std::snprintf(text, sizeof text,
                "without clip boxes the picture is the same, with %.1f times the pairs and %.1f "
                "times the time",
                all_pairs / static_cast<double>(pairs), all_seconds / seconds);
  expect(with.pixels == without.pixels && all_pairs > pairs, text);
}

void check_little_room(Gpu& gpu, const Scene& scene, const Picture& whole) {
  Renderer renderer(gpu, {});
  const std::vector<Shown> grown = renderer.render(scene);
  const std::size_t frames = grown.size();
  Room room = renderer.room();
  room.pairs = grown.back().results.pairs / 3;
  Renderer little(gpu, {.room = room});
  const std::vector<Shown> shown = little.render(scene);
  const Shown& first = shown.front();
  const Difference part = compare(first.picture, whole), all = compare(shown.back().picture, whole);
  char text[200];
  std::snprintf(text, sizeof text,
                "with room for %llu of %u pairs frame 1 shows a part (%llu pixels lack something), "
                "and frame 2 all",
                static_cast<unsigned long long>(room.pairs), first.results.pair_report.needed_low,
                static_cast<unsigned long long>(part.pixels_above_1));
  expect(!first.is_whole && shown.size() == 2 && agree(all) && part.pixels_above_1 > 0, text);
  std::snprintf(text, sizeof text, "from the least room all is shown after %zu frames", frames);
  expect(grown.back().is_whole && frames <= 6, text);
}

void check_frames(Gpu& gpu, Scene scene, const Picture& whole) {
  Renderer renderer(gpu, {});
  renderer.render(scene);
  // The memory of both frames in flight is there after two more.
  for (int i = 0; i < 2; ++i) {
    renderer.submit(scene);
    renderer.wait();
  }
  const std::uint32_t before = gpu.allocations();
  renderer.submit(scene);
  bool right = true;
  for (int i = 0; i < 4; ++i) {
    renderer.submit(scene, true);
    right = agree(compare(renderer.wait().picture, whole)) && right;
  }
  right = agree(compare(renderer.wait().picture, whole)) && right;
  expect(right, "five frames, two of them in flight, are right");
  expect(gpu.allocations() == before, "they allocate nothing");

  scene.width = scene.width * 3 / 4;
  scene.height = scene.height / 2;
  const Shown small = renderer.render(scene).back();
  expect(agree(compare(small.picture, render_cpu(scene))),
         "in a smaller window the picture is right");

  Renderer twice(gpu, {.repeat = 2});
  const Shown shown = twice.render(scene).back();
  expect(shown.picture.pixels == small.picture.pixels,
         "recorded twice in one command buffer it is the same");
}

void check_broken(Gpu& gpu, const Scene& scene) {
  Renderer renderer(gpu, {});
  const Unmatched brackets = brackets_of(renderer.render(scene).back());
  char text[160];
  std::snprintf(text, sizeof text,
                "of the broken scene %u ends are extra and %u brackets stay open",
                brackets.extra_ends, brackets.unclosed);
  expect(brackets.extra_ends > 0 && brackets.unclosed > 0, text);
}

}  // namespace

bool verify(Gpu& gpu, const Scene& scene, const std::string& name) {
  Renderer renderer(gpu, {});
  const Shown shown = renderer.render(scene).back();
  const Difference difference = compare(shown.picture, render_cpu(scene));
  const bool right = shown.is_whole && agree(difference);
  std::printf("%s %s, %u operations that can be seen in %u pairs: %s\n",
              right ? "ok    " : "FAILED", name.c_str(), shown.results.items, shown.results.pairs,
              numbers(difference).c_str());
  std::fflush(stdout);
  return right;
}

int check_all(Gpu& gpu, bool full) {
  failures = 0;
  for (const Case& c : kCases) {
    if (!verify(gpu, make(c, full), c.name)) ++failures;
  }
  Scene empty;
  empty.width = empty.height = 40;
  if (!verify(gpu, empty, "an empty scene")) ++failures;

  const Scene tree = full ? generate("tree", 20000) : scaled_to(generate("tree", 400), 96);
  const Picture whole = render_cpu(tree);
  check_ablation(gpu, full);
  check_little_room(gpu, tree, whole);
  check_frames(gpu, tree, whole);
  check_broken(gpu, make(kCases[5], full));
  expect(gpu.messages() == 0, "the validation layer has no messages, if it is on");
  return failures;
}

}  // namespace scene2d
