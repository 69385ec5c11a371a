// Tests of dispatch_args.
#include "oracles/dispatch_args.hpp"

#include "runtime/dispatch_args/dispatch_args.abi.h"
#include "spirv/dispatch_args.hpp"
#include "support/spirv_reader.hpp"
#include "support/support.hpp"

namespace vkprims::test {
namespace {

std::array<std::uint32_t, 3> args_on_device(const DispatchArgsDesc& desc) {
  const Device& d = device();
  const Guarded args(12, 4);
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_dispatch_args(cmd, d, desc, {args.view()}));
  });
  const std::vector<std::uint32_t> words = args.read<std::uint32_t>();
  return {words[0], words[1], words[2]};
}

}  // namespace

TEST_CASE("dispatch_args: x * y covers the items, folded into y past 65,535") {
  const std::uint64_t big = std::uint64_t{1} << 38;
  for (const std::uint64_t per_group :
       {std::uint64_t{1}, std::uint64_t{3}, std::uint64_t{256}, std::uint64_t{1000003}}) {
    for (const std::uint64_t n :
         {std::uint64_t{0}, std::uint64_t{1}, per_group - 1, per_group, per_group + 1,
          65'535 * per_group, 65'535 * per_group + 1, std::uint64_t{4'294'836'224}, big}) {
      if (n / per_group >= 65'535ull * 65'535) continue;
      CAPTURE(n);
      CAPTURE(per_group);
      const std::array<std::uint32_t, 3> expected = oracle::dispatch_args(n, per_group);
      CHECK(args_on_device({n, per_group}) == expected);
      const auto count = device_count(n);
      CHECK(args_on_device({{n, count.address(), CountWidth::u64}, per_group}) == expected);
    }
  }
}

TEST_CASE("dispatch_args: smoke" * doctest::test_suite("smoke")) {
  for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{25}, std::uint64_t{70'000'000}}) {
    const auto count = device_count(n);
    const auto args = context().allocate<std::uint32_t>(3);
    context().run([&](Recorder& r) {
      const Count items(80'000'000, count.address(), CountWidth::u64);
      dispatch_args(r, {.count = items, .items_per_group = 10}, args);
    });
    const auto [x, y, z] = oracle::dispatch_args(n, 10);
    CHECK(context().download(args) == std::vector<std::uint32_t>{x, y, z});
  }
}

TEST_CASE("dispatch_args: a count on the GPU is clamped to max") {
  const auto count = device_count(5'000'000u);
  CHECK(args_on_device({{1000, count.address()}, 10}) == oracle::dispatch_args(1000, 10));
}

TEST_CASE("dispatch_args: several dispatches, each by a count of its own") {
  const Device& d = device();
  for (const std::uint32_t commands : {0u, 2u, 31u, 32u, 33u, 1000u}) {
    for (const bool wide : {false, true}) {
      CAPTURE(commands);
      CAPTURE(wide);
      std::vector<std::uint64_t> counts = random_values<std::uint64_t>(commands, 3);
      std::vector<std::uint32_t> narrow, expected;
      for (std::size_t i = 0; i < counts.size(); ++i) {
        counts[i] >>= 27 + i % 37;
        narrow.push_back(static_cast<std::uint32_t>(counts[i]));
        const std::uint64_t count = wide ? counts[i] : narrow[i];
        const auto args = oracle::dispatch_args(std::min(count, std::uint64_t{1} << 36), 100);
        expected.insert(expected.end(), args.begin(), args.end());
      }
      const Guarded in = wide ? Guarded(counts) : Guarded(narrow);
      const Guarded out(12 * std::uint64_t{commands}, 4);
      const Count first(std::uint64_t{1} << 36, in.address(),
                        wide ? CountWidth::u64 : CountWidth::u32);
      run([&](VkCommandBuffer cmd) {
        throw_if_error(record_dispatch_args(cmd, d, {first, 100, commands}, {out.view()}));
      });
      CHECK(difference(out.read<std::uint32_t>(), expected) == "");
    }
  }
  const Guarded same(36);
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_dispatch_args(cmd, d, {70, 10, 3}, {same.view()}));
  });
  CHECK(same.read<std::uint32_t>() == std::vector<std::uint32_t>{7, 1, 1, 7, 1, 1, 7, 1, 1});
}

TEST_CASE("dispatch_args: recorded twice in one command buffer, and replayed 100 times") {
  const Device& d = device();
  const auto args = context().allocate<std::uint32_t>(6);
  replay(
      d, [&] { context().write(args, std::vector<std::uint32_t>(6, 0)); },
      [&](VkCommandBuffer cmd, std::uint64_t i) {
        return record_dispatch_args(cmd, d, {100'000 + i, 10}, {args.slice(3 * i, 3).view()});
      },
      [&] {
        CHECK(difference(context().download(args), {10'000, 1, 1, 10'001, 1, 1}) == "");
      });
}

TEST_CASE("dispatch_args: wrong input is refused by name before anything is recorded") {
  const Device& d = device();
  const auto memory = context().allocate<std::uint32_t>(64);
  const DispatchArgsBuffers good{memory.view()};
  const auto refuse = [&](std::initializer_list<const char*> words, const DispatchArgsDesc& bad,
                          const DispatchArgsBuffers& buffers) {
    expect_error(Status::invalid_argument, words,
                 [&](VkCommandBuffer cmd) { return record_dispatch_args(cmd, d, bad, buffers); });
  };
  refuse({"items_per_group is 0"}, {10, 0}, good);
  refuse({"count is"}, {kMaxCount + 1, 1}, good);
  refuse({"4294836225 workgroups"}, {kMaxCount, 1}, good);
  refuse({"args.bytes is 8", "12"}, {10, 1}, {{memory.address(), 8}});
  refuse({"args.address", "multiple of 4"}, {10, 1}, {{memory.address() + 2, 12}});
  refuse({"args", "count", "overlap"}, {{10, memory.address()}, 1}, good);
  refuse({"args.bytes is 256", "264", "commands"}, {10, 1, 22}, good);
  refuse({"args", "count", "overlap"}, {{10, memory.address() + 16}, 1, 3},
         {memory.slice(6, 9).view()});
}

TEST_CASE("dispatch_args: push constants of the shader and of C++ have the same layout") {
  CHECK(push_matches(vkprims::spirv::dispatch_args, sizeof(abi::DispatchArgsPush)));
}

}  // namespace vkprims::test
