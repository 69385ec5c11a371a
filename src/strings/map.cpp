#include "strings/map.hpp"

#include <algorithm>

#include "runtime/push.hpp"

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

struct Pipelines {
  VkPipeline rows = VK_NULL_HANDLE;
  LongPipelines of_long;
};

Status get_pipelines(DeviceState& state, const MapKernel& kernel, std::uint32_t plain,
                     bool has_long_rows, bool may_compile, Pipelines& pipelines) {
  VKPRIMS_TRY(state.pipelines.get(state.vk, *kernel.spirv,
                                  constants_of(state, kernel.operation, plain), may_compile,
                                  pipelines.rows));
  if (!has_long_rows) return {};
  return get_long_pipelines(state, kernel.long_kernels, kernel.of_long, may_compile,
                            pipelines.of_long);
}

}  // namespace

ScratchNeed map_scratch(const MapKernel& kernel, std::uint64_t text_bytes,
                        std::uint64_t chars_bytes, std::uint64_t longest_row_bytes) {
  const VkDeviceSize bytes = argument_bytes(text_bytes, 0);
  if (bytes > VKP_STRINGS_MOST_ARGUMENT_BYTES) return {};
  const LongRowTables tables(kernel.long_kernels, chars_bytes, longest_row_bytes);
  return {bytes + tables.zero_bytes() + tables.other_bytes()};
}

Status record_map(VkCommandBuffer cmd, DeviceState& state, const MapKernel& kernel,
                  const Call& call, const MapOut& out, const Scratch& scratch) {
  const LongRowTables tables(kernel.long_kernels, call.a.view.chars.bytes, call.longest_row_bytes);
  const VkDeviceSize zero_offset = argument_bytes(call);
  const VkDeviceSize other_offset = zero_offset + tables.zero_bytes();
  const ScratchNeed need{other_offset + tables.other_bytes()};
  std::vector<Argument> arguments;
  VKPRIMS_TRY(check_call(call, arguments));
  const VkDeviceSize bits = out.validity.address ? bit_bytes(call.rows) : 0;
  arguments.push_back({"out", out.results, out.bytes, 4, true, "", "the number of rows"});
  arguments.push_back({"validity", out.validity, bits, 4, true, "", "the number of rows"});
  arguments.push_back(argument_of(scratch, need));
  VKPRIMS_TRY(check_arguments(call.primitive, std::span<const Argument>(arguments)));
  Pipelines pipelines;
  const bool may_compile = state.info.pipelines == PipelinePolicy::lazy;
  VKPRIMS_TRY(get_pipelines(state, kernel,
                            plain_columns(call, {.validity = out.validity}, !tables.empty()),
                            !tables.empty(), may_compile, pipelines));
  if (call.rows == 0) return {};

  const std::vector<std::uint8_t> block =
      make_arguments(call, {}, scratch.address, 0,
                     tables.at(scratch.address + zero_offset, scratch.address + other_offset));
  const abi::VkpStringsPush push{.a = push_strings(call.a.view),
                              .b = push_strings(call.b.view),
                              .out_offsets = push_u64(out.results.address),
                              .out_chars = {},
                              .out_validity = push_u64(out.validity.address),
                              .capacity = {},
                              .scratch = push_u64(scratch.address),
                              .rows = static_cast<abi::uint>(call.rows),
                              .format = 0};
  const std::uint64_t workgroup = constants_of(state, 0, 0).workgroup_size;
  std::vector<Access> accesses = accesses_of(call);
  accesses.insert(
      accesses.end(),
      {tables.empty() ? reads(scratch.address, need.bytes) : writes(scratch.address, need.bytes),
       writes(out.results.address, out.bytes), writes(out.validity.address, bits)});
  OldGrid grid;
  const std::uint64_t tile = workgroup * VKP_STRINGS_ROWS;
  grid.groups = (call.rows + tile - 1) / tile;
  CommandStream stream(state, cmd);
  const auto dispatch = [&](VkPipeline pipeline, const OldGrid& groups) {
    if (pipeline) stream.dispatch(pipeline, push, groups, std::span<const Access>(accesses));
  };
  stream.write(scratch, 0, block.data(), block.size());
  if (!tables.empty()) {
    static constexpr Independent kOtherMemory{"the tables lie behind the arguments"};
    stream.fill(scratch, zero_offset, tables.zero_bytes(), 0, &kOtherMemory);
    dispatch(pipelines.of_long.list, LongRowTables::list_grid(state, call.rows));
    dispatch(pipelines.of_long.sums, tables.units_grid());
  }
  dispatch(pipelines.rows, grid);
  if (!tables.empty()) dispatch(pipelines.of_long.rows, tables.units_grid());
  return {};
}

Status warm_up_map(DeviceState& state, const MapKernel& kernel) {
  for (const std::uint32_t plain : kPlainColumns) {
    Pipelines pipelines;
    VKPRIMS_TRY(
        get_pipelines(state, kernel, plain, kernel.long_kernels.rows != nullptr, true, pipelines));
  }
  return {};
}

}  // namespace vkprims::strings
