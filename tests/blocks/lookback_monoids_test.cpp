// Scans over monoids that do not commute, through the GLSL contract that users have.
#include <array>

#include "blocks/lookback.hpp"
#include "blocks/lookback_setup.hpp"
#include "blocks/scan_tile.hpp"
#include "oracles/monoids.hpp"
#include "runtime/push.hpp"
#include "scan/scan/scan.abi.h"
#include "spirv/monoid_scan_look_back.hpp"
#include "spirv/monoid_scan_multi_pass_fold.hpp"
#include "spirv/monoid_scan_multi_pass_scan.hpp"
#include "support/run_commands.hpp"

namespace vkprims::test {
namespace {

// The position of a monoid in the line %VARIANT% of the kernels.
template <class M>
constexpr std::size_t kVariant = 0;
template <>
constexpr std::size_t kVariant<oracle::Affine> = 1;
template <>
constexpr std::size_t kVariant<oracle::Count> = 2;
template <>
constexpr std::size_t kVariant<oracle::Wide> = 3;
template <>
constexpr std::size_t kVariant<oracle::Illegal> = 4;

// The tile of a monoid, and the rows of an invocation.
LanesTile tile_of(const DeviceState& state, std::uint32_t words) {
  if (!scans_by_lanes(words, false)) {
    return {scan_tile(state.tuning, words), state.tuning.scan_rows};
  }
  return lanes_tile(state, words, words, state.tuning.scan_workgroup_size, 0);
}

template <class Element>
std::vector<std::uint32_t> words_of(const std::vector<Element>& elements) {
  std::vector<std::uint32_t> words;
  for (const Element& e : elements) words.insert(words.end(), e.begin(), e.end());
  return words;
}

// Stores words that no value has to some of the states of every silent tile, as if publishers had
// stopped half way: some words of the aggregate, and either all words of the prefix except one or
// all of them with unlike tags.
void tear_states(Commands& commands, const Scratch& scratch, bool wide, std::uint32_t words,
                 std::uint64_t tiles, const Setup& setup) {
  constexpr Independent kDistinct{"each stores words of its own"};
  const Independent* independent = nullptr;  // the first store depends on the fill before it
  const std::uint32_t states = wide ? words : 2 * words, bytes = wide ? 8 : 4;
  oracle::Random random(static_cast<std::uint32_t>(tiles));
  const auto store = [&](std::uint32_t value, std::uint64_t tile, std::uint32_t tag) {
    const std::uint64_t at =
        VKP_LOOKBACK_HEADER_BYTES + tile * VKP_LOOKBACK_SLOT_BYTES(words) + value * bytes;
    const std::uint32_t payload = random();
    throw_if_error(
        commands.fill(scratch, at, 4, wide ? payload : tag << 16 | payload >> 16, independent));
    independent = &kDistinct;
    if (wide) throw_if_error(commands.fill(scratch, at + 4, 4, tag, &kDistinct));
  };
  for (std::uint64_t tile = 0; tile < tiles; tile += setup.period) {
    const std::uint32_t there = 1 + random() % ((1u << states) - 2);  // some, not all
    const std::uint32_t odd_one = random() % states;
    const bool lacks_one = random() % 2;
    for (std::uint32_t i = 0; i < states; ++i) {
      if (there >> i & 1) store(i, tile, kOwnerTag);
      if (i != odd_one) {
        store(states + i, tile, kOwnerTag);
      } else if (!lacks_one) {
        store(states + i, tile, kFallbackTag);
      }
    }
  }
}

// The parameters of a scan over a monoid.
struct MonoidScan {
  Setup setup = {};
  ScanKind kind = ScanKind::inclusive;
  std::uint64_t count = 0;
  std::uint64_t offset = 0;      // of input and output, in elements past a multiple of 256 bytes
  std::uint32_t max_groups = 0;  // 0: by look-back
  bool torn = false;             // see tear_states()
};

// Runs the scan through the kernels in tests/shaders/, after a seed.
template <class M>
void check_monoid_scan(const MonoidScan& s) {
  const Setup& setup = s.setup;
  const std::uint64_t n = s.count;
  const std::uint32_t max_groups = s.max_groups;
  const std::string what = text_of(setup);
  CAPTURE(what);
  CAPTURE(n);
  CAPTURE(s.offset);
  CAPTURE(max_groups);
  CAPTURE(s.torn);
  const Device& d = device_for(setup);
  const DeviceState& state = *d.state();
  constexpr std::uint32_t words = std::tuple_size_v<typename M::Element>;
  const std::uint64_t bytes = n * words * 4;
  const auto seed = oracle::elements<M>(0, 1);
  const auto values = oracle::elements<M>(1, n);

  const Guarded in(words_of(values), s.offset * words * 4);
  const Guarded out(setup.in_place ? 0 : bytes, s.offset * words * 4);
  const Guarded& result = setup.in_place ? in : out;
  const auto initial = context().upload(words_of(seed));
  const auto [tile, rows] = tile_of(state, words);
  const std::uint64_t max_tiles = scan_max_tiles(tile, n);
  const DirtyScratch scratch(
      {max_groups ? VKP_SCAN_FOLDS_OFFSET + max_groups * (1 + 128 / kSmallestSubgroup) * words * 4
                  : lookback_bytes(max_tiles, words)});

  Specialization constants{.workgroup_size = tile.workgroup_size, .rows = rows, .row_words = 4};
  constants.set(VKP_SCAN_SPEC_BATCHES, state.tuning.scan_batches)
      .set(VKP_SCAN_SPEC_INCLUSIVE, s.kind == ScanKind::inclusive);
  if (!max_groups) constants.lookback = lookback_constants(state, setup.in_place);
  const Grid grid(max_groups ? max_groups : max_tiles);
  const abi::ScanPush push{.in_base = push_u64(in.address()),
                           .out_base = push_u64(result.address()),
                           .scratch = push_u64(scratch.get().address),
                           .count = push_count(n),
                           .max_parts = static_cast<std::uint32_t>(grid.groups),
                           .has_initial = 1,
                           .initial = {.address = push_u64(initial.address())}};
  const bool wide = lookback_is_wide(state);
  run_commands("monoid scan", d, [&](Commands& commands) {
    const Access values_read = reads(in.address(), bytes);
    const Access states = writes(scratch.get().address, scratch.get().bytes);
    throw_if_error(commands.fill(scratch.get(), 0, max_groups ? 4 : scratch.get().bytes));
    if (s.torn) tear_states(commands, scratch.get(), wide, words, max_tiles, setup);
    if (max_groups) {
      VKPRIMS_TRY(commands.dispatch(spirv::monoid_scan_multi_pass_fold(kVariant<M>), constants,
                                    push, grid, {values_read, states}));
    }
    return commands.dispatch(max_groups ? spirv::monoid_scan_multi_pass_scan(kVariant<M>)
                                        : spirv::monoid_scan_look_back(kVariant<M>, wide),
                             constants, push, grid,
                             {values_read, states, writes(result.address(), bytes)});
  });
  CHECK(difference(result.template read<std::uint32_t>(),
                   words_of(oracle::scan<M>(values, s.kind, seed[0]))) == "");
  if (max_groups || s.torn) return;
  const std::uint64_t head = cell_head(in.address(), words * 4, words);
  check_counters(scratch.words(kCounters), setup, (n + head + tile.items - 1) / tile.items);
}

// These counts lie around the edges of subgroups and of tiles; the last one has many tiles.
std::vector<std::uint64_t> counts_for(const Setup& setup, std::uint32_t words) {
  const std::uint64_t tile = tile_of(*device_for(setup).state(), words).tile.items;
  std::vector<std::uint64_t> list = edge_counts(tile);
  list.erase(list.begin());  // 0: nothing is dispatched
  list.push_back(70 * tile + 3);
  return list;
}

// Making pipelines takes most of the time here, so these are a few setups that differ in
// everything.
template <class M>
void check_monoid() {
  constexpr std::uint32_t words = std::tuple_size_v<typename M::Element>;
  struct Case {
    Setup setup;
    ScanKind kind;
  };
  std::vector<Case> cases = {
      {{.faults = kAllFaults, .period = 2}, ScanKind::inclusive},
      {{.faults = kAllFaults, .period = 3, .in_place = true, .word32 = true}, ScanKind::exclusive},
  };
  if (words <= 4) cases.push_back({{}, ScanKind::inclusive});
  if (words == 2) {
    cases.push_back(
        {{.faults = kSilent, .word32 = true, .spin_limit = 1, .rows = 3}, ScanKind::exclusive});
  }
  for (const Case& c : cases) {
    // A recomputing workgroup may read elements that are being overwritten. It discards the result
    // with its errors, but the operands that the operator meets there are not segments.
    if (c.setup.in_place && std::is_same_v<M, oracle::Illegal>) continue;
    for (const std::uint64_t n : counts_for(c.setup, words)) {
      check_monoid_scan<M>({c.setup, c.kind, n, n % 2});
    }
  }
  for (const std::uint64_t n : counts_for({}, words)) {
    check_monoid_scan<M>({.count = n, .offset = n % 2, .max_groups = 7});
  }
  // There are more workgroups than the workgroup that scans their folds has invocations.
  check_monoid_scan<M>({.count = 300 * 512 / words, .max_groups = 1024});
  if (words > 2) return;
  const Setup rows{.rows = 3};
  for (const std::uint64_t n : counts_for(rows, words)) {
    check_monoid_scan<M>({rows, ScanKind::exclusive, n, n % 2, 7});
  }
}

}  // namespace

TEST_CASE("lookback: brackets scan in order") { check_monoid<oracle::Bicyclic>(); }

TEST_CASE("lookback: affine functions scan in order") {
  if (!subset()) check_monoid<oracle::Affine>();
}

TEST_CASE("lookback: numbers in one word with their tags") { check_monoid<oracle::Count>(); }

TEST_CASE("lookback: elements of 32 bytes scan in order") { check_monoid<oracle::Wide>(); }

TEST_CASE("lookback: no operands are combined that are not neighbours") {
  check_monoid<oracle::Illegal>();
}

TEST_CASE("lookback: words that are not all of one value are not used") {
  // The tests above use these pipelines, too.
  const Setup setups[] = {
      {.faults = kAllFaults, .period = 2},
      {.faults = kSilent, .word32 = true, .spin_limit = 1, .rows = 3},
  };
  const ScanKind kinds[] = {ScanKind::inclusive, ScanKind::exclusive};
  for (int i = 0; i < 2; ++i) {
    for (const std::uint64_t n : {700, 5000, 10'000}) {
      check_monoid_scan<oracle::Bicyclic>({setups[i], kinds[i], n, 0, 0, true});
    }
  }
  check_monoid_scan<oracle::Wide>({setups[0], kinds[0], 4000, 0, 0, true});
}

}  // namespace vkprims::test
