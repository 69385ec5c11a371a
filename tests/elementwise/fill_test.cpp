// Tests of fill.
#include "spirv/fill.hpp"

#include <cstring>

#include "elementwise/fill/fill.abi.h"
#include "support/spirv_reader.hpp"
#include "support/support.hpp"
#include "blocks/tile.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {
namespace {

using Bytes = std::vector<std::uint8_t>;

struct Sixteen {
  std::uint8_t bytes[16];
};

// Returns the first `size` bytes of a fixed pattern, as a host Value.
Value pattern(std::uint32_t size, Bytes& bytes) {
  bytes = {0x11, 0x22, 0x83, 0x44, 0x55, 0xe6, 0x77, 0x88,
           0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xf0, 0x01};
  bytes.resize(size);
  Value value;
  std::memcpy(value.words, bytes.data(), size);
  value.bytes = size;
  return value;
}

Bytes repeated(const Bytes& element, std::uint64_t n) {
  Bytes all;
  for (std::uint64_t i = 0; i < n; ++i) all.insert(all.end(), element.begin(), element.end());
  return all;
}

Bytes fill_on_device(const Device& d, const FillDesc& desc, std::uint64_t misalign) {
  const Guarded out(desc.count.max * desc.element_bytes, misalign);
  const DirtyScratch scratch(fill_scratch(d, desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_fill(cmd, d, desc, {out.view(), scratch.get()}));
  });
  return out.read<std::uint8_t>();
}

}  // namespace

TEST_CASE(
    "fill: every element size around tile edges, at every alignment, from the host and the "
    "device") {
  for (const Tuning& tuning : {Tuning{}, kTinyTiles}) {
    const Device& d = device(tuning);
    for (const std::uint32_t size : {1u, 2u, 4u, 8u, 16u}) {
      Bytes element;
      const Value value = pattern(size, element);
      const auto on_device = context().upload(Bytes(element));
      const std::uint64_t tile = tile_bytes(d.state()->tuning) / size;
      for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{3}, tile - 1,
                                    tile, tile + 1, 3 * tile + 5}) {
        for (std::uint64_t a = 0; a < 16; a += size) {
          CAPTURE(size);
          CAPTURE(n);
          CAPTURE(a);
          const Bytes expected = repeated(element, n);
          CHECK(difference(fill_on_device(d, {size, n, value}, a), expected) == "");
          if (n < 2 * tile)
            CHECK(difference(fill_on_device(d, {size, n, Value::at(on_device.address())}, a),
                             expected) == "");
        }
      }
    }
  }
}

TEST_CASE("fill: a value that is not given is zero") {
  const Device& d = device();
  CHECK(difference(fill_on_device(d, {2, 1001}, 2), Bytes(2002, 0)) == "");
}

TEST_CASE("fill: the count may be read on the GPU; elements past it stay as they were") {
  const Device& d = device(kTinyTiles);
  for (const std::uint64_t max : {std::uint64_t{100'000}, std::uint64_t{9'000'000}}) {
    for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, max / 3, max, max + 77}) {
      CAPTURE(max);
      CAPTURE(n);
      Bytes element;
      const Value value = pattern(1, element);
      Bytes expected(max, 0xcd);
      std::fill_n(expected.begin(), std::min(n, max), element[0]);
      const auto count = device_count(n);
      CHECK(difference(fill_on_device(d, {1, {max, count.address(), CountWidth::u64}, value}, 3),
                       expected) == "");
    }
  }
}

TEST_CASE("fill: recorded twice in one command buffer, and replayed 100 times") {
  const Device& d = device(kTinyTiles);
  const auto out = context().allocate<std::uint32_t>(4000);
  std::vector<std::uint32_t> expected(2000, 8);
  expected.insert(expected.end(), 2000, 9);
  replay(
      d, [&] { context().write(out, std::vector<std::uint32_t>(4000, 0)); },
      [&](VkCommandBuffer cmd, std::uint64_t i) {
        return record_fill(cmd, d, {4, 2000, static_cast<std::uint32_t>(8 + i)},
                           {out.slice(2000 * i, 2000).view(), {}});
      },
      [&] { CHECK(difference(context().download(out), expected) == ""); });
}

TEST_CASE("fill: more than 65,535 tiles") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t n = (65'535ull + 10) * tile_bytes(d.state()->tuning) / 4 + 3;
  const auto out = context().allocate<std::uint32_t>(n);
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_fill(cmd, d, {4, n, 77u}, {out.view(), {}}));
  });
  const std::vector<std::uint32_t> values = context().download(out);
  CHECK(std::count(values.begin(), values.end(), 77u) == static_cast<std::ptrdiff_t>(n));
}

TEST_CASE("fill: wrong input is refused by name before anything is recorded") {
  const Device& d = device(kTinyTiles);
  const auto memory = context().allocate<std::uint32_t>(1 << 16);
  const FillBuffers good{memory.slice(0, 1000).view(), {}};
  const WrongInput wrong(d, &record_fill, FillDesc{.element_bytes = 4, .count = 1000}, good);
  wrong.anywhere();
  wrong.desc({"element_bytes is 5"}, [&](auto& x) { x = {5, 10}; });
  wrong.desc({"value has 8 bytes, one element has 4"}, [&](auto& x) {
    x = {4, 10, std::uint64_t{7}};
  });
  wrong.desc({"value.address is 0x1008", "multiple of 16"}, [&](auto& x) {
    x = {16, 10, Value::at(0x1008)};
  });
  wrong.desc({"value.address is 0x1002", "multiple of 4"}, [&](auto& x) {
    x = {1, 10, Value::at(0x1002)};
  });
  wrong.both(
      {"out.address", "multiple of 2"}, [](auto& x) { x.element_bytes = 2; },
      [](auto& x) { x.out.address += 1; });
  wrong.desc({"out.bytes is 4000", "8000"}, [&](auto& x) { x = {8, 1000}; });
  wrong.desc({"value", "out", "overlap"}, [&](auto& x) {
    x = {4, 1000, Value::at(good.out.address)};
  });
}

TEST_CASE("fill: smoke" * doctest::test_suite("smoke")) {
  CHECK(difference(fill_on_device(device(), {1, 77}, 3), Bytes(77, 0)) == "");
}

TEST_CASE("fill: push constants of the shader and of C++ have the same layout") {
  CHECK(push_matches(vkprims::spirv::fill, sizeof(abi::FillPush), 4));
}

}  // namespace vkprims::test
