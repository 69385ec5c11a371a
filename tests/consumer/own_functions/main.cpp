// Functions of the application's own in one command buffer.
#include "../shared/app.hpp"
#include "app/fall.hpp"
#include "app/high.hpp"
#include "app/square.hpp"

int main() {
  constexpr std::uint32_t kCount = 10007;
  App app;
  const Memory heights = app.allocate(4 * kCount);
  const Memory balls = app.allocate(8 * kCount);
  const Memory high = app.allocate(8 * kCount);
  const Memory count = app.allocate(8);
  const Memory first = app.allocate(8);
  for (std::uint32_t i = 0; i < kCount; ++i) heights.words[i] = i % 64;
  const vkprims::SelectDesc select{.count = kCount};
  const vkprims::ReduceDesc find{.count = kCount};
  const vkprims::Scratch scratch = app.scratch(app::high::select_scratch(app.prims, select));
  const vkprims::Scratch find_scratch = app.scratch(app::high::find_if_scratch(app.prims, find));
  app.run([&](VkCommandBuffer cmd) {
    check(app::square::record(cmd, app.prims, {.groups = (kCount + 127) / 128},
                              {.words = app.view(heights), .count = kCount}));
    check(vkprims::record_barrier(cmd, app.prims));
    check(app::fall::record_map(cmd, app.prims, {.count = kCount, .arguments = 5.0f},
                                {.height = app.view(heights), .out = app.view(balls)}));
    check(vkprims::record_barrier(cmd, app.prims));
    check(app::high::record_select(cmd, app.prims, select,
                                   {.in = app.view(balls),
                                    .out = app.view(high),
                                    .selected_count = app.view(count),
                                    .scratch = scratch}));
    check(app::high::record_find_if(
        cmd, app.prims, find,
        {.in = app.view(balls), .out = app.view(first), .scratch = find_scratch}));
  });
  std::uint32_t expected = 0;
  for (std::uint32_t i = 0; i < kCount; ++i) {
    if (i % 64 < 32) continue;  // 32 * 32 - 5 >= 1000
    check(high.words[2 * expected + 1] == i, "wrong ball");
    ++expected;
  }
  check(count.words[0] == expected, "wrong number of balls");
  check(first.words[0] == 32, "wrong first ball");
}
