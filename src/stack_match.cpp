#include "vkprims/stack_match.hpp"

#include <algorithm>
#include <cinttypes>

#include "push.hpp"
#include "record.hpp"
#include "spirv/stack_match_depths.hpp"
#include "spirv/stack_match_finish.hpp"
#include "spirv/stack_match_mismatch.hpp"
#include "spirv/stack_match_places.hpp"
#include "spirv/stack_match_tiles.hpp"
#include "spirv/stack_match_tree.hpp"
#include "spirv/stack_match_types.hpp"
#include "stack_match.abi.h"
#include "validate.hpp"

namespace vkprims {
namespace {

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return a / b + (a % b != 0); }

// Bytes of a number of symbols.
VkDeviceSize symbol_bytes(StackInput input, std::uint64_t count) {
  if (input == StackInput::bits) return ceil_div(count, 32) * 4;
  return input == StackInput::tags_u8 ? count : count * 4;
}

Status check_desc(const StackMatchDesc& desc) {
  VKPRIMS_TRY(check_enum("stack_match", "input", desc.input, StackInput::bits));
  VKPRIMS_TRY(check_enum("stack_match", "index_width", desc.index_width, IndexWidth::u64));
  VKPRIMS_TRY(check_count("stack_match", desc.count));
  if (desc.index_width == IndexWidth::u32 && desc.count.max > 0xffffffffu) {
    return Status::error(Status::invalid_argument,
                         "stack_match: count.max is %" PRIu64
                         ", must be 0 … 2^32 - 1 with IndexWidth::u32",
                         desc.count.max);
  }
  return {};
}

// Tiles that one workgroup places.
constexpr std::uint64_t kFewTiles = 2048;

struct Shape {
  std::uint32_t workgroup_size;
  std::uint64_t tile_items;  // at least: a sequence may begin inside of a cell
  std::uint64_t max_tiles;
  ScratchNeed need;
};

Shape shape_of(const DeviceState& state, const StackMatchDesc& desc) {
  constexpr std::uint32_t kMaxHead = 15;
  Shape shape{};
  shape.workgroup_size = std::min(state.tuning.csr_workgroup_size, VKP_STACK_MAX_BLOCKS);
  // Up to 32 words an invocation.
  while (shape.workgroup_size * 32 * 4 > state.shared_bytes) shape.workgroup_size /= 2;
  shape.tile_items = std::uint64_t{shape.workgroup_size} * VKP_STACK_BLOCK - kMaxHead;
  shape.max_tiles = std::max<std::uint64_t>(1, ceil_div(desc.count.max, shape.tile_items));
  if (desc.count.max == 0) return shape;
  std::uint64_t keys = 0, level_keys = shape.max_tiles;
  for (int level = 0; level < 3 || level_keys > 1; ++level) {  // three at least
    if (level != 0) level_keys = ceil_div(level_keys, VKP_STACK_FAN_OUT);
    keys += ceil_div(level_keys, VKP_STACK_FAN_OUT) * VKP_STACK_FAN_OUT;
  }
  const std::uint64_t tile_bytes = std::uint64_t{shape.workgroup_size} * VKP_STACK_BLOCK_BYTES +
                                   VKP_STACK_EFFECT_BYTES + VKP_STACK_PLACE_BYTES;
  shape.need.bytes = VKP_STACK_BLOCKS_OFFSET + shape.max_tiles * tile_bytes + keys * 8;
  return shape;
}

// What outputs there are, as kernels take it.
std::uint32_t wants(const StackMatchBuffers& b, bool types) {
  return (b.match.address ? VKP_STACK_WANTS_MATCH : 0) |
         (b.close_of.address ? VKP_STACK_WANTS_CLOSE_OF : 0) |
         (b.header.address ? VKP_STACK_WANTS_HEADER : 0) |
         (b.depth.address ? VKP_STACK_WANTS_DEPTH : 0) | (types ? VKP_STACK_WANTS_TYPES : 0);
}

struct StackMatchPipelines {
  VkPipeline tiles = VK_NULL_HANDLE, tree = VK_NULL_HANDLE, finish = VK_NULL_HANDLE;
  VkPipeline places = VK_NULL_HANDLE;  // of many tiles
  VkPipeline depths = VK_NULL_HANDLE, types = VK_NULL_HANDLE, mismatch = VK_NULL_HANDLE;
};

Status get_pipelines(DeviceState& state, const StackMatchDesc& desc, const Shape& shape,
                     std::uint32_t wanted, bool aligned, bool may_compile,
                     StackMatchPipelines& pipelines) {
  Specialization constants{.workgroup_size = shape.workgroup_size, .row_words = aligned ? 4u : 1u};
  const auto own = [&](std::uint32_t constant) -> std::uint32_t& {
    return constants.own[constant - VKP_SPEC_FIRST_OWN];
  };
  own(VKP_STACK_SPEC_INPUT) = static_cast<std::uint32_t>(desc.input);
  // Of what kernels find in one go.
  const std::uint32_t together =
      VKP_STACK_WANTS_MATCH | VKP_STACK_WANTS_CLOSE_OF | VKP_STACK_WANTS_HEADER;
  own(VKP_STACK_SPEC_WANTS) = wanted & together;
  own(VKP_STACK_SPEC_INDEX_WORDS) = size_of(desc.index_width) / 4;
  own(VKP_STACK_SPEC_BLOCKS) = shape.workgroup_size;
  const auto get = [&](const Spirv& spirv, VkPipeline& pipeline) {
    return state.pipelines.get(state.vk, spirv, constants, may_compile, pipeline);
  };
  VKPRIMS_TRY(get(spirv::stack_match_tiles, pipelines.tiles));
  own(VKP_STACK_SPEC_WANTS) = 0;
  if (wanted & VKP_STACK_WANTS_DEPTH) {
    VKPRIMS_TRY(get(spirv::stack_match_depths, pipelines.depths));
  }
  constants.row_words = 4;
  if (wanted & VKP_STACK_WANTS_TYPES) {
    VKPRIMS_TRY(get(spirv::stack_match_types, pipelines.types));
  }
  own(VKP_STACK_SPEC_INPUT) = 0;  // the others do not look at symbols, nor store rows
  own(VKP_STACK_SPEC_WANTS) = wanted & (VKP_STACK_WANTS_MATCH | VKP_STACK_WANTS_CLOSE_OF);
  VKPRIMS_TRY(get(spirv::stack_match_finish, pipelines.finish));
  own(VKP_STACK_SPEC_INDEX_WORDS) = 1;
  own(VKP_STACK_SPEC_WANTS) = wanted & VKP_STACK_WANTS_HEADER;
  constants.workgroup_size = std::min(state.largest_workgroup, 512u);  // 1024: out of registers
  own(VKP_STACK_SPEC_FEW_TILES) = shape.max_tiles <= kFewTiles;
  VKPRIMS_TRY(get(spirv::stack_match_tree, pipelines.tree));
  own(VKP_STACK_SPEC_WANTS) = 0;
  own(VKP_STACK_SPEC_FEW_TILES) = 0;
  if (wanted & VKP_STACK_WANTS_TYPES) {
    VKPRIMS_TRY(get(spirv::stack_match_mismatch, pipelines.mismatch));
  }
  if (shape.max_tiles <= kFewTiles) return {};
  constants.workgroup_size = shape.workgroup_size;
  return get(spirv::stack_match_places, pipelines.places);
}

}  // namespace

ScratchNeed stack_match_scratch(const Device& device, const StackMatchDesc& desc) {
  if (!device || !check_desc(desc)) return {};
  return shape_of(*device.state(), desc).need;
}

Status record_stack_match(VkCommandBuffer cmd, const Device& device, const StackMatchDesc& desc,
                          const StackMatchBuffers& buffers) {
  VKPRIMS_TRY(check_recording("stack_match", cmd, device));
  VKPRIMS_TRY(check_desc(desc));
  DeviceState& state = *device.state();
  const Shape shape = shape_of(state, desc);
  const bool bits = desc.input == StackInput::bits;
  if (buffers.closes.address && !bits) {
    return Status::error(
        Status::invalid_argument,
        "stack_match: closes is given, but input is %s; it is for StackInput::bits",
        desc.input == StackInput::tags_u8 ? "tags_u8" : "tags_u32");
  }
  if (desc.types && (bits || !buffers.match.address || !buffers.header.address)) {
    return Status::error(
        Status::invalid_argument,
        "stack_match: types is true, but %s; it is for tags, with match and header",
        bits                     ? "input is bits"
        : !buffers.match.address ? "match.address is 0"
                                 : "header.address is 0");
  }
  const std::uint32_t wanted = wants(buffers, desc.types);
  if (wanted == 0) {
    return Status::error(
        Status::invalid_argument,
        "stack_match: match, close_of, depth and header have address 0, at least one "
        "must be given");
  }
  VKPRIMS_TRY(check_scratch("stack_match", shape.need, buffers.scratch));
  const std::uint64_t n = desc.count.max;
  const std::uint32_t size = desc.input == StackInput::tags_u8 ? 1 : 4;
  const std::uint32_t index_size = size_of(desc.index_width);
  const VkDeviceSize in_bytes = symbol_bytes(desc.input, n);
  const auto out_bytes = [&](const BufferView& view) { return view.address ? n * index_size : 0; };
  const VkDeviceSize header_bytes = buffers.header.address ? sizeof(StackHeader) : 0;
  VKPRIMS_TRY(check_arguments(
      "stack_match", {{"symbols", buffers.symbols, in_bytes, size, false},
                      {"closes", buffers.closes, bits ? in_bytes : 0, 4, false},
                      {"match", buffers.match, out_bytes(buffers.match), index_size, true},
                      {"close_of", buffers.close_of, out_bytes(buffers.close_of), index_size, true},
                      {"depth", buffers.depth, out_bytes(buffers.depth), index_size, true},
                      {"header", buffers.header, header_bytes, 8, true},
                      argument_of(desc.count),
                      argument_of(buffers.scratch, shape.need)}));
  if (n == 0 && header_bytes == 0) return {};

  const std::uint32_t head =
      bits ? 0 : static_cast<std::uint32_t>(buffers.symbols.address % 16) / size;
  const auto is_aligned = [&](const BufferView& view) {
    return view.address == 0 || (view.address - head * index_size) % 16 == 0;
  };
  const bool aligned =
      is_aligned(buffers.match) && is_aligned(buffers.close_of) && is_aligned(buffers.depth);
  const bool may_compile = state.info.pipelines == PipelinePolicy::lazy;
  StackMatchPipelines pipelines;
  VKPRIMS_TRY(get_pipelines(state, desc, shape, wanted, aligned, may_compile, pipelines));
  Grid tiles;
  VKPRIMS_TRY(make_grid(state, desc.count, shape.tile_items, buffers.scratch, may_compile, tiles));
  const abi::StackMatchPush push{.symbols = push_u64(buffers.symbols.address - head * size),
                                 .closes = push_u64(buffers.closes.address),
                                 .match = push_u64(buffers.match.address),
                                 .close_of = push_u64(buffers.close_of.address),
                                 .depth = push_u64(buffers.depth.address),
                                 .header = push_u64(buffers.header.address),
                                 .scratch = push_u64(buffers.scratch.address),
                                 .count = push_count(desc.count),
                                 .head = head,
                                 .max_tiles = static_cast<std::uint32_t>(shape.max_tiles)};
  const Access scratch = writes(buffers.scratch.address + VKP_STACK_BLOCKS_OFFSET,
                                n ? shape.need.bytes - VKP_STACK_BLOCKS_OFFSET : 0);
  const Access match = writes(buffers.match.address, out_bytes(buffers.match));
  const Access close_of = writes(buffers.close_of.address, out_bytes(buffers.close_of));
  const Access symbols = reads(buffers.symbols.address, in_bytes);
  const Access closes = reads(buffers.closes.address, bits ? in_bytes : 0);
  const Access header = writes(buffers.header.address, header_bytes);
  const Access depth = writes(buffers.depth.address, out_bytes(buffers.depth));
  Grid one;
  one.groups = 1;
  CommandStream stream(state, cmd, "vkprims stack_match");
  if (n == 0) {
    stream.dispatch(pipelines.tree, push, one, {reads(desc.count), header});
    return {};
  }
  stream.dispatch(pipelines.tiles, push, tiles,
                  {reads(desc.count), symbols, closes, scratch, match, close_of});
  stream.dispatch(pipelines.tree, push, one, {reads(desc.count), scratch, header});
  if (pipelines.places) {
    Grid places;
    places.groups = ceil_div(shape.max_tiles + VKP_STACK_FAN_OUT, shape.workgroup_size);
    stream.dispatch(pipelines.places, push, places, {reads(desc.count), scratch});
  }
  if (shape.max_tiles > 1 && wanted & (VKP_STACK_WANTS_MATCH | VKP_STACK_WANTS_CLOSE_OF)) {
    stream.dispatch(pipelines.finish, push, tiles, {reads(desc.count), scratch, match, close_of});
  }
  if (pipelines.depths) {
    stream.dispatch(pipelines.depths, push, tiles,
                    {reads(desc.count), symbols, closes, scratch, depth});
  }
  if (pipelines.types) {
    stream.dispatch(pipelines.types, push, tiles, {reads(desc.count), symbols, match, scratch});
    stream.dispatch(pipelines.mismatch, push, one, {reads(desc.count), scratch, header});
  }
  return {};
}

Status warm_up(const Device& device, const StackMatchDesc& desc) {
  VKPRIMS_TRY(check_device("stack_match", device));
  VKPRIMS_TRY(check_desc(desc));
  DeviceState& state = *device.state();
  StackMatchDesc any = desc;
  any.index_width = IndexWidth::u64;
  any.count.max = kMaxCount;
  Shape shape = shape_of(state, any);
  for (const std::uint64_t tiles : {std::uint64_t{2}, shape.max_tiles}) {
    shape.max_tiles = tiles;
    for (std::uint32_t together = 0; together < 8; ++together) {
      const std::uint32_t wanted = together | VKP_STACK_WANTS_DEPTH | VKP_STACK_WANTS_TYPES;
      for (const bool aligned : {false, true}) {
        StackMatchPipelines pipelines;
        VKPRIMS_TRY(get_pipelines(state, desc, shape, wanted, aligned, true, pipelines));
      }
    }
  }
  Grid grid;
  return make_grid(state, any.count, shape.tile_items, {}, true, grid);
}

}  // namespace vkprims
