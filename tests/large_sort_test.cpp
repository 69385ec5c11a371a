// Sorts past 2^32 bytes, and of more than 2^32 keys, on devices that hold them.
#include "large.hpp"

namespace vkprims::test {

using namespace large;

namespace {

// Keys i * kStep: each word once in 2^32 of them, and the first kExtra once more.
constexpr std::uint32_t kStep = 0x9e3779b1u;
constexpr std::uint64_t kExtra = (5 << 20) + 3;
constexpr std::uint64_t kKeys = (std::uint64_t{1} << 32) + kExtra;

class SortedKeys {
 public:
  SortedKeys() : extra_(kExtra) {
    for (std::uint64_t i = 0; i < kExtra; ++i) extra_[i] = static_cast<std::uint32_t>(i) * kStep;
    std::sort(extra_.begin(), extra_.end());
  }
  /// The key that comes i-th.
  std::uint32_t operator()(std::uint64_t i) const {
    // The largest of which fewer than i + 1 keys are smaller.
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
  // In place, and the count on the GPU.
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
      // Of two equal keys the first comes first.
      if (i && sorted(first + i) == sorted(first + i - 1))
        CHECK(part[i] == part[i - 1] + (std::uint64_t{1} << 32));
    }
  }
}

}  // namespace vkprims::test
