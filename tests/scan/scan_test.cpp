// Tests of scan.
#include "vkprims/scan.hpp"

#include <cmath>
#include <cstring>
#include <optional>

#include "blocks/scan_tile.hpp"
#include "oracles/scan.hpp"
#include "support/alone_edges.hpp"
#include "support/support.hpp"

namespace vkprims::test {
namespace {

std::uint64_t tile_of(const Device& d, Type type) {
  return scan_tile(d.state()->tuning, size_of(type) / 4).items;
}

struct Options {
  const Device* device;
  ScanDesc desc = {};  // type and input follow from the elements; count 0 means all
  std::uint64_t in_offset = 0, out_offset = 0;  // elements past a multiple of 256 bytes
  bool in_place = false;
};

template <class T, class In>
std::vector<T> scan_on_device(const std::vector<In>& values, Options o) {
  o.desc.type = type_of<T>();
  o.desc.input = sizeof(In) == 1   ? ScanInput::u8
                 : sizeof(In) == 2 ? ScanInput::u16
                                   : ScanInput::as_type;
  o.desc.count = o.desc.count.or_all(values.size());
  const Guarded in(values, o.in_offset * sizeof(In));
  const Guarded out(o.in_place ? 0 : values.size() * sizeof(T), o.out_offset * sizeof(T));
  const DirtyScratch scratch(scan_scratch(*o.device, o.desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_scan(cmd, *o.device, o.desc,
                               {in.view(), o.in_place ? in.view() : out.view(), scratch.get()}));
  });
  if (o.in_place) return in.read<T>();
  CHECK(in.read<In>().size() == values.size());
  return out.read<T>();
}

template <class T, class In>
void check_against_oracle(const std::vector<T>& result, const std::vector<In>& values,
                          const ScanDesc& desc, T initial = oracle::identity<T>(Op::add)) {
  if constexpr (std::is_floating_point_v<T>) {
    if (desc.op == Op::add) {
      const auto sums = oracle::scan_sums<T>(values, desc.kind, initial);
      REQUIRE(result.size() == sums.values.size());
      for (std::size_t i = 0; i < result.size(); ++i) {
        const long double error = std::abs(result[i] - sums.values[i]);
        if (error <= oracle::scan_error_bound(sums, i)) continue;
        CAPTURE(i);
        CHECK(result[i] == sums.values[i]);
        return;
      }
      return;
    }
  }
  std::optional<T> given;
  if (desc.initial.given()) given = initial;
  const std::vector<T> expected = oracle::scan<T, In>(values, desc.op, desc.kind, given);
  if (std::is_floating_point_v<T> && desc.op == Op::mul) {
    REQUIRE(result.size() == expected.size());
    for (std::size_t i = 0; i < result.size(); ++i) {
      const double bound = 1.1 * (double(i) + 1024) * std::numeric_limits<T>::epsilon() *
                           std::abs(double(expected[i]));
      if (std::abs(double(result[i]) - double(expected[i])) <= bound) continue;
      CAPTURE(i);
      CHECK(result[i] == expected[i]);
      return;
    }
    return;
  }
  CHECK(difference(result, expected) == "");
}

// Scans values of which the first `used` count, and checks the total.
template <class T, class In>
void check_total(const Device& d, const std::vector<In>& values, ScanDesc desc, std::uint64_t used,
                 std::optional<T> initial, std::uint64_t offset, bool in_place) {
  desc.type = type_of<T>();
  desc.input = sizeof(In) == 1   ? ScanInput::u8
               : sizeof(In) == 2 ? ScanInput::u16
                                 : ScanInput::as_type;
  const Guarded in(values, offset * sizeof(In));
  const Guarded out(in_place ? 0 : values.size() * sizeof(T), offset * sizeof(T));
  const Guarded total(sizeof(T), offset * sizeof(T));
  const DirtyScratch scratch(scan_scratch(d, desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_scan(cmd, d, desc,
                               {.in = in.view(),
                                .out = in_place ? in.view() : out.view(),
                                .scratch = scratch.get(),
                                .total = total.view()}));
  });
  const auto some = std::span(values).first(used);
  const std::vector<T> upto = oracle::scan<T, In>(some, desc.op, ScanKind::inclusive, initial);
  const T nothing = oracle::combine(desc.op, oracle::identity<T>(desc.op),
                                    initial.value_or(oracle::identity<T>(desc.op)));
  CHECK(total.read<T>() == std::vector<T>{used ? upto.back() : nothing});
  const std::vector<T> result = in_place ? in.read<T>() : out.read<T>();
  const std::vector<T> expected = oracle::scan<T, In>(some, desc.op, desc.kind, initial);
  CHECK(difference(std::vector<T>(result.begin(), result.begin() + used), expected) == "");
}

constexpr ScanKind kKinds[] = {ScanKind::exclusive, ScanKind::inclusive};
constexpr Schedule kSchedules[] = {Schedule::look_back, Schedule::multi_pass, Schedule::automatic};

}  // namespace

TEST_CASE(
    "scan: every type and operator, both kinds, all schedules, around subgroup and tile edges") {
  // Compiling takes most of the time. With small tiles all types and operators run, most of them in
  // one schedule and one kind; only sums run in every kind and schedule.
  const auto is_covered = [](bool small, Op op, ScanKind kind, Schedule schedule) {
    if (op == Op::add) return small || kind == ScanKind::inclusive;
    const bool inclusive = static_cast<int>(op) % 2 == 1;  // the operators alternate between kinds
    return small && inclusive == (kind == ScanKind::inclusive) &&
           (schedule == Schedule::look_back || (schedule == Schedule::multi_pass && op == Op::max));
  };
  for (const Tuning& tuning : tunings({Tuning{}, kTinyTiles})) {
    const Device& d = device(tuning);
    for (const Type type : types()) {
      for (const Op op : ops(type)) {
        for (const ScanKind kind : kKinds) {
          for (const Schedule schedule : kSchedules) {
            if (!is_covered(tuning.scan_rows == 1, op, kind, schedule)) continue;
            CAPTURE(std::string(name_of(type)));
            CAPTURE(std::string(name_of(op)));
            CAPTURE(static_cast<int>(kind));
            CAPTURE(static_cast<int>(schedule));
            with_type(type, [&](auto zero) {
              using T = decltype(zero);
              std::vector<std::uint64_t> counts = edge_counts(tile_of(d, type));
              const std::uint64_t alone = d.state()->tuning.single_scan_bytes / sizeof(T);
              if (schedule == Schedule::automatic) counts = {alone, alone + 1};
              for (const std::uint64_t n : counts) {
                CAPTURE(n);
                const std::vector<T> values = values_for<T>(op, n);
                const ScanDesc desc{.op = op, .kind = kind, .schedule = schedule};
                check_against_oracle(scan_on_device<T>(values, {.device = &d, .desc = desc}),
                                     values, desc);
              }
            });
          }
        }
      }
    }
  }
}

TEST_CASE("scan: few elements, where each workgroup finds by itself what comes before it") {
  const Device& d = device(kAloneTuning);
  const auto check = [&](auto zero, auto narrow, Op op) {
    using T = decltype(zero);
    using In = decltype(narrow);
    const std::uint64_t items = 16 / sizeof(T);
    for (const std::uint64_t n : alone_edges(d, items)) {
      const std::uint64_t offset = n % items;
      CAPTURE(n);
      const std::vector<In> values = random_values<In>(n, static_cast<std::uint32_t>(n));
      Options o{.device = &d, .desc = {.op = op}, .in_offset = offset, .out_offset = 1};
      if (n % 3 == 0) o.desc.kind = ScanKind::inclusive;
      check_against_oracle(scan_on_device<T>(values, o), values, o.desc);
      ScanDesc total = o.desc;
      total.count = n;
      check_total<T, In>(d, values, total, n, {}, offset, false);
      if constexpr (std::is_same_v<T, In>) {
        o.in_place = true;
        check_against_oracle(scan_on_device<T>(values, o), values, o.desc);
      }
    }
  };
  check(std::uint32_t{}, std::uint32_t{}, Op::add);
  check(std::uint32_t{}, std::uint8_t{}, Op::add);
  check(float{}, float{}, Op::max);
  if (d.state()->info.enabled.int64) check(std::uint64_t{}, std::uint64_t{}, Op::add);
}

TEST_CASE("scan: few elements, of a count on the GPU that leaves workgroups without any") {
  const Device& d = device(kAloneTuning);
  const std::uint64_t max = 3 * 4 * kAloneRows * alone_workgroup(*d.state()) - 7;
  const std::vector<std::uint32_t> values = random_values<std::uint32_t>(max, 8);
  for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, max / 3, max - 1, max + 5}) {
    CAPTURE(n);
    const auto count = context().upload(std::vector<std::uint64_t>{n});
    ScanDesc desc;
    desc.count = Count(max, count.address(), CountWidth::u64);
    check_total<std::uint32_t>(d, values, desc, std::min(n, max), {}, 1, false);
    check_total<std::uint32_t>(d, values, desc, std::min(n, max), {}, 1, true);
  }
}

TEST_CASE("scan: input and output may start at any element") {
  const Device& d = device(kTinyTiles);
  for (const Type type : types()) {
    for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass}) {
      with_type(type, [&](auto zero) {
        using T = decltype(zero);
        const std::uint64_t cell = 16 / sizeof(T);
        for (std::uint64_t in_offset = 0; in_offset < cell; ++in_offset) {
          for (std::uint64_t out_offset = 0; out_offset < cell; ++out_offset) {
            for (const std::uint64_t n : edge_counts(tile_of(d, type))) {
              CAPTURE(n);
              CAPTURE(in_offset);
              CAPTURE(out_offset);
              const std::vector<T> values = random_values<T>(n, 5);
              const ScanDesc desc{.kind = ScanKind::inclusive, .schedule = schedule};
              check_against_oracle(scan_on_device<T>(values, {.device = &d,
                                                              .desc = desc,
                                                              .in_offset = in_offset,
                                                              .out_offset = out_offset}),
                                   values, desc);
            }
          }
        }
      });
    }
  }
}

TEST_CASE("scan: in place, aligned or not") {
  for (const Tuning& tuning : tunings({Tuning{}, kTinyTiles})) {
    const Device& d = device(tuning);
    for (const Type type : types()) {
      if (tuning.scan_rows == 0 && type != Type::u32) continue;
      for (const Schedule schedule : kSchedules) {
        with_type(type, [&](auto zero) {
          using T = decltype(zero);
          for (const std::uint64_t n : edge_counts(tile_of(d, type))) {
            for (const std::uint64_t offset : {0, 1}) {
              CAPTURE(n);
              CAPTURE(offset);
              const std::vector<T> values = random_values<T>(n, 6);
              const ScanDesc desc{.schedule = schedule};
              check_against_oracle(
                  scan_on_device<T>(
                      values, {.device = &d, .desc = desc, .in_offset = offset, .in_place = true}),
                  values, desc);
            }
          }
        });
      }
    }
  }
}

TEST_CASE("scan: input of 8 and 16 bits is widened, from any byte or half word") {
  for (const Tuning& tuning : tunings({Tuning{}, kTinyTiles})) {
    const Device& d = device(tuning);
    const auto check = [&](auto in_zero, auto out_zero) {
      using In = decltype(in_zero);
      using T = decltype(out_zero);
      for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass}) {
        for (const std::uint64_t n : edge_counts(tile_of(d, type_of<T>()))) {
          for (const std::uint64_t in_offset : {0, 1, 2, 3}) {
            if (subset() && in_offset % 3 != 0) continue;
            for (const std::uint64_t out_offset : {0, 1}) {
              CAPTURE(n);
              CAPTURE(in_offset);
              CAPTURE(out_offset);
              std::vector<In> values(n);
              for (std::uint64_t i = 0; i < n; ++i)
                values[i] = static_cast<In>(~(i * 2654435761u) >> 7);
              const ScanDesc desc{.kind = ScanKind::inclusive, .schedule = schedule};
              check_against_oracle(scan_on_device<T>(values, {.device = &d,
                                                              .desc = desc,
                                                              .in_offset = in_offset,
                                                              .out_offset = out_offset}),
                                   values, desc);
            }
          }
        }
      }
    };
    check(std::uint8_t{}, std::uint32_t{});
    if (tuning.scan_rows == 0) continue;
    check(std::uint16_t{}, std::uint32_t{});
    if (context().device().features().int64) {
      if (!subset()) check(std::uint8_t{}, std::uint64_t{});
      check(std::uint16_t{}, std::uint64_t{});
    }
  }
}

TEST_CASE("scan: many tiles, and more than 65,535 of them") {
  const Device& d = device(kTinyTiles);
  for (const std::uint64_t n : {std::uint64_t{300'000}, 65'540 * tile_of(d, Type::u32)}) {
    if (subset() && n > 300'000) break;
    const std::vector<std::uint32_t> values = random_values<std::uint32_t>(n, 3);
    for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass}) {
      const ScanDesc desc{.schedule = schedule};
      check_against_oracle(scan_on_device<std::uint32_t>(values, {.device = &d, .desc = desc}),
                           values, desc);
    }
  }
}

TEST_CASE("scan: the count may be read on the GPU, as 32 or 64 bits, and is clamped to max") {
  const std::vector<std::uint32_t> values = random_values<std::uint32_t>(100'000, 9);
  for (const Tuning& tuning : {Tuning{}, kTinyTiles}) {
    const Device& d = device(tuning);
    for (const Schedule schedule : kSchedules) {
      for (const std::uint64_t n : {0, 1, 511, 512, 513, 5000, 100'000, 200'000}) {
        CAPTURE(n);
        const std::uint64_t used = std::min<std::uint64_t>(n, values.size());
        std::vector<std::uint32_t> expected = oracle::scan<std::uint32_t, std::uint32_t>(
            std::span(values).first(used), Op::add, ScanKind::exclusive);
        expected.resize(values.size(), 0xcdcdcdcd);  // nothing is written past the count
        const auto narrow = device_count(static_cast<std::uint32_t>(n));
        ScanDesc desc{.count = {values.size(), narrow.address()}, .schedule = schedule};
        CHECK(difference(scan_on_device<std::uint32_t>(values, {.device = &d, .desc = desc}),
                         expected) == "");
        const auto wide = device_count(n | (n == 200'000 ? std::uint64_t{1} << 40 : 0));
        desc.count = {values.size(), wide.address(), CountWidth::u64};
        CHECK(difference(scan_on_device<std::uint32_t>(
                             values, {.device = &d, .desc = desc, .in_offset = 3, .out_offset = 3}),
                         expected) == "");
      }
    }
  }
}

TEST_CASE("scan: a count on the GPU whose largest grid is indirect") {
  const Device& d = device(kTinyTiles);
  const std::vector<std::uint32_t> values = random_values<std::uint32_t>(5'000 * 512, 9);
  for (const std::uint64_t n : {0, 1, 512, 700'001, 5'000 * 512}) {
    CAPTURE(n);
    const auto count = device_count(static_cast<std::uint32_t>(n));
    std::vector<std::uint32_t> expected = oracle::scan<std::uint32_t, std::uint32_t>(
        std::span(values).first(n), Op::add, ScanKind::inclusive);
    expected.resize(values.size(), 0xcdcdcdcd);
    const ScanDesc desc{.kind = ScanKind::inclusive, .count = {values.size(), count.address()}};
    CHECK(difference(scan_on_device<std::uint32_t>(
                         values, {.device = &d, .desc = desc, .in_offset = 1, .out_offset = 1}),
                     expected) == "");
  }
}

TEST_CASE("scan: an initial value comes first, from the host or the device") {
  const Device& d = device(kTinyTiles);
  for (const Schedule schedule : kSchedules) {
    for (const ScanKind kind : kKinds) {
      for (const std::uint64_t n : {0, 1, 5, 5000}) {
        CAPTURE(n);
        const std::vector<float> values = random_values<float>(n, 2);
        ScanDesc desc{.op = Op::min, .kind = kind, .initial = -0.75f, .schedule = schedule};
        check_against_oracle(scan_on_device<float>(values, {.device = &d, .desc = desc}), values,
                             desc, -0.75f);
        const std::vector<std::uint32_t> numbers = random_values<std::uint32_t>(n, 2);
        const auto initial = context().upload(std::vector<std::uint32_t>{1000});
        desc.op = Op::add;
        desc.initial = Value::at(initial.address());
        check_against_oracle(scan_on_device<std::uint32_t>(numbers, {.device = &d, .desc = desc}),
                             numbers, desc, std::uint32_t{1000});
      }
    }
  }
}

TEST_CASE("scan: the total, behind any number of elements, and of none") {
  for (const Tuning& tuning : tunings({Tuning{}, kTinyTiles})) {
    const Device& d = device(tuning);
    for (const Type type : types()) {
      for (const Schedule schedule : kSchedules) {
        CAPTURE(std::string(name_of(type)));
        CAPTURE(static_cast<int>(schedule));
        with_type(type, [&](auto zero) {
          using T = decltype(zero);
          std::vector<std::uint64_t> counts = edge_counts(tile_of(d, type));
          counts.insert(counts.end(), {0, 20 * tile_of(d, type) + 7});
          for (const std::uint64_t n : counts) {
            CAPTURE(n);
            std::vector<T> values(n);  // small enough for exact sums of floats
            for (std::uint64_t i = 0; i < n; ++i)
              values[i] = static_cast<T>((i * 2654435761u >> 13) % 8);
            const bool odd = n % 2 == 1;
            const ScanDesc desc{.op = n % 3 == 1 ? Op::max : Op::add,
                                .kind = odd ? ScanKind::inclusive : ScanKind::exclusive,
                                .count = n,
                                .initial = n % 4 >= 2 ? Value(T(5)) : Value(),
                                .schedule = schedule};
            const std::optional<T> initial = n % 4 >= 2 ? std::optional<T>(5) : std::nullopt;
            check_total<T>(d, values, desc, n, initial, n % 3, n % 5 == 2);
          }
        });
      }
    }
  }
}

TEST_CASE("scan: the total of a count on the GPU, which may be 0, large or above the maximum") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t tile = tile_of(d, Type::u32);
  for (const std::uint64_t max : {3 * tile + 5, 4'200 * tile}) {  // the larger grid is indirect
    const std::vector<std::uint32_t> values = random_values<std::uint32_t>(max, 8);
    const std::vector<std::uint8_t> bytes(max, 255);
    for (const Schedule schedule : kSchedules) {
      if (max > 10 * tile && schedule == Schedule::multi_pass) continue;
      for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, 2 * tile, max, max + 1}) {
        CAPTURE(max);
        CAPTURE(n);
        const auto count = device_count(static_cast<std::uint32_t>(n));
        const auto initial = context().upload(std::vector<std::uint32_t>{77});
        const ScanDesc desc{.count = {max, count.address()},
                            .initial = Value::at(initial.address()),
                            .schedule = schedule};
        check_total<std::uint32_t>(d, values, desc, std::min(n, max), std::uint32_t{77}, 1, false);
        check_total<std::uint32_t>(d, bytes, desc, std::min(n, max), std::uint32_t{77}, 3, false);
      }
    }
  }
}

TEST_CASE("scan: min and max of floats order -0 below +0 and skip NaN") {
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto scanned = [&](const std::vector<float>& v, Op op, Value initial = {}) {
    return scan_on_device<float>(
        v,
        {.device = &device(), .desc = {.op = op, .kind = ScanKind::inclusive, .initial = initial}});
  };
  using Floats = std::vector<float>;
  CHECK(same_bits(scanned({nan, 3, nan, 2, -nan, 5}, Op::min), Floats{inf, 3, 3, 2, 2, 2}));
  CHECK(same_bits(scanned({nan, 3, nan, 2, -nan, 5}, Op::max), Floats{-inf, 3, 3, 3, 3, 5}));
  CHECK(same_bits(scanned({0.0f, -0.0f, 0.0f}, Op::min), Floats{0.0f, -0.0f, -0.0f}));
  CHECK(same_bits(scanned({-0.0f, 0.0f, -0.0f}, Op::max), Floats{-0.0f, 0.0f, 0.0f}));
  CHECK(same_bits(scanned({nan, 1}, Op::min, nan), Floats{inf, 1}));
}

TEST_CASE("scan: run_to_run float sums are bit-identical from run to run, in place or not") {
  const Device& d = device(kTinyTiles);
  const std::vector<float> values = random_values<float>(200'000, 11);
  const ScanDesc desc{.determinism = Determinism::run_to_run};
  const std::vector<float> first = scan_on_device<float>(values, {.device = &d, .desc = desc});
  check_against_oracle(first, values, desc);
  for (int i = 0; i < 10; ++i) {
    const auto again =
        scan_on_device<float>(values, {.device = &d, .desc = desc, .in_place = i % 2 == 1});
    CHECK(same_bits(first, again));
  }
}

TEST_CASE(
    "scan: recorded twice in one command buffer, and replayed 100 times, with one dirty scratch") {
  const Device& d = device(kTinyTiles);
  const std::vector<std::uint32_t> values = random_values<std::uint32_t>(20'000, 4);
  const auto in = context().upload(values);
  for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass}) {
    const auto out = context().allocate<std::uint32_t>(2 * values.size());
    const ScanDesc desc{.count = values.size(), .schedule = schedule};
    const DirtyScratch scratch(scan_scratch(d, desc));
    std::vector<std::uint32_t> expected =
        oracle::scan<std::uint32_t, std::uint32_t>(values, Op::add, ScanKind::exclusive);
    expected.insert(expected.end(), expected.begin(), expected.end());
    const std::vector<std::uint32_t> zeros(expected.size(), 7);
    replay(
        d, [&] { context().write(out, zeros); },
        [&](VkCommandBuffer cmd, std::uint64_t i) {
          return record_scan(
              cmd, d, desc,
              {in.view(), out.slice(i * values.size(), values.size()).view(), scratch.get()});
        },
        [&] { CHECK(difference(context().download(out), expected) == ""); });
  }
}

TEST_CASE("scan: smoke" * doctest::test_suite("smoke")) {
  const std::vector<std::uint32_t> values = random_values<std::uint32_t>(1500, 1);
  for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass}) {
    const ScanDesc desc{.schedule = schedule};
    check_against_oracle(
        scan_on_device<std::uint32_t>(values, {.device = &device(kTinyTiles), .desc = desc}),
        values, desc);
  }
}

}  // namespace vkprims::test
