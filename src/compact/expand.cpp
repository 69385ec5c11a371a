// The host side of the primitive expand.
#include "vkprims/expand.hpp"

#include <array>
#include <cinttypes>

#include "compact/expand/expand.abi.h"
#include "reduce/segmented.hpp"
#include "runtime/push.hpp"
#include "runtime/scratch_layout.hpp"
#include "scan/scan_desc.hpp"
#include "spirv/expand.hpp"

namespace vkprims {
namespace {

constexpr const char* kName = "expand";

bool has_counts(const ExpandDesc& desc) { return desc.input == ExpandInput::counts; }

Status check_width(const ExpandDesc& desc, const char* name, std::uint64_t number) {
  if (desc.index_width == IndexWidth::u64 || number <= std::uint64_t{1} << 32) return {};
  return Status::error(Status::invalid_argument,
                       "%s: %s is %" PRIu64 ", must be at most 2^32 with index_width u32", kName,
                       name, number);
}

Status check_desc(const DeviceState& state, const ExpandDesc& desc) {
  VKPRIMS_TRY(check_enum(kName, "input", desc.input, ExpandInput::offsets));
  VKPRIMS_TRY(check_enum(kName, "in_width", desc.in_width, IndexWidth::u64));
  VKPRIMS_TRY(check_enum(kName, "index_width", desc.index_width, IndexWidth::u64));
  VKPRIMS_TRY(check_count(kName, desc.count));
  VKPRIMS_TRY(check_count(kName, desc.capacity, "capacity"));
  VKPRIMS_TRY(check_width(desc, "count", desc.count.max));
  VKPRIMS_TRY(check_width(desc, "capacity", desc.capacity));
  if (has_counts(desc) && desc.in_width == IndexWidth::u64 && !state.info.enabled.int64) {
    return Status::error(Status::unsupported,
                         "%s: in_width of counts is u64, but the device was created without int64 "
                         "(shaderInt64)",
                         kName);
  }
  return {};
}

// The scan that makes offsets of counts: all but the first offset, which is 0.
ScanDesc scan_of(const ExpandDesc& desc) {
  return {.type = desc.in_width == IndexWidth::u64 ? Type::u64 : Type::u32,
          .kind = ScanKind::inclusive,
          .count = desc.count};
}

struct Plan {
  SegmentedPlan tiles;
  VkDeviceSize first_offset = 0;  // in scratch, of the offsets that are made of counts
  VkDeviceSize scan_at = 0, tiles_at = 0;
  ScratchNeed scan, need;
};

Plan plan_of(const Device& device, const ExpandDesc& desc) {
  Plan plan;
  // Without items there are no places either, whatever there is room for.
  const std::uint64_t most_places = desc.count.max == 0 ? 0 : desc.capacity;
  plan.tiles = segmented_plan(*device.state(), 1, desc.count, most_places);
  ScratchLayout layout;
  if (has_counts(desc)) {
    // The second offset, where the scan's results begin, is at a multiple of 16 bytes.
    const std::uint32_t size = size_of(desc.in_width);
    plan.first_offset = layout.take(16 + desc.count.max * size) + 16 - size;
    plan.scan = scan_scratch(device, scan_of(desc));
    plan.scan_at = layout.take(plan.scan.bytes);
    layout.reuse(plan.scan_at);
  }
  plan.tiles_at = layout.take(plan.tiles.need.bytes);
  plan.need = layout.need();
  return plan;
}

std::array<Operand, 7> operands_of(const Plan& plan, const ExpandDesc& desc,
                                   const ExpandBuffers& buffers) {
  const std::uint32_t in_size = size_of(desc.in_width), size = size_of(desc.index_width);
  const std::uint64_t in_count = desc.count.max + (has_counts(desc) ? 0 : 1);
  const auto results = [&](const char* name, const BufferView& view) {
    return Operand{name, view, view.address ? desc.capacity * size : 0, size, true, "", "capacity"};
  };
  return {{{"in", buffers.in, in_count * in_size, in_size, false, "",
            has_counts(desc) ? "the count" : "count + 1"},
           results("indices", buffers.indices),
           results("ranks", buffers.ranks),
           operand_of_u64("total", buffers.total, buffers.total.address != 0),
           operand_of_report(buffers.report),
           operand_of(desc.count),
           operand_of(buffers.scratch, plan.need)}};
}

Status add_expand(Commands& commands, const Plan& plan, const ExpandDesc& desc,
                  const ExpandBuffers& buffers) {
  const auto [in, indices, ranks, total, report, count, scratch] = operands_of(plan, desc, buffers);
  Operand offsets = in;
  if (has_counts(desc)) {
    const std::uint32_t size = size_of(desc.in_width);
    offsets.view = {scratch.address() + plan.first_offset, (desc.count.max + 1) * size};
    offsets.need = offsets.view.bytes;
    VKPRIMS_TRY(commands.fill(buffers.scratch, plan.first_offset, size));
    VKPRIMS_TRY(add_scan(commands, scan_of(desc),
                         {.in = buffers.in,
                          .out = {offsets.address() + size, desc.count.max * size},
                          .scratch = part_of(buffers.scratch, plan.scan_at, plan.scan.bytes)}));
  }
  const Scratch tiles = part_of(buffers.scratch, plan.tiles_at, plan.tiles.need.bytes);
  const abi::ExpandPush push{.offset_base = push_u64(offsets),
                             .index_base = push_u64(indices),
                             .rank_base = push_u64(ranks),
                             .total_base = push_u64(total),
                             .report = push_u64(report),
                             .scratch = push_u64(tiles.address),
                             .capacity = push_u64(desc.capacity),
                             .count = push_count(desc.count),
                             .max_tiles = static_cast<std::uint32_t>(plan.tiles.max_tiles),
                             .record_bytes = plan.tiles.record_bytes};
  Specialization constants = segmented_specialization(plan.tiles, desc.in_width);
  constants.set(VKP_EXPAND_SPEC_INDEX_WORDS, size_of(desc.index_width) / 4)
      .set(VKP_EXPAND_SPEC_RESULTS,
           (indices.address() ? VKP_EXPAND_INDICES : 0) | (ranks.address() ? VKP_EXPAND_RANKS : 0));
  const SegmentedInput input{offsets, desc.count, desc.capacity, tiles};
  VKPRIMS_TRY(add_segmented_starts(commands, plan.tiles, constants, input));
  Access scratch_of_tiles = reads(tiles.address, plan.tiles.need.bytes);
  scratch_of_tiles.writes = plan.tiles.mode == VKP_SEGMENTED_FEW_TILES;
  return commands.dispatch(spirv::expand, constants, push, segmented_grid(plan.tiles, input, 1, 0),
                           {offsets, count, scratch_of_tiles, indices, ranks, total, report});
}

}  // namespace

ScratchNeed expand_scratch(const Device& device, const ExpandDesc& desc) {
  if (!device || !check_desc(*device.state(), desc)) return {};
  return plan_of(device, desc).need;
}

Status record_expand(VkCommandBuffer cmd, const Device& device, const ExpandDesc& desc,
                     const ExpandBuffers& buffers) {
  return record_call(kName, cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(commands.state(), desc));
    if (!buffers.indices.address && !buffers.ranks.address) {
      return Status::error(Status::invalid_argument,
                           "%s: indices and ranks are both left out, one must be given", kName);
    }
    const Plan plan = plan_of(device, desc);
    VKPRIMS_TRY(check_operands(kName, operands_of(plan, desc, buffers)));
    return add_expand(commands, plan, desc, buffers);
  });
}

Status warm_up(const Device& device, const ExpandDesc& desc) {
  return warm_up_call(kName, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(commands.state(), desc));
    if (has_counts(desc)) VKPRIMS_TRY(warm_up_scan(commands, scan_of(desc)));
    const BufferView none, some{.address = 16};
    for (const std::uint64_t count : segmented_counts(*device.state(), 1)) {
      ExpandDesc any = desc;
      any.input = ExpandInput::offsets;
      any.count.max = any.capacity = count;
      for (const auto& [indices, ranks] : {std::pair{some, none}, {none, some}, {some, some}}) {
        VKPRIMS_TRY(add_expand(commands, plan_of(device, any), any,
                               {.in = {}, .indices = indices, .ranks = ranks}));
      }
    }
    return Status();
  });
}

}  // namespace vkprims
