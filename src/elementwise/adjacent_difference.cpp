// The host side of the primitive adjacent_difference.
#include "vkprims/adjacent_difference.hpp"

#include <array>

#include "elementwise/adjacent_difference/adjacent_difference.abi.h"
#include "elementwise/map.hpp"
#include "runtime/push.hpp"
#include "spirv/adjacent_difference.hpp"

namespace vkprims {
namespace {

constexpr const char* kName = "adjacent_difference";

Status check_desc(const DeviceState& state, const AdjacentDifferenceDesc& desc) {
  VKPRIMS_TRY(check_type(kName, state, desc.type));
  if (desc.op > MapOp::shift_right) {
    return Status::error(Status::invalid_argument,
                         "%s: op is %s (%u), must be a MapOp from add (0) to shift_right (10)",
                         kName, name_of(desc.op), static_cast<unsigned>(desc.op));
  }
  VKPRIMS_TRY(check_map_op(kName, desc.type, desc.op));
  VKPRIMS_TRY(check_enum(kName, "neighbour", desc.neighbour, Neighbour::right));
  return check_count(kName, desc.count);
}

MapCell cell_of(const AdjacentDifferenceDesc& desc) {
  return {size_of(desc.type), size_of(desc.type)};
}

std::array<Operand, 4> operands_of(const DeviceState& state, const AdjacentDifferenceDesc& desc,
                                   const AdjacentDifferenceBuffers& buffers) {
  const std::uint32_t size = size_of(desc.type);
  const VkDeviceSize bytes = desc.count.max * size;
  return {{{"in", buffers.in, bytes, size, false},
           {"out", buffers.out, bytes, size, true},
           operand_of(desc.count),
           operand_of(buffers.scratch, grid_need(cell_of(desc).grid(state.tuning, desc.count)))}};
}

Status add_adjacent_difference(Commands& commands, const AdjacentDifferenceDesc& desc,
                               const AdjacentDifferenceBuffers& buffers) {
  if (desc.count.max == 0) return {};
  const Tuning& tuning = commands.tuning();
  const MapCell cell = cell_of(desc);
  const auto [in, out, count, scratch] = operands_of(commands.state(), desc, buffers);
  Specialization constants =
      tile_specialization(tuning, cell.aligned(in.address(), out.address()) ? 4 : 1);
  constants.op = static_cast<std::uint32_t>(desc.op);
  constants.set(VKP_ADJACENT_DIFFERENCE_SPEC_RIGHT, desc.neighbour == Neighbour::right);
  const abi::AdjacentDifferencePush push{
      .in_base = push_u64(in), .out_base = push_u64(out), .count = push_count(desc.count)};
  return commands.dispatch(spirv::adjacent_difference(static_cast<std::uint32_t>(desc.type)),
                           constants, push, cell.grid(tuning, desc.count, buffers.scratch),
                           {count, in, out});
}

}  // namespace

ScratchNeed adjacent_difference_scratch(const Device& device, const AdjacentDifferenceDesc& desc) {
  if (!device || !check_desc(*device.state(), desc)) return {};
  return grid_need(cell_of(desc).grid(device.state()->tuning, desc.count));
}

Status record_adjacent_difference(VkCommandBuffer cmd, const Device& device,
                                  const AdjacentDifferenceDesc& desc,
                                  const AdjacentDifferenceBuffers& buffers) {
  return record_call(kName, cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(commands.state(), desc));
    VKPRIMS_TRY(check_operands(kName, operands_of(commands.state(), desc, buffers)));
    return add_adjacent_difference(commands, desc, buffers);
  });
}

Status warm_up(const Device& device, const AdjacentDifferenceDesc& desc) {
  return warm_up_call(kName, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(commands.state(), desc));
    AdjacentDifferenceDesc any = desc;
    any.count.max = kMaxCount;
    const VkDeviceAddress aligned = 1 << 20, unaligned = aligned + size_of(desc.type);
    for (const VkDeviceAddress in : {aligned, unaligned}) {
      VKPRIMS_TRY(add_adjacent_difference(commands, any, {.in = {in}, .out = {aligned}}));
    }
    return Status();
  });
}

}  // namespace vkprims
