#include "stack/stack_match_seed_window.hpp"

#include <cinttypes>

#include "blocks/lookback.hpp"
#include "runtime/push.hpp"
#include "runtime/record.hpp"
#include "spirv/stack_match_seed_window.hpp"
#include "stack/stack_match_plan.hpp"
#include "stack/stack_match/seed_window.abi.h"
#include "runtime/validate.hpp"

namespace vkprims {
namespace {

constexpr std::uint64_t kMaxSymbols = 0xffffffff;  // indices are words, one of which means none

struct Shape {
  std::uint32_t tile;  // its size in symbols, and in invocations
  std::uint64_t max_tiles;
  VkDeviceSize state_offset;  // in scratch, behind what an indirect grid needs
  VkDeviceSize state_bytes;   // to be cleared
  ScratchNeed need;
};

Shape shape_of(const DeviceState& state, const StackMatchDesc& desc) {
  Shape shape{};
  shape.tile = state.tuning.stack_window_size;
  shape.max_tiles = desc.count.max / shape.tile + (desc.count.max % shape.tile != 0);
  if (desc.count.max == 0) return shape;
  shape.state_offset = grid_is_indirect(desc.count, shape.tile) ? kGridScratchBytes : 0;
  shape.state_bytes = VKP_LOOKBACK_HEADER_BYTES + shape.max_tiles * VKP_SEED_RECORD_BYTES;
  shape.need.bytes = shape.state_offset + shape.state_bytes + shape.max_tiles * shape.tile * 4;
  return shape;
}

Status check_seed_window(const StackMatchDesc& desc, const StackMatchBuffers& b) {
  const struct {
    const char* name;
    bool given;
  } outputs[] = {{"close_of", b.close_of.address != 0},
                 {"depth", b.depth.address != 0},
                 {"header", b.header.address != 0},
                 {"types", desc.types}};
  for (const auto& output : outputs) {
    if (!output.given) continue;
    return Status::error(
        Status::invalid_argument,
        "stack_match: %s is given, but schedule is seed_window, which has match only", output.name);
  }
  if (b.match.address == 0) {
    return Status::error(
        Status::invalid_argument,
        "stack_match: match.address is 0, must be given with schedule seed_window");
  }
  return {};
}

Status check_symbols(const StackMatchDesc& desc) {
  if (desc.count.max <= kMaxSymbols) return {};
  return Status::error(Status::invalid_argument,
                       "stack_match: count.max is %" PRIu64
                       ", must be 0 … 2^32 - 1 with StackSchedule::seed_window",
                       desc.count.max);
}

Status get_pipeline(DeviceState& state, const StackMatchDesc& desc, const Shape& shape,
                    bool may_compile, VkPipeline& pipeline) {
  Specialization constants{.workgroup_size = shape.tile,
                           .lookback = lookback_constants(state, false)};
  constants.own[VKP_SEED_SPEC_INPUT - VKP_SPEC_FIRST_OWN] = static_cast<std::uint32_t>(desc.input);
  constants.own[VKP_SEED_SPEC_INDEX_WORDS - VKP_SPEC_FIRST_OWN] = size_of(desc.index_width) / 4;
  return state.pipelines.get(state.vk, spirv::stack_match_seed_window, constants, may_compile,
                             pipeline);
}

}  // namespace

ScratchNeed seed_window_scratch(const DeviceState& state, const StackMatchDesc& desc) {
  if (!check_symbols(desc)) return {};
  return shape_of(state, desc).need;
}

Status record_seed_window(VkCommandBuffer cmd, DeviceState& state, const StackMatchDesc& desc,
                          const StackMatchBuffers& buffers) {
  VKPRIMS_TRY(check_symbols(desc));
  VKPRIMS_TRY(check_seed_window(desc, buffers));
  const Shape shape = shape_of(state, desc);
  const std::uint64_t n = desc.count.max;
  const bool bits = desc.input == StackInput::bits;
  const std::uint32_t size = desc.input == StackInput::tags_u8 ? 1 : 4;
  const VkDeviceSize in_bytes = stack_symbol_bytes(desc.input, n);
  const std::uint32_t index_size = size_of(desc.index_width);
  const Argument symbols{"symbols", buffers.symbols, in_bytes, size, false};
  const Argument closes{"closes", buffers.closes, bits ? in_bytes : 0, 4, false};
  const Argument match{"match", buffers.match, n * index_size, index_size, true};
  VKPRIMS_TRY(check_arguments("stack_match", {symbols, closes, match, argument_of(desc.count),
                                              argument_of(buffers.scratch, shape.need)}));
  if (n == 0) return {};

  const bool may_compile = state.info.pipelines == PipelinePolicy::lazy;
  VkPipeline pipeline;
  VKPRIMS_TRY(get_pipeline(state, desc, shape, may_compile, pipeline));
  OldGrid grid;
  VKPRIMS_TRY(make_grid(state, desc.count, shape.tile, buffers.scratch, may_compile, grid));
  Scratch states = buffers.scratch;
  states.offset += shape.state_offset;
  states.address += shape.state_offset;
  const abi::SeedWindowPush push{.symbols = push_u64(buffers.symbols.address),
                                 .closes = push_u64(buffers.closes.address),
                                 .match = push_u64(buffers.match.address),
                                 .scratch = push_u64(states.address),
                                 .count = push_count(desc.count),
                                 .max_tiles = static_cast<std::uint32_t>(shape.max_tiles)};

  CommandStream stream(state, cmd);
  constexpr Independent kOtherMemory{"the size of the grid lies before the states"};
  stream.prepare(grid);
  if (!(state.info.lookback.faults & VKP_SEED_ALONE)) {
    stream.fill(states, 0, shape.state_bytes, 0, &kOtherMemory);
  }
  stream.dispatch(pipeline, push, grid,
                  {reads(desc.count), reads(buffers.symbols.address, symbols.need),
                   reads(buffers.closes.address, closes.need),
                   writes(states.address, shape.need.bytes - shape.state_offset),
                   writes(buffers.match.address, match.need)});
  return {};
}

Status warm_up_seed_window(DeviceState& state, const StackMatchDesc& desc) {
  StackMatchDesc any = desc;
  any.count.max = kMaxSymbols;
  const Shape shape = shape_of(state, any);
  VkPipeline pipeline;
  VKPRIMS_TRY(get_pipeline(state, desc, shape, true, pipeline));
  OldGrid grid;
  return make_grid(state, any.count, shape.tile, {}, true, grid);
}

}  // namespace vkprims
