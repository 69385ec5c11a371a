// Tests of group_by with typed columns.
#include "vkprims/group_by_columns.hpp"

#include "support/support.hpp"

namespace vkprims::test {
namespace {

template <class T>
using Column = std::vector<std::optional<T>>;

constexpr auto kNull = std::nullopt;

template <class T>
Column<T> column(const Groups& g, std::size_t i) {
  return download_groups(context(), g.column<T>(i), g.count);
}

// Six rows: key -1 has the prices 2 and 5, key 5 a null, and key 7 the prices 1, 3 and a null.
struct Sales {
  Buffer<std::int32_t> key = context().upload(std::vector<std::int32_t>{7, -1, 7, 7, -1, 5});
  Buffer<float> price = context().upload(std::vector<float>{1, 2, 3, 100, 5, 100});
  Buffer<std::uint32_t> priced = context().upload(std::vector<std::uint32_t>{0b010111});
};

Groups group(const GroupByColumn& key, std::initializer_list<GroupByRequest> requests,
             const GroupByOptions& options = {}) {
  Groups g;
  context().run([&](Recorder& r) { g = group_by(r, {key}, requests, options); });
  return g;
}

}  // namespace

TEST_CASE("group_by columns: a list of aggregations and values gives typed columns with validity") {
  const Sales s;
  Groups g;
  context().run([&](Recorder& r) {
    g = group_by(r, s.key,
                 {{Aggregate::sum, {s.price, s.priced}},
                  {Aggregate::count, {s.price, s.priced}},
                  {Aggregate::count_rows},
                  {Aggregate::mean, {s.price, s.priced}},
                  {Aggregate::min, {s.price, s.priced}},
                  {Aggregate::variance, {s.price, s.priced}},
                  {Aggregate::variance, {s.price, s.priced}, true},
                  {Aggregate::last, {s.price, s.priced}},
                  {Aggregate::max, s.key}});
  });
  CHECK(context().download(g.count)[0] == 3);
  CHECK(g.keys() == 1);
  CHECK(g.columns() == 9);
  CHECK(g.key_type(0) == Type::i32);
  CHECK(g.column_type(3) == Type::f64);
  CHECK(download_groups(context(), g.key<std::int32_t>(0), g.count) ==
        Column<std::int32_t>{-1, 5, 7});
  CHECK(column<float>(g, 0) == Column<float>{7, 0, 4});
  CHECK(column<std::uint32_t>(g, 1) == Column<std::uint32_t>{2, 0, 2});
  CHECK(column<std::uint32_t>(g, 2) == Column<std::uint32_t>{2, 1, 3});
  CHECK(column<double>(g, 3) == Column<double>{3.5, kNull, 2});
  CHECK(column<float>(g, 4) == Column<float>{2, kNull, 1});
  CHECK(column<double>(g, 5) == Column<double>{4.5, kNull, 2});
  CHECK(column<double>(g, 6) == Column<double>{2.25, kNull, 1});
  CHECK(column<float>(g, 7) == Column<float>{5, kNull, 3});
  CHECK(column<std::int32_t>(g, 8) == Column<std::int32_t>{-1, 5, 7});
  // Columns that cannot have nulls have no validity bits.
  CHECK(g.key<std::int32_t>(0).validity.size() == 0);
  CHECK(g.column<float>(0).validity.size() == 0);
  CHECK(g.column<std::int32_t>(8).validity.size() == 0);
}

TEST_CASE("group_by columns: several keys, null ones among them, and the order of the rows") {
  const Sales s;
  const auto shop = context().upload(std::vector<std::uint32_t>{1, 0, 1, 0, 0, 1});
  const auto known =
      context().upload(std::vector<std::uint32_t>{0b111101});  // all rows except the second one
  for (const NullKeys null_keys : {NullKeys::group, NullKeys::drop}) {
    Groups g;
    context().run([&](Recorder& r) {
      const GroupByColumn codes(shop, known);
      g = group_by(r, {codes.below(2), s.key}, {{Aggregate::sum, s.price}},
                   {.null_keys = null_keys, .order = true});
    });
    Column<std::uint32_t> shops{0, 0, 1, 1, kNull};
    Column<std::int32_t> keys{-1, 7, 5, 7, -1};
    Column<float> sums{5, 100, 100, 4, 2};
    std::vector<std::uint32_t> offsets{0, 1, 2, 3, 5, 6}, order{4, 3, 5, 0, 2, 1};
    if (null_keys == NullKeys::drop) {
      shops.pop_back(), keys.pop_back(), sums.pop_back(), offsets.pop_back();
    }
    CHECK(download_groups(context(), g.key<std::uint32_t>(0), g.count) == shops);
    CHECK(download_groups(context(), g.key<std::int32_t>(1), g.count) == keys);
    CHECK(column<float>(g, 0) == sums);
    CHECK(context().download(g.offsets, 0, offsets.size()) == offsets);
    CHECK(context().download(g.order) == order);
  }
}

TEST_CASE("group_by columns: rows from the GPU, room for fewer groups, no rows") {
  const Sales s;
  const auto count = device_count(3u);
  Groups g = group(s.key, {{Aggregate::count_rows}, {Aggregate::min, {s.price, s.priced}}},
                   {.rows = Count(6, count.address())});
  CHECK(column<std::uint32_t>(g, 0) == Column<std::uint32_t>{1, 2});
  CHECK(column<float>(g, 1) == Column<float>{2, 1});
  g = group(s.key, {{Aggregate::min, {s.price, s.priced}}}, {.capacity = 2});
  CHECK(context().download(g.count)[0] == 3);
  CHECK(column<float>(g, 0) == Column<float>{2, kNull});
  CHECK(g.column<float>(0).values.size() == 2);
  g = group(s.key, {{Aggregate::min, s.price}}, {.rows = Count(0)});
  CHECK(context().download(g.count)[0] == 0);
  CHECK(column<float>(g, 0).empty());
}

TEST_CASE("group_by columns: what cannot be is refused by name") {
  const Sales s;
  const auto five = context().allocate<float>(5);
  const auto refused = [](auto&& f, const char* words) {
    CHECK_THROWS_WITH_AS(f(), doctest::Contains(words), Error);
  };
  refused(
      [&] {
        group(s.key, {{Aggregate::count_rows}, {Aggregate::sum, five}});
      },
      "the column of aggregation 1 has 5 rows, key 0 has 6");
  refused([&] { group(s.key, {{Aggregate::mean}}); }, "aggregation 0 has no column of values");
  refused([&] { group(s.key, {}, {.rows = Count(7)}); }, "rows is 7, the keys have 6");
  refused(
      [&] {
        context().run([&](Recorder& r) { group_by(r, {s.key, five}, {{Aggregate::count_rows}}); });
      },
      "the column of key 1 has 5 rows, key 0 has 6");
  refused([&] { context().run([&](Recorder& r) { group_by(r, std::span<GroupByColumn>(), {}); }); },
          "keys is empty");
  const Groups g = group(s.key, {{Aggregate::sum, s.price}});
  refused([&] { g.column<double>(0); }, "column 0 is of type f32, it was asked for as f64");
  refused([&] { g.column<float>(1); }, "column 1 was asked for, there are 1");
  refused([&] { g.key<std::uint32_t>(0); }, "key 0 is of type i32, it was asked for as u32");
}

}  // namespace vkprims::test
