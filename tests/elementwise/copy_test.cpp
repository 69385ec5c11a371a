// Tests of copy.
#include "spirv/copy.hpp"

#include <cstring>

#include "elementwise/copy/copy.abi.h"
#include "support/spirv_reader.hpp"
#include "support/support.hpp"
#include "blocks/tile.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes copy_on_device(const Device& d, const Bytes& values, const CopyDesc& desc,
                     std::uint64_t misalign_in, std::uint64_t misalign_out) {
  const Guarded in(values, misalign_in);
  const Guarded out(values.size(), misalign_out);
  const DirtyScratch scratch(copy_scratch(d, desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_copy(cmd, d, desc, {in.view(), out.view(), scratch.get()}));
  });
  return out.read<std::uint8_t>();
}

}  // namespace

TEST_CASE("copy: every element size around tile edges, at every alignment of both sides") {
  const Device& d = device(kTinyTiles);
  for (const std::uint32_t size : {1u, 2u, 4u, 8u, 16u}) {
    const std::uint64_t tile = tile_bytes(d.state()->tuning) / size;
    for (std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3},
                            std::uint64_t{5}, tile - 1, tile, tile + 1, 3 * tile + 5}) {
      const Bytes values = random_values<std::uint8_t>(n * size, 1);
      for (std::uint64_t a = 0; a < 16; a += size) {
        // This covers all pairs of alignments modulo 4, and equal word positions within a row of 16
        // bytes.
        for (std::uint64_t b = 0; b < 16; b += size) {
          if (subset() && (a + b) % 5 != 0) continue;
          if (b >= 4 && a >= 4 && a != b) continue;
          CAPTURE(size);
          CAPTURE(n);
          CAPTURE(a);
          CAPTURE(b);
          CHECK(difference(copy_on_device(d, values, {size, n}, a, b), values) == "");
        }
      }
    }
  }
}

TEST_CASE("copy: the default tiles, large and unaligned") {
  const Device& d = device();
  const Bytes values = random_values<std::uint8_t>(3'000'001, 8);
  for (const std::uint64_t misalign : {0, 1, 2, 4, 12}) {
    CHECK(difference(copy_on_device(d, values, {1, values.size()}, 0, misalign), values) == "");
    CHECK(difference(copy_on_device(d, values, {1, values.size()}, misalign, misalign), values) ==
          "");
  }
}

TEST_CASE("copy: the count may be read on the GPU; elements past it stay as they were") {
  const Device& d = device(kTinyTiles);
  // 20,000,000 bytes are more than 4,096 tiles, so the grid is computed on the GPU.
  for (const std::uint64_t max : {std::uint64_t{100'000}, std::uint64_t{20'000'000}}) {
    const Bytes values = random_values<std::uint8_t>(max, 2);
    for (const std::uint64_t n :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2047}, max / 3, max, max + 77}) {
      if (subset() && n == max) continue;
      CAPTURE(max);
      CAPTURE(n);
      Bytes expected(max, 0xcd);
      std::memcpy(expected.data(), values.data(), std::min(n, max));
      const auto narrow = device_count(static_cast<std::uint32_t>(n));
      CHECK(difference(copy_on_device(d, values, {1, {max, narrow.address()}}, 0, 0), expected) ==
            "");
      const auto wide = device_count(n);
      CHECK(difference(copy_on_device(d, values, {1, {max, wide.address(), CountWidth::u64}}, 4, 1),
                       expected) == "");
    }
  }
}

TEST_CASE("copy: more than 65,535 tiles") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t n = (65'535ull + 10) * tile_bytes(d.state()->tuning) / 4 + 3;
  const std::vector<std::uint32_t> values = random_values<std::uint32_t>(n, 6);
  const auto in = context().upload(values);
  const auto out = context().allocate<std::uint32_t>(n);
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_copy(cmd, d, {4, n}, {in.view(), out.view(), {}}));
  });
  CHECK(context().download(out) == values);
}

TEST_CASE(
    "copy: neighbours that share a word are kept when both are written in one command buffer") {
  const Device& d = device(kTinyTiles);
  const Bytes values = random_values<std::uint8_t>(1003, 5);
  const auto in = context().upload(values);
  const auto out = context().upload(Bytes(1003, 0));
  const CopyDesc first{1, 501}, second{1, 502};
  run([&](VkCommandBuffer cmd) {
    // There is no barrier between the two: their ranges do not overlap, although they share words.
    throw_if_error(
        record_copy(cmd, d, first, {in.slice(0, 501).view(), out.slice(0, 501).view(), {}}));
    throw_if_error(
        record_copy(cmd, d, second, {in.slice(501, 502).view(), out.slice(501, 502).view(), {}}));
  });
  CHECK(context().download(out) == values);
}

TEST_CASE(
    "copy: recorded twice in one command buffer, and replayed 100 times, with one dirty scratch") {
  const Device& d = device(kTinyTiles);
  const std::vector<std::uint32_t> values = random_values<std::uint32_t>(3'000'000, 4);
  const auto in = context().upload(values);
  const auto out = context().allocate<std::uint32_t>(values.size() + 2000);
  const auto count = device_count(2000u);
  const CopyDesc desc{4, {values.size(), count.address()}};  // an indirect grid
  const DirtyScratch scratch(copy_scratch(d, desc));
  std::vector<std::uint32_t> expected(values.begin(), values.begin() + 2000);
  expected.insert(expected.end(), values.begin(), values.begin() + 2000);
  replay(
      d, [&] { context().write(out, std::vector<std::uint32_t>(4000, 0)); },
      [&](VkCommandBuffer cmd, std::uint64_t i) {
        return record_copy(cmd, d, desc,
                           {in.view(), out.slice(2000 * i, values.size()).view(), scratch.get()});
      },
      [&] { CHECK(difference(context().download(out, 0, 4000), expected) == ""); });
}

TEST_CASE("copy: wrong input is refused by name before anything is recorded") {
  const Device& d = device(kTinyTiles);
  const auto memory = context().allocate<std::uint32_t>(1 << 20);
  const CopyDesc desc{4, 1000};
  const CopyBuffers good{memory.slice(0, 1000).view(), memory.slice(2000, 1000).view(), {}};
  const WrongInput wrong(d, &record_copy, desc, good);
  wrong.anywhere();
  wrong.desc({"element_bytes is 3", "1, 2, 4, 8 or 16"}, [&](auto& x) { x = {3, 10}; });
  wrong.buffers({"in.address", "multiple of 4"}, [](auto& x) { x.in.address += 1; });
  wrong.both(
      {"out.address", "multiple of 16"},
      [&](auto& x) {
        x = {16, 10};
      },
      [](auto& x) { x.out.address += 8; });
  wrong.buffers({"in.bytes is 3999", "4000"}, [](auto& x) { x.in.bytes -= 1; });
  wrong.buffers({"out.address is 0"}, [](auto& x) { x.out.address = 0; });
  wrong.buffers({"in [", "out [", "overlap"}, [](auto& x) { x.out.address = x.in.address + 3996; });
  wrong.buffers({"past the address space"},
                [](auto& x) { x.in.address = ~VkDeviceAddress{0} - 3; });
  const Count on_gpu{10'000'000, memory.slice(5000, 1).address};
  wrong.both(
      {"scratch.bytes is 0", "copy_scratch() asks for 16"},
      [&](auto& x) {
        x = {4, on_gpu};
      },
      [](auto& x) { x.in.bytes = x.out.bytes = 1 << 30; });
  wrong.desc({"count", "out", "overlap"}, [&](auto& x) { x = {4, {1000, good.out.address}}; });
}

TEST_CASE("copy: smoke" * doctest::test_suite("smoke")) {
  const Bytes values = random_values<std::uint8_t>(77, 1);
  CHECK(difference(copy_on_device(device(), values, {1, 77}, 1, 2), values) == "");
}

TEST_CASE("copy: push constants of the shader and of C++ have the same layout") {
  CHECK(push_matches(vkprims::spirv::copy, sizeof(abi::CopyPush)));
}

}  // namespace vkprims::test
