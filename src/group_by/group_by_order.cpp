// The part of group_by that sorts.
#include "group_by/group_by_call.hpp"
#include "spirv/group_by_column.hpp"
#include "spirv/group_by_nulls.hpp"

namespace vkprims {
namespace {

// A column by which rows are sorted. Columns are sorted one after another, the last one first, and
// every sort keeps the order of rows that the sorts before it have found.
struct SortColumn {
  BufferView source, validity;
  Type type;
  std::uint32_t bits;  // that tell keys apart; 0: all
  bool first;          // there is no order yet
  bool nulls_last;     // above all others; otherwise they may be anywhere
  bool keep_keys;      // the keys are wanted in order
};

Status add_job(GroupByCall& call, const SortJob& job, const SortPlaces& places) {
  if (!call.warms_up) {
    const Commands::Label label(call.commands, "sort");
    return add_sort(call.commands, job, places);
  }
  SortJob any = job;
  any.keep_keys |= !job.make_indices;  // an order is sorted in place, whether keys are kept or not
  return warm_up_sort(call.commands, any);
}

// Sorts keys and the order of their rows.
Status add_sort_of_rows(GroupByCall& call, VkDeviceAddress in, VkDeviceAddress order, Type type,
                        std::uint32_t bits, bool first, bool keep_keys) {
  const SortJob job = group_sort_job(call.desc, call.count, type, bits, first, keep_keys);
  return add_job(
      call, job,
      {in, keep_keys ? call.keys(type).address : 0, first ? 0 : order, order, call.work()});
}

// Sorts keys and a column of values side by side.
Status add_sort_of_values(GroupByCall& call) {
  const std::uint32_t carried = call.plan.carried;
  const SortJob job = group_carry_job(call.desc, call.count, call.desc.values[carried].type);
  return add_job(call, job,
                 {call.key(0).address, call.keys(job.type).address, call.value(carried).address,
                  call.order.address, call.work()});
}

// Writes to `keys` in scratch what is sorted next.
Status add_column(GroupByCall& call, const SortColumn& column, VkDeviceAddress order) {
  const BufferView keys = call.keys(column.type);
  const abi::GroupByColumnPush push{.column = push_u64(column.source.address),
                                    .validity = push_u64(column.validity.address),
                                    .order = push_u64(order),
                                    .result = push_u64(keys.address),
                                    .counts = {},
                                    .rows = push_count(call.count)};
  const std::uint32_t flags = (column.validity.bytes ? VKP_GROUP_BY_NULLABLE : 0) |
                              (column.first ? 0 : VKP_GROUP_BY_ORDERED);
  return call.dispatch(spirv::group_by_column(size_of(column.type) / 8), column.type, flags, push,
                       call.grid(call.count, VKP_GROUP_BY_TILE),
                       {operand_of(call.count), reads(column.source), reads(column.validity),
                        reads(order, column.first ? 0 : 4 * call.plan.rows), writes(keys)});
}

// Writes to `keys` in scratch which rows have a null.
Status add_nulls(GroupByCall& call, const BufferView& validity, VkDeviceAddress order,
                 std::uint32_t flags) {
  const BufferView keys = call.keys(Type::u32), kept = call.part(VKP_GROUP_BY_KEPT_OFFSET, 4);
  const abi::GroupByColumnPush push{.column = {},
                                    .validity = push_u64(validity.address),
                                    .order = push_u64(order),
                                    .result = push_u64(keys.address),
                                    .counts = push_u64(kept.address),
                                    .rows = push_count(call.count)};
  return call.dispatch(spirv::group_by_nulls, Type::u32, flags, push,
                       call.grid(call.count, VKP_GROUP_BY_TILE),
                       {operand_of(call.count), reads(validity), reads(order, 4 * call.plan.rows),
                        writes(keys), writes(kept)});
}

Status add_sort_of_nulls(GroupByCall& call, VkDeviceAddress order) {
  return add_sort_of_rows(call, call.keys(Type::u32).address, order, Type::u32, 1, false, false);
}

Status add_sort_of_column(GroupByCall& call, const SortColumn& column, VkDeviceAddress order) {
  const bool moved = !column.first || column.validity.bytes;
  if (moved) VKPRIMS_TRY(add_column(call, column, order));
  const BufferView& in = moved ? call.keys(column.type) : column.source;
  VKPRIMS_TRY(add_sort_of_rows(call, in.address, order, column.type, column.bits, column.first,
                               column.keep_keys));
  if (!column.validity.bytes || !column.nulls_last) return {};
  VKPRIMS_TRY(add_nulls(call, column.validity, order, 0));
  return add_sort_of_nulls(call, order);
}

// Sorts rows with a null key to the end. `count`: counts the others.
Status add_sort_of_dropped(GroupByCall& call, VkDeviceAddress order, bool count) {
  std::uint32_t left = 0;
  for (const GroupKey& key : call.desc.keys) left += key.nullable;
  if (count) VKPRIMS_TRY(call.commands.fill(call.buffers.scratch, VKP_GROUP_BY_KEPT_OFFSET, 4));
  std::uint32_t flags = 0;
  for (std::size_t i = 0; i < call.desc.keys.size(); ++i) {
    if (!call.desc.keys[i].nullable) continue;
    if (--left == 0 && count) flags |= VKP_GROUP_BY_KEPT;
    VKPRIMS_TRY(add_nulls(call, call.key_validity(i), order, flags));
    flags |= VKP_GROUP_BY_FURTHER;
  }
  return add_sort_of_nulls(call, order);
}

// Sorts by all keys, after what rows have been sorted by before.
Status add_sort_of_keys(GroupByCall& call, VkDeviceAddress order, bool first, bool keep_keys) {
  const bool nulls_last = call.desc.null_keys != NullKeys::drop;
  for (std::size_t i = call.desc.keys.size(); i-- > 0; first = false) {
    const GroupKey& key = call.desc.keys[i];
    VKPRIMS_TRY(add_sort_of_column(call,
                                   {call.key(i), call.key_validity(i), key.type,
                                    group_key_bits(key), first, nulls_last, keep_keys},
                                   order));
  }
  return {};
}

}  // namespace

Status add_order(GroupByCall& call) {
  if (call.plan.rows == 0) return {};
  if (call.carries) return add_sort_of_values(call);
  VKPRIMS_TRY(add_sort_of_keys(call, call.order.address, true, call.sorted_keys));
  return call.plan.drops ? add_sort_of_dropped(call, call.order.address, true) : Status();
}

Status add_order_of_values(GroupByCall& call, const BufferView& order, std::uint32_t value) {
  VKPRIMS_TRY(add_sort_of_column(call,
                                 {call.value(value), call.value_validity(value),
                                  call.desc.values[value].type, 0, true, true, false},
                                 order.address));
  VKPRIMS_TRY(add_sort_of_keys(call, order.address, false, false));
  return call.plan.drops ? add_sort_of_dropped(call, order.address, false) : Status();
}

}  // namespace vkprims
