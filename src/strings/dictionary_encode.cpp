// The host side of the primitive strings::dictionary_encode.
#include "vkprims/strings/dictionary_encode.hpp"

#include <algorithm>
#include <bit>
#include <cinttypes>

#include "runtime/push.hpp"
#include "runtime/scratch_layout.hpp"
#include "spirv/strings_dictionary_codes.hpp"
#include "spirv/strings_dictionary_firsts.hpp"
#include "spirv/strings_dictionary_insert.hpp"
#include "spirv/strings_dictionary_insert_long.hpp"
#include "spirv/strings_dictionary_ranks.hpp"
#include "strings/bits.hpp"
#include "strings/call.hpp"
#include "strings/dictionary/dictionary.abi.h"
#include "strings/interned.hpp"
#include "strings/row_numbers.hpp"

namespace vkprims::strings {
namespace {

constexpr const char* kName = "strings::dictionary_encode";

// These rows go into the table before all others, so that the others find there what is frequent.
// Nearly all of them then only look, where otherwise everything that runs at first would try to be
// the first.
constexpr std::uint64_t kFirstRows = 1024;

std::uint64_t slots_of(std::uint64_t rows) {
  return std::bit_ceil(std::max<std::uint64_t>(2 * rows, 4));
}

Compaction compaction_of(const DictionaryEncodeDesc& desc, std::uint64_t rows) {
  return row_numbers(VKP_COMPACT_BYTES, rows, desc.schedule);
}

// Offsets in scratch. The size of the grid of ranks.comp comes first.
struct Plan {
  VkDeviceSize table, firsts, found, compaction;
  VkDeviceSize interned, interned_bytes;  // bytes 0: no row is long
  ScratchNeed need;
};

Plan plan_of(const DeviceState& state, const DictionaryEncodeDesc& desc, std::uint64_t rows,
             std::uint64_t chars_bytes) {
  Plan plan{};
  ScratchLayout parts;
  parts.take(kGridScratchBytes);
  plan.table = parts.take(4 * slots_of(rows));
  plan.firsts = parts.take(rows);
  plan.found = parts.take(4 * rows);
  plan.compaction = parts.take(compaction_scratch(state, compaction_of(desc, rows)).bytes);
  plan.interned_bytes = rows ? interned_bytes(chars_bytes, desc.longest_row_bytes) : 0;
  plan.interned = parts.take(plan.interned_bytes);
  plan.need = parts.need();
  return plan;
}

std::uint64_t capacity_of(const DictionaryEncodeDesc& desc, std::uint64_t rows) {
  return desc.capacity.value_or(rows);
}

Status check_desc(const DictionaryEncodeDesc& desc) {
  VKPRIMS_TRY(check_enum(kName, "order", desc.order, DictionaryOrder::first_appearance));
  VKPRIMS_TRY(check_enum(kName, "schedule", desc.schedule, Schedule::multi_pass));
  if (desc.capacity.value_or(0) <= kMaxStringRows) return {};
  return Status::error(Status::invalid_argument,
                       "%s: capacity is %" PRIu64 ", at most %" PRIu64 " (2^31 - 1) is allowed",
                       kName, *desc.capacity, kMaxStringRows);
}

// A call: what it reads and writes, and the push constants of its kernels.
struct Encoding {
  const DictionaryEncodeDesc& desc;
  const DictionaryEncodeBuffers& buffers;
  Plan plan;
  std::uint64_t rows;
  std::vector<Operand> column;
  Operand codes, validity, first_rows, count, report;
  BufferView table, firsts, found;
  InternedBlocks long_rows;
  abi::DictionaryPush push;
};

Encoding encoding_of(const DeviceState& state, const DictionaryEncodeDesc& desc,
                     const DictionaryEncodeBuffers& b) {
  const std::uint64_t n = b.in.rows, slots = slots_of(n), capacity = capacity_of(desc, n);
  const auto wanted = [](const BufferView& v, VkDeviceSize bytes) { return v.address ? bytes : 0; };
  const Plan plan = plan_of(state, desc, n, b.in.chars.bytes);
  Encoding call{
      .desc = desc,
      .buffers = b,
      .plan = plan,
      .rows = n,
      .codes = {"codes", b.codes, 4 * n, 4, true, "", "in.rows"},
      .validity = {"validity", b.validity, wanted(b.validity, bit_bytes(n)), 4, true, "",
                   "in.rows"},
      .first_rows = {"rows", b.rows, wanted(b.rows, 4 * capacity), 4, true},
      .count = operand_of_u64("distinct_count", b.distinct_count),
      .report = operand_of_report(b.report),
      .table = {b.scratch.address + plan.table, 4 * slots},
      .firsts = {b.scratch.address + plan.firsts, round_up(n, 4)},
      .found = {b.scratch.address + plan.found, 4 * n},
      .long_rows = {.in = b.in, .scratch = b.scratch, .offset = plan.interned, .seed = desc.seed}};
  append(call.column, {"in", b.in});
  call.push = {.a = push_strings(b.in),
               .codes = push_u64(call.codes),
               .table = push_u64(call.table.address),
               .firsts = push_u64(call.firsts.address),
               .found = push_u64(call.found.address),
               .count = push_u64(call.count),
               .out_rows = push_u64(call.first_rows),
               .report = push_u64(call.report),
               .interned = push_u64(plan.interned_bytes ? call.long_rows.address() : 0),
               .end = static_cast<std::uint32_t>(n),
               .slot_mask = static_cast<std::uint32_t>(slots - 1),
               .row_mask = std::bit_ceil(static_cast<std::uint32_t>(n) + 1) - 1,
               .seed = desc.seed,
               .capacity = static_cast<std::uint32_t>(capacity)};
  return call;
}

Status check_operands(const Encoding& call) {
  std::vector<Operand> operands = call.column;
  operands.insert(operands.end(), {call.codes, call.validity, call.first_rows, call.count,
                                   call.report, operand_of(call.buffers.scratch, call.plan.need)});
  return vkprims::check_operands(kName, operands);
}

Grid grid_of(const Commands& commands, std::uint64_t items) {
  return Grid(ceil_div(items, commands.tuning().workgroup_size));
}

// A grid for work that there seldom is, of workgroups that loop.
Grid grid_of_few(const Commands& commands, std::uint64_t items) {
  constexpr std::uint64_t kMostGroups = 4096;
  return Grid(std::min(grid_of(commands, items).groups, kMostGroups));
}

// Adds a kernel that reads the column, the table and the codes, besides others.
Status add_kernel(Commands& commands, const Encoding& call, const Spirv& kernel,
                  const abi::DictionaryPush& push, const Grid& grid,
                  std::initializer_list<Access> others = {}) {
  std::vector<Access> accesses(call.column.begin(), call.column.end());
  accesses.insert(accesses.end(), {writes(call.table), call.codes});
  accesses.insert(accesses.end(), others);
  return commands.dispatch(kernel, {.workgroup_size = commands.tuning().workgroup_size}, push, grid,
                           accesses);
}

// Fills the table, and then finds which rows are the first of their kind.
Status add_insertion(Commands& commands, const Encoding& call) {
  const std::uint64_t rows = call.rows;
  const bool has_long_rows = call.plan.interned_bytes != 0;
  const Access interned = has_long_rows ? call.long_rows.all() : Access{};
  VKPRIMS_TRY(commands.fill(call.buffers.scratch, call.plan.table, call.table.bytes, ~0u));
  if (has_long_rows) {
    static constexpr Independent kOtherTable{"the tables are disjoint parts of scratch"};
    VKPRIMS_TRY(clear_interned(commands, call.long_rows, &kOtherTable));
  }
  abi::DictionaryPush part = call.push;
  for (std::uint64_t begin = 0; begin < rows;) {
    const std::uint64_t end = begin ? rows : std::min(rows, kFirstRows);
    part.begin = static_cast<std::uint32_t>(begin);
    part.end = static_cast<std::uint32_t>(end);
    VKPRIMS_TRY(add_kernel(commands, call, spirv::strings_dictionary_insert, part,
                           grid_of(commands, end - begin), {interned}));
    begin = end;
  }
  if (has_long_rows) {
    VKPRIMS_TRY(add_interning(commands, call.long_rows));
    VKPRIMS_TRY(add_kernel(commands, call, spirv::strings_dictionary_insert_long, call.push,
                           grid_of_few(commands, rows), {interned}));
  }
  return add_kernel(commands, call, spirv::strings_dictionary_firsts, call.push,
                    grid_of(commands, ceil_div(rows, 4)), {writes(call.firsts)});
}

// Makes the codes of the first rows, and from these the codes of all rows.
Status add_codes(Commands& commands, const Encoding& call) {
  const Grid grid({call.rows, call.count.address(), CountWidth::u64},
                  commands.tuning().workgroup_size, call.buffers.scratch);
  VKPRIMS_TRY(add_kernel(
      commands, call, spirv::strings_dictionary_ranks, call.push, grid,
      {reads(call.count.view.address, 8), reads(call.found), call.first_rows, call.report}));
  return add_kernel(commands, call, spirv::strings_dictionary_codes, call.push,
                    grid_of(commands, call.rows));
}

Status add_dictionary_encode(Commands& commands, const Encoding& call) {
  if (call.rows) VKPRIMS_TRY(add_insertion(commands, call));
  if (call.rows && call.validity.need) {
    const StringColumnView& in = call.buffers.in;
    VKPRIMS_TRY(
        add_bits(commands, {in.validity, {}, call.rows, in.first_bit}, call.validity.address()));
  }
  VKPRIMS_TRY(add_compaction(commands, compaction_of(call.desc, call.rows),
                             {.flags = {call.firsts.address, call.rows},
                              .indices = call.found,
                              .count = call.count.view,
                              .scratch = part_of(call.buffers.scratch, call.plan.compaction)}));
  return call.rows ? add_codes(commands, call) : Status();
}

}  // namespace

ScratchNeed dictionary_encode_scratch(const Device& device, const DictionaryEncodeDesc& desc,
                                      std::uint64_t rows, std::uint64_t chars_bytes) {
  if (!device || rows > kMaxStringRows || !check_desc(desc)) return {};
  return plan_of(*device.state(), desc, rows, chars_bytes).need;
}

Status record_dictionary_encode(VkCommandBuffer cmd, const Device& device,
                                const DictionaryEncodeDesc& desc,
                                const DictionaryEncodeBuffers& buffers) {
  return record_call(kName, cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(desc));
    VKPRIMS_TRY(check_column(kName, {"in", buffers.in}));
    const Encoding call = encoding_of(commands.state(), desc, buffers);
    VKPRIMS_TRY(check_operands(call));
    return add_dictionary_encode(commands, call);
  });
}

Status warm_up(const Device& device, const DictionaryEncodeDesc& desc) {
  return warm_up_call(kName, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(desc));
    const DictionaryEncodeBuffers any{
        .in = {.chars = {16, kMaxStringBytes}, .rows = kMaxStringRows},
        .validity = {.address = 16},
        .distinct_count = {.address = 16}};
    VKPRIMS_TRY(add_dictionary_encode(commands, encoding_of(commands.state(), desc, any)));
    return warm_up_compaction(commands, compaction_of(desc, 1));
  });
}

}  // namespace vkprims::strings
