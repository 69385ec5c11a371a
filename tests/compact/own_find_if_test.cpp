// find_if by predicates of an application's own, with and without arguments, through
// vkprims_add_predicate().
#include <array>
#include <bit>

#include "support/support.hpp"
#include "support/wrong_input.hpp"
#include "vkprims-tests/between.hpp"
#include "vkprims-tests/box.hpp"
#include "vkprims-tests/edge.hpp"
#include "vkprims-tests/sample.hpp"
#include "vkprims-tests/triple.hpp"

namespace vkprims::test {
namespace {

using own::between::Bounds;
using own::box::Box;
using own::edge::Edge;
using own::sample::Sample;
using own::sample::Window;
using Triple = std::array<std::uint32_t, 3>;

bool between(std::uint32_t x, std::uint64_t i, const Bounds& b) {
  return x >= b.low && x <= b.high && i % b.step != 0 &&
         static_cast<std::uint32_t>(std::popcount(x)) % 2 == b.parity;
}

bool box(const Box& x, std::uint64_t i, std::int32_t wanted) {
  const auto number = static_cast<std::int32_t>(i);
  return (x.low[0] < x.high[0] && x.low[1] < x.high[1]) != ((number & wanted) != 0);
}

bool sample(const Sample& x, std::uint64_t, const Window& w) {
  return x.channel == w.channel && x.time >= w.from && x.time < w.before;
}

// The number of the first of `values` that `chooses` chooses, by the definition.
template <class T, class F>
std::uint64_t first_of(const std::vector<T>& values, std::uint64_t count, const F& chooses) {
  for (std::uint64_t i = 0; i < count; ++i) {
    if (chooses(values[i], i)) return i;
  }
  return kNoIndex;
}

// What a call makes of `values`, which lie `shift` elements behind a multiple of 16 bytes. `record`
// has the buffers.
template <class T, class F>
std::uint64_t found(const std::vector<T>& values, std::uint64_t shift, const ScratchNeed& need,
                    const F& record) {
  const Guarded in(values, shift * sizeof(T)), index(8);
  const DirtyScratch scratch(need);
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record(cmd, ReduceBuffers{in.view(), index.view(), scratch.get()}));
  });
  return index.read<std::uint64_t>()[0];
}

std::vector<Sample> samples(std::uint64_t n) {
  const auto random = random_values<std::uint32_t>(n, 8);
  std::vector<Sample> result(n);
  for (std::uint64_t i = 0; i < n; ++i) {
    result[i] = {.channel = random[i] % 3, .weights = {}, .time = (i << 33) + random[i]};
  }
  return result;
}

constexpr std::uint64_t kCounts[] = {0, 1, 31, 511, 512, 513, 6000, 100'000};

std::uint64_t find_sample(const Device& d, const std::vector<Sample>& values, const Count& count,
                          const Window& window) {
  const ReduceDesc desc{.count = count};
  return found(values, values.size() % 3, own::sample::find_if_scratch(d, desc),
               [&](VkCommandBuffer cmd, const ReduceBuffers& buffers) {
                 return own::sample::record_find_if(cmd, d, desc, window, buffers);
               });
}

}  // namespace

TEST_CASE("own find_if: elements of 12 bytes, without arguments") {
  for (const Tuning& tuning : either_tuning({Tuning{}, kTinyTiles})) {
    const Device& d = device(tuning);
    for (const std::uint64_t n : kCounts) {
      CAPTURE(n);
      std::vector<Triple> values(n, Triple{1, 2, 3});
      for (const std::uint64_t at : {n - 1, n / 2, n, n / 3, std::uint64_t{0}}) {
        if (at < n) values[at] = {5007, 1, 2};
        const ReduceDesc desc{.count = n};
        CHECK(found(values, 1, own::triple::find_if_scratch(d, desc),
                    [&](VkCommandBuffer cmd, const ReduceBuffers& buffers) {
                      return own::triple::record_find_if(cmd, d, desc, buffers);
                    }) == first_of(values, n, [](const Triple& x, std::uint64_t) {
                return x[0] % 1000 == 7 && x[1] < x[2];
              }));
      }
    }
  }
}

TEST_CASE("own find_if: elements of 4 bytes, with 32 bytes of arguments of several values") {
  constexpr Bounds kBounds[] = {
      {.low = 1u << 29, .high = 3u << 30, .step = 7, .unused = {}, .parity = 1},
      {.low = 0, .high = ~0u, .step = 1u << 31, .unused = {}, .parity = 0},
      {.low = 0, .high = 1u << 18, .step = 2, .unused = {}, .parity = 1},
      {.low = 5, .high = 4, .step = 3, .unused = {}, .parity = 1}};  // chooses nothing
  for (const Tuning& tuning : either_tuning({Tuning{}, kTinyTiles})) {
    const Device& d = device(tuning);
    for (const std::uint64_t n : kCounts) {
      const auto values = random_values<std::uint32_t>(n, 3);
      for (const Bounds& bounds : kBounds) {
        CAPTURE(n);
        CAPTURE(bounds.low);
        const ReduceDesc desc{.count = n};
        CHECK(found(values, n % 4, own::between::find_if_scratch(d, desc),
                    [&](VkCommandBuffer cmd, const ReduceBuffers& buffers) {
                      return own::between::record_find_if(cmd, d, desc, bounds, buffers);
                    }) == first_of(values, n, [&](std::uint32_t x, std::uint64_t i) {
                return between(x, i, bounds);
              }));
      }
    }
  }
}

TEST_CASE("own find_if: arguments of a scalar, and the numbers of elements") {
  const Device& d = device(kTinyTiles);
  for (const std::uint64_t n : kCounts) {
    std::vector<Box> values(n, Box{{4, 4}, {4, 5}});  // none has an area
    for (const std::int32_t wanted : {0, 1, 4, 1 << 9, 1 << 20}) {
      CAPTURE(n);
      CAPTURE(wanted);
      const ReduceDesc desc{.count = n};
      CHECK(found(values, n % 2, own::box::find_if_scratch(d, desc),
                  [&](VkCommandBuffer cmd, const ReduceBuffers& buffers) {
                    return own::box::record_find_if(cmd, d, desc, wanted, buffers);
                  }) ==
            first_of(values, n, [&](const Box& x, std::uint64_t i) { return box(x, i, wanted); }));
    }
  }
}

TEST_CASE("own find_if: the first, the last and no element, of 32 bytes with 64-bit arguments") {
  if (!device().state()->info.enabled.int64) return;
  for (const Tuning& tuning : either_tuning({Tuning{}, kTinyTiles})) {
    const Device& d = device(tuning);
    for (const std::uint64_t n : kCounts) {
      CAPTURE(n);
      const std::vector<Sample> values = samples(n);
      std::vector<std::uint64_t> places = {0, n / 2, n - 1};
      if (n == 0) places.clear();
      for (const std::uint64_t at : places) {
        const Sample& x = values[at];
        CHECK(find_sample(d, values, n, {x.time, x.time + 1, x.channel, 0}) == at);
      }
      CHECK(find_sample(d, values, n, {0, ~std::uint64_t{0}, 3, 0}) == kNoIndex);
      const Window late{n << 32, ~std::uint64_t{0}, 1, 0};
      CHECK(find_sample(d, values, n, late) ==
            first_of(values, n,
                     [&](const Sample& x, std::uint64_t i) { return sample(x, i, late); }));
    }
  }
}

TEST_CASE("own find_if: counts on the GPU, and arguments at a device address") {
  const Device& d = device(kTinyTiles);
  constexpr std::uint64_t kMost = 5000;
  std::vector<std::uint32_t> values(kMost, 6);
  values[3000] = 7;
  const Bounds bounds{.low = 7, .high = 7, .step = 4096, .unused = {}, .parity = 1};
  const auto at = context().upload(std::vector{bounds});
  for (const std::uint32_t n : {0u, 1u, 3000u, 3001u, 5000u, 6000u}) {
    CAPTURE(n);
    const auto count = device_count(n);
    const ReduceDesc desc{.count = {kMost, count.address()}};
    const std::uint64_t expected = n > 3000 ? 3000 : kNoIndex;
    const ScratchNeed need = own::between::find_if_scratch(d, desc);
    CHECK(found(values, 3, need, [&](VkCommandBuffer cmd, const ReduceBuffers& buffers) {
            return own::between::record_find_if(cmd, d, desc, bounds, buffers);
          }) == expected);
    CHECK(found(values, 1, need, [&](VkCommandBuffer cmd, const ReduceBuffers& buffers) {
            ReduceDesc on_gpu = desc;
            on_gpu.own = &own::between::between_find_if::monoid;
            on_gpu.arguments = Value::at(at.address());
            return record_reduce(cmd, d, on_gpu, buffers);
          }) == expected);
  }
}

TEST_CASE("own find_if: through a Recorder, with typed sequences, and after warm_up()") {
  const auto numbers = random_values<std::uint32_t>(1000, 4);
  std::vector<Edge> edges(1000, Edge{3, 2});
  edges[700] = {2, 3};
  const Bounds bounds{.low = 1u << 31, .high = ~0u, .step = 5, .unused = {}, .parity = 0};
  const auto x = context().upload(numbers);
  const auto in = context().upload(edges);
  const auto index = context().allocate<std::uint64_t>(2);
  context().run([&](Recorder& r) {
    own::edge::find_if(r, {}, in, index.slice(0, 1));
    own::between::find_if(r, {}, bounds, x, index.slice(1, 1));
  });
  const std::uint64_t expected = first_of(
      numbers, 1000, [&](std::uint32_t v, std::uint64_t i) { return between(v, i, bounds); });
  CHECK(difference(context().download(index), {700, expected}) == "");

  DeviceInfo info = device().state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  Device warmed;
  throw_if_error(create_device(info, limits(), warmed));
  throw_if_error(own::between::warm_up(warmed, ReduceDesc{}));
  for (const std::uint64_t shift : {0, 1}) {
    const ReduceDesc desc{.count = 1000};
    CHECK(found(numbers, shift, own::between::find_if_scratch(warmed, desc),
                [&](VkCommandBuffer cmd, const ReduceBuffers& buffers) {
                  return own::between::record_find_if(cmd, warmed, desc, bounds, buffers);
                }) == expected);
  }
}

TEST_CASE("own find_if: wrong input is refused by name") {
  const Guarded in(400), out(8);
  const WrongInput wrong(device(), record_reduce,
                         ReduceDesc{.own = &own::box::box_find_if::monoid,
                                    .count = 25,
                                    .arguments = Value::bits(std::int32_t{4})},
                         ReduceBuffers{.in = in.view(), .out = out.view()});
  wrong.desc({"arguments have 8 bytes", "box_find_if have 4"},
             [](ReduceDesc& d) { d.arguments = Value::bits(std::uint64_t{1}); });
  wrong.desc({"arguments have 0 bytes"}, [](ReduceDesc& d) { d.arguments = {}; });
  wrong.desc({"edge_find_if have 0"},
             [](ReduceDesc& d) { d.own = &own::edge::edge_find_if::monoid; });
  wrong.desc({"arguments"}, [&](ReduceDesc& d) { d.arguments = Value::at(in.view().address + 2); });
  Monoid broken = own::box::box_find_if::monoid;
  broken.argument_bytes = 36;
  wrong.desc({"36 bytes of arguments"}, [&](ReduceDesc& d) { d.own = &broken; });
  wrong.buffers({"in.bytes is 396"}, [](ReduceBuffers& b) { b.in.bytes = 396; });
}

}  // namespace vkprims::test
