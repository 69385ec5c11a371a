// Tests of key_ranges.
#include "oracles/key_ranges.hpp"

#include <algorithm>

#include "elementwise/key_ranges/key_ranges.abi.h"
#include "spirv/key_ranges.hpp"
#include "support/every_primitive.hpp"
#include "support/spirv_reader.hpp"
#include "support/support.hpp"
#include "support/wrong_input.hpp"
#include "vkprims/key_ranges.hpp"

namespace vkprims::test {
namespace {

const RegisterPrimitive kKeyRanges([](std::uint64_t n) {
  return any_primitive("key_ranges", record_key_ranges, KeyRangesDesc{.ranges = n - 1, .count = n},
                       KeyRangesBuffers{view_at(1), view_at(2)});
});

std::uint64_t tile_of(const Device& d) {
  return std::uint64_t{d.state()->tuning.workgroup_size} * d.state()->tuning.stream_rows *
         VKP_KEY_RANGES_ITEMS;
}

// Ascending elements with keys below `keys`, of which most have gaps between them, and with any
// bits below the key.
template <class T>
std::vector<T> elements(std::uint64_t n, std::uint64_t keys, std::uint32_t first_bit) {
  std::vector<T> x;
  for (const std::uint64_t random : random_values<std::uint64_t>(n, 5)) {
    const std::uint64_t key = random % 4 == 0 ? random / 4 % 3 : random / 4 % keys;
    const T below = first_bit == 0 ? 0 : static_cast<T>(random >> 40) & ((T{1} << first_bit) - 1);
    x.push_back(static_cast<T>(key << first_bit) | below);
  }
  std::ranges::sort(x);
  return x;
}

struct Options {
  std::uint32_t first_bit = 0;
  std::uint64_t in_at = 0, out_at = 0;  // in elements
  Count count = {};                     // not given: all
  std::uint64_t existing = 0;           // elements that the count leaves
};

template <class Index, class T>
void check(const Device& d, const std::vector<T>& x, std::uint64_t ranges, Options o = {}) {
  if (!o.count.given()) o.count = o.existing = x.size();
  const Guarded in(x, o.in_at * sizeof(T));
  const Guarded out((ranges + 1) * sizeof(Index), o.out_at * sizeof(Index));
  const KeyRangesDesc desc{.type = type_of<T>(),
                           .first_bit = o.first_bit,
                           .ranges = ranges,
                           .index_width = sizeof(Index) == 8 ? IndexWidth::u64 : IndexWidth::u32,
                           .count = o.count};
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_key_ranges(cmd, d, desc, {in.view(), out.view()}));
  });
  const auto expected =
      oracle::key_ranges<Index, T>(std::span<const T>(x).first(o.existing), o.first_bit, ranges);
  CHECK(difference(out.read<Index>(), expected) == "");
}

}  // namespace

TEST_CASE("key_ranges: both types and widths, around the edges of tiles, fewer and more elements") {
  const Device& d = device(kTinyTiles);
  for (const std::uint64_t ranges : edge_counts(tile_of(d))) {
    for (const std::uint64_t n : {0, 1, 33, 5000}) {
      CAPTURE(ranges);
      CAPTURE(n);
      const std::uint64_t keys = ranges + ranges / 8 + 1;  // some are behind all ranges
      check<std::uint32_t>(d, elements<std::uint32_t>(n, keys, 0), ranges);
      check<std::uint64_t>(d, elements<std::uint64_t>(n, keys, 0), ranges);
    }
  }
}

TEST_CASE("key_ranges: keys above any bit") {
  const Device& d = device(kTinyTiles);
  for (const std::uint32_t bit : {1, 16, 21}) {
    CAPTURE(bit);
    check<std::uint32_t>(d, elements<std::uint32_t>(3000, 700, bit), 700, {.first_bit = bit});
  }
  for (const std::uint32_t bit : {1, 31, 32, 33, 54}) {
    CAPTURE(bit);
    check<std::uint32_t>(d, elements<std::uint64_t>(3000, 700, bit), 700, {.first_bit = bit});
  }
}

TEST_CASE("key_ranges: views that begin at any element") {
  const Device& d = device(kTinyTiles);
  for (std::uint64_t at = 0; at < 16; ++at) {
    CAPTURE(at);
    const Options o{.in_at = at / 4, .out_at = at % 4};
    check<std::uint32_t>(d, elements<std::uint32_t>(1000, 600, 0), 600, o);
    check<std::uint64_t>(d, elements<std::uint32_t>(1000, 600, 0), 600, o);
  }
}

TEST_CASE("key_ranges: the count may be read on the GPU") {
  const auto x = elements<std::uint32_t>(4000, 900, 0);
  for (const std::uint32_t n : {0u, 1u, 1777u, 9000u}) {
    CAPTURE(n);
    const auto count = device_count(n);
    check<std::uint32_t>(device(), x, 900,
                         {.count = {4000, count.address()}, .existing = std::min(n, 4000u)});
  }
}

TEST_CASE("key_ranges: more than 65,535 tiles") {
  if (subset()) return;
  const Device& d = device(kTinyTiles);
  const std::uint64_t ranges = 65'545 * tile_of(d) + 3;
  check<std::uint32_t>(d, elements<std::uint32_t>(5000, ranges, 0), ranges);
}

TEST_CASE("key_ranges: elements that do not ascend give numbers up to the count") {
  auto x = random_values<std::uint32_t>(2000, 6);
  for (std::uint32_t& key : x) key %= 800;
  const Guarded in(x), out(4 * 801);
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_key_ranges(cmd, device(kTinyTiles), {.ranges = 800, .count = 2000},
                                     {in.view(), out.view()}));
  });
  for (const std::uint32_t place : out.read<std::uint32_t>()) CHECK(place <= 2000);
}

TEST_CASE("key_ranges: a step of a Recorder, and after warm_up()") {
  const std::vector<std::uint32_t> keys = {1, 1, 1, 3, 7, 7, 9};
  const auto in = context().upload(keys);
  const auto out = context().allocate<std::uint32_t>(9);
  context().run([&](Recorder& r) { key_ranges(r, {}, in, out); });
  CHECK(context().download(out) == std::vector<std::uint32_t>{0, 0, 3, 3, 4, 4, 4, 4, 6});

  DeviceInfo info = device(kTinyTiles).state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  Device d;
  throw_if_error(create_device(info, limits(), d));
  const auto x = elements<std::uint32_t>(100, 50, 0);
  throw_if_error(warm_up(d, KeyRangesDesc{}));
  for (const std::uint64_t at : {0, 1}) check<std::uint32_t>(d, x, 50, {.out_at = at});
}

TEST_CASE("key_ranges: wrong input is refused by name before anything is recorded") {
  const auto memory = context().allocate<std::uint32_t>(4000);
  const KeyRangesBuffers good{memory.slice(0, 500).view(), memory.slice(1000, 101).view()};
  const WrongInput wrong(device(), record_key_ranges, KeyRangesDesc{.ranges = 100, .count = 500},
                         good);
  wrong.anywhere();
  wrong.desc({"type is f32, must be u32 or u64"}, [](auto& x) { x.type = Type::f32; });
  wrong.desc({"first_bit is 32, must be 0 … 31"}, [](auto& x) { x.first_bit = 32; });
  wrong.desc({"index_width is 2", "0 … 1"}, [](auto& x) { x.index_width = IndexWidth(2); });
  wrong.desc({"ranges is 274877906945", "274877906944"}, [](auto& x) { x.ranges = kMaxCount + 1; });
  wrong.desc({"index_width is u32", "4294967296", "4294967295"},
             [](auto& x) { x.count = std::uint64_t{1} << 32; });
  wrong.desc({"out.bytes is 404", "408"}, [](auto& x) { x.ranges = 101; });
  wrong.buffers({"in.bytes is 1996", "2000"}, [](auto& x) { x.in.bytes = 1996; });
  wrong.buffers({"out.address", "multiple of 4"}, [](auto& x) { x.out.address += 2; });
  wrong.buffers({"in [", "out [", "overlap"}, [](auto& x) { x.out.address = x.in.address; });
  CHECK(warm_up(Device(), KeyRangesDesc{}) == Status::invalid_argument);
}

TEST_CASE("key_ranges: smoke" * doctest::test_suite("smoke")) {
  check<std::uint32_t>(device(), elements<std::uint32_t>(777, 300, 0), 300);
}

TEST_CASE("key_ranges: push constants of the shader and of C++ have the same layout") {
  CHECK(push_matches(vkprims::spirv::key_ranges_word, sizeof(abi::KeyRangesPush)));
}

}  // namespace vkprims::test
