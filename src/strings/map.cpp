#include "strings/map.hpp"

#include <algorithm>

#include "push.hpp"

namespace vkprims::strings {
namespace {

Specialization constants_of(const DeviceState& state, std::uint32_t operation,
                            std::uint32_t plain) {
  Specialization constants{.workgroup_size = std::min<std::uint32_t>(state.tuning.workgroup_size,
                                                                     VKP_STRINGS_WORKGROUP)};
  constants.own[VKP_STRINGS_SPEC_OP - VKP_SPEC_FIRST_OWN] = operation;
  constants.own[VKP_STRINGS_SPEC_PLAIN - VKP_SPEC_FIRST_OWN] = plain;
  return constants;
}

}  // namespace

ScratchNeed map_scratch(std::uint64_t text_bytes) {
  const VkDeviceSize bytes = argument_bytes(text_bytes, 0);
  return {bytes > VKP_STRINGS_MOST_ARGUMENT_BYTES ? 0 : bytes};
}

Status record_map(VkCommandBuffer cmd, DeviceState& state, const Spirv& kernel, const Call& call,
                  const MapOut& out, const Scratch& scratch, std::uint32_t operation) {
  const ScratchNeed need{argument_bytes(call)};
  std::vector<Argument> arguments;
  VKPRIMS_TRY(check_call(call, arguments));
  const VkDeviceSize bits = out.validity.address ? bit_bytes(call.rows) : 0;
  arguments.push_back({"out", out.results, out.bytes, 4, true, "", "the number of rows"});
  arguments.push_back({"validity", out.validity, bits, 4, true, "", "the number of rows"});
  arguments.push_back(argument_of(scratch, need));
  VKPRIMS_TRY(check_arguments(call.primitive, std::span<const Argument>(arguments)));
  VkPipeline pipeline;
  const Specialization constants =
      constants_of(state, operation, plain_columns(call, {.validity = out.validity}));
  const bool may_compile = state.info.pipelines == PipelinePolicy::lazy;
  VKPRIMS_TRY(state.pipelines.get(state.vk, kernel, constants, may_compile, pipeline));
  if (call.rows == 0) return {};

  const std::vector<std::uint8_t> block = make_arguments(call, {}, scratch.address, 0);
  const abi::StringsPush push{.a = push_strings(call.a.view),
                              .b = push_strings(call.b.view),
                              .out_offsets = push_u64(out.results.address),
                              .out_chars = {},
                              .out_validity = push_u64(out.validity.address),
                              .capacity = {},
                              .scratch = push_u64(scratch.address),
                              .rows = static_cast<abi::uint>(call.rows),
                              .format = 0};
  std::vector<Access> accesses = accesses_of(call);
  accesses.insert(accesses.end(),
                  {reads(scratch.address, need.bytes), writes(out.results.address, out.bytes),
                   writes(out.validity.address, bits)});
  Grid grid;
  const std::uint64_t tile = std::uint64_t{constants.workgroup_size} * VKP_STRINGS_ROWS;
  grid.groups = (call.rows + tile - 1) / tile;
  CommandStream stream(state, cmd);
  stream.write(scratch, 0, block.data(), block.size());
  stream.dispatch(pipeline, push, grid, std::span<const Access>(accesses));
  return {};
}

Status warm_up_map(DeviceState& state, const Spirv& kernel, std::uint32_t operation) {
  for (const std::uint32_t plain : kPlainColumns) {
    VkPipeline pipeline;
    const Specialization constants = constants_of(state, operation, plain);
    VKPRIMS_TRY(state.pipelines.get(state.vk, kernel, constants, true, pipeline));
  }
  return {};
}

}  // namespace vkprims::strings
