// Sorts and merges structs by an order of the program's own, which is in cell_then_depth.glsl.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "sort_structs/cell_then_depth.hpp"
#include "vkprims/context.hpp"

namespace order = sort_structs::cell_then_depth;
using order::Particle;  // made of the struct in GLSL

namespace {

std::vector<Particle> particles(std::uint32_t count, std::uint32_t first_id) {
  std::vector<Particle> all(count);
  std::uint32_t state = first_id;
  for (std::uint32_t i = 0; i < count; ++i) {
    state = 1664525 * state + 1013904223;  // the constants of Numerical Recipes
    all[i] = {.cell = state >> 22, .depth = state >> 12 & 63, .id = first_id + i, .colour = state};
  }
  return all;
}

// The same order on the host.
bool comes_before(const Particle& a, const Particle& b) {
  return a.cell != b.cell ? a.cell < b.cell : a.depth > b.depth;
}

bool same(const std::vector<Particle>& got, const std::vector<Particle>& want) {
  return std::ranges::equal(got, want, {}, &Particle::id, &Particle::id);
}

}  // namespace

int main() try {
  std::vector<Particle> old_ones = particles(100000, 0), new_ones = particles(3000, 100000);
  vkprims::Context context;
  const auto olds = context.upload(old_ones), news = context.upload(new_ones);
  const auto sorted = context.allocate<Particle>(olds.size());
  const auto all = context.allocate<Particle>(olds.size() + news.size());
  context.run([&](vkprims::Recorder& r) {
    order::sort(r, {}, olds, sorted);
    order::sort(r, {}, news, news);  // in place
    order::merge(r, {}, sorted, news, all);
  });

  // Both are stable: of equal particles, those that came first come first.
  std::ranges::stable_sort(old_ones, comes_before);
  std::ranges::stable_sort(new_ones, comes_before);
  std::vector<Particle> merged(all.size());
  std::ranges::merge(old_ones, new_ones, merged.begin(), comes_before);
  const std::vector<Particle> got = context.download(all);
  const bool right = same(context.download(sorted), old_ones) && same(got, merged);
  std::printf("of %zu particles the first has cell %u and depth %u: %s\n", got.size(), got[0].cell,
              got[0].depth, right ? "right" : "wrong");
  return right ? 0 : 1;
} catch (const vkprims::Error& error) {
  std::fprintf(stderr, "sort_structs: %s\n", error.what());
  return 1;
}
