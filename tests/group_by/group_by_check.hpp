// Random tables, and group_by over them compared with the oracle.
#pragma once

#include "group_by/group_by_plan.hpp"
#include "oracles/group_by.hpp"
#include "support/support.hpp"

namespace vkprims::test {

using oracle::GroupColumn;

/// How the elements of a column are spread over `distinct` numbers.
enum class Spread { even, skewed, runs };

/// Returns small numbers around 0 (from 0 on if the type is unsigned). With `odd`, floats include
/// zeros of both signs, infinities and NaN.
inline GroupColumn random_column(Type type, std::uint64_t n, std::uint64_t distinct,
                                 std::uint32_t seed, Spread spread = Spread::even,
                                 bool odd = false) {
  std::mt19937_64 engine(seed);
  GroupColumn c{.type = type, .bits = std::vector<std::uint64_t>(n)};
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint64_t r = engine() >> 8;
    std::uint64_t x = r % distinct;
    if (spread == Spread::skewed) x = x * (r >> 40 & 3 ? 0 : 1);
    if (spread == Spread::runs) x = i * distinct / n;
    const std::int64_t around =
        static_cast<std::int64_t>(x) - static_cast<std::int64_t>(distinct / 2);
    switch (type) {
      case Type::u32:
      case Type::u64:
        c.bits[i] = x;
        break;
      case Type::i32:
        c.bits[i] = static_cast<std::uint32_t>(around);
        break;
      case Type::i64:
        c.bits[i] = static_cast<std::uint64_t>(around);
        break;
      case Type::f32: {
        constexpr std::uint32_t kOdd[] = {0,           0x80000000u, 0x7f800000u,
                                          0xff800000u, 0x7fc00000u, 0xffc01234u};
        c.bits[i] = std::bit_cast<std::uint32_t>(static_cast<float>(around) * 0.37f);
        if (odd && (r >> 20) % 5 == 0) c.bits[i] = kOdd[(r >> 24) % 6];
        break;
      }
      case Type::f64: {
        constexpr std::uint64_t kOdd[] = {0,
                                          std::uint64_t{1} << 63,
                                          0x7ff0000000000000u,
                                          0xfff0000000000000u,
                                          0x7ff8000000000000u,
                                          0xfff8000000000001u};
        c.bits[i] = std::bit_cast<std::uint64_t>(static_cast<double>(around) * 0.37);
        if (odd && (r >> 20) % 5 == 0) c.bits[i] = kOdd[(r >> 24) % 6];
        break;
      }
    }
  }
  return c;
}

/// Makes about one element in `period` null.
inline GroupColumn with_nulls(GroupColumn c, std::uint32_t period, std::uint32_t seed) {
  std::mt19937 engine(seed);
  c.valid.resize(c.bits.size());
  for (std::size_t i = 0; i < c.valid.size(); ++i) c.valid[i] = engine() % period != 0;
  return c;
}

inline std::vector<std::byte> bytes_of(const GroupColumn& c) {
  const std::uint32_t size = size_of(c.type);
  std::vector<std::byte> bytes(c.bits.size() * size);
  for (std::size_t i = 0; i < c.bits.size(); ++i)
    std::memcpy(bytes.data() + i * size, &c.bits[i], size);
  return bytes;
}

/// Returns validity bits. Those behind the last element are 1, which must not matter.
inline std::vector<std::uint32_t> validity_of(const GroupColumn& c) {
  std::vector<std::uint32_t> words((c.valid.size() + 31) / 32, 0xffffffffu);
  for (std::size_t i = 0; i < c.valid.size(); ++i) {
    if (!c.valid[i]) words[i / 32] &= ~(1u << i % 32);
  }
  return words;
}

struct Table {
  std::vector<GroupColumn> keys, values;
  std::vector<GroupAggregation> aggregations;
};

struct GroupByOptions {
  const Device* device;
  NullKeys null_keys = NullKeys::group;
  std::optional<std::uint64_t> capacity = {};
  Count count = {};              // not given: all rows
  std::uint64_t used = ~0ull;    // the value of the count
  std::uint64_t misalign = 0;    // in elements
  std::uint64_t bound = 0;       // the bound of the first key
  bool extras = true;            // order, offsets and keys are wanted
  bool keys = false;             // keys are wanted even without extras
  std::uint32_t validity = ~0u;  // bit a: the validity of aggregation a is wanted
  GroupByMethod method = GroupByMethod::sort;
  FloatOrder float_order = FloatOrder::by_value;
};

/// A table in device memory, with results.
class DeviceTable {
 public:
  DeviceTable(const Table& table, const GroupByOptions& o)
      : table_(table), options_(with_count(table, o)), rows_(table.keys[0].bits.size()) {
    const std::uint64_t shift = o.misalign;
    for (const GroupColumn& c : table.keys) {
      const std::uint32_t size = size_of(c.type);
      keys_.push_back(
          {.type = c.type, .nullable = !c.valid.empty(), .bound = keys_.empty() ? o.bound : 0});
      in(bytes_of(c), shift * size, key_views_);
      in_bits(c, shift, key_validity_);
      out(o.extras || o.keys ? capacity_ * size : 0, shift * size, out_keys_, out_key_views_);
      out(o.extras && !c.valid.empty() ? (capacity_ + 31) / 32 * 4 : 0, 4 * shift, out_validity_,
          out_validity_views_);
    }
    for (const GroupColumn& c : table.values) {
      values_.push_back({.type = c.type, .nullable = !c.valid.empty()});
      in(bytes_of(c), shift * size_of(c.type), value_views_);
      in_bits(c, shift, value_validity_);
    }
    for (const GroupAggregation& a : table.aggregations) {
      const std::uint32_t size = size_of(result_type(a));
      out(capacity_ * size, shift * size, out_, out_views_);
      const bool wanted = (o.validity >> (out_.size() - 1) & 1) != 0;
      out(wanted ? (capacity_ + 31) / 32 * 4 : 0, 4 * shift, out_bits_, out_bits_views_);
    }
  }

  GroupByDesc desc() const {
    return {.keys = keys_,
            .values = values_,
            .aggregations = table_.aggregations,
            .count = options_.count,
            .capacity = options_.capacity,
            .null_keys = options_.null_keys,
            .method = options_.method,
            .float_order = options_.float_order};
  }
  GroupByBuffers buffers(const Scratch& scratch) const {
    return {.keys = key_views_,
            .key_validity = key_validity_,
            .values = value_views_,
            .value_validity = value_validity_,
            .out_keys = out_key_views_,
            .out_key_validity = out_validity_views_,
            .out = out_views_,
            .out_validity = out_bits_views_,
            .group_count = count_.view(),
            .offsets = options_.extras ? offsets_.view() : BufferView{},
            .order = options_.extras ? order_.view() : BufferView{},
            .report = report_.view(),
            .scratch = scratch};
  }

  Type result_type(const GroupAggregation& a) const {
    const Type type = a.op == Aggregate::count_rows ? Type::u32 : table_.values[a.value].type;
    return group_result_type(a.op, type);
  }

  /// Returns the bits of result `a` of each group that there is room for.
  std::vector<std::uint64_t> result(std::size_t a) const {
    return elements(out_[a], size_of(result_type(table_.aggregations[a])));
  }

  std::uint64_t group_count() const { return count_.read<std::uint64_t>()[0]; }

  void check() const {
    const std::uint64_t used = std::min<std::uint64_t>({options_.used, options_.count.max, rows_});
    const auto groups =
        oracle::group_rows(table_.keys, used, options_.null_keys, options_.float_order);
    CHECK(count_.read<std::uint64_t>()[0] == groups.size());
    const std::uint64_t room = std::min<std::uint64_t>(groups.size(), capacity_);
    check_report(groups.size());
    const bool keys = options_.extras || options_.keys;
    for (std::size_t k = 0; keys && k < table_.keys.size(); ++k) {
      check_keys(k, groups, room);
    }
    if (options_.extras) check_order(groups, room, used);
    for (std::size_t a = 0; a < table_.aggregations.size(); ++a) {
      CAPTURE(a);
      CAPTURE(static_cast<int>(table_.aggregations[a].op));
      check_results(a, groups, room);
      check_validity(a, groups, room);
    }
  }

 private:
  using Groups = std::vector<std::vector<std::uint32_t>>;

  static GroupByOptions with_count(const Table& table, GroupByOptions o) {
    o.count = o.count.or_all(table.keys[0].bits.size());
    return o;
  }

  void in(std::span<const std::byte> bytes, std::uint64_t misalign,
          std::vector<BufferView>& views) {
    inputs_.emplace_back(bytes, misalign);
    views.push_back(inputs_.back().view());
  }
  void in_bits(const GroupColumn& c, std::uint64_t shift, std::vector<BufferView>& views) {
    const auto words = validity_of(c);
    in(std::as_bytes(std::span(words)), 4 * shift, views);
  }
  void out(std::uint64_t bytes, std::uint64_t misalign, std::vector<Guarded>& list,
           std::vector<BufferView>& views) {
    list.emplace_back(bytes, misalign);
    views.push_back(bytes ? list.back().view() : BufferView{});
  }
  static std::vector<std::uint64_t> elements(const Guarded& memory, std::uint32_t size) {
    if (size == 8) return memory.read<std::uint64_t>();
    const auto words = memory.read<std::uint32_t>();
    return {words.begin(), words.end()};
  }
  // Returns "" if nothing was written from element `from` on, else the first element that was.
  static std::string kept(const std::vector<std::uint64_t>& x, std::uint64_t from,
                          std::uint32_t size) {
    const std::uint64_t poison = size == 8 ? 0xcdcdcdcdcdcdcdcdu : 0xcdcdcdcdu;
    for (std::uint64_t i = from; i < x.size(); ++i) {
      if (x[i] != poison) return "element " + std::to_string(i) + " was written";
    }
    return "";
  }

  void check_keys(std::size_t k, const Groups& groups, std::uint64_t room) const {
    const GroupColumn& c = table_.keys[k];
    const auto keys = elements(out_keys_[k], size_of(c.type));
    std::uint64_t wrong = 0;
    for (std::uint64_t g = 0; g < room; ++g) {
      const std::uint32_t row = groups[g][0];
      wrong += c.is_valid(row) && keys[g] != c.bits[row];
      if (c.valid.empty()) continue;
      const std::uint32_t word = out_validity_[k].read<std::uint32_t>()[g / 32];
      wrong += (word >> g % 32 & 1) != c.is_valid(row);
      if (g == 200) break;  // each turn is a download
    }
    CHECK(wrong == 0);
    CHECK(kept(keys, room, size_of(c.type)) == "");
  }

  void check_order(const Groups& groups, std::uint64_t room, std::uint64_t used) const {
    const auto order = order_.read<std::uint32_t>();
    const auto offsets = offsets_.read<std::uint32_t>();
    std::uint64_t wrong = 0, at = 0;
    for (std::uint64_t g = 0; g < groups.size(); ++g) {
      if (g < room) wrong += offsets[g] != at;
      for (const std::uint32_t row : groups[g]) wrong += order[at++] != row;
    }
    if (groups.size() <= capacity_) wrong += offsets[groups.size()] != at;
    CHECK(wrong == 0);
    std::vector<std::uint32_t> all(order.begin(),
                                   order.begin() + static_cast<std::ptrdiff_t>(used));
    std::sort(all.begin(), all.end());
    for (std::uint32_t i = 0; i < used; ++i) wrong += all[i] != i;
    CHECK(wrong == 0);
  }

  void check_results(std::size_t a, const Groups& groups, std::uint64_t room) const {
    const GroupAggregation& aggregation = table_.aggregations[a];
    const Type type = result_type(aggregation);
    const auto results = result(a);
    static const GroupColumn kNone;
    const GroupColumn& c =
        aggregation.op == Aggregate::count_rows ? kNone : table_.values[aggregation.value];
    for (std::uint64_t g = 0; g < room; ++g) {
      const oracle::GroupResult expected =
          oracle::group_result(c, groups[g], aggregation, options_.float_order);
      bool good = results[g] == expected.bits;
      const long double number = oracle::group_number(type, results[g]);
      const long double unsorted =
          options_.method == GroupByMethod::automatic ? expected.unsorted : 0;
      if (expected.rounded) {
        good = std::isfinite(expected.exact)
                   ? std::fabs(number - expected.exact) <= expected.error + unsorted
                   : (std::isnan(expected.exact) ? std::isnan(number) : number == expected.exact);
      }
      if (good) continue;
      CAPTURE(g);
      CAPTURE(groups[g].size());
      CAPTURE(results[g]);
      CAPTURE(expected.bits);
      CAPTURE(static_cast<double>(number));
      CAPTURE(static_cast<double>(expected.exact));
      CAPTURE(static_cast<double>(expected.error));
      CHECK(good);
      break;
    }
    CHECK(kept(results, room, size_of(type)) == "");
  }

  void check_validity(std::size_t a, const Groups& groups, std::uint64_t room) const {
    if (out_bits_[a].view().bytes == 0) return;
    const GroupAggregation& aggregation = table_.aggregations[a];
    const bool of_rows = aggregation.op == Aggregate::count_rows;
    const GroupColumn& c = of_rows ? table_.keys[0] : table_.values[aggregation.value];
    std::vector<std::uint32_t> expected((room + 31) / 32);
    bool all = true;
    for (std::uint64_t g = 0; g < room; ++g) {
      const bool has = oracle::group_has_result(c, groups[g], aggregation);
      expected[g / 32] |= std::uint32_t{has} << g % 32;
      all &= has;
    }
    auto words = out_bits_[a].read<std::uint32_t>();
    CHECK(kept({words.begin(), words.end()}, expected.size(), 4) == "");
    words.resize(expected.size());
    CHECK(words == expected);
    CHECK((all || group_result_nullable(aggregation.op, c.type, !c.valid.empty())));
  }

  void check_report(std::uint64_t groups) const {
    const DeviceReport found = report_.read<DeviceReport>()[0];
    if (groups <= capacity_) {
      CHECK(found.code == DeviceReport::ok);
      CHECK(found.count == 0);
      return;
    }
    CHECK(found.code == DeviceReport::capacity_exceeded);
    CHECK(found.count == groups - capacity_);
    CHECK(found.first_index == capacity_);
    CHECK(found.needed == groups);
  }

  const Table& table_;
  GroupByOptions options_;
  std::uint64_t rows_;
  std::uint64_t capacity_ =
      std::min(options_.capacity.value_or(options_.count.max), options_.count.max);
  std::vector<GroupKey> keys_;
  std::vector<GroupValue> values_;
  std::vector<Guarded> inputs_, out_keys_, out_validity_, out_, out_bits_;
  std::vector<BufferView> key_views_, key_validity_, value_views_, value_validity_, out_key_views_,
      out_validity_views_, out_views_, out_bits_views_;
  Guarded count_{8, 8};
  Guarded offsets_{4 * (capacity_ + 1), 4};
  Guarded order_{4 * options_.count.max, 4};
  Guarded report_{std::vector<DeviceReport>(1), 8};
};

/// Groups a table and compares the result with the oracle. Returns whether that took no sort.
inline bool check_group_by(const Table& table, const GroupByOptions& o) {
  const DeviceTable t(table, o);
  const DirtyScratch scratch(group_by_scratch(*o.device, t.desc()));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_group_by(cmd, *o.device, t.desc(), t.buffers(scratch.get())));
  });
  t.check();
  if (!plan_group_by(*o.device->state(), *o.device, t.desc()).dense.tried) return false;
  return scratch.words(VKP_GROUP_BY_HEADER_BYTES / 4)[VKP_GROUP_BY_DONE_OFFSET / 4] == 1;
}

inline std::vector<GroupAggregation> ops(std::initializer_list<Aggregate> list) {
  std::vector<GroupAggregation> result;
  for (const Aggregate op : list) result.push_back({.op = op});
  return result;
}

inline const auto kFew = ops({Aggregate::sum, Aggregate::min, Aggregate::max, Aggregate::count});

}  // namespace vkprims::test
