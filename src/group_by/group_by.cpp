// The host side of the primitive group_by.
#include "vkprims/group_by.hpp"

#include "group_by/group_by_call.hpp"
#include "scan/scan_desc.hpp"

namespace vkprims {

GroupByCall::GroupByCall(Commands& to, const GroupByDesc& d, const GroupPlan& p,
                         const GroupByBuffers& b, Commands::Use use)
    : commands(to),
      desc(d),
      plan(p),
      buffers(b),
      warms_up(use == Commands::Use::warm_up),
      tries(p.dense.tried && !b.offsets.address && !b.order.address),
      carries(p.carried != kNoAggregation && !b.order.address),
      sorted_keys(d.keys.size() == 1 && !d.keys[0].nullable) {
  order = b.order.address ? BufferView{b.order.address, 4 * p.rows} : part(p.order, 4 * p.rows);
  if (carries) order.bytes = value(p.carried).bytes;
  offsets = part(p.offsets, 4 * (p.capacity + 1));
  if (b.offsets.address) offsets.address = b.offsets.address;
  count = tries ? in_header(p.rows, VKP_GROUP_BY_SORT_ROWS_OFFSET) : d.count;
  const bool on_host = !count.address && !p.drops;
  rows = on_host ? Count(p.rows) : in_header(p.rows, VKP_GROUP_BY_ROWS_OFFSET);
  tiles = on_host ? Count(p.tiles) : in_header(p.tiles, VKP_GROUP_BY_TILES_OFFSET);
  tile_grid = grid(tiles, 1, 0);
  fix_up_grid = grid(tiles, VKP_GROUP_BY_WORKGROUP, 1);
}

Grid GroupByCall::grid(const Count& items, std::uint64_t items_per_group,
                       std::uint32_t place) const {
  const VkDeviceSize offset = VKP_GROUP_BY_GRIDS_OFFSET + place * kGridScratchBytes;
  Grid grid(items, items_per_group, part_of(buffers.scratch, offset));
  grid.groups = std::max<std::uint64_t>(grid.groups, 1);  // groups are counted even without rows
  return grid;
}

namespace {

Status add_group_by(GroupByCall& call) {
  if (call.tries) VKPRIMS_TRY(add_dense_groups(call));
  if (call.tries && call.plan.dense.alone) return {};
  VKPRIMS_TRY(add_order(call));
  VKPRIMS_TRY(add_groups(call));
  if (call.plan.rows == 0) return {};
  for (std::uint32_t i = 0; i < call.plan.pass_count; ++i) {
    VKPRIMS_TRY(add_pass(call, i));
  }
  return add_sizes(call);
}

}  // namespace

ScratchNeed group_by_scratch(const Device& device, const GroupByDesc& desc) {
  if (!device || !check_group_by_desc(*device.state(), desc)) return {};
  return plan_group_by(*device.state(), device, desc).need;
}

Status record_group_by(VkCommandBuffer cmd, const Device& device, const GroupByDesc& desc,
                       const GroupByBuffers& buffers) {
  return record_call("group_by", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_group_by_desc(commands.state(), desc));
    const GroupPlan plan = plan_group_by(commands.state(), device, desc);
    VKPRIMS_TRY(check_group_by_buffers(desc, plan, buffers));
    GroupByCall call(commands, desc, plan, buffers, Commands::Use::record);
    return add_group_by(call);
  });
}

Status warm_up(const Device& device, const GroupByDesc& desc) {
  return warm_up_call("group_by", device, [&](Commands& commands) {
    VKPRIMS_TRY(check_group_by_desc(commands.state(), desc));
    VKPRIMS_TRY(warm_up_scan_in_place(commands, group_count_scan(kMaxCount)));
    // All outputs are wanted, with and without the order, which takes a sort, of few rows and of
    // many. The addresses, which are never used, have two alignments.
    std::array<BufferView, kMaxGroupAggregations> outputs;
    outputs.fill({16, 16});
    for (const std::uint64_t count : {std::uint64_t{1}, kMaxGroupRows}) {
      GroupByDesc any = desc;
      any.count = {count, 8, CountWidth::u64};
      any.capacity = {};
      const GroupPlan plan = plan_group_by(commands.state(), device, any);
      for (const VkDeviceAddress address : {16, 4}) {
        const BufferView column{address, 16};
        for (const BufferView& order : {BufferView(), column}) {
          const GroupByBuffers buffers{.keys = {&column, 1},
                                       .out_keys = outputs,
                                       .out_key_validity = outputs,
                                       .out_validity = outputs,
                                       .order = order,
                                       .scratch = {.address = 16}};
          GroupByCall call(commands, any, plan, buffers, Commands::Use::warm_up);
          VKPRIMS_TRY(add_group_by(call));
        }
      }
    }
    return Status();
  });
}

}  // namespace vkprims
