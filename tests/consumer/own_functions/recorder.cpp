// Functions of the application's own as steps of a Recorder; every form of a monoid.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "by-recorder/above.hpp"
#include "by-recorder/affine.hpp"
#include "by-recorder/fall.hpp"
#include "by-recorder/greet.hpp"
#include "by-recorder/high.hpp"
#include "by-recorder/highest_first.hpp"
#include "by-recorder/level.hpp"
#include "by-recorder/quote.hpp"
#include "by-recorder/square.hpp"
#include "by-recorder/vowels.hpp"
#include "vkprims/context.hpp"
#include "vkprims/strings.hpp"

using own::affine::Affine;
using vkprims::Context;
using vkprims::Recorder;

namespace {

constexpr std::uint32_t kCount = 10007, kRun = 7;  // elements, and those of a segment

void check(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "FAILED: %s\n", what);
  std::exit(1);
}

Affine both(const Affine& left, const Affine& right) {
  return {right.scale * left.scale, right.scale * left.offset + right.offset};
}
bool same(const Affine& a, const Affine& b) { return a.scale == b.scale && a.offset == b.offset; }

void monoid(Context& context) {
  std::vector<Affine> in(kCount), scan(kCount), scan_in_run(kCount), of_two(kCount), folds;
  std::vector<std::uint32_t> keys(kCount), offsets, tags(kCount);
  Affine total{1, 0}, of_run{1, 0};
  for (std::uint32_t i = 0; i < kCount; ++i) {
    in[i] = {2 * i + 1, i};
    keys[i] = i / kRun;
    tags[i] = static_cast<std::uint32_t>(vkprims::StackTag::open);
    if (i % kRun == 0) {
      of_run = {1, 0};
      folds.emplace_back();
      offsets.push_back(i);
    }
    scan[i] = total = both(total, in[i]);
    of_two[i] = i == 0 ? in[i] : both(in[i - 1], in[i]);
    scan_in_run[i] = folds.back() = of_run = both(of_run, in[i]);
  }
  offsets.push_back(kCount);

  const auto values = context.upload(in);
  const auto key = context.upload(keys), begin = context.upload(offsets);
  const auto tag = context.upload(tags);
  const auto scanned = context.allocate<Affine>(kCount), by_key = context.allocate<Affine>(kCount);
  const auto segmented = context.allocate<Affine>(kCount), stack = context.allocate<Affine>(kCount);
  const auto rolled = context.allocate<Affine>(kCount), reduced = context.allocate<Affine>(1);
  const auto reduced_segments = context.allocate<Affine>(folds.size());
  const auto reduced_keys = context.allocate<Affine>(kCount);
  const auto unique_keys = context.allocate<std::uint32_t>(kCount);
  const auto runs = context.allocate<std::uint64_t>(1);
  context.run([&](Recorder& r) {
    constexpr auto kInclusive = vkprims::ScanKind::inclusive;
    own::affine::scan(r, {.kind = kInclusive}, values, scanned);
    own::affine::reduce(r, {}, values, reduced);
    own::affine::scan_by_key(r, {.kind = kInclusive}, key, values, by_key);
    own::affine::segmented_scan(r, {.kind = kInclusive}, values, begin, segmented);
    own::affine::segmented_reduce(r, {}, values, begin, reduced_segments);
    own::affine::reduce_by_key(r, {}, key, values, unique_keys, reduced_keys, runs);
    own::affine::stack_fold(r, {.kind = vkprims::StackFoldKind::after}, tag, values, stack);
    own::affine::rolling(r, {.preceding = 2}, values, rolled);
  });
  const auto equal = [&](const auto& buffer, const std::vector<Affine>& want) {
    const std::vector<Affine> got = context.download(buffer, 0, want.size());
    return std::equal(got.begin(), got.end(), want.begin(), same);
  };
  check(equal(scanned, scan), "wrong scan");
  check(equal(reduced, {total}), "wrong reduce");
  check(equal(by_key, scan_in_run), "wrong scan_by_key");
  check(equal(segmented, scan_in_run), "wrong segmented_scan");
  check(equal(reduced_segments, folds), "wrong segmented_reduce");
  check(equal(reduced_keys, folds), "wrong reduce_by_key");
  check(context.download(runs)[0] == folds.size(), "wrong number of runs");
  check(equal(stack, scan), "wrong stack_fold");
  check(equal(rolled, of_two), "wrong rolling");
}

void balls(Context& context) {
  using own::fall::Ball;
  std::vector<std::uint32_t> numbers(kCount);
  for (std::uint32_t i = 0; i < kCount; ++i) numbers[i] = i % 64;
  const auto heights = context.upload(numbers);
  const auto balls = context.allocate<Ball>(kCount), high = context.allocate<Ball>(kCount);
  const auto low = context.allocate<Ball>(kCount), chosen = context.allocate<Ball>(kCount);
  const auto sorted = context.allocate<own::highest_first::Ball>(kCount);
  const auto merged = context.allocate<own::highest_first::Ball>(2 * kCount);
  const auto count = context.allocate<std::uint64_t>(1), first = context.allocate<std::uint64_t>(1);
  const auto above = context.allocate<std::uint64_t>(1);
  const auto again = context.allocate<std::uint64_t>(1);
  const auto ground = context.allocate<Ball>(kCount), flying = context.allocate<Ball>(kCount);
  const auto others = context.allocate<Ball>(kCount);
  const auto counts = context.allocate<std::uint64_t>(2);
  context.run([&](Recorder& r) {
    own::square::step(r, {.groups = (kCount + 127) / 128}, {.words = heights, .count = kCount});
    own::fall::map(r, {.arguments = 5.0f}, heights, balls);
    own::high::select(r, {}, balls, chosen, count);
    own::high::partition(r, {}, balls, high, low, again);
    own::high::find_if(r, {}, balls, first);
    own::above::find_if(r, {}, 1500.0f, balls, above);
    own::level::partition_three(r, {}, balls, ground, flying, others, counts);
    own::highest_first::sort(r, {}, balls, sorted);
    own::highest_first::merge(r, {}, sorted, sorted, merged);
  });
  const std::uint64_t most = context.download(count)[0];
  check(most == context.download(again)[0], "different numbers of balls");
  check(context.download(first)[0] == 32, "wrong first ball");
  check(context.download(above)[0] == 39, "wrong first ball above a height");
  check(context.download(counts)[1] == most, "different numbers of high balls");
  const std::vector<Ball> selected = context.download(chosen), parted = context.download(high);
  for (std::uint64_t i = 0; i < most; ++i) {
    check(selected[i].number % 64 >= 32 && selected[i].number == parted[i].number, "wrong ball");
  }
  const auto of_both = context.download(merged);
  check(std::is_sorted(of_both.begin(), of_both.end(),
                       [](const auto& a, const auto& b) { return a.height > b.height; }),
        "wrong order");
}

void strings(Context& context) {
  const vkprims::HostStrings names{"Ada", std::nullopt, "", "Charles"};
  const vkprims::StringColumn column = vkprims::upload_strings(context, names);
  vkprims::StringColumn greetings, quoted;
  vkprims::strings::ValueColumn<own::vowels::Vowels> vowels;
  context.run([&](Recorder& r) {
    greetings = own::greet::make(r, {.text = "Hello, ", .more_text = "!"}, {column}, 64, true);
    quoted = own::quote::make(r, {}, {greetings}, 64, true);
    vowels = own::vowels::make(r, {}, {column});
  });
  const vkprims::HostStrings expected{"Hello, Ada!", std::nullopt, "Hello, !", "Hello, Charles!"};
  check(vkprims::download_strings(context, greetings) == expected, "wrong strings");
  const vkprims::HostStrings in_quotes{"\"Hello, Ada!\"", std::nullopt, "\"Hello, !\"",
                                       "\"Hello, Charles!\""};
  check(vkprims::download_strings(context, quoted) == in_quotes, "wrong quotes");
  const std::vector<own::vowels::Vowels> counts = context.download(vowels.values);
  check(counts[0].count == 2 && counts[0].is_last == 1 && counts[1].count == 0 &&
            counts[3].count == 2 && counts[3].is_last == 0,
        "wrong vowels");
  check(context.download(vowels.validity)[0] == 0b1101, "wrong validity");
}

}  // namespace

int main() try {
  Context context;
  monoid(context);
  balls(context);
  strings(context);
} catch (const vkprims::Error& error) {
  std::fprintf(stderr, "FAILED: %s\n", error.what());
  return 1;
}
