// Decoupled look-back over tiles of which some are closed, with injected faults, and repeatedly.
#include <cstring>

#include "blocks/lookback.hpp"
#include "blocks/lookback_setup.hpp"
#include "oracles/scan_by_key.hpp"
#include "runtime/tuning.hpp"
#include "scan/segments.hpp"
#include "support/segment_heads.hpp"

namespace vkprims::test {
namespace {

constexpr std::uint32_t kClosedTag = 4;  // or'ed to the others

// Checks what every tile is left with, like check_states() in lookback_test.cpp. A closed tile has
// no prefix beside its aggregate.
template <class T>
void check_states(const States& states, const Setup& setup, const std::vector<T>& values,
                  const std::vector<bool>& heads, std::uint64_t items, std::uint64_t head,
                  std::uint64_t tiles) {
  T prefix = 0;
  for (std::uint64_t tile = 0; tile < tiles; ++tile) {
    CAPTURE(tile);
    const bool silent = (setup.faults & kSilent) && tile % setup.period == 0;
    const States::Value got = states.aggregate(tile), got_prefix = states.prefix(tile);
    bool closed = false;
    T aggregate = 0;
    const std::uint64_t first = tile ? tile * items - head : 0,
                        end = std::min<std::uint64_t>((tile + 1) * items - head, values.size());
    for (std::uint64_t i = first; i < end; ++i) {
      aggregate = static_cast<T>((heads[i] ? 0 : aggregate) + values[i]);
      closed = closed || heads[i];
    }
    prefix = static_cast<T>((closed ? 0 : prefix) + aggregate);
    const auto is = [](const States::Value& value, T x) {
      return std::memcmp(value.words.data(), &x, sizeof(T)) == 0;
    };
    if (silent && !setup.in_place && tile == tiles - 1) {  // no tile needs it
      REQUIRE(got.all(kEmptyTag));
      continue;
    }
    const std::uint32_t publisher = silent && !setup.in_place ? kFallbackTag : kOwnerTag;
    REQUIRE(got.all(closed ? publisher | kClosedTag : publisher));
    REQUIRE(is(got, aggregate));
    if (silent || closed) {
      REQUIRE(got_prefix.all(kEmptyTag));
    } else {
      REQUIRE(got_prefix.all(kOwnerTag));
      REQUIRE(is(got_prefix, prefix));
    }
  }
}

// Checks a scan by key of n elements in runs of a mean length (0: one run), and its counters.
template <class T>
void check_scan(const Setup& setup, std::uint64_t n, std::uint64_t mean, std::uint64_t offset = 0) {
  const std::string what = text_of(setup);
  CAPTURE(what);
  CAPTURE(n);
  CAPTURE(mean);
  const Device& d = device_for(setup);
  const auto seed = static_cast<std::uint32_t>(n + mean);
  const auto heads = random_heads(n, mean, seed);
  const auto keys = keys_of<std::uint32_t>(heads, seed);
  const auto values = random_values<T>(n, seed);
  const ScanByKeyDesc desc{.type = type_of<T>(), .count = n, .schedule = Schedule::look_back};
  const Guarded key_memory(keys), in(values, offset * sizeof(T)),
      out(setup.in_place ? 0 : n * sizeof(T), offset * sizeof(T)), run_count(8, 8);
  const Guarded& result = setup.in_place ? in : out;
  const DirtyScratch scratch(scan_by_key_scratch(d, desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_scan_by_key(
        cmd, d, desc,
        {key_memory.view(), in.view(), result.view(), scratch.get(), run_count.view()}));
  });
  CHECK(run_count.read<std::uint64_t>()[0] == oracle::run_count<std::uint32_t>(keys));
  CHECK(difference(result.template read<T>(),
                   oracle::scan_by_key<std::uint32_t, T>(keys, values, desc.op, desc.kind)) == "");
  const std::uint64_t items =
      segment_tile(tuning_for(d.state()->tuning, n), size_of(desc.type) / 4, Heads::keys_4).items;
  const std::uint64_t head = cell_head(in.address(), sizeof(T), sizeof(T) / 4);
  const std::uint64_t tiles = (n + head + items - 1) / items;
  check_states(States(scratch, lookback_is_wide(*d.state()), sizeof(T) / 4, scratch.get().bytes),
               setup, values, heads, items, head, tiles);
  const Counters c = scratch.words(kCounters);
  const std::string counted = text_of(c);
  CAPTURE(counted);
  if (mean == 0) return check_counters(c, setup, tiles);  // only the first tile is closed
  CHECK(c[VKP_LOOKBACK_TILES] == tiles);
  CHECK(c[VKP_LOOKBACK_MOST_SPINS] <= setup.spin_limit);
  CHECK(c[VKP_LOOKBACK_WALKED] + c[VKP_LOOKBACK_FALLBACKS] >= tiles - 1);
  if (mean < 100) {  // all tiles are closed: every walk ends at the tile before
    CHECK(c[VKP_LOOKBACK_WALKED] + c[VKP_LOOKBACK_FALLBACKS] == tiles - 1);
    CHECK(c[VKP_LOOKBACK_LONGEST] <= 1);
  }
}

const Setup kSetups[] = {
    {},
    {.faults = kForced, .in_place = true, .word32 = true},
    {.faults = kSilent, .period = 2, .spin_limit = 1},
    {.faults = kSilent, .period = 1, .in_place = true},
    {.faults = kShuffled | kForced, .period = 64, .order = TileOrder::workgroup},
    {.faults = kAllFaults, .period = 3, .in_place = true},
    {.faults = kAllFaults, .period = 2, .word32 = true},
};

}  // namespace

TEST_CASE("lookback: closed tiles with injected faults") {
  for (const Setup& setup : kSetups) {
    for (const std::uint64_t n : {1, 513, 20'000, 100'000}) {
      for (const std::uint64_t mean : {0, 30, 1'500}) {
        check_scan<std::uint32_t>(setup, n, mean, n % 2);
      }
    }
  }
  if (!context().device().features().int64 || subset()) return;
  for (const std::uint64_t mean : {0, 30, 1'500}) {
    check_scan<std::uint64_t>({.faults = kAllFaults, .period = 2, .word32 = true}, 12'345, mean);
    check_scan<std::uint64_t>({.faults = kAllFaults, .period = 3, .in_place = true}, 12'345, mean,
                              1);
  }
}

TEST_CASE("lookback: scans by key are right over and over") {
  // As in lookback_test.cpp, there are many small tiles; the scratch holds the states of the scan
  // before, and the output range holds other results.
  constexpr std::uint64_t kScans = 7 * 6, n = 20'000;
  struct Input {
    Buffer<std::uint32_t> keys, values;
    std::vector<std::uint32_t> expected;
    std::uint64_t runs;
  };
  std::vector<Input> inputs;
  for (const std::uint64_t mean : {30, 1'500, 0}) {
    const auto keys = keys_of<std::uint32_t>(random_heads(n, mean, 5), 5);
    const auto values = random_values<std::uint32_t>(n, static_cast<std::uint32_t>(mean));
    inputs.push_back({context().upload(keys), context().upload(values),
                      oracle::scan_by_key<std::uint32_t, std::uint32_t>(keys, values, Op::add,
                                                                        ScanKind::exclusive),
                      oracle::run_count<std::uint32_t>(keys)});
  }
  const auto input_of = [&](std::uint64_t round, std::uint64_t i) -> const Input& {
    return inputs[(round + i / 7) % inputs.size()];
  };
  const auto out = context().allocate<std::uint32_t>(kScans * n);
  const auto run_counts = context().allocate<std::uint64_t>(kScans);
  const ScanByKeyDesc desc{.count = n, .schedule = Schedule::look_back};
  const DirtyScratch scratch(scan_by_key_scratch(device_for({}), desc));
  spy().clear();
  Plan plans[2];
  for (std::uint64_t round = 0; round < 2; ++round) {
    plans[round] = context().record([&](Recorder& r) {
      r.commands([&](VkCommandBuffer cmd) {
        for (std::uint64_t i = 0; i < kScans; ++i) {
          const Setup& setup = kSetups[i % 7];
          const Device& d = device_for(setup);
          const Input& input = input_of(round, i);
          const BufferView from = input.values.view(), to = out.slice(i * n, n).view();
          if (setup.in_place) {
            throw_if_error(record_copy(cmd, d, {4, n}, {from, to, {}}));
            throw_if_error(record_barrier(cmd, d));
          }
          // A second of them is not counted, and leaves other words in the scratch.
          const BufferView run_count = i % 2 ? BufferView{} : run_counts.slice(i, 1).view();
          throw_if_error(record_scan_by_key(
              cmd, d, desc,
              {input.keys.view(), setup.in_place ? to : from, to, scratch.get(), run_count}));
          throw_if_error(record_barrier(cmd, d));
        }
      });
    });
  }
  CHECK(spy().hazards.hazards() == "");
  const std::uint64_t rounds = static_cast<std::uint64_t>(repeats()) / kScans + 1;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    context().write(run_counts, std::vector<std::uint64_t>(kScans, 0));
    context().submit(plans[round % 2]).wait();
    const std::vector<std::uint64_t> counted = context().download(run_counts);
    const std::vector<std::uint32_t> results = context().download(out);
    for (std::uint64_t i = 0; i < kScans; ++i) {
      CAPTURE(round);
      CAPTURE(i);
      const auto& expected = input_of(round % 2, i).expected;
      const auto wrong =
          std::mismatch(expected.begin(), expected.end(), results.data() + i * n).first;
      REQUIRE(wrong - expected.begin() == static_cast<std::ptrdiff_t>(n));
      REQUIRE(counted[i] == (i % 2 ? 0 : input_of(round % 2, i).runs));
    }
  }
}

}  // namespace vkprims::test
