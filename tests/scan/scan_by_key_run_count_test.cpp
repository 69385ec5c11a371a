// Tests of the number of runs that scan_by_key tells.
#include <limits>

#include "oracles/scan_by_key.hpp"
#include "runtime/push.hpp"
#include "spirv/head_count.hpp"
#include "support/run_commands.hpp"
#include "support/segment_heads.hpp"
#include "vkprims/copy.hpp"
#include "vkprims/scan_by_key.hpp"

namespace vkprims::test {
namespace {

constexpr Schedule kSchedules[] = {Schedule::look_back, Schedule::multi_pass, Schedule::automatic};

struct Options {
  const Device* device;
  ScanByKeyDesc desc = {};                   // types follow from the elements
  std::uint64_t used = 0;                    // how many of the elements count
  std::uint64_t key_offset = 0, offset = 0;  // elements past a multiple of 256 bytes
  bool in_place = false;
};

// Scans ones by key, and checks the number of runs and the results.
template <class Key, class T>
void check_runs(const std::vector<Key>& keys, Options o) {
  o.desc.key = type_of<Key>();
  o.desc.type = type_of<T>();
  const std::vector<T> ones(keys.size(), T(1));
  const Guarded key_memory(keys, o.key_offset * sizeof(Key)), in(ones, o.offset * sizeof(T)),
      out(o.in_place ? 0 : ones.size() * sizeof(T), o.offset * sizeof(T)), run_count(8, 8);
  const DirtyScratch scratch(scan_by_key_scratch(*o.device, o.desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_scan_by_key(cmd, *o.device, o.desc,
                                      {.keys = key_memory.view(),
                                       .in = in.view(),
                                       .out = o.in_place ? in.view() : out.view(),
                                       .scratch = scratch.get(),
                                       .run_count = run_count.view()}));
  });
  const auto some = std::span(keys).first(o.used);
  CHECK(run_count.read<std::uint64_t>()[0] == oracle::run_count<Key>(some, o.desc.float_order));
  std::vector<T> result = o.in_place ? in.read<T>() : out.read<T>();
  result.resize(o.used);
  CHECK(
      difference(result, oracle::scan_by_key<Key, T>(some, std::span(ones).first(o.used), o.desc.op,
                                                     o.desc.kind, {}, o.desc.float_order)) == "");
}

// The number of elements of the largest tile of this type.
std::uint64_t tile_of(const Device& d, Type type) {
  const Tuning& t = d.state()->tuning;
  return std::uint64_t{t.scan_workgroup_size} * t.segment_rows * t.segment_batches * 16 /
         size_of(type);
}

// Checks counts around the edges of tiles, with runs of several lengths, in place and not, at
// several alignments.
template <class Key, class T>
void check_edges(const Device& d, Schedule schedule) {
  std::vector<std::uint64_t> counts = edge_counts(tile_of(d, type_of<T>()));
  counts.insert(counts.end(), {0, 20 * tile_of(d, type_of<T>()) + 7});
  for (const std::uint64_t n : counts) {
    for (const std::uint64_t mean : kSegmentLengths) {
      CAPTURE(n);
      CAPTURE(mean);
      const auto seed = static_cast<std::uint32_t>(n + mean);
      check_runs<Key, T>(keys_of<Key>(random_heads(n, mean, seed), seed),
                         {.device = &d,
                          .desc = {.op = n % 3 == 1 ? Op::max : Op::add,
                                   .kind = n % 2 ? ScanKind::inclusive : ScanKind::exclusive,
                                   .count = n,
                                   .schedule = schedule},
                          .used = n,
                          .key_offset = n % 4,
                          .offset = n % 3,
                          .in_place = n % 5 == 2});
    }
  }
}

}  // namespace

TEST_CASE("scan_by_key: the number of runs, at every type and schedule, around tile edges") {
  for (const Tuning& tuning : tunings({Tuning{}, kTinyTiles})) {
    const Device& d = device(tuning);
    for (const Schedule schedule : kSchedules) {
      CAPTURE(static_cast<int>(schedule));
      check_edges<std::uint32_t, std::uint32_t>(d, schedule);
      check_edges<double, std::uint32_t>(d, schedule);
      if (subset()) continue;
      check_edges<std::int32_t, float>(d, schedule);
      if (d.features().int64) check_edges<float, std::uint64_t>(d, schedule);
      if (d.features().int64) check_edges<std::uint64_t, std::int64_t>(d, schedule);
      if (d.features().float64) check_edges<std::uint32_t, double>(d, schedule);
    }
  }
}

TEST_CASE("scan_by_key: the number of runs in several batches of a tile, and in many tiles") {
  Tuning tuning = kTinyTiles;
  tuning.segment_batches = 3;
  for (const std::uint64_t n : {1'000, 50'000}) {
    for (const std::uint64_t mean : kSegmentLengths) {
      for (const Schedule schedule : kSchedules) {
        CAPTURE(n);
        CAPTURE(mean);
        const auto keys = keys_of<std::uint32_t>(random_heads(n, mean, 3), 3);
        const ScanByKeyDesc desc{.count = n, .schedule = schedule};
        check_runs<std::uint32_t, std::uint32_t>(
            keys, {.device = &device(tuning), .desc = desc, .used = n});
      }
    }
  }
}

TEST_CASE("scan_by_key: the number of runs of a count on the GPU, which may be 0 or too large") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t tile = tile_of(d, Type::u32);
  for (const std::uint64_t max : {3 * tile + 5, 4'200 * tile}) {  // the larger grid is indirect
    const auto keys = keys_of<std::uint32_t>(random_heads(max, 3, 1), 1);
    for (const Schedule schedule : kSchedules) {
      for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, 2 * tile, max, max + 1}) {
        CAPTURE(max);
        CAPTURE(n);
        const auto narrow = device_count(static_cast<std::uint32_t>(n));
        const auto wide = device_count(n);
        const Count counts[] = {{max, narrow.address()}, {max, wide.address(), CountWidth::u64}};
        check_runs<std::uint32_t, std::uint32_t>(
            keys, {.device = &d,
                   .desc = {.count = counts[n % 2], .schedule = schedule},
                   .used = std::min(n, max),
                   .offset = 1});
      }
    }
  }
}

TEST_CASE("scan_by_key: the number of runs of nothing needs no other view") {
  for (const Schedule schedule : kSchedules) {
    const Guarded run_count(8, 8);
    run([&](VkCommandBuffer cmd) {
      throw_if_error(record_scan_by_key(cmd, device(kTinyTiles), {.count = 0, .schedule = schedule},
                                        {.run_count = run_count.view()}));
    });
    CHECK(run_count.read<std::uint64_t>()[0] == 0);
  }
}

TEST_CASE("scan_by_key: the number of runs of floats that are equal by value, or by their bits") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> some = {0.0f, -0.0f, -0.0f, nan, -nan, nan, 1, 1, -1};
  std::vector<float> keys(3'000);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = some[i / 2 % some.size()];
  for (const FloatOrder order : {FloatOrder::by_value, FloatOrder::by_bits}) {
    for (const Schedule schedule : kSchedules) {
      check_runs<float, std::uint32_t>(
          keys, {.device = &device(kTinyTiles),
                 .desc = {.count = keys.size(), .schedule = schedule, .float_order = order},
                 .used = keys.size()});
    }
  }
}

TEST_CASE("scan_by_key: the number of runs, recorded twice and replayed with one dirty scratch") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t n = 20'000;
  const auto host_keys = keys_of<std::uint32_t>(random_heads(n, 7, 3), 3);
  const auto keys = context().upload(host_keys);
  const auto out = context().allocate<std::uint32_t>(n);
  const std::uint64_t runs = oracle::run_count<std::uint32_t>(host_keys);
  for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass}) {
    const auto run_count = context().allocate<std::uint64_t>(2);
    const ScanByKeyDesc desc{.count = n, .schedule = schedule};
    const DirtyScratch scratch(scan_by_key_scratch(d, desc));
    replay(
        d,
        [&] {
          context().write(run_count, std::vector<std::uint64_t>{7, 7});
        },
        [&](VkCommandBuffer cmd, std::uint64_t i) {
          return record_scan_by_key(
              cmd, d, desc,
              {keys.view(), keys.view(), out.view(), scratch.get(), run_count.slice(i, 1).view()});
        },
        [&] {
          CHECK(context().download(run_count) == std::vector<std::uint64_t>{runs, runs});
        });
  }
}

TEST_CASE("scan_by_key: sums of floats have the same bits with the number of runs and without") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t n = 100'000;
  const auto host_keys = keys_of<std::uint32_t>(random_heads(n, 90, 3), 3);
  const auto keys = context().upload(host_keys);
  const auto values = context().upload(random_values<float>(n, 4));
  const auto a = context().allocate<float>(n), b = context().allocate<float>(n);
  const auto run_count = context().allocate<std::uint64_t>(1);
  const ScanByKeyDesc desc{.type = Type::f32, .count = n, .determinism = Determinism::run_to_run};
  const DirtyScratch scratch(scan_by_key_scratch(d, desc));
  run([&](VkCommandBuffer cmd) {
    const BufferView in = values.view();
    throw_if_error(record_scan_by_key(cmd, d, desc, {keys.view(), in, a.view(), scratch.get()}));
    throw_if_error(record_barrier(cmd, d));
    throw_if_error(record_scan_by_key(
        cmd, d, desc, {keys.view(), in, b.view(), scratch.get(), run_count.view()}));
  });
  CHECK(same_bits(context().download(a), context().download(b)));
  CHECK(context().download(run_count)[0] == oracle::run_count<std::uint32_t>(host_keys));
}

TEST_CASE("scan_by_key: the number of runs is known to be written, so a reader needs a barrier") {
  const std::uint64_t n = 20'000;
  const auto keys = context().allocate<std::uint32_t>(n),
             out = context().allocate<std::uint32_t>(n);
  const auto numbers = context().allocate<std::uint64_t>(3);
  for (const Tuning& tuning : {Tuning{.single_scan_bytes = 1 << 20}, kTinyTiles}) {
    for (const Schedule schedule : kSchedules) {
      const Device& d = device(tuning);
      const ScanByKeyDesc desc{.count = n, .schedule = schedule};
      const DirtyScratch scratch(scan_by_key_scratch(d, desc));
      const auto hazards_of_reading = [&](std::uint64_t number) {
        spy().clear();
        context().record([&](Recorder& r) {
          r.commands([&](VkCommandBuffer cmd) {
            const BufferView in = keys.view();
            throw_if_error(record_scan_by_key(
                cmd, d, desc, {in, in, out.view(), scratch.get(), numbers.slice(0, 1).view()}));
            throw_if_error(record_copy(
                cmd, d, {8, 1}, {numbers.slice(number, 1).view(), numbers.slice(2, 1).view(), {}}));
          });
        });
        return spy().hazards.hazards();
      };
      CHECK(hazards_of_reading(1) == "");
      CHECK(hazards_of_reading(0) != "");
    }
  }
  spy().clear();
}

TEST_CASE("scan_by_key: the number of runs, smoke" * doctest::test_suite("smoke")) {
  const auto keys = keys_of<std::uint32_t>(random_heads(1'500, 20, 1), 1);
  for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass}) {
    check_runs<std::uint32_t, std::uint32_t>(keys, {.device = &device(kTinyTiles),
                                                    .desc = {.count = 1'500, .schedule = schedule},
                                                    .used = 1'500});
  }
}

TEST_CASE("head count: sums of several workgroups pass 2^32, again and again") {
  // More heads than memory holds elements: each lane is told how many it has.
  constexpr std::uint32_t kGroupSize = 64, kEach = (1u << 25) + 12'345;
  for (const std::uint32_t groups : {1, 2, 3, 9}) {
    const Guarded counters(std::vector<std::uint32_t>(3, 0)), out(8, 8);
    struct Push {
      abi::VkpU64 counters, out;
      std::uint32_t groups, each;
    };
    const Push push{push_u64(counters.address()), push_u64(out.address()), groups, kEach};
    run_commands("head count", device(), [&](Commands& commands) {
      return commands.dispatch(spirv::head_count, {.workgroup_size = kGroupSize}, push,
                               Grid(groups), {writes(counters.view()), writes(out.view())});
    });
    CHECK(out.read<std::uint64_t>()[0] == std::uint64_t{groups} * kGroupSize * kEach);
  }
}

}  // namespace vkprims::test
