// The host side of the primitive strings::select.
#include "vkprims/strings/select.hpp"

#include "runtime/scratch_layout.hpp"
#include "strings/bits.hpp"
#include "strings/call.hpp"
#include "strings/gather.hpp"
#include "strings/row_numbers.hpp"

namespace vkprims::strings {
namespace {

constexpr const char* kName = "strings::select";

Compaction compaction_of(const SelectStringsDesc& desc, std::uint64_t rows) {
  return row_numbers(VKP_COMPACT_BITS, rows, desc.schedule);
}

// Offsets in scratch.
struct Plan {
  VkDeviceSize bits, numbers, compaction, gather;
  ScratchNeed need;
};

Plan plan_of(const Device& device, const SelectStringsDesc& desc, std::uint64_t rows) {
  ScratchLayout parts;
  Plan plan{};
  plan.bits = parts.take(bit_bytes(rows));
  plan.numbers = parts.take(4 * rows);
  plan.compaction =
      parts.take(compaction_scratch(*device.state(), compaction_of(desc, rows)).bytes);
  plan.gather = parts.take(gather_scratch(device, {.schedule = desc.schedule}, rows).bytes);
  plan.need = parts.need();
  return plan;
}

Status check(const SelectStringsDesc& desc, const SelectStringsBuffers& b) {
  VKPRIMS_TRY(check_enum(kName, "schedule", desc.schedule, Schedule::multi_pass));
  VKPRIMS_TRY(check_column(kName, {"in", b.in}));
  VKPRIMS_TRY(check_bits(kName, "mask", b.mask, b.in.rows));
  return check_result(kName, b.out);
}

Status check_operands(const SelectStringsBuffers& b, const ScratchNeed& need) {
  std::vector<Operand> operands;
  append(operands, {"in", b.in});
  append(operands, "mask", b.mask);
  append(operands, b.out, b.in.rows, b.report);
  operands.push_back(operand_of_u64("selected_count", b.selected_count));
  operands.push_back(operand_of(b.scratch, need));
  return vkprims::check_operands(kName, operands);
}

Status add_select(Commands& commands, const SelectStringsDesc& desc, const SelectStringsBuffers& b,
                  const Plan& plan) {
  const std::uint64_t rows = b.in.rows;
  BufferView flags{b.mask.bits.address, bit_bytes(rows)};
  if (b.mask.first_bit || b.mask.validity.address) {
    flags.address = b.scratch.address + plan.bits;
    VKPRIMS_TRY(add_bits(commands, b.mask, flags.address));
  }
  const BufferView numbers{b.scratch.address + plan.numbers, 4 * rows};
  VKPRIMS_TRY(add_compaction(commands, compaction_of(desc, rows),
                             {.flags = flags,
                              .indices = numbers,
                              .count = b.selected_count,
                              .scratch = part_of(b.scratch, plan.compaction)}));
  const Commands::Label label(commands, "strings::gather");
  return add_gather(commands,
                    {.schedule = desc.schedule,
                     .count = {rows, b.selected_count.address, CountWidth::u64},
                     .longest_row_bytes = desc.longest_row_bytes},
                    {.in = b.in,
                     .indices = numbers,
                     .out = b.out,
                     .report = b.report,
                     .scratch = part_of(b.scratch, plan.gather)});
}

}  // namespace

ScratchNeed select_scratch(const Device& device, const SelectStringsDesc& desc,
                           std::uint64_t rows) {
  if (!device || rows > kMaxStringRows) return {};
  return plan_of(device, desc, rows).need;
}

Status record_select(VkCommandBuffer cmd, const Device& device, const SelectStringsDesc& desc,
                     const SelectStringsBuffers& buffers) {
  return record_call(kName, cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check(desc, buffers));
    const Plan plan = plan_of(device, desc, buffers.in.rows);
    VKPRIMS_TRY(check_operands(buffers, plan.need));
    return add_select(commands, desc, buffers, plan);
  });
}

Status warm_up(const Device& device, const SelectStringsDesc& desc) {
  return warm_up_call(kName, device, [&](Commands& commands) {
    VKPRIMS_TRY(add_bits(commands, {}, 0));
    VKPRIMS_TRY(warm_up_compaction(commands, compaction_of(desc, 1)));
    return warm_up_gather(commands, {.schedule = desc.schedule});
  });
}

}  // namespace vkprims::strings
