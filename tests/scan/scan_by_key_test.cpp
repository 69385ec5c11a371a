// Tests of scan_by_key.
#include "vkprims/scan_by_key.hpp"

#include <cmath>
#include <limits>

#include "oracles/scan_by_key.hpp"
#include "support/alone_edges.hpp"
#include "support/segment_heads.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {
namespace {

struct Options {
  const Device* device;
  ScanByKeyDesc desc = {};  // types follow from the elements; count 0 means all
  std::uint64_t key_offset = 0, in_offset = 0, out_offset = 0;  // elements past a multiple of 256
  bool in_place = false;
};

template <class Key, class T>
std::vector<T> scan_on_device(const std::vector<Key>& keys, const std::vector<T>& values,
                              Options o) {
  o.desc.key = type_of<Key>();
  o.desc.type = type_of<T>();
  o.desc.count = o.desc.count.or_all(values.size());
  const Guarded key_memory(keys, o.key_offset * sizeof(Key));
  const Guarded in(values, o.in_offset * sizeof(T));
  const Guarded out(o.in_place ? 0 : values.size() * sizeof(T), o.out_offset * sizeof(T));
  const DirtyScratch scratch(scan_by_key_scratch(*o.device, o.desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_scan_by_key(
        cmd, *o.device, o.desc,
        {key_memory.view(), in.view(), o.in_place ? in.view() : out.view(), scratch.get()}));
  });
  CHECK(key_memory.read<Key>().size() == keys.size());
  if (o.in_place) return in.read<T>();
  CHECK(in.read<T>().size() == values.size());
  return out.read<T>();
}

// Scans `n` exact values in runs of a mean length and compares them with the oracle.
template <class Key, class T>
void check(std::uint64_t n, std::uint64_t mean_length, Options o, std::optional<T> initial = {}) {
  CAPTURE(n);
  CAPTURE(mean_length);
  const auto seed = static_cast<std::uint32_t>(n + mean_length);
  const auto keys = keys_of<Key>(random_heads(n, mean_length, seed), seed);
  const auto values = exact_values<T>(o.desc.op, n, seed);
  const auto result = scan_on_device<Key, T>(keys, values, o);
  CHECK(difference(result, oracle::scan_by_key<Key, T>(keys, values, o.desc.op, o.desc.kind,
                                                       initial)) == "");
}

// The number of elements of the largest tile of this type.
std::uint64_t tile_of(const Device& d, Type type) {
  const Tuning& t = d.state()->tuning;
  return std::uint64_t{t.scan_workgroup_size} * t.scan_rows * t.scan_batches * 16 / size_of(type);
}

constexpr Schedule kSchedules[] = {Schedule::look_back, Schedule::multi_pass, Schedule::automatic};

}  // namespace

TEST_CASE(
    "scan_by_key: every type and every operator, both kinds, all schedules, around subgroup and "
    "tile edges, with long and short runs") {
  // Compiling takes most of the time, and the operators are those of scan: the full product is not
  // run.
  constexpr auto kLookBack = Schedule::look_back, kMultiPass = Schedule::multi_pass,
                 kAutomatic = Schedule::automatic;
  constexpr auto kExclusive = ScanKind::exclusive, kInclusive = ScanKind::inclusive;
  const struct {
    Type type;
    Op op;
    ScanKind kind;
    Schedule schedule;
    bool large = false;  // whether tiles are large
  } cases[] = {
      {Type::u32, Op::add, kExclusive, kLookBack},
      {Type::u32, Op::add, kInclusive, kMultiPass},
      {Type::u32, Op::add, kInclusive, kLookBack, true},
      {Type::u32, Op::add, kInclusive, kMultiPass, true},
      {Type::u32, Op::bit_and, kInclusive, kAutomatic},
      {Type::i32, Op::min, kInclusive, kLookBack},
      {Type::i32, Op::bit_or, kExclusive, kMultiPass},
      {Type::f32, Op::add, kInclusive, kLookBack},
      {Type::f32, Op::max, kExclusive, kMultiPass},
      {Type::u64, Op::bit_xor, kInclusive, kLookBack},
      {Type::u64, Op::max, kInclusive, kAutomatic},
      {Type::i64, Op::mul, kExclusive, kLookBack},
      {Type::i64, Op::min, kInclusive, kMultiPass},
      {Type::f64, Op::mul, kInclusive, kLookBack},
      {Type::f64, Op::add, kExclusive, kMultiPass},
  };
  for (const auto& c : cases) {
    const std::vector<Type> all = types();
    if (std::find(all.begin(), all.end(), c.type) == all.end()) continue;
    CAPTURE(std::string(name_of(c.type)));
    CAPTURE(std::string(name_of(c.op)));
    CAPTURE(static_cast<int>(c.kind));
    CAPTURE(static_cast<int>(c.schedule));
    const Device& d = device(c.large ? Tuning{} : kTinyTiles);
    with_type(c.type, [&](auto zero) {
      using T = decltype(zero);
      std::vector<std::uint64_t> counts = edge_counts(tile_of(d, c.type));
      const Options o{.device = &d, .desc = {.op = c.op, .kind = c.kind, .schedule = c.schedule}};
      if (c.schedule == kAutomatic) counts.push_back(5'000);
      for (const std::uint64_t n : counts) {
        for (const std::uint64_t mean : kSegmentLengths) check<std::uint32_t, T>(n, mean, o);
      }
    });
  }
}

TEST_CASE("scan_by_key: one workgroup alone does what is small") {
  const Device& d = device();
  const std::uint64_t four_tiles = std::uint64_t{16} * alone_workgroup(*d.state());
  const std::uint64_t alone =
      std::min<std::uint64_t>(d.state()->tuning.single_scan_bytes / 4, four_tiles);
  CHECK(scan_by_key_scratch(d, {.count = alone}).bytes == 0);
  CHECK(scan_by_key_scratch(d, {.count = 2 * alone}).bytes > 0);
  for (const std::uint64_t n : edge_counts(alone)) {
    for (const std::uint64_t mean : kSegmentLengths) {
      check<std::uint32_t, std::uint32_t>(n, mean, {.device = &d});
    }
  }
}

TEST_CASE("scan_by_key: few elements, where each workgroup finds by itself what comes before it") {
  const Device& d = device(kAloneTuning);
  for (const std::uint64_t n : alone_edges(d, 4)) {
    for (const std::uint64_t mean : kSegmentLengths) {
      Options o{.device = &d, .desc = {.op = Op::add}, .key_offset = 1, .in_offset = n % 4};
      check<std::uint32_t, std::uint32_t>(n, mean, o);
      check<std::uint64_t, float>(n, mean, o);
      o.in_place = true;
      check<std::uint32_t, std::uint32_t>(n, mean, o);
    }
  }
}

TEST_CASE("scan_by_key: small tiles up to a number of elements") {
  const Device& d = device(kSmallTiles);
  const std::uint64_t most = kSmallTiles.small_count;
  for (const std::uint64_t n : {most - 1, most, most + 1, 3 * most}) {
    for (const std::uint64_t mean : kSegmentLengths) {
      check<std::uint32_t, std::uint32_t>(
          n, mean, {.device = &d, .desc = {.schedule = Schedule::look_back}});
    }
  }
}

TEST_CASE("scan_by_key: keys, input and output may start at any element") {
  const Device& d = device(kTinyTiles);
  const auto check_offsets = [&](auto key_zero, auto zero, Schedule schedule) {
    using Key = decltype(key_zero);
    using T = decltype(zero);
    for (std::uint64_t key_offset = 0; key_offset < 16 / sizeof(Key); ++key_offset) {
      for (std::uint64_t in_offset = 0; in_offset < 16 / sizeof(T); ++in_offset) {
        if (subset() && (key_offset > 1 || in_offset > 1)) continue;
        for (const std::uint64_t out_offset : {0, 1}) {
          CAPTURE(sizeof(Key));
          CAPTURE(sizeof(T));
          CAPTURE(key_offset);
          CAPTURE(in_offset);
          CAPTURE(out_offset);
          for (const std::uint64_t n : {700, 2'000}) {
            for (const std::uint64_t mean : {3, 200}) {
              check<Key, T>(n, mean,
                            {.device = &d,
                             .desc = {.schedule = schedule},
                             .key_offset = key_offset,
                             .in_offset = in_offset,
                             .out_offset = out_offset});
            }
          }
        }
      }
    }
  };
  check_offsets(std::uint32_t{}, std::uint32_t{}, Schedule::look_back);
  check_offsets(std::uint64_t{}, std::uint32_t{}, Schedule::look_back);
  check_offsets(std::uint32_t{}, std::uint32_t{}, Schedule::multi_pass);
  if (!context().device().features().int64) return;
  check_offsets(std::uint32_t{}, std::uint64_t{}, Schedule::look_back);
  check_offsets(std::uint64_t{}, std::uint64_t{}, Schedule::look_back);
}

TEST_CASE("scan_by_key: rows and batches of other numbers, with keys of both sizes") {
  for (const std::uint32_t rows : {3, 16}) {  // at most 8 are used, as heads are the bits of a word
    if (subset() && rows == 16) continue;
    Tuning tuning = kTinyTiles;
    tuning.segment_rows = rows;
    tuning.segment_batches = rows == 3 ? 2 : 1;
    const Options o{.device = &device(tuning),
                    .desc = {.schedule = Schedule::look_back},
                    .key_offset = 1,
                    .out_offset = 1};
    for (const std::uint64_t n : {1'000, 20'000}) {
      for (const std::uint64_t mean : kSegmentLengths) {
        check<std::uint32_t, std::uint32_t>(n, mean, o);
        if (rows == 3) check<std::uint64_t, std::uint32_t>(n, mean, o);
      }
    }
  }
}

TEST_CASE("scan_by_key: in place, aligned or not") {
  const Device& d = device(kTinyTiles);
  for (const Type type : types()) {
    if (type != Type::u32 && type != Type::u64) continue;
    for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass}) {
      if (type == Type::u64 && schedule == Schedule::multi_pass) continue;
      with_type(type, [&](auto zero) {
        using T = decltype(zero);
        for (const std::uint64_t n : edge_counts(tile_of(d, type))) {
          for (const std::uint64_t offset : {0, 1}) {
            CAPTURE(offset);
            for (const std::uint64_t mean : kSegmentLengths) {
              check<std::uint32_t, T>(n, mean,
                                      {.device = &d,
                                       .desc = {.schedule = schedule},
                                       .in_offset = offset,
                                       .in_place = true});
            }
          }
        }
      });
    }
  }
}

TEST_CASE("scan_by_key: many tiles, and more than 65,535 of them") {
  const Device& d = device(kTinyTiles);
  for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass}) {
    for (const std::uint64_t mean : {40, 100'000}) {
      check<std::uint32_t, std::uint32_t>(300'000, mean,
                                          {.device = &d, .desc = {.schedule = schedule}});
    }
  }
  if (subset()) return;
  check<std::uint32_t, std::uint32_t>(65'540 * tile_of(d, Type::u32), 100'000,
                                      {.device = &d, .desc = {.schedule = Schedule::look_back}});
}

TEST_CASE("scan_by_key: floats are equal by value, or by their bits") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float payload = std::bit_cast<float>(0x7fc00001u);
  const std::vector<float> keys = {0.0f, 0.0f, -0.0f, -0.0f, nan, nan, payload, nan, -nan, 1, 1};
  const std::vector<std::uint32_t> ones(keys.size(), 1);
  const ScanByKeyDesc desc{.schedule = Schedule::look_back};
  ScanByKeyDesc by_bits = desc;
  by_bits.float_order = FloatOrder::by_bits;
  CHECK(difference(scan_on_device<float, std::uint32_t>(keys, ones, {&device(kTinyTiles), desc}),
                   {0, 1, 2, 3, 0, 1, 2, 3, 4, 0, 1}) == "");
  CHECK(difference(scan_on_device<float, std::uint32_t>(keys, ones, {&device(kTinyTiles), by_bits}),
                   {0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 1}) == "");
  std::vector<float> many(2000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = keys[i / 3 % keys.size()];
  const std::vector<std::uint32_t> values(many.size(), 1);
  Options o{&device(kTinyTiles), desc};
  o.key_offset = 3;
  CHECK(difference(scan_on_device<float, std::uint32_t>(many, values, o),
                   oracle::scan_by_key<float, std::uint32_t>(many, values, Op::add,
                                                             ScanKind::exclusive)) == "");
  // The call needs no feature of the device, as 64-bit keys are only compared.
  DeviceInfo info = device(kTinyTiles).state()->info;
  info.enabled.int64 = info.enabled.int64_atomics = info.enabled.float64 = false;
  Device narrow;
  throw_if_error(create_device(info, limits(), narrow));
  observe(narrow);
  const std::vector<double> wide = {0.0, 0.0, -0.0, 1.0, 1.0};
  CHECK(difference(scan_on_device<double, std::uint32_t>(wide, {1, 1, 1, 1, 1}, {&narrow, desc}),
                   {0, 1, 2, 0, 1}) == "");
  check<std::uint64_t, std::uint32_t>(5'000, 7, {&narrow, desc});
}

TEST_CASE("scan_by_key: the count may be read on the GPU, and is clamped to max") {
  // The first one is few elements, in several workgroups; the last one has an indirect grid.
  for (const std::uint64_t max : {4'001, 100'000, 4'200 * 512}) {
    const bool few = max == 4'001;
    const Device& d = device(few ? kAloneTuning : kTinyTiles);
    const auto keys = keys_of<std::uint32_t>(random_heads(max, 9, 1), 1);
    const auto values = random_values<std::uint32_t>(max, 9);
    for (const Schedule schedule : kSchedules) {
      if (few != (schedule == Schedule::automatic)) continue;
      for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{513},
                                    std::uint64_t{70'001}, max, 2 * max}) {
        CAPTURE(n);
        const std::uint64_t used = std::min(n, max);
        std::vector<std::uint32_t> expected = oracle::scan_by_key<std::uint32_t, std::uint32_t>(
            std::span(keys).first(used), std::span(values).first(used), Op::add,
            ScanKind::exclusive);
        expected.resize(max, 0xcdcdcdcd);  // nothing is written past the count
        const auto count = device_count(n);
        const Options o{
            .device = &d,
            .desc = {.count = {max, count.address(), CountWidth::u64}, .schedule = schedule},
            .in_offset = n % 2};
        CHECK(difference(scan_on_device<std::uint32_t, std::uint32_t>(keys, values, o), expected) ==
              "");
      }
    }
  }
}

TEST_CASE("scan_by_key: an initial value comes first in every run, from the host or the device") {
  const Device& d = device(kTinyTiles);
  const auto initial = context().upload(std::vector<std::uint32_t>{1000});
  const auto check_u32 = [&](ScanKind kind, Schedule schedule, const Value& value) {
    for (const std::uint64_t n : {0, 1, 5, 5000}) {
      for (const std::uint64_t mean : {3, 2000}) {
        check<std::uint32_t, std::uint32_t>(
            n, mean, {.device = &d, .desc = {.kind = kind, .initial = value, .schedule = schedule}},
            1000u);
      }
    }
  };
  check_u32(ScanKind::exclusive, Schedule::look_back, 1000u);
  check_u32(ScanKind::inclusive, Schedule::multi_pass, Value::at(initial.address()));
  check_u32(ScanKind::exclusive, Schedule::look_back, Value::at(initial.address()));
}

TEST_CASE("scan_by_key: the maximum skips NaN in each run for itself") {
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto scanned = [&](const std::vector<float>& v, const Value& initial = {}) {
    const ScanByKeyDesc desc{.op = Op::max, .initial = initial, .schedule = Schedule::multi_pass};
    return scan_on_device<std::uint32_t, float>({1, 1, 1, 2, 2, 2, 2}, v,
                                                {&device(kTinyTiles), desc});
  };
  using Floats = std::vector<float>;
  const std::vector<float> values = {nan, 3, nan, nan, 2, -nan, -1};
  CHECK(same_bits(scanned(values), Floats{-inf, -inf, 3, -inf, -inf, 2, 2}));
  CHECK(same_bits(scanned(values, nan), Floats{-inf, -inf, 3, -inf, -inf, 2, 2}));
  CHECK(same_bits(scanned({-0.0f, 0.0f, -0.0f, -0.0f, -0.0f, 0.0f, -0.0f}),
                  {-inf, -0.0f, 0.0f, -inf, -0.0f, -0.0f, 0.0f}));
}

TEST_CASE("scan_by_key: float sums keep the stated bound; run_to_run ones are bit-identical") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t n = 200'000;
  const auto values = random_values<float>(n, 11);
  for (const std::uint64_t mean : {20, 20'000}) {
    const auto heads = random_heads(n, mean, 5);
    const auto keys = keys_of<std::uint32_t>(heads, 5);
    const ScanByKeyDesc fastest{.kind = ScanKind::inclusive, .schedule = Schedule::look_back};
    const auto sums = scan_on_device<std::uint32_t, float>(keys, values, {&d, fastest});
    CHECK(oracle::segmented_scan_error<float>(values, heads, ScanKind::inclusive, sums) <= 1);
    const ScanByKeyDesc desc{.determinism = Determinism::run_to_run};
    const auto first = scan_on_device<std::uint32_t, float>(keys, values, {&d, desc});
    CHECK(oracle::segmented_scan_error<float>(values, heads, ScanKind::exclusive, first) <= 1);
    for (int i = 0; i < 5; ++i) {
      const auto again = scan_on_device<std::uint32_t, float>(
          keys, values, {.device = &d, .desc = desc, .in_place = i % 2 == 1});
      CHECK(same_bits(again, first));
    }
  }
}

TEST_CASE(
    "scan_by_key: recorded twice in one command buffer, and replayed 100 times, with one dirty "
    "scratch") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t n = 20'000;
  const auto host_keys = keys_of<std::uint32_t>(random_heads(n, 300, 3), 3);
  const auto values = random_values<std::uint32_t>(n, 4);
  const auto keys = context().upload(host_keys);
  const auto in = context().upload(values);
  for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass}) {
    const auto out = context().allocate<std::uint32_t>(2 * n);
    const ScanByKeyDesc desc{.count = n, .schedule = schedule};
    const DirtyScratch scratch(scan_by_key_scratch(d, desc));
    std::vector<std::uint32_t> expected = oracle::scan_by_key<std::uint32_t, std::uint32_t>(
        host_keys, values, Op::add, ScanKind::exclusive);
    expected.insert(expected.end(), expected.begin(), expected.end());
    const std::vector<std::uint32_t> sevens(expected.size(), 7);
    replay(
        d, [&] { context().write(out, sevens); },
        [&](VkCommandBuffer cmd, std::uint64_t i) {
          return record_scan_by_key(
              cmd, d, desc, {keys.view(), in.view(), out.slice(i * n, n).view(), scratch.get()});
        },
        [&] { CHECK(difference(context().download(out), expected) == ""); });
  }
}

TEST_CASE("scan_by_key: the size query is monotone in the count and 0 for an invalid descriptor") {
  check_scratch_query(&scan_by_key_scratch);
}

TEST_CASE("scan_by_key: wrong input is refused by name before anything is recorded") {
  const Device& d = device(kTinyTiles);
  const auto memory = context().allocate<std::uint32_t>(1 << 20);
  const DeviceSpan<std::uint32_t> all = memory.span();
  const ScanByKeyDesc desc{.count = 100'000};
  const ScratchNeed need = scan_by_key_scratch(d, desc);
  const ScanByKeyBuffers good{all.slice(0, 100'000).view(), all.slice(200'000, 100'000).view(),
                              all.slice(400'000, 100'000).view(),
                              scratch_view(d, memory.handle(), 3 << 20, need.bytes),
                              all.slice(600'000, 2).view()};
  const WrongInput wrong(d, &record_scan_by_key, desc, good);
  wrong.anywhere();
  wrong.scratch("scan_by_key_scratch()");
  wrong.desc({"float_order is 2"}, [](auto& x) { x.float_order = FloatOrder(2); });
  wrong.desc({"key is 6", "5"}, [](auto& x) { x.key = Type(6); });
  wrong.desc({"op", "99"}, [](auto& x) { x.op = Op(99); });
  wrong.desc({"op", "bit_or", "f32"}, [](auto& x) {
    x.type = Type::f32;
    x.op = Op::bit_or;
  });
  wrong.desc({"kind is 5", "1"}, [](auto& x) { x.kind = ScanKind(5); });
  wrong.desc({"schedule is 4"}, [](auto& x) { x.schedule = Schedule(4); });
  wrong.desc({"determinism is 2"}, [](auto& x) { x.determinism = Determinism(2); });
  wrong.desc({"look_back", "run_to_run", "f32 add"}, [](auto& x) {
    x.type = Type::f32;
    x.schedule = Schedule::look_back;
    x.determinism = Determinism::run_to_run;
  });
  wrong.desc({"initial is 4294967296", "u32"}, [](auto& x) { x.initial = std::uint64_t{1} << 32; });
  wrong.desc({"initial [", "out [", "overlap"},
             [&](auto& x) { x.initial = Value::at(good.out.address + 8); });
  wrong.buffers({"keys.address", "multiple of 4"}, [](auto& x) { x.keys.address += 2; });
  wrong.buffers({"keys.address is 0"}, [](auto& x) { x.keys.address = 0; });
  wrong.buffers({"keys.bytes is 399999", "400000"}, [](auto& x) { x.keys.bytes = 399'999; });
  wrong.both(
      {"keys.address", "multiple of 8"}, [](auto& x) { x.key = Type::i64; },
      [](auto& x) { x.keys.address += 4, x.keys.bytes = 800'000; });
  wrong.buffers({"in.address", "multiple of 4"}, [](auto& x) { x.in.address += 2; });
  wrong.buffers({"in.bytes is 399999", "400000"}, [](auto& x) {
    x.in.bytes -= 1;
    x.out.address = x.in.address;
  });
  wrong.buffers({"out.bytes is 399999", "400000"}, [](auto& x) { x.out.bytes -= 1; });
  wrong.buffers({"in [", "out [", "overlap"}, [](auto& x) { x.out.address = x.in.address + 4; });
  wrong.buffers({"run_count.address", "multiple of 8"}, [](auto& x) { x.run_count.address += 4; });
  wrong.buffers({"run_count.bytes is 7", "one u64"}, [](auto& x) { x.run_count.bytes = 7; });
  for (const BufferView& other : {good.keys, good.in, good.out}) {
    wrong.buffers({"run_count [", "overlap"},
                  [&](auto& x) { x.run_count.address = other.address + 8; });
  }
  wrong.desc({"count [", "run_count [", "overlap"}, [&](auto& x) {
    x.count = {100'000, good.run_count.address};
  });
  wrong.buffers({"keys [", "out [", "overlap"}, [](auto& x) { x.out.address = x.keys.address; });
  wrong.buffers({"keys [", "out [", "overlap"},
                [](auto& x) { x.out.address = x.in.address = x.keys.address; });
  wrong.buffers({"in [", "scratch [", "overlap"}, [](auto& x) {
    x.scratch.address = x.in.address;
    x.out.address = x.in.address;
  });
  wrong.buffers({"keys [", "scratch [", "overlap"},
                [](auto& x) { x.scratch.address = x.keys.address; });
  wrong.desc({"count [", "overlap"}, [&](auto& x) { x.count = {100'000, good.out.address}; });
}

TEST_CASE("scan_by_key: a type that the device lacks is refused by name") {
  check_refused_types([](VkCommandBuffer cmd, const Device& narrow, Type type) {
    return record_scan_by_key(cmd, narrow, {.type = type}, {});
  });
}

TEST_CASE("scan_by_key: warm_up compiles all that recording needs") {
  DeviceInfo info = device(kTinyTiles).state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  const auto memory = context().allocate<std::uint32_t>(1 << 20);
  for (const Schedule schedule : kSchedules) {
    Device cold;
    throw_if_error(create_device(info, limits(), cold));
    const Count large{3'000'000, 8};
    ScanByKeyDesc desc{.count = large, .schedule = schedule};
    ScanByKeyBuffers buffers{{0x10000, 1u << 24},
                             {0x8000000, 1u << 24},
                             {0x80000000, 1u << 24},
                             scratch_view(cold, memory.handle(), 0, memory.size() * 4)};
    const auto record = [&](VkCommandBuffer cmd) {
      return record_scan_by_key(cmd, cold, desc, buffers);
    };
    expect_error(Status::not_warmed, {"warm_up"}, record);
    throw_if_error(warm_up(cold, desc));
    for (const Count& count : {large, Count(1)}) {
      for (const VkDeviceAddress offset : {0, 4}) {
        for (const bool in_place : {false, true}) {
          desc.count = count;
          buffers.out.address = 0x80000000 + offset;
          buffers.in.address = in_place ? buffers.out.address : 0x8000000;
          for (const VkDeviceAddress run_count : {0, 0x10000000}) {
            buffers.run_count = {run_count, 8};
            context().record([&](Recorder& r) {  // This plan is never run.
              r.commands([&](VkCommandBuffer cmd) { throw_if_error(record(cmd)); });
            });
          }
        }
      }
    }
    desc.count = 0;
    context().record([&](Recorder& r) {
      r.commands([&](VkCommandBuffer cmd) { throw_if_error(record(cmd)); });
    });
  }
}

TEST_CASE("scan_by_key: smoke" * doctest::test_suite("smoke")) {
  for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass}) {
    check<std::uint32_t, std::uint32_t>(
        1500, 20, {.device = &device(kTinyTiles), .desc = {.schedule = schedule}});
  }
}

}  // namespace vkprims::test
