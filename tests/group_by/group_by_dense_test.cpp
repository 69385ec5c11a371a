// Keys that lie in a window, whose groups take no sort.
#include "group_by/group_by/group_by.abi.h"
#include "group_by/group_by_check.hpp"

namespace vkprims::test {
namespace {

// Checks a call whose bound does not hold. Its groups are unspecified, but there are no more groups
// than rows, and nothing is written past them.
void check_missed_bound(const Table& t, const GroupByOptions& o) {
  const DeviceTable table(t, o);
  const DirtyScratch scratch(group_by_scratch(*o.device, table.desc()));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_group_by(cmd, *o.device, table.desc(), table.buffers(scratch.get())));
  });
  CHECK(table.group_count() >= 100);
  CHECK(table.group_count() <= t.keys[0].bits.size());
  for (std::size_t a = 0; a < t.aggregations.size(); ++a) table.result(a);
}

// Returns how many keys a window has for a sum of f32.
std::uint64_t widest_window(const Device& d) {
  Table t{.keys = {{.type = Type::u32, .bits = std::vector<std::uint64_t>(9000)}},
          .values = {{.type = Type::f32, .bits = std::vector<std::uint64_t>(9000)}},
          .aggregations = {{Aggregate::sum}}};
  const DeviceTable table(t, {.device = &d, .method = GroupByMethod::automatic});
  return plan_group_by(*d.state(), d, table.desc()).dense.slots;
}

// Returns a tuning with few workgroups, which have several tiles each.
Tuning few_workgroups() {
  Tuning tuning = kTinyTiles;
  tuning.max_reduce_groups = 4;
  return tuning;
}

}  // namespace

TEST_CASE("group_by: keys in a window, found by samples or by a bound, of every type of values") {
  const Device& d = device(few_workgroups());
  const std::uint64_t n = 20'000;
  for (const Type type : {Type::u32, Type::i32, Type::f32}) {
    if (type == Type::u32 && subset()) continue;
    for (const std::uint64_t groups : {1, 2, 200, 256, 300, 512}) {
      CAPTURE(std::string(name_of(type)));
      CAPTURE(groups);
      Table t{.keys = {random_column(groups % 3 ? Type::u32 : Type::i32, n, groups, 1)},
              .values = {random_column(type, n, 1 << 20, 2, Spread::even, groups == 300)},
              .aggregations = kFew};
      t.aggregations.push_back({.op = Aggregate::count_rows});
      GroupByOptions o{.device = &d, .extras = false, .method = GroupByMethod::automatic};
      o.keys = true;
      CHECK(check_group_by(t, o) == (groups <= widest_window(d)));
      o.misalign = 1;
      if (groups == 200) check_group_by(t, o);
      o.bound = t.keys[0].type == Type::u32 ? groups : 0;
      if (o.bound) check_group_by(t, o);
    }
  }
}

TEST_CASE("group_by: few rows are sorted unless a bound is given, and keys of many looked at") {
  Tuning tuning = few_workgroups();
  tuning.single_sort_count = 500;
  tuning.group_sort_count = 5000;
  const Device& d = device(tuning);
  for (const std::uint64_t n : {500, 501, 5000, 5001}) {
    for (const std::uint64_t bound : {0, 100}) {
      CAPTURE(n);
      CAPTURE(bound);
      Table t{.keys = {random_column(Type::u32, n, 100, 1)},
              .values = {random_column(Type::f32, n, 50, 2)},
              .aggregations = kFew};
      GroupByOptions o{.device = &d, .bound = bound, .extras = false};
      o.method = GroupByMethod::automatic;
      CHECK(check_group_by(t, o) == (n > (bound ? 500 : 5000)));
    }
  }
}

TEST_CASE("group_by: counters in shared memory as full as they can be") {
  const Device& d = device(few_workgroups());
  const std::uint64_t n = 50'000;
  for (const Type type : {Type::u32, Type::i32, Type::f32}) {
    for (const std::uint64_t groups : {1, 300}) {
      CAPTURE(std::string(name_of(type)));
      CAPTURE(groups);
      // These values set all bits of the counters: integers are the largest ones, and floats are
      // just below a power of two. A second key of 300 makes the window wide.
      const std::uint64_t value = type == Type::f32 ? 0x3f7fffff : 0xffffffff;
      Table t{.keys = {{.type = Type::u32, .bits = std::vector<std::uint64_t>(n, 1)}},
              .values = {{.type = type, .bits = std::vector<std::uint64_t>(n, value)}},
              .aggregations = kFew};
      for (std::uint64_t i = 0; i < n; i += 64) t.keys[0].bits[i] = groups;
      // Values are greater from the second turn on, so that all rows of the first tile need another
      // unit.
      constexpr std::uint64_t kTurn = VKP_GROUP_BY_DENSE_TURN_ROWS * VKP_GROUP_BY_DENSE_WORKGROUP;
      for (std::uint64_t i = kTurn; i < n && type == Type::f32; ++i) {
        t.values[0].bits[i] = 0x407fffff;
      }
      GroupByOptions o{.device = &d, .extras = false, .method = GroupByMethod::automatic};
      o.keys = true;
      CHECK(check_group_by(t, o) == (groups <= widest_window(d)));
    }
  }
}

TEST_CASE("group_by: minima and maxima of floats, -0 and denormals among them, without a sort") {
  const Device& d = device(few_workgroups());
  constexpr std::uint32_t kSmall[] = {0,           0x80000000u, 1,           0x80000001u,
                                      0x007fffffu, 0x807fffffu, 0x00800000u, 0x80800000u};
  const std::uint64_t n = 20'000;
  Table t{.keys = {random_column(Type::u32, n, 250, 1)},
          .values = {random_column(Type::f32, n, 8, 2)},
          .aggregations = {{Aggregate::min}, {Aggregate::max}, {Aggregate::count}}};
  for (std::uint64_t i = 0; i < n; ++i) {
    // Some groups have few of these values, and others come only in the second half of the rows.
    const std::uint64_t kinds = 1 + t.keys[0].bits[i] % 8;
    t.values[0].bits[i] = kSmall[i * 7 / 5 % kinds * (1 + i / (n / 2)) % 8];
  }
  GroupByOptions o{.device = &d, .extras = false, .method = GroupByMethod::automatic};
  CHECK(check_group_by(t, o));
}

TEST_CASE("group_by: sums whose unit becomes 2^31 to 2^70 times as large at once, without a sort") {
  const Device& d = device(few_workgroups());
  const std::uint64_t n = 20'000;
  for (const int jump : {1, 31, 32, 33, 40, 62, 63, 70}) {
    CAPTURE(jump);
    Table t{.keys = {random_column(Type::u32, n, 7, 1)},
            .values = {random_column(Type::f32, n, 8, 2)},
            .aggregations = {{Aggregate::sum}}};
    for (std::uint64_t i = 0; i < n; ++i) {
      // Many small values of one sign come first, then a few large ones that cancel each other.
      const bool small = i < n - 2000;
      const double x = small ? -1.5 : i % 2 ? 1.25 : -1.25;
      const auto scaled = static_cast<float>(std::ldexp(x, small ? -jump : 0));
      t.values[0].bits[i] = std::bit_cast<std::uint32_t>(scaled);
    }
    GroupByOptions o{.device = &d, .extras = false, .method = GroupByMethod::automatic};
    CHECK(check_group_by(t, o));
  }
}

TEST_CASE(
    "group_by: keys that only just lie in a window, or miss it, or that nobody has foreseen") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t n = 20'000;
  GroupByOptions o{.device = &d, .extras = false, .method = GroupByMethod::automatic};
  o.keys = true;
  Table t{.keys = {random_column(Type::u32, n, 100, 1)},
          .values = {random_column(Type::f32, n, 1 << 20, 2)},
          .aggregations = kFew};
  for (const std::uint32_t base : {0u, 1u, 1000u, 0x7fffff80u, 0xffffff00u, 0xffffff9cu}) {
    CAPTURE(base);
    Table moved = t;
    for (auto& key : moved.keys[0].bits) key += base;
    CHECK(check_group_by(moved, o));
    moved.keys[0].type = Type::i32;
    CHECK(check_group_by(moved, o));
  }
  // A single row has a key outside the window: the first row, the last one, or one in between.
  for (const std::uint64_t row : {std::uint64_t{0}, n / 2 + 1, n - 1}) {
    for (const std::uint32_t key : {2000u, 0xffffffffu}) {
      CAPTURE(row);
      CAPTURE(key);
      Table odd = t;
      odd.keys[0].bits[row] = key;
      CHECK(!check_group_by(odd, o));
      o.bound = 100;  // this bound does not hold
      if (key != 0xffffffffu) check_missed_bound(odd, o);
      o.bound = 0;
    }
  }
  // One row has the last key of the window, which begins at 0, or the first key behind it. Most of
  // these rows are not samples.
  for (const std::uint32_t key :
       {VKP_GROUP_BY_DENSE_LEAST_SLOTS - 1, VKP_GROUP_BY_DENSE_LEAST_SLOTS}) {
    for (const std::uint64_t row : {std::uint64_t{1}, std::uint64_t{2}, n / 2 + 1, n - 2}) {
      CAPTURE(row);
      CAPTURE(key);
      Table odd = t;
      odd.keys[0].bits[row] = key;
      check_group_by(odd, o);
    }
  }
  // First there are far too many keys, then fewer groups than keys.
  t.keys = {random_column(Type::u32, n, 1 << 20, 3)};
  CHECK(!check_group_by(t, o));
  t.keys = {random_column(Type::u32, n, 200, 3)};
  for (auto& key : t.keys[0].bits) key = key / 7 * 7;
  check_group_by(t, o);
  o.capacity = 10;
  CHECK(check_group_by(t, o));
  o.capacity = {};
  for (const std::uint64_t bound : {0, 200}) {
    o.bound = bound;
    for (const std::uint64_t used : {0, 1, 5000}) {
      const auto count = device_count(used);
      o.count = {n, count.address(), CountWidth::u64};
      o.used = used;
      check_group_by(t, o);
    }
  }
}

TEST_CASE(
    "group_by: sums of floats of very different size without a sort, to the bit from run to run") {
  const Device& d = device(few_workgroups());
  const std::uint64_t n = 40'000;
  GroupByOptions o{.device = &d, .extras = false, .method = GroupByMethod::automatic};
  Table t{.keys = {random_column(Type::u32, n, 9, 1)},
          .values = {random_column(Type::f32, n, 1 << 20, 2)},
          .aggregations = {{Aggregate::sum}}};
  for (std::uint64_t i = 0; i < n; ++i) {  // growing, so that units change on the way
    const double x = static_cast<double>(i * 2654435761u % 1000) - 480;
    const auto scaled = static_cast<float>(std::ldexp(x, static_cast<int>(i * 40 / n) - 20));
    t.values[0].bits[i] = std::bit_cast<std::uint32_t>(scaled);
  }
  const DeviceTable table(t, o);
  const DirtyScratch scratch(group_by_scratch(d, table.desc()));
  std::vector<std::uint64_t> first;
  int different = 0;
  replay(
      d, [] {},
      [&](VkCommandBuffer cmd, std::uint64_t) {
        return record_group_by(cmd, d, table.desc(), table.buffers(scratch.get()));
      },
      [&] {
        const auto sums = table.result(0);
        if (first.empty()) first = sums;
        different += sums != first;
      });
  CHECK(different == 0);
  table.check();
}

}  // namespace vkprims::test
