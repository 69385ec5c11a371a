// Decoupled look-back with injected faults, and repeatedly.
#include "blocks/lookback.hpp"

#include <cstring>

#include "blocks/lookback_setup.hpp"
#include "blocks/scan_tile.hpp"
#include "oracles/scan.hpp"
#include "support/turns.hpp"

namespace vkprims::test {
namespace {

template <class T>
std::vector<T> inputs(std::uint64_t n, std::uint32_t seed) {
  std::vector<T> values = random_values<T>(n, seed);
  if constexpr (std::is_floating_point_v<T>) {
    // This maximum grows all the time, so that every prefix is different.
    for (std::uint64_t i = 0; i < n; ++i) values[i] += static_cast<T>(i);
  }
  return values;
}

// Fails unless each of `tiles` tiles holds, whole and right, what its owner or, if the owner was
// silent, another workgroup had to publish. Tiles have `items` elements; the first tile begins
// `head` elements before the first value.
template <class T>
void check_states(const States& states, const Setup& setup, const std::vector<T>& values, Op op,
                  std::uint64_t items, std::uint64_t head, std::uint64_t tiles) {
  const auto words_of_value = [](T x) {
    std::vector<std::uint32_t> words(sizeof(T) / 4);
    std::memcpy(words.data(), &x, sizeof(T));
    return words;
  };
  T prefix = oracle::identity<T>(op);
  for (std::uint64_t tile = 0; tile < states.max_tiles(); ++tile) {
    CAPTURE(tile);
    const States::Value got = states.aggregate(tile), got_prefix = states.prefix(tile);
    const bool silent = (setup.faults & kSilent) && tile % setup.period == 0;
    if (silent || tile >= tiles) REQUIRE(got_prefix.all(kEmptyTag));
    if (tile >= tiles || (silent && !setup.in_place && tile == tiles - 1)) {  // no tile needs it
      REQUIRE(got.all(kEmptyTag));
      continue;
    }
    T aggregate = oracle::identity<T>(op);
    const std::uint64_t first = tile ? tile * items - head : 0,
                        end = std::min<std::uint64_t>((tile + 1) * items - head, values.size());
    for (std::uint64_t i = first; i < end; ++i) {
      aggregate = oracle::combine(op, aggregate, values[i]);
    }
    prefix = oracle::combine(op, prefix, aggregate);
    REQUIRE(got.all(silent && !setup.in_place ? kFallbackTag : kOwnerTag));
    REQUIRE(got.words == words_of_value(aggregate));
    if (silent) continue;
    REQUIRE(got_prefix.all(kOwnerTag));
    REQUIRE(got_prefix.words == words_of_value(prefix));
  }
}

// Checks a scan of n elements that start `offset` elements past a multiple of 256 bytes, and its
// counters.
template <class T>
void check_scan(const Setup& setup, std::uint64_t n, std::uint64_t in_offset = 0,
                std::uint64_t out_offset = 0) {
  const std::string what = text_of(setup);
  CAPTURE(what);
  CAPTURE(n);
  CAPTURE(in_offset);
  const Device& d = device_for(setup);
  const std::vector<T> values = inputs<T>(n, static_cast<std::uint32_t>(n));
  const ScanDesc desc{.type = type_of<T>(),
                      .op = std::is_floating_point_v<T> ? Op::max : Op::add,
                      .count = n,
                      .schedule = Schedule::look_back};
  const Guarded in(values, in_offset * sizeof(T));
  const Guarded out(setup.in_place ? 0 : n * sizeof(T), out_offset * sizeof(T));
  const Guarded total(sizeof(T), out_offset * sizeof(T));
  const DirtyScratch scratch(scan_scratch(d, desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_scan(
        cmd, d, desc,
        {in.view(), setup.in_place ? in.view() : out.view(), scratch.get(), total.view()}));
  });
  const std::vector<T> result = setup.in_place ? in.read<T>() : out.read<T>();
  CHECK(total.read<T>()[0] == oracle::scan<T, T>(values, desc.op, ScanKind::inclusive).back());
  CHECK(difference(result, oracle::scan<T, T>(values, desc.op, desc.kind)) == "");
  const std::uint32_t words = sizeof(T) / 4;
  const std::uint64_t items = scan_tile(d.state()->tuning, words).items;
  const std::uint64_t head = cell_head(in.address(), sizeof(T), words);
  const std::uint64_t tiles = (n + head + items - 1) / items;
  check_counters(scratch.words(kCounters), setup, tiles);
  check_states(States(scratch, lookback_is_wide(*d.state()), words, scratch.get().bytes), setup,
               values, desc.op, items, head, tiles);
}

}  // namespace

TEST_CASE("lookback: injected faults are survived and counted") {
  const Setup setups[] = {
      {},
      {.in_place = true},
      {.word32 = true, .spin_limit = 1},
      {.faults = kSilent, .period = 1},
      {.faults = kSilent, .period = 2, .spin_limit = 1},
      {.faults = kSilent, .period = 2, .word32 = true},
      {.faults = kSilent, .period = 1, .word32 = true, .order = TileOrder::workgroup},
      {.faults = kSilent, .period = 1, .in_place = true},
      {.faults = kShuffled, .period = 7, .in_place = true, .word32 = true},
      {.faults = kShuffled, .period = 1000, .spin_limit = 1},
      {.faults = kShuffled | kForced, .period = 64, .order = TileOrder::workgroup},
      {.faults = kForced},
      {.faults = kForced, .in_place = true},
      {.faults = kForced, .in_place = true, .word32 = true},
      {.faults = kAllFaults, .period = 3, .in_place = true},
      {.faults = kAllFaults, .period = 3, .in_place = true, .word32 = true, .spin_limit = 1},
      {.faults = kAllFaults, .period = 2},
      {.faults = kAllFaults, .period = 3, .word32 = true},
  };
  for (const Setup& setup : setups) {
    const std::uint64_t tile = 4 * 128;
    check_scan<std::uint32_t>(setup, 1);
    check_scan<std::uint32_t>(setup, tile + 1);
    check_scan<std::uint32_t>(setup, 40 * tile - 1, 1, 1);
    check_scan<std::uint32_t>(setup, 200 * tile);
  }
  forgive_turns("where no tile publishes, each computes all those before it");
}

TEST_CASE("lookback: faults with other types and unaligned views") {
  const Setup all{.faults = kAllFaults, .period = 2},
      all_word32{.faults = kAllFaults, .period = 2, .word32 = true},
      in_place{.faults = kAllFaults, .period = 3, .in_place = true};
  for (const std::uint64_t n : {777, 12'345}) {
    check_scan<std::uint32_t>(all, n, 1, 2);
    check_scan<std::uint32_t>(all_word32, n, 3, 0);
    if (!subset()) check_scan<float>(all, n);
    if (!context().device().features().int64) continue;
    check_scan<std::uint64_t>(all_word32, n);
    check_scan<std::uint64_t>(in_place, n, 1, 1);
  }
}

TEST_CASE("lookback: in place no tile is taken from what its owner has overwritten") {
  const Setup setups[] = {
      {.faults = kForced, .in_place = true},
      {.faults = kSilent, .period = 1, .in_place = true},
      {.faults = kAllFaults, .period = 3, .in_place = true},
      {.faults = kAllFaults, .period = 3, .in_place = true, .word32 = true, .spin_limit = 1},
      {.faults = kShuffled, .period = 7, .in_place = true, .word32 = true},
  };
  const std::uint64_t n = 20'000;
  const std::vector<std::uint32_t> values = inputs<std::uint32_t>(n, 8);
  const auto expected =
      oracle::scan<std::uint32_t, std::uint32_t>(values, Op::add, ScanKind::exclusive);
  const auto in = context().upload(values);
  const auto data = context().allocate<std::uint32_t>(n);
  const ScanDesc desc{.count = n, .schedule = Schedule::look_back};
  Counters total(kCounters);
  for (const Setup& setup : setups) {
    const Device& d = device_for(setup);
    const DirtyScratch scratch(scan_scratch(d, desc));
    spy().clear();
    const Plan plan = context().record([&](Recorder& r) {
      r.commands([&](VkCommandBuffer cmd) {
        throw_if_error(record_copy(cmd, d, {4, n}, {in.view(), data.view(), {}}));
        throw_if_error(record_barrier(cmd, d));
        throw_if_error(record_scan(cmd, d, desc, {data.view(), data.view(), scratch.get()}));
      });
    });
    CHECK(spy().hazards.hazards() == "");
    for (int round = 0; round < repeats() / 8 + 1; ++round) {
      context().submit(plan).wait();
      REQUIRE(difference(context().download(data), expected) == "");
      const Counters counters = scratch.words(kCounters);
      check_counters(counters, setup, 40);
      for (std::size_t i = 0; i < kCounters; ++i) {
        const bool most = i == VKP_LOOKBACK_LONGEST || i == VKP_LOOKBACK_MOST_SPINS;
        total[i] = most ? std::max(total[i], counters[i]) : total[i] + counters[i];
      }
    }
  }
  MESSAGE(text_of(total));
}

TEST_CASE("lookback: scans are right over and over") {
  // Many small tiles finish at nearly the same time. The scratch holds the states of the round
  // before, which had other data, and the output range holds other results.
  const Setup setups[] = {
      {},
      {.in_place = true},
      {.faults = kForced, .in_place = true},
      {.faults = kSilent, .period = 2, .spin_limit = 1},
      {.faults = kForced},
      {.word32 = true, .spin_limit = 1},
      {.faults = kForced, .in_place = true, .word32 = true},
      {.faults = kSilent, .period = 2, .word32 = true},
  };
  constexpr std::uint64_t kScans = 64, n = 20'000;
  struct Input {
    Buffer<std::uint32_t> in;
    std::vector<std::uint32_t> expected;
  };
  const auto input = [&](std::uint32_t seed) {
    const std::vector<std::uint32_t> values = inputs<std::uint32_t>(n, seed);
    return Input{context().upload(values),
                 oracle::scan<std::uint32_t, std::uint32_t>(values, Op::add, ScanKind::exclusive)};
  };
  const Input both[] = {input(31), input(32)};
  const auto input_of = [&](std::uint64_t round, std::uint64_t i) -> const Input& {
    return both[(round + i + i / 8) % 2];
  };
  const auto out = context().allocate<std::uint32_t>(kScans * n);
  const ScanDesc desc{.count = n, .schedule = Schedule::look_back};
  const DirtyScratch scratch(scan_scratch(device_for({}), desc));
  spy().clear();
  Plan plans[2];
  for (std::uint64_t round = 0; round < 2; ++round) {
    plans[round] = context().record([&](Recorder& r) {
      r.commands([&](VkCommandBuffer cmd) {
        for (std::uint64_t i = 0; i < kScans; ++i) {
          const Setup& setup = setups[i % 8];
          const Device& d = device_for(setup);
          const BufferView from = input_of(round, i).in.view(), to = out.slice(i * n, n).view();
          if (setup.in_place) {
            throw_if_error(record_copy(cmd, d, {4, n}, {from, to, {}}));
            throw_if_error(record_barrier(cmd, d));
          }
          throw_if_error(
              record_scan(cmd, d, desc, {setup.in_place ? to : from, to, scratch.get()}));
          throw_if_error(record_barrier(cmd, d));
        }
      });
    });
  }
  CHECK(spy().hazards.hazards() == "");
  for (std::uint64_t round = 0; round < static_cast<std::uint64_t>(repeats()) / kScans + 1;
       ++round) {
    context().submit(plans[round % 2]).wait();
    const std::vector<std::uint32_t> results = context().download(out);
    for (std::uint64_t i = 0; i < kScans; ++i) {
      CAPTURE(round);
      CAPTURE(i);
      const auto* result = results.data() + i * n;
      const auto& expected = input_of(round, i).expected;
      const auto wrong = std::mismatch(expected.begin(), expected.end(), result).first;
      REQUIRE(wrong - expected.begin() == static_cast<std::ptrdiff_t>(n));
    }
  }
}

TEST_CASE("lookback: a period of 0 tiles is refused by name") {
  DeviceInfo info = device().state()->info;
  DeviceHooks hooks = limits();
  hooks.lookback.period = 0;
  Device d;
  const Status status = create_device(info, hooks, d);
  CHECK(status == Status::invalid_argument);
  CHECK(std::string(status.message()).find("lookback.period is 0") != std::string::npos);
  CHECK_FALSE(d);
}

TEST_CASE("lookback: smoke" * doctest::test_suite("smoke")) {
  check_scan<std::uint32_t>({.faults = kSilent, .period = 1}, 1500);
}

}  // namespace vkprims::test
