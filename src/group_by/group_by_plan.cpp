#include "group_by/group_by_plan.hpp"

#include <algorithm>
#include <bit>

#include "runtime/scratch_layout.hpp"
#include "runtime/tuning.hpp"

namespace vkprims {
namespace {

struct Role {
  GroupFamily family;
  std::uint32_t slot;
};

Role role_of(const DeviceState& state, Aggregate op, Type type) {
  const GroupFamily moments =
      state.info.enabled.float64 ? GroupFamily::moments64 : GroupFamily::moments;
  switch (op) {
    case Aggregate::sum:
      return type == Type::f64 ? Role{moments, 0} : Role{GroupFamily::stats, 1};
    case Aggregate::mean:
      return {moments, 1};
    case Aggregate::variance:
      return {moments, 2};
    case Aggregate::min:
      return {GroupFamily::stats, 2};
    case Aggregate::max:
      return {GroupFamily::stats, 3};
    case Aggregate::arg_min:
      return {GroupFamily::places, 0};
    case Aggregate::arg_max:
      return {GroupFamily::places, 1};
    case Aggregate::first:
      return {GroupFamily::places, 2};
    case Aggregate::last:
      return {GroupFamily::places, 3};
    case Aggregate::distinct:
      return {GroupFamily::distinct, 0};
    default:
      return {GroupFamily::stats, 0};
  }
}

// Whether a pass has room for an aggregation with `flags`. A pass that computes variances has
// means, but no sums.
bool takes(const GroupPass& pass, const Role& role, const GroupAggregation& a,
           std::uint32_t flags) {
  if (pass.family != role.family || pass.value != a.value) return false;
  if (pass.results[role.slot] != kNoAggregation) return false;
  return pass.flags == flags || a.op == Aggregate::mean;
}

void add(const DeviceState& state, const GroupByDesc& desc, std::uint32_t number, GroupPlan& plan) {
  const GroupAggregation& a = desc.aggregations[number];
  const Role role = role_of(state, a.op, desc.values[a.value].type);
  std::uint32_t flags = desc.values[a.value].nullable ? VKP_GROUP_BY_NULLABLE : 0;
  if (a.op == Aggregate::variance) {
    flags |= VKP_GROUP_BY_VARIANCE | (a.population ? VKP_GROUP_BY_POPULATION : 0);
  }
  for (std::uint32_t i = 0; i < plan.pass_count; ++i) {
    if (!takes(plan.passes[i], role, a, flags)) continue;
    plan.passes[i].results[role.slot] = number;
    return;
  }
  GroupPass& pass = plan.passes[plan.pass_count++];
  pass = {.family = role.family, .value = a.value, .flags = flags};
  pass.results[role.slot] = number;
}

// Bytes of shared memory that group_by/dense.comp takes.
std::uint32_t dense_bytes(const GroupDense& dense) {
  const bool is_float = dense.kind == VKP_GROUP_BY_FLOAT;
  const bool is_integer = dense.kind != VKP_GROUP_BY_NO_VALUES && !is_float;
  const std::uint32_t room = dense.slots + VKP_GROUP_BY_DENSE_MOST_COPIES;
  // Copies have counters and limits; slots have sums and extremes.
  const std::uint32_t copied = 1 + (dense.kind ? 1 : 0) + is_integer + 2 * dense.extremes;
  const std::uint32_t words = room * copied + dense.slots * (3 + 2 * dense.extremes);
  return 4 * (words + is_float * dense.slots / 8 + 16);
}

// The place of an aggregation among the results of dense passes; 5: none.
std::uint32_t dense_role(Aggregate op) {
  switch (op) {
    case Aggregate::count_rows:
      return 0;
    case Aggregate::count:
      return 1;
    case Aggregate::sum:
      return 2;
    case Aggregate::min:
      return 3;
    case Aggregate::max:
      return 4;
    default:
      return 5;
  }
}

// Whether one pass makes all aggregations: they must be of one column, and each must occur once.
bool assign_dense(const GroupByDesc& desc, GroupDense& dense) {
  for (std::uint32_t i = 0; i < desc.aggregations.size(); ++i) {
    const GroupAggregation& a = desc.aggregations[i];
    const std::uint32_t role = dense_role(a.op);
    if (role == 5 || dense.results[role] != kNoAggregation) return false;
    dense.results[role] = i;
    if (role != 0 && desc.values[a.value].nullable) return false;
    if (role < 2) continue;
    if (dense.value != kNoAggregation && dense.value != a.value) return false;
    dense.value = a.value;
    dense.extremes |= role > 2;
  }
  if (dense.value == kNoAggregation) return true;
  const Type type = desc.values[dense.value].type;
  if (size_of(type) != 4) return false;
  dense.kind = type == Type::f32   ? VKP_GROUP_BY_FLOAT
               : type == Type::i32 ? VKP_GROUP_BY_SIGNED
                                   : VKP_GROUP_BY_UNSIGNED;
  dense.extremes |= type == Type::f32;  // sums follow the magnitudes
  return true;
}

GroupDense plan_dense(const DeviceState& state, const GroupByDesc& desc) {
  GroupDense dense;
  const GroupKey& key = desc.keys[0];
  const bool key_fits =
      desc.keys.size() == 1 && !key.nullable && (key.type == Type::u32 || key.type == Type::i32);
  if (desc.method != GroupByMethod::automatic || !key_fits) return dense;
  const Tuning& tuning = state.tuning;
  // A sort of few rows takes less time than the window, which may fail besides.
  const std::uint32_t sorted = key.bound ? tuning.single_sort_count : tuning.group_sort_count;
  if (desc.count.max <= sorted) return dense;
  if (!assign_dense(desc, dense)) return dense;
  dense.slots = VKP_GROUP_BY_DENSE_MOST_SLOTS;
  while (dense.slots > VKP_GROUP_BY_DENSE_LEAST_SLOTS && dense_bytes(dense) > state.shared_bytes) {
    dense.slots /= 2;
  }
  if (dense_bytes(dense) > state.shared_bytes || key.bound > dense.slots) return dense;
  dense.workgroup_size =
      std::min<std::uint32_t>({VKP_GROUP_BY_DENSE_WORKGROUP, state.largest_workgroup, dense.slots});
  // On an H200 two workgroups fit into a processor, because of their shared memory; three for each
  // processor take 1.14 times as long.
  const std::uint64_t tiles = desc.count.max / (dense.workgroup_size * VKP_GROUP_BY_DENSE_ROWS) + 1;
  const std::uint64_t most = std::max(tuning.max_reduce_groups / 4, 1u);
  // There are more workgroups if there is so much data that one would otherwise make more than
  // kMostTurns turns. A tile takes one turn, and three more for each row of an invocation if all
  // rows go beyond what is known about their slots.
  const std::uint64_t least = tiles / (kMostTurns / (1 + 3 * VKP_GROUP_BY_DENSE_ROWS)) + 1;
  dense.groups = static_cast<std::uint32_t>(std::max(least, std::min(tiles, most)));
  dense.tried = true;
  dense.alone = key.bound != 0;
  return dense;
}

// The column that can be sorted with the keys. It must be the only one, and nobody may ask for
// rows.
std::uint32_t carried_column(const GroupByDesc& desc, const GroupPlan& plan) {
  if (desc.keys.size() != 1 || desc.keys[0].nullable || plan.pass_count == 0) return kNoAggregation;
  const std::uint32_t value = plan.passes[0].value;
  for (std::uint32_t i = 0; i < plan.pass_count; ++i) {
    const GroupFamily family = plan.passes[i].family;
    const bool rows = family == GroupFamily::places || family == GroupFamily::distinct;
    if (rows || plan.passes[i].value != value) return kNoAggregation;
  }
  return desc.values[value].nullable ? kNoAggregation : value;
}

// Assigns the aggregations to passes.
void assign_passes(const DeviceState& state, const GroupByDesc& desc, GroupPlan& plan) {
  // Variances are assigned first, because means go with them.
  for (const bool variances : {true, false}) {
    for (std::uint32_t i = 0; i < desc.aggregations.size(); ++i) {
      const GroupAggregation& a = desc.aggregations[i];
      if (counts_rows(desc, a) || (a.op == Aggregate::variance) != variances) continue;
      add(state, desc, i, plan);
    }
  }
}

// What sorts need in scratch.
struct SortRoom {
  const DeviceState& state;
  const GroupByDesc& desc;
  VkDeviceSize key_bytes = 4;  // of the widest column
  VkDeviceSize work = 0;       // of the sort that needs most

  // The number of rows may be read from the header of scratch.
  Count counts[2] = {desc.count, {desc.count.max, 8, CountWidth::u64}};

  void add(Type type, std::uint32_t bits, bool nullable) {
    key_bytes = std::max<VkDeviceSize>(key_bytes, size_of(type));
    for (const Count& count : counts) {
      for (const bool first : {true, false}) {
        const SortJob job = group_sort_job(desc, count, type, bits, first, !first);
        work = std::max(work, sort_need(state, job).bytes);
      }
    }
    if (nullable) add(Type::u32, 1, false);
  }
  void add_carried(Type value) {
    for (const Count& count : counts) {
      work = std::max(work, sort_need(state, group_carry_job(desc, count, value)).bytes);
    }
  }
};

VkDeviceSize pass_bytes(const GroupPass& pass, Type type, std::uint64_t tiles) {
  const std::uint64_t records = tiles + 1 + ceil_div(tiles, VKP_GROUP_BY_WORKGROUP);
  return VKP_SEGMENTED_RECORDS_OFFSET +
         records * VKP_SEGMENTED_RECORD_BYTES(4 * group_pass_words(pass.family, type));
}

// Lays out scratch. Things that are never in use at the same time share the place `work`.
void lay_out(const DeviceState& state, const Device& device, const GroupByDesc& desc,
             GroupPlan& plan) {
  SortRoom sorts{state, desc};
  for (const GroupKey& key : desc.keys) sorts.add(key.type, group_key_bits(key), key.nullable);
  const bool carries = plan.carried != kNoAggregation;
  if (carries) sorts.add_carried(desc.values[plan.carried].type);
  VkDeviceSize work =
      scan_scratch(device, group_count_scan({plan.tiles, 8, CountWidth::u64})).bytes;
  bool distinct = false;
  for (const GroupPass& pass : std::span(plan.passes).first(plan.pass_count)) {
    const GroupValue& value = desc.values[pass.value];
    work = std::max(work, pass_bytes(pass, value.type, plan.tiles));
    if (pass.family != GroupFamily::distinct) continue;
    distinct = true;
    sorts.add(value.type, 0, value.nullable);
  }

  ScratchLayout layout;
  layout.take(VKP_GROUP_BY_HEADER_BYTES);
  plan.offsets = layout.take(4 * (plan.capacity + 1));
  plan.order = layout.take((carries ? size_of(desc.values[plan.carried].type) : 4) * plan.rows);
  plan.value_order = layout.take(distinct ? 4 * plan.rows : 0);
  plan.keys = layout.take(sorts.key_bytes * plan.rows);
  plan.heads = layout.take(VKP_GROUP_BY_TILE / 8 * plan.tiles);
  plan.counts = layout.take(4 * plan.tiles);
  if (plan.dense.tried) {
    const VkDeviceSize words = VKP_GROUP_BY_DENSE_WORDS * plan.dense.slots;
    plan.dense.totals = layout.take(4 * words);
    plan.dense.partials = layout.take(4 * words * plan.dense.groups);
    plan.dense.valid = layout.take(VKP_GROUP_BY_DENSE_MOST_SLOTS / 8);
  }
  plan.work_bytes = std::max(work, sorts.work);
  plan.work = layout.take(plan.work_bytes);
  plan.need = layout.need();
}

}  // namespace

std::uint32_t group_key_bits(const GroupKey& key) {
  if (key.bound == 0) return 0;
  return std::max(1u, static_cast<std::uint32_t>(std::bit_width(key.bound - 1)));
}

SortJob group_sort_job(const GroupByDesc& desc, const Count& count, Type type, std::uint32_t bits,
                       bool first, bool keep_keys) {
  return {.primitive = "group_by",
          .type = type,
          .order = SortOrder::ascending,
          .float_order = desc.float_order,
          .begin_bit = 0,
          .end_bit = bits ? bits : size_of(type) * 8,
          .count = count,
          .schedule = desc.schedule,
          .value_words = 1,
          .make_indices = first,
          .keep_keys = keep_keys};
}

SortJob group_carry_job(const GroupByDesc& desc, const Count& count, Type value) {
  const GroupKey& key = desc.keys[0];
  SortJob job = group_sort_job(desc, count, key.type, group_key_bits(key), false, true);
  job.value_words = size_of(value) / 4;
  return job;
}

ScanDesc group_count_scan(const Count& tiles) {
  return {.type = Type::u32, .op = Op::add, .kind = ScanKind::inclusive, .count = tiles};
}

bool counts_rows(const GroupByDesc& desc, const GroupAggregation& aggregation) {
  return aggregation.op == Aggregate::count_rows ||
         (aggregation.op == Aggregate::count && !desc.values[aggregation.value].nullable);
}

GroupPlan plan_group_by(const DeviceState& state, const Device& device, const GroupByDesc& desc) {
  GroupPlan plan;
  assign_passes(state, desc, plan);
  for (const GroupKey& key : desc.keys) {
    plan.drops |= key.nullable && desc.null_keys == NullKeys::drop;
  }
  plan.dense = plan_dense(state, desc);
  plan.carried = carried_column(desc, plan);
  plan.rows = desc.count.max;
  plan.tiles = ceil_div(plan.rows, VKP_GROUP_BY_TILE);
  plan.capacity = std::min(desc.capacity.value_or(plan.rows), plan.rows);
  lay_out(state, device, desc, plan);
  return plan;
}

}  // namespace vkprims
