// Tests of adjacent_difference.
#include "oracles/adjacent_difference.hpp"

#include <numeric>

#include "blocks/tile.hpp"
#include "elementwise/adjacent_difference/adjacent_difference.abi.h"
#include "spirv/adjacent_difference.hpp"
#include "support/spirv_reader.hpp"
#include "support/support.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {
namespace {

template <class T>
std::vector<T> difference_on_device(const Device& d, AdjacentDifferenceDesc desc,
                                    const std::vector<T>& values, std::uint64_t shift_in = 0,
                                    std::uint64_t shift_out = 0) {
  desc.type = type_of<T>();
  const Guarded in(values, shift_in * sizeof(T));
  const Guarded out(values.size() * sizeof(T), shift_out * sizeof(T));
  const DirtyScratch scratch(adjacent_difference_scratch(d, desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(
        record_adjacent_difference(cmd, d, desc, {in.view(), out.view(), scratch.get()}));
  });
  return out.read<T>();
}

template <class T>
std::vector<T> expected(const AdjacentDifferenceDesc& desc, const std::vector<T>& values) {
  std::vector<T> out(values.size());
  oracle::adjacent_difference<T>(values, out, desc.op, desc.neighbour);
  return out;
}

}  // namespace

TEST_CASE("adjacent_difference: every type on both sides, around every edge, at every alignment") {
  for (const Type type : types()) {
    for (const Neighbour neighbour : {Neighbour::left, Neighbour::right}) {
      with_type(type, [&](auto zero) {
        using T = decltype(zero);
        const Device& d = device(kTinyTiles);
        for (const std::uint64_t n : edge_counts(tile_bytes(d.state()->tuning) / sizeof(T))) {
          const std::vector<T> values = random_values<T>(n, 3);
          const AdjacentDifferenceDesc desc{.neighbour = neighbour, .count = n};
          const std::uint64_t items = 16 / sizeof(T);
          for (std::uint64_t shift = 0; shift <= items; ++shift) {
            CAPTURE(std::string(name_of(type)));
            CAPTURE(static_cast<int>(neighbour));
            CAPTURE(n);
            CAPTURE(shift);
            // Input and output have the same shift, except in the last round.
            CHECK(difference(difference_on_device(d, desc, values, shift % items,
                                                  shift == items ? 1 : shift),
                             expected(desc, values)) == "");
          }
        }
      });
    }
  }
}

TEST_CASE("adjacent_difference: functions other than the difference") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t n = 3 * tile_bytes(d.state()->tuning) / 4 + 5;
  for (const MapOp op : {MapOp::add, MapOp::max, MapOp::bit_xor, MapOp::shift_right}) {
    if (subset() && op != MapOp::max) continue;
    CAPTURE(std::string(name_of(op)));
    const AdjacentDifferenceDesc desc{.op = op, .neighbour = Neighbour::right, .count = n};
    const std::vector<std::uint32_t> values = random_values<std::uint32_t>(n, 3);
    CHECK(difference(difference_on_device(d, desc, values), expected(desc, values)) == "");
  }
}

TEST_CASE("adjacent_difference: the default tiles, aligned and not") {
  const std::vector<float> values = random_values<float>(300'007, 8);
  for (const Neighbour neighbour : {Neighbour::left, Neighbour::right}) {
    const AdjacentDifferenceDesc desc{.neighbour = neighbour, .count = values.size()};
    for (const std::uint64_t shift : {0, 1}) {
      CHECK(difference(difference_on_device(device(), desc, values, shift),
                       expected(desc, values)) == "");
    }
  }
}

TEST_CASE("adjacent_difference: an inclusive scan undoes it, as steps of a Recorder") {
  const std::vector<std::uint32_t> values = random_values<std::uint32_t>(50'000, 1);
  const auto in = context().upload(values);
  const auto differences = context().allocate<std::uint32_t>(values.size());
  const auto out = context().allocate<std::uint32_t>(values.size());
  context().run([&](Recorder& r) {
    adjacent_difference(r, {}, in, differences);
    scan(r, {.kind = ScanKind::inclusive}, differences, out);
  });
  CHECK(difference(context().download(out), values) == "");
}

TEST_CASE("adjacent_difference: the count may be read on the GPU; elements past it stay") {
  const Device& d = device(kTinyTiles);
  // 3,000,000 elements are more than 4,096 tiles, so the grid is computed on the GPU.
  for (const std::uint64_t max : {std::uint64_t{10'000}, std::uint64_t{3'000'000}}) {
    const std::vector<std::uint32_t> values = random_values<std::uint32_t>(max, 2);
    for (const std::uint64_t n :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{512}, max / 3, max, max + 77}) {
      if (subset() && n == max) continue;
      CAPTURE(max);
      CAPTURE(n);
      // The neighbour is on the right, so the last element must not see what lies past the count.
      AdjacentDifferenceDesc desc{.neighbour = Neighbour::right};
      std::vector<std::uint32_t> used = values;
      used.resize(std::min(n, max));
      std::vector<std::uint32_t> want = expected(desc, used);
      want.resize(max, 0xcdcdcdcd);
      const auto narrow = device_count(static_cast<std::uint32_t>(n));
      desc.count = {max, narrow.address()};
      CHECK(difference(difference_on_device(d, desc, values), want) == "");
      const auto wide = device_count(n);
      desc.count = {max, wide.address(), CountWidth::u64};
      CHECK(difference(difference_on_device(d, desc, values, 3, 3), want) == "");
    }
  }
}

TEST_CASE("adjacent_difference: more than 65,535 tiles") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t n = (65'535ull + 10) * tile_bytes(d.state()->tuning) / 4 + 3;
  std::vector<std::uint32_t> values = random_values<std::uint32_t>(n, 6);
  const auto in = context().upload(values);
  const auto out = context().allocate<std::uint32_t>(n);
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_adjacent_difference(cmd, d, {.count = n}, {in.view(), out.view(), {}}));
  });
  std::adjacent_difference(values.begin(), values.end(), values.begin());
  CHECK(context().download(out) == values);
}

TEST_CASE("adjacent_difference: recorded twice in one command buffer, and replayed 100 times") {
  const Device& d = device(kTinyTiles);
  const std::vector<std::uint32_t> values = random_values<std::uint32_t>(3'000'000, 4);
  const auto in = context().upload(values);
  const auto out = context().allocate<std::uint32_t>(values.size() + 2000);
  const auto count = device_count(2000u);
  const AdjacentDifferenceDesc desc{.count = {values.size(), count.address()}};
  const DirtyScratch scratch(adjacent_difference_scratch(d, desc));
  std::vector<std::uint32_t> want =
      expected(desc, std::vector<std::uint32_t>(values.begin(), values.begin() + 2000));
  want.insert(want.end(), want.begin(), want.begin() + 2000);
  replay(
      d, [&] { context().write(out, std::vector<std::uint32_t>(4000, 0)); },
      [&](VkCommandBuffer cmd, std::uint64_t i) {
        return record_adjacent_difference(
            cmd, d, desc, {in.view(), out.slice(2000 * i, values.size()).view(), scratch.get()});
      },
      [&] { CHECK(difference(context().download(out, 0, 4000), want) == ""); });
}

TEST_CASE("adjacent_difference: wrong input is refused by name before anything is recorded") {
  const Device& d = device(kTinyTiles);
  const auto memory = context().allocate<std::uint32_t>(1 << 16);
  const AdjacentDifferenceDesc desc{.count = 1000};
  const AdjacentDifferenceBuffers good{
      memory.slice(0, 1000).view(), memory.slice(2000, 1000).view(), {}};
  const WrongInput w(d, &record_adjacent_difference, desc, good);
  w.anywhere();
  w.desc({"op is less (11)", "shift_right (10)"}, [](auto& x) { x.op = MapOp::less; });
  w.desc({"op is neg (17)"}, [](auto& x) { x.op = MapOp::neg; });
  w.desc({"op is bit_and", "f32"}, [](auto& x) { x.op = MapOp::bit_and, x.type = Type::f32; });
  w.desc({"neighbour is 2"}, [](auto& x) { x.neighbour = Neighbour(2); });
  w.buffers({"in.bytes is 3999", "4000"}, [](auto& x) { x.in.bytes -= 1; });
  w.buffers({"out.bytes is 3999", "4000"}, [](auto& x) { x.out.bytes -= 1; });
  w.buffers({"in.address", "multiple of 4"}, [](auto& x) { x.in.address += 2; });
  w.buffers({"out.address is 0"}, [](auto& x) { x.out.address = 0; });
  w.buffers({"in [", "out [", "overlap"}, [](auto& x) { x.out.address = x.in.address; });
  w.desc({"count", "out", "overlap"}, [&](auto& x) { x.count = {1000, good.out.address}; });
  w.both(
      {"scratch.bytes is 0", "adjacent_difference_scratch() asks for 16"},
      [&](auto& x) {
        x.count = {10'000'000, memory.slice(5000, 1).address};
      },
      [](auto& x) { x.in.bytes = x.out.bytes = 1 << 30; });
  CHECK(warm_up(Device(), desc) == Status::invalid_argument);
  CHECK(warm_up(d, AdjacentDifferenceDesc{.op = MapOp::cast}) == Status::invalid_argument);
}

TEST_CASE("adjacent_difference: a type that the device lacks is refused by name") {
  check_refused_types([](VkCommandBuffer cmd, const Device& narrow, Type type) {
    return record_adjacent_difference(cmd, narrow, {.type = type}, {});
  });
}

TEST_CASE("adjacent_difference: warm_up compiles all that recording needs") {
  DeviceInfo info = device(kTinyTiles).state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  const auto memory = context().allocate<std::uint32_t>(1 << 16);
  Device cold;
  throw_if_error(create_device(info, limits(), cold));
  AdjacentDifferenceDesc desc{.neighbour = Neighbour::right, .count = {3'000'000, 8}};
  throw_if_error(warm_up(cold, desc));
  for (const std::uint64_t shift : {0, 1}) {
    context().record([&](Recorder& r) {
      r.commands([&](VkCommandBuffer cmd) {
        throw_if_error(record_adjacent_difference(cmd, cold, desc,
                                                  {{0x10000 + 4 * shift, 1u << 30},
                                                   {0x80000000, 1u << 30},
                                                   scratch_view(cold, memory.handle(), 0, 16)}));
      });
    });
  }
  desc.neighbour = Neighbour::left;
  expect_error(Status::not_warmed, {"warm_up"}, [&](VkCommandBuffer cmd) {
    return record_adjacent_difference(
        cmd, cold, desc,
        {{0x10000, 1u << 30}, {0x80000000, 1u << 30}, scratch_view(cold, memory.handle(), 0, 16)});
  });
}

TEST_CASE("adjacent_difference: smoke" * doctest::test_suite("smoke")) {
  const std::vector<std::uint32_t> values = random_values<std::uint32_t>(777, 1);
  const AdjacentDifferenceDesc desc{.count = values.size()};
  CHECK(difference(difference_on_device(device(kTinyTiles), desc, values),
                   expected(desc, values)) == "");
}

TEST_CASE("adjacent_difference: push constants of the shader and of C++ have the same layout") {
  CHECK(push_matches(vkprims::spirv::adjacent_difference_u32, sizeof(abi::AdjacentDifferencePush)));
}

}  // namespace vkprims::test
