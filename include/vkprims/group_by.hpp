// Group by: aggregations over the rows of a table that have the same key.
#pragma once

#include <concepts>
#include <optional>
#include <span>

#include "vkprims/device.hpp"

namespace vkprims {

/// What is made of the values of a group. Values that are null are skipped by all but count_rows.
enum class Aggregate : std::uint32_t {
  sum,  ///< of integers u64 or i64, modulo 2^64; of floats their type
  min,  ///< the value's type; floats order -0 below +0 and skip NaN. Of nothing: the largest value, +infinity
  max,  ///< likewise; of nothing: the smallest value, -infinity
  count,       ///< u32: how many values are not null
  count_rows,  ///< u32: how many rows there are; GroupAggregation::value is not used
  mean,        ///< f64; NaN of nothing
  variance,  ///< f64: the squared distances from the mean, summed up and divided by count - 1, or by count;
             ///< NaN if that is not above 0
  arg_min,   ///< u32: the lowest row with the least value; NaN is skipped. Of nothing: 0xffffffff
  arg_max,   ///< u32: the lowest row with the greatest value
  first,     ///< the value's type: of the first row that is not null. Of nothing: 0
  last,      ///< likewise, of the last row
  distinct,  ///< u32: number of distinct values; which floats are one, GroupByDesc::float_order says
};

/// The element type of an aggregation's results.
constexpr Type group_result_type(Aggregate op, Type value) {
  switch (op) {
    case Aggregate::sum:
      if (value == Type::u32) return Type::u64;
      return value == Type::i32 ? Type::i64 : value;
    case Aggregate::mean:
    case Aggregate::variance:
      return Type::f64;
    case Aggregate::min:
    case Aggregate::max:
    case Aggregate::first:
    case Aggregate::last:
      return value;
    default:
      return Type::u32;
  }
}

/// Whether a group may have no such result: its bit in GroupByBuffers::out_validity is 0 then, and `out` holds what
/// Aggregate says. Sums of nothing are 0, as in pandas; all else is null as in Arrow, libcudf and SQL:
///
///   sum, count, count_rows, distinct   every group has one
///   min, max, arg_min, arg_max         none where all values are null or NaN
///   mean, first, last                  none where all values are null
///   variance                           none where all values are null, or all but one; with `population` as mean
constexpr bool group_result_nullable(Aggregate op, Type value, bool nullable) {
  switch (op) {
    case Aggregate::sum:
    case Aggregate::count:
    case Aggregate::count_rows:
    case Aggregate::distinct:
      return false;
    case Aggregate::min:
    case Aggregate::max:
    case Aggregate::arg_min:
    case Aggregate::arg_max:
      return nullable || value == Type::f32 || value == Type::f64;
    case Aggregate::variance:
      return true;
    default:
      return nullable;
  }
}

/// A column of keys. Which floats are the same key, GroupByDesc::float_order says.
struct GroupKey {
  Type type = Type::u32;  ///< every device has all of them here: no arithmetic is done
  bool nullable = false;  ///< it has validity bits
  std::uint64_t bound =
      0;  ///< of u32 and u64: all keys are below, as codes of a dictionary; 0: not known
};

/// A column of values.
struct GroupValue {
  Type type =
      Type::u32;  ///< f64 needs Features::float64 for sum, mean and variance, the others nothing
  bool nullable = false;  ///< it has validity bits
};

struct GroupAggregation {
  Aggregate op = Aggregate::sum;
  std::uint32_t value = 0;  ///< number of the column of values
  bool population = false;  ///< variance: divided by count; otherwise by count - 1
};

/// Rows whose key is null in a column.
enum class NullKeys : std::uint32_t {
  group,  ///< null is a key like others, above all
  drop,   ///< rows with a null in any column belong to no group
};

/// How groups are found.
enum class GroupByMethod : std::uint32_t {
  /// one pass over the data, without a sort, where a single column of u32 or i32 without nulls has all keys in a window
  /// of a few hundred neighbouring numbers, which the GPU finds out; for sum, min, max, count and count_rows of one
  /// column of u32, i32 or f32 without nulls, each once, where neither offsets nor order are wanted. Otherwise sort
  automatic,
  sort,  ///< the rows are sorted by their keys
};

inline constexpr std::uint64_t kMaxGroupRows = std::uint64_t{1} << 31;
inline constexpr std::size_t kMaxGroupKeys = 8;
inline constexpr std::size_t kMaxGroupValues = 16;
inline constexpr std::size_t kMaxGroupAggregations = 32;

/// What the spans refer to is read during the call only.
struct GroupByDesc {
  std::span<const GroupKey> keys = {};  ///< columns, the most significant first, 1 … kMaxGroupKeys
  std::span<const GroupValue> values = {};              ///< columns, at most kMaxGroupValues
  std::span<const GroupAggregation> aggregations = {};  ///< at most kMaxGroupAggregations
  Count count = {};                                     ///< rows, 0 … kMaxGroupRows
  /// Groups that there is room for, 0 … kMaxGroupRows; not given: as many as rows
  std::optional<std::uint64_t> capacity = {};
  NullKeys null_keys = NullKeys::group;
  GroupByMethod method = GroupByMethod::automatic;
  Schedule schedule = Schedule::automatic;  ///< of the sort
  FloatOrder float_order =
      FloatOrder::by_value;  ///< of keys, and of values that are to be distinct
};

/// One view for each column or aggregation, in their order. A span may be shorter if those at its end have no
/// use: address 0.
struct GroupByBuffers {
  std::span<const BufferView> keys = {};
  std::span<const BufferView> key_validity = {};  ///< of nullable keys
  std::span<const BufferView> values = {};
  std::span<const BufferView> value_validity = {};    ///< of nullable values
  std::span<const BufferView> out_keys = {};          ///< address 0: not wanted
  std::span<const BufferView> out_key_validity = {};  ///< of nullable keys; address 0: not wanted
  std::span<const BufferView> out = {};               ///< of aggregations
  std::span<const BufferView> out_validity = {};      ///< of aggregations; address 0: not wanted
  BufferView group_count = {};
  BufferView offsets = {};  ///< address 0: not wanted
  BufferView order = {};    ///< address 0: not wanted
  BufferView report = {};   ///< address 0: not wanted
  Scratch scratch = {};
};

/// Groups are the distinct keys, in ascending order, by the first column, then the second …: out_keys[c][g] = the key
/// of group g, of its first row to the bit; out[a][g] = aggregation a over the rows of group g, in their order.
///
/// keys            count elements each; address multiple of the element's size
/// key_validity, value_validity   bits, the lowest first, 1: not null, in (count + 31) / 32 words of 4 bytes
/// values          count elements each; address multiple of the element's size. A column without an aggregation is
///                 not read
/// out_keys        room for capacity keys; address multiple of the key's size. Of a null key: anything
/// out_key_validity  (capacity + 31) / 32 words of 4 bytes: a bit for each group, in words up to that of the last one
/// out             room for capacity results of group_result_type(); address multiple of the size
/// out_validity    (capacity + 31) / 32 words of 4 bytes: a bit for each group, 1: it has a result, which
///                 group_result_nullable() explains; in words up to that of the last group, 0 behind it
/// group_count     8 bytes, address multiple of 8: the number of groups, as u64, may be above capacity
/// offsets         (capacity + 1) u32: rows before the group, in `order`; behind the last group the number of all rows
///                 that belong to groups. Written for groups below capacity and one more
/// order           count u32: the rows, group by group, in each group ascending; those of no group last
/// report          DeviceReport: capacity_exceeded, count: groups without room, first_index: the first of these,
///                 needed: the number of groups. Nothing is written past the room that there is
/// scratch         group_by_scratch() bytes: for each row 4, one of its largest key and what a sort of these needs
///                 (radix_sort.hpp), with distinct 4 more; 4 for each group; a few MB where no sort may be needed
/// Before          keys, validity, values, count: last writer -> COMPUTE_SHADER / SHADER_READ. All outputs, report:
///                 all earlier users -> COMPUTE_SHADER / SHADER_READ | SHADER_WRITE. scratch: all earlier users ->
///                 COMPUTE_SHADER | TRANSFER | DRAW_INDIRECT / SHADER_READ | SHADER_WRITE | TRANSFER_WRITE |
///                 INDIRECT_COMMAND_READ
/// After           outputs, report: COMPUTE_SHADER / SHADER_WRITE -> your reader. The others: free after
///                 COMPUTE_SHADER. What lies behind the results is kept
/// Errors          no keys, too many columns or aggregations, enumerations out of range, a column that does not exist,
///                 bound of a type that has none, sum, mean or variance of f64 on a device without float64, count or
///                 capacity above the limit, views missing, too small, unaligned or overlapping, scratch. Of keys
///                 that are not below their bound the groups are unspecified, nothing else
/// Results         integers, min, max, and all that counts or names rows: exact. Float sum, mean and variance are
///                 bit-identical for the same device, driver, tuning, count and data. |error| for n values: sum of f32
///                 <= 2^-24 |sum| + n 2^-44 sum|value|, and n (2^-25 max|value| + 2^-126) more where nothing was
///                 sorted; of f64 <= 1.1 n 2^-53 sum|value|. With b = n / 2^20 + 1 and m the mean of |value|: of the
///                 mean b 2^-42 m, of the variance v b 2^-40 (v + m sqrt(v)) + (b 2^-42 m)^2. Without float64 these two
///                 are computed in pairs of f32: beyond its range they are infinite or NaN, and denormals may be 0
/// Source          a stable radix sort column by column, the last one first; tiles of equal numbers of rows, segmented
///                 scans within them and an ordered fix-up of groups that cross tiles, as in segmented_reduce.hpp: no
///                 group is too large or too small. Without a sort: counters in shared memory, integers for floats too
Status record_group_by(VkCommandBuffer cmd, const Device& device, const GroupByDesc& desc,
                       const GroupByBuffers& buffers);

/// Scratch that record_group_by() needs for `desc`.
ScratchNeed group_by_scratch(const Device& device, const GroupByDesc& desc);

/// Compiles what record_group_by() uses for `desc` at any alignment and count.
Status warm_up(const Device& device, const GroupByDesc& desc);

/// Groups as a step of `recorder`; `buffers.scratch` is the recorder's.
template <std::same_as<Recorder> R>
void group_by(R& recorder, const GroupByDesc& desc, GroupByBuffers buffers) {
  recorder.step(group_by_scratch(recorder.device(), desc),
                [&](VkCommandBuffer cmd, const Scratch& s) {
                  buffers.scratch = s;
                  return record_group_by(cmd, recorder.device(), desc, buffers);
                });
}

}  // namespace vkprims
