// Sequences past 2^32 bytes, on devices that hold them.
#include "support.hpp"

namespace vkprims::test {

TEST_CASE("large: sequences past 2^32 bytes, with one contiguous address, at every primitive") {
  constexpr std::uint64_t n = (std::uint64_t{1} << 30) + (1 << 20) + 3;  // u32: 4 GiB and a little
  const bool cpu = context().properties().deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
  if (cpu || context().heap_budget() < 4 * n * sizeof(std::uint32_t)) {
    MESSAGE("skipped: " << (cpu ? "a CPU device would take minutes" : "not enough device memory"));
    return;
  }
  const Device& d = device();
  const auto a = context().allocate<std::uint32_t>(n + 1),
             b = context().allocate<std::uint32_t>(n + 1);
  const auto sums = context().allocate<std::uint64_t>(4);
  const ReduceDesc desc{.count = n};
  const DirtyScratch scratch(reduce_scratch(d, desc));
  // 0 + 1 + … + (n - 1) modulo 2^32, and n times 7.
  const std::uint32_t expected =
      static_cast<std::uint32_t>((n % 2 ? n * ((n - 1) / 2) : (n / 2) * (n - 1)));
  for (const std::uint64_t offset : {0, 1}) {
    CAPTURE(offset);
    const auto from = a.slice(offset, n), to = b.slice(1 - offset, n);
    run([&](VkCommandBuffer cmd) {
      throw_if_error(record_iota(cmd, d, {.count = n}, {from.view(), {}}));
      throw_if_error(record_barrier(cmd, d));
      throw_if_error(record_copy(cmd, d, {4, n}, {from.view(), to.view(), {}}));
      throw_if_error(record_barrier(cmd, d));
      throw_if_error(record_reduce(cmd, d, desc, {to.view(), {sums.address(), 4}, scratch.get()}));
      throw_if_error(record_barrier(cmd, d));
      throw_if_error(record_fill(cmd, d, {4, n, 7u}, {from.view(), {}}));
      throw_if_error(record_barrier(cmd, d));
      throw_if_error(
          record_reduce(cmd, d, desc, {from.view(), {sums.address() + 8, 4}, scratch.get()}));
    });
    const auto result = context().download(sums);
    CHECK(static_cast<std::uint32_t>(result[0]) == expected);
    CHECK(static_cast<std::uint32_t>(result[1]) == static_cast<std::uint32_t>(7 * n));
    for (const std::uint64_t at : {std::uint64_t{0}, std::uint64_t{1} << 30, n - 5}) {
      const auto part = context().download(b, 1 - offset + at, 5);
      for (std::uint64_t i = 0; i < 5; ++i) CHECK(part[i] == static_cast<std::uint32_t>(at + i));
    }
  }
}

TEST_CASE("large: arg_reduce names an index past 2^32") {
  constexpr std::uint64_t n = (std::uint64_t{1} << 32) + (1 << 20) + 7;
  const bool cpu = context().properties().deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
  if (cpu || context().heap_budget() < 2 * n * sizeof(std::uint32_t)) {
    MESSAGE("skipped: " << (cpu ? "a CPU device would take minutes" : "not enough device memory"));
    return;
  }
  const Device& d = device();
  const auto in = context().allocate<std::uint32_t>(n);
  const auto index = context().allocate<std::uint64_t>(1);
  const auto value = context().allocate<std::uint32_t>(1);
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_fill(cmd, d, {4, n, 7u}, {in.view(), {}}));
  });
  context().write(in, std::vector<std::uint32_t>{3, 7, 3}, n - 5);
  const ArgReduceDesc all{.count = n};
  const DirtyScratch scratch(arg_reduce_scratch(d, all));
  for (const std::uint64_t offset : {0, 1}) {
    CAPTURE(offset);
    const ArgReduceDesc desc{.count = n - offset};
    run([&](VkCommandBuffer cmd) {
      throw_if_error(record_arg_reduce(
          cmd, d, desc,
          {in.slice(offset, n - offset).view(), index.view(), value.view(), scratch.get()}));
    });
    CHECK(context().download(index)[0] == n - 5 - offset);
    CHECK(context().download(value)[0] == 3);
  }
}

TEST_CASE("large: scan past 2^32 bytes, and past 2^32 elements") {
  constexpr std::uint64_t n = (std::uint64_t{1} << 30) + (1 << 20) + 3,
                          wide_n = (std::uint64_t{1} << 32) + (1 << 20) + 3;
  const bool cpu = context().properties().deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
  if (cpu || context().heap_budget() < 6 * wide_n) {
    MESSAGE("skipped: " << (cpu ? "a CPU device would take minutes" : "not enough device memory"));
    return;
  }
  const Device& d = device();
  const auto sum = context().allocate<std::uint32_t>(1);
  // The scan of equal elements is their multiples: sampled here and there, and summed.
  const auto check = [&](const Buffer<std::uint32_t>& out, std::uint64_t first, std::uint64_t count,
                         std::uint32_t step) {
    const ReduceDesc desc{.count = count};
    const DirtyScratch scratch(reduce_scratch(d, desc));
    run([&](VkCommandBuffer cmd) {
      throw_if_error(
          record_reduce(cmd, d, desc, {out.slice(first, count).view(), sum.view(), scratch.get()}));
    });
    const std::uint64_t pairs =
        count % 2 ? count * ((count - 1) / 2) : (count / 2) * (count - 1);  // modulo 2^64
    CHECK(context().download(sum)[0] == static_cast<std::uint32_t>(step * pairs));
    for (std::uint64_t at = 0; at < count - 5; at += count / 7) {
      const auto part = context().download(out, first + at, 5);
      for (std::uint64_t i = 0; i < 5; ++i) {
        CHECK(part[i] == static_cast<std::uint32_t>(step * (at + i)));
      }
    }
  };
  {
    const auto in = context().allocate<std::uint32_t>(n + 1),
               out = context().allocate<std::uint32_t>(n + 1);
    for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass}) {
      for (const std::uint64_t offset : {0, 1}) {
        for (const bool in_place : {false, true}) {
          const ScanDesc desc{.count = n, .schedule = schedule};
          const DirtyScratch scratch(scan_scratch(d, desc));
          const BufferView from = in.slice(offset, n).view(), to = out.slice(1, n).view();
          run([&](VkCommandBuffer cmd) {
            throw_if_error(record_fill(cmd, d, {4, n, 3u}, {from, {}}));
            throw_if_error(record_barrier(cmd, d));
            throw_if_error(record_scan(cmd, d, desc, {from, in_place ? from : to, scratch.get()}));
          });
          check(in_place ? in : out, in_place ? offset : 1, n, 3);
        }
      }
    }
  }
  const auto in = context().allocate<std::uint8_t>(wide_n + 4);
  const auto out = context().allocate<std::uint32_t>(wide_n);
  const ScanDesc desc{.count = wide_n, .input = ScanInput::u8};
  const DirtyScratch scratch(scan_scratch(d, desc));
  const BufferView from = in.slice(1, wide_n).view();
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_fill(cmd, d, {1, wide_n, std::uint8_t{200}}, {from, {}}));
    throw_if_error(record_barrier(cmd, d));
    throw_if_error(record_scan(cmd, d, desc, {from, out.view(), scratch.get()}));
  });
  check(out, 0, wide_n, 200);
}

}  // namespace vkprims::test
