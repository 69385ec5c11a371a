// The part of group_by that finds groups without a sort.
#include "spirv/group_by_dense.hpp"

#include "group_by/group_by_call.hpp"
#include "spirv/group_by_dense_groups.hpp"
#include "spirv/group_by_dense_totals.hpp"
#include "spirv/group_by_window.hpp"

namespace vkprims {
namespace {

constexpr std::uint32_t kSlotsEach = 8;  // of a workgroup, as in dense_totals.comp
constexpr std::size_t kRoles = std::tuple_size_v<decltype(GroupDense::results)>;

std::uint32_t flip_of(const GroupByCall& call) {
  return call.desc.keys[0].type == Type::i32 ? 0x80000000u : 0;
}

Specialization specialization(const GroupDense& dense) {
  Specialization constants{.workgroup_size = VKP_GROUP_BY_WORKGROUP};
  return constants.set(VKP_GROUP_BY_DENSE_SPEC_KIND, dense.kind)
      .set(VKP_GROUP_BY_DENSE_SPEC_SLOTS, dense.slots);
}

BufferView totals_of(const GroupByCall& call) {
  const GroupDense& dense = call.plan.dense;
  return call.part(dense.totals, 4 * VKP_GROUP_BY_DENSE_WORDS * dense.slots);
}

// Adds the commands that find the window and fold the rows of each slot.
Status add_slots(GroupByCall& call) {
  Commands& commands = call.commands;
  const GroupDense& dense = call.plan.dense;
  const bool has_values = dense.kind != VKP_GROUP_BY_NO_VALUES;
  const BufferView keys = call.key(0), values = has_values ? call.value(dense.value) : BufferView();
  const BufferView header = call.whole_header(), totals = totals_of(call);
  const BufferView partials = call.part(dense.partials, totals.bytes * dense.groups);
  abi::GroupByDensePush push{.keys = push_u64(keys.address),
                             .values = push_u64(values.address),
                             .header = push_u64(header.address),
                             .partials = push_u64(partials.address),
                             .totals = push_u64(totals.address),
                             .rows = push_count(call.desc.count),
                             .flip = flip_of(call),
                             .bound = static_cast<std::uint32_t>(call.desc.keys[0].bound),
                             .groups = dense.groups};
  const Specialization constants = specialization(dense);
  VKPRIMS_TRY(commands.dispatch(spirv::group_by_window, constants, push, Grid(1),
                                {operand_of(call.desc.count), reads(keys), writes(header)}));
  push.rows = push_count(call.in_header(call.plan.rows, VKP_GROUP_BY_DENSE_ROWS_OFFSET));
  Specialization main = constants;
  main.workgroup_size = dense.workgroup_size;
  main.set(VKP_GROUP_BY_DENSE_SPEC_EXTREMES, dense.extremes)
      .set(VKP_GROUP_BY_DENSE_SPEC_ALIGNED, (keys.address | values.address) % 16 == 0);
  VKPRIMS_TRY(commands.dispatch(spirv::group_by_dense, main, push, Grid(dense.groups),
                                {reads(keys), reads(values), writes(header), writes(partials)}));
  return commands.dispatch(spirv::group_by_dense_totals, constants, push,
                           Grid(ceil_div(dense.slots, kSlotsEach)),
                           {reads(header), reads(partials), writes(totals)});
}

// Adds the command that makes groups of the slots which are not empty.
Status add_groups_of_slots(GroupByCall& call, const BufferView& valid) {
  const GroupDense& dense = call.plan.dense;
  const BufferView header = call.whole_header(), totals = totals_of(call), report = call.report();
  const BufferView key_view = view_at(call.buffers.out_keys, 0);
  const BufferView out_keys{key_view.address, wanted(key_view, 4 * call.plan.capacity)};
  BufferView out[kRoles];
  abi::GroupByDenseGroupsPush push{.header = push_u64(header.address),
                                   .totals = push_u64(totals.address),
                                   .out_keys = push_u64(out_keys.address),
                                   .group_count = push_u64(call.buffers.group_count.address),
                                   .report = push_u64(report.address),
                                   .valid = push_u64(valid.address),
                                   .capacity = push_u64(call.plan.capacity),
                                   .flip = flip_of(call),
                                   .alone = dense.alone};
  abi::VkpU64* const results[kRoles] = {&push.rows, &push.count, &push.sum, &push.low, &push.high};
  for (std::size_t i = 0; i < kRoles; ++i) {
    const std::uint32_t number = dense.results[i];
    if (number == kNoAggregation) continue;
    const bool wide = i == 2 && dense.kind != VKP_GROUP_BY_FLOAT;
    out[i] = {view_at(call.buffers.out, number).address, call.plan.capacity * (wide ? 8 : 4)};
    *results[i] = push_u64(out[i].address);
  }
  return call.commands.dispatch(
      spirv::group_by_dense_groups, specialization(dense), push, Grid(1),
      {reads(totals), writes(header), writes(out_keys), writes(out[0]), writes(out[1]),
       writes(out[2]), writes(out[3]), writes(out[4]), writes(valid),
       writes(call.buffers.group_count.address, 8), writes(report)});
}

}  // namespace

Status add_dense_groups(GroupByCall& call) {
  const GroupDense& dense = call.plan.dense;
  const BufferView valid = call.part(dense.valid, VKP_GROUP_BY_DENSE_MOST_SLOTS / 8);
  VKPRIMS_TRY(add_slots(call));
  VKPRIMS_TRY(add_groups_of_slots(call, valid));
  const Count groups = call.in_header(call.plan.capacity, VKP_GROUP_BY_DENSE_GROUPS_OFFSET);
  for (std::size_t i = 0; i < kRoles; ++i) {
    const bool extreme = i > 2 && dense.kind == VKP_GROUP_BY_FLOAT;
    VKPRIMS_TRY(add_result_validity(call, groups, extreme ? valid : BufferView(),
                                    call.result_bits(dense.results[i])));
  }
  return {};
}

}  // namespace vkprims
