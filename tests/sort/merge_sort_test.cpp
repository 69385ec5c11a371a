// Tests of merge_sort, and of merge by comparisons of an application's own.
#include "oracles/merge_sort.hpp"

#include <numeric>

#include "sort/compare_kernels.hpp"
#include "support/every_primitive.hpp"
#include "support/spirv_reader.hpp"
#include "support/wrong_input.hpp"
#include "vkprims-tests/always.hpp"
#include "vkprims-tests/ascending.hpp"
#include "vkprims-tests/cells.hpp"
#include "vkprims-tests/heaviest.hpp"
#include "vkprims-tests/hostile.hpp"
#include "vkprims-tests/less5.hpp"
#include "vkprims-tests/less6.hpp"
#include "vkprims-tests/less7.hpp"
#include "vkprims-tests/names.hpp"
#include "vkprims-tests/points.hpp"

namespace vkprims::test {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

// What a test knows of a comparison: the same on the host, and keys of which some are equal.
struct Ascending {
  using Key = u32;
  static constexpr const CompareOf<Key>& compare = own::ascending::compare;
  static bool less(Key a, Key b) { return a < b; }
  static Key key(u64 random, u64 spread) { return static_cast<u32>(random % spread * 0x01000193); }
};
struct Heaviest {
  using Key = own::heaviest::Item;
  static constexpr const CompareOf<Key>& compare = own::heaviest::compare;
  static bool less(const Key& a, const Key& b) {
    return a.group != b.group ? a.group < b.group : a.weight > b.weight;
  }
  static Key key(u64 random, u64 spread) {
    return {static_cast<u32>(random % spread), static_cast<float>(random >> 20 & 3) - 1.5f};
  }
};
struct Points {
  using Key = own::points::Part;
  static constexpr const CompareOf<Key>& compare = own::points::compare;
  static bool less(const Key& a, const Key& b) { return a.position[0] < b.position[0]; }
  static Key key(u64 random, u64 spread) {
    return {{static_cast<float>(random % spread) / 4 - 7, static_cast<float>(random >> 50)},
            static_cast<std::int32_t>(random >> 32)};
  }
};
struct Cells {
  using Key = own::cells::Particle;
  static constexpr const CompareOf<Key>& compare = own::cells::compare;
  static bool less(const Key& a, const Key& b) {
    return a.cell != b.cell ? a.cell < b.cell : a.depth > b.depth;
  }
  static Key key(u64 random, u64 spread) {
    return {static_cast<u32>(random % spread), static_cast<u32>(random >> 40 & 1),
            static_cast<u32>(random), static_cast<u32>(random >> 32)};
  }
};
template <class Words, const CompareOf<Words>& of>
struct LastThenFirst {
  using Key = Words;
  static constexpr const CompareOf<Key>& compare = of;
  static constexpr std::size_t last = sizeof(Key) / 4 - 1;
  static bool less(const Key& a, const Key& b) {
    return a.w[last] < b.w[last] || (a.w[last] == b.w[last] && a.w[0] < b.w[0]);
  }
  static Key key(u64 random, u64 spread) {
    Key key{};
    for (std::size_t i = 0; i <= last; ++i) key.w[i] = static_cast<u32>(random >> 7 * i);
    key.w[0] = static_cast<u32>(random >> 40 & 1);
    key.w[last] = static_cast<u32>(random % spread);
    return key;
  }
};
using Words5 = LastThenFirst<own::less5::Words, own::less5::compare>;
using Words6 = LastThenFirst<own::less6::Words, own::less6::compare>;
using Words7 = LastThenFirst<own::less7::Words, own::less7::compare>;
struct Names {
  using Key = own::names::Name;
  static constexpr const CompareOf<Key>& compare = own::names::compare;
  static bool less(const Key& a, const Key& b) {
    for (int i = 0; i < 6; ++i) {
      if (a.letters[i] != b.letters[i]) return a.letters[i] < b.letters[i];
    }
    return a.number < b.number;
  }
  static Key key(u64 random, u64 spread) {
    return {{1, 2, static_cast<u32>(random % spread), 4, 5, static_cast<u32>(random >> 60)},
            random >> 30 & 1 ? u64{1} << 40 : 7};
  }
};

template <class C>
std::vector<typename C::Key> keys_of(u64 n, u64 spread, u32 seed) {
  std::vector<typename C::Key> keys(n);
  u64 i = 0;
  for (const u64 random : random_values<u64>(n, seed)) keys[i++] = C::key(random, spread);
  return keys;
}

template <class V>
std::vector<V> values_of(u64 n, V first) {
  std::vector<V> values(n);
  for (u64 i = 0; i < n; ++i) values[i] = static_cast<V>(first + i * 3);
  return values;
}

template <class T>
std::vector<T> taken(const std::vector<T>& from, const std::vector<std::size_t>& indices) {
  std::vector<T> result;
  for (const std::size_t i : indices) result.push_back(from[i]);
  return result;
}

// Says where bytes first differ.
template <class T>
std::string bits_difference(const std::vector<T>& got, const std::vector<T>& want) {
  if (got.size() != want.size()) return "other number of elements";
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (std::memcmp(&got[i], &want[i], sizeof(T))) return "element " + std::to_string(i);
  }
  return "";
}

struct Options {
  const Device* device;
  bool in_place = false;
  bool values = true;
  Count count = {};                       // all if not given
  u64 used = ~u64{0};                     // as the GPU counts
  u64 misalign = 0, misalign_values = 0;  // words, values
};

// Sorts keys, each with a value that tells where it came from, and compares with the oracle. What
// lies past the count stays as it was.
template <class C, class V>
void check_sort(const std::vector<typename C::Key>& keys, const Options& o) {
  using Key = typename C::Key;
  const u64 n = keys.size(), used = std::min(o.used, n);
  const std::vector<V> values = values_of<V>(n, 5);
  const Guarded in(keys, 4 * o.misalign), values_in(values, sizeof(V) * o.misalign_values);
  const Guarded out(o.in_place ? 0 : n * sizeof(Key), 4 * (o.misalign + 1));
  const Guarded values_out(o.in_place ? 0 : n * sizeof(V), sizeof(V) * o.misalign_values);
  const Guarded &keys_to = o.in_place ? in : out, &values_to = o.in_place ? values_in : values_out;
  const MergeSortDesc desc{.own = &C::compare,
                           .value_bytes = o.values ? static_cast<u32>(sizeof(V)) : 0,
                           .count = o.count.or_all(n)};
  const DirtyScratch scratch(merge_sort_scratch(*o.device, desc));
  MergeSortBuffers buffers{.in = in.view(), .out = keys_to.view(), .scratch = scratch.get()};
  if (o.values) {
    buffers.values_in = values_in.view();
    buffers.values_out = values_to.view();
  }
  const std::vector<Key> before = keys_to.template read<Key>();
  const std::vector<V> values_before = values_to.template read<V>();
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_merge_sort(cmd, *o.device, desc, buffers));
  });
  const std::vector<Key> head(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(used));
  const std::vector<std::size_t> order = oracle::merge_sort(head, C::less);
  std::vector<Key> want = taken(head, order);
  std::vector<V> values_want = taken(values, order);
  want.insert(want.end(), before.begin() + static_cast<std::ptrdiff_t>(used), before.end());
  values_want.insert(values_want.end(), values_before.begin() + static_cast<std::ptrdiff_t>(used),
                     values_before.end());
  CHECK(bits_difference(keys_to.template read<Key>(), want) == "");
  if (o.values) CHECK(bits_difference(values_to.template read<V>(), values_want) == "");
}

u64 tile_of(const Device& d, const Compare& compare) {
  const DeviceState& state = *d.state();
  return compare_tile_items(compare,
                            compare_workgroup(state, compare, state.tuning.workgroup_size));
}

// Tiny tiles, for which a subgroup searches.
Tuning by_subgroup() {
  Tuning tuning = kTinyTiles;
  tuning.small_count = 1 << 30;
  return tuning;
}

template <class C>
void check_counts() {
  for (const Tuning& tuning : tunings({Tuning{}, kTinyTiles, by_subgroup()})) {
    const Device& d = device(tuning);
    const u64 tile = tile_of(d, C::compare);
    u64 number = 0;
    for (const u64 n : {u64{0}, u64{1}, u64{2}, u64{16}, u64{33}, tile - 1, tile, tile + 1,
                        2 * tile, 2 * tile + 1, 3 * tile - 1, 5 * tile + 7, 8 * tile}) {
      CAPTURE(n);
      const auto keys = keys_of<C>(n, number % 2 ? 10 : 1 << 20, static_cast<u32>(n));
      check_sort<C, u32>(keys, {.device = &d, .values = false, .misalign = number % 4});
      check_sort<C, u32>(keys, {.device = &d, .misalign = number % 4, .misalign_values = 1});
      check_sort<C, u64>(keys, {.device = &d, .in_place = true, .misalign = number % 3});
      ++number;
    }
  }
}

template <class C>
std::vector<typename C::Key> ordered(std::vector<typename C::Key> keys) {
  return taken(keys, oracle::merge_sort(keys, C::less));
}

// Merges a and b, both of which the order sorts, and compares with the oracle.
template <class C, class V>
void check_merge(const Device& d, u64 na, u64 nb, u64 spread, u64 misalign, bool values = true) {
  using Key = typename C::Key;
  CAPTURE(na);
  CAPTURE(nb);
  const std::vector<Key> a = ordered<C>(keys_of<C>(na, spread, 1));
  const std::vector<Key> b = ordered<C>(keys_of<C>(nb, spread, 2));
  const std::vector<V> a_values = values_of<V>(na, 1), b_values = values_of<V>(nb, 2);
  const Guarded in_a(a, 4 * misalign), in_b(b, 4), in_a_values(a_values), in_b_values(b_values);
  const Guarded out((na + nb) * sizeof(Key), 4 * misalign), out_values((na + nb) * sizeof(V));
  const Guarded count_out(8, 8);
  const auto count = device_count(na);
  const MergeDesc desc{.own = &C::compare,
                       .value_bytes = values ? static_cast<u32>(sizeof(V)) : 0,
                       .a_count = {na, count.address(), CountWidth::u64},
                       .b_count = nb};
  const DirtyScratch scratch(merge_scratch(d, desc));
  MergeBuffers buffers{.a = in_a.view(),
                       .b = in_b.view(),
                       .out = out.view(),
                       .count_out = count_out.view(),
                       .scratch = scratch.get()};
  if (values) {
    buffers.a_values = in_a_values.view();
    buffers.b_values = in_b_values.view();
    buffers.out_values = out_values.view();
  }
  run([&](VkCommandBuffer cmd) { throw_if_error(record_merge(cmd, d, desc, buffers)); });
  std::vector<Key> both = a;
  both.insert(both.end(), b.begin(), b.end());
  std::vector<V> both_values = a_values;
  both_values.insert(both_values.end(), b_values.begin(), b_values.end());
  const std::vector<std::size_t> order = oracle::merge_sort(both, C::less);
  CHECK(bits_difference(out.read<Key>(), taken(both, order)) == "");
  if (values) CHECK(bits_difference(out_values.read<V>(), taken(both_values, order)) == "");
  CHECK(count_out.read<u64>() == std::vector<u64>{na + nb});
}

template <class C>
void check_merges() {
  const Device& d = device(kTinyTiles);
  const u64 tile = tile_of(d, C::compare);
  for (const u64 spread : {3, 1 << 20}) {
    check_merge<C, u32>(device(by_subgroup()), 9 * tile + 5, 7 * tile + 1, spread, 1);
    check_merge<C, u32>(d, 3 * tile + 5, 2 * tile + 1, spread, 1);
    check_merge<C, u64>(d, tile / 2, tile - tile / 2, spread, 2, spread == 3);
  }
  check_merge<C, u32>(d, 0, 0, 1, 0);
  check_merge<C, u32>(d, 0, 2 * tile, 5, 0);
  check_merge<C, u32>(d, 1, 2 * tile, 5, 3);
  check_merge<C, u32>(d, 2 * tile, 0, 5, 0);
}

// Sorts by a comparison that is no order, and fails if a key or value comes from nowhere.
template <class Key>
void check_hostile(const CompareOf<Key>& compare, const Tuning& tuning) {
  const Device& d = device(tuning);
  const u64 n = 9 * tile_of(d, compare) + 77;
  const std::vector<u32> words = random_values<u32>(n * sizeof(Key) / 4, 4);
  std::vector<Key> keys(n);
  std::memcpy(keys.data(), words.data(), n * sizeof(Key));
  const std::vector<u32> values = values_of<u32>(n, 5);
  const Guarded in(keys), values_in(values), out(n * sizeof(Key)), values_out(4 * n);
  const MergeSortDesc desc{.own = &compare, .value_bytes = 4, .count = n};
  const DirtyScratch scratch(merge_sort_scratch(d, desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_merge_sort(
        cmd, d, desc, {in.view(), out.view(), values_in.view(), values_out.view(), scratch.get()}));
  });
  const auto keys_after = out.template read<Key>();
  const auto values_after = values_out.template read<u32>();
  u64 foreign = 0;
  for (u64 i = 0; i < n; ++i) {
    const u64 from = (values_after[i] - 5) / 3;
    foreign += from >= n || !same_bits(keys[from < n ? from : 0], keys_after[i]);
  }
  CHECK(foreign == 0);
}

const RegisterPrimitive kMergeSort([](u64 n) {
  return any_primitive(
      "merge_sort", record_merge_sort, MergeSortDesc{.own = &own::ascending::compare, .count = n},
      MergeSortBuffers{.in = view_at(1), .out = view_at(2), .scratch = some_scratch()});
});

}  // namespace

TEST_CASE("merge_sort: numbers, stable, in place and not, with values and without") {
  check_counts<Ascending>();
}

TEST_CASE("merge_sort: structs of 8 to 28 bytes") {
  check_counts<Heaviest>();
  check_counts<Points>();
  check_counts<Cells>();
  if (subset()) return;
  check_counts<Words5>();
  check_counts<Words6>();
  check_counts<Words7>();
}

TEST_CASE("merge_sort: structs of 32 bytes with 64-bit integers, which the device must have") {
  const MergeSortDesc desc{.own = &own::names::compare, .count = 10};
  DeviceInfo info = device().state()->info;
  info.enabled.int64 = info.enabled.int64_atomics = false;
  Device narrow;
  throw_if_error(create_device(info, limits(), narrow));
  CHECK(std::string(warm_up(narrow, desc).message()) ==
        "merge_sort: comparison names needs Features::int64, without which this device was "
        "created");
  CHECK(merge_sort_scratch(narrow, desc).bytes == 0);
  if (device().state()->info.enabled.int64) check_counts<Names>();
}

TEST_CASE("merge_sort: more tiles than search for themselves") {
  using C = Words7;
  DeviceInfo info = device(by_subgroup()).state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  Device d;
  throw_if_error(create_device(info, limits(), d));
  throw_if_error(warm_up(d, MergeSortDesc{.own = &C::compare, .value_bytes = 4, .count = 1}));
  const u64 most = 512 * tile_of(d, C::compare);
  for (const u64 n : {most, most + 1})
    check_sort<C, u32>(keys_of<C>(n, 1 << 20, 1), {.device = &d});
}

TEST_CASE("merge_sort: keys in order, in reverse, and all equal") {
  for (const Tuning& tuning : {kTinyTiles, by_subgroup()}) {
    const Device& d = device(tuning);
    const u64 n = 11 * tile_of(d, own::ascending::compare) + 3;
    std::vector<u32> keys(n);
    std::iota(keys.begin(), keys.end(), 0u);
    check_sort<Ascending, u32>(keys, {.device = &d});
    std::reverse(keys.begin(), keys.end());
    check_sort<Ascending, u32>(keys, {.device = &d});
    check_sort<Ascending, u32>(std::vector<u32>(n, 7), {.device = &d});
    // The last tile is a run of its own in every merge but the last one.
    check_sort<Ascending, u32>(keys_of<Ascending>(n, 100, 1), {.device = &d, .in_place = true});
  }
}

// Checks counts that are read on the GPU, of which there are at most `max`.
void check_device_counts(const Device& d, u64 max) {
  const std::vector<u32> keys = keys_of<Ascending>(max, 1 << 20, 3);
  for (const u64 n : {u64{0}, u64{1}, max / 7, max / 2, max - 1, max, max + 9}) {
    CAPTURE(max);
    CAPTURE(n);
    const auto narrow = device_count(static_cast<u32>(n));
    const auto wide = device_count(n | (n > max ? u64{1} << 40 : 0));
    check_sort<Ascending, u32>(keys, {.device = &d, .count = {max, narrow.address()}, .used = n});
    check_sort<Ascending, u64>(keys, {.device = &d,
                                      .in_place = true,
                                      .count = {max, wide.address(), CountWidth::u64},
                                      .used = n});
  }
}

TEST_CASE("merge_sort: the count may be read on the GPU; what lies past it stays as it was") {
  for (const Tuning& tuning : {kTinyTiles, by_subgroup()}) {
    const Device& d = device(tuning);
    for (const u64 max : {u64{500}, 7 * tile_of(d, own::ascending::compare) + 9}) {
      check_device_counts(d, max);
    }
  }
}

TEST_CASE("merge_sort: a small count out of so many that the grid is computed on the GPU") {
  const Device& d = device(kTinyTiles);
  const u64 max = 4100 * tile_of(d, own::ascending::compare);
  const std::vector<u32> keys = keys_of<Ascending>(max, 1 << 20, 3);
  for (const u64 n : {u64{0}, u64{5000}, subset() ? u64{20'000} : max / 9}) {
    CAPTURE(n);
    const auto count = device_count(static_cast<u32>(n));
    check_sort<Ascending, u32>(keys, {.device = &d, .count = {max, count.address()}, .used = n});
  }
}

TEST_CASE("merge_sort: a comparison that is no order moves keys with their values") {
  for (const Tuning& tuning : {kTinyTiles, by_subgroup()}) {
    check_hostile(own::hostile::compare, tuning);
    check_hostile(own::always::compare, tuning);
  }
}

TEST_CASE("merge_sort: a step of a Recorder, with and without values") {
  using own::heaviest::Item;
  const std::vector<Item> items{{2, 1}, {1, 1}, {2, 5}, {1, 1}};
  const auto in = context().upload(items);
  const auto numbers = context().upload(std::vector<u32>{0, 1, 2, 3});
  const auto out = context().allocate<Item>(4), again = context().allocate<Item>(4);
  const auto merged = context().allocate<Item>(8);
  const auto values = context().allocate<u32>(4), merged_values = context().allocate<u32>(8);
  context().run([&](Recorder& r) {
    own::heaviest::sort(r, {}, in, out);
    own::heaviest::sort(r, {}, in, again, numbers, values);
    own::heaviest::merge(r, {}, out, again, merged);
    own::heaviest::merge(r, {}, out, again, merged, values, numbers, merged_values);
  });
  CHECK(context().download(values) == std::vector<u32>{1, 3, 2, 0});
  CHECK(same_bits(context().download(out), context().download(again)));
  CHECK(context().download(merged)[4].weight == 5);
  CHECK(context().download(merged_values) == std::vector<u32>{1, 3, 0, 1, 2, 2, 0, 3});
}

TEST_CASE("merge_sort: recorded twice in one command buffer, and replayed 100 times") {
  for (const Tuning& tuning : {kTinyTiles, by_subgroup()}) {
    const Device& d = device(tuning);
    const std::vector<u32> keys = keys_of<Ascending>(5000, 1 << 20, 1);
    const auto in = context().upload(keys);
    const auto out = context().allocate<u32>(10'000);
    const MergeSortDesc desc{.own = &own::ascending::compare, .count = 5000};
    const DirtyScratch scratch(merge_sort_scratch(d, desc));
    std::vector<u32> sorted = keys;
    std::sort(sorted.begin(), sorted.end());
    sorted.insert(sorted.end(), sorted.begin(), sorted.begin() + 5000);
    replay(
        d, [&] { context().write(out, std::vector<u32>(10'000, 0)); },
        [&](VkCommandBuffer cmd, u64 i) {
          return record_merge_sort(
              cmd, d, desc,
              {.in = in.view(), .out = out.slice(5000 * i, 5000).view(), .scratch = scratch.get()});
        },
        [&] { CHECK(difference(context().download(out), sorted) == ""); });
  }
}

TEST_CASE("merge_sort: warm_up builds what any alignment and count needs") {
  DeviceInfo info = device(kTinyTiles).state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  info.tuning.small_count = 5000;
  Device d;
  throw_if_error(create_device(info, limits(), d));
  const auto memory = context().allocate<u32>(20'000);
  const auto record = [&](VkCommandBuffer cmd, u64 n, u64 shift) {
    const MergeSortDesc desc{.own = &own::ascending::compare, .count = n};
    const DirtyScratch scratch(merge_sort_scratch(d, desc));
    return record_merge_sort(cmd, d, desc,
                             {.in = memory.slice(shift, n).view(),
                              .out = memory.slice(10'000, n).view(),
                              .scratch = scratch.get()});
  };
  expect_error(Status::not_warmed, {"warm_up"},
               [&](VkCommandBuffer cmd) { return record(cmd, 100, 0); });
  throw_if_error(own::ascending::warm_up(d, MergeSortDesc{.count = 100}));
  context().record([&](Recorder& r) {
    r.commands([&](VkCommandBuffer cmd) {
      for (const u64 n : {1, 100, 4500, 9000}) throw_if_error(record(cmd, n, n % 2));
    });
  });
}

TEST_CASE("merge_sort: the size query is monotone in the count and 0 for an invalid descriptor") {
  for (const Tuning& tuning : {Tuning{}, kTinyTiles}) {
    const Device& d = device(tuning);
    check_monotone(
        [&](u64 n) { return own::cells::sort_scratch(d, {.value_bytes = 4, .count = n}).bytes; });
  }
  CHECK(own::cells::sort_scratch(device(), {.count = kMaxCount + 1}).bytes == 0);
  CHECK(own::cells::sort_scratch(device(), {.count = 100}).bytes == 0);
  CHECK(merge_sort_scratch(device(), {.count = 1 << 20}).bytes == 0);
  CHECK(own::cells::sort_scratch(Device(), {.count = 1 << 20}).bytes == 0);
}

TEST_CASE("merge_sort: wrong input is refused by name before anything is recorded") {
  const Device& d = device(kTinyTiles);
  const auto memory = context().allocate<u32>(1 << 17);
  const u64 n = 4000;
  const MergeSortDesc desc{.own = &own::heaviest::compare, .value_bytes = 4, .count = n};
  const ScratchNeed need = merge_sort_scratch(d, desc);
  const Scratch scratch = scratch_view(d, memory.handle(), 4 * 60'000, need.bytes);
  const MergeSortBuffers good{memory.slice(0, 2 * n).view(), memory.slice(10'000, 2 * n).view(),
                              memory.slice(20'000, n).view(), memory.slice(30'000, n).view(),
                              scratch};
  const WrongInput wrong(d, &record_merge_sort, desc, good);
  wrong.anywhere();
  wrong.scratch("merge_sort_scratch()");
  wrong.desc({"own is null", "vkprims_add_compare()"}, [](auto& x) { x.own = nullptr; });
  wrong.desc({"value_bytes is 2", "0, 4 or 8"}, [](auto& x) { x.value_bytes = 2; });
  wrong.desc({"values_in is given", "value_bytes is 0"}, [](auto& x) { x.value_bytes = 0; });
  wrong.buffers({"in.address", "multiple of 4"}, [](auto& x) { x.in.address += 2; });
  wrong.buffers({"in.bytes is 31999", "32000"}, [](auto& x) { x.in.bytes -= 1; });
  wrong.buffers({"out.address is 0"}, [](auto& x) { x.out.address = 0; });
  wrong.buffers({"in [", "out [", "overlap"}, [](auto& x) { x.out.address = x.in.address + 8; });
  wrong.buffers({"out [", "values_out [", "overlap"},
                [](auto& x) { x.values_out.address = x.out.address; });
  Compare broken = own::heaviest::compare;
  broken.bytes = 36;
  wrong.desc({"comparison heaviest has elements of 36 bytes", "4 … 32"},
             [&](auto& x) { x.own = &broken; });
  Compare empty = own::heaviest::compare;
  empty.find_module = nullptr;
  wrong.desc({"comparison heaviest has no find_module"}, [&](auto& x) { x.own = &empty; });
  empty.find_module = [](const Compare&, CompareKernel, const Spirv*& spirv) {
    spirv = nullptr;
    return Status();
  };
  wrong.desc({"heaviest has no kernels for it", "FORMS"}, [&](auto& x) { x.own = &empty; });
}

TEST_CASE("merge_sort: merge by a comparison of one's own, for keys of every size") {
  check_merges<Ascending>();
  check_merges<Heaviest>();
  check_merges<Points>();
  check_merges<Cells>();
  if (subset()) return;
  check_merges<Words5>();
  check_merges<Words6>();
  check_merges<Words7>();
  if (device().state()->info.enabled.int64) check_merges<Names>();
}

TEST_CASE("merge_sort: merge refuses a comparison that it cannot use, and warms up what it needs") {
  Compare broken = own::heaviest::compare;
  broken.bytes = 6;
  CHECK(std::string(warm_up(device(), MergeDesc{.own = &broken}).message()) ==
        "merge: comparison heaviest has elements of 6 bytes, must be a multiple of 4, 4 … 32");
  CHECK(own::heaviest::warm_up(device(), MergeDesc{.value_bytes = 8}));
  check_monotone([&](u64 n) {
    return own::points::merge_scratch(device(), {.a_count = n, .b_count = 0}).bytes;
  });
}

TEST_CASE("merge_sort: smoke" * doctest::test_suite("smoke")) {
  check_sort<Heaviest, u32>(keys_of<Heaviest>(20'000, 50, 1), {.device = &device()});
}

TEST_CASE("merge_sort: push constants of the shaders and of C++ have the same layout") {
  const auto matches = [](CompareKernel kernel, std::size_t bytes) {
    const Spirv* spirv = nullptr;
    throw_if_error(own::ascending::compare.find_module(own::ascending::compare, kernel, spirv));
    return push_matches(*spirv, bytes);
  };
  CHECK(matches(CompareKernel::merge_sort_tiles, sizeof(abi::MergeSortPush)));
  CHECK(matches(CompareKernel::merge_sort_merge_runs, sizeof(abi::MergeSortPush)));
  CHECK(matches(CompareKernel::merge_sort_partition, sizeof(abi::MergeSortPush)));
  CHECK(matches(CompareKernel::merge_sort_merge, sizeof(abi::MergeTilesPush)));
}

}  // namespace vkprims::test
