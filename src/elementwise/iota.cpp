// The host side of the primitive iota.
#include "vkprims/iota.hpp"

#include <array>

#include "blocks/operators.hpp"
#include "blocks/tile.hpp"
#include "elementwise/iota/iota.abi.h"
#include "runtime/push.hpp"
#include "spirv/iota.hpp"

namespace vkprims {
namespace {

Status check_desc(const DeviceState& state, const IotaDesc& desc) {
  VKPRIMS_TRY(check_type("iota", state, desc.type));
  VKPRIMS_TRY(check_count("iota", desc.count));
  VKPRIMS_TRY(check_value("iota", "start", desc.start, desc.type));
  return check_value("iota", "step", desc.step, desc.type);
}

Grid grid_of(const Tuning& tuning, const IotaDesc& desc, const Scratch& scratch = {}) {
  // The first row of an unaligned output is used in part.
  return {desc.count, (tile_bytes(tuning) - 16) / size_of(desc.type), scratch};
}

std::array<Operand, 5> operands_of(const DeviceState& state, const IotaDesc& desc,
                                   const IotaBuffers& buffers) {
  const std::uint32_t size = size_of(desc.type);
  return {{{"out", buffers.out, desc.count.max * size, size, true},
           operand_of(desc.count),
           operand_of("start", desc.start, size),
           operand_of("step", desc.step, size),
           operand_of(buffers.scratch, grid_need(grid_of(state.tuning, desc)))}};
}

Status add_iota(Commands& commands, const IotaDesc& desc, const IotaBuffers& buffers) {
  if (desc.count.max == 0) return {};
  const auto [out, count, start, step, scratch] = operands_of(commands.state(), desc, buffers);
  const abi::IotaPush push{.out_base = push_u64(out),
                           .count = push_count(desc.count),
                           .start = push_value(desc.start, desc.type),
                           .step = push_value(desc.step, desc.type, 1)};
  const Tuning& tuning = commands.tuning();
  return commands.dispatch(spirv::iota(fold_type(desc.type)), tile_specialization(tuning, 4), push,
                           grid_of(tuning, desc, buffers.scratch), {count, start, step, out});
}

}  // namespace

ScratchNeed iota_scratch(const Device& device, const IotaDesc& desc) {
  if (!device || !check_desc(*device.state(), desc)) return {};
  return grid_need(grid_of(device.state()->tuning, desc));
}

Status record_iota(VkCommandBuffer cmd, const Device& device, const IotaDesc& desc,
                   const IotaBuffers& buffers) {
  return record_call("iota", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(commands.state(), desc));
    VKPRIMS_TRY(check_operands("iota", operands_of(commands.state(), desc, buffers)));
    return add_iota(commands, desc, buffers);
  });
}

Status warm_up(const Device& device, const IotaDesc& desc) {
  return warm_up_call("iota", device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(commands.state(), desc));
    IotaDesc any = desc;
    any.count.max = kMaxCount;
    return add_iota(commands, any, {});
  });
}

}  // namespace vkprims
