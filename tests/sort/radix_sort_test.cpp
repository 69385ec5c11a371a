// Tests of radix_sort.
#include "oracles/radix_sort.hpp"

#include "sort/radix_sort/radix_sort.abi.h"
#include "sort/sort_passes.hpp"
#include "spirv/radix_sort_sweep.hpp"
#include "support/keys_to_sort.hpp"
#include "support/wrong_input.hpp"
#include "vkprims/device/lookback.h"

namespace vkprims::test {
namespace {

// Tiny sorts whose portions have some tiles each.
constexpr Tuning in_portions(std::uint32_t keys) {
  Tuning tuning = kTinySorts;
  tuning.sort_portion = keys;
  return tuning;
}
constexpr Tuning kPortions = in_portions(2048);

struct Options {
  const Device* device;
  RadixSortDesc desc = {};
  bool keys_in_place = false, values_in_place = false;
  Count count = {};                                                      // all if it is not given
  std::uint64_t used = ~0ull;                                            // how many of them count
  std::uint64_t misalign_in = 0, misalign_out = 0, misalign_values = 0;  // elements
};

// Sorts keys with their positions as values, which show that the sort is stable, and compares the
// result with the oracle.
template <class T>
void check_sort(const std::vector<T>& keys, Options o) {
  RadixSortDesc desc = o.desc;
  desc.type = type_of<T>();
  desc.count = o.count.max ? o.count : Count(keys.size());
  const std::uint64_t n = keys.size(), used = std::min<std::uint64_t>(o.used, n);
  const std::uint32_t bytes = desc.value_bytes;
  std::vector<std::uint8_t> values(n * bytes);
  for (std::uint64_t i = 0; i < n; ++i) {
    for (std::uint32_t b = 0; b < bytes; ++b) {
      values[i * bytes + b] =
          static_cast<std::uint8_t>((i * 0x9e3779b97f4a7c15u + i) >> 8 * (b % 8)) ^
          static_cast<std::uint8_t>(b >= 8 ? 0x5a : 0);
    }
  }
  const Guarded in(keys, o.misalign_in * sizeof(T));
  const Guarded out(o.keys_in_place ? 0 : n * sizeof(T), o.misalign_out * sizeof(T));
  const Guarded values_in(values, o.misalign_values * bytes);
  const Guarded values_out(o.values_in_place ? 0 : n * bytes, o.misalign_out * bytes);
  const Guarded& sorted = o.keys_in_place ? in : out;
  const Guarded& sorted_values = o.values_in_place ? values_in : values_out;
  const DirtyScratch scratch(radix_sort_scratch(*o.device, desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_radix_sort(cmd, *o.device, desc,
                                     {.in = in.view(),
                                      .out = sorted.view(),
                                      .values_in = bytes ? values_in.view() : BufferView{},
                                      .values_out = bytes ? sorted_values.view() : BufferView{},
                                      .scratch = scratch.get()}));
  });
  const auto indices = oracle::argsort(
      std::vector<T>(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(used)), desc.order,
      desc.float_order, desc.begin_bit, desc.end_bit);
  const auto got = sorted.template read<T>();
  const auto got_values = sorted_values.template read<std::uint8_t>();
  std::uint64_t wrong_keys = 0, wrong_values = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint64_t from = i < used ? indices[i] : i;
    // Nothing is written behind the count.
    if (i < used || o.keys_in_place) {
      wrong_keys += !same_bits(got[i], keys[from]);
    } else {
      T kept;
      std::memset(&kept, 0xcd, sizeof(T));
      wrong_keys += !same_bits(got[i], kept);
    }
    for (std::uint32_t b = 0; b < bytes; ++b) {
      const bool written = i < used || o.values_in_place;
      wrong_values += got_values[i * bytes + b] != (written ? values[from * bytes + b] : 0xcd);
    }
  }
  CHECK(wrong_keys == 0);
  CHECK(wrong_values == 0);
}

// All of these types work without any feature of the device.
std::vector<Type> all_types() {
  if (subset()) return {Type::f32, Type::i64};
  return {Type::u32, Type::i32, Type::f32, Type::u64, Type::i64, Type::f64};
}
std::vector<Schedule> schedules() { return {Schedule::look_back, Schedule::multi_pass}; }
constexpr SortOrder kOrders[] = {SortOrder::ascending, SortOrder::descending};

}  // namespace

TEST_CASE("radix_sort: every type and order, around the edges of tiles") {
  const Device& d = device(kTinySorts);
  for (const Type type : all_types()) {
    CAPTURE(std::string(name_of(type)));
    with_type(type, [&](auto zero) {
      using T = decltype(zero);
      for (const SortOrder order : kOrders) {
        for (const std::uint64_t n : edge_counts(kTile)) {
          CAPTURE(n);
          check_sort<T>(sort_keys<T>(Keys::random, n, 1),
                        {.device = &d, .desc = {.order = order, .value_bytes = 4}});
        }
      }
    });
  }
}

TEST_CASE("radix_sort: signed keys and floats alone, whose numbers are kept or found again") {
  // Above twice small_sort_count, kernels have their registers for more workgroups instead.
  Tuning tuning = kTinySorts;
  tuning.small_sort_count = 1500;
  DeviceInfo info = device(tuning).state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  for (const Type type : {Type::i32, Type::f32}) {
    with_type(type, [&](auto zero) {
      using T = decltype(zero);
      for (const SortOrder order : kOrders) {
        Device d;
        throw_if_error(create_device(info, limits(), d));
        observe(d);
        throw_if_error(warm_up(d, RadixSortDesc{.type = type, .order = order, .count = 1}));
        for (const std::uint64_t n : {1500, 1501, 3000, 3001, 3002, 9000}) {
          CAPTURE(n);
          const Keys kind = type == Type::f32 ? Keys::special : Keys::random;
          check_sort<T>(sort_keys<T>(kind, n, 1), {.device = &d, .desc = {.order = order}});
        }
      }
    });
  }
}

TEST_CASE("radix_sort: a key that few, some, most or all others are equal to") {
  // How lanes with the same digit find each other depends on how many there are.
  const Device& d = device(kTinySorts);
  std::mt19937 engine(9);
  for (const std::uint32_t percent : {1, 5, 12, 13, 30, 60, 90, 94, 99, 100}) {
    if (subset() && percent != 5 && percent != 60 && percent != 99) continue;
    CAPTURE(percent);
    std::vector<std::uint32_t> keys = random_values<std::uint32_t>(4000, percent);
    for (std::uint32_t& key : keys) {
      if (engine() % 100 < percent) key = 0x5a00ff77;
    }
    check_sort(keys, {.device = &d, .desc = {.value_bytes = 4}});
  }
}

TEST_CASE("radix_sort: one workgroup, around the edges of subgroups and of its tile") {
  // Masks of lanes take so much shared memory that few devices have room for those of 256
  // invocations in subgroups of 8.
  DeviceHooks narrow = limits();
  narrow.workgroup128 = true;
  Device small;
  throw_if_error(create_device(device().state()->info, narrow, small));
  for (const Type type : all_types()) {
    CAPTURE(std::string(name_of(type)));
    with_type(type, [&](auto zero) {
      using T = decltype(zero);
      for (const std::uint64_t n :
           {0, 1, 2, 3, 7, 8, 9, 31, 33, 255, 511, 512, 513, 777, 1023, 1024}) {
        CAPTURE(n);
        const auto keys =
            sort_keys<T>(n % 2 ? Keys::random : Keys::special, static_cast<std::uint64_t>(n), 2);
        for (const Device* d : std::initializer_list<const Device*>{&device(), &small}) {
          check_sort<T>(keys, {.device = d, .desc = {.value_bytes = 4}});
        }
      }
    });
  }
}

TEST_CASE(
    "radix_sort: all kinds of keys, in both schedules, in portions, and as the device has it") {
  const std::uint64_t n = 12'000;
  for (const Keys kind : {Keys::random, Keys::few, Keys::one, Keys::ascending, Keys::descending,
                          Keys::low_bits, Keys::special}) {
    CAPTURE(static_cast<int>(kind));
    for (const Tuning& tuning : tunings({kTinySorts, kPortions, Tuning{}})) {
      for (const Schedule schedule : schedules()) {
        const Device& d = device(tuning);
        if (subset() && &d == &device(kPortions) && kind != Keys::random) continue;
        check_sort(sort_keys<std::uint32_t>(kind, n, 3),
                   {.device = &d, .desc = {.value_bytes = 4, .schedule = schedule}});
        check_sort(
            sort_keys<std::uint64_t>(kind, n, 4),
            {.device = &d,
             .desc = {.order = SortOrder::descending, .value_bytes = 8, .schedule = schedule}});
      }
    }
  }
}

TEST_CASE("radix_sort: values of every size, in place and not") {
  const Device& d = device(kTinySorts);
  const auto keys = sort_keys<std::uint32_t>(Keys::few, 3000, 5);
  const auto wide = sort_keys<std::int64_t>(Keys::random, 3000, 6);
  for (const std::uint32_t bytes : {0, 1, 2, 4, 8, 16}) {
    if (subset() && (bytes == 2 || bytes == 16)) continue;
    CAPTURE(bytes);
    for (const bool keys_in_place : {false, true}) {
      for (const bool values_in_place : {false, true}) {
        Options o{.device = &d, .keys_in_place = keys_in_place, .values_in_place = values_in_place};
        o.desc.value_bytes = bytes;
        check_sort(keys, o);
        check_sort(wide, o);
        check_sort(sort_keys<std::uint32_t>(Keys::one, 3000, 5), o);
        check_sort(sort_keys<std::uint32_t>(Keys::low_bits, 3000, 5), o);
        if (bytes == 4) {
          o.desc.end_bit = 7;
          check_sort(keys, o);
        }
        o.device = &device();
        check_sort(std::vector<std::uint32_t>(keys.begin(), keys.begin() + 500), o);
      }
    }
  }
}

TEST_CASE("radix_sort: ranges of bits") {
  struct Range {
    std::uint32_t begin, end;
    bool in_place;
  };
  // The ranges are for 32 bits. For 64 bits they are doubled and moved by a few bits, so that
  // digits straddle the middle.
  const Range ranges[] = {{0, 0, true},   {0, 0, false},  {0, 8, false},  {0, 24, true},
                          {8, 24, false}, {8, 32, false}, {24, 32, true}, {24, 24, false},
                          {32, 32, true}, {31, 32, false}};
  const auto narrow = sort_keys<std::int32_t>(Keys::random, 3001, 7);
  const auto wide = sort_keys<double>(Keys::random, 3001, 8);
  bool descending = false;
  for (const Range& range : ranges) {
    if (subset() && range.end - range.begin == 8) continue;
    CAPTURE(range.begin);
    CAPTURE(range.end);
    descending = !descending;
    Options o{.device = &device(kTinySorts), .keys_in_place = range.in_place};
    o.desc = {.order = descending ? SortOrder::descending : SortOrder::ascending,
              .value_bytes = 4,
              .begin_bit = range.begin,
              .end_bit = range.end};
    check_sort(narrow, o);
    if (!subset() || range.begin == 8) {
      o.desc.begin_bit = range.begin * 2 - (range.begin ? 3 : 0);
      o.desc.end_bit = range.end ? range.end * 2 - 1 : 0;
      check_sort(wide, o);
      o.device = &device();
      check_sort(std::vector<double>(wide.begin(), wide.begin() + 300), o);
    }
  }
}

TEST_CASE("radix_sort: zeros and NaN, by their bits or as numbers") {
  for (const Tuning& tuning : tunings({kTinySorts, Tuning{}})) {
    const Device& d = device(tuning);
    for (const FloatOrder float_order : {FloatOrder::by_bits, FloatOrder::by_value}) {
      for (const SortOrder order : kOrders) {
        if (&d == &device() && order == SortOrder::ascending) continue;
        const Options o{.device = &d,
                        .desc = {.order = order, .float_order = float_order, .value_bytes = 4}};
        for (const std::uint64_t n : {100, 3000}) {
          check_sort(sort_keys<float>(Keys::special, n, 9), o);
          check_sort(sort_keys<float>(Keys::random, n, 10), o);
          if (subset()) continue;
          check_sort(sort_keys<double>(Keys::special, n, 11), o);
          check_sort(sort_keys<double>(Keys::random, n, 12), o);
        }
      }
    }
  }
}

TEST_CASE("radix_sort: views that begin at any element") {
  const Device& d = device(kTinySorts);
  for (std::uint64_t shift = 0; shift < 64; ++shift) {
    if (subset() && shift % 5 != 0) continue;
    CAPTURE(shift);
    Options o{.device = &d,
              .desc = {.value_bytes = 4},
              .misalign_in = shift % 4,
              .misalign_out = shift / 4 % 4,
              .misalign_values = shift / 16};
    check_sort(sort_keys<std::uint32_t>(Keys::random, 1301 + shift, 13), o);
    o.desc.value_bytes = shift % 2 ? 1 : 8;
    check_sort(sort_keys<std::int64_t>(Keys::random, 601 + shift, 14), o);
  }
}

TEST_CASE("radix_sort: the count is read on the GPU and clamped") {
  for (const Tuning& tuning : tunings({kTinySorts, kPortions, Tuning{}})) {
    const Device& d = device(tuning);
    const auto keys = sort_keys<std::uint32_t>(Keys::random, 9000, 15);
    for (const std::uint64_t used : {0, 1, 511, 513, 2048, 5000, 8999, 9000, 70'000}) {
      CAPTURE(used);
      const auto narrow = device_count(static_cast<std::uint32_t>(used));
      const auto wide = device_count(used == 70'000 ? std::uint64_t{1} << 40 : used);
      for (const Schedule schedule : schedules()) {
        Options o{.device = &d, .desc = {.value_bytes = 4, .schedule = schedule}, .used = used};
        o.count = {keys.size(), narrow.address()};
        check_sort(keys, o);
        o.count = {keys.size(), wide.address(), CountWidth::u64};
        o.keys_in_place = o.values_in_place = true;
        check_sort(keys, o);
      }
    }
    const auto few = sort_keys<std::uint32_t>(Keys::random, 300, 15);
    for (const std::uint64_t used : {0, 1, 299, 300, 900}) {
      const auto count = device_count(static_cast<std::uint32_t>(used));
      Options o{
          .device = &d, .desc = {.value_bytes = 1}, .count = {300, count.address()}, .used = used};
      check_sort(few, o);
    }
  }
}

TEST_CASE("radix_sort: a large count that is read on the GPU has an indirect grid") {
  for (const std::uint64_t tiles : {4100, 4200}) {
    if (subset() && tiles == 4100) continue;
    const std::uint64_t n = tiles * kTile;
    const auto keys = sort_keys<std::uint32_t>(Keys::random, n, 16);
    // With more than 4,100 tiles there are two portions.
    const Device& d = device(in_portions(4100 * kTile));
    for (const std::uint64_t used : {std::uint64_t{1000}, 4150 * kTile, n}) {
      const auto count = device_count(static_cast<std::uint32_t>(used));
      check_sort(keys, {.device = &d,
                        .desc = {.value_bytes = 4, .end_bit = 12},
                        .count = {n, count.address()},
                        .used = used});
    }
  }
}

TEST_CASE("radix_sort: more than 65,535 tiles") {
  const Device& d = device(kTinySorts);
  if (subset()) return;
  const std::uint64_t n = 65'600 * kTile;
  check_sort(sort_keys<std::uint32_t>(Keys::random, n, 17),
             {.device = &d, .desc = {.begin_bit = 24}});
}

TEST_CASE("radix_sort: tiles that publish late or never, in any order") {
  for (const std::uint32_t faults :
       {VKP_LOOKBACK_SILENT, VKP_LOOKBACK_DELAYED, VKP_LOOKBACK_SHUFFLED, VKP_LOOKBACK_FORCED,
        VKP_LOOKBACK_SILENT | VKP_LOOKBACK_SHUFFLED}) {
    CAPTURE(faults);
    for (const std::uint32_t period : {1u, 3u}) {
      if (subset() && period == 1) continue;
      const LookbackDiagnostics diagnostics{.statistics = true, .faults = faults, .period = period};
      Tuning tuning = kTinySorts;
      tuning.spin_limit = 8;
      const Device& d = device(tuning, diagnostics);
      const std::uint64_t n = 40 * kTile + 77;
      const auto keys = sort_keys<std::uint32_t>(Keys::random, n, 18);
      const RadixSortDesc desc{.count = n};
      const Guarded in(keys), out(4 * n);
      const DirtyScratch scratch(radix_sort_scratch(d, desc));
      run([&](VkCommandBuffer cmd) {
        throw_if_error(record_radix_sort(
            cmd, d, desc, {.in = in.view(), .out = out.view(), .scratch = scratch.get()}));
      });
      std::vector<std::uint32_t> want = keys;
      std::sort(want.begin(), want.end());
      CHECK(difference(out.read<std::uint32_t>(), want) == "");
      if ((faults & (VKP_LOOKBACK_SILENT | VKP_LOOKBACK_FORCED)) == 0) continue;
      // In every pass some tile was counted by other workgroups than its own.
      const std::uint32_t most = sort_tile(*d.state(), 1, false, 128, 4).digit_bits;
      const std::uint32_t passes = (32 + most - 1) / most, digit_bits = (32 + passes - 1) / passes;
      const auto words = scratch.words(
          (VKP_RADIX_BINS_OFFSET + passes * VKP_RADIX_BINS_BYTES(digit_bits)) / 4 + passes * 16);
      for (std::uint32_t pass = 0; pass < passes; ++pass) {
        CAPTURE(pass);
        const std::size_t header =
            (VKP_RADIX_BINS_OFFSET + passes * VKP_RADIX_BINS_BYTES(digit_bits)) / 4 + pass * 16;
        CHECK(words[header + VKP_LOOKBACK_FALLBACKS] > 0);
        CHECK(words[header + VKP_LOOKBACK_INSERTIONS] <= words[header + VKP_LOOKBACK_FALLBACKS]);
      }
    }
  }
}

TEST_CASE("radix_sort: the same again and again, with workgroups that overtake each other") {
  Tuning tuning = kTinySorts;
  tuning.spin_limit = 1;
  const Device& d = device(tuning);
  const std::uint64_t n = 30 * kTile + 5;
  const auto keys = sort_keys<std::uint32_t>(Keys::random, n, 19);
  std::vector<std::uint32_t> want = keys;
  std::sort(want.begin(), want.end());
  const RadixSortDesc desc{.count = n};
  const Guarded in(keys), out(4 * n);
  const DirtyScratch scratch(radix_sort_scratch(d, desc));
  const Plan plan = context().record([&](Recorder& r) {
    r.commands([&](VkCommandBuffer cmd) {
      throw_if_error(record_radix_sort(
          cmd, d, desc, {.in = in.view(), .out = out.view(), .scratch = scratch.get()}));
    });
  });
  for (int i = 0; i < repeats() / 3; ++i) {
    context().submit(plan).wait();
    REQUIRE(out.read<std::uint32_t>() == want);
  }
}

TEST_CASE("radix_sort: recorded twice and replayed") {
  const Device& d = device(kTinySorts);
  const std::uint64_t n = 3 * kTile + 9;
  const auto keys = sort_keys<std::uint32_t>(Keys::random, n, 20);
  std::vector<std::uint32_t> want = keys;
  std::sort(want.begin(), want.end());
  const RadixSortDesc desc{.count = n};
  const auto in = context().upload(keys);
  const auto out = context().allocate<std::uint32_t>(2 * n);
  const DirtyScratch scratch(radix_sort_scratch(d, desc));
  replay(
      d, [&] {},
      [&](VkCommandBuffer cmd, int i) {
        return record_radix_sort(cmd, d, desc,
                                 {.in = in.view(),
                                  .out = out.slice(static_cast<std::uint64_t>(i) * n, n).view(),
                                  .scratch = scratch.get()});
      },
      [&] {
        const auto got = context().download(out);
        CHECK(std::equal(want.begin(), want.end(), got.begin()));
        CHECK(std::equal(want.begin(), want.end(), got.begin() + static_cast<std::ptrdiff_t>(n)));
      });
}

TEST_CASE("radix_sort: bad input is refused") {
  const Device& d = device();
  const std::uint64_t n = 100'000;
  const auto in = context().allocate<std::uint32_t>(n), out = context().allocate<std::uint32_t>(n);
  const auto values = context().allocate<std::uint32_t>(n),
             values_out = context().allocate<std::uint32_t>(n);
  const RadixSortDesc good{.value_bytes = 4, .count = n};
  const DirtyScratch scratch(radix_sort_scratch(d, good));
  const WrongInput<RadixSortDesc, RadixSortBuffers> wrong(d, record_radix_sort, good,
                                                          {.in = in.view(),
                                                           .out = out.view(),
                                                           .values_in = values.view(),
                                                           .values_out = values_out.view(),
                                                           .scratch = scratch.get()});
  wrong.anywhere();
  wrong.desc({"order is 7"}, [](auto& x) { x.order = SortOrder(7); });
  wrong.desc({"float_order is 7"}, [](auto& x) { x.float_order = FloatOrder(7); });
  wrong.desc({"schedule is 9"}, [](auto& x) { x.schedule = Schedule(9); });
  wrong.desc({"value_bytes is 3", "16"}, [](auto& x) { x.value_bytes = 3; });
  wrong.desc({"values_in is given", "value_bytes is 0"}, [](auto& x) { x.value_bytes = 0; });
  wrong.desc({"value_bytes is 32"}, [](auto& x) { x.value_bytes = 32; });
  wrong.desc({"end_bit is 33", "32", "u32"}, [](auto& x) { x.end_bit = 33; });
  wrong.desc({"begin_bit is 9", "8"}, [](auto& x) { x.begin_bit = 9, x.end_bit = 8; });
  wrong.desc({"count is 4294967297", "value_bytes of 2"},
             [](auto& x) { x.value_bytes = 2, x.count = (1ull << 32) + 1; });
  wrong.buffers({"in", "is 0"}, [](auto& x) { x.in = {}; });
  wrong.buffers({"in", "399996"}, [](auto& x) { x.in.bytes -= 4; });
  wrong.buffers({"out", "399996"}, [](auto& x) { x.out.bytes -= 4; });
  wrong.buffers({"values_in", "399996"}, [](auto& x) { x.values_in.bytes -= 4; });
  wrong.buffers({"values_out", "399996"}, [](auto& x) { x.values_out.bytes -= 4; });
  wrong.buffers({"in", "multiple of 4"}, [](auto& x) { x.in.address += 2; });
  wrong.buffers({"out", "overlap"}, [&](auto& x) { x.out.address = x.in.address + 4; });
  wrong.buffers({"values_out", "overlap"}, [&](auto& x) { x.values_out = x.out; });
  wrong.buffers({"scratch"}, [](auto& x) { x.scratch.bytes -= 1; });
}

TEST_CASE("radix_sort: scratch is monotone") {
  for (const Tuning& tuning : {Tuning{}, kTinySorts, kPortions}) {
    const Device& d = device(tuning);
    for (const std::uint32_t bytes : {0, 4, 16}) {
      VkDeviceSize last = 0;
      for (std::uint64_t n = 4; n <= std::uint64_t{1} << 32; n *= 2) {
        for (const std::uint64_t count : {n - 1, n, n + 1}) {
          if (bytes == 16 && count > std::uint64_t{1} << 32) continue;
          const VkDeviceSize need =
              radix_sort_scratch(d, {.value_bytes = bytes, .count = count}).bytes;
          CHECK(need >= last);
          last = need;
        }
      }
    }
    CHECK(radix_sort_scratch(d, {.count = 0}).bytes == 0);
    CHECK(radix_sort_scratch(d, {.value_bytes = 3, .count = 9}).bytes == 0);
  }
  CHECK(radix_sort_scratch(Device(), {.count = 9}).bytes == 0);
}

TEST_CASE("radix_sort: warm_up builds what any place and count needs") {
  DeviceInfo info = device(kTinySorts).state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  for (const std::uint32_t bytes : {4, 2}) {
    Device d;
    throw_if_error(create_device(info, limits(), d));
    const auto memory = context().allocate<std::uint32_t>(14'000'000);
    const auto count = device_count(3u);
    const auto record = [&](VkCommandBuffer cmd, std::uint64_t n, bool in_place) {
      const RadixSortDesc desc{.value_bytes = bytes, .count = {n, count.address()}};
      const DirtyScratch scratch(radix_sort_scratch(d, desc));
      return record_radix_sort(
          cmd, d, desc,
          {.in = memory.slice(1, n).view(),
           .out = memory.slice(in_place ? 1 : 3'000'000, n).view(),
           .values_in = memory.slice(6'000'000, n).view(),
           .values_out = memory.slice(in_place ? 6'000'000 : 9'000'000, n).view(),
           .scratch = scratch.get()});
    };
    expect_error(Status::not_warmed, {"warm_up"},
                 [&](VkCommandBuffer cmd) { return record(cmd, 100, false); });
    throw_if_error(
        warm_up(d, RadixSortDesc{.value_bytes = bytes, .count = {100, count.address()}}));
    context().record([&](Recorder& r) {
      r.commands([&](VkCommandBuffer cmd) {
        for (const std::uint64_t n : {1, 4000, 2'500'000}) {
          for (const bool in_place : {false, true}) throw_if_error(record(cmd, n, in_place));
        }
      });
    });
  }
}

TEST_CASE("radix_sort: tiles fit into the shared memory of any device") {
  DeviceState state;
  for (const std::uint32_t subgroup : {4, 8, 16, 32, 64, 128}) {
    for (const std::uint32_t bytes : {16384, 32768, 49152, 65536}) {
      for (const std::uint32_t largest : {128, 256, 384, 512, 1024}) {
        for (const std::uint32_t key_words : {1, 2}) {
          for (const bool single : {false, true}) {
            state.subgroup_size = subgroup;
            state.shared_bytes = bytes;
            const SortTile tile = sort_tile(state, key_words, single, largest, 23);
            CAPTURE(subgroup);
            CAPTURE(bytes);
            CAPTURE(largest);
            CAPTURE(key_words);
            REQUIRE(tile.rows >= 4);
            CHECK(tile.workgroup_size <= largest);
            CHECK(tile.workgroup_size % 128 == 0);
            CHECK(sort_shared_bytes(tile, key_words) <= bytes);
            CHECK(tile.digit_bits >= 4);  // VKP_RADIX_MAX_PASSES digits of 4 bits have 64 bits
            CHECK((1u << tile.digit_bits) <= tile.workgroup_size);
          }
        }
      }
    }
  }
}

TEST_CASE("radix_sort: few workgroups that count many keys") {
  Tuning tuning = kTinySorts;
  tuning.max_reduce_groups = 1;
  const std::uint64_t n = 3'000'003;
  check_sort(sort_keys<std::uint64_t>(Keys::random, n, 22), {.device = &device(tuning)});
}

TEST_CASE("radix_sort: where a pipeline of the last step is missing nothing is recorded") {
  DeviceInfo info = device(kTinySorts).state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  Device d;
  throw_if_error(create_device(info, limits(), d));
  throw_if_error(warm_up(d, ArgsortDesc{.count = 3000}));
  const auto memory = context().allocate<std::uint32_t>(4 * 3000);
  const RadixSortDesc desc{.value_bytes = 2, .count = 3000};
  const DirtyScratch scratch(radix_sort_scratch(d, desc));
  expect_error(Status::not_warmed, {"gather", "warm_up"}, [&](VkCommandBuffer cmd) {
    return record_radix_sort(cmd, d, desc,
                             {.in = memory.slice(0, 3000).view(),
                              .out = memory.slice(3000, 3000).view(),
                              .values_in = memory.slice(6000, 3000).view(),
                              .values_out = memory.slice(9000, 3000).view(),
                              .scratch = scratch.get()});
  });
}

TEST_CASE("radix_sort: as a step of a Recorder" * doctest::test_suite("smoke")) {
  const std::uint64_t n = 3000;
  const auto keys = sort_keys<float>(Keys::random, n, 21);
  const auto in = context().upload(keys);
  const auto out = context().allocate<float>(n);
  context().run([&](Recorder& r) { radix_sort(r, {.order = SortOrder::descending}, in, out); });
  const auto indices = oracle::argsort(keys, SortOrder::descending);
  const auto got = context().download(out);
  bool right = true;
  for (std::uint64_t i = 0; i < n; ++i) right = right && same_bits(got[i], keys[indices[i]]);
  CHECK(right);
}

}  // namespace vkprims::test
