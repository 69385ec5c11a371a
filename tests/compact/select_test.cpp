// Tests of select.
#include "oracles/select.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "compact/compact/compact.abi.h"
#include "spirv/compact_count.hpp"
#include "spirv/compact_look_back.hpp"
#include "spirv/compact_place.hpp"
#include "support/alone_edges.hpp"
#include "support/compact_tile.hpp"
#include "support/spirv_reader.hpp"
#include "support/support.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {
namespace {

using Wide = std::array<std::uint32_t, 4>;  // an element of 16 bytes

constexpr Schedule kSchedules[] = {Schedule::look_back, Schedule::multi_pass, Schedule::automatic};

template <class T>
std::vector<T> elements(std::uint64_t n, std::uint32_t seed) {
  if constexpr (std::is_same_v<T, Wide>) {
    std::vector<Wide> values(n);
    std::uint32_t next = seed;
    for (Wide& v : values) v = {next, next + 1, next * 3, next++ ^ 77};
    return values;
  } else {
    return random_values<T>(n, seed);
  }
}

struct Options {
  const Device* device;
  SelectDesc desc = {};
  std::uint64_t in_offset = 0, out_offset = 0, flags_offset = 0;  // elements past a multiple of 256
  bool out = true, indices = true;
};

// Selects, and compares every output with the oracle.
template <class T>
void check_select(const std::vector<T>& values, const std::vector<bool>& chosen, Options o) {
  const std::uint64_t n = values.size();
  o.desc.element_bytes = sizeof(T);
  o.desc.count = o.desc.count.or_all(n);
  std::vector<std::uint8_t> flags;
  if (o.desc.by == SelectBy::bytes) {
    for (std::size_t i = 0; i < n; ++i) flags.push_back(chosen[i] ? (i % 2 ? 1 : 0x80) : 0);
  } else if (o.desc.by == SelectBy::bits) {
    flags.assign((n + 31) / 32 * 4, 0xff);  // bits behind the last element may be set
    for (std::size_t i = 0; i < n; ++i) {
      if (!chosen[i]) flags[i / 8] = static_cast<std::uint8_t>(flags[i / 8] & ~(1u << i % 8));
    }
  }
  const bool wide = o.desc.index_width == IndexWidth::u64;
  const Guarded in(values, o.in_offset * sizeof(T));
  const Guarded flags_view(flags, o.flags_offset * (o.desc.by == SelectBy::bits ? 4 : 1));
  const Guarded out(o.out ? n * sizeof(T) : 0, o.out_offset * sizeof(T));
  const Guarded indices(o.indices ? n * (wide ? 8 : 4) : 0, o.out_offset * 8);
  const Guarded count(8, 8);
  const DirtyScratch scratch(select_scratch(*o.device, o.desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_select(cmd, *o.device, o.desc,
                                 {.in = in.view(),
                                  .flags = flags_view.view(),
                                  .out = o.out ? out.view() : BufferView{},
                                  .indices = o.indices ? indices.view() : BufferView{},
                                  .selected_count = count.view(),
                                  .scratch = scratch.get()}));
  });
  const oracle::Selected<T> expected = oracle::select(values, chosen);
  const std::size_t selected = expected.elements.size();
  REQUIRE(count.read<std::uint64_t>()[0] == selected);
  if (o.out) {
    std::vector<T> result = out.read<T>();
    // The elements behind the result keep their values.
    const auto tail = std::as_bytes(std::span(result).subspan(selected));
    CHECK(std::all_of(tail.begin(), tail.end(), [](std::byte b) { return b == std::byte{0xcd}; }));
    result.resize(selected);
    CHECK(same_bits(result, expected.elements));
  }
  if (o.indices && wide) {
    std::vector<std::uint64_t> result = indices.read<std::uint64_t>();
    result.resize(selected);
    CHECK(difference(result, expected.indices) == "");
  } else if (o.indices) {
    std::vector<std::uint32_t> result = indices.read<std::uint32_t>();
    result.resize(selected);
    CHECK(difference(std::vector<std::uint64_t>(result.begin(), result.end()), expected.indices) ==
          "");
  }
}

// Returns n flags of which about `percent` per cent are set.
std::vector<bool> random_flags(std::uint64_t n, std::uint32_t percent, std::uint32_t seed = 1) {
  std::vector<bool> flags(n);
  std::size_t i = 0;
  for (const std::uint32_t x : random_values<std::uint32_t>(n, seed))
    flags[i++] = x % 100 < percent;
  return flags;
}

template <class T>
std::vector<bool> chosen_by(Predicate predicate, const std::vector<T>& values, T operand) {
  std::vector<bool> chosen(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    chosen[i] = oracle::compares(predicate, values[i], operand);
  }
  return chosen;
}

template <class T>
void check_by_flags(const Device& d, SelectBy by, Schedule schedule) {
  std::uint32_t percent = 0;
  for (const std::uint64_t n : edge_counts(compact_tile(d, sizeof(T)))) {
    CAPTURE(n);
    const SelectDesc desc{.by = by, .schedule = schedule};
    check_select(elements<T>(n, 3), random_flags(n, percent), {.device = &d, .desc = desc});
    percent = (percent + 25) % 125;
  }
}

}  // namespace

TEST_CASE("select: by bytes and by bits, elements of 4, 8 and 16 bytes, around tile edges") {
  for (const Tuning& tuning : tunings({Tuning{}, kTinyTiles})) {
    for (const Schedule schedule : kSchedules) {
      if (tuning.scan_rows == 0 && schedule != Schedule::automatic) continue;
      for (const SelectBy by : {SelectBy::bytes, SelectBy::bits}) {
        CAPTURE(static_cast<int>(schedule));
        CAPTURE(static_cast<int>(by));
        const Device& d = device(tuning);
        check_by_flags<std::uint32_t>(d, by, schedule);
        if (schedule == Schedule::automatic) continue;
        if (!subset()) check_by_flags<std::uint64_t>(d, by, schedule);
        if (by == SelectBy::bytes) check_by_flags<Wide>(d, by, schedule);
      }
    }
  }
}

TEST_CASE("select: few elements, where each workgroup finds by itself what comes before it") {
  const Device& d = device(kAloneTuning);
  for (const std::uint64_t n : alone_edges(d, 4)) {
    for (const SelectBy by : {SelectBy::bytes, SelectBy::bits}) {
      CAPTURE(n);
      const Options o{.device = &d, .desc = {.by = by}, .in_offset = n % 4, .flags_offset = n % 3};
      check_select(elements<std::uint32_t>(n, 3), random_flags(n, n % 101), o);
      if (by == SelectBy::bits && subset()) continue;
      check_select(elements<Wide>(n / 4, 3), random_flags(n / 4, n % 101), o);
    }
  }
}

TEST_CASE("select: every predicate on every type, 64-bit types on every device") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t n = 3 * compact_tile(d, 4) + 17;
  const auto check = [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> values = random_values<T>(n, 4);
    for (std::size_t i = 0; i < n; i += 3) values[i] = values[17];
    std::vector<T> operands{values[17], T(0)};
    if constexpr (std::is_floating_point_v<T>) {
      constexpr T special[] = {T(0), -T(0), std::numeric_limits<T>::quiet_NaN(),
                               -std::numeric_limits<T>::infinity(),
                               std::numeric_limits<T>::denorm_min()};
      for (std::size_t i = 0; i < n; i += 5) values[i] = special[i / 5 % 5];
      operands.insert(operands.end(), std::begin(special) + 1, std::end(special));
    }
    for (int p = 0; p <= static_cast<int>(Predicate::has_bits); ++p) {
      const auto predicate = static_cast<Predicate>(p);
      if (std::is_floating_point_v<T> && predicate == Predicate::has_bits) continue;
      if (subset() && p % 3 != 1) continue;
      CAPTURE(p);
      for (const T operand : operands) {
        const SelectDesc desc{.type = type_of<T>(),
                              .by = SelectBy::predicate,
                              .predicate = predicate,
                              .operand = operand,
                              .schedule = Schedule::look_back};
        check_select(values, chosen_by(predicate, values, operand), {.device = &d, .desc = desc});
      }
    }
  };
  check(std::uint32_t{});
  check(std::int64_t{});
  check(double{});
  if (subset()) return;
  check(std::int32_t{});
  check(float{});
  check(std::uint64_t{});
}

TEST_CASE("select: views that are aligned to one element, and flags to one byte") {
  const Device& d = device(kTinyTiles);
  for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass}) {
    for (std::uint64_t offset = 0; offset < 4; ++offset) {
      for (const std::uint64_t n : edge_counts(compact_tile(d, 4))) {
        CAPTURE(n);
        CAPTURE(offset);
        Options o{.device = &d,
                  .desc = {.schedule = schedule},
                  .in_offset = offset,
                  .out_offset = 3 - offset,
                  .flags_offset = 2 * offset + 1};
        check_select(elements<std::uint32_t>(n, 5), random_flags(n, 60), o);
        if (n % 2) continue;
        o.desc.by = SelectBy::bits;
        check_select(elements<std::uint64_t>(n, 6), random_flags(n, 40), o);
      }
    }
  }
}

TEST_CASE("select: elements alone, numbers alone, 64-bit numbers, the count alone") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t n = 5 * compact_tile(d, 4) + 3;
  const std::vector<std::uint32_t> values = elements<std::uint32_t>(n, 7);
  for (const bool out : {false, true}) {
    for (const bool indices : {false, true}) {
      for (const IndexWidth width : {IndexWidth::u32, IndexWidth::u64}) {
        const SelectDesc desc{.index_width = width, .schedule = Schedule::look_back};
        check_select(values, random_flags(n, 30),
                     {.device = &d, .desc = desc, .out = out, .indices = indices});
      }
    }
  }
}

TEST_CASE("select: more than 65,535 tiles") {
  if (subset()) return;
  const Device& d = device(kTinyTiles);
  const std::uint64_t n = 65'600 * compact_tile(d, 4) + 1;
  const std::vector<std::uint32_t> values = elements<std::uint32_t>(n, 8);
  check_select(values, random_flags(n, 50),
               {.device = &d, .desc = {.schedule = Schedule::look_back}, .indices = false});
}

TEST_CASE("select: a count from the GPU is clamped, may be 0, and nothing behind it is touched") {
  const std::uint64_t most = 4100 * compact_tile(device(kTinyTiles), 4);  // the grid is indirect
  const std::vector<std::uint32_t> values = elements<std::uint32_t>(most, 9);
  const std::vector<bool> flags = random_flags(most, 50);
  std::vector<std::uint8_t> bytes(flags.begin(), flags.end());
  const auto in = context().upload(values);
  const auto flags_in = context().upload(bytes);
  for (const Schedule schedule : kSchedules) {
    // Of few elements, in several workgroups, there is no schedule.
    const bool few = schedule == Schedule::automatic;
    const Device& d = device(few ? kAloneTuning : kTinyTiles);
    const std::uint64_t room = few ? 9'001 : most;
    for (const std::uint64_t n :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1000}, room + 5}) {
      CAPTURE(n);
      CAPTURE(few);
      const auto count = device_count(n);
      const Guarded out(4 * room), selected(8);
      const SelectDesc desc{.count = Count(room, count.address(), CountWidth::u64),
                            .schedule = schedule};
      const DirtyScratch scratch(select_scratch(d, desc));
      run([&](VkCommandBuffer cmd) {
        throw_if_error(record_select(cmd, d, desc,
                                     {.in = in.view(),
                                      .flags = flags_in.view(),
                                      .out = out.view(),
                                      .selected_count = selected.view(),
                                      .scratch = scratch.get()}));
      });
      const std::uint64_t used = std::min(n, room);
      std::vector<std::uint32_t> expected =
          oracle::select(std::vector(values.begin(), values.begin() + std::ptrdiff_t(used)),
                         std::vector(flags.begin(), flags.begin() + std::ptrdiff_t(used)))
              .elements;
      REQUIRE(selected.read<std::uint64_t>()[0] == expected.size());
      expected.resize(room, 0xcdcdcdcdu);
      CHECK(difference(out.read<std::uint32_t>(), expected) == "");
    }
  }
}

TEST_CASE("select: tiles that never publish, late tiles and shuffled tickets change nothing") {
  for (const std::uint32_t faults :
       {VKP_LOOKBACK_SILENT, VKP_LOOKBACK_DELAYED | VKP_LOOKBACK_SHUFFLED, VKP_LOOKBACK_FORCED}) {
    for (const std::uint32_t period : {1u, 3u}) {
      Tuning tuning = kTinyTiles;
      tuning.spin_limit = 8;
      tuning.tile_order = TileOrder::ticket;
      const Device& d = device(tuning, {.statistics = true, .faults = faults, .period = period});
      const std::uint64_t n = 100 * compact_tile(d, 4) + 77;
      check_select(elements<std::uint32_t>(n, 10), random_flags(n, 50),
                   {.device = &d, .desc = {.schedule = Schedule::look_back}});
    }
  }
}

TEST_CASE(
    "select: recorded twice in one command buffer, and replayed 100 times, with one dirty "
    "scratch") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t n = 20 * compact_tile(d, 4) + 5;
  const std::vector<std::uint32_t> values = elements<std::uint32_t>(n, 11);
  const auto in = context().upload(values);
  const auto out = context().allocate<std::uint32_t>(2 * n);
  const auto selected = context().allocate<std::uint64_t>(2);
  for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass}) {
    const SelectDesc desc{.by = SelectBy::predicate,
                          .predicate = Predicate::has_bits,
                          .operand = 1u,
                          .count = n,
                          .schedule = schedule};
    const DirtyScratch scratch(select_scratch(d, desc));
    const std::vector<std::uint32_t> odd =
        oracle::select(values, chosen_by(Predicate::has_bits, values, 1u)).elements;
    std::vector<std::uint32_t> expected(2 * n, 0);
    std::copy(odd.begin(), odd.end(), expected.begin());
    std::copy(odd.begin(), odd.end(), expected.begin() + std::ptrdiff_t(n));
    replay(
        d, [&] { context().write(out, std::vector<std::uint32_t>(2 * n, 0)); },
        [&](VkCommandBuffer cmd, std::uint64_t i) {
          return record_select(cmd, d, desc,
                               {.in = in.view(),
                                .out = out.slice(n * i, n).view(),
                                .selected_count = selected.slice(i, 1).view(),
                                .scratch = scratch.get()});
        },
        [&] {
          REQUIRE(context().download(selected) == std::vector<std::uint64_t>(2, odd.size()));
          CHECK(difference(context().download(out), expected) == "");
        });
  }
}

TEST_CASE("select: an operand and a count on the device, through the overloads for Recorder") {
  const std::vector<float> values = random_values<float>(5000, 12);
  const auto in = context().upload(values);
  const auto out = context().allocate<float>(values.size());
  const auto selected = context().allocate<std::uint64_t>(1);
  const auto operand = context().upload(std::vector<float>{0.25f});
  context().run([&](Recorder& r) {
    select(r, {.predicate = Predicate::greater, .operand = Value::at(operand.address())}, in, out,
           selected);
  });
  const auto expected = oracle::select(values, chosen_by(Predicate::greater, values, 0.25f));
  CHECK(context().download(selected)[0] == expected.elements.size());
  CHECK(context().download(out, 0, expected.elements.size()) == expected.elements);
  const std::vector<bool> flags = random_flags(values.size(), 20);
  const auto bytes = context().upload(std::vector<std::uint8_t>(flags.begin(), flags.end()));
  context().run([&](Recorder& r) { select(r, {}, in, bytes, out, selected); });
  const auto flagged = oracle::select(values, flags);
  CHECK(context().download(selected)[0] == flagged.elements.size());
  CHECK(context().download(out, 0, flagged.elements.size()) == flagged.elements);
}

TEST_CASE("select: warm_up compiles all that recording needs") {
  DeviceInfo info = device(kTinyTiles).state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  const auto memory = context().allocate<std::uint32_t>(1 << 20);
  const DeviceSpan<std::uint32_t> all = memory.span();
  for (const Schedule schedule : kSchedules) {
    Device cold;
    throw_if_error(create_device(info, limits(), cold));
    SelectDesc desc{.count = 50'000, .schedule = schedule};
    const SelectBuffers buffers{.in = all.slice(1, 50'000).view(),
                                .flags = all.slice(60'000, 50'000).view(),
                                .out = all.slice(120'000, 50'000).view(),
                                .selected_count = all.slice(200'000, 2).view(),
                                .scratch = scratch_view(cold, memory.handle(), 2 << 20, 2 << 20)};
    expect_error(Status::not_warmed, {"warm_up"},
                 [&](VkCommandBuffer cmd) { return record_select(cmd, cold, desc, buffers); });
    throw_if_error(warm_up(cold, desc));
    for (const std::uint64_t n : {1, 50'000}) {
      desc.count = n;
      context().run([&](Recorder& r) {
        r.commands(
            [&](VkCommandBuffer cmd) { throw_if_error(record_select(cmd, cold, desc, buffers)); });
      });
    }
  }
}

TEST_CASE("select: scratch grows with the count and is nothing for invalid descriptors") {
  const Device& d = device(kTinyTiles);
  for (const Schedule schedule : kSchedules) {
    VkDeviceSize last = 0;
    for (std::uint64_t n = 1; n <= kMaxCount; n *= 2) {
      const ScratchNeed need = select_scratch(d, {.count = n, .schedule = schedule});
      CHECK(need.bytes >= last);
      last = need.bytes;
    }
  }
  CHECK(select_scratch(d, {.count = 0}).bytes == 0);
  CHECK(select_scratch(d, {.count = kMaxCount + 1}).bytes == 0);
  CHECK(select_scratch(Device(), {.count = 1 << 20}).bytes == 0);
}

TEST_CASE("select: the size query is monotone in the count and 0 for an invalid descriptor") {
  check_scratch_query(&select_scratch);
}

TEST_CASE("select: wrong input is refused by name before anything is recorded") {
  const Device& d = device(kTinyTiles);
  const auto memory = context().allocate<std::uint32_t>(1 << 20);
  const DeviceSpan<std::uint32_t> all = memory.span();
  const SelectDesc desc{.count = 100'000};
  const ScratchNeed need = select_scratch(d, desc);
  const SelectBuffers good{.in = all.slice(0, 100'000).view(),
                           .flags = all.slice(100'000, 25'000).view(),
                           .out = all.slice(200'000, 100'000).view(),
                           .indices = all.slice(300'000, 100'000).view(),
                           .selected_count = all.slice(400'000, 2).view(),
                           .scratch = scratch_view(d, memory.handle(), 3 << 20, need.bytes)};
  const WrongInput wrong(d, &record_select, desc, good);
  wrong.anywhere();
  wrong.scratch("select_scratch()");
  const auto by_predicate = [](auto& x) {
    x.by = SelectBy::predicate;
    x.operand = 1u;
  };
  wrong.desc({"by is 3", "2"}, [](auto& x) { x.by = SelectBy(3); });
  wrong.desc({"schedule is 3"}, [](auto& x) { x.schedule = Schedule(3); });
  wrong.desc({"index_width is 2"}, [](auto& x) { x.index_width = IndexWidth(2); });
  wrong.desc({"element_bytes is 2", "4, 8 or 16"}, [](auto& x) { x.element_bytes = 2; });
  wrong.desc({"element_bytes is 8", "u32", "4 bytes"}, [&](auto& x) {
    by_predicate(x);
    x.element_bytes = 8;
  });
  wrong.desc({"predicate is 7", "6"}, [&](auto& x) {
    by_predicate(x);
    x.predicate = Predicate(7);
  });
  wrong.desc({"has_bits", "f32"}, [&](auto& x) {
    by_predicate(x);
    x.type = Type::f32;
    x.predicate = Predicate::has_bits;
  });
  wrong.desc({"operand is not given"}, [](auto& x) { x.by = SelectBy::predicate; });
  wrong.desc({"operand is 4294967296", "u32"}, [](auto& x) {
    x.by = SelectBy::predicate;
    x.operand = std::uint64_t{1} << 32;
  });
  wrong.desc({"operand [", "out [", "overlap"}, [&](auto& x) {
    x.by = SelectBy::predicate;
    x.operand = Value::at(good.out.address);
  });
  wrong.buffers({"in.address is 0"}, [](auto& x) { x.in.address = 0; });
  wrong.buffers({"in.bytes is 399999", "400000"}, [](auto& x) { x.in.bytes -= 1; });
  wrong.buffers({"flags.address is 0"}, [](auto& x) { x.flags.address = 0; });
  wrong.buffers({"flags.bytes is 99999", "100000"}, [](auto& x) { x.flags.bytes = 99'999; });
  wrong.both(
      {"flags.address", "multiple of 4"}, [](auto& x) { x.by = SelectBy::bits; },
      [](auto& x) { x.flags.address += 1; });
  wrong.buffers({"out.address", "multiple of 4"}, [](auto& x) { x.out.address += 2; });
  wrong.buffers({"out.bytes is 399999", "400000"}, [](auto& x) { x.out.bytes -= 1; });
  wrong.buffers({"in [", "out [", "overlap"}, [](auto& x) { x.out.address = x.in.address; });
  wrong.buffers({"indices.bytes is 399999"}, [](auto& x) { x.indices.bytes -= 1; });
  wrong.buffers({"out [", "indices [", "overlap"},
                [](auto& x) { x.indices.address = x.out.address; });
  wrong.buffers({"selected_count.address is 0"}, [](auto& x) { x.selected_count.address = 0; });
  wrong.buffers({"selected_count.address", "multiple of 8"},
                [](auto& x) { x.selected_count.address += 4; });
}

TEST_CASE("select: smoke" * doctest::test_suite("smoke")) {
  for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass}) {
    check_select(elements<std::uint32_t>(1500, 1), random_flags(1500, 50),
                 {.device = &device(kTinyTiles), .desc = {.schedule = schedule}, .indices = false});
  }
}

TEST_CASE("compact: push constants of the shaders and of C++ have the same layout") {
  CHECK(push_matches(vkprims::spirv::compact_look_back_words1_word32, sizeof(abi::CompactPush)));
  CHECK(push_matches(vkprims::spirv::compact_count_words2, sizeof(abi::CompactPush)));
  CHECK(push_matches(vkprims::spirv::compact_place_words4, sizeof(abi::CompactPush)));
}

}  // namespace vkprims::test
