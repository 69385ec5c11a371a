// The host side of the primitive copy.
#include "elementwise/copy.hpp"

#include <array>

#include "blocks/tile.hpp"
#include "elementwise/copy/copy.abi.h"
#include "runtime/push.hpp"
#include "spirv/copy.hpp"

namespace vkprims {
namespace {

// The ways to move words, the best first.
enum class Path { rows, words, bytes };

Path path_for(VkDeviceAddress in, VkDeviceAddress out) {
  if ((in | out) % 16 == 0) return Path::rows;
  return (in | out) % 4 == 0 ? Path::words : Path::bytes;
}

Status check_desc(const CopyDesc& desc) {
  VKPRIMS_TRY(check_element_bytes("copy", desc.element_bytes));
  return check_count("copy", desc.count);
}

Grid grid_of(const Tuning& tuning, const CopyDesc& desc, const Scratch& scratch = {}) {
  // The first word of an unaligned output is used in part.
  const std::uint64_t bytes = tile_bytes(tuning) - (desc.element_bytes < 4 ? 4 : 0);
  return {desc.count, bytes / desc.element_bytes, scratch};
}

std::array<Operand, 4> operands_of(const DeviceState& state, const CopyDesc& desc,
                                   const CopyBuffers& buffers) {
  const std::uint32_t size = desc.element_bytes;
  const VkDeviceSize bytes = desc.count.max * size;
  return {{{"in", buffers.in, bytes, size, false},
           {"out", buffers.out, bytes, size, true},
           operand_of(desc.count),
           operand_of(buffers.scratch, copy_need(state, desc))}};
}

}  // namespace

ScratchNeed copy_need(const DeviceState& state, const CopyDesc& desc) {
  return grid_need(grid_of(state.tuning, desc));
}

ScratchNeed copy_scratch(const Device& device, const CopyDesc& desc) {
  if (!device || !check_desc(desc)) return {};
  return copy_need(*device.state(), desc);
}

Status add_copy(Commands& commands, const CopyDesc& desc, const CopyBuffers& buffers) {
  if (desc.count.max == 0) return {};
  const Tuning& tuning = commands.tuning();
  const auto [in, out, count, scratch] = operands_of(commands.state(), desc, buffers);
  const Path path = path_for(in.address(), out.address());
  Specialization constants = tile_specialization(tuning, path == Path::rows ? 4 : 1);
  constants.set(VKP_COPY_SPEC_ALIGNED, path != Path::bytes);
  const abi::CopyPush push{.in_base = push_u64(in),
                           .out_base = push_u64(out),
                           .count = push_count(desc.count),
                           .element_bytes = desc.element_bytes};
  return commands.dispatch(spirv::copy, constants, push, grid_of(tuning, desc, buffers.scratch),
                           {count, in, out});
}

Status warm_up_copy(Commands& commands, const CopyDesc& desc) {
  CopyDesc any = desc;
  any.count.max = kMaxCount;
  for (const VkDeviceAddress address : {16, 4, 1}) {
    if (address % 4 && desc.element_bytes >= 4) continue;
    VKPRIMS_TRY(add_copy(commands, any, {.in = {address}, .out = {address}}));
  }
  return {};
}

Status record_copy(VkCommandBuffer cmd, const Device& device, const CopyDesc& desc,
                   const CopyBuffers& buffers) {
  return record_call("copy", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(desc));
    VKPRIMS_TRY(check_operands("copy", operands_of(commands.state(), desc, buffers)));
    return add_copy(commands, desc, buffers);
  });
}

Status warm_up(const Device& device, const CopyDesc& desc) {
  return warm_up_call("copy", device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(desc));
    return warm_up_copy(commands, desc);
  });
}

}  // namespace vkprims
