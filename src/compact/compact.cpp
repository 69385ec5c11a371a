#include "compact/compact.hpp"

#include <algorithm>

#include "blocks/lookback.hpp"
#include "runtime/push.hpp"
#include "runtime/record.hpp"
#include "spirv/compact_count.hpp"
#include "spirv/compact_look_back.hpp"
#include "spirv/compact_place.hpp"
#include "blocks/stage.hpp"
#include "runtime/validate.hpp"

namespace vkprims {
namespace {

// The second index says how large an element is: 1, 2 or 4 words.
constexpr const Spirv* kLookBack[2][3] = {
    {&spirv::compact_look_back_words1_word32, &spirv::compact_look_back_words2_word32,
     &spirv::compact_look_back_words4_word32},
    {&spirv::compact_look_back_words1_word64, &spirv::compact_look_back_words2_word64,
     &spirv::compact_look_back_words4_word64}};
constexpr const Spirv* kCount[] = {&spirv::compact_count_words1, &spirv::compact_count_words2,
                                   &spirv::compact_count_words4};
constexpr const Spirv* kPlace[] = {&spirv::compact_place_words1, &spirv::compact_place_words2,
                                   &spirv::compact_place_words4};

std::uint32_t kind_of(Type type) {
  if (type == Type::f32 || type == Type::f64) return VKP_COMPACT_FLOAT;
  return type == Type::i32 || type == Type::i64 ? VKP_COMPACT_SIGNED : VKP_COMPACT_UNSIGNED;
}

// How a descriptor is carried out on a device.
struct Shape {
  bool alone;   // one workgroup does everything
  bool strips;  // two dispatches do everything; if neither is set, one looks back
  StageTile tile;
  std::uint64_t items;  // in a tile at least, as a sequence may begin inside a cell
  std::uint32_t portions;
  std::uint64_t max_tiles;                     // tiles of the first portion, which is the largest
  VkDeviceSize portions_offset, tiles_offset;  // in scratch
  ScratchNeed need;
};

Shape shape_of(const DeviceState& state, const Compaction& c) {
  const auto choose_tile = [&](Shape& x, std::uint32_t workgroup_size, std::uint32_t rows) {
    x.tile = stage_tile(state, c.item_bytes, workgroup_size, rows, state.tuning.compact_batches);
    x.items = x.tile.items - (16 / c.item_bytes - 1);
  };
  Shape shape{};
  choose_tile(shape, state.largest_workgroup, 8);
  shape.portions = 1;
  shape.max_tiles = 1;
  shape.alone = c.schedule == Schedule::automatic && c.count.max <= shape.items &&
                c.count.max * c.item_bytes <= state.tuning.single_scan_bytes;
  if (shape.alone || c.count.max == 0) {
    shape.alone = true;
    return shape;
  }
  choose_tile(shape, state.tuning.scan_workgroup_size, state.tuning.compact_rows);
  const auto tiles = [&](std::uint64_t count) { return (count + shape.items - 1) / shape.items; };
  const std::uint64_t portion = VKP_COMPACT_PORTION;
  shape.strips = c.one_output || c.schedule == Schedule::multi_pass;
  shape.portions = static_cast<std::uint32_t>((c.count.max + portion - 1) / portion);
  shape.max_tiles = tiles(std::min(c.count.max, portion));
  // With several portions the grid always has the largest size. Its scratch is kept nevertheless,
  // so that scratch never gets smaller as the count grows.
  shape.portions_offset = grid_is_indirect(c.count, shape.items) ? kGridScratchBytes : 0;
  const VkDeviceSize portion_bytes = VkDeviceSize{VKP_COMPACT_PORTION_BYTES} * shape.portions;
  shape.tiles_offset = shape.portions_offset + (portion_bytes + 15) / 16 * 16;
  shape.need.bytes = shape.tiles_offset + (shape.strips ? shape.portions * shape.max_tiles * 4
                                                        : lookback_bytes(shape.max_tiles, 1));
  return shape;
}

struct CompactPipelines {
  VkPipeline count = VK_NULL_HANDLE;  // for the schedule in two dispatches only
  VkPipeline move = VK_NULL_HANDLE;
};

Status get_pipelines(DeviceState& state, const Compaction& c, const Shape& shape, bool may_compile,
                     CompactPipelines& pipelines) {
  const std::uint32_t words = c.item_bytes == 16 ? 2 : c.item_bytes / 8;
  const std::uint32_t outputs = (c.rejected ? VKP_COMPACT_REJECTED : 0u) +
                                (c.index_width == IndexWidth::u64 ? VKP_COMPACT_WIDE_INDICES : 0u) +
                                VKP_COMPACT_VALUE_WORDS * c.value_bytes / 4;
  const bool compares = c.source == VKP_COMPACT_COMPARED;
  Specialization constants{.workgroup_size = shape.tile.workgroup_size, .rows = shape.tile.rows};
  constants.own[VKP_COMPACT_SPEC_OUTPUTS - VKP_SPEC_FIRST_OWN] = outputs;
  constants.own[VKP_COMPACT_SPEC_BATCHES - VKP_SPEC_FIRST_OWN] = shape.tile.batches;
  constants.own[VKP_COMPACT_SPEC_SOURCE - VKP_SPEC_FIRST_OWN] = c.source;
  // An element is a head if its bits differ from those of the element before, or for floats its
  // value.
  const std::uint32_t heads_kind = c.by_value ? VKP_COMPACT_FLOAT : VKP_COMPACT_UNSIGNED;
  constants.own[VKP_COMPACT_SPEC_KIND - VKP_SPEC_FIRST_OWN] = compares ? kind_of(c.type)
                                                              : c.source == VKP_COMPACT_HEADS
                                                                  ? heads_kind
                                                                  : 0;
  constants.own[VKP_COMPACT_SPEC_COMPARE - VKP_SPEC_FIRST_OWN] =
      compares ? static_cast<std::uint32_t>(c.predicate) : 0;
  if (!shape.alone && !shape.strips) {
    constants.lookback = lookback_constants(state, false);
    return state.pipelines.get(state.vk, *kLookBack[lookback_is_wide(state)][words], constants,
                               may_compile, pipelines.move);
  }
  VKPRIMS_TRY(
      state.pipelines.get(state.vk, *kPlace[words], constants, may_compile, pipelines.move));
  if (shape.alone) return {};
  constants.own[VKP_COMPACT_SPEC_OUTPUTS - VKP_SPEC_FIRST_OWN] = 0;  // it has none
  return state.pipelines.get(state.vk, *kCount[words], constants, may_compile, pipelines.count);
}

Status check_predicate(const Compaction& c) {
  const bool is_float = kind_of(c.type) == VKP_COMPACT_FLOAT;
  VKPRIMS_TRY(check_enum(c.primitive, "predicate", c.predicate, Predicate::has_bits));
  if (c.predicate == Predicate::has_bits && is_float) {
    return Status::error(Status::invalid_argument,
                         "%s: predicate is has_bits, which needs an integer type, not %s",
                         c.primitive, name_of(c.type));
  }
  if (!c.operand.given()) {
    return Status::error(Status::invalid_argument,
                         "%s: operand is not given, but the predicate compares with it",
                         c.primitive);
  }
  return check_value(c.primitive, "operand", c.operand, c.type);
}

}  // namespace

Status check_compaction(const Compaction& c) {
  VKPRIMS_TRY(check_type(c.primitive, c.type));
  VKPRIMS_TRY(check_count(c.primitive, c.count));
  VKPRIMS_TRY(check_enum(c.primitive, "index_width", c.index_width, IndexWidth::u64));
  VKPRIMS_TRY(check_enum(c.primitive, "schedule", c.schedule, Schedule::multi_pass));
  if (c.one_output && c.schedule == Schedule::look_back) {
    return Status::error(Status::invalid_argument,
                         "%s: schedule is look_back, but one output needs the number of selected "
                         "elements beforehand; automatic and multi_pass have it",
                         c.primitive);
  }
  const bool compares = c.source == VKP_COMPACT_COMPARED || c.source == VKP_COMPACT_HEADS;
  const std::uint32_t size = size_of(c.type);
  if (compares && c.item_bytes != size) {
    return Status::error(
        Status::invalid_argument,
        "%s: element_bytes is %u, but elements that are compared are %s (%u bytes)", c.primitive,
        c.item_bytes, name_of(c.type), size);
  }
  if (c.item_bytes != 4 && c.item_bytes != 8 && c.item_bytes != 16) {
    return Status::error(Status::invalid_argument, "%s: element_bytes is %u, must be 4, 8 or 16",
                         c.primitive, c.item_bytes);
  }
  return c.source == VKP_COMPACT_COMPARED ? check_predicate(c) : Status();
}

ScratchNeed compaction_scratch(const DeviceState& state, const Compaction& c) {
  return shape_of(state, c).need;
}

Status record_compaction(VkCommandBuffer cmd, DeviceState& state, const Compaction& c,
                         const CompactionBuffers& b) {
  const Shape shape = shape_of(state, c);
  const std::uint64_t n = c.count.max;
  const bool moves = b.out.address != 0;
  const bool reads_items = moves || c.source >= VKP_COMPACT_COMPARED;
  const std::uint32_t index_bytes = size_of(c.index_width);
  const VkDeviceSize flag_bytes = c.source == VKP_COMPACT_BYTES  ? n
                                  : c.source == VKP_COMPACT_BITS ? (n + 31) / 32 * 4
                                                                 : 0;
  const Argument in{"in", b.in, reads_items ? n * c.item_bytes : 0, c.item_bytes, false};
  const Argument flags{"flags", b.flags, flag_bytes, c.source == VKP_COMPACT_BITS ? 4u : 1u, false};
  const Argument out{"out", b.out, moves || c.rejected ? n * c.item_bytes : 0, c.item_bytes, true};
  const Argument rejected{"rejected", b.rejected,
                          c.rejected && !c.one_output ? n * c.item_bytes : 0, c.item_bytes, true};
  const Argument indices{"indices", b.indices, b.indices.address ? n * index_bytes : 0, index_bytes,
                         true};
  const Argument values_in =
      sized({"values_in", b.values_in, n * c.value_bytes, 4, false}, c.value_bytes);
  const Argument values_out =
      sized({"values_out", b.values_out, n * c.value_bytes, 4, true}, c.value_bytes);
  const Argument count = argument_of_u64(b.count_name, b.count);
  const std::uint32_t operand_bytes = c.source == VKP_COMPACT_COMPARED ? size_of(c.type) : 0;
  VKPRIMS_TRY(check_arguments(
      c.primitive,
      {in, flags, out, rejected, indices, values_in, values_out, count, argument_of(c.count),
       operand_bytes ? argument_of("operand", c.operand, operand_bytes) : Argument{},
       argument_of(b.scratch, shape.need)}));

  const bool may_compile = state.info.pipelines == PipelinePolicy::lazy;
  CompactPipelines pipelines;
  VKPRIMS_TRY(get_pipelines(state, c, shape, may_compile, pipelines));
  OldGrid grid;
  if (shape.portions == 1 && !shape.alone) {
    VKPRIMS_TRY(make_grid(state, c.count, shape.items, b.scratch, may_compile, grid));
  } else {
    grid.groups = shape.max_tiles;
  }
  Scratch tiles = b.scratch;
  tiles.offset += shape.tiles_offset;
  tiles.address += shape.tiles_offset;
  const VkDeviceAddress portions_address = b.scratch.address + shape.portions_offset;
  abi::CompactPush push{.in_base = push_u64(b.in.address),
                        .flags_base = push_u64(b.flags.address),
                        .out_base = push_u64(b.out.address),
                        .rejected_base = push_u64(b.rejected.address),
                        .index_base = push_u64(b.indices.address),
                        .values_in_base = push_u64(b.values_in.address),
                        .values_base = push_u64(b.values_out.address),
                        .count_base = push_u64(b.count.address),
                        .portions_base = push_u64(shape.alone ? 0 : portions_address),
                        .tiles_base = push_u64(tiles.address),
                        .count = push_count(c.count),
                        .operand = push_value(c.operand, c.type),
                        .portions = shape.portions,
                        .one_output = c.one_output};
  const auto select_portion = [&](std::uint32_t portion) {
    push.portion = portion;
    if (shape.strips) push.tiles_base = push_u64(tiles.address + portion * shape.max_tiles * 4);
  };
  const auto access = [](const Argument& a) { return Access{{a.view.address, a.need}, a.writes}; };
  const Access scratch = writes(b.scratch.address, shape.need.bytes);
  const Access operand = reads(c.operand, operand_bytes);

  CommandStream stream(state, cmd);
  constexpr Independent kOtherMemory{"the size of the grid lies before what is filled"};
  if (shape.strips) {
    stream.prepare(grid);
    stream.fill(b.scratch, shape.portions_offset,
                VkDeviceSize{VKP_COMPACT_PORTION_BYTES} * shape.portions, 0, &kOtherMemory);
    for (std::uint32_t portion = 0; portion < shape.portions; ++portion) {
      select_portion(portion);
      stream.dispatch(pipelines.count, push, grid,
                      {reads(c.count), operand, access(in), access(flags), scratch});
    }
  }
  for (std::uint32_t portion = 0; portion < shape.portions; ++portion) {
    select_portion(portion);
    if (!shape.strips && !shape.alone) {
      if (portion == 0) stream.prepare(grid);
      stream.fill(tiles, 0, lookback_bytes(shape.max_tiles, 1), 0,
                  portion == 0 ? &kOtherMemory : nullptr);
    }
    stream.dispatch(
        pipelines.move, push, grid,
        {reads(c.count), operand, access(in), access(flags), access(values_in), scratch,
         access(out), access(rejected), access(indices), access(values_out), access(count)});
  }
  return {};
}

Status warm_up_compaction(DeviceState& state, const Compaction& c) {
  for (const std::uint64_t count : {std::uint64_t{1}, kMaxCount}) {
    Compaction any = c;
    any.count.max = count;
    CompactPipelines pipelines;
    VKPRIMS_TRY(get_pipelines(state, any, shape_of(state, any), true, pipelines));
  }
  OldGrid grid;
  Compaction largest = c;
  largest.count.max = VKP_COMPACT_PORTION;
  return make_grid(state, largest.count, shape_of(state, largest).items, {}, true, grid);
}

}  // namespace vkprims
