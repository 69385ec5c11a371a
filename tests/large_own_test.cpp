// Functions of an application's own on sequences past 2^32 bytes.
#include "support/large.hpp"
#include "vkprims-tests/ascending.hpp"
#include "vkprims-tests/words1.hpp"
#include "vkprims/merge_sort.hpp"

namespace vkprims::test {

using namespace large;

TEST_CASE("large: a map past 2^32 bytes, at any alignment") {
  constexpr std::uint64_t n = kWords;
  if (!holds(2 * n * sizeof(std::uint32_t))) return;
  const Device& d = device();
  const auto a = context().allocate<std::uint32_t>(n + 1),
             b = context().allocate<std::uint32_t>(n + 1);
  for (const std::uint64_t offset : {0, 1}) {
    CAPTURE(offset);
    const auto in = a.slice(1, n), out = b.slice(offset, n);
    write_iota(in);
    run([&](VkCommandBuffer cmd) {
      throw_if_error(
          own::words1::record_map(cmd, d, {.count = n}, {.x = in.view(), .out = out.view()}));
    });
    // An element is 3 times its input and its own number.
    check_samples(b, offset, n, [](std::uint64_t i) { return 4 * i; });
    CHECK(sum_of(out.view()) == static_cast<std::uint32_t>(2 * n * (n - 1)));
  }
}

TEST_CASE("large: merge_sort past 2^32 bytes, in place and not") {
  const Device& d = device();
  const MergeSortDesc desc{.own = &own::ascending::compare, .count = kWords};
  const ScratchNeed need = merge_sort_scratch(d, desc);
  if (!holds(2 * kBytes + need.bytes + kBytes)) return;
  const auto in = context().allocate<std::uint32_t>(kWords),
             out = context().allocate<std::uint32_t>(kWords);
  const auto memory = context().allocate<std::uint8_t>(need.bytes);
  const Scratch scratch{memory.handle(), 0, memory.address(), need.bytes};
  write_iota(in.slice(0, kWords), 7, 0u - 1u);  // 7, 6, … 0, then down from the largest word
  const std::uint32_t sum = sum_of(in.view());
  for (const auto& sorted : {&out, &in}) {
    run([&](VkCommandBuffer cmd) {
      throw_if_error(record_merge_sort(
          cmd, d, desc, {.in = in.view(), .out = sorted->view(), .scratch = scratch}));
    });
    check_samples(*sorted, 0, kWords, [&](std::uint64_t i) {
      return i < 8 ? i : (std::uint64_t{1} << 32) - kWords + i;
    });
    CHECK(sum_of(sorted->view()) == sum);
  }
}

}  // namespace vkprims::test
