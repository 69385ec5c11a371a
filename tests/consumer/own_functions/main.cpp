// Functions of the application's own in its own command buffers.
#include <algorithm>
#include <cstring>
#include <string>

#include "../shared/app.hpp"
#include "app/above.hpp"
#include "app/affine.hpp"
#include "app/fall.hpp"
#include "app/greet.hpp"
#include "app/high.hpp"
#include "app/highest_first.hpp"
#include "app/quote.hpp"
#include "app/square.hpp"
#include "app/vowels.hpp"

namespace {

constexpr std::uint32_t kCount = 10007;

// A kernel, a map, predicates and an order, one after another.
void balls(App& app) {
  const Memory heights = app.allocate(4 * kCount);
  const Memory balls = app.allocate(8 * kCount);
  const Memory high = app.allocate(8 * kCount);
  const Memory low = app.allocate(8 * kCount);
  const Memory sorted = app.allocate(8 * kCount);
  const Memory merged = app.allocate(16 * kCount);
  const Memory count = app.allocate(8);
  const Memory parts_count = app.allocate(8);
  const Memory first = app.allocate(8);
  const Memory first_above = app.allocate(8);
  for (std::uint32_t i = 0; i < kCount; ++i) heights.words[i] = i % 64;
  const vkprims::SelectDesc select{.count = kCount};
  const vkprims::PartitionDesc partition{.count = kCount};
  const vkprims::ReduceDesc find{.count = kCount};
  const vkprims::MergeSortDesc sort{.count = kCount};
  const vkprims::MergeDesc merge{.a_count = kCount, .b_count = kCount};
  const auto select_scratch = app.scratch(app::high::select_scratch(app.prims, select));
  const auto partition_scratch = app.scratch(app::high::partition_scratch(app.prims, partition));
  const auto find_scratch = app.scratch(app::high::find_if_scratch(app.prims, find));
  const auto above_scratch = app.scratch(app::above::find_if_scratch(app.prims, find));
  const auto sort_scratch = app.scratch(app::highest_first::sort_scratch(app.prims, sort));
  const auto merge_scratch = app.scratch(app::highest_first::merge_scratch(app.prims, merge));
  check(app::high::warm_up(app.prims, select));
  app.run([&](VkCommandBuffer cmd) {
    const auto step = [&](const vkprims::Status& status) {
      check(status);
      check(vkprims::record_barrier(cmd, app.prims));
    };
    step(app::square::record(cmd, app.prims, {.groups = (kCount + 127) / 128},
                             {.words = app.view(heights), .count = kCount}));
    step(app::fall::record_map(cmd, app.prims, {.count = kCount, .arguments = 5.0f},
                               {.height = app.view(heights), .out = app.view(balls)}));
    step(app::high::record_select(cmd, app.prims, select,
                                  {.in = app.view(balls),
                                   .out = app.view(high),
                                   .selected_count = app.view(count),
                                   .scratch = select_scratch}));
    step(app::high::record_partition(cmd, app.prims, partition,
                                     {.in = app.view(balls),
                                      .out = app.view(sorted),
                                      .rejected = app.view(low),
                                      .selected_count = app.view(parts_count),
                                      .scratch = partition_scratch}));
    step(app::high::record_find_if(
        cmd, app.prims, find,
        {.in = app.view(balls), .out = app.view(first), .scratch = find_scratch}));
    step(app::above::record_find_if(
        cmd, app.prims, find, 1500.0f,
        {.in = app.view(balls), .out = app.view(first_above), .scratch = above_scratch}));
    step(app::highest_first::record_sort(
        cmd, app.prims, sort,
        {.in = app.view(balls), .out = app.view(sorted), .scratch = sort_scratch}));
    step(app::highest_first::record_merge(cmd, app.prims, merge,
                                          {.a = app.view(sorted),
                                           .b = app.view(sorted),
                                           .out = app.view(merged),
                                           .scratch = merge_scratch}));
  });

  std::vector<std::uint32_t> order(kCount);
  std::uint32_t chosen = 0;
  for (std::uint32_t i = 0; i < kCount; ++i) {
    order[i] = i;
    if (i % 64 >= 32) {  // 32 * 32 - 5 >= 1000
      check(high.words[2 * chosen + 1] == i, "wrong ball");
      ++chosen;
    } else {
      check(low.words[2 * (i - chosen) + 1] == i, "wrong ball among the rejected");
    }
  }
  check(count.words[0] == chosen && parts_count.words[0] == chosen, "wrong number of balls");
  check(first.words[0] == 32, "wrong first ball");
  check(first_above.words[0] == 39, "wrong first ball above a height");  // 39 * 39 - 5 >= 1500
  std::stable_sort(order.begin(), order.end(), [](auto a, auto b) { return a % 64 > b % 64; });
  for (std::uint32_t i = 0; i < kCount; ++i) {
    check(sorted.words[2 * i + 1] == order[i], "wrong order");
    const std::uint32_t height = order[i] % 64, lowered = merged.words[4 * i];
    const float expected = static_cast<float>(height * height) - 5.0f;
    check(std::memcmp(&lowered, &expected, 4) == 0, "wrong order of both");
  }
}

void scan(App& app) {
  const Memory in = app.allocate(8 * kCount), out = app.allocate(8 * kCount);
  for (std::uint32_t i = 0; i < 2 * kCount; ++i) in.words[i] = 3 * i + 1;
  const vkprims::ScanDesc desc{.kind = vkprims::ScanKind::inclusive, .count = kCount};
  const vkprims::Scratch scratch = app.scratch(app::affine::scan_scratch(app.prims, desc));
  app.run([&](VkCommandBuffer cmd) {
    check(app::affine::record_scan(cmd, app.prims, desc,
                                   {.in = app.view(in), .out = app.view(out), .scratch = scratch}));
  });
  std::uint32_t scale = 1, offset = 0;
  for (std::uint32_t i = 0; i < kCount; ++i) {
    scale *= in.words[2 * i];
    offset = in.words[2 * i] * offset + in.words[2 * i + 1];
    check(out.words[2 * i] == scale && out.words[2 * i + 1] == offset, "wrong scan");
  }
}

void strings(App& app) {
  const Memory offsets = app.allocate(16), chars = app.allocate(16);
  const Memory out_offsets = app.allocate(16), out_chars = app.allocate(64);
  const std::uint32_t ends[] = {0, 3, 3, 10};
  std::memcpy(offsets.words, ends, sizeof ends);
  std::memcpy(chars.words, "AdaCharles", 10);
  const Memory quoted_offsets = app.allocate(16), quoted_chars = app.allocate(64);
  const Memory vowels = app.allocate(3 * sizeof(app::vowels::Vowels));
  const vkprims::StringColumnView names{
      .offsets = app.view(offsets), .chars = app.view(chars), .rows = 3};
  const vkprims::strings::RopeDesc desc{.rows = 3, .text = "Hello, ", .more_text = "!"};
  const vkprims::Scratch scratch = app.scratch(app::greet::scratch(app.prims, desc));
  const vkprims::strings::RopeDesc quote{.rows = 3};
  const vkprims::Scratch quote_scratch = app.scratch(app::quote::scratch(app.prims, quote));
  const vkprims::Scratch map_scratch = app.scratch(app::vowels::scratch(app.prims, {}));
  app.run([&](VkCommandBuffer cmd) {
    check(
        app::greet::record(cmd, app.prims, desc,
                           {.a = names,
                            .out = {.offsets = app.view(out_offsets), .chars = app.view(out_chars)},
                            .scratch = scratch}));
    check(app::quote::record(
        cmd, app.prims, quote,
        {.a = names,
         .out = {.offsets = app.view(quoted_offsets), .chars = app.view(quoted_chars)},
         .scratch = quote_scratch}));
    check(app::vowels::record(cmd, app.prims, {},
                              {.a = names, .out = app.view(vowels), .scratch = map_scratch}));
  });
  const std::string expected = "Hello, Ada!Hello, !Hello, Charles!";
  check(out_offsets.words[1] == 11 && out_offsets.words[2] == 19 && out_offsets.words[3] == 34,
        "wrong offsets");
  check(std::memcmp(out_chars.words, expected.data(), expected.size()) == 0, "wrong strings");
  const std::string quoted = "\"Ada\"\"\"\"Charles\"";
  check(quoted_offsets.words[1] == 5 && quoted_offsets.words[2] == 7 &&
            quoted_offsets.words[3] == quoted.size(),
        "wrong offsets of quoted strings");
  check(std::memcmp(quoted_chars.words, quoted.data(), quoted.size()) == 0, "wrong quotes");
  const std::uint32_t counts[] = {2, 1, 0, 0, 2, 0};
  check(std::memcmp(vowels.words, counts, sizeof counts) == 0, "wrong vowels");
}

}  // namespace

int main() {
  App app;
  balls(app);
  scan(app);
  strings(app);
}
