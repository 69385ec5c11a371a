// The part of group_by that reduces the values of each group.
#include "spirv/group_by_reduce.hpp"

#include "group_by/group_by_call.hpp"
#include "spirv/group_by_fix_up.hpp"
#include "spirv/group_by_result_validity.hpp"

namespace vkprims {
namespace {

constexpr std::size_t kSlots = std::tuple_size_v<decltype(GroupPass::results)>;

// Where the results of a pass go.
struct PassResults {
  BufferView out[kSlots];
  // Results that exist for the same groups share bits, which are those of the first one that is
  // wanted.
  BufferView bits[kNoBits];
};

PassResults results_of(const GroupByCall& call, const GroupPass& pass) {
  PassResults results;
  for (std::size_t i = 0; i < kSlots; ++i) {
    const std::uint32_t number = pass.results[i];
    if (number == kNoAggregation) continue;
    const Type type =
        group_result_type(call.desc.aggregations[number].op, call.desc.values[pass.value].type);
    results.out[i] = {view_at(call.buffers.out, number).address,
                      call.plan.capacity * size_of(type)};
    const std::uint32_t set = group_pass_bits(pass.family, i);
    if (set != kNoBits && !results.bits[set].address) results.bits[set] = call.result_bits(number);
  }
  return results;
}

// Adds the commands that reduce tiles, and then groups that cross tiles.
Status add_reduction(GroupByCall& call, const GroupPass& pass, const BufferView& order,
                     const PassResults& results, const Independent* independent) {
  const Type type = call.desc.values[pass.value].type;
  const BufferView validity = call.value_validity(pass.value), heads = call.heads(),
                   counts = call.head_counts();
  const BufferView work = call.part(call.plan.work, call.plan.work_bytes);
  BufferView column = call.value(pass.value);
  if (call.carries) column.address = order.address;
  const abi::GroupByReducePush push{.column = push_u64(column.address),
                                    .validity = push_u64(validity.address),
                                    .order = push_u64(order.address),
                                    .heads = push_u64(heads.address),
                                    .counts = push_u64(counts.address),
                                    .result0 = push_u64(results.out[0].address),
                                    .result1 = push_u64(results.out[1].address),
                                    .result2 = push_u64(results.out[2].address),
                                    .result3 = push_u64(results.out[3].address),
                                    .valid0 = push_u64(results.bits[0].address),
                                    .valid1 = push_u64(results.bits[1].address),
                                    .scratch = push_u64(work.address),
                                    .rows = push_count(call.rows),
                                    .capacity = static_cast<std::uint32_t>(call.plan.capacity),
                                    .max_tiles = static_cast<std::uint32_t>(call.plan.tiles)};
  const std::initializer_list<Access> accesses = {reads(call.row_header()),
                                                  reads(column),
                                                  reads(validity),
                                                  reads(order),
                                                  reads(heads),
                                                  reads(counts),
                                                  writes(results.out[0]),
                                                  writes(results.out[1]),
                                                  writes(results.out[2]),
                                                  writes(results.out[3]),
                                                  writes(results.bits[0]),
                                                  writes(results.bits[1]),
                                                  writes(work)};
  const std::uint32_t flags = pass.flags | (call.carries ? 0 : VKP_GROUP_BY_ORDERED);
  const auto family = static_cast<std::size_t>(pass.family);
  VKPRIMS_TRY(call.dispatch_tiles(spirv::group_by_reduce(family, size_of(type) / 8), type, flags,
                                  push, accesses, independent));
  VKPRIMS_TRY(call.commands.prepare(call.fix_up_grid));
  return call.dispatch(spirv::group_by_fix_up(family, size_of(type) / 8), type, flags, push,
                       call.fix_up_grid, accesses);
}

}  // namespace

Status add_result_validity(GroupByCall& call, const Count& groups, const BufferView& from,
                           const BufferView& out) {
  if (!out.address || out.address == from.address) return {};
  const abi::GroupByRowsPush push{.offsets = {},
                                  .order = {},
                                  .validity = push_u64(from.address),
                                  .result = push_u64(out.address),
                                  .groups = push_count(groups)};
  return call.dispatch(spirv::group_by_result_validity, Type::u32, 0, push,
                       call.grid(groups, VKP_GROUP_BY_WORKGROUP * 32),
                       {reads(call.whole_header()), reads(from), writes(out)});
}

Status add_pass(GroupByCall& call, std::uint32_t number) {
  static constexpr Independent kNotOfGroups{
      "a tile is reduced by its heads, whatever has been stored of groups since they were counted"};
  const GroupPass& pass = call.plan.passes[number];
  const Independent* independent = number == 0 ? &kNotOfGroups : nullptr;
  BufferView order = call.order;
  if (pass.family == GroupFamily::distinct) {
    order = call.part(call.plan.value_order, 4 * call.plan.rows);
    VKPRIMS_TRY(add_order_of_values(call, order, pass.value));
    independent = nullptr;
  }
  const PassResults results = results_of(call, pass);
  const Count groups = call.groups();
  for (const BufferView& bits : results.bits) {
    VKPRIMS_TRY(add_result_validity(call, groups, {}, bits));
    if (bits.address) independent = nullptr;
  }
  VKPRIMS_TRY(add_reduction(call, pass, order, results, independent));
  for (std::size_t i = 0; i < kSlots; ++i) {
    const std::uint32_t set = group_pass_bits(pass.family, i);
    if (set == kNoBits || !results.bits[set].address) continue;
    VKPRIMS_TRY(
        add_result_validity(call, groups, results.bits[set], call.result_bits(pass.results[i])));
  }
  return {};
}

}  // namespace vkprims
