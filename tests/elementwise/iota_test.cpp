// Tests of iota.
#include "oracles/iota.hpp"

#include <cstring>

#include "elementwise/iota/iota.abi.h"
#include "spirv/iota.hpp"
#include "support/spirv_reader.hpp"
#include "support/support.hpp"
#include "blocks/tile.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {
namespace {

template <class T>
std::vector<T> expected_iota(std::uint64_t n, std::type_identity_t<T> start,
                             std::type_identity_t<T> step) {
  std::vector<T> values(n);
  oracle::iota<T>(values, start, step);
  return values;
}

template <class T>
std::vector<T> iota_on_device(const Device& d, IotaDesc desc, std::uint64_t misalign) {
  desc.type = type_of<T>();
  const Guarded out(desc.count.max * sizeof(T), misalign * sizeof(T));
  const DirtyScratch scratch(iota_scratch(d, desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_iota(cmd, d, desc, {out.view(), scratch.get()}));
  });
  return out.read<T>();
}

}  // namespace

TEST_CASE(
    "iota: every type around tile edges, aligned and not, with values from the host and the "
    "device") {
  for (const Tuning& tuning : {Tuning{}, kTinyTiles}) {
    const Device& d = device(tuning);
    for (const Type type : types()) {
      with_type(type, [&](auto zero) {
        using T = decltype(zero);
        const T start = T(7), step = std::is_floating_point_v<T> ? T(0.3) : T(-3);
        const auto on_device = context().upload(std::vector<T>{start, step});
        const Value start_at = Value::at(on_device.address());
        const Value step_at = Value::at(on_device.address() + sizeof(T));
        for (const std::uint64_t n : edge_counts(tile_bytes(d.state()->tuning) / sizeof(T))) {
          for (const std::uint64_t misalign : {0, 1}) {
            CAPTURE(std::string(name_of(type)));
            CAPTURE(n);
            CAPTURE(misalign);
            const std::vector<T> expected = expected_iota<T>(n, start, step);
            CHECK(difference(
                      iota_on_device<T>(d, {.count = n, .start = start, .step = step}, misalign),
                      expected) == "");
            CHECK(difference(iota_on_device<T>(d, {.count = n, .start = start_at, .step = step_at},
                                               misalign),
                             expected) == "");
          }
        }
        CHECK(difference(iota_on_device<T>(d, {.count = 1000}, 0),
                         expected_iota<T>(1000, T(0), T(1))) == "");
      });
    }
  }
}

TEST_CASE("iota: float indices past 2^24 are rounded once") {
  const std::uint64_t n = (1u << 24) + 5000;
  const auto out = context().allocate<float>(n);
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_iota(cmd, device(),
                               {.type = Type::f32, .count = n, .start = 1.0f, .step = 2.0f},
                               {out.view(), {}}));
  });
  const std::vector<float> tail = context().download(out, (1u << 24) - 5, 5000);
  for (std::size_t i = 0; i < tail.size(); ++i) {
    const float index = static_cast<float>((1u << 24) - 5 + i);
    const float scaled = index * 2.0f;
    if (tail[i] != 1.0f + scaled) FAIL_CHECK("element " << i << " is " << tail[i]);
  }
}

TEST_CASE("iota: the count may be read on the GPU; elements past it stay as they were") {
  const Device& d = device(kTinyTiles);
  for (const std::uint64_t max : {std::uint64_t{10'000}, std::uint64_t{3'000'000}}) {
    for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, max / 3, max, max + 77}) {
      CAPTURE(max);
      CAPTURE(n);
      std::vector<std::uint32_t> expected = expected_iota<std::uint32_t>(std::min(n, max), 5, 1);
      expected.resize(max, 0xcdcdcdcd);
      const auto count = device_count(static_cast<std::uint32_t>(n));
      CHECK(difference(
                iota_on_device<std::uint32_t>(d, {.count = {max, count.address()}, .start = 5u}, 0),
                expected) == "");
    }
  }
}

TEST_CASE("iota: recorded twice in one command buffer, and replayed 100 times") {
  const Device& d = device(kTinyTiles);
  const auto out = context().allocate<std::uint32_t>(4000);
  replay(
      d, [&] { context().write(out, std::vector<std::uint32_t>(4000, 0)); },
      [&](VkCommandBuffer cmd, std::uint64_t i) {
        return record_iota(cmd, d, {.count = 2000, .start = static_cast<std::uint32_t>(2000 * i)},
                           {out.slice(2000 * i, 2000).view(), {}});
      },
      [&] {
        CHECK(difference(context().download(out), expected_iota<std::uint32_t>(4000, 0, 1)) == "");
      });
}

TEST_CASE("iota: more than 65,535 tiles") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t n = (65'535ull + 10) * tile_bytes(d.state()->tuning) / 4 + 3;
  const auto out = context().allocate<std::uint32_t>(n);
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_iota(cmd, d, {.count = n}, {out.view(), {}}));
  });
  CHECK(difference(context().download(out), expected_iota<std::uint32_t>(n, 0, 1)) == "");
}

TEST_CASE("iota: wrong input is refused by name before anything is recorded") {
  const Device& d = device(kTinyTiles);
  const auto memory = context().allocate<std::uint32_t>(1 << 16);
  const IotaBuffers good{memory.slice(0, 1000).view(), {}};
  const WrongInput wrong(d, &record_iota, IotaDesc{.count = 1000}, good);
  wrong.anywhere();
  wrong.desc({"start is 4294967303", "u32"},
             [&](auto& x) { x = {.count = 10, .start = (std::uint64_t{1} << 32) + 7}; });
  wrong.desc({"step.address is 0x1001"},
             [&](auto& x) { x = {.count = 10, .step = Value::at(0x1001)}; });
  wrong.buffers({"out.address", "multiple of 4"}, [](auto& x) { x.out.address += 2; });
  wrong.desc({"out.bytes is 4000", "4004"}, [&](auto& x) { x = {.count = 1001}; });
  wrong.desc({"start", "out", "overlap"},
             [&](auto& x) { x = {.count = 10, .start = Value::at(good.out.address)}; });
}

TEST_CASE("iota: smoke" * doctest::test_suite("smoke")) {
  CHECK(difference(iota_on_device<std::uint32_t>(device(), {.count = 77}, 1),
                   expected_iota<std::uint32_t>(77, 0, 1)) == "");
}

TEST_CASE("iota: push constants of the shader and of C++ have the same layout") {
  CHECK(push_matches(vkprims::spirv::iota_u32, sizeof(abi::IotaPush)));
}

}  // namespace vkprims::test
