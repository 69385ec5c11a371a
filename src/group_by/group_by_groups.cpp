// The part of group_by that finds where groups begin in the order of the rows.
#include "spirv/group_by_groups.hpp"

#include "group_by/group_by_call.hpp"
#include "scan/scan_desc.hpp"
#include "spirv/group_by_begin.hpp"
#include "spirv/group_by_heads.hpp"
#include "spirv/group_by_sizes.hpp"
#include "spirv/group_by_validity.hpp"

namespace vkprims {
namespace {

// Adds the command that computes how many rows and tiles there are, which the host does not know.
Status add_begin(GroupByCall& call) {
  const Count count =
      call.plan.drops ? call.in_header(call.plan.rows, VKP_GROUP_BY_KEPT_OFFSET, CountWidth::u32)
                      : call.count;
  const abi::GroupByBeginPush push{.header = push_u64(call.header().address),
                                   .rows = push_count(count)};
  return call.dispatch(spirv::group_by_begin, Type::u32, 0, push, Grid(1),
                       {operand_of(count), writes(call.header())});
}

// The place where a column of keys is found by sorted rows.
BufferView sorted_key(const GroupByCall& call, std::size_t i) {
  return call.sorted_keys ? call.keys(call.desc.keys[i].type) : call.key(i);
}

std::uint32_t flags_of(const GroupByCall& call, std::size_t i) {
  return (call.sorted_keys ? 0 : VKP_GROUP_BY_ORDERED) | (i ? VKP_GROUP_BY_FURTHER : 0);
}

// Marks rows whose key in column i differs from the key before.
Status add_heads(GroupByCall& call, std::size_t i) {
  const GroupKey& key = call.desc.keys[i];
  const BufferView column = sorted_key(call, i), heads = call.heads(), counts = call.head_counts();
  // If rows are dropped, those that are kept have no null keys.
  const BufferView validity = call.plan.drops ? BufferView() : call.key_validity(i);
  const abi::GroupByColumnPush push{.column = push_u64(column.address),
                                    .validity = push_u64(validity.address),
                                    .order = push_u64(call.order.address),
                                    .result = push_u64(heads.address),
                                    .counts = push_u64(counts.address),
                                    .rows = push_count(call.rows)};
  const std::uint32_t nullable = validity.bytes ? VKP_GROUP_BY_NULLABLE : 0;
  return call.dispatch_tiles(spirv::group_by_heads(size_of(key.type) / 8), key.type,
                             flags_of(call, i) | nullable, push,
                             {reads(call.row_header()), reads(column), reads(validity),
                              reads(call.order), writes(heads), writes(counts)});
}

// Turns the number of heads in each tile into that of all tiles up to it.
Status add_head_scan(GroupByCall& call) {
  const Commands::Label label(call.commands, "scan");
  const BufferView counts = call.head_counts();
  return add_scan(call.commands, group_count_scan(call.tiles),
                  {.in = counts, .out = counts, .scratch = call.work()});
}

// Writes the keys of groups, and with the first column also where they begin and how many they are.
Status add_keys(GroupByCall& call, std::size_t i) {
  const GroupKey& key = call.desc.keys[i];
  const BufferView out = view_at(call.buffers.out_keys, i), column = sorted_key(call, i);
  if (i && !out.address) return {};
  const BufferView report = call.report();
  const abi::GroupByGroupsPush push{.column = push_u64(column.address),
                                    .order = push_u64(call.order.address),
                                    .heads = push_u64(call.heads().address),
                                    .counts = push_u64(call.head_counts().address),
                                    .out_keys = push_u64(out.address),
                                    .offsets = push_u64(call.offsets.address),
                                    .group_count = push_u64(call.buffers.group_count.address),
                                    .report = push_u64(report.address),
                                    .header = push_u64(call.header().address),
                                    .capacity = push_u64(call.plan.capacity),
                                    .rows = push_count(call.rows)};
  const std::uint32_t tried = call.tries ? VKP_GROUP_BY_TRIED : 0;
  return call.dispatch_tiles(
      spirv::group_by_groups(size_of(key.type) / 8), key.type, flags_of(call, i) | tried, push,
      {reads(call.row_header()), reads(column), reads(call.order), reads(call.heads()),
       reads(call.head_counts()),
       writes(out.address, wanted(out, call.plan.capacity * size_of(key.type))),
       writes(i ? BufferView() : call.offsets), writes(call.buffers.group_count.address, i ? 0 : 8),
       writes(i ? BufferView() : report),
       reads(call.part(VKP_GROUP_BY_DONE_OFFSET, call.tries ? 4 : 0)),
       writes(i ? BufferView() : call.part(VKP_GROUP_BY_GROUPS_OFFSET, 8))});
}

// Adds a kernel that looks up, for each group, its rows in the order.
Status add_rows_of_groups(GroupByCall& call, const Spirv& spirv, const BufferView& validity,
                          const BufferView& out, std::uint32_t groups_each,
                          const Independent* independent = nullptr) {
  const Count groups = call.groups();
  const abi::GroupByRowsPush push{.offsets = push_u64(call.offsets.address),
                                  .order = push_u64(call.order.address),
                                  .validity = push_u64(validity.address),
                                  .result = push_u64(out.address),
                                  .groups = push_count(groups)};
  return call.dispatch(
      spirv, Type::u32, 0, push, call.grid(groups, VKP_GROUP_BY_WORKGROUP * groups_each),
      {reads(call.header()), reads(call.offsets), reads(call.order), reads(validity), writes(out)},
      independent);
}

Status add_key_validity(GroupByCall& call, std::size_t i) {
  const BufferView out = view_at(call.buffers.out_key_validity, i);
  if (!call.desc.keys[i].nullable || !out.address) return {};
  return add_rows_of_groups(call, spirv::group_by_validity, call.key_validity(i),
                            {out.address, mask_bytes(call.plan.capacity)}, 32);
}

// Writes the validity of results that every group has.
Status add_certain_validity(GroupByCall& call, std::uint32_t i) {
  const Aggregate op = call.desc.aggregations[i].op;
  const bool certain = op == Aggregate::sum || op == Aggregate::count ||
                       op == Aggregate::count_rows || op == Aggregate::distinct;
  return certain ? add_result_validity(call, call.groups(), {}, call.result_bits(i)) : Status();
}

}  // namespace

Status add_groups(GroupByCall& call) {
  const std::size_t keys = call.desc.keys.size(), aggregations = call.desc.aggregations.size();
  if (call.rows.address) VKPRIMS_TRY(add_begin(call));
  if (call.plan.rows == 0) {  // the number of groups is written nevertheless
    for (std::size_t i = 0; i < keys; ++i) VKPRIMS_TRY(add_keys(call, i));
    return {};
  }
  for (std::size_t i = 0; i < keys; ++i) VKPRIMS_TRY(add_heads(call, i));
  VKPRIMS_TRY(add_head_scan(call));
  for (std::size_t i = 0; i < keys; ++i) VKPRIMS_TRY(add_keys(call, i));
  for (std::size_t i = 0; i < keys; ++i) VKPRIMS_TRY(add_key_validity(call, i));
  for (std::uint32_t i = 0; i < aggregations; ++i) VKPRIMS_TRY(add_certain_validity(call, i));
  return {};
}

Status add_sizes(GroupByCall& call) {
  static constexpr Independent kOtherResults{
      "sizes follow from where groups begin; the commands behind that write other results"};
  const Independent* independent = call.plan.pass_count ? &kOtherResults : nullptr;
  for (std::uint32_t i = 0; i < call.desc.aggregations.size(); ++i) {
    if (!counts_rows(call.desc, call.desc.aggregations[i])) continue;
    const BufferView out{view_at(call.buffers.out, i).address, 4 * call.plan.capacity};
    VKPRIMS_TRY(
        add_rows_of_groups(call, spirv::group_by_sizes, {}, out, VKP_GROUP_BY_SIZES, independent));
    independent = &kOtherResults;
  }
  return {};
}

}  // namespace vkprims
