// The host side of the primitive strings::argsort.
#include "vkprims/strings/argsort.hpp"

#include "runtime/push.hpp"
#include "runtime/scratch_layout.hpp"
#include "sort/sort_passes.hpp"
#include "spirv/strings_argsort_keys.hpp"
#include "spirv/strings_argsort_mark.hpp"
#include "spirv/strings_argsort_merge.hpp"
#include "spirv/strings_argsort_scatter.hpp"
#include "spirv/strings_argsort_ties.hpp"
#include "spirv/strings_argsort_tiles.hpp"
#include "strings/argsort/argsort.abi.h"
#include "strings/call.hpp"
#include "strings/interned.hpp"
#include "strings/row_numbers.hpp"

namespace vkprims::strings {
namespace {

constexpr const char* kName = "strings::argsort";

// The sort of all rows by their keys.
SortJob job_of(const ArgsortStringsDesc& desc, std::uint64_t rows) {
  return {.type = Type::u64,
          .order = SortOrder::ascending,
          .float_order = FloatOrder::by_bits,
          .begin_bit = 0,
          .end_bit = 64,
          .count = rows,
          .schedule = desc.schedule,
          .value_words = 1,
          .make_indices = true,
          .keep_keys = true};
}

// The selection of the rows that tie.
Compaction selection_of(const ArgsortStringsDesc& desc, std::uint64_t rows) {
  return row_numbers(VKP_COMPACT_BYTES, rows, desc.schedule);
}

// Where things are in scratch. Later steps reuse the places of what earlier ones have left.
struct Plan {
  VkDeviceSize keys, sort;    // in use until rows are sorted by keys
  VkDeviceSize ties, select;  // in use until those that tie are selected
  VkDeviceSize sorted_keys;   // in use until there are records
  VkDeviceSize records, spare;
  VkDeviceSize positions;
  VkDeviceSize mark_bytes, interned;  // bytes 0: no row is long
  ScratchNeed need;
};

Plan plan_of(const DeviceState& state, const ArgsortStringsDesc& desc, std::uint64_t rows,
             std::uint64_t chars_bytes) {
  Plan plan{};
  if (rows == 0) return plan;
  const VkDeviceSize records = rows * VKP_ARGSORT_RECORD_BYTES;
  ScratchLayout parts;
  parts.take(VKP_ARGSORT_HEADER_BYTES);
  plan.keys = parts.take(8 * rows);
  plan.sort = parts.take(sort_need(state, job_of(desc, rows)).bytes);
  parts.reuse(plan.keys);
  plan.ties = parts.take(rows);
  plan.select = parts.take(compaction_scratch(state, selection_of(desc, rows)).bytes);
  parts.reuse(plan.keys);
  plan.records = parts.take(records);
  parts.reuse(round_up(parts.need().bytes, 16));
  plan.spare = plan.sorted_keys = parts.take(records);
  plan.positions = parts.take(4 * rows);
  if (const VkDeviceSize interned = interned_bytes(chars_bytes, desc.longest_row_bytes)) {
    plan.mark_bytes = bit_bytes(rows);
    parts.take(plan.mark_bytes);
    plan.interned = parts.take(interned);
  }
  plan.need = parts.need();
  return plan;
}

// A call that has been checked.
struct Argsort {
  Commands& commands;
  const ArgsortStringsDesc& desc;
  const Plan& plan;
  std::uint64_t rows;
  Scratch scratch;
  BufferView keys, sorted_keys, ties, order, positions, tied, records, spare;
  InternedBlocks long_rows;
  std::vector<Access> column;
  abi::StringsArgsortPush push;

  // What is noted about the blocks of long rows, and all of these; nothing if no row is long.
  Access notes() const { return plan.mark_bytes ? long_rows.notes() : Access{}; }
  Access interned() const { return plan.mark_bytes ? reads(long_rows.all().view) : Access{}; }

  // Adds a kernel that reads the column besides `others`.
  Status dispatch(const Spirv& kernel, const Specialization& constants, const Grid& grid,
                  std::initializer_list<Access> others) const {
    std::vector<Access> accesses = column;
    accesses.insert(accesses.end(), others);
    return commands.dispatch(kernel, constants, push, grid, accesses);
  }
};

Argsort argsort_of(Commands& commands, const ArgsortStringsDesc& desc,
                   const ArgsortStringsBuffers& buffers, const Plan& plan,
                   std::span<const Operand> column) {
  const std::uint64_t n = buffers.in.rows;
  const auto part = [&](VkDeviceSize offset, VkDeviceSize bytes) {
    return BufferView{buffers.scratch.address + offset, bytes};
  };
  Argsort s{.commands = commands,
            .desc = desc,
            .plan = plan,
            .rows = n,
            .scratch = buffers.scratch,
            .keys = part(plan.keys, 8 * n),
            .sorted_keys = part(plan.sorted_keys, 8 * n),
            .ties = part(plan.ties, round_up(n, VKP_ARGSORT_TIE_KEYS)),
            .order = {buffers.indices.address, 4 * n},
            .positions = part(plan.positions, 4 * n),
            .tied = part(0, 8),
            .records = part(plan.records, VKP_ARGSORT_RECORD_BYTES * n),
            .spare = part(plan.spare, VKP_ARGSORT_RECORD_BYTES * n),
            .long_rows = {.in = buffers.in,
                          .scratch = buffers.scratch,
                          .offset = plan.interned,
                          .mark_bytes = plan.mark_bytes},
            .column{column.begin(), column.end()}};
  const std::uint32_t descending = desc.order == SortOrder::descending ? VKP_ARGSORT_DESCENDING : 0;
  const std::uint32_t first = desc.nulls == NullOrder::first ? VKP_ARGSORT_NULLS_FIRST : 0;
  s.push = {.column = push_strings(buffers.in),
            .keys = push_u64(s.keys.address),
            .sorted_keys = push_u64(s.sorted_keys.address),
            .ties = push_u64(s.ties.address),
            .order = push_u64(s.order.address),
            .positions = push_u64(s.positions.address),
            .tied = push_u64(s.tied.address),
            .records = push_u64(s.records.address),
            .spare = push_u64(s.spare.address),
            .interned = push_u64(plan.mark_bytes ? s.long_rows.address() : 0),
            .rows = static_cast<abi::uint>(n),
            .format = descending + first};
  return s;
}

// Sorts all rows by their keys, and finds which of them tie.
Status add_by_keys(const Argsort& s) {
  const Commands::Label label(s.commands, "by keys");
  const std::uint32_t workgroup = strings_workgroup_size(s.commands.state());
  const Specialization constants{.workgroup_size = workgroup};
  if (s.plan.mark_bytes) VKPRIMS_TRY(clear_interned(s.commands, s.long_rows));
  VKPRIMS_TRY(s.dispatch(spirv::strings_argsort_keys, constants, Grid(ceil_div(s.rows, workgroup)),
                         {writes(s.keys), s.notes()}));
  VKPRIMS_TRY(add_sort(s.commands, job_of(s.desc, s.rows),
                       {.keys_in = s.keys.address,
                        .keys_out = s.sorted_keys.address,
                        .values_out = s.order.address,
                        .scratch = part_of(s.scratch, s.plan.sort)}));
  return s.commands.dispatch(
      spirv::strings_argsort_ties, constants, s.push,
      Grid(ceil_div(s.rows, std::uint64_t{workgroup} * VKP_ARGSORT_TIE_KEYS)),
      {reads(s.sorted_keys), writes(s.ties)});
}

Status add_selection(const Argsort& s) {
  const Commands::Label label(s.commands, "select");
  return add_compaction(s.commands, selection_of(s.desc, s.rows),
                        {.flags = {s.ties.address, s.rows},
                         .indices = s.positions,
                         .count = s.tied,
                         .scratch = part_of(s.scratch, s.plan.select)});
}

// Sorts the rows that tie among themselves. How many there are is known on the GPU: merges that
// they do not need leave at once.
Status add_sort_of_ties(Argsort& s) {
  const Commands::Label label(s.commands, "ties");
  constexpr Specialization kTile{.workgroup_size = VKP_ARGSORT_WORKGROUP};
  Grid grid({s.rows, s.tied.address, CountWidth::u64}, VKP_ARGSORT_TILE,
            part_of(s.scratch, VKP_ARGSORT_GRID_OFFSET));
  VKPRIMS_TRY(s.commands.prepare(grid));
  if (s.plan.mark_bytes) {
    VKPRIMS_TRY(s.dispatch(spirv::strings_argsort_mark, kTile, grid,
                           {reads(s.tied), reads(s.positions), reads(s.order), s.notes()}));
    VKPRIMS_TRY(add_interning(s.commands, s.long_rows));
  }
  VKPRIMS_TRY(s.dispatch(spirv::strings_argsort_tiles, kTile, grid,
                         {reads(s.tied), reads(s.positions), reads(s.order), reads(s.sorted_keys),
                          s.interned(), writes(s.records)}));
  for (; std::uint64_t{VKP_ARGSORT_TILE} << s.push.pass < s.rows; ++s.push.pass) {
    VKPRIMS_TRY(s.dispatch(spirv::strings_argsort_merge, kTile, grid,
                           {reads(s.tied), s.interned(), writes(s.records), writes(s.spare)}));
  }
  return s.commands.dispatch(
      spirv::strings_argsort_scatter, kTile, s.push, grid,
      {reads(s.tied), reads(s.positions), reads(s.records), reads(s.spare), writes(s.order)});
}

Status add_argsort(Argsort s) {
  VKPRIMS_TRY(add_by_keys(s));
  VKPRIMS_TRY(add_selection(s));
  return add_sort_of_ties(s);
}

Status check_desc(const ArgsortStringsDesc& desc) {
  VKPRIMS_TRY(check_enum(kName, "order", desc.order, SortOrder::descending));
  VKPRIMS_TRY(check_enum(kName, "nulls", desc.nulls, NullOrder::first));
  return check_enum(kName, "schedule", desc.schedule, Schedule::multi_pass);
}

}  // namespace

ScratchNeed argsort_scratch(const Device& device, const ArgsortStringsDesc& desc,
                            std::uint64_t rows, std::uint64_t chars_bytes) {
  if (!device || rows > kMaxStringRows || !check_desc(desc)) return {};
  return plan_of(*device.state(), desc, rows, chars_bytes).need;
}

Status record_argsort(VkCommandBuffer cmd, const Device& device, const ArgsortStringsDesc& desc,
                      const ArgsortStringsBuffers& buffers) {
  return record_call(kName, cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(desc));
    VKPRIMS_TRY(check_column(kName, {"in", buffers.in}));
    const std::uint64_t rows = buffers.in.rows;
    const Plan plan = plan_of(commands.state(), desc, rows, buffers.in.chars.bytes);
    std::vector<Operand> operands;
    append(operands, {"in", buffers.in});
    const std::size_t column = operands.size();
    operands.push_back({"indices", buffers.indices, 4 * rows, 4, true, "", "in.rows"});
    operands.push_back(operand_of(buffers.scratch, plan.need));
    VKPRIMS_TRY(check_operands(kName, operands));
    if (rows == 0) return Status();
    return add_argsort(
        argsort_of(commands, desc, buffers, plan, std::span(operands).first(column)));
  });
}

Status warm_up(const Device& device, const ArgsortStringsDesc& desc) {
  return warm_up_call(kName, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(desc));
    const ArgsortStringsBuffers any{.in = {.chars = {16, kMaxStringBytes}, .rows = kMaxStringRows},
                                    .scratch = {.address = 16}};
    const Plan plan = plan_of(commands.state(), desc, any.in.rows, any.in.chars.bytes);
    VKPRIMS_TRY(add_argsort(argsort_of(commands, desc, any, plan, {})));
    VKPRIMS_TRY(warm_up_sort(commands, job_of(desc, 1)));
    return warm_up_compaction(commands, selection_of(desc, 1));
  });
}

}  // namespace vkprims::strings
