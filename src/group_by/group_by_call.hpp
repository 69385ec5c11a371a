// The steps of group_by, and what they have in common.
#pragma once

#include "blocks/key_type.hpp"
#include "group_by/group_by_arguments.hpp"
#include "runtime/push.hpp"
#include "runtime/scratch_layout.hpp"

namespace vkprims {

/// A call whose arguments have been checked.
struct GroupByCall {
  GroupByCall(Commands& commands, const GroupByDesc& desc, const GroupPlan& plan,
              const GroupByBuffers& buffers, Commands::Use use);

  BufferView part(VkDeviceSize offset, VkDeviceSize bytes) const {
    return {buffers.scratch.address + offset, bytes};
  }
  Scratch work() const { return part_of(buffers.scratch, plan.work); }
  /// The header of scratch without the sizes of grids and what belongs to dense passes.
  BufferView header() const { return part(0, VKP_GROUP_BY_GRIDS_OFFSET); }
  /// How many rows and tiles there are.
  BufferView row_header() const { return part(0, VKP_GROUP_BY_GROUPS_OFFSET); }
  BufferView whole_header() const { return part(0, VKP_GROUP_BY_HEADER_BYTES); }
  Count in_header(std::uint64_t max, VkDeviceSize offset,
                  CountWidth width = CountWidth::u64) const {
    return {max, buffers.scratch.address + offset, width};
  }
  Count groups() const { return in_header(plan.capacity, VKP_GROUP_BY_GROUPS_OFFSET); }
  BufferView keys(Type type) const { return part(plan.keys, plan.rows * size_of(type)); }
  BufferView heads() const { return part(plan.heads, VKP_GROUP_BY_TILE / 8 * plan.tiles); }
  BufferView head_counts() const { return part(plan.counts, 4 * plan.tiles); }

  BufferView key(std::size_t i) const {
    return {view_at(buffers.keys, i).address, plan.rows * size_of(desc.keys[i].type)};
  }
  BufferView value(std::size_t i) const {
    return {view_at(buffers.values, i).address, plan.rows * size_of(desc.values[i].type)};
  }
  BufferView key_validity(std::size_t i) const {
    return bits_of(buffers.key_validity, i, desc.keys[i].nullable);
  }
  BufferView value_validity(std::size_t i) const {
    return bits_of(buffers.value_validity, i, desc.values[i].nullable);
  }
  /// The bits that say which groups have a result of an aggregation, if the caller wants them.
  BufferView result_bits(std::uint32_t aggregation) const {
    const BufferView view = view_at(buffers.out_validity, aggregation);
    return {view.address, wanted(view, mask_bytes(plan.capacity))};
  }
  BufferView report() const {
    return {buffers.report.address, wanted(buffers.report, sizeof(DeviceReport))};
  }

  /// A grid of the kernels that have none in common with others.
  Grid grid(const Count& items, std::uint64_t items_per_group) const {
    return grid(items, items_per_group, 2);
  }

  template <class Push>
  Status dispatch(const Spirv& spirv, Type type, std::uint32_t flags, const Push& push,
                  const Grid& grid, std::initializer_list<Access> accesses,
                  const Independent* independent = nullptr) const {
    Specialization constants{.workgroup_size = VKP_GROUP_BY_WORKGROUP};
    constants.set(VKP_GROUP_BY_SPEC_TYPE, key_type(type, desc.float_order))
        .set(VKP_GROUP_BY_SPEC_FLAGS, flags);
    return commands.dispatch(spirv, constants, push, grid, accesses, independent);
  }
  /// A dispatch with a workgroup for each tile. The first one computes how many there are.
  template <class Push>
  Status dispatch_tiles(const Spirv& spirv, Type type, std::uint32_t flags, const Push& push,
                        std::initializer_list<Access> accesses,
                        const Independent* independent = nullptr) {
    VKPRIMS_TRY(commands.prepare(tile_grid));
    return dispatch(spirv, type, flags, push, tile_grid, accesses, independent);
  }

  Commands& commands;
  const GroupByDesc& desc;
  const GroupPlan& plan;
  const GroupByBuffers& buffers;
  const bool warms_up;
  const bool tries;        // whether a window of keys is tried
  const bool carries;      // whether values are sorted with the keys
  const bool sorted_keys;  // a single sort of one column leaves the keys in order as well
  BufferView order;        // of rows, or of values carried with keys
  BufferView offsets;      // where groups begin
  Count count;             // rows to be sorted
  Count rows, tiles;       // rows that belong to groups, and tiles of them
  Grid tile_grid, fix_up_grid;

 private:
  BufferView bits_of(std::span<const BufferView> views, std::size_t i, bool nullable) const {
    return {nullable ? view_at(views, i).address : 0, nullable ? mask_bytes(plan.rows) : 0};
  }
  Grid grid(const Count& items, std::uint64_t items_per_group, std::uint32_t place) const;
};

/// Groups whose keys lie in a window. If they do, no rows are left to be sorted.
Status add_dense_groups(GroupByCall& call);

/// The order of the rows, by their keys.
Status add_order(GroupByCall& call);
/// The order in which the values of a group are neighbours if they are equal.
Status add_order_of_values(GroupByCall& call, const BufferView& order, std::uint32_t value);

/// Where groups begin, their keys, and what else follows from their order, but for their sizes.
Status add_groups(GroupByCall& call);
/// How many rows groups have, where that is wanted. It may come behind passes, whose last command
/// it does not wait for.
Status add_sizes(GroupByCall& call);

/// The results of a pass over a column of values. `number`: of the pass.
Status add_pass(GroupByCall& call, std::uint32_t number);
/// Writes the validity of results as in `from`, or all set, if the caller wants it.
Status add_result_validity(GroupByCall& call, const Count& groups, const BufferView& from,
                           const BufferView& out);

}  // namespace vkprims
