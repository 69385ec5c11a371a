// The host side of the primitive strings::select.
#include "vkprims/strings/select.hpp"

#include "compact/compact.hpp"
#include "strings/bits.hpp"
#include "strings/call.hpp"
#include "vkprims/strings/gather.hpp"

namespace vkprims::strings {
namespace {

constexpr const char* kName = "strings::select";

Compaction compaction_of(const SelectStringsDesc& desc, std::uint64_t rows) {
  return {.primitive = kName,
          .type = Type::u32,
          .item_bytes = 4,
          .source = VKP_COMPACT_BITS,
          .count = rows,
          .index_width = IndexWidth::u32,
          .schedule = desc.schedule};
}

// Offsets in scratch.
struct Plan {
  VkDeviceSize bits = 0, numbers = 0, compaction = 0, gather = 0;
  ScratchNeed need;
};

Plan plan_of(const Device& device, const SelectStringsDesc& desc, std::uint64_t rows) {
  Plan plan;
  VkDeviceSize end = 0;
  const auto take = [&](VkDeviceSize bytes) {
    const VkDeviceSize begin = end;
    end += (bytes + 15) / 16 * 16;
    return begin;
  };
  plan.bits = take(bit_bytes(rows));
  plan.numbers = take(4 * rows);
  plan.compaction = take(compaction_scratch(*device.state(), compaction_of(desc, rows)).bytes);
  plan.gather = take(gather_scratch(device, {.schedule = desc.schedule}, rows).bytes);
  plan.need.bytes = end;
  return plan;
}

Scratch part(const Scratch& s, VkDeviceSize offset, VkDeviceSize end) {
  return {s.buffer, s.offset + offset, s.address + offset, end - offset};
}

Status check(const SelectStringsDesc& desc, const SelectStringsBuffers& b,
             const ScratchNeed& need) {
  VKPRIMS_TRY(check_enum(kName, "schedule", desc.schedule, Schedule::multi_pass));
  std::vector<Argument> arguments;
  VKPRIMS_TRY(check_column(kName, {"in", b.in}, arguments));
  VKPRIMS_TRY(check_bits(kName, "mask", b.mask, b.in.rows, arguments));
  VKPRIMS_TRY(check_result(kName, b.out, b.in.rows, b.report, arguments));
  arguments.push_back(argument_of_u64("selected_count", b.selected_count));
  arguments.push_back(argument_of(b.scratch, need));
  return check_arguments(kName, std::span<const Argument>(arguments));
}

Status record(VkCommandBuffer cmd, const Device& device, const SelectStringsDesc& desc,
              const SelectStringsBuffers& b, const Plan& plan) {
  DeviceState& state = *device.state();
  const std::uint64_t rows = b.in.rows;
  BufferView flags{b.mask.bits.address, bit_bytes(rows)};
  if (b.mask.first_bit || b.mask.validity.address) {
    flags.address = b.scratch.address + plan.bits;
    VKPRIMS_TRY(record_bits(cmd, state, b.mask, flags.address));
    VKPRIMS_TRY(record_barrier(cmd, device));
  }
  const BufferView numbers{b.scratch.address + plan.numbers, 4 * rows};
  VKPRIMS_TRY(record_compaction(cmd, state, compaction_of(desc, rows),
                                {.flags = flags,
                                 .indices = numbers,
                                 .count_name = "selected_count",
                                 .count = b.selected_count,
                                 .scratch = part(b.scratch, plan.compaction, plan.gather)}));
  VKPRIMS_TRY(record_barrier(cmd, device));
  return record_gather(cmd, device,
                       {.schedule = desc.schedule,
                        .count = {rows, b.selected_count.address, CountWidth::u64},
                        .longest_row_bytes = desc.longest_row_bytes},
                       {.in = b.in,
                        .indices = numbers,
                        .out = b.out,
                        .report = b.report,
                        .scratch = part(b.scratch, plan.gather, plan.need.bytes)});
}

}  // namespace

ScratchNeed select_scratch(const Device& device, const SelectStringsDesc& desc,
                           std::uint64_t rows) {
  if (!device || rows > kMaxStringRows) return {};
  return plan_of(device, desc, rows).need;
}

Status record_select(VkCommandBuffer cmd, const Device& device, const SelectStringsDesc& desc,
                     const SelectStringsBuffers& buffers) {
  VKPRIMS_RECORD_CALL(kName, cmd, device);
  const ScratchNeed need = select_scratch(device, desc, buffers.in.rows);
  VKPRIMS_TRY(check(desc, buffers, need));
  const Plan plan = plan_of(device, desc, buffers.in.rows);
  {
    const Rehearsal rehearsal;
    VKPRIMS_TRY(record(cmd, device, desc, buffers, plan));
  }
  const CommandStream label(*device.state(), cmd);
  return record(cmd, device, desc, buffers, plan);
}

Status warm_up(const Device& device, const SelectStringsDesc& desc) {
  VKPRIMS_WARM_UP_CALL(kName, device);
  VKPRIMS_TRY(warm_up_bits(*device.state()));
  VKPRIMS_TRY(warm_up_compaction(*device.state(), compaction_of(desc, 1)));
  return warm_up(device, GatherStringsDesc{.schedule = desc.schedule});
}

}  // namespace vkprims::strings
