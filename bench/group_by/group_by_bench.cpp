// Benchmark rows of group_by.
#include <algorithm>
#include <unordered_map>

#include "harness.hpp"
#include "vkprims/group_by.hpp"

namespace vkprims::bench {
namespace {

struct Shape {
  std::uint64_t groups =
      256;                // keys are numbers below that, at random; 0: distributed by Zipf's law
  bool two_keys = false;  // the other column has 256 different keys, too
  bool sum_only = false;
  bool bounded = false;  // the caller knows the bound of the keys
  GroupByMethod method = GroupByMethod::automatic;
};

// The expected results of a group. Sums are exact, whatever their order.
struct Totals {
  double sum = 0;
  std::uint64_t whole_sum = 0;
  float low = 0, high = 0;
  std::uint32_t count = 0;
};

template <class T>
struct GroupBy {
  Buffer<std::uint32_t> keys[2], out_keys[2], counts;
  Buffer<T> values;
  Buffer<float> sums, lows, highs;
  Buffer<std::uint64_t> whole_sums, group_count;
  Session::ScratchBlock scratch;
  std::vector<GroupKey> key_columns;
  GroupValue value_column;
  std::vector<GroupAggregation> aggregations;
  std::vector<BufferView> key_views, out_key_views, out_views;
  BufferView value_view;
  GroupByDesc desc;
  GroupByBuffers buffers;
};

std::uint32_t key_of(const Shape& shape, std::uint64_t i) {
  if (shape.groups == 0) return data_word(Data::zipf, i);
  return static_cast<std::uint32_t>(std::uint64_t{mix_bits(i)} * shape.groups >> 32);
}
std::uint32_t second_key_of(std::uint64_t i) {
  return mix_bits(i + (std::uint64_t{1} << 40)) & 255;
}

std::vector<std::uint32_t> numbers(std::uint64_t n, auto&& f) {
  std::vector<std::uint32_t> x(n);
  for (std::uint64_t i = 0; i < n; ++i) x[i] = f(i);
  return x;
}

// The expected groups, in the order of their keys.
template <class T>
std::vector<std::pair<std::uint64_t, Totals>> expected_groups(const Shape& shape, std::uint64_t n) {
  std::unordered_map<std::uint64_t, Totals> groups;
  const std::vector<T> values = host_data<T>(data_for<T>(), n);
  for (std::uint64_t i = 0; i < n; ++i) {
    std::uint64_t key = key_of(shape, i);
    if (shape.two_keys) key = key << 32 | second_key_of(i);
    Totals& t = groups[key];
    const auto x = static_cast<float>(values[i]);
    if constexpr (sizeof(T) == 8) {
      t.whole_sum += values[i];
    } else {
      t.sum += x;
    }
    t.low = t.count ? std::min(t.low, x) : x;
    t.high = t.count ? std::max(t.high, x) : x;
    ++t.count;
  }
  std::vector<std::pair<std::uint64_t, Totals>> list(groups.begin(), groups.end());
  std::sort(list.begin(), list.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  return list;
}

template <class T>
std::string mismatch(Session& session, const GroupBy<T>& c, const Shape& shape, std::uint64_t n) {
  Context& context = session.context();
  const auto groups = expected_groups<T>(shape, n);
  const std::uint64_t found = context.download(c.group_count)[0];
  if (found != groups.size()) {
    return std::to_string(found) + " groups, should be " + std::to_string(groups.size());
  }
  const auto compare = [&](const auto& buffer, auto&& f) {
    const auto got = context.download(buffer, 0, groups.size());
    auto want = got;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      want[g] = static_cast<std::decay_t<decltype(got[0])>>(f(groups[g].first, groups[g].second));
    }
    return first_difference(got, want);
  };
  const std::uint32_t shift = shape.two_keys ? 32 : 0;
  std::string text =
      compare(c.out_keys[0], [&](std::uint64_t key, const Totals&) { return key >> shift; });
  if (text.empty() && shape.two_keys) {
    text =
        compare(c.out_keys[1], [](std::uint64_t key, const Totals&) { return key & 0xffffffffu; });
  }
  if (text.empty() && sizeof(T) == 8) {
    return compare(c.whole_sums, [](std::uint64_t, const Totals& t) { return t.whole_sum; });
  }
  if (text.empty()) text = compare(c.sums, [](std::uint64_t, const Totals& t) { return t.sum; });
  if (!text.empty() || shape.sum_only) return text;
  text = compare(c.lows, [](std::uint64_t, const Totals& t) { return t.low; });
  if (text.empty()) text = compare(c.highs, [](std::uint64_t, const Totals& t) { return t.high; });
  if (text.empty())
    text = compare(c.counts, [](std::uint64_t, const Totals& t) { return t.count; });
  return text;
}

template <class T>
Case make_group_by(Session& session, std::uint64_t n, const Shape& shape) {
  Context& context = session.context();
  auto c = std::make_shared<GroupBy<T>>();
  const std::uint64_t most = shape.groups ? shape.groups * (shape.two_keys ? 256 : 1) : n;
  const std::uint64_t room = std::min(n, most);
  const std::size_t columns = shape.two_keys ? 2 : 1;
  for (std::size_t k = 0; k < columns; ++k) {
    c->keys[k] = context.upload(
        numbers(n, [&](std::uint64_t i) { return k ? second_key_of(i) : key_of(shape, i); }));
    c->out_keys[k] = session.allocate<std::uint32_t>(room);
    c->key_views.push_back(c->keys[k].view());
    c->out_key_views.push_back(c->out_keys[k].view());
  }
  c->key_columns.resize(columns);
  if (shape.bounded) c->key_columns[0].bound = shape.groups;
  c->values = session.allocate<T>(n);
  session.generate(c->values.address(), n * sizeof(T) / 4, data_for<T>());
  c->value_view = c->values.view();
  c->value_column = {.type = type_of<T>()};
  c->aggregations = {{Aggregate::sum}};
  if constexpr (sizeof(T) == 8) {
    c->whole_sums = session.allocate<std::uint64_t>(room);
    c->out_views = {c->whole_sums.view()};
  } else {
    c->sums = session.allocate<float>(room);
    c->out_views = {c->sums.view()};
  }
  if (!shape.sum_only) {
    c->aggregations.insert(c->aggregations.end(),
                           {{Aggregate::count}, {Aggregate::min}, {Aggregate::max}});
    c->counts = session.allocate<std::uint32_t>(room);
    c->lows = session.allocate<float>(room);
    c->highs = session.allocate<float>(room);
    c->out_views.insert(c->out_views.end(), {c->counts.view(), c->lows.view(), c->highs.view()});
  }
  c->group_count = session.allocate<std::uint64_t>(1);
  c->desc = {.keys = c->key_columns,
             .values = {&c->value_column, 1},
             .aggregations = c->aggregations,
             .count = n,
             .capacity = room,
             .method = shape.method};
  c->scratch = session.allocate_scratch(group_by_scratch(session.device(), c->desc));
  c->buffers = {.keys = c->key_views,
                .values = {&c->value_view, 1},
                .out_keys = c->out_key_views,
                .out = c->out_views,
                .group_count = c->group_count.view(),
                .scratch = c->scratch.scratch};

  Case result;
  result.items = n;
  const std::uint64_t group_bytes = 4 * columns + (shape.sum_only ? sizeof(T) : 16);
  result.ideal_bytes = n * (4 * columns + sizeof(T)) + room * group_bytes;
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_group_by(cmd, session.device(), c->desc, c->buffers);
  };
  result.mismatch = [=, &session] { return mismatch(session, *c, shape, n); };
  return result;
}

template <class T>
Row group_by_row(const char* name, bool main, Shape shape) {
  return {.name = name,
          .bytes_per_item = static_cast<std::uint32_t>(60 + sizeof(T)),
          .main = main,
          .make = [shape](Session& s, std::uint64_t n) { return make_group_by<T>(s, n, shape); }};
}

const Register kRows({
    group_by_row<float>("group_by/u32_f32_1", false, {.groups = 1}),
    headline("group_by", group_by_row<float>("group_by/u32_f32_256", true, {.groups = 256})),
    group_by_row<float>("group_by/u32_f32_256_bound", false, {.groups = 256, .bounded = true}),
    group_by_row<float>("group_by/u32_f32_256_sort", false,
                        {.groups = 256, .method = GroupByMethod::sort}),
    group_by_row<float>("group_by/u32_f32_1k", false, {.groups = 1000}),
    group_by_row<float>("group_by/u32_f32_64k", false, {.groups = 1 << 16}),
    group_by_row<float>("group_by/u32_f32_1m", true, {.groups = 1 << 20}),
    group_by_row<float>("group_by/u32_f32_16m", false, {.groups = 1 << 24}),
    group_by_row<float>("group_by/u32_f32_zipf", false, {.groups = 0}),
    group_by_row<std::uint64_t>("group_by/u32_u64_sum_64k", false,
                                {.groups = 1 << 16, .sum_only = true}),
    group_by_row<float>("group_by/two_keys_f32_64k", false, {.groups = 256, .two_keys = true}),
});

}  // namespace
}  // namespace vkprims::bench
