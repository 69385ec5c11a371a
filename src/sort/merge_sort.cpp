// The host side of the primitive merge_sort.
#include "vkprims/merge_sort.hpp"

#include <algorithm>
#include <bit>

#include "runtime/arithmetic.hpp"
#include "runtime/push.hpp"
#include "runtime/scratch_layout.hpp"
#include "sort/compare_kernels.hpp"

namespace vkprims {
namespace {

// Each of so many tiles has a workgroup that searches for it. Workgroups that have to wait for
// others search late.
constexpr std::uint32_t kFewTiles = 512;

Status check_desc(const DeviceState& state, const MergeSortDesc& desc) {
  if (!desc.own) {
    return Status::error(Status::invalid_argument,
                         "merge_sort: own is null, must be a comparison that vkprims_add_compare() "
                         "has made");
  }
  VKPRIMS_TRY(check_compare("merge_sort", state, *desc.own));
  if (desc.value_bytes != 0 && desc.value_bytes != 4 && desc.value_bytes != 8) {
    return Status::error(Status::invalid_argument,
                         "merge_sort: value_bytes is %u, must be 0, 4 or 8", desc.value_bytes);
  }
  return check_count("merge_sort", desc.count);
}

// How a descriptor is carried out on a device.
struct Plan {
  std::uint32_t workgroup_size;
  std::uint32_t tile_items;
  std::uint32_t tiles = 0, passes = 0;  // tiles, and merges of them, for the largest count
  bool merges_search = false;           // whether those who merge tiles look where they begin
  // Parts of scratch, behind the size of a grid.
  VkDeviceSize records = 0, keys = 0, values = 0;
  ScratchNeed need;
};

Plan plan_of(const DeviceState& state, const MergeSortDesc& desc) {
  const Compare& own = *desc.own;
  Plan plan{};
  plan.workgroup_size = compare_workgroup(state, own, state.tuning.workgroup_size);
  plan.tile_items = compare_tile_items(own, plan.workgroup_size);
  const std::uint64_t n = desc.count.max;
  plan.tiles = static_cast<std::uint32_t>(ceil_div(n, plan.tile_items));
  if (plan.tiles <= 1) return plan;
  plan.passes = static_cast<std::uint32_t>(std::bit_width(plan.tiles - 1));
  plan.merges_search = plan.tiles <= kFewTiles && searches_by_subgroup(state, n);
  ScratchLayout parts;
  parts.take(kGridScratchBytes);
  plan.records = parts.take(std::uint64_t{VKP_MERGE_SORT_RECORD_BYTES} * plan.tiles);
  plan.keys = parts.take(n * own.bytes);
  plan.values = parts.take(n * desc.value_bytes);
  plan.need = parts.need();
  return plan;
}

struct Operands {
  Operand in, out, values_in, values_out, count, scratch;
};

Operands operands_of(const MergeSortDesc& desc, const MergeSortBuffers& buffers, const Plan& plan) {
  const std::uint64_t n = desc.count.max;
  const std::uint32_t size = desc.own->bytes, value = desc.value_bytes;
  return {
      .in = {"in", buffers.in, n * size, 4, false},
      .out = in_place_of("in", {"out", buffers.out, n * size, 4, true}),
      .values_in = sized({"values_in", buffers.values_in, n * value, value, false}, value),
      .values_out = in_place_of(
          "values_in", sized({"values_out", buffers.values_out, n * value, value, true}, value)),
      .count = operand_of(desc.count),
      .scratch = operand_of(buffers.scratch, plan.need)};
}

// Adds the commands of a call that has been checked.
Status add_merge_sort(Commands& commands, const MergeSortDesc& desc,
                      const MergeSortBuffers& buffers) {
  const Compare& own = *desc.own;
  const Plan plan = plan_of(commands.state(), desc);
  const Operands x = operands_of(desc, buffers, plan);
  const VkDeviceAddress scratch = buffers.scratch.address;
  abi::MergeSortPush push{.in_base = push_u64(x.in),
                          .out_base = push_u64(x.out),
                          .other_base = push_u64(scratch + plan.keys),
                          .values_in = push_u64(x.values_in),
                          .values_out = push_u64(x.values_out),
                          .values_other = push_u64(scratch + plan.values),
                          .records = push_u64(scratch + plan.records),
                          .count = push_count(desc.count),
                          .tile_items = plan.tile_items,
                          .tiles = plan.tiles,
                          .pass_number = 0};
  Specialization constants{.workgroup_size = plan.workgroup_size};
  constants.set(VKP_MERGE_SORT_SPEC_VALUE_WORDS, desc.value_bytes / 4);
  const Access runs = writes(scratch + plan.keys, plan.need.bytes - plan.keys);
  const Spirv* spirv = nullptr;
  VKPRIMS_TRY(find_kernel("merge_sort", own, CompareKernel::merge_sort_tiles, spirv));
  Grid tiles(desc.count, plan.tile_items, buffers.scratch);
  VKPRIMS_TRY(commands.prepare(tiles));
  VKPRIMS_TRY(commands.dispatch(*spirv, constants, push, tiles,
                                {x.count, x.in, x.values_in, x.out, x.values_out, runs}));
  if (plan.passes == 0) return {};
  const Access all_runs[] = {x.count, x.out, x.values_out, runs};
  if (plan.merges_search) {
    constants.set(VKP_MERGE_SORT_SPEC_BY_SUBGROUP, true);
    VKPRIMS_TRY(find_kernel("merge_sort", own, CompareKernel::merge_sort_merge_runs, spirv));
    for (; push.pass_number < plan.passes; ++push.pass_number) {
      VKPRIMS_TRY(commands.dispatch(*spirv, constants, push, tiles, all_runs));
    }
    return {};
  }
  // Runs go from scratch to out, and from out to scratch.
  const abi::MergePlaces to_out{push.other_base,   push.other_base,   push.out_base,
                                push.values_other, push.values_other, push.values_out};
  const abi::MergePlaces from_out{push.out_base,   push.out_base,   push.other_base,
                                  push.values_out, push.values_out, push.values_other};
  const abi::MergeTilesPush merge{to_out, from_out, push.records, plan.tiles};
  const Access records = writes(scratch + plan.records, plan.keys - plan.records);
  const TileFinders finders = tile_finders(commands.state(), desc.count.max, plan.tiles);
  for (; push.pass_number < plan.passes; ++push.pass_number) {
    VKPRIMS_TRY(find_kernel("merge_sort", own, CompareKernel::merge_sort_partition, spirv));
    VKPRIMS_TRY(commands.dispatch(*spirv, finders.constants, push, finders.grid,
                                  {x.count, x.out, runs, records}));
    VKPRIMS_TRY(find_kernel("merge_sort", own, CompareKernel::merge_sort_merge, spirv));
    VKPRIMS_TRY(
        commands.dispatch(*spirv, constants, merge, tiles, {x.out, x.values_out, runs, records}));
  }
  return {};
}

}  // namespace

ScratchNeed merge_sort_scratch(const Device& device, const MergeSortDesc& desc) {
  if (!device || !check_desc(*device.state(), desc)) return {};
  return plan_of(*device.state(), desc).need;
}

Status record_merge_sort(VkCommandBuffer cmd, const Device& device, const MergeSortDesc& desc,
                         const MergeSortBuffers& buffers) {
  return record_call("merge_sort", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(commands.state(), desc));
    const Plan plan = plan_of(commands.state(), desc);
    const Operands x = operands_of(desc, buffers, plan);
    VKPRIMS_TRY(
        check_operands("merge_sort", {x.in, x.values_in, x.out, x.values_out, x.count, x.scratch}));
    if (desc.count.max == 0) return Status();
    return add_merge_sort(commands, desc, buffers);
  });
}

Status warm_up(const Device& device, const MergeSortDesc& desc) {
  return warm_up_call("merge_sort", device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(commands.state(), desc));
    MergeSortDesc any = desc;
    const std::uint64_t small = commands.tuning().small_count;
    const std::uint64_t few = std::uint64_t{kFewTiles} * plan_of(commands.state(), desc).tile_items;
    for (const std::uint64_t count : {std::min(few, small), small, kMaxCount}) {
      any.count.max = count;
      VKPRIMS_TRY(add_merge_sort(commands, any, {}));
    }
    return Status();
  });
}

}  // namespace vkprims
