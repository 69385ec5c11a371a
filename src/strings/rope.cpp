#include "strings/rope.hpp"

#include <algorithm>
#include <cinttypes>

#include "blocks/lookback.hpp"
#include "runtime/push.hpp"
#include "runtime/scratch_layout.hpp"
#include "spirv/strings_copy_spans.hpp"

namespace vkprims::strings {
namespace {

// Shared memory of a workgroup: regions of strips, and what all kernels have besides.
std::uint64_t strip_bytes(const DeviceState& state, const RopeKernel& kernel) {
  return 4 * (std::uint64_t{kernel.lane_words} * rope_workgroup_size(state)) + 1536;
}

std::uint64_t pieces_of(const RopeKernel& kernel, const Call& call) {
  return kernel.pieces ? kernel.pieces : std::max<std::uint64_t>(2 * call.columns.size(), 2) - 1;
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
std::uint64_t piece_tile_rows(const DeviceState& state, const RopeKernel& kernel,
                              const Call& call) {
  const std::uint64_t workgroup = rope_workgroup_size(state), bytes = call.a.view.chars.bytes;
  std::uint64_t wanted = std::max(ceil_div(call.rows, kManyTiles), workgroup);
  if (kernel.marks && bytes) {
    const std::uint64_t room = 32 * workgroup * VKP_STRINGS_STAGE_WORDS * 3 / 4;
    wanted = std::min(wanted, room * call.rows / bytes);
  }
  const std::uint64_t words = round_up(wanted, 32);  // whole words of validity
  const std::uint64_t most = most_rows(state, kernel, pieces_of(kernel, call));
  return std::clamp(words, std::min(kernel.marks ? 64 : workgroup, most), most);
}

// The rows of a tile that are made in strips: as many rounds as the strips have room for, with some
// to spare.
std::uint64_t strip_tile_rows(const DeviceState& state, const RopeKernel& kernel,
                              const Call& call) {
  constexpr std::uint64_t kUsual = 15;  // bytes of a row, where they are not known
  const std::uint64_t room = 4 * std::uint64_t{kernel.lane_words} * 15 / 16;  // of an invocation
  const std::uint64_t fit =
      room / (VKP_STRINGS_ROWS_AT_ONCE * (call.row_bytes ? call.row_bytes : kUsual));
  const std::uint64_t round = std::uint64_t{rope_workgroup_size(state)} * VKP_STRINGS_ROWS_AT_ONCE;
  const std::uint64_t wanted = std::min(fit, call.rows / (kManyTiles * round));
  return round * std::clamp<std::uint64_t>(wanted, 1, VKP_STRINGS_MOST_ROUNDS);
}

std::uint64_t tile_rows(const DeviceState& state, const RopeKernel& kernel, const Call& call) {
  return kernel.lane_words ? strip_tile_rows(state, kernel, call)
                           : piece_tile_rows(state, kernel, call);
}

// How many bytes the longest text of a row may have.
VkDeviceSize most_text_bytes(const Call& call) {
  VkDeviceSize most = std::max(call.a.view.chars.bytes, call.b.view.chars.bytes);
  for (const StringColumnView& column : call.columns) most = std::max(most, column.chars.bytes);
  return call.longest_row_bytes ? std::min<VkDeviceSize>(most, call.longest_row_bytes) : most;
}

// Whether long texts may be left to copy_spans.comp.
bool leaves_texts(const RopeKernels& kernels) {
  return kernels.of_rows.copies && !kernels.of_long.behind;
}

// A text of fewer than two spans is not.
constexpr VkDeviceSize kLongText = VkDeviceSize{2} << VKP_STRINGS_LEAST_SPAN_SHIFT;
constexpr VkDeviceSize kSpanBytes = VKP_STRINGS_MOST_SPANS * VKP_STRINGS_SPAN_BYTES;

// log2 of the size of spans of so many bytes in all, such that there are not too many spans.
std::uint32_t span_shift(VkDeviceSize bytes) {
  std::uint32_t shift = VKP_STRINGS_LEAST_SPAN_SHIFT;
  while (bytes >> shift >= VKP_STRINGS_MOST_SPANS) ++shift;
  return shift;
}

// Where things are in scratch: first the arguments; then tables of long rows and the states of the
// tiles, which must be zero before; then other tables, and spans.
struct Layout {
  LongRowTables tables;
  VkDeviceSize zeros, states, others, spans;
  ScratchNeed need;
};

Layout layout_of(const DeviceState& state, const RopeKernels& kernels, const Call& call) {
  const std::uint64_t pieces = pieces_of(kernels.of_rows, call);
  const std::uint64_t most_tiles = ceil_div(call.rows, least_rows(state, kernels.of_rows, pieces));
  Layout layout{.tables{kernels.of_long, call.a.view.chars.bytes, call.longest_row_bytes}};
  ScratchLayout parts;
  parts.take(argument_bytes(call));
  layout.zeros = parts.take(layout.tables.zero_bytes());
  layout.states = parts.take(lookback_bytes(most_tiles, 2));
  layout.others = parts.take(layout.tables.other_bytes());
  layout.spans = parts.take(kSpanBytes);
  layout.need = parts.need();
  return layout;
}

std::vector<Operand> operands_of(const Call& call, const RopePlaces& places,
                                 const ScratchNeed& need) {
  std::vector<Operand> operands = operands_of(call);
  append(operands, places.out, call.rows, places.report);
  operands.push_back(operand_of(places.scratch, need));
  return operands;
}

Status check_kernel(const Commands& commands, const RopeKernel& kernel, const Call& call) {
  const DeviceState& state = commands.state();
  const std::uint64_t most_pieces = std::uint64_t{rope_workgroup_size(state)} * VKP_STRINGS_PIECES;
  if (pieces_of(kernel, call) > most_pieces) {
    return Status::error(Status::invalid_argument,
                         "%s: there are %zu columns, at most %" PRIu64 " are allowed",
                         commands.primitive(), call.columns.size(), most_pieces / 2);
  }
  if (kernel.lane_words == 0 || strip_bytes(state, kernel) <= state.shared_bytes) return {};
  return Status::error(Status::unsupported,
                       "%s: kernel.lane_words is %u: a workgroup takes some %" PRIu64
                       " bytes of shared memory, the device has %u",
                       commands.primitive(), kernel.lane_words, strip_bytes(state, kernel),
                       state.shared_bytes);
}

// How the kernels of a call are dispatched.
struct Work {
  KernelInputs inputs;
  Schedule schedule;
  std::uint32_t plain;  // plain_columns()
  LongRowTables tables;
  bool has_long_texts;
  std::uint64_t rows;
  Grid tiles{}, before{};
  Scratch states;  // of the tiles
};

Status add_look_back(Commands& commands, const Work& work, const Spirv* word64, const Spirv* word32,
                     Specialization constants) {
  const DeviceState& state = commands.state();
  constants.lookback = lookback_constants(state, false);
  constants.lookback.pause = 0;  // measured: with one 600,000 rows of redact take 7 % longer
  return work.inputs.dispatch(commands, lookback_is_wide(state) ? word64 : word32, constants,
                              work.tiles);
}

// Adds the kernels that make all rows which are not long.
Status add_rows(Commands& commands, const RopeKernel& kernel, const Work& work,
                Specialization constants) {
  if (work.schedule != Schedule::multi_pass) {
    if (kernel.attempt64) constants.set(VKP_STRINGS_SPEC_OP, 0);
    return add_look_back(commands, work, kernel.word64, kernel.word32, constants);
  }
  for (const std::uint32_t pass : {VKP_STRINGS_PASS_SIZES, VKP_STRINGS_PASS_WRITE}) {
    constants.set(VKP_STRINGS_SPEC_PASS, pass);
    VKPRIMS_TRY(work.inputs.dispatch(commands, kernel.word32, constants, work.tiles));
  }
  return {};
}

Status add_kernels(Commands& commands, const RopeKernels& kernels, const Work& work) {
  const RopeKernel& of_rows = kernels.of_rows;
  const LongKernels& of_long = kernels.of_long;
  const bool is_multi_pass = work.schedule == Schedule::multi_pass;
  const bool has_long_rows = !work.tables.empty();
  const std::uint32_t workgroup = rope_workgroup_size(commands.state());
  // In multi_pass, columns with and without long rows share kernels: the devices that need this
  // schedule are the ones on which each kernel takes long to compile.
  const std::uint32_t plain = work.plain & ~(is_multi_pass ? VKP_STRINGS_SHORT_ROWS : 0u);
  const Specialization constants = strings_specialization(workgroup, kernels.operation, plain);
  const auto add_of_units = [&](const Spirv* kernel) {
    return work.inputs.dispatch(commands, kernel,
                                long_specialization(commands.state(), kernels.operation),
                                work.tables.units_grid());
  };

  if (of_rows.attempt64 && !is_multi_pass) {
    VKPRIMS_TRY(add_look_back(commands, work, of_rows.attempt64, of_rows.attempt32, constants));
    VKPRIMS_TRY(commands.fill(work.states, 0, work.states.bytes));
  }
  VKPRIMS_TRY(work.inputs.dispatch(commands, of_rows.before, constants, work.before));
  if (has_long_rows) {
    VKPRIMS_TRY(
        add_unit_sums(commands, work.inputs, of_long, work.tables, work.rows, kernels.operation));
    VKPRIMS_TRY(add_of_units(of_long.rows));
  }
  VKPRIMS_TRY(add_rows(commands, of_rows, work, constants));
  if (has_long_rows) VKPRIMS_TRY(add_of_units(of_long.behind));
  if (!work.has_long_texts) return {};
  return work.inputs.dispatch(commands, &spirv::strings_copy_spans, {.workgroup_size = workgroup},
                              grid_of_some(VKP_STRINGS_MOST_SPANS));
}

// Kernels also look for the first columns of a table there.
const StringColumnView& column_a(const Call& call) {
  return call.columns.empty() ? call.a.view : call.columns[0];
}
const StringColumnView& column_b(const Call& call) {
  return call.columns.size() < 2 ? call.b.view : call.columns[1];
}

// Whether it is worth it to prefetch strips: they have several rounds, and rows are so short that
// most of their sectors are read.
bool prefetches(const DeviceState& state, const Call& call, std::uint64_t rows_of_tile) {
  constexpr std::uint64_t kShort = 64;  // bytes of a row, on average
  const auto is_short = [&](const StringColumnView& column) {
    return column.chars.bytes / kShort <= call.rows;
  };
  return rows_of_tile > VKP_STRINGS_ROWS_AT_ONCE * rope_workgroup_size(state) &&
         is_short(column_a(call)) && is_short(column_b(call));
}

abi::VkpStringsPush push_of(const DeviceState& state, const Call& call, const RopePlaces& places,
                            VkDeviceSize capacity, std::uint64_t rows_of_tile) {
  const StringColumnOut& out = places.out;
  const std::uint32_t wide = out.offset_width == IndexWidth::u64 ? VKP_STRINGS_WIDE : 0;
  const std::uint32_t ahead = prefetches(state, call, rows_of_tile) ? VKP_STRINGS_PREFETCH : 0;
  return {
      .a = push_strings(column_a(call)),
      .b = push_strings(column_b(call)),
      .out_offsets = push_u64(out.offsets.address),
      .out_chars = push_u64(out.chars.address),
      .out_validity = push_u64(out.validity.address),
      .capacity = push_u64(capacity),
      .scratch = push_u64(places.scratch.address),
      .rows = static_cast<abi::uint>(call.rows),
      .format = static_cast<abi::uint>(rows_of_tile << VKP_STRINGS_TILE_ROWS_SHIFT) | wide | ahead};
}

Status add(Commands& commands, const RopeKernels& kernels, const Call& call,
           const RopePlaces& places, const Layout& layout, const std::vector<Operand>& operands) {
  const Scratch& scratch = places.scratch;
  const StringColumnOut& out = places.out;
  const LongRowTables& tables = layout.tables;
  const bool has_long_texts = leaves_texts(kernels) && most_text_bytes(call) >= kLongText;
  const VkDeviceSize capacity = out.offset_width == IndexWidth::u64
                                    ? out.chars.bytes
                                    : std::min<VkDeviceSize>(out.chars.bytes, kMaxStringBytes);
  const std::vector<std::uint8_t> arguments = make_arguments(
      call, places.report, scratch.address, scratch.address + layout.states,
      tables.at(scratch.address + layout.zeros, scratch.address + layout.others),
      {.list = has_long_texts ? scratch.address + layout.spans : 0, .shift = span_shift(capacity)});
  const std::uint64_t rows_of_tile = tile_rows(commands.state(), kernels.of_rows, call);
  const std::uint64_t tiles = ceil_div(call.rows, rows_of_tile);
  const std::uint64_t groups = std::max<std::uint64_t>(tiles, 1);
  // The kernel that goes ahead shares out bytes, whatever rows these belong to.
  const std::uint64_t byte_groups = (call.a.view.chars.bytes >> VKP_STRINGS_CASE_BYTES_SHIFT) + 1;
  const Work work{.inputs = {push_of(commands.state(), call, places, capacity, rows_of_tile),
                             {operands.begin(), operands.end()}},
                  .schedule = call.schedule,
                  .plain = plain_columns(call, out, has_long_texts || !tables.empty()),
                  .tables = tables,
                  .has_long_texts = has_long_texts,
                  .rows = call.rows,
                  .tiles = Grid(groups),
                  .before = Grid(std::max(groups, byte_groups)),
                  .states = part_of(scratch, layout.states, lookback_bytes(tiles, 2))};
  constexpr Independent kOtherMemory{"the state of the tiles lies behind the arguments"};
  commands.write(scratch, 0, arguments.data(), arguments.size());
  VKPRIMS_TRY(commands.fill(scratch, layout.zeros, tables.zero_bytes() + work.states.bytes, 0,
                            &kOtherMemory));
  return add_kernels(commands, kernels, work);
}

}  // namespace

ScratchNeed rope_scratch(const Device& device, const RopeKernels& kernels, const Call& call) {
  if (!device || call.rows > kMaxStringRows) return {};
  if (argument_bytes(call) > VKP_STRINGS_MOST_ARGUMENT_BYTES) return {};
  return layout_of(*device.state(), kernels, call).need;
}

Status add_rope(Commands& commands, const RopeKernels& kernels, const Call& call,
                const RopePlaces& places) {
  const Layout layout = layout_of(commands.state(), kernels, call);
  return add(commands, kernels, call, places, layout, operands_of(call, places, layout.need));
}

// The call is checked first, because the scratch that it needs means little if its rows are too
// many.
Status check_and_add_rope(Commands& commands, const RopeKernels& kernels, const Call& call,
                          const RopePlaces& places) {
  VKPRIMS_TRY(check_kernel(commands, kernels.of_rows, call));
  VKPRIMS_TRY(check_enum(commands.primitive(), "schedule", call.schedule, Schedule::multi_pass));
  VKPRIMS_TRY(check_call(commands.primitive(), call));
  VKPRIMS_TRY(check_result(commands.primitive(), places.out));
  const Layout layout = layout_of(commands.state(), kernels, call);
  const std::vector<Operand> operands = operands_of(call, places, layout.need);
  VKPRIMS_TRY(check_operands(commands.primitive(), operands));
  return add(commands, kernels, call, places, layout, operands);
}

Status warm_up_rope(Commands& commands, const RopeKernels& kernels, Schedule schedule) {
  for (const std::uint32_t plain : kPlainColumns) {
    const bool may_be_long = may_have_long(plain);
    const LongRowTables tables(kernels.of_long, may_be_long ? kMaxStringBytes : 0, 0);
    const bool has_long_texts = may_be_long && leaves_texts(kernels);
    // Without kernels for long rows or texts, whatever is known of columns includes that none is.
    if (may_be_long && plain != 0 && tables.empty() && !has_long_texts) continue;
    VKPRIMS_TRY(add_kernels(commands, kernels,
                            {.schedule = schedule,
                             .plain = plain,
                             .tables = tables,
                             .has_long_texts = has_long_texts}));
  }
  return {};
}

}  // namespace vkprims::strings
