// What the tests of data past 2^32 bytes share.
#pragma once

#include "support/support.hpp"

namespace vkprims::test::large {

// A little more than 4 GiB, in words and in bytes.
inline constexpr std::uint64_t kWords = (std::uint64_t{1} << 30) + (1 << 20) + 3;
inline constexpr std::uint64_t kBytes = (std::uint64_t{1} << 32) + (1 << 20) + 3;

// Says whether the device has `bytes` of memory; if not, prints why the case is skipped.
inline bool holds(std::uint64_t bytes) {
  context().trim();
  const bool cpu = context().properties().deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
  if (!cpu && context().heap_budget() >= bytes) return true;
  const std::string why = cpu ? "a CPU device would take minutes" : "not enough device memory";
  MESSAGE("skipped: " << why);
  return false;
}

// Checks that elements first … first + count - 1 of `buffer` are expected(0), expected(1), …, at a
// few places: here and there, at the ends, and at 2^32 bytes.
template <class T, class F>
void check_samples(const Buffer<T>& buffer, std::uint64_t first, std::uint64_t count,
                   F&& expected) {
  std::vector<std::uint64_t> places{(std::uint64_t{1} << 32) / sizeof(T) - first - 2};
  for (std::uint64_t i = 0; i <= 7; ++i) places.push_back((count - 5) / 7 * i);
  places.push_back(count - 5);
  for (const std::uint64_t at : places) {
    if (at > count - 5) continue;
    const std::vector<T> part = context().download(buffer, first + at, 5);
    for (std::uint64_t i = 0; i < 5; ++i) {
      CAPTURE(at + i);
      CHECK(part[i] == static_cast<T>(expected(at + i)));
    }
  }
}

// Returns the sum of words, modulo 2^32.
inline std::uint32_t sum_of(const BufferView& words) {
  const auto sum = context().allocate<std::uint32_t>(1);
  const ReduceDesc desc{.count = words.bytes / 4};
  const DirtyScratch scratch(reduce_scratch(device(), desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_reduce(cmd, device(), desc, {words, sum.view(), scratch.get()}));
  });
  return context().download(sum)[0];
}

inline void write_iota(const DeviceSpan<std::uint32_t>& out, std::uint32_t start = 0,
                       std::uint32_t step = 1) {
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_iota(cmd, device(), {.count = out.size(), .start = start, .step = step},
                               {out.view(), {}}));
  });
}

template <class T>
void write_fill(const BufferView& out, T value) {
  run([&](VkCommandBuffer cmd) {
    throw_if_error(
        record_fill(cmd, device(), {sizeof(T), out.bytes / sizeof(T), value}, {out, {}}));
  });
}

}  // namespace vkprims::test::large
