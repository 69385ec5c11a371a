// Maps by functions of an application's own, through vkprims_add_map().
#include "vkprims/map.hpp"

#include "oracles/map.hpp"
#include "support/every_primitive.hpp"
#include "support/support.hpp"
#include "support/wrong_input.hpp"
#include "vkprims-tests/axpy.hpp"
#include "vkprims-tests/mix.hpp"
#include "vkprims-tests/move.hpp"
#include "vkprims-tests/numbers.hpp"
#include "vkprims-tests/scale64.hpp"

#include "vkprims-tests/words1.hpp"
#include "vkprims-tests/words2.hpp"
#include "vkprims-tests/words3.hpp"
#include "vkprims-tests/words4.hpp"
#include "vkprims-tests/words5.hpp"
#include "vkprims-tests/words6.hpp"
#include "vkprims-tests/words7.hpp"
#include "vkprims-tests/words8.hpp"

namespace vkprims::test {
namespace {

using oracle::Words;
using In = std::vector<const std::uint32_t*>;
using Out = std::vector<std::uint32_t*>;

// A function, on the GPU and on the host.
struct Case {
  const Map& own;
  void (*f)(const In&, std::uint64_t index, const Out&);
  Value arguments = {};
};

const own::axpy::Params kParams{.scale = 7, .shift = 3};
constexpr std::array<std::uint32_t, 4> kBounds{0xffff, 0xffffff, 0xf0f0f0f, 5};

const Case kAxpy{own::axpy::function,
                 [](const In& x, std::uint64_t i, const Out& y) {
                   *y[0] = kParams.scale * *x[0] + (*x[1] >> kParams.shift) +
                           static_cast<std::uint32_t>(i);
                 },
                 Value::bits(kParams)};
const Case kCount{own::numbers::function, [](const In&, std::uint64_t i, const Out& y) {
                    const std::uint64_t square = i * i;
                    std::memcpy(y[0], &square, 8);
                    *y[1] = static_cast<std::uint32_t>(__builtin_popcountll(i));
                  }};
const Case kMove{own::move::function,
                 [](const In& x, std::uint64_t i, const Out& y) {
                   for (int k = 0; k < 8; ++k) y[0][k] = x[0][k];
                   for (int k = 0; k < 3; ++k) {
                     y[0][k] = (x[0][k] + x[0][3 + k] + *x[1]) & kBounds[k];
                     y[1][k] = y[0][k] ^ static_cast<std::uint32_t>(i);
                   }
                   y[0][6] = x[0][6] - std::min(x[0][6], 1u);
                   *y[2] = y[0][6] ? kBounds[3] : 0;
                 },
                 Value::bits(kBounds)};
const Case kMix{own::mix::function, [](const In& x, std::uint64_t, const Out& y) {
                  const std::uint32_t a = *x[0], b = *x[1], c = *x[2], d = *x[3];
                  *y[0] = a + b + c + d;
                  *y[1] = a * b;
                  *y[2] = a ^ b ^ c ^ d;
                  *y[3] = d;
                }};
const Case kWide{own::scale64::function, [](const In& x, std::uint64_t i, const Out& y) {
                   std::uint64_t b;
                   std::memcpy(&b, x[1], 8);
                   b = b * *x[0] + i;
                   std::memcpy(y[0], &b, 8);
                 }};
template <int words>
Case words_case(const Map& own) {
  return {own, [](const In& x, std::uint64_t i, const Out& y) {
            for (int k = 0; k < words; ++k) {
              y[0][k] = x[0][words - 1 - k] * 3 + static_cast<std::uint32_t>(i);
            }
          }};
}

std::vector<Case> cases() {
  std::vector<Case> all{kAxpy,
                        kCount,
                        kMove,
                        kMix,
                        words_case<1>(own::words1::function),
                        words_case<2>(own::words2::function),
                        words_case<3>(own::words3::function),
                        words_case<4>(own::words4::function),
                        words_case<5>(own::words5::function),
                        words_case<6>(own::words6::function),
                        words_case<7>(own::words7::function),
                        words_case<8>(own::words8::function)};
  if (device().state()->info.enabled.int64) all.push_back(kWide);
  return all;
}

std::vector<std::uint32_t> words_of(const std::uint32_t* bytes, std::uint32_t count) {
  std::vector<std::uint32_t> words;
  for (std::uint32_t k = 0; k < count; ++k) words.push_back(bytes[k] / 4);
  return words;
}

struct Options {
  std::uint64_t shift = 0;        // elements that all sequences begin past a multiple of 256 bytes
  std::uint64_t first_shift = 0;  // as many more of the first sequence
  bool in_place = false;          // outputs take the place of inputs whose elements have their size
  Count count = {};               // not given: all
  VkDeviceAddress arguments = 0;  // where they are; 0: on the host
};

// Checks a map of n elements, of which `valid` exist.
void check(const Device& d, const Case& c, std::uint64_t n, const Options& o,
           std::uint64_t valid = ~std::uint64_t{0}) {
  CAPTURE(std::string(c.own.name));
  CAPTURE(n);
  CAPTURE(o.shift);
  CAPTURE(o.first_shift);
  CAPTURE(o.in_place);
  valid = std::min(valid, n);
  const auto in_words = words_of(c.own.in_bytes, c.own.inputs);
  const auto out_words = words_of(c.own.out_bytes, c.own.outputs);
  std::vector<Words> values;
  std::vector<Guarded> buffers;
  MapBuffers views;
  std::uint64_t shift = o.shift + o.first_shift;
  for (std::uint32_t k = 0; k < c.own.inputs; ++k) {
    values.push_back(random_values<std::uint32_t>(n * in_words[k], k + 1));
    buffers.emplace_back(values[k], shift * c.own.in_bytes[k]);
    views.in[k] = buffers.back().view();
    shift = o.shift;
  }
  std::vector<bool> taken(4);
  std::vector<std::size_t> results;
  for (std::uint32_t k = 0; k < c.own.outputs; ++k) {
    std::size_t place = buffers.size();
    for (std::uint32_t i = 0; i < c.own.inputs && o.in_place; ++i) {
      if (taken[i] || in_words[i] != out_words[k]) continue;
      taken[i] = true;
      place = i;
      break;
    }
    if (place == buffers.size())
      buffers.emplace_back(n * c.own.out_bytes[k], shift * c.own.out_bytes[k]);
    shift = o.shift;
    views.out[k] = buffers[place].view();
    results.push_back(place);
  }
  MapDesc desc{.own = &c.own, .count = o.count.or_all(n), .arguments = c.arguments};
  if (o.arguments) desc.arguments = Value::at(o.arguments);
  const DirtyScratch scratch(map_scratch(d, desc));
  views.scratch = scratch.get();
  std::vector<Words> before;
  for (const std::size_t place : results) before.push_back(buffers[place].read<std::uint32_t>());
  run([&](VkCommandBuffer cmd) { throw_if_error(record_map(cmd, d, desc, views)); });
  std::vector<Words> expected = oracle::map(c.f, valid, values, in_words, out_words);
  for (std::uint32_t k = 0; k < c.own.outputs; ++k) {
    CAPTURE(k);
    expected[k].insert(expected[k].end(), before[k].begin() + expected[k].size(), before[k].end());
    CHECK(difference(buffers[results[k]].read<std::uint32_t>(), expected[k]) == "");
  }
}

// Elements of a tile: a workgroup has 16 bytes of the largest elements for each row and invocation.
std::uint64_t tile_of(const Device& d, const Map& own) {
  const Tuning& t = d.state()->tuning;
  std::uint32_t bytes = 4;
  for (const std::uint32_t b : own.in_bytes) bytes = std::max(bytes, b);
  for (const std::uint32_t b : own.out_bytes) bytes = std::max(bytes, b);
  return std::uint64_t{t.workgroup_size} * t.stream_rows * std::max(16 / bytes, 1u);
}

}  // namespace

TEST_CASE("map: all shapes, sizes around the edges of tiles, at any element, in place") {
  for (const Tuning& tuning : tunings({Tuning{}, kTinyTiles})) {
    const Device& d = device(tuning);
    for (const Case& c : cases()) {
      const std::uint64_t tile = tile_of(d, c.own);
      for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{5}, tile - 1,
                                    tile, tile + 1, 3 * tile + 2}) {
        for (const std::uint64_t shift : {0, 1, 2, 3}) {
          check(d, c, n, {.shift = shift});
          check(d, c, n, {.shift = shift, .in_place = true});
        }
        check(d, c, n, {.first_shift = 1});
        check(d, c, n, {.shift = 3, .first_shift = 2, .in_place = true});
      }
    }
  }
}

TEST_CASE("map: the count is read on the GPU, also where the grid is indirect") {
  for (const Tuning& tuning : tunings({Tuning{}, kTinyTiles})) {
    const Device& d = device(tuning);
    for (const std::uint64_t max : {std::uint64_t{1000}, 4200 * tile_of(d, own::axpy::function)}) {
      if (max > 5'000'000) continue;
      for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{777}, max, max + 9}) {
        const auto small = device_count(static_cast<std::uint32_t>(n));
        const auto large = device_count(n);
        check(d, kAxpy, max, {.shift = 1, .count = {max, small.address()}}, n);
        check(d, kAxpy, max, {.count = {max, large.address(), CountWidth::u64}}, n);
      }
    }
  }
}

TEST_CASE("map: arguments at a device address") {
  const auto params = context().upload(std::vector{kParams});
  check(device(), kAxpy, 1000, {.arguments = params.address()});
}

TEST_CASE("map: through generated functions, as a step of a Recorder, and after warm_up()") {
  const auto x = context().upload(random_values<std::uint32_t>(1000, 1));
  const auto y = context().upload(random_values<std::uint32_t>(1000, 2));
  const auto out = context().allocate<std::uint32_t>(1000);
  const auto squares = context().allocate<std::array<std::uint32_t, 2>>(1000);
  const auto bits = context().allocate<std::uint32_t>(1000);
  context().run([&](Recorder& r) {
    own::axpy::map(r, {.arguments = {.scale = 2, .shift = 1}}, x, y, out);
    own::numbers::map(r, {}, squares, bits);
  });
  const auto a = context().download(x), b = context().download(y), c = context().download(out);
  for (std::uint32_t i = 0; i < 1000; ++i) CHECK(c[i] == 2 * a[i] + (b[i] >> 1) + i);
  CHECK(context().download(squares)[999] == std::array<std::uint32_t, 2>{999 * 999, 0});

  DeviceInfo info = device().state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  Device warmed;
  throw_if_error(create_device(info, limits(), warmed));
  const own::axpy::MapDesc desc{.count = 1000};
  const Guarded in(4000, 4), result(4000, 8);
  const auto record = [&](VkCommandBuffer cmd) {
    return own::axpy::record_map(cmd, warmed, desc,
                                 {.x = in.view(), .y = in.view(), .out = result.view()});
  };
  expect_error(Status::not_warmed, {"own::axpy: shader axpy_map"}, record);
  throw_if_error(own::axpy::warm_up(warmed));
  CHECK(own::axpy::map_scratch(warmed, desc).bytes == 0);
  run([&](VkCommandBuffer cmd) { throw_if_error(record(cmd)); });
}

TEST_CASE("map: wrong input is refused by name") {
  const Guarded x(400), y(400), out(400);
  const WrongInput wrong(
      device(), record_map,
      MapDesc{.own = &own::axpy::function, .count = 100, .arguments = Value::bits(kParams)},
      MapBuffers{.in = {x.view(), y.view()}, .out = {out.view()}});
  wrong.anywhere();
  wrong.desc({"own is null"}, [](MapDesc& d) { d.own = nullptr; });
  wrong.desc({"own::axpy: arguments have 0 bytes, must have 8"},
             [](MapDesc& d) { d.arguments = {}; });
  wrong.desc({"arguments.address is 0x1004, must be a multiple of 8"},
             [](MapDesc& d) { d.arguments = Value::at(0x1004); });
  wrong.desc({"count is not given"}, [](MapDesc& d) { d.count = {}; });
  wrong.buffers({"x.bytes is 396, the count needs 400"}, [](MapBuffers& b) { b.in[0].bytes -= 4; });
  wrong.buffers({"y.address is 0"}, [](MapBuffers& b) { b.in[1] = {}; });
  wrong.buffers({"out.address", "multiple of 4"}, [](MapBuffers& b) { b.out[0].address += 2; });
  wrong.buffers({"y", "out", "overlap"}, [](MapBuffers& b) {
    b.out[0] = {b.in[1].address + 4, b.in[1].bytes};
  });
  const auto broken = [&](const char* words, FunctionRef<void(Map&)> change) {
    Map map = own::axpy::function;
    change(map);
    wrong.desc({words}, [&](MapDesc& d) { d.own = &map; });
  };
  broken("y have 36 bytes", [](Map& map) { map.in_bytes[1] = 36; });
  broken("out have 6 bytes", [](Map& map) { map.out_bytes[0] = 6; });
  broken("5 inputs and 1 outputs", [](Map& map) { map.inputs = 5; });
  broken("2 inputs and 0 outputs", [](Map& map) { map.outputs = 0; });
  broken("has no spirv", [](Map& map) { map.spirv = nullptr; });

  const Device& d = device(kTinyTiles);
  const auto count = device_count(5u);
  const std::uint64_t max = 1 << 24;
  const MapDesc large{.own = &own::axpy::function,
                      .count = {max, count.address()},
                      .arguments = Value::bits(kParams)};
  const DirtyScratch scratch(map_scratch(d, large));
  CHECK(scratch.get().bytes == 16);
  const WrongInput indirect(d, record_map, large,
                            MapBuffers{.in = {{1 << 30, 4 * max}, {1 << 30, 4 * max}},
                                       .out = {{1ull << 31, 4 * max}},
                                       .scratch = scratch.get()});
  indirect.scratch("map_scratch()");

  DeviceInfo info = device().state()->info;
  info.enabled.int64 = info.enabled.int64_atomics = false;
  Device narrow;
  throw_if_error(create_device(info, limits(), narrow));
  CHECK(std::string(own::scale64::warm_up(narrow).message()).find("needs Features::int64") !=
        std::string::npos);
}

TEST_CASE("map: recorded twice, replayed") {
  const Guarded x(random_values<std::uint32_t>(5000, 3)), y(random_values<std::uint32_t>(5000, 4));
  const auto a = x.read<std::uint32_t>();
  const auto b = y.read<std::uint32_t>();
  const Guarded out(20000, 4);
  const MapDesc desc{.own = &own::axpy::function, .count = 5000, .arguments = Value::bits(kParams)};
  const auto expected = oracle::map(kAxpy.f, 5000, {a, b}, {1, 1}, {1})[0];
  replay(
      device(kTinyTiles), [] {},
      [&](VkCommandBuffer cmd, int) {
        return record_map(cmd, device(kTinyTiles), desc,
                          {.in = {x.view(), y.view()}, .out = {out.view()}});
      },
      [&] { CHECK(difference(out.read<std::uint32_t>(), expected) == ""); });
}

const RegisterPrimitive kMap([](std::uint64_t n) {
  return any_primitive(
      own::axpy::function.name, record_map,
      MapDesc{.own = &own::axpy::function, .count = n, .arguments = Value::bits(kParams)},
      MapBuffers{.in = {view_at(1), view_at(2)}, .out = {view_at(3)}, .scratch = some_scratch()});
});

}  // namespace vkprims::test
