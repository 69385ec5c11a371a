// Partition into three by functions of an application's own, through vkprims_add_predicate().
#include "oracles/partition_three.hpp"

#include <array>

#include "blocks/stage.hpp"
#include "support/support.hpp"
#include "support/wrong_input.hpp"
#include "vkprims-tests/edge.hpp"
#include "vkprims-tests/levels.hpp"
#include "vkprims-tests/material.hpp"
#include "vkprims-tests/order.hpp"
#include "vkprims/device/lookback.h"
#include "vkprims/partition_three.hpp"

namespace vkprims::test {
namespace {

using own::levels::Levels;
using own::material::Draw;
using Pair = std::array<std::uint32_t, 2>;

constexpr Levels kLevels{.low = 1u << 30, .high = 3u << 30};

// What a test knows of a function: what the GPU has, and the same on the host.
template <class T>
struct Case {
  const OwnPredicate& own;
  std::uint32_t (*part)(const T& x, std::uint64_t index);
  Value arguments = {};
};

const Case<std::uint32_t> kByLevel{own::levels::predicate,
                                   [](const std::uint32_t& x, std::uint64_t i) {
                                     if (i % 5 == 0) return 2u;
                                     return x < kLevels.low ? 0u : x < kLevels.high ? 1u : 2u;
                                   },
                                   Value::bits(kLevels)};
const Case<Pair> kByOrder{own::order::predicate, [](const Pair& x, std::uint64_t) {
                            return x[0] < x[1] ? 0u : x[0] == x[1] ? 1u : 2u;
                          }};
const Case<Draw> kByMaterial{own::material::predicate, [](const Draw& x, std::uint64_t i) {
                               return (i & 1024) != 0 ? 2 - x.material % 3 : x.material % 3;
                             }};

// Elements of which many are alike in their first words, so that no part is empty.
template <class T>
std::vector<T> elements(std::uint64_t n) {
  constexpr std::size_t kWords = sizeof(T) / 4;
  std::vector<std::uint32_t> words = random_values<std::uint32_t>(n * kWords, 3);
  for (std::uint64_t i = 0; kWords == 2 && i < n; ++i) words[2 * i] %= 3, words[2 * i + 1] %= 3;
  std::vector<T> result(n);
  if (n != 0) std::memcpy(result.data(), words.data(), n * sizeof(T));
  return result;
}

template <class T>
std::vector<std::uint32_t> as_words(const std::vector<T>& x) {
  std::vector<std::uint32_t> words(x.size() * sizeof(T) / 4);
  if (!x.empty()) std::memcpy(words.data(), x.data(), words.size() * 4);
  return words;
}

// Checks that a buffer begins with these elements and is unchanged behind them.
template <class T>
void check_front(const Guarded& out, const std::vector<T>& front) {
  std::vector<std::uint32_t> expected = as_words(front);
  const std::vector<std::uint32_t> words = out.read<std::uint32_t>();
  expected.resize(words.size(), 0xcdcdcdcd);
  CHECK(difference(words, expected) == "");
}

template <class T>
void check(const Device& d, const Case<T>& c, std::uint64_t n, Schedule schedule,
           const Count& count, std::uint64_t valid) {
  const std::vector<T> values = elements<T>(n);
  const std::vector<T> existing(values.begin(), values.begin() + std::ptrdiff_t(valid));
  const auto parts = oracle::partition_three<T>(existing, c.part);
  const std::uint64_t shift = n % 4;
  const Guarded in(values, shift * sizeof(T)), first(n * sizeof(T), (3 - shift) * sizeof(T)),
      second(n * sizeof(T), sizeof(T)), third(n * sizeof(T), 2 * sizeof(T)), counts(16, 8);
  const PartitionThreeDesc desc{
      .own = &c.own, .arguments = c.arguments, .count = count, .schedule = schedule};
  const DirtyScratch scratch(partition_three_scratch(d, desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_partition_three(cmd, d, desc,
                                          {.in = in.view(),
                                           .first = first.view(),
                                           .second = second.view(),
                                           .third = third.view(),
                                           .counts = counts.view(),
                                           .scratch = scratch.get()}));
  });
  const std::vector<std::uint64_t> sizes = {parts[0].size(), parts[1].size()};
  CHECK(difference(counts.read<std::uint64_t>(), sizes) == "");
  check_front(first, parts[0]);
  check_front(second, parts[1]);
  check_front(third, parts[2]);
}

template <class T>
void check(const Case<T>& c) {
  for (const Tuning& tuning : tunings({Tuning{}, kTinyTiles})) {
    const Device& d = device(tuning);
    const Tuning& t = d.state()->tuning;
    const std::uint64_t tile =
        stage_tile(*d.state(), sizeof(T), t.scan_workgroup_size, t.compact_rows, t.compact_batches)
            .items;
    for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{31}, tile - 1,
                                  tile, tile + 1, 5 * tile + 3}) {
      for (const Schedule schedule :
           {Schedule::look_back, Schedule::multi_pass, Schedule::automatic}) {
        CAPTURE(n);
        CAPTURE(static_cast<int>(schedule));
        check(d, c, n, schedule, n, n);
      }
    }
    const auto count = device_count(700u);
    check(d, c, 1000, Schedule::automatic, {1000, count.address()}, 700);
    check(d, c, 5000, Schedule::look_back, {5000, count.address()}, 700);
    check(d, c, 600, Schedule::multi_pass, {600, count.address()}, 600);
  }
}

}  // namespace

TEST_CASE("partition_three: elements of 4 bytes, by arguments and numbers") { check(kByLevel); }

TEST_CASE("partition_three: elements of 8 bytes") { check(kByOrder); }

TEST_CASE("partition_three: elements of 16 bytes") { check(kByMaterial); }

TEST_CASE("partition_three: all elements are of one part") {
  const std::vector<Pair> down(3000, Pair{2, 1}), same(3000, Pair{2, 2}), up(3000, Pair{1, 2});
  const Device& d = device(kTinyTiles);
  for (const std::vector<Pair>* values : {&up, &same, &down}) {
    const Guarded in(*values), first(24000), second(24000), third(24000), counts(16);
    const PartitionThreeDesc desc{.own = &own::order::predicate, .count = 3000};
    const DirtyScratch scratch(partition_three_scratch(d, desc));
    run([&](VkCommandBuffer cmd) {
      throw_if_error(record_partition_three(
          cmd, d, desc,
          {in.view(), first.view(), second.view(), third.view(), counts.view(), scratch.get()}));
    });
    check_front(first, values == &up ? *values : std::vector<Pair>());
    check_front(second, values == &same ? *values : std::vector<Pair>());
    check_front(third, values == &down ? *values : std::vector<Pair>());
  }
}

TEST_CASE("partition_three: tiles that never publish, late tiles and shuffled tickets") {
  for (const std::uint32_t faults :
       {VKP_LOOKBACK_SILENT, VKP_LOOKBACK_DELAYED, VKP_LOOKBACK_SHUFFLED}) {
    CAPTURE(faults);
    const Device& d = device(kTinyTiles, {.faults = faults, .period = 3});
    check(d, kByOrder, 9000, Schedule::look_back, 9000, 9000);
  }
}

TEST_CASE("partition_three: the count may be read on the GPU, in grids that are computed there") {
  // There are more than 4,096 tiles, so that the grid is computed on the GPU.
  constexpr std::uint64_t kMost = 2'500'000;
  const Device& d = device(kTinyTiles);
  for (const std::uint32_t n : {0u, 1u, 40'001u}) {
    CAPTURE(n);
    const auto count = device_count(n);
    for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass}) {
      check(d, kByOrder, kMost, schedule, {kMost, count.address()}, n);
    }
  }
}

TEST_CASE("partition_three: recorded twice in one command buffer, and replayed 100 times") {
  constexpr std::uint64_t n = 3000;
  const Device& d = device(kTinyTiles);
  const auto pairs = elements<Pair>(n);
  const auto parts = oracle::partition_three<Pair>(pairs, kByOrder.part);
  const auto in = context().upload(pairs);
  const auto out = context().allocate<Pair>(6 * n);
  const auto counts = context().allocate<std::uint64_t>(4);
  for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass}) {
    const PartitionThreeDesc desc{.own = &kByOrder.own, .count = n, .schedule = schedule};
    const DirtyScratch scratch(partition_three_scratch(d, desc));
    replay(
        d, [&] { context().write(out, std::vector<Pair>(6 * n)); },
        [&](VkCommandBuffer cmd, std::uint64_t i) {
          return record_partition_three(
              cmd, d, desc,
              {in.view(), out.slice(3 * i * n, n).view(), out.slice((3 * i + 1) * n, n).view(),
               out.slice((3 * i + 2) * n, n).view(), counts.slice(2 * i, 2).view(), scratch.get()});
        },
        [&] {
          for (std::uint64_t i = 0; i < 6; ++i) {
            const auto& part = parts[i % 3];
            CHECK(context().download(out, i * n, part.size()) == part);
          }
        });
  }
}

TEST_CASE("partition_three: through a Recorder, with typed sequences, and after warm_up()") {
  const auto pairs = elements<Pair>(1000);
  std::uint64_t sizes[3] = {};
  for (const Pair& x : pairs) ++sizes[kByOrder.part(x, 0)];
  const auto in = context().upload(pairs);
  const auto first = context().allocate<Pair>(1000), second = context().allocate<Pair>(1000),
             third = context().allocate<Pair>(1000);
  const auto counts = context().allocate<std::uint64_t>(2);
  context().run(
      [&](Recorder& r) { own::order::partition_three(r, {}, in, first, second, third, counts); });
  CHECK(difference(context().download(counts), {sizes[0], sizes[1]}) == "");

  DeviceInfo info = device().state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  Device warmed;
  throw_if_error(create_device(info, limits(), warmed));
  for (const Schedule schedule : {Schedule::automatic, Schedule::look_back, Schedule::multi_pass}) {
    throw_if_error(own::order::warm_up(warmed, PartitionThreeDesc{.schedule = schedule}));
    for (const std::uint64_t n : {100, 9000}) check(warmed, kByOrder, n, schedule, n, n);
  }
}

TEST_CASE("partition_three: wrong input is refused by name") {
  const Guarded in(400), first(400), second(400), third(400), counts(16);
  const WrongInput wrong(
      device(), record_partition_three,
      PartitionThreeDesc{
          .own = &own::levels::predicate, .arguments = kByLevel.arguments, .count = 100},
      PartitionThreeBuffers{in.view(), first.view(), second.view(), third.view(), counts.view()});
  wrong.desc({"own is null"}, [](PartitionThreeDesc& d) { d.own = nullptr; });
  wrong.desc({"arguments have 4 bytes", "own::levels have 8"},
             [](PartitionThreeDesc& d) { d.arguments = Value::bits(1u); });
  wrong.desc({"own::edge has no kernels for it", "FORMS"}, [](PartitionThreeDesc& d) {
    d.own = &own::edge::predicate;
    d.arguments = {};
    d.count = 50;
  });
  wrong.buffers({"second.bytes is 396"}, [](PartitionThreeBuffers& b) { b.second.bytes = 396; });
  wrong.buffers({"third", "first"}, [&](PartitionThreeBuffers& b) { b.third = first.view(); });
  wrong.buffers({"counts.bytes is 8"}, [](PartitionThreeBuffers& b) { b.counts.bytes = 8; });
}

}  // namespace vkprims::test
