// Tests of reverse.
#include "oracles/reverse.hpp"

#include "blocks/tile.hpp"
#include "elementwise/reverse/reverse.abi.h"
#include "spirv/reverse.hpp"
#include "spirv/reverse_in_place.hpp"
#include "support/every_primitive.hpp"
#include "support/indexed_data.hpp"
#include "support/spirv_reader.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {
namespace {

const RegisterPrimitive kReverse([](std::uint64_t n) {
  return any_primitive("reverse", record_reverse, ReverseDesc{.count = n},
                       ReverseBuffers{view_at(1), view_at(2), some_scratch()});
});

struct Places {
  std::uint64_t in = 0, out = 0;  // bytes from a multiple of 256
  bool in_place = false;
};

// Reverses with `desc`, whose count is `used` when the kernel runs.
template <class E>
void check_against_oracle(const Device& d, const std::vector<E>& values, const Count& count,
                          std::uint64_t used, const Places& places) {
  const ReverseDesc desc{sizeof(E), count};
  const Guarded in(values, places.in);
  const Guarded other(values.size() * sizeof(E), places.out);
  const Guarded& out = places.in_place ? in : other;
  const DirtyScratch scratch(reverse_scratch(d, desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_reverse(cmd, d, desc, {in.view(), out.view(), scratch.get()}));
  });
  std::vector<E> want = values;
  if (!places.in_place && !want.empty()) std::memset(want.data(), 0xcd, want.size() * sizeof(E));
  oracle::reverse<E>(std::span(values).first(std::min<std::uint64_t>(used, values.size())), want);
  CHECK(bits_difference(out.template read<E>(), want) == "");
  if (!places.in_place) CHECK(in.template read<E>() == values);
}

template <class E>
void check_against_oracle(const Device& d, const std::vector<E>& values, const Places& places) {
  check_against_oracle(d, values, values.size(), values.size(), places);
}

// Calls f(E(), n) for all sizes of elements and counts around the edges of tiles. In place, a tile
// has its mirror image besides.
template <class F>
void for_each_size(const Device& d, std::uint64_t tiles, F&& f) {
  for (const std::uint32_t size : {1u, 2u, 4u, 8u, 16u}) {
    CAPTURE(size);
    const std::uint64_t tile = tiles * tile_bytes(d.state()->tuning) / size;
    for (const std::uint64_t n :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{5},
          tile - 1, tile, tile + 1, tile + 16 / size, 3 * tile + 5, 3 * tile + 16}) {
      CAPTURE(n);
      with_element(size, [&](auto zero) { f(zero, n); });
    }
  }
}

}  // namespace

TEST_CASE("reverse: every element size around tile edges, at every alignment of both sides") {
  const Device& d = device(kTinyTiles);
  for_each_size(d, 1, [&](auto zero, std::uint64_t n) {
    using E = decltype(zero);
    const std::vector<E> values = random_elements<E>(n, 1);
    for (std::uint64_t a = 0; a < 16; a += sizeof(E)) {
      for (std::uint64_t b = 0; b < 16; b += sizeof(E)) {
        // All sums of the two occur, which decide how rows of the input lie.
        if (sizeof(E) < 4 && a && b % 5 && (a + b) % 7) continue;
        if (subset() && (a + b) % 5 != 0) continue;
        CAPTURE(a);
        CAPTURE(b);
        check_against_oracle(d, values, {.in = a, .out = b});
      }
    }
  });
}

TEST_CASE("reverse: in place, every element size around tile edges, at every alignment") {
  const Device& d = device(kTinyTiles);
  for_each_size(d, 2, [&](auto zero, std::uint64_t n) {
    using E = decltype(zero);
    for (std::uint64_t a = 0; a < 16; a += sizeof(E)) {
      CAPTURE(a);
      // How the second half lies depends on the count as well.
      for (std::uint64_t more = 0; more < 4; ++more) {
        CAPTURE(more);
        check_against_oracle(d, random_elements<E>(n + more, 2), {.in = a, .in_place = true});
      }
    }
  });
}

TEST_CASE("reverse: the default tiles, large and unaligned") {
  const Device& d = device();
  const auto values = random_elements<Element<1>>(3'000'001, 8);
  for (const bool in_place : {false, true}) {
    CAPTURE(in_place);
    for (const std::uint64_t misalign : {0, 1, 7}) {
      CAPTURE(misalign);
      check_against_oracle(d, values, {.in = misalign, .out = 15, .in_place = in_place});
    }
    check_against_oracle(d, random_elements<Element<4>>(300'000, 3), {.in_place = in_place});
    check_against_oracle(d, random_elements<Element<4>>(300'001, 3), {.in_place = in_place});
  }
}

TEST_CASE("reverse: the count may be read on the GPU; elements past it stay as they were") {
  const Device& d = device(kTinyTiles);
  // 20,000,000 bytes are more than 4,096 tiles, also of half of them, so the grid is computed on
  // the GPU.
  for (const std::uint64_t max : {std::uint64_t{100'000}, std::uint64_t{20'000'000}}) {
    const auto values = random_elements<Element<1>>(max, 2);
    for (const std::uint64_t n :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2047}, max / 3, max, max + 77}) {
      if (subset() && n == max) continue;
      CAPTURE(max);
      CAPTURE(n);
      const auto narrow = device_count(static_cast<std::uint32_t>(n));
      const auto wide = device_count(n);
      for (const bool in_place : {false, true}) {
        CAPTURE(in_place);
        check_against_oracle(d, values, {max, narrow.address()}, n, {.in_place = in_place});
        check_against_oracle(d, values, {max, wide.address(), CountWidth::u64}, n,
                             {.in = 4, .out = 1, .in_place = in_place});
      }
    }
  }
}

TEST_CASE("reverse: more than 65,535 tiles, and twice is as before") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t n = 2 * (65'535ull + 10) * tile_bytes(d.state()->tuning) / 4 + 3;
  const std::vector<std::uint32_t> values = random_values<std::uint32_t>(n, 6);
  const auto in = context().upload(values);
  const auto out = context().allocate<std::uint32_t>(n);
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_reverse(cmd, d, {4, n}, {in.view(), out.view(), {}}));
  });
  std::vector<std::uint32_t> want(values.rbegin(), values.rend());
  CHECK(context().download(out) == want);
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_reverse(cmd, d, {4, n}, {out.view(), out.view(), {}}));
  });
  CHECK(context().download(out) == values);
}

TEST_CASE("reverse: neighbours that share a word are kept when both are written at once") {
  const Device& d = device(kTinyTiles);
  for (const bool in_place : {false, true}) {
    CAPTURE(in_place);
    std::vector<std::uint8_t> values = random_values<std::uint8_t>(5003, 5);
    const auto in = context().upload(values);
    const auto other = context().allocate<std::uint8_t>(5003);
    const auto& out = in_place ? in : other;
    run([&](VkCommandBuffer cmd) {
      // There is no barrier between the two: their ranges do not overlap, although they share
      // words.
      const ReverseDesc first{1, 2501}, second{1, 2502};
      throw_if_error(
          record_reverse(cmd, d, first, {in.slice(0, 2501).view(), out.slice(0, 2501).view(), {}}));
      throw_if_error(record_reverse(
          cmd, d, second, {in.slice(2501, 2502).view(), out.slice(2501, 2502).view(), {}}));
    });
    std::reverse(values.begin(), values.begin() + 2501);
    std::reverse(values.begin() + 2501, values.end());
    CHECK(context().download(out) == values);
  }
}

TEST_CASE("reverse: recorded twice in one command buffer, and replayed 100 times") {
  const Device& d = device(kTinyTiles);
  const std::vector<std::uint32_t> values = random_values<std::uint32_t>(3'000'000, 4);
  const auto in = context().upload(values);
  const auto out = context().allocate<std::uint32_t>(values.size() + 2000);
  const auto count = device_count(2000u);
  const ReverseDesc desc{4, {values.size(), count.address()}};  // an indirect grid
  const DirtyScratch scratch(reverse_scratch(d, desc));
  std::vector<std::uint32_t> expected(values.begin(), values.begin() + 2000);
  std::reverse(expected.begin(), expected.end());
  expected.insert(expected.end(), expected.begin(), expected.begin() + 2000);
  replay(
      d, [&] { context().write(out, std::vector<std::uint32_t>(4000, 0)); },
      [&](VkCommandBuffer cmd, std::uint64_t i) {
        return record_reverse(
            cmd, d, desc, {in.view(), out.slice(2000 * i, values.size()).view(), scratch.get()});
      },
      [&] { CHECK(difference(context().download(out, 0, 4000), expected) == ""); });
}

TEST_CASE("reverse: as a step of a Recorder, of all elements or of those of a count") {
  const std::vector<std::uint64_t> values = random_values<std::uint64_t>(777, 1);
  const auto x = context().upload(values);
  const auto y = context().upload(std::vector<std::uint64_t>(777, 7));
  context().run([&](Recorder& r) {
    reverse(r, {.count = 0}, x, y);
    reverse(r, {}, x, x);
    reverse(r, {.count = 776}, x, y);
  });
  std::vector<std::uint64_t> want(values.begin() + 1, values.end());
  want.push_back(7);
  CHECK(context().download(y) == want);
}

TEST_CASE("reverse: wrong input is refused by name before anything is recorded") {
  const Device& d = device(kTinyTiles);
  const auto memory = context().allocate<std::uint32_t>(1 << 16);
  const ReverseDesc desc{4, 1000};
  const ReverseBuffers good{memory.slice(0, 1000).view(), memory.slice(2000, 1000).view(), {}};
  const WrongInput wrong(d, &record_reverse, desc, good);
  wrong.anywhere();
  wrong.desc({"element_bytes is 3", "1, 2, 4, 8 or 16"}, [](auto& x) { x = {3, 10}; });
  wrong.buffers({"in.address", "multiple of 4"}, [](auto& x) { x.in.address += 1; });
  wrong.both(
      {"out.address", "multiple of 16"}, [](auto& x) { x.element_bytes = 16, x.count = 10; },
      [](auto& x) { x.out.address += 8; });
  wrong.buffers({"in.bytes is 3999", "4000"}, [](auto& x) { x.in.bytes -= 1; });
  wrong.buffers({"out.address is 0"}, [](auto& x) { x.out.address = 0; });
  wrong.buffers({"in [", "out [", "overlap"}, [](auto& x) { x.out.address = x.in.address + 4; });
  wrong.desc({"count", "out", "overlap"}, [&](auto& x) { x.count = {1000, good.out.address}; });
  wrong.both(
      {"scratch.bytes is 0", "reverse_scratch() asks for 16"},
      [&](auto& x) {
        x.count = {10'000'000, memory.slice(5000, 1).address};
      },
      [](auto& x) { x.in.bytes = x.out.bytes = 1 << 30; });
  CHECK(warm_up(Device(), desc) == Status::invalid_argument);
  CHECK(warm_up(d, ReverseDesc{3, 10}) == Status::invalid_argument);
}

TEST_CASE("reverse: warm_up compiles all that recording needs") {
  const Tuning tuning = kTinyTiles;
  DeviceInfo info = device(tuning).state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  const auto memory = context().allocate<std::uint32_t>(1 << 16);
  Device cold;
  throw_if_error(create_device(info, limits(), cold));
  const ReverseDesc desc{2, {3'000'000, 8}};
  const auto record = [&](VkCommandBuffer cmd, VkDeviceAddress out) {
    return record_reverse(
        cmd, cold, desc,
        {{0x10000, 1u << 30}, {out, 1u << 30}, scratch_view(cold, memory.handle(), 0, 16)});
  };
  expect_error(Status::not_warmed, {"warm_up"},
               [&](VkCommandBuffer cmd) { return record(cmd, 0x10000); });
  throw_if_error(warm_up(cold, desc));
  context().record([&](Recorder& r) {
    r.commands([&](VkCommandBuffer cmd) {
      for (const VkDeviceAddress out : {0x10000u, 0x80000000u, 0x80000002u}) {
        throw_if_error(record(cmd, out));
      }
    });
  });
}

TEST_CASE("reverse: smoke" * doctest::test_suite("smoke")) {
  const auto values = random_elements<Element<1>>(77, 1);
  check_against_oracle(device(), values, {.in = 1, .out = 2});
  check_against_oracle(device(), values, {.in = 3, .in_place = true});
}

TEST_CASE("reverse: push constants of the shaders and of C++ have the same layout") {
  CHECK(push_matches(vkprims::spirv::reverse, sizeof(abi::ReversePush)));
  CHECK(push_matches(vkprims::spirv::reverse_in_place, sizeof(abi::ReversePush)));
}

}  // namespace vkprims::test
