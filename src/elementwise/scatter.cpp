// The host side of the primitive scatter.
#include "vkprims/scatter.hpp"

#include <array>

#include "blocks/indexed.hpp"
#include "elementwise/scatter/scatter.abi.h"
#include "runtime/push.hpp"
#include "spirv/scatter.hpp"

namespace vkprims {
namespace {

constexpr const char* kModes[] = {"assign", "add", "min", "max"};

std::uint32_t element_size(const ScatterDesc& desc) {
  return desc.mode == ScatterMode::assign ? desc.element_bytes : size_of(desc.type);
}

// The variant of the shader that a descriptor takes.
enum class Atomics { word32, word64, float64 };

Atomics atomics_of(const DeviceState& state, const ScatterDesc& desc) {
  if (desc.mode == ScatterMode::assign || size_of(desc.type) == 4) return Atomics::word32;
  if (desc.mode != ScatterMode::add) return Atomics::word64;
  if (desc.type == Type::f64) return Atomics::float64;
  const Features& has = state.info.enabled;
  return has.int64 && has.int64_atomics ? Atomics::word64 : Atomics::word32;
}

Status check_features(const DeviceState& state, const ScatterDesc& desc) {
  const Atomics atomics = atomics_of(state, desc);
  if (atomics == Atomics::word32) return {};
  const Features& has = state.info.enabled;
  const char* lacks = nullptr;
  if (!has.int64_atomics) lacks = "int64_atomics (shaderBufferInt64Atomics)";
  if (!has.int64) lacks = "int64 (shaderInt64)";
  if (atomics == Atomics::float64 && !has.float64) lacks = "float64 (shaderFloat64)";
  if (!lacks) return {};
  return Status::error(Status::unsupported,
                       "scatter: mode is %s of type %s, but the device was created without %s",
                       kModes[static_cast<std::uint32_t>(desc.mode)], name_of(desc.type), lacks);
}

Status check_desc(const DeviceState& state, const ScatterDesc& desc) {
  VKPRIMS_TRY(check_enum("scatter", "mode", desc.mode, ScatterMode::max));
  VKPRIMS_TRY(check_type("scatter", desc.type));
  VKPRIMS_TRY(check_element_bytes("scatter", element_size(desc)));
  VKPRIMS_TRY(check_features(state, desc));
  return check_indexed("scatter", desc, "out_count", desc.out_count);
}

Grid grid_of(const Tuning& tuning, const ScatterDesc& desc, const Scratch& scratch = {}) {
  return indexed_grid(tuning, element_size(desc), desc.count, scratch);
}

std::array<Operand, 6> operands_of(const DeviceState& state, const ScatterDesc& desc,
                                   const ScatterBuffers& buffers) {
  const std::uint32_t size = element_size(desc), index_size = size_of(desc.index_width);
  const std::uint64_t n = desc.count.max;
  return {{{"in", buffers.in, n * size, size, false},
           {"indices", buffers.indices, n * index_size, index_size, false},
           {"out", buffers.out, desc.out_count * size, size, true, "", "out_count"},
           operand_of_report(buffers.report),
           operand_of(desc.count),
           operand_of(buffers.scratch, grid_need(grid_of(state.tuning, desc)))}};
}

Status add_scatter(Commands& commands, const ScatterDesc& desc, const ScatterBuffers& buffers) {
  if (desc.count.max == 0) return {};
  const auto [in, indices, out, report, count, scratch] =
      operands_of(commands.state(), desc, buffers);
  const OutOfRange policy =
      desc.out_of_range == OutOfRange::fill ? OutOfRange::skip : desc.out_of_range;
  Specialization constants =
      indexed_specialization(commands.tuning(), element_size(desc), desc.index_width, policy,
                             in.address(), indices.address());
  constants.op = static_cast<std::uint32_t>(desc.mode);
  if (desc.mode != ScatterMode::assign) {
    constants.set(VKP_SCATTER_SPEC_TYPE, static_cast<std::uint32_t>(desc.type));
  }
  const abi::ScatterPush push{.in_base = push_u64(in),
                              .index_base = push_u64(indices),
                              .out_base = push_u64(out),
                              .report = push_u64(report),
                              .count = push_count(desc.count),
                              .out_count = push_u64(desc.out_count)};
  return commands.dispatch(
      spirv::scatter(static_cast<std::size_t>(atomics_of(commands.state(), desc))), constants, push,
      grid_of(commands.tuning(), desc, buffers.scratch), {count, in, indices, out, report});
}

}  // namespace

ScratchNeed scatter_scratch(const Device& device, const ScatterDesc& desc) {
  if (!device || !check_desc(*device.state(), desc)) return {};
  return grid_need(grid_of(device.state()->tuning, desc));
}

Status record_scatter(VkCommandBuffer cmd, const Device& device, const ScatterDesc& desc,
                      const ScatterBuffers& buffers) {
  return record_call("scatter", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(commands.state(), desc));
    VKPRIMS_TRY(check_report("scatter", buffers.report, desc.out_of_range));
    VKPRIMS_TRY(check_operands("scatter", operands_of(commands.state(), desc, buffers)));
    return add_scatter(commands, desc, buffers);
  });
}

Status warm_up(const Device& device, const ScatterDesc& desc) {
  return warm_up_call("scatter", device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(commands.state(), desc));
    ScatterDesc any = desc;
    any.count.max = kMaxCount;
    // Units are aligned at the first of these addresses and not at the second, if they can be that.
    for (const std::uint32_t in : {0u, element_size(desc)}) {
      VKPRIMS_TRY(add_scatter(commands, any, {.in = {in}}));
    }
    return Status();
  });
}

}  // namespace vkprims
