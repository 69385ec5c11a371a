// segmented_reduce and reduce_by_key over monoids of an application's own. The driver compiles each
// kernel, so one monoid has most of the cases.
#include "blocks/lookback_setup.hpp"
#include "blocks/own_segmented.hpp"
#include "compact/reduce_runs.hpp"
#include "reduce/segmented.hpp"
#include "support/segment_lengths.hpp"
#include "vkprims-tests/path.hpp"

namespace vkprims::test {
namespace {

struct Options {
  const Device* device;
  Type key = Type::u32;  // or u64; of segmented_reduce, the offsets
  Schedule schedule = Schedule::automatic;
  std::uint64_t offset = 0;  // of all views, in bytes past a multiple of 256
  bool out_keys = true;
  bool initial = true;
  std::uint64_t device_count = kAll;  // on the GPU, unless it is kAll
  const Setup* setup = nullptr;       // of the device, if it injects faults

  std::uint64_t key_offset() const { return offset / size_of(key) * size_of(key); }
  std::string text() const {
    std::ostringstream text;
    text << "keys of " << size_of(key) << " bytes, schedule " << static_cast<int>(schedule)
         << ", offset " << offset << ", out_keys " << out_keys << ", initial " << initial
         << ", count " << static_cast<std::int64_t>(device_count)
         << (setup ? ", " + text_of(*setup) : "");
    return text.str();
  }
};

// The folds of segments, each after `initial`.
template <class M, class E = typename M::Element>
std::vector<E> folds_of(const std::vector<E>& values, const std::vector<std::uint64_t>& lengths,
                        const E& initial) {
  std::vector<E> out;
  std::size_t i = 0;
  for (const std::uint64_t length : lengths) {
    out.push_back(initial);
    for (std::uint64_t k = 0; k < length; ++k) out.back() = M::combine(out.back(), values[i++]);
  }
  return out;
}

template <class C>
void check_segmented_reduce(std::uint64_t n, Spread spread, const Options& o) {
  using M = typename C::M;
  using E = typename M::Element;
  CAPTURE(n);
  CAPTURE(static_cast<int>(spread));
  const std::string what = o.text();
  CAPTURE(what);
  std::vector<std::uint64_t> all = lengths(spread, n, static_cast<std::uint32_t>(n));
  const std::vector<E> values = oracle::elements<M>(1, n);
  const E initial = o.initial ? oracle::elements<M>(0, 1)[0] : M::kIdentity;
  const bool wide = o.key == Type::u64;
  const Guarded offsets = wide ? Guarded(offsets_of<std::uint64_t>(all), o.key_offset())
                               : Guarded(offsets_of<std::uint32_t>(all), o.key_offset());
  const Guarded in(values, o.offset), out(all.size() * sizeof(E), o.offset);
  const AnyCount count(all.size(), o.device_count);
  SegmentedReduceDesc desc{.own = &C::monoid(),
                           .offset_width = wide ? IndexWidth::u64 : IndexWidth::u32,
                           .count = count.count,
                           .value_count = n};
  if (o.initial) desc.initial = Value::bits(initial);
  const DirtyScratch scratch(segmented_reduce_scratch(*o.device, desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_segmented_reduce(cmd, *o.device, desc,
                                           {in.view(), offsets.view(), out.view(), scratch.get()}));
  });
  const auto before = untouched(all.size() * sizeof(E));
  all.resize(count.used);
  CHECK(difference_in(out.read<std::uint32_t>(), folds_of<M>(values, all, initial), before) == "");
}

template <class C>
void check_segmented_reduces(std::initializer_list<Options> cases) {
  for (const Options& o : cases) {
    if (subset() && o.device == &device()) continue;
    const std::uint64_t tile =
        segmented_plan(*o.device->state(), kWords<typename C::M>, 0, 0).tile_items;
    for (const std::uint64_t n :
         {std::uint64_t{0}, std::uint64_t{1}, tile - 1, tile + 1, 9 * tile}) {
      for (const Spread spread : kSpreads) check_segmented_reduce<C>(n, spread, o);
    }
  }
}

// Folds n elements in runs of a mean length.
template <class C>
void check_reduce_by_key(std::uint64_t n, std::uint64_t mean, const Options& o) {
  using M = typename C::M;
  using E = typename M::Element;
  CAPTURE(n);
  CAPTURE(mean);
  const std::string what = o.text();
  CAPTURE(what);
  const auto seed = static_cast<std::uint32_t>(n + mean);
  const std::vector<bool> heads = random_heads(n, mean, seed);
  const std::vector<E> values = oracle::elements<M>(1, n);
  const auto keys_4 = keys_of<std::uint32_t>(heads, seed);
  const auto keys_8 = keys_of<std::uint64_t>(heads, seed);
  const bool wide = o.key == Type::u64;
  const Guarded keys = wide ? Guarded(keys_8, o.key_offset()) : Guarded(keys_4, o.key_offset());
  const Guarded in(values, o.offset), out(n * sizeof(E), o.offset), run_count(std::uint64_t{8});
  const Guarded out_keys(o.out_keys ? n * size_of(o.key) : 0, o.key_offset());
  const AnyCount count(n, o.device_count);
  const ReduceByKeyDesc desc{
      .key = o.key, .own = &C::monoid(), .count = count.count, .schedule = o.schedule};
  const DirtyScratch scratch(reduce_by_key_scratch(*o.device, desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(
        record_reduce_by_key(cmd, *o.device, desc,
                             {keys.view(), in.view(), o.out_keys ? out_keys.view() : BufferView{},
                              out.view(), run_count.view(), scratch.get()}));
  });
  std::vector<E> folds;
  std::vector<std::uint32_t> first_4;
  std::vector<std::uint64_t> first_8;
  for (std::size_t i = 0; i < count.used; ++i) {
    if (heads[i]) {
      folds.push_back(M::kIdentity);
      first_4.push_back(keys_4[i]);
      first_8.push_back(keys_8[i]);
    }
    folds.back() = M::combine(folds.back(), values[i]);
  }
  CHECK(run_count.read<std::uint64_t>()[0] == folds.size());
  CHECK(difference_in(out.read<std::uint32_t>(), folds, untouched(n * sizeof(E))) == "");
  if (o.out_keys) {
    const auto got = out_keys.read<std::uint32_t>(), before = untouched(n * size_of(o.key));
    CHECK((wide ? difference_in(got, first_8, before) : difference_in(got, first_4, before)) == "");
  }
  if (!o.setup) return;
  const std::uint64_t tile = run_tile(*o.device->state(), o.key, sizeof(E), false, n).items;
  check_counters(scratch.words(kCounters), *o.setup, (n + tile - 1) / tile);
}

template <class C>
void check_reduces_by_key(std::initializer_list<Options> cases) {
  for (const Options& o : cases) {
    const bool tiny = o.device != &device();
    if (subset() && !tiny) continue;
    const std::uint64_t tile =
        run_tile(*o.device->state(), o.key, 4 * kWords<typename C::M>, false, kMaxCount).items;
    for_segments(tiny, tile,
                 [&](std::uint64_t n, std::uint64_t mean) { check_reduce_by_key<C>(n, mean, o); });
  }
}

const RegisterPrimitive kSegmentedReduce([](std::uint64_t n) {
  return any_primitive(
      "segmented_reduce", record_segmented_reduce,
      SegmentedReduceDesc{.own = &own::affine::monoid, .count = n, .value_count = n},
      SegmentedReduceBuffers{view_at(1), view_at(2), view_at(3), some_scratch()});
});
const RegisterPrimitive kReduceByKey([](std::uint64_t n) {
  return any_primitive("reduce_by_key", record_reduce_by_key,
                       ReduceByKeyDesc{.own = &own::affine::monoid, .count = n},
                       ReduceByKeyBuffers{view_at(1), view_at(2), view_at(3), view_at(4),
                                          view_at(5), some_scratch()});
});

}  // namespace

TEST_CASE("own monoid: segmented_reduce of affine maps, any place in memory, empty segments") {
  const Device &tiny = device(kTinyTiles), &usual = device();
  check_segmented_reduces<OwnAffine>({{&tiny, Type::u32},
                                      {&tiny, Type::u64, {}, 4},
                                      {&tiny, Type::u32, {}, 8, true, false},
                                      {&usual, Type::u32, {}, 16}});
  for (const std::uint64_t n : {0, 1, 300, 5000}) {
    check_segmented_reduce<OwnAffine>(3000, Spread::half_empty,
                                      {.device = &tiny, .device_count = n});
  }
}

TEST_CASE("own monoid: no operands of other segments, and 32 bytes, in segmented_reduce") {
  const Device& tiny = device(kTinyTiles);
  check_segmented_reduces<OwnIllegal>({{&tiny, Type::u32, {}, 4, true, false}});
  check_segmented_reduces<OwnWide>({{&tiny, Type::u64, {}, 0}});
}

TEST_CASE("own monoid: reduce_by_key of affine maps, every schedule, any place in memory") {
  const Device &tiny = device(kTinyTiles), &usual = device();
  check_reduces_by_key<OwnAffine>({{&tiny, Type::u32, kLookBack},
                                   {&tiny, Type::u64, kLookBack, 4},
                                   {&tiny, Type::u32, kLookBack, 8, false},
                                   {&tiny, Type::u32, kMultiPass, 4},
                                   {&tiny, Type::u64, kMultiPass, 16},
                                   {&usual, Type::u32},
                                   {&usual, Type::u32, kMultiPass}});
}

TEST_CASE("own monoid: no operands of other runs, and 32 bytes, in reduce_by_key") {
  const Device& tiny = device(kTinyTiles);
  check_reduces_by_key<OwnIllegal>(
      {{&tiny, Type::u32, kLookBack, 4}, {&tiny, Type::u32, kMultiPass}});
  check_reduces_by_key<OwnWide>(
      {{&tiny, Type::u64, kLookBack, 0}, {&tiny, Type::u32, kMultiPass, 4}});
}

TEST_CASE("own monoid: reduce_by_key with the count on the GPU") {
  for (const std::uint64_t n : {0, 1, 700, 3000, 3001}) {
    for (const Schedule schedule : {kLookBack, kMultiPass}) {
      check_reduce_by_key<OwnAffine>(
          3000, 50, {.device = &device(kTinyTiles), .schedule = schedule, .device_count = n});
    }
  }
}

TEST_CASE("own monoid: reduce_by_key with injected faults, and without 64-bit atomics") {
  const auto check_late = [](const Setup& setup, auto monoid, Type key) {
    for (const std::uint64_t n : {1, 600, 5000}) {
      for (const std::uint64_t mean : {0, 4, 300}) {
        check_reduce_by_key<decltype(monoid)>(
            n, mean,
            {.device = &device_for(setup), .key = key, .schedule = kLookBack, .setup = &setup});
      }
    }
  };
  check_late({.faults = kAllFaults, .period = 2}, OwnAffine(), Type::u32);
  check_late({.faults = kAllFaults, .period = 3, .word32 = true}, OwnAffine(), Type::u32);
  if (subset()) return;
  check_late({.faults = kAllFaults, .period = 2}, OwnIllegal(), Type::u32);
  check_late({.faults = kSilent, .word32 = true, .spin_limit = 1}, OwnWide(), Type::u64);
}

TEST_CASE("own monoid: folds of segments and of runs through a Recorder, with typed sequences") {
  using own::affine::Affine;
  constexpr std::uint64_t n = 1000;
  const auto all = lengths(Spread::tens, n, 1);
  const auto values = oracle::elements<oracle::Affine>(1, n);
  std::vector<std::int64_t> keys, first_keys;
  for (std::size_t s = 0; s < all.size(); ++s) {
    first_keys.push_back(s % 2 ? -1 : static_cast<std::int64_t>(s));
    keys.insert(keys.end(), all[s], first_keys.back());
  }
  const auto in = context().upload(typed(values));
  const auto key_memory = context().upload(keys);
  const auto offsets = context().upload(offsets_of<std::uint64_t>(all));
  const auto out_keys = context().allocate<std::int64_t>(n);
  const auto segments = context().allocate<Affine>(all.size()),
             runs = context().allocate<Affine>(n);
  const auto unkeyed = context().allocate<Affine>(n);
  const auto number = context().allocate<std::uint64_t>(1);
  context().run([&](Recorder& r) {
    own::affine::segmented_reduce(r, {}, in, offsets, segments);
    own::affine::reduce_by_key(r, {}, key_memory, in, out_keys, runs, number);
  });
  const auto expected = words_of(folds_of<oracle::Affine>(values, all, oracle::Affine::kIdentity));
  CHECK(difference(words_of(context().download(segments)), expected) == "");
  CHECK(context().download(number)[0] == all.size());
  CHECK(difference(words_of(context().download(runs, number)), expected) == "");
  CHECK(difference(context().download(out_keys, number), first_keys) == "");
}

TEST_CASE("own monoid: wrong input to folds of segments and of runs is refused by name") {
  const Monoid &affine = own::affine::monoid, &path = own::path::monoid;
  CHECK(message(SegmentedReduceDesc{.own = &affine, .count = 1, .initial = 1u}) ==
        "segmented_reduce: initial has 4 bytes, an element of monoid affine has 24");
  CHECK(message(SegmentedReduceDesc{.own = &path, .count = 1}) ==
        "segmented_reduce: monoid path has vkp_load() or vkp_store(), which only scan and reduce "
        "use");
  CHECK(message(ReduceByKeyDesc{.own = &path, .count = 1}) ==
        "reduce_by_key: monoid path has vkp_load() or vkp_store(), which only scan and reduce use");
  CHECK(message(ReduceByKeyDesc{.own = &affine,
                                .count = 1,
                                .schedule = kLookBack,
                                .determinism = Determinism::run_to_run}) ==
        "reduce_by_key: schedule is look_back, which is not run_to_run for monoid affine; "
        "automatic and multi_pass are");
  check_needs_kernels(SegmentedReduceDesc{.count = 1}, ReduceByKeyDesc{.count = 1});
  const BufferView odd{view_at(1).address + 2, 1 << 20}, small{view_at(1).address, 239};
  expect_error(Status::invalid_argument, {"segmented_reduce: values.address", "multiple of 4"},
               [&](VkCommandBuffer cmd) {
                 return own::affine::record_segmented_reduce(
                     cmd, device(), {.count = 10, .value_count = 10},
                     {odd, view_at(2), view_at(3), some_scratch()});
               });
  expect_error(Status::invalid_argument, {"reduce_by_key: in.bytes is 239", "240"},
               [&](VkCommandBuffer cmd) {
                 return own::affine::record_reduce_by_key(
                     cmd, device(), {.count = 10},
                     {view_at(2), small, view_at(3), view_at(4), view_at(5), some_scratch()});
               });
}

}  // namespace vkprims::test
