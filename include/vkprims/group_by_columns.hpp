// Group by with typed columns: one call that returns results which own their memory. Link
// vkprims::context.
//
//   auto g = group_by(r, region,
//                     {{Aggregate::sum, price}, {Aggregate::mean, {price, price_validity}}});
//   // when the steps have run:
//   context.download(g.count);              // number of groups
//   g.key<std::uint32_t>(0).values;         // Buffer<std::uint32_t>
//   g.column<double>(1).validity;           // a bit for each group: it has a mean
//   download_groups(context, g.column<double>(1), g.count);   // std::vector<std::optional<double>>
//
// vkprims/group_by.hpp describes the aggregations and the order of groups. Errors are thrown as
// vkprims::Error.
/// @ingroup group_by
#pragma once

#include <initializer_list>
#include <optional>
#include <type_traits>
#include <variant>
#include <vector>

#include "vkprims/context.hpp"
#include "vkprims/group_by.hpp"

namespace vkprims {

/// A column that group_by() reads: elements of one of the six types, with a validity bit each if
/// some may be null. It does not own its memory.
struct GroupByColumn {
  /// No column, for Aggregate::count_rows.
  GroupByColumn() = default;
  /// All elements of a buffer, none of which is null.
  template <class T>
  GroupByColumn(const Buffer<T>& of)  // NOLINT: a buffer is a column
      : GroupByColumn(of.span()) {}
  /// bits: lowest first, 1 for not null; empty: no element is null.
  template <class T>
  GroupByColumn(const Buffer<T>& of, const Buffer<std::uint32_t>& bits)
      : GroupByColumn(of.span(), bits.span()) {}
  /// The elements of a range; bits as with a buffer.
  template <class T>
  GroupByColumn(const DeviceSpan<T>& of,  // NOLINT: as a buffer
                const DeviceSpan<std::uint32_t>& bits = {})
      : type(type_of<T>()),
        elements(of.view()),
        validity(bits.count ? bits.view() : BufferView{}),
        rows(of.count) {}
  /// Returns this column of u32 or u64 keys with the promise that all are below `limit`
  /// (GroupKey::bound).
  GroupByColumn below(std::uint64_t limit) const {
    GroupByColumn column = *this;
    column.bound = limit;
    return column;
  }

  Type type = Type::u32;          ///< type of the elements
  BufferView elements, validity;  ///< the elements, and a bit for each; see GroupByBuffers
  std::uint64_t rows = 0;         ///< number of elements
  std::uint64_t bound = 0;        ///< 0: not known
};

/// An aggregation of a column; Aggregate::count_rows needs none.
struct GroupByRequest {
  Aggregate op = Aggregate::count_rows;  ///< what is computed
  GroupByColumn column = {};             ///< what it is computed from
  bool population = false;               ///< variance divides by count; otherwise by count - 1
};

/// What group_by() does beyond its columns and aggregations.
struct GroupByOptions {
  /// Number of rows to use, e.g. read on the GPU, at most that of the columns; not given: all.
  std::optional<Count> rows = {};
  /// Number of groups that results have room for; not given: as many as rows.
  std::optional<std::uint64_t> capacity = {};
  NullKeys null_keys = NullKeys::group;             ///< what happens to rows with a null key
  GroupByMethod method = GroupByMethod::automatic;  ///< how groups are found
  Schedule schedule = Schedule::automatic;          ///< of the sort
  FloatOrder float_order = FloatOrder::by_value;    ///< see GroupByDesc::float_order
  /// Whether Groups::offsets and Groups::order are wanted; rows are always sorted then.
  bool order = false;
};

/// A column of Groups. It is valid until these are moved or destroyed.
template <class T>
struct GroupByResult {
  const Buffer<T>& values;  ///< one for each group that there is room for
  /// a bit for each group, 1 for not null; empty: none is null
  const Buffer<std::uint32_t>& validity;
};

/// The results of group_by(). Their memory exists at once, their contents when the steps have run.
class Groups {
 public:
  Buffer<std::uint64_t> count;    ///< 1 element: number of groups, may be above the capacity
  Buffer<std::uint32_t> offsets;  ///< GroupByBuffers::offsets; empty: not wanted
  Buffer<std::uint32_t> order;    ///< GroupByBuffers::order; empty: not wanted

  std::size_t keys() const { return keys_.size(); }        ///< columns of keys
  std::size_t columns() const { return columns_.size(); }  ///< one for each aggregation
  /// The element type of column i of the keys.
  Type key_type(std::size_t i) const { return at(keys_, i, "key").type(); }
  /// The element type of the results of aggregation i.
  Type column_type(std::size_t i) const { return at(columns_, i, "column").type(); }

  /// Keys of column i of the keys, with the type of that column. Throws Error for another type.
  template <class T>
  GroupByResult<T> key(std::size_t i) const {
    return typed<T>(at(keys_, i, "key"), i, "key");
  }
  /// The results of aggregation i, with the type group_result_type(). Throws Error for another
  /// type.
  template <class T>
  GroupByResult<T> column(std::size_t i) const {
    return typed<T>(at(columns_, i, "column"), i, "column");
  }

 private:
  friend class GroupByCall;
  struct Column {
    // The alternatives are in the order of Type.
    std::variant<Buffer<std::uint32_t>, Buffer<std::int32_t>, Buffer<float>, Buffer<std::uint64_t>,
                 Buffer<std::int64_t>, Buffer<double>>
        values;
    Buffer<std::uint32_t> validity;
    Type type() const { return static_cast<Type>(values.index()); }
  };
  template <class T>
  static GroupByResult<T> typed(const Column& c, std::size_t i, const char* what) {
    using V = decltype(Column::values);
    static_assert(std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::int32_t> ||
                      std::is_same_v<T, float> || std::is_same_v<T, std::uint64_t> ||
                      std::is_same_v<T, std::int64_t> || std::is_same_v<T, double>,
                  "vkprims: a column of groups has std::uint32_t, std::int32_t, float, "
                  "std::uint64_t, std::int64_t or double");
    constexpr auto index = static_cast<std::size_t>(type_of<T>());
    static_assert(std::is_same_v<std::variant_alternative_t<index, V>, Buffer<T>>);
    if (c.type() != type_of<T>()) wrong_type(what, i, c.type(), type_of<T>());
    return {*std::get_if<index>(&c.values), c.validity};
  }
  static const Column& at(const std::vector<Column>& columns, std::size_t i, const char* what);
  [[noreturn]] static void wrong_type(const char* what, std::size_t i, Type is, Type asked);

  std::vector<Column> keys_, columns_;
};

/// Groups the rows that have equal keys and computes all `requests`, as a step of `recorder`. All
/// columns have the same number of rows. Results have validity where group_result_nullable() says
/// that they may be null, and keys where those of the input may be null and null_keys is
/// NullKeys::group.
///
/// Further errors than those of record_group_by() are: columns of different lengths, and an
/// aggregation that needs a column but has none.
Groups group_by(Recorder& recorder, std::span<const GroupByColumn> keys,
                std::span<const GroupByRequest> requests, const GroupByOptions& options = {});

/// Groups in the same way, with columns and aggregations that are written as lists.
inline Groups group_by(Recorder& recorder, std::initializer_list<GroupByColumn> keys,
                       std::initializer_list<GroupByRequest> requests,
                       const GroupByOptions& options = {}) {
  return group_by(recorder, std::span<const GroupByColumn>(keys.begin(), keys.size()),
                  std::span<const GroupByRequest>(requests.begin(), requests.size()), options);
}
/// Groups in the same way, by one column of keys.
template <class T>
Groups group_by(Recorder& recorder, const Buffer<T>& key,
                std::initializer_list<GroupByRequest> requests,
                const GroupByOptions& options = {}) {
  return group_by(recorder, {GroupByColumn(key)}, requests, options);
}

/// Returns a column of the groups that had room, without a value where it is null. Waits.
template <class T>
std::vector<std::optional<T>> download_groups(Context& context, const GroupByResult<T>& column,
                                              const Buffer<std::uint64_t>& count) {
  const std::vector<T> values = context.download(column.values, count);
  std::vector<std::uint32_t> bits;
  if (column.validity.size()) {
    bits = context.download(column.validity, 0, (values.size() + 31) / 32);
  }
  std::vector<std::optional<T>> result(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (bits.empty() || (bits[i / 32] >> i % 32 & 1) != 0) result[i] = values[i];
  }
  return result;
}

}  // namespace vkprims
