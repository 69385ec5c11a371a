// The host side of the primitive fill.
#include "elementwise/fill.hpp"

#include <array>
#include <cstring>

#include "blocks/tile.hpp"
#include "elementwise/fill/fill.abi.h"
#include "runtime/push.hpp"
#include "spirv/fill.hpp"

namespace vkprims {
namespace {

Status check_desc(const FillDesc& desc) {
  VKPRIMS_TRY(check_element_bytes("fill", desc.element_bytes));
  VKPRIMS_TRY(check_count("fill", desc.count));
  VKPRIMS_TRY(check_kind("fill", desc.kind, desc.element_bytes));
  return check_value("fill", "value", desc.value, desc.kind, desc.element_bytes);
}

Grid grid_of(const Tuning& tuning, const FillDesc& desc, const Scratch& scratch = {}) {
  // The first row of an unaligned output is used in part.
  return {desc.count, (tile_bytes(tuning) - 16) / desc.element_bytes, scratch};
}

std::array<Operand, 4> operands_of(const DeviceState& state, const FillDesc& desc,
                                   const FillBuffers& buffers) {
  const std::uint32_t size = desc.element_bytes;
  return {{{"out", buffers.out, desc.count.max * size, size, true},
           operand_of(desc.count),
           operand_of("value", desc.value, size),
           operand_of(buffers.scratch, grid_need(grid_of(state.tuning, desc)))}};
}

}  // namespace

ScratchNeed fill_scratch(const Device& device, const FillDesc& desc) {
  if (!device || !check_desc(desc)) return {};
  return grid_need(grid_of(device.state()->tuning, desc));
}

Status add_fill(Commands& commands, const FillDesc& desc, const FillBuffers& buffers) {
  if (desc.count.max == 0) return {};
  const auto [out, count, value, scratch] = operands_of(commands.state(), desc, buffers);
  abi::FillPush push{.out_base = push_u64(out),
                     .count = push_count(desc.count),
                     .element_bytes = desc.element_bytes,
                     .value_address = push_u64(value),
                     .value = {}};
  const Value element = element_value(desc.value, desc.kind, desc.element_bytes);
  for (std::uint32_t at = 0; at < 16; at += desc.element_bytes) {
    std::memcpy(reinterpret_cast<char*>(push.value) + at, element.words, desc.element_bytes);
  }
  const Tuning& tuning = commands.tuning();
  return commands.dispatch(spirv::fill, tile_specialization(tuning, 4), push,
                           grid_of(tuning, desc, buffers.scratch), {count, value, out});
}

Status record_fill(VkCommandBuffer cmd, const Device& device, const FillDesc& desc,
                   const FillBuffers& buffers) {
  return record_call("fill", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(desc));
    VKPRIMS_TRY(check_operands("fill", operands_of(commands.state(), desc, buffers)));
    return add_fill(commands, desc, buffers);
  });
}

Status warm_up(const Device& device, const FillDesc& desc) {
  return warm_up_call("fill", device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(desc));
    FillDesc any = desc;
    any.count.max = kMaxCount;
    return add_fill(commands, any, {});
  });
}

}  // namespace vkprims
