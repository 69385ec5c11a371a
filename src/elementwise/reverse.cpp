// The host side of the primitive reverse.
#include "vkprims/reverse.hpp"

#include <array>

#include "blocks/tile.hpp"
#include "elementwise/reverse/reverse.abi.h"
#include "runtime/push.hpp"
#include "spirv/reverse.hpp"
#include "spirv/reverse_in_place.hpp"

namespace vkprims {
namespace {

Status check_desc(const ReverseDesc& desc) {
  VKPRIMS_TRY(check_element_bytes("reverse", desc.element_bytes));
  return check_count("reverse", desc.count);
}

// Elements for each workgroup; the first row of an unaligned output is used in part. In place, a
// workgroup has a tile in both halves.
Grid grid_of(const Tuning& tuning, const ReverseDesc& desc, bool in_place,
             const Scratch& scratch = {}) {
  const std::uint64_t bytes = (tile_bytes(tuning) - 16) * (in_place ? 2 : 1);
  return {desc.count, bytes / desc.element_bytes, scratch};
}

// The grid is larger, and so more often indirect, if the reversal is not in place.
ScratchNeed need_of(const DeviceState& state, const ReverseDesc& desc) {
  return grid_need(grid_of(state.tuning, desc, false));
}

std::array<Operand, 4> operands_of(const DeviceState& state, const ReverseDesc& desc,
                                   const ReverseBuffers& buffers) {
  const std::uint32_t size = desc.element_bytes;
  const VkDeviceSize bytes = desc.count.max * size;
  return {{{"in", buffers.in, bytes, size, false},
           in_place_of("in", {"out", buffers.out, bytes, size, true}),
           operand_of(desc.count),
           operand_of(buffers.scratch, need_of(state, desc))}};
}

// Adds the commands of a call whose descriptor and buffers have been checked.
Status add_reverse(Commands& commands, const ReverseDesc& desc, const ReverseBuffers& buffers) {
  if (desc.count.max == 0) return {};
  const Tuning& tuning = commands.tuning();
  const auto [in, out, count, scratch] = operands_of(commands.state(), desc, buffers);
  const bool in_place = is_in_place(in, out);
  const abi::ReversePush push{.in_base = push_u64(in),
                              .out_base = push_u64(out),
                              .count = push_count(desc.count),
                              .element_bytes = desc.element_bytes};
  return commands.dispatch(in_place ? spirv::reverse_in_place : spirv::reverse,
                           tile_specialization(tuning, 4), push,
                           grid_of(tuning, desc, in_place, buffers.scratch), {count, in, out});
}

}  // namespace

ScratchNeed reverse_scratch(const Device& device, const ReverseDesc& desc) {
  if (!device || !check_desc(desc)) return {};
  return need_of(*device.state(), desc);
}

Status record_reverse(VkCommandBuffer cmd, const Device& device, const ReverseDesc& desc,
                      const ReverseBuffers& buffers) {
  return record_call("reverse", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(desc));
    VKPRIMS_TRY(check_operands("reverse", operands_of(commands.state(), desc, buffers)));
    return add_reverse(commands, desc, buffers);
  });
}

Status warm_up(const Device& device, const ReverseDesc& desc) {
  return warm_up_call("reverse", device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(desc));
    ReverseDesc any = desc;
    any.count.max = kMaxCount;
    VKPRIMS_TRY(add_reverse(commands, any, {.in = {16}, .out = {32}}));
    return add_reverse(commands, any, {.in = {16}, .out = {16}});
  });
}

}  // namespace vkprims
