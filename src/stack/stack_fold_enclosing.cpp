// Folds over the opens that enclose a symbol: tiles, links between them, rows. See
// shaders/stack/stack_fold/.
#include <algorithm>
#include <bit>

#include "runtime/push.hpp"
#include "runtime/record.hpp"
#include "spirv/stack_fold_jump.hpp"
#include "spirv/stack_fold_links.hpp"
#include "spirv/stack_fold_rows.hpp"
#include "spirv/stack_fold_seeds.hpp"
#include "spirv/stack_fold_slices.hpp"
#include "spirv/stack_match_groups.hpp"
#include "spirv/stack_match_tiles.hpp"
#include "spirv/stack_match_tree.hpp"
#include "stack/stack_fold/stack_fold.abi.h"
#include "stack/stack_fold_plan.hpp"
#include "stack/stack_match_plan.hpp"
#include "runtime/validate.hpp"

namespace vkprims {
namespace {

// Indexed by stack_fold_variant().
constexpr const Spirv* kSlices[] = {&spirv::stack_fold_slices_u32, &spirv::stack_fold_slices_f32,
                                    &spirv::stack_fold_slices_rectangle,
                                    &spirv::stack_fold_slices_affine};
constexpr const Spirv* kLinks[] = {&spirv::stack_fold_links_u32, &spirv::stack_fold_links_f32,
                                   &spirv::stack_fold_links_rectangle,
                                   &spirv::stack_fold_links_affine};
constexpr const Spirv* kJump[] = {&spirv::stack_fold_jump_u32, &spirv::stack_fold_jump_f32,
                                  &spirv::stack_fold_jump_rectangle,
                                  &spirv::stack_fold_jump_affine};
constexpr const Spirv* kSeeds[] = {&spirv::stack_fold_seeds_u32, &spirv::stack_fold_seeds_f32,
                                   &spirv::stack_fold_seeds_rectangle,
                                   &spirv::stack_fold_seeds_affine};
constexpr const Spirv* kRows[] = {&spirv::stack_fold_rows_u32, &spirv::stack_fold_rows_f32,
                                  &spirv::stack_fold_rows_rectangle,
                                  &spirv::stack_fold_rows_affine};

struct Shape {
  StackShape stack;
  std::uint32_t link_size;    // tiles of a workgroup of links.comp
  std::uint32_t jumps;        // dispatches of jump.comp
  VkDeviceSize codes, folds;  // places in scratch
  VkDeviceSize fold_bytes;    // one fold for each tile
  ScratchNeed need;
};

// A subgroup goes over a tile alone, row after row, so small tiles occupy more subgroups.
constexpr std::uint64_t kFewSymbols = 1 << 22;

Shape shape_with(const DeviceState& state, const StackFoldDesc& desc, std::uint32_t blocks) {
  Shape shape{};
  shape.stack = stack_shape(state, desc.count.max, std::max(blocks, state.subgroup_size));
  shape.link_size = std::min(state.largest_workgroup, VKP_STACK_FOLD_GROUP);
  const std::uint64_t tiles = shape.stack.max_tiles;
  const std::uint64_t groups = (tiles + shape.link_size - 1) / shape.link_size;
  shape.jumps = static_cast<std::uint32_t>(std::bit_width(groups - 1));
  if (desc.count.max == 0) return shape;
  const std::uint64_t tile_items = std::uint64_t{shape.stack.workgroup_size} * VKP_STACK_BLOCK;
  shape.codes = (shape.stack.need.bytes + 15) / 16 * 16;
  shape.folds = shape.codes + tiles * tile_items * 2;
  shape.fold_bytes = tiles * VKP_STACK_FOLD_ROOM(size_of(desc.monoid) / 4);
  shape.need.bytes = shape.folds + 2 * shape.fold_bytes;
  return shape;
}

Shape shape_of(const DeviceState& state, const StackFoldDesc& desc) {
  if (desc.count.max <= kFewSymbols) return shape_with(state, desc, 32);
  Shape shape = shape_with(state, desc, 64);
  StackFoldDesc few = desc;
  few.count.max = kFewSymbols;
  shape.need.bytes = std::max(shape.need.bytes, shape_with(state, few, 32).need.bytes);
  return shape;
}

struct EnclosingPipelines {
  VkPipeline tiles = VK_NULL_HANDLE, groups = VK_NULL_HANDLE, tree = VK_NULL_HANDLE;
  VkPipeline slices = VK_NULL_HANDLE, links = VK_NULL_HANDLE, jump = VK_NULL_HANDLE;
  VkPipeline seeds = VK_NULL_HANDLE, rows = VK_NULL_HANDLE;
};

// `value_words` is the number of words that one load takes.
Status get_pipelines(DeviceState& state, const StackFoldDesc& desc, const Shape& shape,
                     std::uint32_t value_words, bool may_compile, EnclosingPipelines& pipelines) {
  Specialization constants{.workgroup_size = shape.stack.workgroup_size};
  const auto own = [&](std::uint32_t constant) -> std::uint32_t& {
    return constants.own[constant - VKP_SPEC_FIRST_OWN];
  };
  own(VKP_STACK_SPEC_INPUT) = static_cast<std::uint32_t>(desc.input);
  own(VKP_STACK_SPEC_WANTS) = VKP_STACK_WANTS_CODES;
  own(VKP_STACK_SPEC_INDEX_WORDS) = 1;
  own(VKP_STACK_SPEC_BLOCKS) = shape.stack.workgroup_size;
  own(VKP_STACK_SPEC_LEVEL_WORDS) = 2;
  own(VKP_STACK_SPEC_ONE_MORE) = desc.kind == StackFoldKind::after;
  const auto get = [&](const Spirv& spirv, VkPipeline& pipeline) {
    return state.pipelines.get(state.vk, spirv, constants, may_compile, pipeline);
  };
  VKPRIMS_TRY(get(spirv::stack_match_tiles, pipelines.tiles));
  own(VKP_STACK_SPEC_LEVEL_WORDS) = shape.stack.level_words;
  own(VKP_STACK_SPEC_WANTS) = 0;
  own(VKP_STACK_SPEC_INPUT) = 0;
  const bool few = shape.stack.groups() == 1;
  constants.workgroup_size =
      std::min<std::uint32_t>(state.largest_workgroup, few ? 256 : VKP_STACK_GROUP);
  VKPRIMS_TRY(get(spirv::stack_match_tree, pipelines.tree));
  if (!few) VKPRIMS_TRY(get(spirv::stack_match_groups, pipelines.groups));

  const std::uint32_t variant = stack_fold_variant(desc.monoid);
  constants.op = stack_fold_op(desc.monoid);
  constants.row_words = value_words;
  constants.workgroup_size = shape.link_size;
  VKPRIMS_TRY(get(*kLinks[variant], pipelines.links));
  if (shape.jumps != 0) VKPRIMS_TRY(get(*kJump[variant], pipelines.jump));
  constants.workgroup_size = state.tuning.csr_workgroup_size;
  VKPRIMS_TRY(get(*kSeeds[variant], pipelines.seeds));
  constants.workgroup_size =
      std::min(state.largest_workgroup, VKP_STACK_FOLD_TILES * state.subgroup_size);
  VKPRIMS_TRY(get(*kSlices[variant], pipelines.slices));
  own(VKP_STACK_SPEC_INPUT) = static_cast<std::uint32_t>(desc.input);
  return get(*kRows[variant], pipelines.rows);
}

}  // namespace

ScratchNeed stack_fold_enclosing_scratch(const DeviceState& state, const StackFoldDesc& desc) {
  return shape_of(state, desc).need;
}

Status record_stack_fold_enclosing(VkCommandBuffer cmd, DeviceState& state,
                                   const StackFoldDesc& desc, const StackFoldBuffers& buffers) {
  const Shape shape = shape_of(state, desc);
  const std::uint64_t n = desc.count.max;
  const bool bits = desc.input == StackInput::bits;
  const VkDeviceSize in_bytes = stack_symbol_bytes(desc.input, n);
  const VkDeviceSize value_bytes = n * size_of(desc.monoid);
  const std::uint32_t tag_size = desc.input == StackInput::tags_u8 ? 1 : 4;
  const std::uint32_t words =
      stack_fold_words(desc.monoid, buffers.values.address, buffers.out.address);
  const bool may_compile = state.info.pipelines == PipelinePolicy::lazy;
  EnclosingPipelines pipelines;
  VKPRIMS_TRY(get_pipelines(state, desc, shape, words, may_compile, pipelines));
  const std::uint64_t max_tiles = shape.stack.max_tiles;
  OldGrid tiles, groups, subgroups, links;
  groups.groups = shape.stack.groups();
  const auto grid_of = [&](std::uint64_t tiles_per_group, OldGrid& grid) {
    return make_grid(state, desc.count, tiles_per_group * shape.stack.tile_items, buffers.scratch,
                     may_compile, grid);
  };
  VKPRIMS_TRY(grid_of(1, tiles));
  VKPRIMS_TRY(grid_of(VKP_STACK_FOLD_TILES, subgroups));
  VKPRIMS_TRY(grid_of(shape.link_size, links));

  const VkDeviceAddress scratch_address = buffers.scratch.address;
  const std::uint32_t head = stack_head(desc.input, buffers.symbols.address);
  abi::StackFoldPush push{.stack = {.symbols = push_u64(buffers.symbols.address - head * tag_size),
                                    .closes = push_u64(buffers.closes.address),
                                    .match = push_u64(scratch_address + shape.codes),
                                    .scratch = push_u64(scratch_address),
                                    .count = push_count(desc.count),
                                    .head = head,
                                    .max_tiles = static_cast<std::uint32_t>(max_tiles)},
                          .values = push_u64(buffers.values.address),
                          .out_base = push_u64(buffers.out.address),
                          .folds = push_u64(scratch_address + shape.folds),
                          .next = push_u64(scratch_address + shape.folds + shape.fold_bytes)};
  const Access count = reads(desc.count);
  const Access scratch = writes(scratch_address + VKP_STACK_COUNTER_OFFSET,
                                shape.need.bytes - VKP_STACK_COUNTER_OFFSET);
  const Access symbols = reads(buffers.symbols.address, in_bytes);
  const Access closes = reads(buffers.closes.address, bits ? in_bytes : 0);
  const Access values = reads(buffers.values.address, value_bytes);
  const Access out = writes(buffers.out.address, value_bytes);
  CommandStream stream(state, cmd);
  stream.dispatch(pipelines.tiles, push.stack, tiles, {count, symbols, closes, scratch});
  if (pipelines.groups) stream.dispatch(pipelines.groups, push.stack, groups, {count, scratch});
  stream.dispatch(pipelines.tree, push.stack, groups, {count, scratch});
  stream.dispatch(pipelines.slices, push, subgroups, {count, scratch, values, out});
  stream.dispatch(pipelines.links, push, links, {count, scratch, values, out});
  for (std::uint32_t i = 0; i < shape.jumps; ++i) {
    stream.dispatch(pipelines.jump, push, links, {count, scratch});
    std::swap(push.folds, push.next);
  }
  stream.dispatch(pipelines.seeds, push, tiles, {count, scratch, values, out});
  stream.dispatch(pipelines.rows, push, subgroups, {count, symbols, closes, scratch, values, out});
  return {};
}

Status warm_up_stack_fold_enclosing(DeviceState& state, const StackFoldDesc& desc) {
  StackFoldDesc any = desc;
  Shape shape;
  for (const std::uint64_t count : {std::uint64_t{2}, kFewSymbols,
                                    std::uint64_t{state.tuning.stack_short_count} - 1, kMaxCount}) {
    any.count.max = count;
    shape = shape_of(state, any);
    for (const std::uint32_t words : {1u, stack_fold_words(desc.monoid, 0, 0)}) {
      EnclosingPipelines pipelines;
      VKPRIMS_TRY(get_pipelines(state, desc, shape, words, true, pipelines));
    }
  }
  OldGrid grid;
  return make_grid(state, any.count, shape.stack.tile_items, {}, true, grid);
}

}  // namespace vkprims
