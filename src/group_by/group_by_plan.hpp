// How a GroupByDesc is carried out: which passes over columns its aggregations take, and where
// things are in scratch.
#pragma once

#include <array>

#include "group_by/group_by/group_by.abi.h"
#include "sort/sort_passes.hpp"
#include "vkprims/group_by.hpp"
#include "vkprims/scan.hpp"

namespace vkprims {

/// Groups of aggregations of one column that share a pass: the axis FAMILY of group_by/reduce.comp.
enum class GroupFamily : std::uint32_t { stats, places, distinct, moments, moments64 };
inline constexpr std::uint32_t kGroupFamilies = 5;

inline constexpr std::uint32_t kNoAggregation = 0xffffffffu;

/// A pass over a column of values.
struct GroupPass {
  GroupFamily family = GroupFamily::stats;
  std::uint32_t value = 0;
  std::uint32_t flags = 0;  // VKP_GROUP_BY_NULLABLE …
  std::array<std::uint32_t, 4> results{kNoAggregation, kNoAggregation, kNoAggregation,
                                       kNoAggregation};
};

/// 32-bit words of a group's result in a pass.
constexpr std::uint32_t group_pass_words(GroupFamily family, Type type) {
  const std::uint32_t key_words = size_of(type) / 4;
  switch (family) {
    case GroupFamily::stats:
      return 3 + 2 * key_words;
    case GroupFamily::places:
      return 4 + 2 * key_words;
    case GroupFamily::distinct:
      return 1;
    default:
      return 5;
  }
}

/// One pass over rows whose keys may lie in a window of neighbouring numbers.
struct GroupDense {
  bool tried = false;
  bool alone = false;  // the caller vouches for a bound, so there is no other way
  std::uint32_t kind = VKP_GROUP_BY_NO_VALUES;  // of the values
  std::uint32_t value = kNoAggregation;
  bool extremes = false;
  std::uint32_t slots = 0, groups = 0, workgroup_size = 0;
  /// The aggregations that give rows, count, sum, min and max, in this order.
  std::array<std::uint32_t, 5> results{kNoAggregation, kNoAggregation, kNoAggregation,
                                       kNoAggregation, kNoAggregation};
  VkDeviceSize partials = 0, totals = 0, valid = 0;  // offsets in scratch
};

struct GroupPlan {
  std::array<GroupPass, kMaxGroupAggregations> passes;
  std::uint32_t pass_count = 0;
  bool drops = false;  // rows with a null key are left out
  GroupDense dense;
  /// A column of values that is sorted with the keys, so that nothing is gathered by the order of
  /// the rows. There is one only if the caller does not want that order.
  std::uint32_t carried = kNoAggregation;

  std::uint64_t rows, tiles, capacity;
  /// Offsets in scratch.
  VkDeviceSize offsets, order, value_order, keys, heads, counts, work;
  VkDeviceSize work_bytes;
  ScratchNeed need;
};

/// Which of the two sets of bits in GroupByReducePush says whether the result in a slot of a pass
/// exists; kNoBits means that it always does.
inline constexpr std::uint32_t kNoBits = 2;
constexpr std::uint32_t group_pass_bits(GroupFamily family, std::size_t slot) {
  switch (family) {
    case GroupFamily::stats:
      return slot < 2 ? kNoBits : 0;
    case GroupFamily::places:
      return slot < 2 ? 0 : 1;
    case GroupFamily::distinct:
      return kNoBits;
    default:
      return slot == 0 ? kNoBits : slot == 1 ? 0 : 1;
  }
}

/// Whether an aggregation counts all rows of a group, which takes no pass.
bool counts_rows(const GroupByDesc& desc, const GroupAggregation& aggregation);

/// Requires that `desc` is valid.
GroupPlan plan_group_by(const DeviceState& state, const Device& device, const GroupByDesc& desc);

/// A sort of rows by keys, with the numbers of the rows as values. The first of all columns is
/// sorted without numbers yet, so its sort makes them.
SortJob group_sort_job(const GroupByDesc& desc, const Count& count, Type type, std::uint32_t bits,
                       bool first, bool keep_keys);
/// The same sort with a column of values in place of numbers.
SortJob group_carry_job(const GroupByDesc& desc, const Count& count, Type value);

/// The number of bits that tell keys of a column apart; 0: all bits.
std::uint32_t group_key_bits(const GroupKey& key);

/// The scan that turns the number of heads in each tile into that of all tiles up to it.
ScanDesc group_count_scan(const Count& tiles);

}  // namespace vkprims
