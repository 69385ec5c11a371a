// The host side of the primitive merge.
#include "vkprims/merge.hpp"

#include <algorithm>
#include <cinttypes>

#include "blocks/key_type.hpp"
#include "runtime/arithmetic.hpp"
#include "runtime/commands.hpp"
#include "runtime/push.hpp"
#include "sort/compare_kernels.hpp"
#include "sort/merge/merge.abi.h"
#include "spirv/merge_partition.hpp"
#include "spirv/merge_tiles.hpp"

namespace vkprims {
namespace {

std::uint32_t key_size(const MergeDesc& desc) {
  return desc.own ? desc.own->bytes : size_of(desc.type);
}

Status check_desc(const DeviceState& state, const MergeDesc& desc) {
  if (desc.own) {
    VKPRIMS_TRY(check_compare("merge", state, *desc.own));
  } else {
    VKPRIMS_TRY(check_type("merge", desc.type));
    VKPRIMS_TRY(check_enum("merge", "float_order", desc.float_order, FloatOrder::by_bits));
  }
  if (desc.value_bytes != 0 && desc.value_bytes != 4 && desc.value_bytes != 8) {
    return Status::error(Status::invalid_argument, "merge: value_bytes is %u, must be 0, 4 or 8",
                         desc.value_bytes);
  }
  VKPRIMS_TRY(check_count("merge", desc.a_count, "a_count"));
  VKPRIMS_TRY(check_count("merge", desc.b_count, "b_count"));
  if (desc.a_count.max + desc.b_count.max <= kMaxCount) return {};
  return Status::error(Status::invalid_argument,
                       "merge: a_count and b_count are together %" PRIu64 ", at most %" PRIu64
                       " (kMaxCount) are allowed",
                       desc.a_count.max + desc.b_count.max, kMaxCount);
}

// Elements of a tile for each invocation.
std::uint32_t items_of(const MergeDesc& desc) {
  return VKP_MERGE_ITEMS(size_of(desc.type) / 4, desc.value_bytes / 4);
}

// How a descriptor is carried out on a device.
struct Plan {
  std::uint32_t workgroup_size;
  std::uint32_t tile_items;
  std::uint64_t total;  // elements at most
  std::uint64_t tiles;
  bool alone;  // there is one tile: nothing to find, nothing in scratch
  ScratchNeed need;
};

Plan plan_of(const DeviceState& state, const MergeDesc& desc) {
  Plan plan{};
  plan.total = desc.a_count.max + desc.b_count.max;
  if (desc.own) {
    plan.workgroup_size = compare_workgroup(state, *desc.own, state.tuning.workgroup_size);
    plan.tile_items = compare_tile_items(*desc.own, plan.workgroup_size);
    plan.tiles = ceil_div(plan.total, plan.tile_items);
    plan.need.bytes = VKP_MERGE_SPLITS_OFFSET + VKP_MERGE_SORT_RECORD_BYTES * plan.tiles;
    return plan;
  }
  plan.workgroup_size =
      std::min<std::uint32_t>(state.tuning.workgroup_size, VKP_MERGE_MAX_WORKGROUP);
  plan.tile_items = plan.workgroup_size * items_of(desc);
  plan.tiles = ceil_div(plan.total, plan.tile_items);
  plan.alone = plan.tiles <= 1;
  if (!plan.alone) plan.need.bytes = VKP_MERGE_SPLITS_OFFSET + 8 * (plan.tiles + 1);
  return plan;
}

// The number of elements of the output, as the first dispatch leaves it.
Count total_count(const MergeDesc& desc, const Plan& plan, const Scratch& scratch) {
  if (!desc.a_count.address && !desc.b_count.address) return plan.total;
  return {plan.total, scratch.address + VKP_MERGE_TOTAL_OFFSET, CountWidth::u64};
}

// Whether the output can be stored in units of 16 bytes of keys.
bool is_aligned(const MergeDesc& desc, const MergeBuffers& buffers) {
  const std::uint32_t unit_values = 16 / size_of(desc.type) * desc.value_bytes;
  return buffers.out.address % 16 == 0 &&
         (unit_values == 0 || buffers.out_values.address % std::min(unit_values, 16u) == 0);
}

struct Operands {
  Operand a, b, out, a_values, b_values, out_values, count_out, a_count, b_count;
};

Operands operands_of(const MergeDesc& desc, const MergeBuffers& buffers) {
  const std::uint32_t size = key_size(desc), value = desc.value_bytes;
  const std::uint32_t alignment = desc.own ? 4 : size;
  const std::uint64_t a = desc.a_count.max, b = desc.b_count.max;
  const char* const both = "a_count + b_count";
  return {
      .a = {"a", buffers.a, a * size, alignment, false, "", "a_count"},
      .b = {"b", buffers.b, b * size, alignment, false, "", "b_count"},
      .out = {"out", buffers.out, (a + b) * size, alignment, true, "", both},
      .a_values =
          sized({"a_values", buffers.a_values, a * value, value, false, "", "a_count"}, value),
      .b_values =
          sized({"b_values", buffers.b_values, b * value, value, false, "", "b_count"}, value),
      .out_values =
          sized({"out_values", buffers.out_values, (a + b) * value, value, true, "", both}, value),
      .count_out = operand_of_u64("count_out", buffers.count_out, buffers.count_out.address != 0),
      .a_count = operand_of(desc.a_count, "a_count"),
      .b_count = operand_of(desc.b_count, "b_count")};
}

abi::MergePush push_of(const MergeDesc& desc, const Operands& x, const Plan& plan,
                       const Scratch& scratch) {
  return {.a_base = push_u64(x.a),
          .b_base = push_u64(x.b),
          .out_base = push_u64(x.out),
          .a_values = push_u64(x.a_values),
          .b_values = push_u64(x.b_values),
          .out_values = push_u64(x.out_values),
          .count_out = push_u64(x.count_out),
          .scratch = push_u64(scratch.address),
          .a_count = push_count(desc.a_count),
          .b_count = push_count(desc.b_count),
          .tile_items = plan.tile_items,
          .tiles = static_cast<std::uint32_t>(plan.tiles)};
}

// The same by a comparison of the application's own.
Status add_own_merge(Commands& commands, const MergeDesc& desc, const MergeBuffers& buffers,
                     const Plan& plan, const Operands& x, const abi::MergePush& push) {
  const VkDeviceAddress records = buffers.scratch.address + VKP_MERGE_SPLITS_OFFSET;
  const Access found = writes(buffers.scratch.address + VKP_MERGE_TOTAL_OFFSET,
                              plan.need.bytes - VKP_MERGE_TOTAL_OFFSET);
  const Spirv* spirv = nullptr;
  VKPRIMS_TRY(find_kernel("merge", *desc.own, CompareKernel::merge_own_partition, spirv));
  // There is a search without elements, too, for count_out.
  const TileFinders finders =
      tile_finders(commands.state(), plan.total, std::max<std::uint64_t>(plan.tiles, 1));
  VKPRIMS_TRY(commands.dispatch(*spirv, finders.constants, push, finders.grid,
                                {x.a_count, x.b_count, x.a, x.b, found, x.count_out}));
  const abi::MergePlaces places{push.a_base,   push.b_base,   push.out_base,
                                push.a_values, push.b_values, push.out_values};
  Specialization constants{.workgroup_size = plan.workgroup_size};
  constants.set(VKP_MERGE_SORT_SPEC_VALUE_WORDS, desc.value_bytes / 4);
  VKPRIMS_TRY(find_kernel("merge", *desc.own, CompareKernel::merge_sort_merge, spirv));
  return commands.dispatch(
      *spirv, constants, abi::MergeTilesPush{places, places, push_u64(records), push.tiles},
      Grid(total_count(desc, plan, buffers.scratch), plan.tile_items, buffers.scratch),
      {x.a, x.b, x.a_values, x.b_values, found, x.out, x.out_values});
}

// Adds the commands of a call that has been checked.
Status add_merge(Commands& commands, const MergeDesc& desc, const MergeBuffers& buffers) {
  const Plan plan = plan_of(commands.state(), desc);
  const Operands x = operands_of(desc, buffers);
  const abi::MergePush push = push_of(desc, x, plan, buffers.scratch);
  if (desc.own) return add_own_merge(commands, desc, buffers, plan, x, push);
  const std::size_t key = size_of(desc.type) / 8;  // position of its size in names of modules
  Specialization constants{.workgroup_size = plan.workgroup_size};
  constants.set(VKP_MERGE_SPEC_TYPE, key_type(desc.type, desc.float_order));
  Specialization merging = constants;
  merging.row_words = is_aligned(desc, buffers) ? 4 : 1;
  merging.set(VKP_MERGE_SPEC_VALUE_WORDS, desc.value_bytes / 4);
  merging.set(VKP_MERGE_SPEC_ALONE, plan.alone);
  merging.set(VKP_MERGE_SPEC_ITEMS, items_of(desc));
  if (plan.alone) {
    return commands.dispatch(
        spirv::merge_tiles(key), merging, push, Grid(1),
        {x.a_count, x.b_count, x.a, x.b, x.a_values, x.b_values, x.count_out, x.out, x.out_values});
  }
  const Access splits = writes(buffers.scratch.address + VKP_MERGE_TOTAL_OFFSET,
                               plan.need.bytes - VKP_MERGE_TOTAL_OFFSET);
  Specialization searching = constants;
  const bool by_subgroup = searches_by_subgroup(commands.state(), plan.total);
  searching.set(VKP_MERGE_SPEC_BY_SUBGROUP, by_subgroup);
  const std::uint32_t lanes = by_subgroup ? commands.state().subgroup_size : 1;
  // There is one more split than tiles.
  const Grid parts(ceil_div((plan.tiles + 1) * lanes, plan.workgroup_size));
  VKPRIMS_TRY(commands.dispatch(spirv::merge_partition(key), searching, push, parts,
                                {x.a_count, x.b_count, x.a, x.b, splits, x.count_out}));
  const Grid tiles(total_count(desc, plan, buffers.scratch), plan.tile_items, buffers.scratch);
  return commands.dispatch(
      spirv::merge_tiles(key), merging, push, tiles,
      {x.a_count, x.b_count, x.a, x.b, x.a_values, x.b_values, splits, x.out, x.out_values});
}

}  // namespace

ScratchNeed merge_scratch(const Device& device, const MergeDesc& desc) {
  if (!device || !check_desc(*device.state(), desc)) return {};
  return plan_of(*device.state(), desc).need;
}

Status record_merge(VkCommandBuffer cmd, const Device& device, const MergeDesc& desc,
                    const MergeBuffers& buffers) {
  return record_call("merge", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(commands.state(), desc));
    const Plan plan = plan_of(commands.state(), desc);
    const Operands x = operands_of(desc, buffers);
    VKPRIMS_TRY(
        check_operands("merge", {x.a, x.b, x.out, x.a_values, x.b_values, x.out_values, x.count_out,
                                 x.a_count, x.b_count, operand_of(buffers.scratch, plan.need)}));
    if (plan.total == 0 && x.count_out.need == 0) return Status();
    return add_merge(commands, desc, buffers);
  });
}

Status warm_up(const Device& device, const MergeDesc& desc) {
  return warm_up_call("merge", device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(commands.state(), desc));
    MergeDesc any = desc;
    any.b_count.max = 0;
    const std::uint64_t few = commands.tuning().small_count;
    for (const std::uint64_t count : {std::uint64_t{1}, few, kMaxCount}) {
      any.a_count.max = count;
      for (const VkDeviceAddress out : {0, 1}) {  // aligned, and not
        VKPRIMS_TRY(add_merge(commands, any, {.out = {out}}));
      }
    }
    return Status();
  });
}

}  // namespace vkprims
