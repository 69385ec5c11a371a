#include "strings/map.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "push.hpp"
#include "spirv/strings_long_parts.hpp"
#include "spirv/strings_long_results.hpp"
#include "spirv/strings_long_spans.hpp"
#include "strings/long_rows.abi.h"
#include "strings/long_rows.hpp"

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

// Behind the arguments: the table of milestones, two words for each part, one more for the characters before it, and one
// for each entry of a part or span.
VkDeviceSize long_bytes(const MapKernel& kernel, std::uint64_t chars_bytes) {
  if (!kernel.leaves_long) return 0;
  const VkDeviceSize parts = milestones(chars_bytes);
  const VkDeviceSize units = parts + parts / VKP_STRINGS_SPAN_PARTS;
  return long_row_table_bytes(chars_bytes) + (parts + 1) / 2 * 16 + (4 * parts + 15) / 16 * 16 +
         (4 * units * kernel.entries + 15) / 16 * 16;
}

struct Pipelines {
  VkPipeline rows = VK_NULL_HANDLE;
  LongRowsPipeline table;                                      // these, where rows are left
  VkPipeline count = VK_NULL_HANDLE, before = VK_NULL_HANDLE;  // … in a window of them
  VkPipeline parts = VK_NULL_HANDLE, spans = VK_NULL_HANDLE, results = VK_NULL_HANDLE;
};

// (Kernels of long rows ask of columns whatever there is to ask: their time is that of bytes.)
Status get_pipelines(DeviceState& state, const MapKernel& kernel, std::uint32_t plain,
                     bool may_compile, Pipelines& pipelines) {
  const auto get = [&](const Spirv& spirv, std::uint32_t operation, std::uint32_t of_columns,
                       VkPipeline& pipeline) {
    return state.pipelines.get(state.vk, spirv, constants_of(state, operation, of_columns),
                               may_compile, pipeline);
  };
  VKPRIMS_TRY(get(*kernel.spirv, kernel.operation, plain, pipelines.rows));
  if (!kernel.leaves_long) return {};
  VKPRIMS_TRY(get_long_rows(state, may_compile, pipelines.table));
  if (kernel.in_window) {
    VKPRIMS_TRY(get(spirv::strings_long_parts, VKP_STRINGS_LONG_BEFORE, 0, pipelines.count));
    VKPRIMS_TRY(get(spirv::strings_long_results, VKP_STRINGS_LONG_BEFORE, 0, pipelines.before));
  }
  VKPRIMS_TRY(get(spirv::strings_long_parts, kernel.of_long, 0, pipelines.parts));
  if (kernel.entries) {
    VKPRIMS_TRY(get(spirv::strings_long_spans, kernel.of_long, 0, pipelines.spans));
  }
  return get(spirv::strings_long_results, kernel.of_long, 0, pipelines.results);
}

// Workgroups that look at so many milestones or rows: as many as devices have at a time, each for some. (Kernels fold nothing
// into y.)
Grid grid_of(std::uint64_t items, std::uint64_t each) {
  constexpr std::uint64_t kMostGroups = 2048;
  Grid grid;
  grid.groups = std::clamp<std::uint64_t>((items + each - 1) / each, 1, kMostGroups);
  return grid;
}

}  // namespace

ScratchNeed map_scratch(const MapKernel& kernel, std::uint64_t text_bytes,
                        std::uint64_t chars_bytes) {
  const VkDeviceSize bytes = argument_bytes(text_bytes, 0);
  if (bytes > VKP_STRINGS_MOST_ARGUMENT_BYTES) return {};
  return {bytes + long_bytes(kernel, chars_bytes)};
}

Status record_map(VkCommandBuffer cmd, DeviceState& state, const MapKernel& kernel,
                  const Call& call, const MapOut& out, const Scratch& scratch) {
  const std::uint64_t chars_bytes = call.a.view.chars.bytes;
  const VkDeviceSize long_offset = argument_bytes(call);
  const ScratchNeed need{long_offset + long_bytes(kernel, chars_bytes)};
  std::vector<Argument> arguments;
  VKPRIMS_TRY(check_call(call, arguments));
  const VkDeviceSize bits = out.validity.address ? bit_bytes(call.rows) : 0;
  arguments.push_back({"out", out.results, out.bytes, 4, true, "", "the number of rows"});
  arguments.push_back({"validity", out.validity, bits, 4, true, "", "the number of rows"});
  arguments.push_back(argument_of(scratch, need));
  VKPRIMS_TRY(check_arguments(call.primitive, std::span<const Argument>(arguments)));
  Pipelines pipelines;
  const bool may_compile = state.info.pipelines == PipelinePolicy::lazy;
  VKPRIMS_TRY(get_pipelines(state, kernel, plain_columns(call, {.validity = out.validity}),
                            may_compile, pipelines));
  if (call.rows == 0) return {};

  std::vector<std::uint8_t> block = make_arguments(call, {}, scratch.address, 0);
  const VkDeviceAddress table = kernel.leaves_long ? scratch.address + long_offset : 0;
  const abi::VkpU64 long_rows = push_u64(table);
  std::memcpy(block.data() + offsetof(abi::StringsArguments, long_rows), &long_rows,
              sizeof long_rows);
  const abi::StringsPush push{.a = push_strings(call.a.view),
                              .b = push_strings(call.b.view),
                              .out_offsets = push_u64(out.results.address),
                              .out_chars = {},
                              .out_validity = push_u64(out.validity.address),
                              .capacity = long_rows,
                              .scratch = push_u64(scratch.address),
                              .rows = static_cast<abi::uint>(call.rows),
                              .format = 0};
  const std::uint64_t workgroup = constants_of(state, 0, 0).workgroup_size;
  std::vector<Access> accesses = accesses_of(call);
  accesses.insert(accesses.end(),
                  {kernel.leaves_long ? writes(scratch.address, need.bytes)
                                      : reads(scratch.address, need.bytes),
                   writes(out.results.address, out.bytes), writes(out.validity.address, bits)});
  Grid grid;
  const std::uint64_t tile = workgroup * VKP_STRINGS_ROWS;
  grid.groups = (call.rows + tile - 1) / tile;
  CommandStream stream(state, cmd);
  stream.write(scratch, 0, block.data(), block.size());
  if (kernel.leaves_long) {
    static constexpr Independent kOtherMemory{"the table lies behind the arguments"};
    record_long_rows(stream, state, pipelines.table, call.a.view, table, &kOtherMemory);
  }
  stream.dispatch(pipelines.rows, push, grid, std::span<const Access>(accesses));
  if (!kernel.leaves_long) return {};
  // A part is a subgroup's; a row is a workgroup's, also one of which the table knows nothing.
  const std::uint64_t parts = milestones(chars_bytes);
  const Grid of_parts = grid_of(parts, 8);
  const Grid of_rows = grid_of(std::max<std::uint64_t>(parts / 4, call.rows), 4);
  const auto dispatch = [&](VkPipeline pipeline, const Grid& g) {
    if (pipeline) stream.dispatch(pipeline, push, g, std::span<const Access>(accesses));
  };
  dispatch(pipelines.count, of_parts);
  dispatch(pipelines.before, of_rows);
  dispatch(pipelines.parts, of_parts);
  dispatch(pipelines.spans, grid_of(parts / VKP_STRINGS_SPAN_PARTS, 8));
  dispatch(pipelines.results, of_rows);
  return {};
}

Status warm_up_map(DeviceState& state, const MapKernel& kernel) {
  for (const std::uint32_t plain : kPlainColumns) {
    Pipelines pipelines;
    VKPRIMS_TRY(get_pipelines(state, kernel, plain, true, pipelines));
  }
  return {};
}

}  // namespace vkprims::strings
