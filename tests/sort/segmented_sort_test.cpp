// Tests of segmented_sort.
#include "oracles/segmented_sort.hpp"

#include "sort/segmented_sort/segmented_sort.abi.h"
#include "spirv/segmented_sort_merge.hpp"
#include "spirv/segmented_sort_segments.hpp"
#include "spirv/segmented_sort_teams.hpp"
#include "support/segment_lengths.hpp"
#include "support/sorted_sequences.hpp"
#include "support/spirv_reader.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {
namespace {

struct Value16 {
  std::uint64_t low, high;
  bool operator==(const Value16&) const = default;
};

struct Options {
  const Device* device;
  SegmentedSortDesc desc = {};  // types, key_count and a count of 0 follow from the data
  std::uint64_t used = ~0ull;   // number of segments that count
  std::uint64_t misalign_in = 0, misalign_out = 0, misalign_offsets = 0;  // elements
  bool in_place = false;
};

template <class V>
V value_of(std::uint64_t i) {
  if constexpr (sizeof(V) == 16) {
    return {i, ~i};
  } else {
    return static_cast<V>(i * 0x9e3779b97f4a7c15u);
  }
}

// Sorts and compares with the oracle. V is the type of the values, which tell where their keys
// were; char means no values.
template <class V = char, class T, class Offset>
void check_sorted(const std::vector<T>& keys, const std::vector<Offset>& offsets, Options o) {
  constexpr bool has_values = sizeof(V) >= 4;
  o.desc.type = type_of<T>();
  o.desc.offset_width = sizeof(Offset) == 8 ? IndexWidth::u64 : IndexWidth::u32;
  o.desc.value_bytes = has_values ? sizeof(V) : 0;
  o.desc.key_count = keys.size();
  o.desc.count = o.desc.count.or_all(offsets.size() - 1);
  std::vector<V> values(has_values ? keys.size() : 0);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = value_of<V>(i);
  const Guarded in(keys, o.misalign_in * sizeof(T));
  const Guarded values_in(values, o.misalign_out * sizeof(V));
  const Guarded bounds(offsets, o.misalign_offsets * sizeof(Offset));
  const Guarded other(o.in_place ? 0 : keys.size() * sizeof(T), o.misalign_out * sizeof(T));
  const Guarded other_values(o.in_place ? 0 : values.size() * sizeof(V), o.misalign_in * sizeof(V));
  const Guarded& out = o.in_place ? in : other;
  const Guarded& values_out = o.in_place ? values_in : other_values;
  const DirtyScratch scratch(segmented_sort_scratch(*o.device, o.desc));
  SegmentedSortBuffers buffers{.in = in.view(), .out = out.view()};
  if (has_values) buffers.values_in = values_in.view(), buffers.values_out = values_out.view();
  buffers.offsets = bounds.view();
  buffers.scratch = scratch.get();
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_segmented_sort(cmd, *o.device, o.desc, buffers));
  });
  std::vector<Offset> used = offsets;
  used.resize(std::min<std::uint64_t>(o.used, offsets.size() - 1) + 1);
  const auto from = oracle::segmented_sort<T, Offset>(keys, used, o.desc.order, o.desc.float_order);
  const auto sorted = out.template read<T>();
  const auto sorted_values = values_out.template read<V>();
  T kept_key;
  V kept_value;
  std::memset(static_cast<void*>(&kept_key), 0xcd, sizeof(T));
  std::memset(static_cast<void*>(&kept_value), 0xcd, sizeof(V));
  std::uint64_t wrong_keys = 0, wrong_values = 0, first_wrong = 0;
  for (std::uint64_t i = 0; i < keys.size(); ++i) {
    const bool there = from[i] != ~0ull;
    const T key = there ? keys[from[i]] : o.in_place ? keys[i] : kept_key;
    if (!same_bits(sorted[i], key) && wrong_keys++ == 0) first_wrong = i;
    if (!has_values) continue;
    const V value = there ? values[from[i]] : o.in_place ? values[i] : kept_value;
    wrong_values += !same_bits(sorted_values[i], value);
  }
  CAPTURE(first_wrong);
  CHECK(wrong_keys == 0);
  CHECK(wrong_values == 0);
  if (!o.in_place) CHECK(same_bits(in.template read<T>(), keys));
}

template <class V = char, class T = std::uint32_t, class Offset = std::uint32_t>
void check_lengths(const std::vector<std::uint64_t>& lengths, Options o,
                   std::uint64_t spread = 1 << 20) {
  std::uint64_t n = 0;
  for (const std::uint64_t length : lengths) n += length;
  check_sorted<V>(random_keys<T>(n, spread, static_cast<std::uint32_t>(n)),
                  offsets_of<Offset>(lengths), o);
}

// The largest number of keys that a workgroup sorts.
std::uint64_t tile_of(const Device& d, std::uint32_t item_words) {
  std::uint64_t workgroup = d.state()->tuning.workgroup_size;
  while (workgroup * VKP_SEGMENTED_SORT_POOL * 4 + VKP_SEGMENTED_SORT_CONTROL_BYTES >
         d.state()->shared_bytes) {
    workgroup /= 2;
  }
  return workgroup * VKP_SEGMENTED_SORT_ITEMS(item_words);
}

// The lengths lie around the most that an invocation, each team and a workgroup hold, and around
// the sizes of merges.
std::vector<std::uint64_t> edge_lengths(std::uint64_t tile) {
  std::vector<std::uint64_t> lengths{0, 1, 2, 3, 5, 8};
  for (std::uint64_t n = 16; n <= tile; n *= 2) lengths.insert(lengths.end(), {n - 1, n, n + 1});
  lengths.insert(lengths.end(), {2 * tile - 1, 2 * tile, 2 * tile + 1, 3 * tile - 7, 5 * tile + 3});
  return lengths;
}

}  // namespace

TEST_CASE("segmented_sort: every type and order, with and without values, at every length") {
  const Device& d = device(kTinyTiles);
  const std::vector<Type> all =
      subset() ? std::vector{Type::f32, Type::i64}
               : std::vector{Type::u32, Type::i32, Type::f32, Type::u64, Type::i64, Type::f64};
  for (const Type type : all) {
    CAPTURE(std::string(name_of(type)));
    with_type(type, [&](auto zero) {
      using T = decltype(zero);
      for (const SortOrder order : {SortOrder::ascending, SortOrder::descending}) {
        CAPTURE(static_cast<int>(order));
        if (subset() && (type == Type::i64) != (order == SortOrder::descending)) continue;
        const std::uint32_t words = sizeof(T) / 4;
        const Options o{.device = &d, .desc = {.order = order, .float_order = FloatOrder::by_bits}};
        const std::size_t sum = static_cast<std::size_t>(type) + static_cast<std::size_t>(order);
        if (paired(sum)) check_lengths<char, T>(edge_lengths(tile_of(d, words)), o);
        if (paired(sum + 1)) {
          check_lengths<std::uint32_t, T>(edge_lengths(tile_of(d, words + 1)), o, 50);
        }
        if (!std::is_floating_point_v<T> || subset()) continue;
        Options nan = o;
        nan.desc.float_order = FloatOrder::by_value;  // equal keys may differ in their bits
        check_lengths<char, T>(edge_lengths(tile_of(d, words + 1)), nan, 50);
        if (type == Type::f32) {
          check_lengths<std::uint64_t, T>(edge_lengths(tile_of(d, words + 1)), nan, 50);
        }
      }
    });
  }
}

TEST_CASE("segmented_sort: lengths in any order, and all of one length") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t tile = tile_of(d, 1);
  std::vector<std::uint64_t> lengths = edge_lengths(tile);
  const std::vector<std::uint64_t> few = edge_lengths(40);
  lengths.insert(lengths.end(), few.begin(), few.end());
  for (std::uint32_t seed = 0; seed < 3; ++seed) {
    std::shuffle(lengths.begin(), lengths.end(), std::mt19937(seed));
    check_lengths(lengths, {.device = &d});
  }
  for (const std::uint64_t length : {1, 2, 7, 15, 16, 17, 31, 32, 33, 64, 100, 1000}) {
    CAPTURE(length);
    for (const std::uint64_t segments : {1, 3, 127, 129, 300}) {
      CAPTURE(segments);
      check_lengths(std::vector<std::uint64_t>(segments, length), {.device = &d});
      if (segments != 129) continue;
      check_lengths<std::uint32_t>(std::vector<std::uint64_t>(segments, length), {.device = &d}, 5);
    }
  }
}

TEST_CASE("segmented_sort: keys spread over segments in every way, round subgroups and tiles") {
  for (const Tuning& tuning : tunings({Tuning{}, kTinyTiles})) {
    const Device& d = device(tuning);
    std::vector<std::uint64_t> counts = edge_counts(tile_of(d, 1));
    counts.push_back(60'000);
    for (const Spread spread : kSpreads) {
      CAPTURE(static_cast<int>(spread));
      for (const std::uint64_t n : counts) {
        if (n == 0) continue;
        CAPTURE(n);
        check_lengths(lengths(spread, n, static_cast<std::uint32_t>(n)), {.device = &d});
      }
    }
  }
}

TEST_CASE("segmented_sort: one huge segment alone, and among many of one key") {
  const Device& d = device(kTinyTiles);
  check_lengths({300'000}, {.device = &d});
  check_lengths({150'000}, {.device = &d}, 3);
  std::vector<std::uint64_t> lengths(20'000, 1);
  lengths[13'000] = 100'000;
  check_lengths(lengths, {.device = &d});
  check_lengths<std::uint32_t>(lengths, {.device = &d}, 1000);
  // Some segments need an even number of merges, some an odd number.
  const std::uint64_t tile = tile_of(d, 1);
  check_lengths({tile, tile + 1, 2 * tile + 1, 0, 4 * tile + 1, 8 * tile + 1, 7, 3 * tile},
                {.device = &d});
}

TEST_CASE(
    "segmented_sort: keys in order, in reverse order, and all equal keep their values in order") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t n = 40'000;
  std::vector<std::uint32_t> up(n), down(n), same(n, ~0u), two(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    up[i] = i;
    down[i] = static_cast<std::uint32_t>(n) - i;
    two[i] = i % 3 == 0 ? 0 : ~0u;
  }
  for (const auto& keys : {up, down, same, two}) {
    for (const auto& offsets : {std::vector<std::uint32_t>{0, 40'000},
                                offsets_of<std::uint32_t>(lengths(Spread::power_law, n, 5)),
                                offsets_of<std::uint32_t>(lengths(Spread::tens, n, 5))}) {
      check_sorted<std::uint32_t>(keys, offsets, {.device = &d});
      check_sorted<std::uint32_t>(keys, offsets,
                                  {.device = &d, .desc = {.order = SortOrder::descending}});
      check_sorted(keys, offsets, {.device = &d});
    }
  }
}

TEST_CASE("segmented_sort: in place") {
  const Device& d = device(kTinyTiles);
  const Options o{.device = &d, .in_place = true};
  for (const Spread spread : kSpreads) {
    check_lengths(lengths(spread, 30'000, 1), o);
    check_lengths<std::uint32_t>(lengths(spread, 30'000, 2), o, 100);
  }
  check_lengths<std::uint64_t, std::uint64_t>(lengths(Spread::power_law, 30'000, 2), o, 100);
  if (!subset()) {
    check_lengths<Value16, std::uint64_t>(lengths(Spread::power_law, 30'000, 2), o, 100);
  }
}

TEST_CASE("segmented_sort: values of 4, 8 and 16 bytes") {
  const Device& d = device(kTinyTiles);
  for (const Spread spread : {Spread::tens, Spread::power_law, Spread::one}) {
    check_lengths<std::uint64_t>(lengths(spread, 20'000, 3), {.device = &d}, 100);
    if (subset()) continue;
    check_lengths<Value16>(lengths(spread, 20'000, 3), {.device = &d}, 100);
    check_lengths<std::uint64_t, double>(lengths(spread, 20'000, 3), {.device = &d}, 100);
  }
}

TEST_CASE("segmented_sort: views that begin at any element, offsets of 4 and 8 bytes") {
  const Device& d = device(kTinyTiles);
  for (std::uint64_t shift = 1; shift < 8; ++shift) {
    const Options o{.device = &d,
                    .misalign_in = shift % 4,
                    .misalign_out = (shift + 1) % 3,
                    .misalign_offsets = shift};
    const auto spread = lengths(Spread::empty_runs, 9000 + shift, 1);
    check_lengths<char, std::uint32_t, std::uint64_t>(spread, o);
    check_lengths<std::uint64_t>(spread, o, 100);
    check_lengths<char, std::uint64_t>(spread, o);
  }
}

TEST_CASE("segmented_sort: keys before the first and behind the last segment stay as they are") {
  const Device& d = device(kTinyTiles);
  for (const std::uint64_t first : {1, 5, 333, 5000}) {
    CAPTURE(first);
    for (const Spread spread : {Spread::tens, Spread::power_law, Spread::one}) {
      const auto keys = random_values<std::uint32_t>(25'000, 1);
      const auto offsets = offsets_of<std::uint32_t>(lengths(spread, 19'000, 2), first);
      check_sorted(keys, offsets, {.device = &d});
      check_sorted(keys, offsets, {.device = &d, .in_place = true});
    }
  }
}

TEST_CASE("segmented_sort: nothing but empty segments, no keys, no segments") {
  const Device& d = device(kTinyTiles);
  const auto keys = random_values<std::uint32_t>(1000, 1);
  for (const std::uint64_t segments : {1, 2, 127, 1000, 100'000}) {
    for (const std::uint32_t at : {0u, 500u, 1000u}) {
      check_sorted(keys, std::vector<std::uint32_t>(segments + 1, at), {.device = &d});
    }
  }
  check_sorted(std::vector<std::uint32_t>(), std::vector<std::uint32_t>(10), {.device = &d});
  spy().clear();
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_segmented_sort(cmd, d, {.count = 0}, {}));
    throw_if_error(record_segmented_sort(cmd, d, {.count = 10}, {}));
    throw_if_error(record_segmented_sort(cmd, d, {.key_count = 10}, {}));
  });
  CHECK(spy().recorded.empty());
}

TEST_CASE("segmented_sort: the number of segments may be read on the GPU and is clamped to max") {
  const Device& d = device(kTinyTiles);
  // 540,000 segments are more than 4,096 workgroups of 128: the grid is computed on the GPU.
  for (const std::uint64_t max : {std::uint64_t{3000}, std::uint64_t{540'000}}) {
    std::vector<std::uint64_t> sizes(max, 1);
    for (std::uint64_t s = 0; s < max; s += 5) sizes[s] = s % 7;
    sizes[1] = 9000;
    const auto offsets = offsets_of<std::uint32_t>(sizes);
    const auto keys = random_values<std::uint32_t>(offsets.back(), 9);
    for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, max / 3, max, 2 * max}) {
      if (max > 3000 && (n == 1 || n == max)) continue;
      const bool wide = n % 2 == 0;
      CAPTURE(n);
      const auto count = device_count(wide ? n | (n > max ? std::uint64_t{1} << 40 : 0) : n);
      const Count given(max, count.address(), wide ? CountWidth::u64 : CountWidth::u32);
      check_sorted(keys, offsets, {.device = &d, .desc = {.count = given}, .used = n});
    }
  }
}

TEST_CASE("segmented_sort: more tiles than workgroups that merge") {
  // 512 workgroups merge 8 items of an invocation each, where there are no more than 2^25 keys.
  const Device& d = device(kTinyTiles);
  const std::uint64_t once =
      512 * tile_of(d, 1) / VKP_SEGMENTED_SORT_ITEMS(1) * VKP_SEGMENTED_SORT_MERGE_ITEMS(1);
  check_lengths({tile_of(d, 1) + 7, once + 12'345, 5, 3 * tile_of(d, 1)}, {.device = &d});
}

TEST_CASE("segmented_sort: more than 65,535 workgroups") {
  if (subset()) return;
  const Device& d = device(kTinyTiles);
  std::vector<std::uint64_t> sizes(65'600 * 128 + 3);
  for (std::uint64_t s = 0; s < sizes.size(); s += 97) sizes[s] = s % 11;
  sizes.back() = 77;
  check_lengths(sizes, {.device = &d});
}

TEST_CASE("segmented_sort: max_length spares scratch and merges") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t tile = tile_of(d, 1), n = 100'000;
  const auto keys = random_values<std::uint32_t>(n, 9);
  for (const std::uint64_t length : {std::uint64_t{16}, std::uint64_t{1000}, tile, 3 * tile}) {
    CAPTURE(length);
    std::vector<std::uint64_t> sizes(n / length, length);
    const auto offsets = offsets_of<std::uint32_t>(sizes);
    const SegmentedSortDesc desc{.count = sizes.size(), .key_count = n, .max_length = length};
    check_sorted(keys, offsets, {.device = &d, .desc = desc});
    const bool merges = length > tile;
    CHECK((segmented_sort_scratch(d, desc).bytes > 4 * n) == merges);
  }
  // A broken promise about lengths touches nothing outside the views.
  const Guarded in(keys), out(4 * n);
  for (const std::uint64_t length : {1, 20, 100, 5000}) {
    for (const std::uint64_t kept : {30, 3000, 50'000}) {
      const Guarded bounds(offsets_of<std::uint32_t>(std::vector<std::uint64_t>(n / kept, kept)));
      const SegmentedSortDesc desc{.count = n / kept, .key_count = n, .max_length = length};
      const DirtyScratch scratch(segmented_sort_scratch(d, desc));
      run([&](VkCommandBuffer cmd) {
        throw_if_error(record_segmented_sort(cmd, d, desc,
                                             {.in = in.view(),
                                              .out = out.view(),
                                              .offsets = bounds.view(),
                                              .scratch = scratch.get()}));
      });
      CHECK(in.read<std::uint32_t>() == keys);
      out.read<std::uint32_t>();
    }
  }
}

TEST_CASE("segmented_sort: offsets that make no sense touch nothing outside of the views") {
  const Device& d = device(kTinyTiles);
  const auto sort_all = [&]<class Offset>(const std::vector<Offset>& offsets, std::uint64_t n) {
    const auto keys = random_values<std::uint32_t>(n, 1);
    const Guarded in(keys), out(4 * n), values_in(keys), values_out(4 * n), bounds(offsets);
    for (const std::uint32_t value_bytes : {0, 4}) {
      const SegmentedSortDesc desc{
          .value_bytes = value_bytes,
          .offset_width = sizeof(Offset) == 8 ? IndexWidth::u64 : IndexWidth::u32,
          .count = offsets.size() - 1,
          .key_count = n};
      const DirtyScratch scratch(segmented_sort_scratch(d, desc));
      SegmentedSortBuffers buffers{.in = in.view(), .out = out.view()};
      if (value_bytes) buffers.values_in = values_in.view(), buffers.values_out = values_out.view();
      buffers.offsets = bounds.view();
      buffers.scratch = scratch.get();
      run([&](VkCommandBuffer cmd) {
        throw_if_error(record_segmented_sort(cmd, d, desc, buffers));
      });
      CHECK(in.read<std::uint32_t>() == keys);
      CHECK(values_in.read<std::uint32_t>() == keys);
      CHECK(bounds.template read<Offset>() == offsets);
      out.read<std::uint32_t>();
      values_out.read<std::uint32_t>();
    }
  };
  for (const std::uint64_t n : {100, 12'000}) {
    for (const std::uint64_t segments : {1, 40, subset() ? 1000 : 6000}) {
      for (const auto& offsets : hostile_offsets<std::uint32_t>(segments, n)) sort_all(offsets, n);
      for (const auto& offsets : hostile_offsets<std::uint64_t>(segments, n)) sort_all(offsets, n);
    }
  }
}

TEST_CASE("segmented_sort: a step of a Recorder, with and without values") {
  const auto in = context().upload(std::vector<float>{3, 1, 2, 9, 8, 5});
  const auto offsets = context().upload(std::vector<std::uint64_t>{0, 3, 3, 6});
  const auto values_in = context().upload(std::vector<std::uint32_t>{30, 10, 20, 90, 80, 50});
  const auto out = context().allocate<float>(6);
  const auto again = context().allocate<float>(6);
  const auto values = context().allocate<std::uint32_t>(6);
  context().run([&](Recorder& r) {
    segmented_sort(r, {}, in, offsets, out);
    segmented_sort(r, {.order = SortOrder::descending}, in, offsets, again, values_in, values);
  });
  CHECK(context().download(out) == std::vector<float>{1, 2, 3, 5, 8, 9});
  CHECK(context().download(again) == std::vector<float>{3, 2, 1, 9, 8, 5});
  CHECK(context().download(values) == std::vector<std::uint32_t>{30, 20, 10, 90, 80, 50});
}

TEST_CASE(
    "segmented_sort: recorded twice in one command buffer, and replayed 100 times, dirty scratch") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t n = 20'000;
  const auto keys = random_keys<std::uint32_t>(n, 500, 1);
  auto offsets = offsets_of<std::uint32_t>(lengths(Spread::power_law, n, 2));
  const auto from = oracle::segmented_sort<std::uint32_t, std::uint32_t>(
      keys, offsets, SortOrder::ascending, FloatOrder::by_bits);
  std::vector<std::uint32_t> expected(2 * n);
  for (std::uint64_t i = 0; i < 2 * n; ++i) expected[i] = keys[from[i % n]];
  const auto count = device_count(static_cast<std::uint32_t>(offsets.size() - 1));
  offsets.resize(600'000);
  const auto in = context().upload(keys);
  const auto bounds = context().upload(offsets);
  const auto out = context().allocate<std::uint32_t>(2 * n);
  const SegmentedSortDesc desc{.count = {599'999, count.address()}, .key_count = n};
  const DirtyScratch scratch(segmented_sort_scratch(d, desc));
  replay(
      d, [&] { context().write(out, std::vector<std::uint32_t>(2 * n, 77)); },
      [&](VkCommandBuffer cmd, std::uint64_t i) {
        return record_segmented_sort(cmd, d, desc,
                                     {.in = in.view(),
                                      .out = out.slice(i * n, n).view(),
                                      .offsets = bounds.view(),
                                      .scratch = scratch.get()});
      },
      [&] { CHECK(difference(context().download(out), expected) == ""); });
}

TEST_CASE("segmented_sort: warm_up builds what any count, key_count and max_length need") {
  DeviceInfo info = device(kTinyTiles).state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  Device d;
  throw_if_error(create_device(info, limits(), d));
  const auto memory = context().allocate<std::uint32_t>(2'100'000);
  const auto count = device_count(3u);
  const auto record = [&](VkCommandBuffer cmd, std::uint64_t segments, std::uint64_t n,
                          std::uint64_t max_length) {
    const SegmentedSortDesc desc{
        .count = {segments, count.address()}, .key_count = n, .max_length = max_length};
    const DirtyScratch scratch(segmented_sort_scratch(d, desc));
    return record_segmented_sort(cmd, d, desc,
                                 {.in = memory.slice(1, n).view(),
                                  .out = memory.slice(200'000, n).view(),
                                  .offsets = memory.slice(400'000, segments + 1).view(),
                                  .scratch = scratch.get()});
  };
  expect_error(Status::not_warmed, {"warm_up"},
               [&](VkCommandBuffer cmd) { return record(cmd, 10, 100, 0); });
  throw_if_error(warm_up(d, SegmentedSortDesc{.count = {10, count.address()}, .key_count = 1}));
  context().record([&](Recorder& r) {
    r.commands([&](VkCommandBuffer cmd) {
      for (const std::uint64_t segments : {10, 1'000'000}) {
        for (const std::uint64_t n : {100, 100'000}) {
          for (const std::uint64_t length : {0, 50}) {
            throw_if_error(record(cmd, segments, n, length));
          }
        }
      }
    });
  });
}

TEST_CASE("segmented_sort: the size query is monotone and 0 for an invalid descriptor") {
  for (const Tuning& tuning : {Tuning{}, kTinyTiles}) {
    const Device& d = device(tuning);
    const auto bytes = [&](SegmentedSortDesc desc) {
      return segmented_sort_scratch(d, desc).bytes;
    };
    for (const std::uint32_t value_bytes : {0, 8}) {
      for (const Type type : {Type::f32, Type::u64}) {
        SegmentedSortDesc desc{.type = type, .value_bytes = value_bytes};
        desc.key_count = std::uint64_t{1} << 30;
        check_monotone([&](std::uint64_t n) { return desc.count.max = n, bytes(desc); });
        VkDeviceSize last = 0;
        for (std::uint64_t n = 1; n <= std::uint64_t{1} << 34; n += n / 3 + 1) {
          desc.key_count = n;
          CHECK(bytes(desc) >= last);
          last = bytes(desc);
        }
        last = 0;
        for (std::uint64_t n = 1; n <= desc.key_count; n *= 2) {
          desc.max_length = n;
          CHECK(bytes(desc) >= last);
          last = bytes(desc);
        }
      }
    }
    CHECK(bytes({.count = 10, .key_count = (std::uint64_t{1} << 34) + 1}) == 0);
    CHECK(bytes({.count = kMaxCount + 1, .key_count = 10}) == 0);
  }
  CHECK(segmented_sort_scratch(Device(), {.count = 10, .key_count = 10}).bytes == 0);
}

TEST_CASE("segmented_sort: wrong input is refused by name before anything is recorded") {
  const Device& d = device(kTinyTiles);
  const auto memory = context().allocate<std::uint32_t>(1 << 16);
  const SegmentedSortDesc desc{.value_bytes = 4, .count = 100, .key_count = 1000};
  const ScratchNeed need = segmented_sort_scratch(d, desc);
  const Scratch scratch = scratch_view(d, memory.handle(), 4 * 20'000, need.bytes);
  const SegmentedSortBuffers good{memory.slice(0, 1000).view(),    memory.slice(1000, 1000).view(),
                                  memory.slice(2000, 1000).view(), memory.slice(3000, 1000).view(),
                                  memory.slice(4000, 101).view(),  scratch};
  const WrongInput wrong(d, &record_segmented_sort, desc, good);
  wrong.anywhere();
  wrong.scratch("segmented_sort_scratch()");
  wrong.desc({"value_bytes is 2", "0, 4, 8 or 16"}, [](auto& x) { x.value_bytes = 2; });
  wrong.desc({"values_in is given", "value_bytes is 0"}, [](auto& x) { x.value_bytes = 0; });
  wrong.desc({"order is 2"}, [](auto& x) { x.order = SortOrder(2); });
  wrong.desc({"float_order is 5"}, [](auto& x) { x.float_order = FloatOrder(5); });
  wrong.desc({"offset_width is 2"}, [](auto& x) { x.offset_width = IndexWidth(2); });
  wrong.desc({"key_count is 17179869185", "17179869184"},
             [](auto& x) { x.key_count = (std::uint64_t{1} << 34) + 1; });
  wrong.desc({"out [", "count [", "overlap"}, [&](auto& x) { x.count = {100, good.out.address}; });
  wrong.buffers({"in.address", "multiple of 4"}, [](auto& x) { x.in.address += 2; });
  wrong.buffers({"in.address is 0"}, [](auto& x) { x.in.address = 0; });
  wrong.buffers({"in.bytes is 3999", "4000"}, [](auto& x) { x.in.bytes -= 1; });
  wrong.buffers({"out.bytes is 3999", "4000"}, [](auto& x) { x.out.bytes -= 1; });
  wrong.buffers({"out.address is 0"}, [](auto& x) { x.out.address = 0; });
  wrong.buffers({"values_in.bytes is 3999"}, [](auto& x) { x.values_in.bytes -= 1; });
  wrong.buffers({"values_out.bytes is 3999"}, [](auto& x) { x.values_out.bytes -= 1; });
  wrong.buffers({"offsets.bytes is 403", "404"}, [](auto& x) { x.offsets.bytes -= 1; });
  wrong.buffers({"offsets.address is 0"}, [](auto& x) { x.offsets.address = 0; });
  wrong.buffers({"in [", "out [", "overlap"}, [](auto& x) { x.out.address = x.in.address + 4; });
  wrong.buffers({"values_in [", "values_out [", "overlap"},
                [](auto& x) { x.values_out.address = x.values_in.address + 4; });
  wrong.buffers({"values_in [", "out [", "overlap"},
                [](auto& x) { x.out.address = x.values_in.address; });
  wrong.buffers({"out [", "offsets [", "overlap"},
                [](auto& x) { x.offsets.address = x.out.address; });
  wrong.buffers({"out [", "scratch [", "overlap"},
                [](auto& x) { x.scratch.address = x.out.address; });
  CHECK(warm_up(Device(), desc) == Status::invalid_argument);
  CHECK(warm_up(d, SegmentedSortDesc{.value_bytes = 3}) == Status::invalid_argument);
}

TEST_CASE("segmented_sort: no type needs a feature of the device") {
  for (const Spirv* spirv :
       {&spirv::segmented_sort_segments_pair, &spirv::segmented_sort_segments_pair_index,
        &spirv::segmented_sort_teams_pair, &spirv::segmented_sort_teams_pair_index,
        &spirv::segmented_sort_merge_pair}) {
    constexpr std::uint32_t kFloat64 = 10, kInt64 = 11;
    CHECK(SpirvReader(*spirv).capabilities.count(kFloat64) == 0);
    CHECK(SpirvReader(*spirv).capabilities.count(kInt64) == 0);
  }
}

TEST_CASE("segmented_sort: smoke" * doctest::test_suite("smoke")) {
  check_lengths(lengths(Spread::power_law, 3000, 1), {.device = &device()});
}

TEST_CASE("segmented_sort: push constants of the shaders and of C++ have the same layout") {
  CHECK(push_matches(spirv::segmented_sort_segments_word, sizeof(abi::SegmentedSortPush)));
}

}  // namespace vkprims::test
