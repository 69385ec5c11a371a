// scan_by_key and segmented_scan over monoids of an application's own. The driver compiles each
// kernel, so one monoid has most of the cases.
#include <optional>

#include "blocks/lookback_setup.hpp"
#include "blocks/own_segmented.hpp"
#include "scan/segments.hpp"
#include "vkprims-tests/path.hpp"

namespace vkprims::test {
namespace {

// How segments are given.
enum class By { keys_4, keys_8, offsets_4, offsets_8, flags, bits };

struct Options {
  const Device* device;
  By by = By::keys_4;
  ScanKind kind = ScanKind::exclusive;
  Schedule schedule = Schedule::automatic;
  std::uint64_t offset = 0;  // of all views, in bytes past a multiple of 256
  bool in_place = false;
  bool initial = true;
  std::uint64_t device_count = kAll;  // on the GPU, unless it is kAll
  const Setup* setup = nullptr;       // of the device, if it injects faults

  std::string text() const {
    std::ostringstream text;
    text << "by " << static_cast<int>(by) << ", kind " << static_cast<int>(kind) << ", schedule "
         << static_cast<int>(schedule) << ", offset " << offset << ", in place " << in_place
         << ", initial " << initial << ", count " << static_cast<std::int64_t>(device_count)
         << (setup ? ", " + text_of(*setup) : "");
    return text.str();
  }
};

template <class M, class E = typename M::Element>
std::vector<E> scan_of_segments(const std::vector<E>& values, const std::vector<bool>& heads,
                                ScanKind kind, const E& initial) {
  std::vector<E> out;
  E total = initial;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (heads[i]) total = initial;
    const E next = M::combine(total, values[i]);
    out.push_back(kind == ScanKind::inclusive ? next : total);
    total = next;
  }
  return out;
}

Heads heads_of(By by) {
  if (by == By::keys_4) return Heads::keys_4;
  if (by == By::keys_8) return Heads::keys_8;
  return by == By::flags ? Heads::bytes : Heads::bits;
}

template <class C>
std::uint64_t tile_of(const Options& o, std::uint64_t n) {
  const Tuning tuning = tuning_for(o.device->state()->tuning, n);
  return segment_tile(tuning, kWords<typename C::M>, heads_of(o.by)).items;
}

// Records a scan whose descriptor lacks only what segments are given by.
template <auto kRecord, auto kScratch, class C, class Desc, class Run>
void scan(Desc desc, const Options& o, const Count& count, Run&& run_with) {
  desc.own = &C::monoid();
  desc.kind = o.kind;
  desc.count = count;
  if (o.initial) desc.initial = Value::bits(oracle::elements<typename C::M>(0, 1)[0]);
  desc.schedule = o.schedule;
  const DirtyScratch scratch(kScratch(*o.device, desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(kRecord(cmd, *o.device, desc, run_with(scratch.get())));
  });
  if (!o.setup) return;
  const std::uint64_t tile = tile_of<C>(o, count.max);
  check_counters(scratch.words(kCounters), *o.setup, (count.max + tile - 1) / tile);
}

// Scans n elements in segments of a mean length.
template <class C>
void check_scan(std::uint64_t n, std::uint64_t mean, const Options& o) {
  using M = typename C::M;
  using E = typename M::Element;
  CAPTURE(n);
  CAPTURE(mean);
  const std::string what = o.text();
  CAPTURE(what);
  const auto seed = static_cast<std::uint32_t>(n + mean);
  const std::vector<bool> heads = random_heads(n, mean, seed);
  std::vector<E> values = oracle::elements<M>(1, n);
  const E initial = o.initial ? oracle::elements<M>(0, 1)[0] : M::kIdentity;
  const auto offsets = offsets_of<std::uint64_t>(heads);
  const Guarded segments = [&] {
    const std::uint64_t at_4 = o.offset / 4 * 4, at_8 = o.offset / 8 * 8;
    switch (o.by) {
      case By::keys_4:
        return Guarded(keys_of<std::uint32_t>(heads, seed), at_4);
      case By::keys_8:
        return Guarded(keys_of<std::uint64_t>(heads, seed), at_8);
      case By::offsets_4:
        return Guarded(offsets_of<std::uint32_t>(heads), at_4);
      case By::offsets_8:
        return Guarded(offsets, at_8);
      case By::flags:
        return Guarded(flags_of(heads), o.offset + 1);
      default:
        return Guarded(bits_of(heads), at_4);
    }
  }();
  const Guarded in(values, o.offset), out(o.in_place ? 0 : n * sizeof(E), o.offset);
  const Guarded& result = o.in_place ? in : out;
  const Guarded run_count(8, 8);
  const AnyCount count(n, o.device_count);
  if (o.by <= By::keys_8) {
    scan<record_scan_by_key, scan_by_key_scratch, C>(
        ScanByKeyDesc{.key = o.by == By::keys_4 ? Type::u32 : Type::u64}, o, count.count,
        [&](const Scratch& scratch) {
          return ScanByKeyBuffers{segments.view(), in.view(), result.view(), scratch,
                                  run_count.view()};
        });
    CHECK(run_count.read<std::uint64_t>()[0] ==
          static_cast<std::uint64_t>(std::count(
              heads.begin(), heads.begin() + static_cast<std::ptrdiff_t>(count.used), true)));
  } else {
    const SegmentForm form = o.by == By::flags  ? SegmentForm::flags
                             : o.by == By::bits ? SegmentForm::bits
                                                : SegmentForm::offsets;
    scan<record_segmented_scan, segmented_scan_scratch, C>(
        SegmentedScanDesc{
            .form = form,
            .segments = offsets.size() - 1,
            .offset_width = o.by == By::offsets_8 ? IndexWidth::u64 : IndexWidth::u32},
        o, count.count, [&](const Scratch& scratch) {
          return SegmentedScanBuffers{in.view(), segments.view(), result.view(), scratch};
        });
  }
  const auto before = o.in_place ? words_of(values) : untouched(n * sizeof(E));
  values.resize(count.used);
  CHECK(difference_in(result.read<std::uint32_t>(),
                      scan_of_segments<M>(values, heads, o.kind, initial), before) == "");
}

// Scans around the edges of tiles, and over many tiles if these are small.
template <class C>
void check_scans(std::initializer_list<Options> cases) {
  for (const Options& o : cases) {
    const bool tiny = o.device != &device();
    if (subset() && !tiny) continue;
    const std::uint64_t tile = tile_of<C>(o, kMaxCount);
    for_segments(tiny, tile,
                 [&](std::uint64_t n, std::uint64_t mean) { check_scan<C>(n, mean, o); });
  }
}

constexpr auto kExclusive = ScanKind::exclusive, kInclusive = ScanKind::inclusive;

const RegisterPrimitive kScanByKey([](std::uint64_t n) {
  return any_primitive("scan_by_key", record_scan_by_key,
                       ScanByKeyDesc{.own = &own::affine::monoid, .count = n},
                       ScanByKeyBuffers{view_at(1), view_at(2), view_at(3), some_scratch()});
});
const RegisterPrimitive kSegmentedScan([](std::uint64_t n) {
  return any_primitive("segmented_scan", record_segmented_scan,
                       SegmentedScanDesc{.own = &own::wide::monoid, .count = n, .segments = n},
                       SegmentedScanBuffers{view_at(1), view_at(2), view_at(3), some_scratch()});
});

}  // namespace

TEST_CASE("own monoid: scans in segments of affine maps, every schedule, any place in memory") {
  const Device &tiny = device(kTinyTiles), &usual = device();
  check_scans<OwnAffine>({{&tiny, By::keys_4, kExclusive, kLookBack},
                          {&tiny, By::keys_4, kInclusive, kLookBack, 4},
                          {&tiny, By::keys_4, kExclusive, kLookBack, 8, true},
                          {&tiny, By::keys_8, kExclusive, kMultiPass, 8},
                          {&tiny, By::flags, kInclusive, kMultiPass, 16, true},
                          {&usual, By::keys_4, kExclusive},
                          {&usual, By::offsets_4, kExclusive, kMultiPass, 4}});
}

TEST_CASE("own monoid: no operands of other segments in scans") {
  const Device &tiny = device(kTinyTiles), &usual = device();
  check_scans<OwnIllegal>({{&tiny, By::offsets_4, kExclusive, kLookBack, 0, false, false},
                           {&tiny, By::flags, kInclusive, kLookBack, 4, false, false},
                           {&tiny, By::offsets_8, kInclusive, kMultiPass, 8, false, false},
                           {&tiny, By::keys_8, kExclusive, kLookBack, 16, false, false},
                           {&usual, By::bits, kInclusive, Schedule::automatic, 0, false, false}});
}

TEST_CASE("own monoid: scans in segments of 32-byte elements") {
  const Device& tiny = device(kTinyTiles);
  check_scans<OwnWide>({{&tiny, By::bits, kInclusive, kLookBack},
                        {&tiny, By::offsets_4, kExclusive, kMultiPass, 4, true}});
}

TEST_CASE("own monoid: scans in segments, with the count on the GPU") {
  constexpr std::uint64_t kMost = 3000;
  for (const std::uint64_t n :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{700}, kMost, kMost + 1}) {
    for (const Schedule schedule : {kLookBack, kMultiPass}) {
      Options o{.device = &device(kTinyTiles), .schedule = schedule, .device_count = n};
      if (schedule == kMultiPass) o.by = By::keys_8;
      check_scan<OwnAffine>(kMost, 50, o);
      o.by = By::offsets_4;
      o.initial = false;
      if (schedule == kLookBack) check_scan<OwnIllegal>(kMost, 50, o);
    }
  }
}

TEST_CASE("own monoid: scans in segments with injected faults, and without 64-bit atomics") {
  const Setup late{.faults = kAllFaults, .period = 2},
      narrow{.faults = kAllFaults, .period = 3, .in_place = true, .word32 = true},
      quiet{.faults = kSilent, .word32 = true, .spin_limit = 1};
  // One segment, so that every tile needs those before it.
  const auto check_late = [](const Setup& setup, auto monoid, Options o) {
    o.device = &device_for(setup);
    o.in_place = setup.in_place;
    o.schedule = kLookBack;
    for (const std::uint64_t n : {1, 600, 5000}) {
      o.setup = &setup;
      check_scan<decltype(monoid)>(n, 0, o);
      o.setup = nullptr;  // walks end early
      check_scan<decltype(monoid)>(n, 100, o);
    }
  };
  check_late(late, OwnAffine(), {.device = nullptr, .kind = kInclusive});
  check_late(narrow, OwnAffine(), {.device = nullptr});
  check_late(late, OwnIllegal(), {.device = nullptr, .by = By::bits, .initial = false});
  if (subset()) return;
  check_late(quiet, OwnIllegal(), {.device = nullptr, .by = By::flags, .initial = false});
  check_late(quiet, OwnWide(), {.device = nullptr, .by = By::keys_8, .offset = 4});
}

TEST_CASE("own monoid: scans in segments through a Recorder, with typed sequences") {
  using own::affine::Affine;
  constexpr std::uint64_t n = 1000;
  const auto heads = random_heads(n, 20, 1);
  const auto values = oracle::elements<oracle::Affine>(1, n);
  const auto in = context().upload(typed(values));
  const auto keys = context().upload(keys_of<float>(heads, 1));
  const auto offsets = context().upload(offsets_of<std::uint32_t>(heads));
  const auto flags = context().upload(flags_of(heads));
  const auto bits = context().upload(bits_of(heads));
  const auto run_count = context().allocate<std::uint64_t>(1);
  std::vector<Buffer<Affine>> outs;
  for (int i = 0; i < 4; ++i) outs.push_back(context().allocate<Affine>(n));
  context().run([&](Recorder& r) {
    own::affine::scan_by_key(r, {.kind = kInclusive}, keys, in, outs[0], run_count);
    own::affine::segmented_scan(r, {.kind = kInclusive}, in, offsets, outs[1]);
    own::affine::segmented_scan(r, {.kind = kInclusive}, in, flags, outs[2]);
    own::affine::segmented_scan(r, {.kind = kInclusive, .form = SegmentForm::bits}, in, bits,
                                outs[3]);
  });
  const auto expected = words_of(
      scan_of_segments<oracle::Affine>(values, heads, kInclusive, oracle::Affine::kIdentity));
  for (const auto& out : outs) {
    CHECK(difference(words_of(context().download(out)), expected) == "");
  }
  CHECK(context().download(run_count)[0] ==
        static_cast<std::uint64_t>(std::count(heads.begin(), heads.end(), true)));
}

TEST_CASE("own monoid: wrong input to scans in segments is refused by name") {
  const Monoid &affine = own::affine::monoid, &path = own::path::monoid;
  CHECK(message(ScanByKeyDesc{.own = &affine, .count = 1, .initial = 1u}) ==
        "scan_by_key: initial has 4 bytes, an element of monoid affine has 24");
  CHECK(message(SegmentedScanDesc{.own = &affine, .count = 1, .initial = 1u}) ==
        "segmented_scan: initial has 4 bytes, an element of monoid affine has 24");
  CHECK(message(ScanByKeyDesc{.own = &path, .count = 1}) ==
        "scan_by_key: monoid path has vkp_load() or vkp_store(), which only scan and reduce use");
  CHECK(message(SegmentedScanDesc{.own = &path, .count = 1}) ==
        "segmented_scan: monoid path has vkp_load() or vkp_store(), which only scan and reduce "
        "use");
  CHECK(message(ScanByKeyDesc{.own = &affine,
                              .count = 1,
                              .schedule = kLookBack,
                              .determinism = Determinism::run_to_run}) ==
        "scan_by_key: schedule is look_back, which is not run_to_run for monoid affine; automatic "
        "and multi_pass are");
  check_needs_kernels(ScanByKeyDesc{.count = 1}, SegmentedScanDesc{.count = 1});
  const BufferView view = view_at(1);
  const BufferView odd{view.address + 2, view.bytes - 2};
  expect_error(Status::invalid_argument, {"scan_by_key: in.address", "multiple of 4"},
               [&](VkCommandBuffer cmd) {
                 return own::affine::record_scan_by_key(
                     cmd, device(), {.count = 10}, {view_at(2), odd, view_at(3), some_scratch()});
               });
  expect_error(Status::invalid_argument, {"segmented_scan: out.bytes is 239", "240"},
               [&](VkCommandBuffer cmd) {
                 return own::affine::record_segmented_scan(
                     cmd, device(), {.count = 10, .form = SegmentForm::flags},
                     {view, view_at(2), {view_at(3).address, 239}, some_scratch()});
               });
}

}  // namespace vkprims::test
