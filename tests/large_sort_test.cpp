// Sorts past 2^32 bytes, and of more than 2^32 keys, on devices that hold them.
#include "support/large.hpp"

namespace vkprims::test {

using namespace large;

namespace {

// Keys are i * kStep modulo 2^32: among 2^32 of them each word occurs once, and the first kExtra
// once more.
constexpr std::uint32_t kStep = 0x9e3779b1u;
constexpr std::uint64_t kExtra = (5 << 20) + 3;
constexpr std::uint64_t kKeys = (std::uint64_t{1} << 32) + kExtra;

class SortedKeys {
 public:
  SortedKeys() : extra_(kExtra) {
    for (std::uint64_t i = 0; i < kExtra; ++i) extra_[i] = static_cast<std::uint32_t>(i) * kStep;
    std::sort(extra_.begin(), extra_.end());
  }
  /// Returns the i-th key in ascending order.
  std::uint32_t operator()(std::uint64_t i) const {
    // This finds the largest word with fewer than i + 1 keys below it.
    std::uint64_t low = 0, high = 0xffffffffu;
    while (low < high) {
      const std::uint64_t middle = (low + high + 1) / 2;
      const auto below = std::lower_bound(extra_.begin(), extra_.end(), middle) - extra_.begin();
      if (middle + static_cast<std::uint64_t>(below) <= i) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return static_cast<std::uint32_t>(low);
  }

 private:
  std::vector<std::uint32_t> extra_;
};

}  // namespace

TEST_CASE("large: radix_sort past 2^32 bytes, and of more than 2^32 keys") {
  const Device& d = device();
  for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass}) {
    const RadixSortDesc desc{.count = kWords, .schedule = schedule};
    const ScratchNeed need = radix_sort_scratch(d, desc);
    if (!holds(2 * kBytes + need.bytes + kBytes)) return;
    const auto in = context().allocate<std::uint32_t>(kWords),
               out = context().allocate<std::uint32_t>(kWords);
    write_iota(in.slice(0, kWords), 7, 0u - 1u);  // 7, 6, … 0, then down from the largest word
    const auto memory = context().allocate<std::uint8_t>(need.bytes);
    run([&](VkCommandBuffer cmd) {
      throw_if_error(
          record_radix_sort(cmd, d, desc,
                            {.in = in.view(),
                             .out = out.view(),
                             .scratch = {memory.handle(), 0, memory.address(), need.bytes}}));
    });
    check_samples(out, 0, kWords, [&](std::uint64_t i) {
      return i < 8 ? static_cast<std::uint32_t>(i)
                   : static_cast<std::uint32_t>((std::uint64_t{1} << 32) - kWords + i);
    });
    CHECK(sum_of(in.view()) == sum_of(out.view()));
  }
  const RadixSortDesc desc{.count = kKeys};
  const ScratchNeed need = radix_sort_scratch(d, desc);
  if (!holds(8 * kKeys + need.bytes + kBytes)) return;
  const SortedKeys sorted;
  const auto in = context().allocate<std::uint32_t>(kKeys),
             out = context().allocate<std::uint32_t>(kKeys);
  write_iota(in.slice(0, kKeys), 0, kStep);
  const auto memory = context().allocate<std::uint8_t>(need.bytes);
  const Scratch scratch{memory.handle(), 0, memory.address(), need.bytes};
  run([&](VkCommandBuffer cmd) {
    throw_if_error(
        record_radix_sort(cmd, d, desc, {.in = in.view(), .out = out.view(), .scratch = scratch}));
  });
  check_samples(out, 0, kKeys, sorted);
  CHECK(sum_of(in.view()) == sum_of(out.view()));
  // The sort is in place, and the count is on the GPU.
  const auto count = device_count(kKeys);
  RadixSortDesc counted = desc;
  counted.count.address = count.address();
  counted.count.width = CountWidth::u64;
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_radix_sort(cmd, d, counted,
                                     {.in = in.view(), .out = in.view(), .scratch = scratch}));
  });
  check_samples(in, 0, kKeys, sorted);
}

TEST_CASE("large: argsort with indices past 2^32") {
  const Device& d = device();
  const ArgsortDesc desc{.index_width = IndexWidth::u64, .count = kKeys};
  const ScratchNeed need = argsort_scratch(d, desc);
  if (!holds(12 * kKeys + need.bytes + kBytes)) return;
  const SortedKeys sorted;
  const auto in = context().allocate<std::uint32_t>(kKeys);
  const auto out = context().allocate<std::uint64_t>(kKeys);
  const auto memory = context().allocate<std::uint8_t>(need.bytes);
  write_iota(in.slice(0, kKeys), 0, kStep);
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_argsort(cmd, d, desc,
                                  {.in = in.view(),
                                   .out = out.view(),
                                   .scratch = {memory.handle(), 0, memory.address(), need.bytes}}));
  });
  for (std::uint64_t k = 0; k < 64; ++k) {
    const std::uint64_t first = (kKeys - 6) / 63 * k;
    const auto part = context().download(out, first, 5);
    for (std::uint64_t i = 0; i < 5; ++i) {
      CAPTURE(first + i);
      CHECK(static_cast<std::uint32_t>(part[i]) * kStep == sorted(first + i));
      CHECK(part[i] < kKeys);
      // Of two equal keys, the earlier one comes first.
      if (i && sorted(first + i) == sorted(first + i - 1))
        CHECK(part[i] == part[i - 1] + (std::uint64_t{1} << 32));
    }
  }
}

TEST_CASE("large: top_k of keys past 2^32 bytes, the best at either end") {
  const Device& d = device();
  constexpr std::uint64_t k = 1000;
  for (const TopKSide side : {TopKSide::largest, TopKSide::smallest}) {
    const TopKDesc desc{.side = side, .k = k, .sorted = true, .count = kWords};
    const ScratchNeed need = top_k_scratch(d, desc);
    if (!holds(kBytes + need.bytes)) return;
    const auto in = context().allocate<std::uint32_t>(kWords);
    const auto out = context().allocate<std::uint32_t>(k),
               places = context().allocate<std::uint32_t>(k);
    const auto memory = context().allocate<std::uint8_t>(need.bytes);
    // The best keys are the last ones of the input.
    const bool largest = side == TopKSide::largest;
    write_iota(in.slice(0, kWords), largest ? 0 : kWords - 1, largest ? 1 : 0u - 1u);
    run([&](VkCommandBuffer cmd) {
      throw_if_error(record_top_k(cmd, d, desc,
                                  {.in = in.view(),
                                   .out = out.view(),
                                   .indices_out = places.view(),
                                   .scratch = {memory.handle(), 0, memory.address(), need.bytes}}));
    });
    const auto keys = context().download(out), rows = context().download(places);
    for (std::uint64_t i = 0; i < k; ++i) {
      CHECK(keys[i] == (largest ? kWords - 1 - i : i));
      CHECK(rows[i] == kWords - 1 - i);
    }
  }
}

TEST_CASE("large: segmented_sort past 2^32 bytes, of a few segments and of millions") {
  const Device& d = device();
  for (const std::uint64_t length : {std::uint64_t{0}, std::uint64_t{16}}) {
    const std::uint64_t middle = kWords / 2 + 7;
    std::vector<std::uint64_t> few{0, 5, 5, middle, kWords - 3, kWords};
    const std::uint64_t segments = length ? kWords / length : few.size() - 1;
    const SegmentedSortDesc desc{.value_bytes = 4,
                                 .offset_width = length ? IndexWidth::u32 : IndexWidth::u64,
                                 .count = segments,
                                 .key_count = kWords};
    const ScratchNeed need = segmented_sort_scratch(d, desc);
    if (!holds(4 * kBytes + need.bytes + 8 * (segments + 1))) return;
    const auto in = context().allocate<std::uint32_t>(kWords),
               out = context().allocate<std::uint32_t>(kWords),
               rows = context().allocate<std::uint32_t>(kWords),
               rows_out = context().allocate<std::uint32_t>(kWords);
    write_iota(in.slice(0, kWords), kWords - 1, 0u - 1u);
    write_iota(rows.slice(0, kWords));
    const auto offsets = context().upload(few);
    const auto many = context().allocate<std::uint32_t>(segments + 1);
    if (length) write_iota(many.slice(0, segments + 1), 0, static_cast<std::uint32_t>(length));
    const auto memory = context().allocate<std::uint8_t>(need.bytes);
    run([&](VkCommandBuffer cmd) {
      throw_if_error(
          record_segmented_sort(cmd, d, desc,
                                {.in = in.view(),
                                 .out = out.view(),
                                 .values_in = rows.view(),
                                 .values_out = rows_out.view(),
                                 .offsets = length ? many.view() : offsets.view(),
                                 .scratch = {memory.handle(), 0, memory.address(), need.bytes}}));
    });
    // The sort reverses each segment.
    const auto row_at = [&](std::uint64_t i) {
      if (length) return i / length * length + (length - 1 - i % length);
      std::size_t s = 0;
      while (few[s + 1] <= i) ++s;
      return few[s] + few[s + 1] - 1 - i;
    };
    const std::uint64_t sorted = length ? segments * length : kWords;
    check_samples(out, 0, sorted, [&](std::uint64_t i) { return kWords - 1 - row_at(i); });
    check_samples(rows_out, 0, sorted, row_at);
    CHECK(sum_of({rows_out.address(), 4 * sorted}) ==
          static_cast<std::uint32_t>(sorted * (sorted - 1) / 2));
  }
}

TEST_CASE("large: group_by of rows past 2^32 bytes, with a sort and without") {
  const Device& d = device();
  const GroupKey key{.type = Type::u32};
  const GroupValue value{.type = Type::u32};
  const std::vector<GroupAggregation> aggregations{
      {Aggregate::sum}, {Aggregate::min}, {Aggregate::max}, {Aggregate::count}};
  for (const bool dense : {true, false}) {
    const std::uint64_t groups = dense ? 1 : kWords;
    const GroupByDesc desc{.keys = {&key, 1},
                           .values = {&value, 1},
                           .aggregations = aggregations,
                           .count = kWords,
                           .capacity = groups};
    const ScratchNeed need = group_by_scratch(d, desc);
    if (!holds(3 * kBytes + need.bytes + 24 * groups)) return;
    const auto keys = context().allocate<std::uint32_t>(kWords),
               values = context().allocate<std::uint32_t>(kWords);
    // All keys are equal, or all are different and in reverse order.
    write_iota(keys.slice(0, kWords), dense ? 9 : kWords - 1, dense ? 0 : 0u - 1u);
    write_iota(values.slice(0, kWords));
    const auto out_keys = context().allocate<std::uint32_t>(groups),
               lows = context().allocate<std::uint32_t>(groups),
               highs = context().allocate<std::uint32_t>(groups),
               counts = context().allocate<std::uint32_t>(groups);
    const auto sums = context().allocate<std::uint64_t>(groups),
               found = context().allocate<std::uint64_t>(1);
    const auto memory = context().allocate<std::uint8_t>(need.bytes);
    const BufferView key_view = keys.view(), value_view = values.view(), out_view = out_keys.view();
    const std::vector<BufferView> out{sums.view(), lows.view(), highs.view(), counts.view()};
    run([&](VkCommandBuffer cmd) {
      throw_if_error(
          record_group_by(cmd, d, desc,
                          {.keys = {&key_view, 1},
                           .values = {&value_view, 1},
                           .out_keys = {&out_view, 1},
                           .out = out,
                           .group_count = found.view(),
                           .scratch = {memory.handle(), 0, memory.address(), need.bytes}}));
    });
    CHECK(context().download(found)[0] == groups);
    if (dense) {
      CHECK(context().download(out_keys)[0] == 9);
      CHECK(context().download(sums)[0] == kWords * (kWords - 1) / 2);
      CHECK(context().download(lows)[0] == 0);
      CHECK(context().download(highs)[0] == kWords - 1);
      CHECK(context().download(counts)[0] == kWords);
      continue;
    }
    check_samples(out_keys, 0, groups, [](std::uint64_t g) { return g; });
    check_samples(sums, 0, groups, [](std::uint64_t g) { return kWords - 1 - g; });
    check_samples(lows, 0, groups, [](std::uint64_t g) { return kWords - 1 - g; });
    check_samples(highs, 0, groups, [](std::uint64_t g) { return kWords - 1 - g; });
    check_samples(counts, 0, groups, [](std::uint64_t) { return 1; });
  }
}

}  // namespace vkprims::test
