// No invocation loops as long as the data. These tests run primitives on large data of the shapes
// that would cause it: a single segment, run, group or bin, none at all, and the deepest possible
// nesting. Every other test is held to the same bound in a run that counts turns (turns.hpp), but
// its data are small.
#include "support/turns.hpp"

#include <numeric>

#include "support/spirv_reader.hpp"
#include "support/support.hpp"
#include "vkprims-tests/ascending.hpp"

namespace vkprims::test {
namespace {

constexpr std::uint64_t kLarge = 1
                                 << 20;  // more than kMostTurns for each invocation of a workgroup

/// Runs one step and reports loops in it that are too long.
template <class F>
void check_turns(const char* what, F&& step) {
  CAPTURE(std::string(what));
  take_turns();
  context().run([&](Recorder& r) { step(r); });
  const Turns turns = take_turns();
  CAPTURE(turns.module);
  CHECK(turns.most <= kMostTurns);
}

template <class T>
Buffer<T> all_equal(std::uint64_t n, T value) {
  return context().upload(std::vector<T>(n, value));
}

Buffer<std::uint32_t> ascending(std::uint64_t n) {
  std::vector<std::uint32_t> values(n);
  std::iota(values.begin(), values.end(), 0u);
  return context().upload(values);
}

/// Returns offsets of segments: one has all elements, or all but the last are empty, or all but the
/// first are empty.
std::vector<Buffer<std::uint32_t>> hostile_offsets() {
  const auto n = static_cast<std::uint32_t>(kLarge);
  std::vector<std::uint32_t> behind(kLarge + 1, 0), before(kLarge + 1, n);
  behind.back() = n;
  before.front() = 0;
  std::vector<Buffer<std::uint32_t>> all;
  all.push_back(context().upload(std::vector<std::uint32_t>{0, n}));
  all.push_back(context().upload(behind));
  all.push_back(context().upload(before));
  return all;
}

}  // namespace

TEST_CASE("turns: what is counted is what the loops of a kernel make" *
          doctest::skip(!counts_turns())) {
  const auto values = all_equal<std::uint32_t>(1000, 1);
  const auto out = context().allocate<std::uint32_t>(1);
  take_turns();
  CHECK(take_turns().most == 0);
  context().run([&](Recorder& r) { reduce(r, {}, values, out); });
  const Turns turns = take_turns();
  CHECK(turns.most > 0);
  CHECK(turns.module == "reduce_u32");
}

TEST_CASE("turns: a single segment, run, group or bin is no loop of one invocation" *
          doctest::skip(!counts_turns())) {
  const auto zeros = all_equal<std::uint32_t>(kLarge, 0);
  const auto numbers = ascending(kLarge);
  const auto out = context().allocate<std::uint32_t>(kLarge);
  const auto more = context().allocate<std::uint32_t>(kLarge);
  const auto found = context().allocate<std::uint64_t>(1);

  check_turns("reduce", [&](Recorder& r) { reduce(r, {}, zeros, out); });
  check_turns("arg_reduce", [&](Recorder& r) { arg_reduce(r, {}, zeros, found); });
  for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass}) {
    check_turns("scan", [&](Recorder& r) { scan(r, {.schedule = schedule}, zeros, out); });
    check_turns("scan_by_key", [&](Recorder& r) {
      scan_by_key(r, {.schedule = schedule}, zeros, numbers, out, found);
    });
    check_turns("select", [&](Recorder& r) {
      select(r, {.predicate = Predicate::less, .operand = std::uint32_t{1}, .schedule = schedule},
             zeros, out, found);
    });
    check_turns("unique",
                [&](Recorder& r) { unique(r, {.schedule = schedule}, zeros, out, found); });
    for (const auto* keys : {&zeros, &numbers}) {
      check_turns("run_length_encode", [&](Recorder& r) {
        run_length_encode(r, {.schedule = schedule}, *keys, out, more, found);
      });
      check_turns("reduce_by_key", [&](Recorder& r) {
        reduce_by_key(r, {.schedule = schedule}, *keys, numbers, out, more, found);
      });
    }
    for (const auto* keys : {&zeros, &numbers}) {
      check_turns("radix_sort",
                  [&](Recorder& r) { radix_sort(r, {.schedule = schedule}, *keys, out); });
    }
  }
  check_turns("histogram", [&](Recorder& r) { histogram(r, {.bins = 1000}, zeros, out); });
  check_turns("gather", [&](Recorder& r) { gather(r, {}, numbers, zeros, out); });
  for (const ScatterMode mode : {ScatterMode::assign, ScatterMode::add, ScatterMode::max}) {
    check_turns("scatter", [&](Recorder& r) { scatter(r, {.mode = mode}, numbers, zeros, out); });
  }
  for (const bool sorted : {false, true}) {
    check_turns("search",
                [&](Recorder& r) { search(r, {.needles_sorted = sorted}, zeros, zeros, out); });
  }
  check_turns("merge", [&](Recorder& r) {
    merge(r, {}, zeros, numbers, context().allocate<std::uint32_t>(2 * kLarge));
  });
  for (const auto* keys : {&zeros, &numbers}) {
    check_turns("merge_sort", [&](Recorder& r) { own::ascending::sort(r, {}, *keys, out); });
  }
  for (const std::uint64_t k : {std::uint64_t{1}, std::uint64_t{1000}, kLarge / 2}) {
    check_turns("top_k",
                [&](Recorder& r) { top_k(r, {.k = k, .sorted = true}, zeros, out, more); });
  }
}

TEST_CASE("turns: scatter of floats and wide integers to a single element" *
          doctest::skip(!counts_turns())) {
  const auto zeros = all_equal<std::uint32_t>(kLarge, 0);
  const auto floats = all_equal<float>(kLarge, 1.5f);
  check_turns("f32", [&](Recorder& r) {
    scatter(r, {.mode = ScatterMode::add}, floats, zeros, context().allocate<float>(1));
  });
  const auto bytes = all_equal<std::uint8_t>(kLarge, 7);
  check_turns("u8", [&](Recorder& r) {
    scatter(r, {}, bytes, zeros, context().allocate<std::uint8_t>(1));
  });
  if (!context().device().features().int64) return;
  const auto wide = all_equal<std::uint64_t>(kLarge, 7);
  for (const ScatterMode mode : {ScatterMode::add, ScatterMode::min}) {
    check_turns("u64", [&](Recorder& r) {
      scatter(r, {.mode = mode}, wide, zeros, context().allocate<std::uint64_t>(1));
    });
  }
}

TEST_CASE("turns: segments of all elements and of none" * doctest::skip(!counts_turns())) {
  const auto numbers = ascending(kLarge);
  const auto out = context().allocate<std::uint32_t>(kLarge);
  const auto floats = all_equal<float>(kLarge, 1.0f);
  const auto columns = all_equal<std::uint32_t>(kLarge, 0);
  const auto x = all_equal<float>(1, 1.0f);
  for (const Buffer<std::uint32_t>& offsets : hostile_offsets()) {
    const std::uint64_t segments = offsets.size() - 1;
    CAPTURE(segments);
    check_turns("segmented_reduce", [&](Recorder& r) {
      segmented_reduce(r, {}, numbers, offsets, context().allocate<std::uint32_t>(segments));
    });
    check_turns("segmented_scan",
                [&](Recorder& r) { segmented_scan(r, {}, numbers, offsets, out); });
    check_turns("segmented_sort",
                [&](Recorder& r) { segmented_sort(r, {}, numbers, offsets, out); });
    check_turns("spmv", [&](Recorder& r) {
      spmv(r, {}, floats, columns, offsets, x, context().allocate<float>(segments));
    });
  }
}

TEST_CASE("turns: brackets as deep as can be, and keys in order" * doctest::skip(!counts_turns())) {
  const auto numbers = ascending(kLarge);
  const auto out = context().allocate<std::uint32_t>(kLarge);
  std::vector<std::uint8_t> tags(kLarge, 1);
  std::fill(tags.begin() + kLarge / 2, tags.end(), std::uint8_t{2});
  std::vector<std::uint8_t> opens(kLarge, 1), closes(kLarge, 2);
  // Two opens and one close in turn leave much open in every tile.
  std::vector<std::uint8_t> staircase;
  while (staircase.size() < kLarge) staircase.insert(staircase.end(), {1, 1, 2, 0});
  for (const auto* shape : {&tags, &opens, &closes, &staircase}) {
    const auto symbols = context().upload(*shape);
    for (const StackSchedule schedule : {StackSchedule::multi_pass, StackSchedule::look_back}) {
      check_turns("stack_match",
                  [&](Recorder& r) { stack_match(r, {.schedule = schedule}, symbols, out); });
    }
    for (const StackFoldOver over : {StackFoldOver::enclosing, StackFoldOver::enclosed}) {
      check_turns("stack_fold",
                  [&](Recorder& r) { stack_fold(r, {.over = over}, symbols, numbers, out); });
    }
  }
  std::vector<std::uint32_t> values(kLarge);
  std::iota(values.rbegin(), values.rend(), 0u);
  const auto descending = context().upload(values);
  for (const auto* keys : {&numbers, &descending}) {
    check_turns("nearest_smaller", [&](Recorder& r) { nearest_smaller(r, {}, *keys, out); });
  }
  for (const std::int64_t window : {std::int64_t{3}, std::int64_t{5000}, std::int64_t{kLarge}}) {
    for (const RollingOp op : {RollingOp::sum, RollingOp::min}) {
      check_turns("rolling",
                  [&](Recorder& r) { rolling(r, {.op = op, .preceding = window}, numbers, out); });
    }
  }
}

}  // namespace vkprims::test
