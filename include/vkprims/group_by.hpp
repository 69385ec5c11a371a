// Group by: aggregations over the rows of a table that have the same key.
/// @ingroup group_by
#pragma once

#include <concepts>
#include <optional>
#include <span>

#include "vkprims/device.hpp"

namespace vkprims {

/// What is computed from the values of a group. All except count_rows skip null values.
enum class Aggregate : std::uint32_t {
  sum,  ///< integers: as u64 or i64, modulo 2^64; floats: in their type
  /// In the value's type; floats order -0 below +0 and skip NaN. Without values: the largest value,
  /// +infinity for floats.
  min,
  max,         ///< Like min; without values: the smallest value, -infinity for floats.
  count,       ///< u32: number of values that are not null
  count_rows,  ///< u32: number of rows; GroupAggregation::value is not used
  mean,        ///< f64; NaN without values
  /// f64: sum of squared distances from the mean, divided by count - 1 or by count; NaN if the
  /// divisor is not above 0.
  variance,
  /// u32: the lowest row with the smallest value; NaN are skipped. Without values: 0xffffffff.
  arg_min,
  arg_max,  ///< u32: like arg_min, with the largest value
  first,    ///< in the value's type: the first value that is not null; 0 without values
  last,     ///< like first, the last value
  /// u32: number of distinct values; GroupByDesc::float_order says which floats are equal
  distinct,
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

/// Whether groups may lack such a result. The bit of such a group in GroupByBuffers::out_validity
/// is 0, and `out` holds what Aggregate says. Sums without values are 0, as in pandas; all else is
/// null as in Arrow, libcudf and SQL:
///
/// - sum, count, count_rows, distinct: every group has one.
/// - min, max, arg_min, arg_max: there is none where all values are null or NaN.
/// - mean, first, last: there is none where all values are null.
/// - variance: there is none where all values but one, or all, are null; with `population` there is
///   none where all values are null.
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

/// A column of keys. GroupByDesc::float_order says which floats are equal.
struct GroupKey {
  Type type = Type::u32;  ///< every device supports all types here
  bool nullable = false;  ///< the column has validity bits
  /// For u32 and u64: all keys are below it, like codes of a dictionary; 0: not known.
  std::uint64_t bound = 0;
};

/// A column of values.
struct GroupValue {
  /// f64 needs Features::float64 for sum, mean and variance; nothing else needs a feature.
  Type type = Type::u32;
  bool nullable = false;  ///< the column has validity bits
};

/// One aggregation of the values of each group.
struct GroupAggregation {
  Aggregate op = Aggregate::sum;  ///< what is computed
  std::uint32_t value = 0;        ///< index of the column of values
  bool population = false;        ///< variance divides by count; otherwise by count - 1
};

/// What happens to rows with a null in a column of keys.
enum class NullKeys : std::uint32_t {
  group,  ///< null is a key like others, which is above all others
  drop,   ///< rows with a null in any column belong to no group
};

/// The algorithm that finds the groups.
enum class GroupByMethod : std::uint32_t {
  /// One pass over the data without a sort, if the only column of keys has u32 or i32 without nulls
  /// that all lie in a window of a few hundred neighbouring numbers, which the GPU finds out; if
  /// the aggregations are sum, min, max, count and count_rows, each at most once, of one column of
  /// u32, i32 or f32 without nulls; and if neither offsets nor order are wanted. Otherwise sort,
  /// which also finds the groups of few rows (Tuning::group_sort_count) whose keys have no bound.
  automatic,
  sort,  ///< rows are sorted by their keys
};

/// Largest number of rows, and of groups.
inline constexpr std::uint64_t kMaxGroupRows = std::uint64_t{1} << 31;
/// Largest number of columns of keys.
inline constexpr std::size_t kMaxGroupKeys = 8;
/// Largest number of columns of values.
inline constexpr std::size_t kMaxGroupValues = 16;
/// Largest number of aggregations.
inline constexpr std::size_t kMaxGroupAggregations = 32;

/// Describes a group by to record_group_by(), group_by_scratch() and warm_up(). The spans are read
/// only during the call.
struct GroupByDesc {
  std::span<const GroupKey> keys = {};  ///< columns, the most significant first, 1 … kMaxGroupKeys
  std::span<const GroupValue> values = {};              ///< columns, at most kMaxGroupValues
  std::span<const GroupAggregation> aggregations = {};  ///< at most kMaxGroupAggregations
  Count count = {};                                     ///< rows, 0 … kMaxGroupRows
  /// Number of groups that there is room for, 0 … kMaxGroupRows; not given: as many as rows.
  std::optional<std::uint64_t> capacity = {};
  NullKeys null_keys = NullKeys::group;             ///< what happens to rows with a null key
  GroupByMethod method = GroupByMethod::automatic;  ///< how groups are found
  Schedule schedule = Schedule::automatic;          ///< of the sort
  /// for keys, and for values of Aggregate::distinct
  FloatOrder float_order = FloatOrder::by_value;
};

/// Memory for record_group_by(), whose comment tells sizes, alignments and what may overlap.
///
/// Each span has one view for each column or aggregation, in their order. Views with address 0 at
/// the end of a span may be left out.
struct GroupByBuffers {
  std::span<const BufferView> keys = {};              ///< columns of keys
  std::span<const BufferView> key_validity = {};      ///< of nullable keys
  std::span<const BufferView> values = {};            ///< columns of values
  std::span<const BufferView> value_validity = {};    ///< of nullable values
  std::span<const BufferView> out_keys = {};          ///< address 0: not wanted
  std::span<const BufferView> out_key_validity = {};  ///< of nullable keys; address 0: not wanted
  std::span<const BufferView> out = {};               ///< of aggregations
  std::span<const BufferView> out_validity = {};      ///< of aggregations; address 0: not wanted
  BufferView group_count = {};                        ///< one u64
  BufferView offsets = {};                            ///< address 0: not wanted
  BufferView order = {};                              ///< address 0: not wanted
  BufferView report = {};                             ///< address 0: not wanted
  Scratch scratch = {};                               ///< group_by_scratch() bytes
};

/// The groups are the distinct keys, in ascending order by the first column, then the second and so
/// on. out_keys[c][g] = the key of group g in column c, with the bits that it has in the group's
/// first row; out[a][g] = aggregation a over the rows of group g, in their order.
///
/// keys              count elements each; address multiple of the element's size
/// key_validity, value_validity  bits, lowest first, 1 for not null, in (count + 31) / 32 words of
///                   4 bytes
/// values            count elements each; address multiple of the element's size. A column without
///                   an aggregation is not read
/// out_keys          room for capacity keys; address multiple of the key's size. The value of a
///                   null key is unspecified
/// out_key_validity  (capacity + 31) / 32 words of 4 bytes with a bit for each group; written up to
///                   the word of the last group
/// out               room for capacity results of group_result_type(); address multiple of the size
/// out_validity      (capacity + 31) / 32 words of 4 bytes with a bit for each group, 1 if it has a
///                   result (see group_result_nullable()); written up to the word of the last
///                   group, with 0 for bits behind it
/// group_count       8 bytes, address multiple of 8: the number of groups, as u64, which may be
///                   above capacity
/// offsets           (capacity + 1) u32: the number of rows before each group in `order`, and
///                   behind the last group the number of all rows that belong to groups. One more
///                   is written than there are groups below capacity
/// order             count u32: the row numbers, group by group, ascending in each group; rows
///                   without a group come last
/// report            DeviceReport: code capacity_exceeded, count = the groups without room,
///                   first_index = the first of these, needed = the number of groups. Nothing is
///                   written past the room
/// scratch           group_by_scratch() bytes: for each row 4, the size of its largest key, and
///                   what a sort of these needs (radix_sort.hpp), with distinct 4 more; 4 for each
///                   group; a few MB if a sort may be unnecessary
/// Before            keys, key_validity, values, value_validity, count: last writer ->
///                   COMPUTE_SHADER / SHADER_READ. out_keys, out_key_validity, out, out_validity,
///                   group_count, offsets, order, report: all earlier users -> COMPUTE_SHADER /
///                   SHADER_READ | SHADER_WRITE. scratch: all earlier users -> COMPUTE_SHADER |
///                   TRANSFER | DRAW_INDIRECT / SHADER_READ | SHADER_WRITE | TRANSFER_WRITE |
///                   INDIRECT_COMMAND_READ
/// After             out_keys, out_key_validity, out, out_validity, group_count, offsets, order,
///                   report: COMPUTE_SHADER / SHADER_WRITE -> your reader. The others: free after
///                   COMPUTE_SHADER
/// Errors            no keys, too many columns or aggregations, enumerations out of range, a column
///                   that does not exist, bound of a type that has none, sum, mean or variance of
///                   f64 on a device without float64, count or capacity above the limit, views
///                   missing, too small, unaligned or overlapping, invalid scratch. If keys are not
///                   below their bound, only the groups are unspecified
/// Results           integers, min, max, counts and row numbers: exact. Float sum, mean and
///                   variance are bit-identical for the same device, driver, tuning, count and
///                   data. |error| for n values: sum of f32 <= 2^-24 |sum| + n 2^-44 sum|value|,
///                   and n (2^-25 max|value| + 2^-126) more if there was no sort; sum of f64 <= 1.1
///                   n 2^-53 sum|value|. With b = n / 2^20 + 1 and m the mean of |value|: mean b
///                   2^-42 m, variance v b 2^-40 (v + m sqrt(v)) + (b 2^-42 m)^2. Without float64,
///                   mean and variance are computed in pairs of f32: beyond the range of f32 they
///                   are infinite or NaN, and denormals may become 0. Memory behind the results is
///                   left unchanged
/// Source            a stable radix sort column by column, the last one first; tiles of equal
///                   numbers of rows, segmented scans within them and an ordered fix-up of groups
///                   that cross tiles, as in segmented_reduce.hpp: the sizes of groups do not
///                   matter. Without a sort: accumulators in shared memory, which are integers for
///                   floats, too
Status record_group_by(VkCommandBuffer cmd, const Device& device, const GroupByDesc& desc,
                       const GroupByBuffers& buffers);

/// Scratch that record_group_by() needs for `desc`.
ScratchNeed group_by_scratch(const Device& device, const GroupByDesc& desc);

/// Compiles the pipelines that record_group_by() uses for `desc` at any alignment and count.
Status warm_up(const Device& device, const GroupByDesc& desc);

/// Groups as a step of `recorder`, which provides `buffers.scratch`.
template <std::same_as<Recorder> R>
void group_by(R& recorder, const GroupByDesc& desc, GroupByBuffers buffers) {
  recorder.step(group_by_scratch(recorder.device(), desc),
                [&](VkCommandBuffer cmd, const Scratch& s) {
                  buffers.scratch = s;
                  return record_group_by(cmd, recorder.device(), desc, buffers);
                });
}

}  // namespace vkprims
