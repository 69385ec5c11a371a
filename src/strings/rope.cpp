#include "strings/rope.hpp"

#include <algorithm>
#include <cinttypes>

#include "lookback.hpp"
#include "push.hpp"

namespace vkprims::strings {
namespace {

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return a / b + (a % b != 0); }

std::uint32_t workgroup_size(const DeviceState& state) {
  return std::min<std::uint32_t>(state.tuning.workgroup_size, VKP_STRINGS_WORKGROUP);
}

// Rows of a tile, of up to so many pieces each.
std::uint64_t tile_rows(const DeviceState& state, std::uint64_t pieces) {
  const std::uint64_t room = std::uint64_t{workgroup_size(state)} * VKP_STRINGS_PIECES;
  return std::max<std::uint64_t>(room / pieces, 1);
}

std::uint64_t pieces_of(const RopeKernel& kernel, std::uint64_t columns) {
  return kernel.pieces ? kernel.pieces : std::max<std::uint64_t>(2 * columns, 2) - 1;
}

std::uint64_t tiles_of(const DeviceState& state, std::uint64_t rows, std::uint64_t pieces) {
  return ceil_div(rows, tile_rows(state, pieces));
}

struct Pipelines {
  VkPipeline first = VK_NULL_HANDLE, second = VK_NULL_HANDLE;  // second: of multi_pass
};

Status get_pipelines(DeviceState& state, const RopeKernel& kernel, Schedule schedule,
                     std::uint32_t operation, bool may_compile, Pipelines& pipelines) {
  Specialization constants{.workgroup_size = workgroup_size(state)};
  constants.own[VKP_STRINGS_SPEC_OP - VKP_SPEC_FIRST_OWN] = operation;
  const auto get = [&](const Spirv* spirv, VkPipeline& pipeline) {
    return state.pipelines.get(state.vk, *spirv, constants, may_compile, pipeline);
  };
  if (schedule == Schedule::multi_pass) {
    VKPRIMS_TRY(get(kernel.sizes, pipelines.first));
    return get(kernel.write, pipelines.second);
  }
  constants.lookback = lookback_constants(state, false);
  return get(lookback_is_wide(state) ? kernel.single64 : kernel.single32, pipelines.first);
}

// The call first: what scratch it needs means little where its rows are too many.
Status check_rope(const Call& call, const StringColumnOut& out, const BufferView& report,
                  const Scratch& scratch, const ScratchNeed& need) {
  const char* name = call.primitive;
  VKPRIMS_TRY(check_enum(name, "schedule", call.schedule, Schedule::multi_pass));
  VKPRIMS_TRY(check_enum(name, "out.offset_width", out.offset_width, IndexWidth::u64));
  std::vector<Argument> arguments;
  VKPRIMS_TRY(check_call(call, arguments));
  VKPRIMS_TRY(check_scratch(name, need, scratch));
  const std::uint32_t width = size_of(out.offset_width);
  arguments.push_back({"out.offsets", out.offsets, (call.rows + 1) * width, width, true});
  arguments.push_back({"out.chars", out.chars, out.chars.bytes, 1, true});
  const VkDeviceSize bits = out.validity.address ? bit_bytes(call.rows) : 0;
  arguments.push_back({"out.validity", out.validity, bits, 4, true});
  arguments.push_back({"report", report, report.address ? sizeof(DeviceReport) : 0, 8, true});
  arguments.push_back(argument_of(scratch, need));
  return check_arguments(name, std::span<const Argument>(arguments));
}

}  // namespace

ScratchNeed rope_scratch(const DeviceState& state, const RopeKernel& kernel, std::uint64_t rows,
                         std::uint64_t text_bytes, std::uint64_t columns) {
  const VkDeviceSize arguments = argument_bytes(text_bytes, columns);
  if (arguments > VKP_STRINGS_MOST_ARGUMENT_BYTES) return {};
  const std::uint64_t tiles = tiles_of(state, rows, pieces_of(kernel, columns));
  return {arguments + lookback_bytes(tiles, 2)};
}

Status record_rope(VkCommandBuffer cmd, DeviceState& state, const RopeKernel& kernel,
                   const Call& call, const StringColumnOut& out, const BufferView& report,
                   const Scratch& scratch, std::uint32_t operation) {
  const std::uint64_t pieces = pieces_of(kernel, call.columns.size());
  const std::uint64_t most_pieces = std::uint64_t{workgroup_size(state)} * VKP_STRINGS_PIECES;
  if (pieces > most_pieces) {
    return Status::error(Status::invalid_argument,
                         "%s: there are %zu columns, at most %" PRIu64 " are allowed",
                         call.primitive, call.columns.size(), most_pieces / 2);
  }
  const std::uint64_t tiles = tiles_of(state, call.rows, pieces);
  const VkDeviceSize state_offset = argument_bytes(call);
  const ScratchNeed need{state_offset + lookback_bytes(tiles, 2)};
  VKPRIMS_TRY(check_rope(call, out, report, scratch, need));
  Pipelines pipelines;
  const bool may_compile = state.info.pipelines == PipelinePolicy::lazy;
  VKPRIMS_TRY(get_pipelines(state, kernel, call.schedule, operation, may_compile, pipelines));

  const std::vector<std::uint8_t> arguments =
      make_arguments(call, report, scratch.address, scratch.address + state_offset);
  const VkDeviceSize capacity = out.offset_width == IndexWidth::u64
                                    ? out.chars.bytes
                                    : std::min<VkDeviceSize>(out.chars.bytes, kMaxStringBytes);
  const abi::StringsPush push{.a = push_strings(call.a.view),
                              .b = push_strings(call.b.view),
                              .out_offsets = push_u64(out.offsets.address),
                              .out_chars = push_u64(out.chars.address),
                              .out_validity = push_u64(out.validity.address),
                              .capacity = push_u64(capacity),
                              .scratch = push_u64(scratch.address),
                              .rows = static_cast<abi::uint>(call.rows),
                              .format = static_cast<abi::uint>(
                                  tile_rows(state, pieces) << VKP_STRINGS_TILE_ROWS_SHIFT |
                                  (out.offset_width == IndexWidth::u64 ? VKP_STRINGS_WIDE : 0))};
  std::vector<Access> accesses = accesses_of(call);
  const VkDeviceSize offset_bytes = (call.rows + 1) * size_of(out.offset_width);
  accesses.insert(
      accesses.end(),
      {writes(out.offsets.address, offset_bytes), writes(out.chars.address, out.chars.bytes),
       writes(out.validity.address, out.validity.address ? bit_bytes(call.rows) : 0),
       writes(report.address, report.address ? sizeof(DeviceReport) : 0),
       writes(scratch.address, need.bytes)});
  Grid grid;
  grid.groups = std::max<std::uint64_t>(tiles, 1);
  CommandStream stream(state, cmd, call.primitive);
  constexpr Independent kOtherMemory{"the state of the tiles lies behind the arguments"};
  stream.write(scratch, 0, arguments.data(), arguments.size());
  stream.fill(scratch, state_offset, need.bytes - state_offset, 0, &kOtherMemory);
  for (const VkPipeline pipeline : {pipelines.first, pipelines.second}) {
    if (!pipeline) continue;
    stream.dispatch(pipeline, push, grid, std::span<const Access>(accesses));
  }
  return {};
}

Status warm_up_rope(DeviceState& state, const RopeKernel& kernel, Schedule schedule,
                    std::uint32_t operation) {
  Pipelines pipelines;
  return get_pipelines(state, kernel, schedule, operation, true, pipelines);
}

}  // namespace vkprims::strings
