// The host side of the primitive segmented_sort.
#include "vkprims/segmented_sort.hpp"

#include <algorithm>
#include <bit>
#include <cinttypes>

#include "blocks/key_type.hpp"
#include "runtime/commands.hpp"
#include "runtime/push.hpp"
#include "runtime/scratch_layout.hpp"
#include "sort/segmented_sort/segmented_sort.abi.h"
#include "spirv/segmented_sort_merge.hpp"
#include "spirv/segmented_sort_segments.hpp"
#include "spirv/segmented_sort_teams.hpp"

namespace vkprims {
namespace {

constexpr std::uint64_t kMaxKeys = std::uint64_t{1} << 34;  // numbers of list entries have 32 bits
// Workgroups take one piece of work after another. There are kMaxGroups of them, or one for each
// kWorkPerGroup pieces.
constexpr std::uint64_t kMaxGroups = 4096, kWorkPerGroup = 128;
// The same for those that merge: few, as each begins with a search for all that it merges.
constexpr std::uint64_t kMergeGroups = 512, kMergesPerGroup = 64;

bool is_float(Type type) { return type == Type::f32 || type == Type::f64; }

Status check_desc(const SegmentedSortDesc& desc) {
  VKPRIMS_TRY(check_type("segmented_sort", desc.type));
  VKPRIMS_TRY(check_enum("segmented_sort", "order", desc.order, SortOrder::descending));
  VKPRIMS_TRY(check_enum("segmented_sort", "float_order", desc.float_order, FloatOrder::by_bits));
  VKPRIMS_TRY(check_enum("segmented_sort", "offset_width", desc.offset_width, IndexWidth::u64));
  if (desc.value_bytes != 0 && desc.value_bytes != 4 && desc.value_bytes != 8 &&
      desc.value_bytes != 16) {
    return Status::error(Status::invalid_argument,
                         "segmented_sort: value_bytes is %u, must be 0, 4, 8 or 16",
                         desc.value_bytes);
  }
  VKPRIMS_TRY(check_count("segmented_sort", desc.count));
  if (desc.key_count <= kMaxKeys) return {};
  return Status::error(Status::invalid_argument,
                       "segmented_sort: key_count is %" PRIu64 ", at most %" PRIu64
                       " (2^34) are allowed",
                       desc.key_count, kMaxKeys);
}

// How a descriptor is carried out on a device.
struct Plan {
  bool by_value;
  bool indexed;  // items are keys and their places; otherwise equal keys have the same bits
  std::uint32_t workgroup_size, items;
  std::uint64_t tile;        // keys that a workgroup sorts
  std::uint64_t max_length;  // of a segment
  std::uint32_t units, max_entries, max_tiles;
  std::uint32_t passes;  // merges of the longest segment
  std::uint64_t list_groups, merge_groups;
  VkDeviceSize grid_offset, spare_keys, spare_values;  // in scratch
  ScratchNeed need;
};

// Chooses the tile of a workgroup.
void choose_tile(const DeviceState& state, const SegmentedSortDesc& desc, Plan& plan) {
  plan.by_value = by_value(desc.type, desc.float_order);
  plan.indexed = desc.value_bytes != 0 || plan.by_value;
  plan.workgroup_size =
      std::min<std::uint32_t>(state.tuning.workgroup_size, 1 << (VKP_SEGMENTED_SORT_CLASSES - 1));
  while (plan.workgroup_size * VKP_SEGMENTED_SORT_POOL * 4 + VKP_SEGMENTED_SORT_CONTROL_BYTES >
         state.shared_bytes) {
    plan.workgroup_size /= 2;
  }
  plan.items = VKP_SEGMENTED_SORT_ITEMS(size_of(desc.type) / 4 + plan.indexed);
  plan.tile = std::uint64_t{plan.workgroup_size} * plan.items;
}

// The most entries that the lists of segments have.
struct Lists {
  std::uint64_t entries, groups;  // in all lists, and workgroups for the longest one
};

Lists lists_of(const Plan& plan) {
  Lists lists{};
  // If no segment is longer than what an invocation holds, there is nothing to list.
  for (std::uint32_t c = 1; plan.workgroup_size >> c; ++c) {
    if (plan.max_length <= std::uint64_t{plan.items} << (c - 1)) break;
    const auto capacity =
        std::min<std::uint64_t>(VKP_SEGMENTED_SORT_CAPACITY(c, plan.units), plan.max_entries);
    lists.entries += capacity;
    lists.groups = std::max(lists.groups, ceil_div(capacity, plan.workgroup_size >> c));
  }
  return lists;
}

Plan plan_of(const DeviceState& state, const SegmentedSortDesc& desc) {
  Plan plan{};
  choose_tile(state, desc, plan);
  const std::uint32_t size = size_of(desc.type);
  const std::uint64_t n = desc.key_count;
  plan.max_length = desc.max_length ? std::min(desc.max_length, n) : n;
  if (desc.count.max == 0 || n == 0) return plan;

  plan.units = static_cast<std::uint32_t>(n / plan.items + 1);
  plan.max_entries = static_cast<std::uint32_t>(std::min<std::uint64_t>(desc.count.max, ~0u));
  const Lists lists = lists_of(plan);
  if (lists.entries == 0) plan.max_entries = 0;
  // A segment that is longer than a tile has fewer than two tiles for each tile that it could fill.
  if (plan.max_length > plan.tile) {
    const std::uint64_t full = n / plan.tile;
    plan.max_tiles =
        static_cast<std::uint32_t>(full + std::min<std::uint64_t>(desc.count.max, full + 2));
    plan.passes =
        static_cast<std::uint32_t>(std::bit_width(ceil_div(plan.max_length, plan.tile) - 1));
  }
  const auto at_most = [](std::uint64_t work) {
    return std::min(work, std::max(kMaxGroups, work / kWorkPerGroup));
  };
  const std::uint64_t merge_tile =
      std::uint64_t{plan.workgroup_size} * VKP_SEGMENTED_SORT_MERGE_ITEMS(size / 4);
  plan.list_groups = at_most(lists.groups + plan.max_tiles);
  const std::uint64_t parts = plan.max_tiles * (plan.tile / merge_tile);
  plan.merge_groups = std::min(parts, std::max(kMergeGroups, parts / kMergesPerGroup));

  ScratchLayout layout;
  layout.take(VKP_SEGMENTED_SORT_HEADER_BYTES +
              VkDeviceSize{plan.max_tiles} * VKP_SEGMENTED_SORT_TILE_BYTES +
              lists.entries * VKP_SEGMENTED_SORT_ENTRY_BYTES);
  plan.grid_offset = layout.take(kGridScratchBytes);
  plan.spare_keys = layout.take(plan.passes ? n * size : 0);
  plan.spare_values = layout.take(plan.passes ? n * desc.value_bytes : 0);
  plan.need.bytes = layout.end();
  return plan;
}

std::uint32_t format_of(const SegmentedSortDesc& desc, const Plan& plan) {
  const bool is_signed = desc.type != Type::u32 && desc.type != Type::u64;
  return (is_signed ? VKP_SEGMENTED_SORT_SIGNED : 0) +
         (is_float(desc.type) ? VKP_SEGMENTED_SORT_FLOAT : 0) +
         (desc.order == SortOrder::descending ? VKP_SEGMENTED_SORT_DESCENDING : 0) +
         (plan.by_value ? VKP_SEGMENTED_SORT_BY_VALUE : 0) + (desc.value_bytes / 4 << 8) +
         (size_of(desc.offset_width) / 4 << 16);
}

struct Operands {
  Operand in, values_in, out, values_out, offsets, count;
};

Operands operands_of(const SegmentedSortDesc& desc, const SegmentedSortBuffers& buffers) {
  const std::uint32_t size = size_of(desc.type), offset_size = size_of(desc.offset_width);
  const VkDeviceSize bytes = desc.key_count * size,
                     offset_bytes = (desc.count.max + 1) * offset_size;
  const auto of_values = [&](const char* name, const BufferView& view, bool writes) {
    return sized(
        {name, view, desc.key_count * desc.value_bytes, desc.value_bytes, writes, "", "key_count"},
        desc.value_bytes);
  };
  return {
      .in = {"in", buffers.in, bytes, size, false, "", "key_count"},
      .values_in = of_values("values_in", buffers.values_in, false),
      .out = in_place_of("in", {"out", buffers.out, bytes, size, true, "", "key_count"}),
      .values_out = in_place_of("values_in", of_values("values_out", buffers.values_out, true)),
      .offsets = {"offsets", buffers.offsets, offset_bytes, offset_size, false, "", "count + 1"},
      .count = operand_of(desc.count)};
}

abi::SegmentedSortPush push_of(const SegmentedSortDesc& desc, const Operands& x, const Plan& plan,
                               VkDeviceAddress scratch) {
  return {.in_base = push_u64(x.in),
          .out_base = push_u64(x.out),
          .values_in = push_u64(x.values_in),
          .values_out = push_u64(x.values_out),
          .offset_base = push_u64(x.offsets),
          .scratch = push_u64(scratch),
          .spare_keys = push_u64(scratch + plan.spare_keys),
          .spare_values = push_u64(scratch + plan.spare_values),
          .count = push_count(desc.count),
          .key_count = push_u64(desc.key_count),
          .max_length = push_u64(plan.max_length),
          .units = plan.units,
          .max_tiles = plan.max_tiles,
          .max_entries = plan.max_entries,
          .format = format_of(desc, plan)};
}

// Adds the commands of a call that has been checked.
Status add_segmented_sort(Commands& commands, const SegmentedSortDesc& desc,
                          const SegmentedSortBuffers& buffers) {
  const Plan plan = plan_of(commands.state(), desc);
  const Operands x = operands_of(desc, buffers);
  const VkDeviceAddress scratch = buffers.scratch.address;
  const std::size_t key = size_of(desc.type) / 8;  // position of its size in names of modules
  const std::size_t item = 2 * key + plan.indexed;
  abi::SegmentedSortPush push = push_of(desc, x, plan, scratch);
  const Specialization constants{.workgroup_size = plan.workgroup_size, .rows = plan.items};
  Specialization merging = constants;
  merging.set(VKP_SEGMENTED_SORT_SPEC_FORMAT, push.format);
  const Access lists = writes(scratch, plan.grid_offset);
  const Access spare = writes(scratch + plan.spare_keys, plan.need.bytes - plan.spare_keys);

  Grid segments(desc.count, plan.workgroup_size, part_of(buffers.scratch, plan.grid_offset));
  VKPRIMS_TRY(commands.prepare(segments));
  VKPRIMS_TRY(
      commands.fill(buffers.scratch, 0, VKP_SEGMENTED_SORT_HEADER_BYTES, 0, beside(segments)));
  VKPRIMS_TRY(
      commands.dispatch(spirv::segmented_sort_segments(item), constants, push, segments,
                        {x.count, x.offsets, x.in, x.values_in, lists, x.out, x.values_out}));
  if (plan.list_groups) {
    VKPRIMS_TRY(commands.dispatch(spirv::segmented_sort_teams(item), constants, push,
                                  Grid(plan.list_groups),
                                  {x.in, x.values_in, lists, x.out, x.values_out, spare}));
  }
  for (; push.pass < plan.passes; ++push.pass) {
    VKPRIMS_TRY(commands.dispatch(spirv::segmented_sort_merge(key), merging, push,
                                  Grid(plan.merge_groups), {lists, x.out, x.values_out, spare}));
  }
  return {};
}

}  // namespace

ScratchNeed segmented_sort_scratch(const Device& device, const SegmentedSortDesc& desc) {
  if (!device || !check_desc(desc)) return {};
  return plan_of(*device.state(), desc).need;
}

Status record_segmented_sort(VkCommandBuffer cmd, const Device& device,
                             const SegmentedSortDesc& desc, const SegmentedSortBuffers& buffers) {
  return record_call("segmented_sort", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(desc));
    const ScratchNeed need = plan_of(commands.state(), desc).need;
    if (need.bytes == 0) return Status();
    const Operands x = operands_of(desc, buffers);
    VKPRIMS_TRY(check_operands("segmented_sort", {x.in, x.values_in, x.out, x.values_out, x.offsets,
                                                  x.count, operand_of(buffers.scratch, need)}));
    return add_segmented_sort(commands, desc, buffers);
  });
}

Status warm_up(const Device& device, const SegmentedSortDesc& desc) {
  return warm_up_call("segmented_sort", device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(desc));
    SegmentedSortDesc any = desc;
    any.count.max = kMaxCount;
    any.key_count = kMaxKeys;
    any.max_length = 0;
    return add_segmented_sort(commands, any, {});
  });
}

}  // namespace vkprims
