// group_by() on columns of a Context.
#include "vkprims/group_by_columns.hpp"

#include <algorithm>

namespace vkprims {
namespace {

template <class... Numbers>
[[noreturn]] void refuse(const char* format, Numbers... numbers) {
  throw Error(Status::error(Status::invalid_argument, format, numbers...));
}

bool same(const GroupByColumn& a, const GroupByColumn& b) {
  return a.type == b.type && a.elements.address == b.elements.address &&
         a.validity.address == b.validity.address;
}

BufferView view_of(const Buffer<std::uint32_t>& words) {
  return words.size() ? words.view() : BufferView{};
}

}  // namespace

const Groups::Column& Groups::at(const std::vector<Column>& columns, std::size_t i,
                                 const char* what) {
  if (i >= columns.size()) {
    refuse("group_by: %s %zu was asked for, there are %zu", what, i, columns.size());
  }
  return columns[i];
}

void Groups::wrong_type(const char* what, std::size_t i, Type is, Type asked) {
  refuse("group_by: %s %zu is of type %s, it was asked for as %s", what, i, name_of(is),
         name_of(asked));
}

/// One call: the descriptor, its views, and the results that the views are of.
class GroupByCall {
 public:
  GroupByCall(Recorder& recorder, std::span<const GroupByColumn> keys,
              std::span<const GroupByRequest> requests, const GroupByOptions& options)
      : recorder_(recorder), options_(options) {
    rows_ = keys.empty() ? 0 : keys[0].rows;
    const Count count = options.rows.value_or(Count(rows_));
    if (count.max > rows_) {
      refuse("group_by: rows is %llu, the keys have %llu",
             static_cast<unsigned long long>(count.max), static_cast<unsigned long long>(rows_));
    }
    room_ = std::min(options.capacity.value_or(count.max), count.max);
    desc_ = {.count = count,
             .capacity = options.capacity,
             .null_keys = options.null_keys,
             .method = options.method,
             .schedule = options.schedule,
             .float_order = options.float_order};
    for (std::size_t i = 0; i < keys.size(); ++i) add_key(keys[i], i);
    for (std::size_t i = 0; i < requests.size(); ++i) add(requests[i], i);
  }

  Groups record() {
    groups_.count = recorder_.allocate<std::uint64_t>(1);
    if (options_.order) {
      groups_.offsets = recorder_.allocate<std::uint32_t>(room_ + 1);
      groups_.order = recorder_.allocate<std::uint32_t>(desc_.count.max);
    }
    desc_.keys = keys_;
    desc_.values = values_;
    desc_.aggregations = aggregations_;
    group_by(recorder_, desc_,
             {.keys = in_.keys,
              .key_validity = in_.key_validity,
              .values = in_.values,
              .value_validity = in_.value_validity,
              .out_keys = out_.keys,
              .out_key_validity = out_.key_validity,
              .out = out_.values,
              .out_validity = out_.value_validity,
              .group_count = groups_.count.view(),
              .offsets = view_of(groups_.offsets),
              .order = view_of(groups_.order)});
    return std::move(groups_);
  }

 private:
  struct Views {
    std::vector<BufferView> keys, key_validity, values, value_validity;
  };

  void check_rows(const char* what, std::size_t i, std::uint64_t rows) const {
    if (rows == rows_) return;
    refuse("group_by: the column of %s %zu has %llu rows, key 0 has %llu", what, i,
           static_cast<unsigned long long>(rows), static_cast<unsigned long long>(rows_));
  }

  template <class T>
  Groups::Column column(bool nullable) {
    Groups::Column c{.values = recorder_.allocate<T>(room_), .validity = {}};
    if (nullable && room_) c.validity = recorder_.allocate<std::uint32_t>((room_ + 31) / 32);
    return c;
  }
  Groups::Column column(Type type, bool nullable) {
    switch (type) {
      case Type::i32:
        return column<std::int32_t>(nullable);
      case Type::f32:
        return column<float>(nullable);
      case Type::u64:
        return column<std::uint64_t>(nullable);
      case Type::i64:
        return column<std::int64_t>(nullable);
      case Type::f64:
        return column<double>(nullable);
      default:
        return column<std::uint32_t>(nullable);
    }
  }
  void own(Groups::Column c, std::vector<Groups::Column>& list, std::vector<BufferView>& values,
           std::vector<BufferView>& validity) {
    values.push_back(std::visit([](const auto& buffer) { return buffer.view(); }, c.values));
    validity.push_back(view_of(c.validity));
    list.push_back(std::move(c));
  }

  void add_key(const GroupByColumn& key, std::size_t i) {
    check_rows("key", i, key.rows);
    const bool nullable = key.validity.address != 0;
    keys_.push_back({.type = key.type, .nullable = nullable, .bound = key.bound});
    in_.keys.push_back(key.elements);
    in_.key_validity.push_back(key.validity);
    own(column(key.type, nullable && options_.null_keys == NullKeys::group), groups_.keys_,
        out_.keys, out_.key_validity);
  }

  // The number of a column of values. A column that is given several times has one number.
  std::uint32_t value(const GroupByColumn& column) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (same(columns_[i], column)) return static_cast<std::uint32_t>(i);
    }
    columns_.push_back(column);
    values_.push_back({.type = column.type, .nullable = column.validity.address != 0});
    in_.values.push_back(column.elements);
    in_.value_validity.push_back(column.validity);
    return static_cast<std::uint32_t>(columns_.size() - 1);
  }

  void add(const GroupByRequest& request, std::size_t i) {
    const GroupByColumn& in = request.column;
    const bool has_column = in.elements.address != 0;
    GroupAggregation a{.op = request.op, .population = request.population};
    if (has_column) {
      check_rows("aggregation", i, in.rows);
      a.value = value(in);
    } else if (request.op != Aggregate::count_rows) {
      refuse("group_by: aggregation %zu has no column of values, which all but count_rows need", i);
    }
    aggregations_.push_back(a);
    const bool nullable =
        group_result_nullable(request.op, in.type, has_column && in.validity.address != 0);
    own(column(group_result_type(request.op, in.type), nullable), groups_.columns_, out_.values,
        out_.value_validity);
  }

  Recorder& recorder_;
  const GroupByOptions& options_;
  std::uint64_t rows_ = 0, room_ = 0;
  GroupByDesc desc_;
  std::vector<GroupKey> keys_;
  std::vector<GroupByColumn> columns_;
  std::vector<GroupValue> values_;
  std::vector<GroupAggregation> aggregations_;
  Views in_, out_;
  Groups groups_;
};

Groups group_by(Recorder& recorder, std::span<const GroupByColumn> keys,
                std::span<const GroupByRequest> requests, const GroupByOptions& options) {
  return GroupByCall(recorder, keys, requests, options).record();
}

}  // namespace vkprims
