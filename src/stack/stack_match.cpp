// The host side of the primitive stack_match.
#include "vkprims/stack_match.hpp"

#include <algorithm>
#include <cinttypes>

#include "blocks/lookback.hpp"
#include "runtime/push.hpp"
#include "runtime/record.hpp"
#include "spirv/stack_match_depths.hpp"
#include "spirv/stack_match_finish.hpp"
#include "spirv/stack_match_groups.hpp"
#include "spirv/stack_match_mismatch.hpp"
#include "spirv/stack_match_tiles.hpp"
#include "spirv/stack_match_tiles_look_back.hpp"
#include "spirv/stack_match_tree.hpp"
#include "spirv/stack_match_tree_look_back.hpp"
#include "spirv/stack_match_types.hpp"
#include "stack/stack_match_plan.hpp"
#include "stack/stack_match_seed_window.hpp"
#include "runtime/validate.hpp"
#include "runtime/arithmetic.hpp"

namespace vkprims {
namespace {

Status check_desc(const StackMatchDesc& desc) {
  VKPRIMS_TRY(check_enum("stack_match", "input", desc.input, StackInput::bits));
  VKPRIMS_TRY(check_enum("stack_match", "index_width", desc.index_width, IndexWidth::u64));
  VKPRIMS_TRY(check_enum("stack_match", "schedule", desc.schedule, StackSchedule::seed_window));
  VKPRIMS_TRY(check_count("stack_match", desc.count));
  if (desc.index_width == IndexWidth::u32 && desc.count.max > 0xffffffffu) {
    return Status::error(Status::invalid_argument,
                         "stack_match: count.max is %" PRIu64
                         ", must be 0 … 2^32 - 1 with IndexWidth::u32",
                         desc.count.max);
  }
  return {};
}

// With StackSchedule::look_back the states of look-backs lie in front of everything else in
// scratch.
struct Shape : StackShape {
  bool look_back = false;
  VkDeviceSize state_bytes = 0, base_offset = 0;
};

Shape shape_of(const DeviceState& state, const StackMatchDesc& desc) {
  Shape shape{stack_shape(state, desc.count.max, VKP_STACK_MAX_BLOCKS)};
  shape.look_back = desc.schedule == StackSchedule::look_back;
  if (desc.count.max == 0 || !shape.look_back) return shape;
  shape.state_bytes = lookback_bytes(shape.max_tiles, VKP_STACK_STATE_WORDS);
  shape.base_offset = VKP_STACK_STATES_OFFSET + shape.state_bytes;
  shape.need.bytes += shape.base_offset;
  return shape;
}

// Which outputs are wanted, as kernels take it.
std::uint32_t wants(const StackMatchBuffers& b, bool types) {
  return (b.match.address ? VKP_STACK_WANTS_MATCH : 0) |
         (b.close_of.address ? VKP_STACK_WANTS_CLOSE_OF : 0) |
         (b.header.address ? VKP_STACK_WANTS_HEADER : 0) |
         (b.depth.address ? VKP_STACK_WANTS_DEPTH : 0) | (types ? VKP_STACK_WANTS_TYPES : 0);
}

struct StackMatchPipelines {
  VkPipeline tiles = VK_NULL_HANDLE, tree = VK_NULL_HANDLE, finish = VK_NULL_HANDLE;
  VkPipeline groups = VK_NULL_HANDLE;  // for more than one group of tiles that do not look back
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
  // These are the outputs that kernels find in one go.
  const std::uint32_t together =
      VKP_STACK_WANTS_MATCH | VKP_STACK_WANTS_CLOSE_OF | VKP_STACK_WANTS_HEADER;
  own(VKP_STACK_SPEC_WANTS) = wanted & together;
  own(VKP_STACK_SPEC_INDEX_WORDS) = size_of(desc.index_width) / 4;
  own(VKP_STACK_SPEC_BLOCKS) = shape.workgroup_size;
  own(VKP_STACK_SPEC_LEVEL_WORDS) = 2;  // for kernels that have none
  const auto get = [&](const Spirv& spirv, VkPipeline& pipeline) {
    return state.pipelines.get(state.vk, spirv, constants, may_compile, pipeline);
  };
  if (shape.look_back) {
    own(VKP_STACK_SPEC_LEVEL_WORDS) = shape.level_words;
    constants.lookback = lookback_constants(state, false);
    VKPRIMS_TRY(get(lookback_is_wide(state) ? spirv::stack_match_tiles_look_back_word64
                                            : spirv::stack_match_tiles_look_back_word32,
                    pipelines.tiles));
    own(VKP_STACK_SPEC_LEVEL_WORDS) = 2;
    constants.lookback = {};
  } else {
    VKPRIMS_TRY(get(spirv::stack_match_tiles, pipelines.tiles));
  }
  own(VKP_STACK_SPEC_WANTS) = 0;
  if (wanted & VKP_STACK_WANTS_DEPTH) {
    own(VKP_STACK_SPEC_LEVEL_WORDS) = shape.level_words;
    VKPRIMS_TRY(get(spirv::stack_match_depths, pipelines.depths));
    own(VKP_STACK_SPEC_LEVEL_WORDS) = 2;
  }
  constants.row_words = 4;
  if (wanted & VKP_STACK_WANTS_TYPES) {
    VKPRIMS_TRY(get(spirv::stack_match_types, pipelines.types));
  }
  own(VKP_STACK_SPEC_LEVEL_WORDS) = shape.level_words;
  own(VKP_STACK_SPEC_INPUT) = 0;  // the others do not look at symbols, nor store rows
  own(VKP_STACK_SPEC_WANTS) = wanted & (VKP_STACK_WANTS_MATCH | VKP_STACK_WANTS_CLOSE_OF);
  // With a single group of tiles there is one workgroup, or hardly more, for each processor.
  const bool few = shape.groups() == 1;
  if (few) constants.workgroup_size = std::min(state.largest_workgroup, 256u);
  VKPRIMS_TRY(get(spirv::stack_match_finish, pipelines.finish));
  own(VKP_STACK_SPEC_INDEX_WORDS) = 1;
  own(VKP_STACK_SPEC_WANTS) = wanted & VKP_STACK_WANTS_HEADER;
  constants.workgroup_size =
      std::min<std::uint32_t>(state.largest_workgroup, few ? 256 : VKP_STACK_GROUP);
  VKPRIMS_TRY(get(shape.look_back ? spirv::stack_match_tree_look_back : spirv::stack_match_tree,
                  pipelines.tree));
  own(VKP_STACK_SPEC_WANTS) = 0;
  if (!few && !shape.look_back) VKPRIMS_TRY(get(spirv::stack_match_groups, pipelines.groups));
  own(VKP_STACK_SPEC_LEVEL_WORDS) = 2;
  if (!(wanted & VKP_STACK_WANTS_TYPES)) return {};
  return get(spirv::stack_match_mismatch, pipelines.mismatch);
}

}  // namespace

std::uint64_t StackShape::groups() const { return ceil_div(max_tiles, VKP_STACK_GROUP); }

StackShape stack_shape(const DeviceState& state, std::uint64_t max_count,
                       std::uint32_t max_blocks) {
  constexpr std::uint32_t kMaxMore = 15 + 1;  // items of a cell, and one without a symbol
  StackShape shape{};
  shape.workgroup_size = std::min(state.tuning.csr_workgroup_size, max_blocks);
  // An invocation takes up to 43 words: 17 each for match and close_of, 2 for symbols, 5 for blocks
  // and links, and scans.
  while (shape.workgroup_size * 44 * 4 > state.shared_bytes) shape.workgroup_size /= 2;
  shape.tile_items = std::uint64_t{shape.workgroup_size} * VKP_STACK_BLOCK - kMaxMore;
  shape.max_tiles = std::max<std::uint64_t>(1, ceil_div(max_count, shape.tile_items));
  shape.level_words = max_count < state.tuning.stack_short_count ? 1 : 2;
  if (max_count == 0) return shape;
  std::uint64_t keys = 0, level_keys = shape.max_tiles;
  for (int level = 0; level < 4 || level_keys > 1; ++level) {  // four at least
    if (level != 0) level_keys = ceil_div(level_keys, VKP_STACK_FAN_OUT);
    keys += ceil_div(level_keys, VKP_STACK_FAN_OUT) * VKP_STACK_FAN_OUT;
  }
  const std::uint64_t list_words =
      std::uint64_t{shape.workgroup_size} * VKP_STACK_BLOCK + VKP_STACK_LIST_EXTRA;
  const std::uint64_t tile_bytes = 4 * list_words + VKP_STACK_EFFECT_BYTES + VKP_STACK_PLACE_BYTES;
  shape.need.bytes = VKP_STACK_LISTS_OFFSET + shape.max_tiles * tile_bytes +
                     shape.groups() * VKP_STACK_GROUP_BYTES + keys * 8;
  return shape;
}

Status check_closes(const char* primitive, StackInput input, const BufferView& closes) {
  if (closes.address == 0 || input == StackInput::bits) return {};
  return Status::error(Status::invalid_argument,
                       "%s: closes is given, but input is %s; it is for StackInput::bits",
                       primitive, input == StackInput::tags_u8 ? "tags_u8" : "tags_u32");
}

VkDeviceSize stack_symbol_bytes(StackInput input, std::uint64_t count) {
  if (input == StackInput::bits) return ceil_div(count, 32) * 4;
  return input == StackInput::tags_u8 ? count : count * 4;
}

std::uint32_t stack_head(StackInput input, VkDeviceAddress symbols) {
  if (input == StackInput::bits) return 0;
  return static_cast<std::uint32_t>(symbols % 16) / (input == StackInput::tags_u8 ? 1 : 4);
}

ScratchNeed stack_match_scratch(const Device& device, const StackMatchDesc& desc) {
  if (!device || !check_desc(desc)) return {};
  if (desc.schedule == StackSchedule::seed_window) {
    return seed_window_scratch(*device.state(), desc);
  }
  return shape_of(*device.state(), desc).need;
}

Status record_stack_match(VkCommandBuffer cmd, const Device& device, const StackMatchDesc& desc,
                          const StackMatchBuffers& buffers) {
  VKPRIMS_RECORD_CALL("stack_match", cmd, device);
  VKPRIMS_TRY(check_desc(desc));
  VKPRIMS_TRY(check_closes("stack_match", desc.input, buffers.closes));
  DeviceState& state = *device.state();
  if (desc.schedule == StackSchedule::seed_window) {
    return record_seed_window(cmd, state, desc, buffers);
  }
  const Shape shape = shape_of(state, desc);
  const bool bits = desc.input == StackInput::bits;
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
  const std::uint64_t n = desc.count.max;
  const std::uint32_t size = desc.input == StackInput::tags_u8 ? 1 : 4;
  const std::uint32_t index_size = size_of(desc.index_width);
  const VkDeviceSize in_bytes = stack_symbol_bytes(desc.input, n);
  const auto out_bytes = [&](const BufferView& view) { return view.address ? n * index_size : 0; };
  const VkDeviceSize header_bytes = buffers.header.address ? sizeof(StackHeader) : 0;
  VKPRIMS_TRY(check_arguments(
      "stack_match", {{"symbols", buffers.symbols, in_bytes, size, false},
                      {"closes", buffers.closes, bits ? in_bytes : 0, 4, false},
                      {"match", buffers.match, out_bytes(buffers.match), index_size, true},
                      {"close_of", buffers.close_of, out_bytes(buffers.close_of), index_size, true},
                      {"depth", buffers.depth, out_bytes(buffers.depth), index_size, true},
                      {"header", buffers.header, header_bytes, 8, true, "", "a StackHeader"},
                      argument_of(desc.count),
                      argument_of(buffers.scratch, shape.need)}));
  if (n == 0 && header_bytes == 0) return {};

  const std::uint32_t head = stack_head(desc.input, buffers.symbols.address);
  const auto is_aligned = [&](const BufferView& view) {
    return view.address == 0 || (view.address - head * index_size) % 16 == 0;
  };
  const bool aligned =
      is_aligned(buffers.match) && is_aligned(buffers.close_of) && is_aligned(buffers.depth);
  const bool may_compile = state.info.pipelines == PipelinePolicy::lazy;
  StackMatchPipelines pipelines;
  VKPRIMS_TRY(get_pipelines(state, desc, shape, wanted, aligned, may_compile, pipelines));
  OldGrid tiles;
  VKPRIMS_TRY(make_grid(state, desc.count, shape.tile_items, buffers.scratch, may_compile, tiles));
  const abi::StackMatchPush push{.symbols = push_u64(buffers.symbols.address - head * size),
                                 .closes = push_u64(buffers.closes.address),
                                 .match = push_u64(buffers.match.address),
                                 .close_of = push_u64(buffers.close_of.address),
                                 .depth = push_u64(buffers.depth.address),
                                 .header = push_u64(buffers.header.address),
                                 .scratch = push_u64(buffers.scratch.address + shape.base_offset),
                                 .count = push_count(desc.count),
                                 .head = head,
                                 .max_tiles = static_cast<std::uint32_t>(shape.max_tiles)};
  const VkDeviceSize grid_bytes =
      shape.look_back ? VKP_STACK_STATES_OFFSET : VKP_STACK_LISTS_OFFSET;
  const Access scratch =
      writes(buffers.scratch.address + grid_bytes, n ? shape.need.bytes - grid_bytes : 0);
  const Access match = writes(buffers.match.address, out_bytes(buffers.match));
  const Access close_of = writes(buffers.close_of.address, out_bytes(buffers.close_of));
  const Access symbols = reads(buffers.symbols.address, in_bytes);
  const Access closes = reads(buffers.closes.address, bits ? in_bytes : 0);
  const Access header = writes(buffers.header.address, header_bytes);
  const Access depth = writes(buffers.depth.address, out_bytes(buffers.depth));
  OldGrid one;
  one.groups = 1;
  CommandStream stream(state, cmd);
  if (n == 0) {
    stream.dispatch(pipelines.tree, push, one, {reads(desc.count), header});
    return {};
  }
  if (shape.look_back) {
    constexpr Independent kOtherMemory{"the size of the grid lies before the states"};
    stream.prepare(tiles);
    stream.fill(buffers.scratch, VKP_STACK_STATES_OFFSET, shape.state_bytes, 0, &kOtherMemory);
  }
  stream.dispatch(pipelines.tiles, push, tiles,
                  {reads(desc.count), symbols, closes, scratch, match, close_of});
  OldGrid groups;  // whatever the count is, at least one workgroup writes the header
  groups.groups = shape.groups();
  if (pipelines.groups) {
    stream.dispatch(pipelines.groups, push, groups, {reads(desc.count), scratch});
  }
  stream.dispatch(pipelines.tree, push, groups, {reads(desc.count), scratch, header});
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
  VKPRIMS_WARM_UP_CALL("stack_match", device);
  VKPRIMS_TRY(check_desc(desc));
  DeviceState& state = *device.state();
  if (desc.schedule == StackSchedule::seed_window) return warm_up_seed_window(state, desc);
  StackMatchDesc any = desc;
  any.index_width = IndexWidth::u64;
  Shape shape;
  const std::uint64_t short_count = state.tuning.stack_short_count;
  for (const std::uint64_t count : {std::uint64_t{2}, short_count - 1, short_count, kMaxCount}) {
    any.count.max = count;
    shape = shape_of(state, any);
    for (std::uint32_t together = 0; together < 8; ++together) {
      const std::uint32_t wanted = together | VKP_STACK_WANTS_DEPTH | VKP_STACK_WANTS_TYPES;
      for (const bool aligned : {false, true}) {
        StackMatchPipelines pipelines;
        VKPRIMS_TRY(get_pipelines(state, desc, shape, wanted, aligned, true, pipelines));
      }
    }
  }
  OldGrid grid;
  return make_grid(state, any.count, shape.tile_items, {}, true, grid);
}

}  // namespace vkprims
