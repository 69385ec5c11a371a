// The host side of the primitive segmented_sort.
#include "vkprims/segmented_sort.hpp"

#include <algorithm>
#include <bit>
#include <cinttypes>

#include "blocks/key_type.hpp"
#include "runtime/push.hpp"
#include "runtime/record.hpp"
#include "sort/segmented_sort/segmented_sort.abi.h"
#include "spirv/segmented_sort_merge.hpp"
#include "spirv/segmented_sort_search.hpp"
#include "spirv/segmented_sort_segments.hpp"
#include "spirv/segmented_sort_teams.hpp"
#include "runtime/validate.hpp"
#include "runtime/arithmetic.hpp"

namespace vkprims {
namespace {

constexpr std::uint64_t kMaxKeys = std::uint64_t{1} << 34;  // numbers of list entries have 32 bits
// Workgroups take one piece of work after another. There are kMaxGroups of them, or one for each
// kWorkPerGroup pieces.
constexpr std::uint64_t kMaxGroups = 4096, kWorkPerGroup = 128;

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
struct Shape {
  bool by_value;
  bool indexed;  // items are keys and their places; otherwise equal keys have the same bits
  std::uint32_t workgroup_size, items;
  std::uint64_t tile;        // keys that a workgroup sorts
  std::uint64_t max_length;  // of a segment
  std::uint32_t units, max_entries, max_tiles;
  std::uint32_t passes;  // merges of the longest segment
  std::uint64_t list_groups, search_groups, merge_groups;
  VkDeviceSize grid_offset, parts, spare_keys, spare_values;  // in scratch
  ScratchNeed need;
};

Shape shape_of(const DeviceState& state, const SegmentedSortDesc& desc) {
  Shape shape{};
  const std::uint32_t size = size_of(desc.type);
  shape.by_value = by_value(desc.type, desc.float_order);
  shape.indexed = desc.value_bytes != 0 || shape.by_value;
  shape.workgroup_size =
      std::min<std::uint32_t>(state.tuning.workgroup_size, 1 << (VKP_SEGMENTED_SORT_CLASSES - 1));
  while (shape.workgroup_size * VKP_SEGMENTED_SORT_POOL * 4 + VKP_SEGMENTED_SORT_CONTROL_BYTES >
         state.shared_bytes) {
    shape.workgroup_size /= 2;
  }
  shape.items = VKP_SEGMENTED_SORT_ITEMS(size / 4 + shape.indexed);
  shape.tile = std::uint64_t{shape.workgroup_size} * shape.items;
  const std::uint64_t n = desc.key_count;
  shape.max_length = desc.max_length ? std::min(desc.max_length, n) : n;
  if (desc.count.max == 0 || n == 0) return shape;

  shape.units = static_cast<std::uint32_t>(n / shape.items + 1);
  shape.max_entries = static_cast<std::uint32_t>(std::min<std::uint64_t>(desc.count.max, ~0u));
  // If no segment is longer than what an invocation holds, there is nothing to list.
  std::uint64_t groups = 0, entries = 0;
  for (std::uint32_t c = 1; shape.workgroup_size >> c; ++c) {
    if (shape.max_length <= std::uint64_t{shape.items} << (c - 1)) break;
    const auto capacity =
        std::min<std::uint64_t>(VKP_SEGMENTED_SORT_CAPACITY(c, shape.units), shape.max_entries);
    entries += capacity;
    groups = std::max(groups, ceil_div(capacity, shape.workgroup_size >> c));
  }
  if (entries == 0) shape.max_entries = 0;
  // A segment that is longer than a tile has fewer than two tiles for each tile that it could fill.
  if (shape.max_length > shape.tile) {
    const std::uint64_t full = n / shape.tile;
    shape.max_tiles =
        static_cast<std::uint32_t>(full + std::min<std::uint64_t>(desc.count.max, full + 2));
    shape.passes =
        static_cast<std::uint32_t>(std::bit_width(ceil_div(shape.max_length, shape.tile) - 1));
  }
  const auto at_most = [](std::uint64_t work) {
    return std::min(work, std::max(kMaxGroups, work / kWorkPerGroup));
  };
  const std::uint64_t merge_tile =
      std::uint64_t{shape.workgroup_size} * VKP_SEGMENTED_SORT_MERGE_ITEMS(size / 4);
  shape.list_groups = at_most(groups + shape.max_tiles);
  const std::uint64_t parts = shape.max_tiles * (shape.tile / merge_tile);
  shape.search_groups = at_most(ceil_div(parts, shape.workgroup_size));
  shape.merge_groups = at_most(parts);

  const auto aligned = [](VkDeviceSize bytes) { return (bytes + 15) / 16 * 16; };
  VkDeviceSize at = VKP_SEGMENTED_SORT_HEADER_BYTES;
  at += VkDeviceSize{shape.max_tiles} * VKP_SEGMENTED_SORT_TILE_BYTES;
  at += aligned(entries * VKP_SEGMENTED_SORT_ENTRY_BYTES);
  shape.grid_offset = at;
  at += kGridScratchBytes;
  shape.parts = at;
  at += parts * VKP_SEGMENTED_SORT_PART_BYTES;
  shape.spare_keys = at;
  if (shape.passes) at += aligned(n * size);
  shape.spare_values = at;
  if (shape.passes) at += aligned(n * desc.value_bytes);
  shape.need.bytes = at;
  return shape;
}

std::uint32_t format_of(const SegmentedSortDesc& desc, const Shape& shape) {
  const bool is_signed = desc.type != Type::u32 && desc.type != Type::u64;
  return (is_signed ? VKP_SEGMENTED_SORT_SIGNED : 0) +
         (is_float(desc.type) ? VKP_SEGMENTED_SORT_FLOAT : 0) +
         (desc.order == SortOrder::descending ? VKP_SEGMENTED_SORT_DESCENDING : 0) +
         (shape.by_value ? VKP_SEGMENTED_SORT_BY_VALUE : 0) + (desc.value_bytes / 4 << 8) +
         (size_of(desc.offset_width) / 4 << 16);
}

struct SortPipelines {
  VkPipeline segments = VK_NULL_HANDLE, teams = VK_NULL_HANDLE;
  VkPipeline search = VK_NULL_HANDLE, merge = VK_NULL_HANDLE;
};

Status get_pipelines(DeviceState& state, const SegmentedSortDesc& desc, const Shape& shape,
                     bool may_compile, SortPipelines& pipelines) {
  constexpr const Spirv* kSegments[2][2] = {
      {&spirv::segmented_sort_segments_word, &spirv::segmented_sort_segments_pair},
      {&spirv::segmented_sort_segments_word_index, &spirv::segmented_sort_segments_pair_index}};
  constexpr const Spirv* kTeams[2][2] = {
      {&spirv::segmented_sort_teams_word, &spirv::segmented_sort_teams_pair},
      {&spirv::segmented_sort_teams_word_index, &spirv::segmented_sort_teams_pair_index}};
  const bool pair = size_of(desc.type) == 8;
  const Specialization constants{.workgroup_size = shape.workgroup_size, .rows = shape.items};
  if (shape.list_groups) {
    VKPRIMS_TRY(state.pipelines.get(state.vk, *kTeams[shape.indexed][pair], constants, may_compile,
                                    pipelines.teams));
  }
  if (shape.passes) {
    Specialization merging = constants;
    merging.own[VKP_SEGMENTED_SORT_SPEC_FORMAT - VKP_SPEC_FIRST_OWN] = format_of(desc, shape);
    VKPRIMS_TRY(state.pipelines.get(
        state.vk, pair ? spirv::segmented_sort_search_pair : spirv::segmented_sort_search_word,
        merging, may_compile, pipelines.search));
    VKPRIMS_TRY(state.pipelines.get(
        state.vk, pair ? spirv::segmented_sort_merge_pair : spirv::segmented_sort_merge_word,
        merging, may_compile, pipelines.merge));
  }
  return state.pipelines.get(state.vk, *kSegments[shape.indexed][pair], constants, may_compile,
                             pipelines.segments);
}

Scratch grid_scratch(const Scratch& scratch, const Shape& shape) {
  return {scratch.buffer, scratch.offset + shape.grid_offset, scratch.address + shape.grid_offset,
          kGridScratchBytes};
}

}  // namespace

ScratchNeed segmented_sort_scratch(const Device& device, const SegmentedSortDesc& desc) {
  if (!device || !check_desc(desc)) return {};
  return shape_of(*device.state(), desc).need;
}

Status record_segmented_sort(VkCommandBuffer cmd, const Device& device,
                             const SegmentedSortDesc& desc, const SegmentedSortBuffers& buffers) {
  VKPRIMS_RECORD_CALL("segmented_sort", cmd, device);
  DeviceState& state = *device.state();
  VKPRIMS_TRY(check_desc(desc));
  const Shape shape = shape_of(state, desc);
  if (shape.need.bytes == 0) return {};
  const std::uint32_t size = size_of(desc.type), offset_size = size_of(desc.offset_width);
  const VkDeviceSize key_bytes = desc.key_count * size;
  const VkDeviceSize value_bytes = desc.key_count * desc.value_bytes;
  const VkDeviceSize offset_bytes = (desc.count.max + 1) * offset_size;
  const Argument in{"in", buffers.in, key_bytes, size, false, "", "key_count"};
  const auto of_values = [&](const char* name, const BufferView& view, bool writes) {
    return sized({name, view, value_bytes, desc.value_bytes, writes, "", "key_count"},
                 desc.value_bytes);
  };
  const Argument values_in = of_values("values_in", buffers.values_in, false);
  const bool in_place = buffers.in.address == buffers.out.address;
  const bool values_in_place = buffers.values_in.address == buffers.values_out.address;
  VKPRIMS_TRY(check_arguments("segmented_sort", {in, values_in}));
  VKPRIMS_TRY(check_arguments(
      "segmented_sort",
      {in_place ? Argument{} : in,
       values_in_place ? Argument{} : values_in,
       {"out", buffers.out, key_bytes, size, true, "", "key_count"},
       of_values("values_out", buffers.values_out, true),
       {"offsets", buffers.offsets, offset_bytes, offset_size, false, "", "count + 1"},
       argument_of(desc.count),
       argument_of(buffers.scratch, shape.need)}));

  const bool may_compile = state.info.pipelines == PipelinePolicy::lazy;
  SortPipelines pipelines;
  VKPRIMS_TRY(get_pipelines(state, desc, shape, may_compile, pipelines));
  OldGrid segments, teams, search, merge;
  VKPRIMS_TRY(make_grid(state, desc.count, shape.workgroup_size,
                        grid_scratch(buffers.scratch, shape), may_compile, segments));
  teams.groups = shape.list_groups;
  search.groups = shape.search_groups;
  merge.groups = shape.merge_groups;
  const VkDeviceAddress scratch = buffers.scratch.address;
  abi::SegmentedSortPush push{.in_base = push_u64(buffers.in.address),
                              .out_base = push_u64(buffers.out.address),
                              .values_in = push_u64(buffers.values_in.address),
                              .values_out = push_u64(buffers.values_out.address),
                              .offset_base = push_u64(buffers.offsets.address),
                              .scratch = push_u64(scratch),
                              .spare_keys = push_u64(scratch + shape.spare_keys),
                              .spare_values = push_u64(scratch + shape.spare_values),
                              .parts = push_u64(scratch + shape.parts),
                              .count = push_count(desc.count),
                              .key_count = push_u64(desc.key_count),
                              .max_length = push_u64(shape.max_length),
                              .units = shape.units,
                              .max_tiles = shape.max_tiles,
                              .max_entries = shape.max_entries,
                              .format = format_of(desc, shape)};
  const Access reads_keys = reads(buffers.in.address, key_bytes);
  const Access reads_values = reads(buffers.values_in.address, value_bytes);
  const Access keys = writes(buffers.out.address, key_bytes);
  const Access values = writes(buffers.values_out.address, value_bytes);
  const Access lists = writes(scratch, shape.grid_offset);
  const Access spare = writes(scratch + shape.spare_keys, shape.need.bytes - shape.spare_keys);
  const Access parts = writes(scratch + shape.parts, shape.spare_keys - shape.parts);

  CommandStream stream(state, cmd);
  constexpr Independent kOtherMemory{"the size of the grid lies behind the lists"};
  stream.prepare(segments);
  stream.fill(buffers.scratch, 0, VKP_SEGMENTED_SORT_HEADER_BYTES, 0, &kOtherMemory);
  stream.dispatch(pipelines.segments, push, segments,
                  {reads(desc.count), reads(buffers.offsets.address, offset_bytes), reads_keys,
                   reads_values, lists, keys, values});
  stream.dispatch(pipelines.teams, push, teams,
                  {reads_keys, reads_values, lists, keys, values, spare});
  for (; push.pass < shape.passes; ++push.pass) {
    stream.dispatch(pipelines.search, push, search, {lists, parts, keys, spare});
    stream.dispatch(pipelines.merge, push, merge, {lists, parts, keys, values, spare});
  }
  return {};
}

Status warm_up(const Device& device, const SegmentedSortDesc& desc) {
  VKPRIMS_WARM_UP_CALL("segmented_sort", device);
  VKPRIMS_TRY(check_desc(desc));
  DeviceState& state = *device.state();
  SegmentedSortDesc any = desc;
  any.count.max = kMaxCount;
  any.key_count = kMaxKeys;
  any.max_length = 0;
  const Shape shape = shape_of(state, any);
  SortPipelines pipelines;
  VKPRIMS_TRY(get_pipelines(state, any, shape, true, pipelines));
  OldGrid grid;
  return make_grid(state, any.count, shape.workgroup_size, {}, true, grid);
}

}  // namespace vkprims
