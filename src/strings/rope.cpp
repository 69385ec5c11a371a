#include "strings/rope.hpp"

#include <algorithm>
#include <cinttypes>

#include "blocks/lookback.hpp"
#include "runtime/push.hpp"
#include "spirv/strings_copy_spans.hpp"
#include "runtime/arithmetic.hpp"

namespace vkprims::strings {
namespace {

// Shared memory of a workgroup: regions of strips, and what all kernels have besides.
std::uint64_t strip_bytes(const DeviceState& state, const RopeKernel& kernel) {
  return 4 * (std::uint64_t{kernel.strip_words} * rope_workgroup_size(state)) + 1536;
}

Status check_room(const char* primitive, const DeviceState& state, const RopeKernel& kernel) {
  if (kernel.strip_words == 0 || strip_bytes(state, kernel) <= state.shared_bytes) return {};
  return Status::error(Status::unsupported,
                       "%s: kernel.strip_words is %u: a workgroup takes some %" PRIu64
                       " bytes of shared memory, the device has %u",
                       primitive, kernel.strip_words, strip_bytes(state, kernel),
                       state.shared_bytes);
}

std::uint64_t pieces_of(const RopeKernel& kernel, std::uint64_t columns) {
  return kernel.pieces ? kernel.pieces : std::max<std::uint64_t>(2 * columns, 2) - 1;
}

// The most rows of a tile, if each row has up to `pieces` pieces. An invocation has whole rows,
// unless its kernel takes piece by piece.
std::uint64_t most_rows(const DeviceState& state, const RopeKernel& kernel, std::uint64_t pieces) {
  const std::uint64_t workgroup = rope_workgroup_size(state);
  const bool by_rows = kernel.pieces && pieces <= VKP_STRINGS_PIECES;
  const std::uint64_t most =
      by_rows ? workgroup * (VKP_STRINGS_PIECES / pieces) : workgroup * VKP_STRINGS_PIECES / pieces;
  return std::max<std::uint64_t>(most, 1);
}

// The least rows of a tile, whichever kernel of an operation makes them.
std::uint64_t least_rows(const DeviceState& state, const RopeKernel& kernel, std::uint64_t pieces) {
  return std::min<std::uint64_t>(
      {64, rope_workgroup_size(state), most_rows(state, kernel, pieces)});
}

// More tiles than this are no gain, and fewer leave much of the device idle.
constexpr std::uint64_t kManyTiles = 1024;

// A tile has fewer rows than there is room for if their bytes could not all be marked together, or
// if there would be few tiles.
std::uint64_t tile_rows(const DeviceState& state, const RopeKernel& kernel, std::uint64_t rows,
                        std::uint64_t bytes, std::uint64_t pieces) {
  const std::uint64_t workgroup = rope_workgroup_size(state);
  std::uint64_t wanted = std::max(ceil_div(rows, kManyTiles), workgroup);
  if (kernel.marks && bytes) {
    const std::uint64_t room = 32 * workgroup * VKP_STRINGS_STAGE_WORDS * 3 / 4;
    wanted = std::min(wanted, room * rows / bytes);
  }
  const std::uint64_t words = ceil_div(wanted, 32) * 32;  // whole words of validity
  const std::uint64_t most = most_rows(state, kernel, pieces);
  return std::clamp(words, std::min(kernel.marks ? 64 : workgroup, most), most);
}

// The rows of a tile that are made in strips: as many rounds as the strips have room for, with some
// to spare.
std::uint64_t strip_tile_rows(const DeviceState& state, const RopeKernel& kernel,
                              std::uint64_t rows, std::uint32_t row_bytes) {
  constexpr std::uint32_t kUsual = 15;  // where it is not known
  const std::uint64_t room = 4 * std::uint64_t{kernel.strip_words} * 15 / 16;  // of an invocation
  const std::uint64_t fit =
      room / (VKP_STRINGS_ROWS_AT_ONCE * std::uint64_t{row_bytes ? row_bytes : kUsual});
  const std::uint64_t round = std::uint64_t{rope_workgroup_size(state)} * VKP_STRINGS_ROWS_AT_ONCE;
  const std::uint64_t wanted = std::min(fit, rows / (kManyTiles * round));
  return round * std::clamp<std::uint64_t>(wanted, 1, VKP_STRINGS_MOST_ROUNDS);
}

// Scratch for the states of tiles, whatever the number of bytes of their rows.
VkDeviceSize most_state_bytes(const DeviceState& state, const RopeKernel& kernel,
                              std::uint64_t rows, std::uint64_t pieces) {
  return lookback_bytes(ceil_div(rows, least_rows(state, kernel, pieces)), 2);
}

// How many bytes the longest text of a row may have.
VkDeviceSize most_text_bytes(const Call& call) {
  VkDeviceSize most = std::max(call.a.view.chars.bytes, call.b.view.chars.bytes);
  for (const StringColumnView& column : call.columns) most = std::max(most, column.chars.bytes);
  return call.longest_row_bytes ? std::min<VkDeviceSize>(most, call.longest_row_bytes) : most;
}

// A text of fewer than two spans is not left to copy_spans.comp.
constexpr VkDeviceSize kLongText = VkDeviceSize{2} << VKP_STRINGS_LEAST_SPAN_SHIFT;
constexpr VkDeviceSize kSpanBytes = VKP_STRINGS_MOST_SPANS * VKP_STRINGS_SPAN_BYTES;

// log2 of the size of spans of so many bytes in all, such that there are not too many spans.
std::uint32_t span_shift(VkDeviceSize bytes) {
  std::uint32_t shift = VKP_STRINGS_LEAST_SPAN_SHIFT;
  while (bytes >> shift >= VKP_STRINGS_MOST_SPANS) ++shift;
  return shift;
}

struct Pipelines {
  LongPipelines of_long;
  VkPipeline spans = VK_NULL_HANDLE;
  VkPipeline before = VK_NULL_HANDLE, attempt = VK_NULL_HANDLE, first = VK_NULL_HANDLE;
  VkPipeline second = VK_NULL_HANDLE;  // for multi_pass only
};

// Whether a call has long texts, and long rows.
struct Long {
  bool texts, rows;
};

Status get_pipelines(DeviceState& state, const RopeKernel& kernel, Schedule schedule,
                     std::uint32_t operation, std::uint32_t plain, const LongKernels& long_kernels,
                     Long has_long, bool may_compile, Pipelines& pipelines) {
  Specialization constants{.workgroup_size = rope_workgroup_size(state)};
  // Columns of every kind share the two kernels of multi_pass: the devices that need this schedule
  // are the ones on which each kernel takes long to compile.
  if (schedule == Schedule::multi_pass) plain = 0;
  constants.own[VKP_STRINGS_SPEC_OP - VKP_SPEC_FIRST_OWN] = operation;
  constants.own[VKP_STRINGS_SPEC_PLAIN - VKP_SPEC_FIRST_OWN] = plain;
  const auto get = [&](const Spirv* spirv, VkPipeline& pipeline) {
    return state.pipelines.get(state.vk, *spirv, constants, may_compile, pipeline);
  };
  if (kernel.before) VKPRIMS_TRY(get(kernel.before, pipelines.before));
  if (has_long.rows) {
    VKPRIMS_TRY(get_long_pipelines(state, long_kernels, operation, may_compile, pipelines.of_long));
  }
  if (has_long.texts) VKPRIMS_TRY(get(&spirv::strings_copy_spans, pipelines.spans));
  if (schedule == Schedule::multi_pass) {
    std::uint32_t& pass = constants.own[VKP_STRINGS_SPEC_PASS - VKP_SPEC_FIRST_OWN];
    pass = VKP_STRINGS_PASS_SIZES;
    VKPRIMS_TRY(get(kernel.word32, pipelines.first));
    pass = VKP_STRINGS_PASS_WRITE;
    return get(kernel.word32, pipelines.second);
  }
  constants.lookback = lookback_constants(state, false);
  constants.lookback.pause = 0;  // measured: with one 600,000 rows of redact take 7 % longer
  const bool is_wide = lookback_is_wide(state);
  if (kernel.attempt64) {
    VKPRIMS_TRY(get(is_wide ? kernel.attempt64 : kernel.attempt32, pipelines.attempt));
    constants.own[VKP_STRINGS_SPEC_OP - VKP_SPEC_FIRST_OWN] = 0;
  }
  return get(is_wide ? kernel.word64 : kernel.word32, pipelines.first);
}

// The call is checked first, because the scratch that it needs means little if its rows are too
// many.
Status check_rope(const Call& call, const StringColumnOut& out, const BufferView& report,
                  const Scratch& scratch, const ScratchNeed& need) {
  const char* name = call.primitive;
  VKPRIMS_TRY(check_enum(name, "schedule", call.schedule, Schedule::multi_pass));
  std::vector<Argument> arguments;
  VKPRIMS_TRY(check_call(call, arguments));
  VKPRIMS_TRY(check_result(name, out, call.rows, report, arguments));
  arguments.push_back(argument_of(scratch, need));
  return check_arguments(name, std::span<const Argument>(arguments));
}

}  // namespace

ScratchNeed rope_scratch(const DeviceState& state, const RopeKernel& kernel, std::uint64_t rows,
                         std::uint64_t text_bytes, std::uint64_t columns,
                         const LongRowTables& tables) {
  const VkDeviceSize arguments = argument_bytes(text_bytes, columns);
  if (arguments > VKP_STRINGS_MOST_ARGUMENT_BYTES) return {};
  return {arguments + tables.zero_bytes() +
          most_state_bytes(state, kernel, rows, pieces_of(kernel, columns)) + tables.other_bytes() +
          kSpanBytes};
}

Status record_rope(VkCommandBuffer cmd, DeviceState& state, const RopeKernel& kernel,
                   const Call& call, const StringColumnOut& out, const BufferView& report,
                   const Scratch& scratch, std::uint32_t operation,
                   const LongKernels& long_kernels) {
  const std::uint64_t pieces = pieces_of(kernel, call.columns.size());
  const std::uint64_t most_pieces = std::uint64_t{rope_workgroup_size(state)} * VKP_STRINGS_PIECES;
  if (pieces > most_pieces) {
    return Status::error(Status::invalid_argument,
                         "%s: there are %zu columns, at most %" PRIu64 " are allowed",
                         call.primitive, call.columns.size(), most_pieces / 2);
  }
  VKPRIMS_TRY(check_room(call.primitive, state, kernel));
  const std::uint64_t rows_of_tile =
      kernel.strip_words ? strip_tile_rows(state, kernel, call.rows, call.row_bytes)
                         : tile_rows(state, kernel, call.rows, call.a.view.chars.bytes, pieces);
  const std::uint64_t tiles = ceil_div(call.rows, rows_of_tile);
  // Scratch holds the arguments; then tables of long rows and the states of the tiles, which must
  // be zero before; then other tables, and spans.
  const LongRowTables tables(long_kernels, call.a.view.chars.bytes, call.longest_row_bytes);
  const VkDeviceSize zero_offset = argument_bytes(call);
  const VkDeviceSize state_offset = zero_offset + tables.zero_bytes();
  const VkDeviceSize other_offset =
      state_offset + most_state_bytes(state, kernel, call.rows, pieces);
  const VkDeviceSize span_offset = other_offset + tables.other_bytes();
  const ScratchNeed need{span_offset + kSpanBytes};
  VKPRIMS_TRY(check_rope(call, out, report, scratch, need));
  Pipelines pipelines;
  const bool may_compile = state.info.pipelines == PipelinePolicy::lazy;
  const Long has_long{.texts = !long_kernels.behind && most_text_bytes(call) >= kLongText,
                      .rows = !tables.empty()};
  VKPRIMS_TRY(get_pipelines(state, kernel, call.schedule, operation,
                            plain_columns(call, out, has_long.texts || has_long.rows), long_kernels,
                            has_long, may_compile, pipelines));

  const VkDeviceSize capacity = out.offset_width == IndexWidth::u64
                                    ? out.chars.bytes
                                    : std::min<VkDeviceSize>(out.chars.bytes, kMaxStringBytes);
  const Spans spans{.list = has_long.texts ? scratch.address + span_offset : 0,
                    .shift = span_shift(capacity)};
  const std::vector<std::uint8_t> arguments = make_arguments(
      call, report, scratch.address, scratch.address + state_offset,
      tables.at(scratch.address + zero_offset, scratch.address + other_offset), spans);
  // Kernels also look for the first columns of a table there.
  const std::span columns = call.columns;
  const abi::VkpStringsPush push{.a = push_strings(columns.empty() ? call.a.view : columns[0]),
                              .b = push_strings(columns.size() < 2 ? call.b.view : columns[1]),
                              .out_offsets = push_u64(out.offsets.address),
                              .out_chars = push_u64(out.chars.address),
                              .out_validity = push_u64(out.validity.address),
                              .capacity = push_u64(capacity),
                              .scratch = push_u64(scratch.address),
                              .rows = static_cast<abi::uint>(call.rows),
                              .format = static_cast<abi::uint>(
                                  rows_of_tile << VKP_STRINGS_TILE_ROWS_SHIFT |
                                  (out.offset_width == IndexWidth::u64 ? VKP_STRINGS_WIDE : 0))};
  std::vector<Access> accesses = accesses_of(call);
  const VkDeviceSize offset_bytes = (call.rows + 1) * size_of(out.offset_width);
  accesses.insert(
      accesses.end(),
      {writes(out.offsets.address, offset_bytes), writes(out.chars.address, out.chars.bytes),
       writes(out.validity.address, out.validity.address ? bit_bytes(call.rows) : 0),
       writes(report.address, report.address ? sizeof(DeviceReport) : 0),
       writes(scratch.address, need.bytes)});
  OldGrid grid;
  grid.groups = std::max<std::uint64_t>(tiles, 1);
  CommandStream stream(state, cmd);
  constexpr Independent kOtherMemory{"the state of the tiles lies behind the arguments"};
  const auto dispatch = [&](VkPipeline pipeline, const OldGrid& groups) {
    if (pipeline) stream.dispatch(pipeline, push, groups, std::span<const Access>(accesses));
  };
  stream.write(scratch, 0, arguments.data(), arguments.size());
  stream.fill(scratch, zero_offset, tables.zero_bytes() + lookback_bytes(tiles, 2), 0,
              &kOtherMemory);
  if (pipelines.attempt) {
    dispatch(pipelines.attempt, grid);
    stream.fill(scratch, state_offset, lookback_bytes(tiles, 2), 0);
  }
  // The kernel that goes ahead shares out bytes, whatever rows these belong to.
  OldGrid before = grid;
  before.groups =
      std::max(grid.groups, (call.a.view.chars.bytes >> VKP_STRINGS_CASE_BYTES_SHIFT) + 1);
  dispatch(pipelines.before, before);
  dispatch(pipelines.of_long.list, LongRowTables::list_grid(state, call.rows));
  dispatch(pipelines.of_long.sums, tables.units_grid());
  dispatch(pipelines.of_long.second_sums, tables.units_grid());
  dispatch(pipelines.of_long.rows, tables.units_grid());
  dispatch(pipelines.first, grid);
  dispatch(pipelines.second, grid);
  dispatch(pipelines.of_long.behind, tables.units_grid());
  dispatch(pipelines.spans, grid_of_some(VKP_STRINGS_MOST_SPANS));
  return {};
}

Status warm_up_rope(DeviceState& state, const RopeKernel& kernel, Schedule schedule,
                    std::uint32_t operation, const LongKernels& long_kernels) {
  const Long has_long{.texts = !long_kernels.behind, .rows = long_kernels.sums != nullptr};
  for (const std::uint32_t plain : kPlainColumns) {
    Pipelines pipelines;
    VKPRIMS_TRY(get_pipelines(state, kernel, schedule, operation, plain, long_kernels, has_long,
                              true, pipelines));
  }
  return {};
}

}  // namespace vkprims::strings
