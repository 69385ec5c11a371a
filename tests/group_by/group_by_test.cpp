// Tests of group_by.
#include "group_by/group_by/group_by.abi.h"
#include "group_by/group_by_check.hpp"
#include "spirv/group_by_begin.hpp"
#include "spirv/group_by_dense_groups.hpp"
#include "spirv/group_by_groups.hpp"
#include "spirv/group_by_heads.hpp"
#include "spirv/group_by_reduce.hpp"
#include "spirv/group_by_result_validity.hpp"
#include "spirv/group_by_sizes.hpp"
#include "support/spirv_reader.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {
namespace {

bool has_float64() { return context().device().features().float64; }

// Lists every aggregation that a column of values supports.
std::vector<GroupAggregation> all_aggregations(const GroupColumn& c, std::uint32_t value = 0) {
  std::vector<GroupAggregation> list;
  for (std::uint32_t op = 0; op <= static_cast<std::uint32_t>(Aggregate::distinct); ++op) {
    const auto aggregate = static_cast<Aggregate>(op);
    const bool computes = aggregate == Aggregate::sum || aggregate == Aggregate::mean ||
                          aggregate == Aggregate::variance;
    if (computes && c.type == Type::f64 && !has_float64()) continue;
    list.push_back({.op = aggregate, .value = value});
  }
  return list;
}

// No type of key needs a feature of the device.
std::vector<Type> all_types() {
  if (subset()) return {Type::f32, Type::i64};
  return {Type::u32, Type::i32, Type::f32, Type::u64, Type::i64, Type::f64};
}

}  // namespace

TEST_CASE("group_by: every aggregation of every type of values, with and without nulls") {
  const Device& d = device(kTinyTiles);
  for (const Type type : all_types()) {
    CAPTURE(std::string(name_of(type)));
    for (const bool nulls : {false, true}) {
      if (nulls && type != Type::f32 && type != Type::i64) continue;
      if (subset() && nulls != (type == Type::i64)) continue;
      for (const std::uint64_t groups : {5, 3000}) {
        if (!paired(static_cast<std::size_t>(type) + nulls + (groups == 5))) continue;
        Table t;
        t.keys = {random_column(Type::u32, 4000, groups, 1)};
        t.values = {random_column(type, 4000, 50, 2)};
        if (nulls) t.values[0] = with_nulls(t.values[0], 3, 3);
        t.aggregations = all_aggregations(t.values[0]);
        check_group_by(t, {.device = &d});
      }
    }
  }
}

TEST_CASE("group_by: numbers of rows around the edges of subgroups and tiles") {
  const Device& d = device(kTinyTiles);
  for (const std::uint64_t n :
       {0, 1, 2, 7, 8, 9, 127, 128, 129, 1023, 1024, 1025, 2047, 2048, 2049, 5000}) {
    for (const std::uint64_t groups : {1, 4, 100'000}) {
      CAPTURE(n);
      CAPTURE(groups);
      Table t{.keys = {random_column(Type::u32, n, groups, 1)},
              .values = {random_column(Type::f32, n, 1000, 2)},
              .aggregations = kFew};
      check_group_by(t, {.device = &d});
    }
  }
}

TEST_CASE("group_by: keys of every type, -0 and NaN among them") {
  const Device& d = device(kTinyTiles);
  for (const Type type : all_types()) {
    CAPTURE(std::string(name_of(type)));
    Table t{.keys = {random_column(type, 3000, 40, 1, Spread::even, true)},
            .values = {random_column(Type::u32, 3000, 1 << 30, 2)},
            .aggregations = kFew};
    check_group_by(t, {.device = &d});
    check_group_by(t, {.device = &d, .misalign = 1});
  }
}

TEST_CASE("group_by: float keys and distinct values by their bits") {
  Table t{.keys = {random_column(Type::f32, 3000, 40, 1, Spread::even, true)},
          .values = {random_column(Type::f32, 3000, 10, 2, Spread::even, true)},
          .aggregations = {{.op = Aggregate::count_rows}, {.op = Aggregate::distinct}}};
  check_group_by(t, {.device = &device(kTinyTiles), .float_order = FloatOrder::by_bits});
}

TEST_CASE("group_by: infinities and NaN among values") {
  const Device& d = device(kTinyTiles);
  for (const Type type : {Type::f32, Type::f64}) {
    if (type == Type::f64 && subset()) continue;
    Table t{.keys = {random_column(Type::u32, 3000, 900, 1)},
            .values = {random_column(type, 3000, 40, 2, Spread::even, true)}};
    t.aggregations = all_aggregations(t.values[0]);
    check_group_by(t, {.device = &d});
  }
  // Group 0 gets +inf, group 1 -inf, group 2 NaN and group 3 both infinities, without a sort.
  Table t{.keys = {random_column(Type::u32, 20'000, 50, 1)},
          .values = {random_column(Type::f32, 20'000, 1000, 2)},
          .aggregations = kFew};
  for (std::uint64_t i = 0; i < 500; ++i) {
    constexpr std::uint32_t kOdd[] = {0x7f800000u, 0xff800000u, 0x7fc00000u};
    const std::uint64_t key = t.keys[0].bits[i];
    if (key < 4) t.values[0].bits[i] = kOdd[key < 3 ? key : i % 2];
  }
  CHECK(check_group_by(t, {.device = &d, .extras = false, .method = GroupByMethod::automatic}));
}

TEST_CASE("group_by: a group of nulls or NaN alone has no such result, across tiles as well") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t n = 6000;
  Table t{.keys = {random_column(Type::u32, n, 1, 1)},
          .values = {with_nulls(random_column(Type::f32, n, 1000, 2), 3, 3)}};
  t.aggregations = all_aggregations(t.values[0]);
  t.aggregations.push_back({.op = Aggregate::variance, .population = true});
  for (std::uint64_t i = 0; i < n; ++i) {
    // Groups have one row, few rows, or more than a tile. Every third group has only nulls, and
    // every third only NaN.
    const std::uint64_t key = i < 100 ? i : i < 1000 ? 100 + i / 9 : 300 + i / 1500;
    t.keys[0].bits[i] = key;
    if (key % 3 == 1) t.values[0].valid[i] = false;
    if (key % 3 == 2) t.values[0].bits[i] = 0x7fc00000u;
  }
  t.keys[0].bits[n - 1] = 1000;
  t.values[0].valid[n - 1] = true;
  // All validity bits are wanted, then some that share a pass with others that are not wanted.
  for (const std::uint32_t validity : {~0u, 0x5a5u}) {
    check_group_by(t, {.device = &d, .validity = validity});
  }
}

TEST_CASE("group_by: several columns of keys, with nulls that are a group or dropped") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t n = 5000;
  for (const NullKeys null_keys : {NullKeys::group, NullKeys::drop}) {
    Table t{.keys = {random_column(Type::i32, n, 6, 1), random_column(Type::u64, n, 5, 2),
                     random_column(Type::f32, n, 7, 3, Spread::even, true)},
            .values = {random_column(Type::f32, n, 60, 4)},
            .aggregations = kFew};
    t.aggregations.push_back({.op = Aggregate::first});
    t.aggregations.push_back({.op = Aggregate::distinct});
    check_group_by(t, {.device = &d, .null_keys = null_keys});
    t.keys[0] = with_nulls(t.keys[0], 4, 5);
    check_group_by(t, {.device = &d, .null_keys = null_keys});
    t.keys[2] = with_nulls(t.keys[2], 3, 6);
    check_group_by(t, {.device = &d, .null_keys = null_keys, .misalign = 1});
    // There is one column of keys, first with nulls, then with nothing else.
    t.keys = {t.keys[0]};
    check_group_by(t, {.device = &d, .null_keys = null_keys});
    t.keys[0].valid.assign(n, false);
    check_group_by(t, {.device = &d, .null_keys = null_keys});
  }
}

TEST_CASE("group_by: large groups, small ones and some of each, in many tiles") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t n = subset() ? 20'000 : 300'000;
  std::uint32_t seed = 1;
  for (const std::uint64_t groups :
       {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{300}, n / 3}) {
    for (const Spread spread : {Spread::runs, Spread::skewed}) {
      CAPTURE(groups);
      Table t{.keys = {random_column(Type::u32, n, groups, seed++, spread)},
              .values = {random_column(Type::i32, n, 1 << 20, seed++)},
              .aggregations = kFew};
      t.aggregations.push_back({.op = Aggregate::arg_min});
      t.aggregations.push_back({.op = Aggregate::last});
      check_group_by(t, {.device = &d, .extras = false});
    }
  }
}

TEST_CASE("group_by: tiles in which all groups are short, and in which nearly all are") {
  // Groups have so many rows, again and again. Tiles of 1024 rows take different ways if they have
  // 256 parts, and if none of these has more than 8 rows.
  static_assert(VKP_GROUP_BY_TILE == 1024 && VKP_GROUP_BY_MANY == 256 && VKP_GROUP_BY_SHORT == 8);
  const std::vector<std::vector<std::uint64_t>> all_lengths{
      {1}, {4}, {5}, {1, 8}, {8, 1, 1, 1}, {1, 1, 1, 1, 9}, {1, 2, 1, 1, 8, 2}};
  const Device& d = device(kTinyTiles);
  std::size_t i = 0;
  for (const std::vector<std::uint64_t>& lengths : all_lengths) {
    for (const std::uint64_t n : {1024, 1025, 3071, 4000}) {
      Table t{.keys = {{.type = Type::u32}}};
      for (std::uint64_t key = 0; t.keys[0].bits.size() < n; ++key) {
        t.keys[0].bits.insert(t.keys[0].bits.end(), lengths[key % lengths.size()], key);
      }
      t.keys[0].bits.resize(n);
      const std::vector<Type> types = all_types();
      const Type type = types[i++ % types.size()];
      CAPTURE(lengths);
      CAPTURE(n);
      CAPTURE(std::string(name_of(type)));
      t.values = {random_column(type, n, 50, 2)};
      if (i % 3 == 0) t.values[0] = with_nulls(t.values[0], 3, 3);
      t.aggregations = all_aggregations(t.values[0]);
      GroupByOptions o{.device = &d, .capacity = i % 5 == 0 ? n / 3 : n, .misalign = i % 2};
      check_group_by(t, o);
      const auto count = device_count(n - 300);
      o.count = {n, count.address(), CountWidth::u64};
      o.used = n - 300;
      check_group_by(t, o);
    }
  }
}

TEST_CASE("group_by: values that are sorted with the keys") {
  const Device& d = device(kTinyTiles);
  for (const Type type : {Type::f32, Type::i64, Type::f64}) {
    if (type == Type::f64 && subset()) continue;
    CAPTURE(std::string(name_of(type)));
    Table t{.keys = {random_column(Type::f32, 5000, 300, 1, Spread::even, true)},
            .values = {random_column(type, 5000, 1 << 20, 2)},
            .aggregations = {{Aggregate::min}, {Aggregate::max}, {Aggregate::count}}};
    const bool computes = type != Type::f64 || has_float64();
    if (type != Type::f64) t.aggregations.push_back({Aggregate::sum});
    if (computes) t.aggregations.push_back({Aggregate::mean});
    check_group_by(t, {.device = &d, .misalign = 1, .extras = false});
    if (!computes) continue;
    t.aggregations = {{Aggregate::variance}, {Aggregate::mean}};
    check_group_by(t, {.device = &d, .extras = false});
  }
}

TEST_CASE("group_by: keys with a bound, as codes of a dictionary") {
  const Device& d = device(kTinyTiles);
  for (const Type type : {Type::u32, Type::u64}) {
    for (const std::uint64_t bound : {1, 200}) {
      Table t{.keys = {random_column(type, 3000, bound, 1)},
              .values = {random_column(Type::u32, 3000, 1000, 2)},
              .aggregations = kFew};
      check_group_by(t, {.device = &d, .bound = bound});
    }
  }
}

TEST_CASE("group_by: room for fewer groups than there are") {
  const Device& d = device(kTinyTiles);
  for (const std::uint64_t capacity : {0, 1, 31, 32, 33, 499, 500, 501}) {
    CAPTURE(capacity);
    Table t{.keys = {random_column(Type::u32, 5000, 500, 1, Spread::runs)},
            .values = {random_column(Type::f32, 5000, 1000, 2)},
            .aggregations = all_aggregations({.type = Type::f32, .bits = {}})};
    t.keys[0] = with_nulls(t.keys[0], 1000'000, 1);
    check_group_by(t, {.device = &d, .capacity = capacity});
  }
}

TEST_CASE("group_by: number of rows from the GPU") {
  const std::uint64_t n = 6000;
  for (const Tuning& tuning : tunings({Tuning{}, kTinyTiles})) {
    const Device& d = device(tuning);
    Table t{.keys = {random_column(Type::u32, n, 77, 1), random_column(Type::i32, n, 3, 2)},
            .values = {random_column(Type::u32, n, 1000, 3)},
            .aggregations = kFew};
    for (const std::uint64_t used : {0, 1, 1024, 3333, 6000, 9999}) {
      CAPTURE(used);
      const auto count = device_count(used);
      check_group_by(t,
                     {.device = &d, .count = {n, count.address(), CountWidth::u64}, .used = used});
    }
    t.keys[1] = with_nulls(t.keys[1], 3, 1);
    const auto count = device_count(std::uint32_t{2500});
    check_group_by(
        t,
        {.device = &d, .null_keys = NullKeys::drop, .count = {n, count.address()}, .used = 2500});
  }
}

TEST_CASE("group_by: a small number of rows from the GPU where there might be millions") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t n = 5'000'000;
  const auto keys = context().allocate<std::uint32_t>(n);
  context().write(keys, std::vector<std::uint32_t>{5, 3, 5, 5, 3, 9});
  const auto count = device_count(6u);
  const Guarded groups(8, 8), sizes(4 * 10);
  const GroupKey key;
  const GroupAggregation rows{.op = Aggregate::count_rows};
  const GroupByDesc desc{
      .keys = {&key, 1}, .aggregations = {&rows, 1}, .count = {n, count.address()}, .capacity = 10};
  const DirtyScratch scratch(group_by_scratch(d, desc));
  const BufferView in = keys.view(), out = sizes.view();
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_group_by(cmd, d, desc,
                                   {.keys = {&in, 1},
                                    .out = {&out, 1},
                                    .group_count = groups.view(),
                                    .scratch = scratch.get()}));
  });
  CHECK(groups.read<std::uint64_t>()[0] == 3);
  const auto found = sizes.read<std::uint32_t>();
  CHECK(std::vector<std::uint32_t>(found.begin(), found.begin() + 3) ==
        std::vector<std::uint32_t>{2, 3, 1});
}

TEST_CASE(
    "group_by: several columns of values, aggregations of all in any order, some of them twice") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t n = 3000;
  Table t{.keys = {random_column(Type::u32, n, 20, 1)},
          .values = {random_column(Type::f32, n, 1000, 2),
                     with_nulls(random_column(Type::i32, n, 1000, 3), 4, 1),
                     random_column(Type::u64, n, 1000, 4)},
          .aggregations = {{Aggregate::count_rows},
                           {Aggregate::mean, 1},
                           {Aggregate::sum, 0},
                           {Aggregate::variance, 1},
                           {Aggregate::variance, 1, true},
                           {Aggregate::sum, 2},
                           {Aggregate::max, 1},
                           {Aggregate::sum, 0},
                           {Aggregate::mean, 1},
                           {Aggregate::count, 1},
                           {Aggregate::count, 2},
                           {Aggregate::distinct, 1}}};
  check_group_by(t, {.device = &d});
}

TEST_CASE("group_by: sums of floats that nearly cancel, and of very different size") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t n = 20'000;
  Table t{.keys = {random_column(Type::u32, n, 7, 1)},
          .values = {random_column(Type::f32, n, 1000, 2)},
          .aggregations = {{Aggregate::sum}, {Aggregate::mean}, {Aggregate::variance}}};
  for (std::uint64_t i = 0; i < n; ++i) {
    const float x = static_cast<float>((i / 2 * 2654435761u % 1000 + 1) *
                                       std::ldexp(1.0, static_cast<int>(i / 2 % 60) - 30));
    t.values[0].bits[i] = std::bit_cast<std::uint32_t>(i % 2 ? -x * 1.0001f : x);
    t.keys[0].bits[i] = t.keys[0].bits[i / 2 * 2];
  }
  check_group_by(t, {.device = &d});
}

TEST_CASE("group_by: recorded twice in one command buffer, and replayed 100 times, dirty scratch") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t n = 2500;
  const auto count = device_count(static_cast<std::uint32_t>(n));
  Table t{.keys = {random_column(Type::u32, n, 300, 1), random_column(Type::u32, n, 2, 2)},
          .values = {random_column(Type::f32, n, 1 << 20, 3)},
          .aggregations = {{Aggregate::sum}, {Aggregate::max}}};
  const GroupByOptions o{.device = &d, .count = {n, count.address()}};
  const DeviceTable tables[] = {DeviceTable(t, o), DeviceTable(t, o)};
  const DirtyScratch scratch(group_by_scratch(d, tables[0].desc()));
  std::vector<std::uint64_t> first;
  int different = 0;
  replay(
      d, [] {},
      [&](VkCommandBuffer cmd, std::uint64_t i) {
        return record_group_by(cmd, d, tables[i].desc(), tables[i].buffers(scratch.get()));
      },
      [&] {
        const auto sums = tables[0].result(0);
        if (first.empty()) first = sums;
        different += sums != first || tables[1].result(0) != first;
      });
  CHECK(different == 0);  // equal to the bit
  for (const DeviceTable& table : tables) table.check();
}

TEST_CASE("group_by: a step of a Recorder") {
  const auto keys = context().upload(std::vector<std::int32_t>{7, -1, 7, 7, -1});
  const auto values = context().upload(std::vector<float>{1, 2, 3, 4, 5});
  const auto out_keys = context().allocate<std::int32_t>(5);
  const auto sums = context().allocate<float>(5);
  const auto count = context().allocate<std::uint64_t>(1);
  const GroupKey key{.type = Type::i32};
  const GroupValue value{.type = Type::f32};
  const GroupAggregation sum{.op = Aggregate::sum};
  const BufferView in = keys.view(), in_values = values.view(), key_view = out_keys.view(),
                   sum_view = sums.view();
  context().run([&](Recorder& r) {
    group_by(r, {.keys = {&key, 1}, .values = {&value, 1}, .aggregations = {&sum, 1}, .count = 5},
             {.keys = {&in, 1},
              .values = {&in_values, 1},
              .out_keys = {&key_view, 1},
              .out = {&sum_view, 1},
              .group_count = count.view()});
  });
  CHECK(context().download(count)[0] == 2);
  CHECK(context().download(out_keys, 0, 2) == std::vector<std::int32_t>{-1, 7});
  CHECK(context().download(sums, 0, 2) == std::vector<float>{7, 8});
}

TEST_CASE("group_by: warm_up builds what any count and any outputs need") {
  DeviceInfo info = device(kTinyTiles).state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  Device d;
  throw_if_error(create_device(info, limits(), d));
  Table t{.keys = {random_column(Type::u32, 3000, 9, 1),
                   with_nulls(random_column(Type::u32, 3000, 3, 2), 3, 3)},
          .values = {random_column(Type::f32, 3000, 9, 1)},
          .aggregations = {{Aggregate::sum}, {Aggregate::count_rows}, {Aggregate::distinct}}};
  const auto count = device_count(100u);
  const auto record = [&](VkCommandBuffer cmd, const GroupByOptions& o) {
    const DeviceTable table(t, o);
    const DirtyScratch scratch(group_by_scratch(d, table.desc()));
    return record_group_by(cmd, d, table.desc(), table.buffers(scratch.get()));
  };
  expect_error(Status::not_warmed, {"warm_up"},
               [&](VkCommandBuffer cmd) { return record(cmd, {.device = &d}); });
  throw_if_error(warm_up(d, DeviceTable(t, {.device = &d}).desc()));
  context().record([&](Recorder& r) {
    r.commands([&](VkCommandBuffer cmd) {
      for (const bool extras : {false, true}) {
        for (const Count& n : {Count(3000), Count(3000, count.address())}) {
          throw_if_error(record(cmd, {.device = &d, .count = n, .misalign = 1, .extras = extras}));
        }
      }
    });
  });
}

TEST_CASE("group_by: the size query is monotone in the count and 0 for an invalid descriptor") {
  const GroupKey key{.type = Type::u64};
  const GroupValue value{.type = Type::f32};
  const auto list = ops({Aggregate::sum, Aggregate::distinct});
  GroupByDesc desc{.keys = {&key, 1}, .values = {&value, 1}, .aggregations = list};
  for (const Tuning& tuning : {Tuning{}, kTinyTiles}) {
    for (const VkDeviceAddress address : {0, 8}) {
      VkDeviceSize last = 0;
      for (std::uint64_t n = 1; n <= kMaxGroupRows; n *= 2) {
        desc.count = {n, address};
        const VkDeviceSize bytes = group_by_scratch(device(tuning), desc).bytes;
        CHECK(bytes >= last);
        last = bytes;
      }
    }
  }
  CHECK(group_by_scratch(Device(), desc).bytes == 0);
  desc.count = kMaxGroupRows + 1;
  CHECK(group_by_scratch(device(), desc).bytes == 0);
}

TEST_CASE("group_by: wrong input is refused by name before anything is recorded") {
  const Device& d = device(kTinyTiles);
  const auto memory = context().allocate<std::uint32_t>(1 << 18);
  const auto at = [&](std::uint64_t from, std::uint64_t words) {
    return memory.slice(from, words).view();
  };
  static GroupKey keys[2];
  static GroupValue value;
  static GroupAggregation aggregations[2];
  keys[1] = {.type = Type::i32, .nullable = true};
  value = {.type = Type::f32, .nullable = true};
  aggregations[1] = {.op = Aggregate::mean};
  const GroupByDesc desc{.keys = keys,
                         .values = {&value, 1},
                         .aggregations = aggregations,
                         .count = 1000,
                         .capacity = 100};
  const ScratchNeed need = group_by_scratch(d, desc);
  static BufferView key_views[2], validity[2], value_view, value_validity, out_keys[2],
      out_validity[2], out[2], out_bits[2];
  const auto reset = [&] {
    key_views[0] = at(0, 1000), key_views[1] = at(1000, 1000), validity[1] = at(2000, 32);
    value_view = at(3000, 1000), value_validity = at(4000, 32);
    out_keys[0] = at(5000, 100), out_keys[1] = at(5100, 100), out_validity[1] = at(5200, 4);
    out[0] = at(5300, 100), out[1] = at(5400, 200), out_bits[1] = at(5600, 4);
  };
  reset();
  const GroupByBuffers good{.keys = key_views,
                            .key_validity = validity,
                            .values = {&value_view, 1},
                            .value_validity = {&value_validity, 1},
                            .out_keys = out_keys,
                            .out_key_validity = out_validity,
                            .out = out,
                            .out_validity = out_bits,
                            .group_count = at(6000, 2),
                            .offsets = at(6010, 101),
                            .order = at(6200, 1000),
                            .report = at(8000, 8),
                            .scratch = scratch_view(d, memory.handle(), 4 * 10'000, need.bytes)};
  const WrongInput wrong(d, &record_group_by, desc, good);
  wrong.anywhere();
  wrong.scratch("group_by_scratch()");
  wrong.desc({"float_order is 2"}, [](auto& x) { x.float_order = FloatOrder(2); });
  wrong.desc({"keys is empty"}, [](auto& x) { x.keys = {}; });
  wrong.desc({"count is 2147483649", "2147483648"}, [](auto& x) { x.count = kMaxGroupRows + 1; });
  wrong.desc({"capacity is 2147483649"}, [](auto& x) { x.capacity = kMaxGroupRows + 1; });
  wrong.desc({"null_keys is 2"}, [](auto& x) { x.null_keys = NullKeys(2); });
  wrong.desc({"method is 5"}, [](auto& x) { x.method = GroupByMethod(5); });
  wrong.desc({"schedule is 3"}, [](auto& x) { x.schedule = Schedule(3); });
  const std::vector<GroupKey> many(9);
  wrong.desc({"keys.size() is 9", "8"}, [&](auto& x) { x.keys = many; });
  const GroupKey bad_keys[] = {
      {.type = Type(9)}, {.type = Type::i32, .bound = 7}, {.type = Type::u32, .bound = ~0ull}};
  wrong.desc({"keys: type is 9"}, [&](auto& x) { x.keys = {bad_keys, 1}; });
  wrong.desc({"bound of a key is 7", "i32"}, [&](auto& x) { x.keys = {bad_keys + 1, 1}; });
  wrong.desc({"bound of a key", "4294967296"}, [&](auto& x) { x.keys = {bad_keys + 2, 1}; });
  const GroupValue bad_value{.type = Type(7)};
  wrong.desc({"values: type is 7"}, [&](auto& x) { x.values = {&bad_value, 1}; });
  const GroupAggregation bad[] = {{.op = Aggregate(12)}, {.op = Aggregate::min, .value = 1}};
  wrong.desc({"op of an aggregation is 12"}, [&](auto& x) { x.aggregations = {bad, 1}; });
  wrong.desc({"value of an aggregation is 1", "1 columns"}, [&](auto& x) {
    x.aggregations = {bad + 1, 1};
  });
  const auto change = [&](std::initializer_list<const char*> words, BufferView& view, auto&& f) {
    wrong.buffers(words, [&](auto&) { f(view); });
    reset();
  };
  const auto shorter = [](BufferView& v) { v.bytes -= 1; };
  change({"keys[1].bytes is 3999", "4000"}, key_views[1], shorter);
  change({"keys[0].address", "multiple of 4"}, key_views[0], [](BufferView& v) { v.address += 2; });
  change({"key_validity[1].bytes is 127", "128"}, validity[1], shorter);
  change({"values[0].address is 0"}, value_view, [](BufferView& v) { v = {}; });
  change({"value_validity[0].bytes is 127"}, value_validity, shorter);
  change({"out_keys[1].bytes is 399"}, out_keys[1], shorter);
  change({"out_key_validity[1].bytes is 15"}, out_validity[1], shorter);
  change({"out[1].bytes is 799", "800"}, out[1], shorter);
  change({"out[0].address is 0"}, out[0], [](BufferView& v) { v = {}; });
  change({"out_validity[1].bytes is 15", "16"}, out_bits[1], shorter);
  change({"out_validity[1].address", "multiple of 4"}, out_bits[1],
         [](BufferView& v) { v.address += 1; });
  change({"out[1] [", "out_validity[1] [", "overlap"}, out_bits[1],
         [](BufferView& v) { v.address = out[1].address; });
  change({"keys[0] [", "out[0] [", "overlap"}, out[0],
         [](BufferView& v) { v.address = key_views[0].address; });
  change({"out[0] [", "out[1] [", "overlap"}, out[1],
         [](BufferView& v) { v.address = out[0].address; });
  wrong.buffers({"keys[0].address is 0"}, [](auto& x) { x.keys = {}; });
  wrong.buffers({"group_count.address is 0"}, [](auto& x) { x.group_count = {}; });
  wrong.buffers({"group_count.bytes is 7"}, [](auto& x) { x.group_count.bytes = 7; });
  wrong.buffers({"offsets.bytes is 403", "404"}, [](auto& x) { x.offsets.bytes = 403; });
  wrong.buffers({"order.bytes is 3999"}, [](auto& x) { x.order.bytes = 3999; });
  wrong.buffers({"report.bytes is 31", "32"}, [](auto& x) { x.report.bytes = 31; });
  wrong.buffers({"order [", "scratch [", "overlap"},
                [](auto& x) { x.scratch.address = x.order.address; });
  CHECK(warm_up(Device(), desc) == Status::invalid_argument);
  CHECK(warm_up(d, GroupByDesc{}) == Status::invalid_argument);
}

TEST_CASE("group_by: only sums, means and variances of f64 need a feature of the device") {
  DeviceInfo info = device().state()->info;
  info.enabled.int64 = info.enabled.int64_atomics = info.enabled.float64 = false;
  Device narrow;
  throw_if_error(create_device(info, limits(), narrow));
  Table t{.keys = {random_column(Type::i64, 2000, 30, 1)},
          .values = {random_column(Type::f64, 2000, 30, 2), random_column(Type::i64, 2000, 1000, 3),
                     random_column(Type::f32, 2000, 1000, 4)},
          .aggregations = {{Aggregate::min},
                           {Aggregate::arg_max},
                           {Aggregate::sum, 1},
                           {Aggregate::mean, 1},
                           {Aggregate::variance, 1},
                           {Aggregate::variance, 2}}};
  check_group_by(t, {.device = &narrow});
  for (const Aggregate op : {Aggregate::sum, Aggregate::mean, Aggregate::variance}) {
    t.aggregations = {{op}};
    const DeviceTable table(t, {.device = &narrow});
    expect_error(Status::unsupported, {"f64", "float64"}, [&](VkCommandBuffer cmd) {
      return record_group_by(cmd, narrow, table.desc(), table.buffers({}));
    });
  }
}

TEST_CASE("group_by: smoke" * doctest::test_suite("smoke")) {
  Table t{.keys = {random_column(Type::u32, 1500, 30, 1)},
          .values = {random_column(Type::f32, 1500, 1000, 2)},
          .aggregations = kFew};
  check_group_by(t, {.device = &device()});
}

TEST_CASE("group_by: push constants of the shaders and of C++ have the same layout") {
  CHECK(push_matches(spirv::group_by_begin, sizeof(abi::GroupByBeginPush)));
  CHECK(push_matches(spirv::group_by_heads_word, sizeof(abi::GroupByColumnPush)));
  CHECK(push_matches(spirv::group_by_groups_word, sizeof(abi::GroupByGroupsPush)));
  CHECK(push_matches(spirv::group_by_sizes, sizeof(abi::GroupByRowsPush)));
  CHECK(push_matches(spirv::group_by_result_validity, sizeof(abi::GroupByRowsPush)));
  CHECK(push_matches(spirv::group_by_dense_groups, sizeof(abi::GroupByDenseGroupsPush)));
  CHECK(push_matches(spirv::group_by_reduce_stats_word, sizeof(abi::GroupByReducePush)));
}

}  // namespace vkprims::test
