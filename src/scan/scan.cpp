// The host side of the primitive scan.
#include "vkprims/scan.hpp"

#include <algorithm>
#include <array>

#include "blocks/alone.hpp"
#include "blocks/lookback.hpp"
#include "blocks/operators.hpp"
#include "blocks/scan_tile.hpp"
#include "runtime/commands.hpp"
#include "runtime/push.hpp"
#include "runtime/scratch_layout.hpp"
#include "scan/scan/scan.abi.h"
#include "scan/scan_desc.hpp"
#include "spirv/scan_look_back.hpp"
#include "spirv/scan_multi_pass_fold.hpp"
#include "spirv/scan_multi_pass_scan.hpp"

namespace vkprims {
namespace {

constexpr std::uint32_t kRowTurns = 8;  // turns of a row in multi_pass, on a subgroup of 128

bool by_lanes(const ScanDesc& desc) {
  return desc.own && scans_by_lanes(desc.own->bytes / 4, desc.own->converts());
}

// How a descriptor is carried out on a device.
struct Plan {
  ScanPath path;
  ScanTile tile;
  std::uint32_t rows;         // 16-byte rows that an invocation has in flight
  std::uint64_t max_parts;    // tiles (look_back) or workgroups (multi_pass)
  VkDeviceSize state_offset;  // in scratch, behind what an indirect grid needs
  ScratchNeed need;
};

// The tile and rows of sequences of so many elements.
LanesTile tile_of(const DeviceState& state, const ScanDesc& desc, std::uint32_t workgroup_size,
                  std::uint64_t count) {
  if (by_lanes(desc)) {
    return lanes_tile(state, input_size(desc) / 4, output_size(desc) / 4, workgroup_size, count);
  }
  return {scan_tile(state.tuning, fold_of(desc).words(), input_size(desc)), state.tuning.scan_rows};
}

// Words of an element by which cells are counted.
std::uint32_t cell_words(const ScanDesc& desc) {
  return by_lanes(desc) ? input_size(desc) / 4 : fold_of(desc).words();
}

// Elements of the first cell that come before the input.
std::uint32_t head_of(const ScanDesc& desc, const BufferView& in) {
  return cell_head(in.address, input_size(desc), cell_words(desc));
}

// The plan for few elements, whose first cell has `head` others before them.
Plan plan_alone(const DeviceState& state, const ScanDesc& desc, std::uint32_t head, bool in_place) {
  const std::uint64_t cells =
      ceil_div(desc.count.max + head, std::uint64_t{cell_items(cell_words(desc))});
  const auto fit = [&](std::uint32_t workgroup_size) -> AloneShape {
    if (!by_lanes(desc)) return {workgroup_size, kAloneRows};
    const LanesTile x = tile_of(state, desc, workgroup_size, 1);
    return {x.tile.workgroup_size, x.rows};
  };
  AloneShape shape =
      alone_shape(state, fit(alone_workgroup(state)), cells, in_place ? 1 : kAloneGroups);
  if (shape.groups == 0) shape = fit(state.largest_workgroup);
  return {.path = ScanPath::alone,
          .tile = {.workgroup_size = shape.workgroup_size, .batches = 1, .items = 0},
          .rows = shape.rows,
          .max_parts = shape.groups};
}

Plan plan_of(const DeviceState& state, const ScanDesc& desc, const ScanBuffers& buffers) {
  const std::uint32_t size = fold_of(desc).bytes();
  const ScanPath path = desc.count.max == 0 ? ScanPath::alone : scan_path(state.tuning, desc);
  if (path == ScanPath::alone) {
    return plan_alone(state, desc, head_of(desc, buffers.in),
                      buffers.in.address == buffers.out.address);
  }
  Plan plan{};
  plan.path = path;
  const auto parts_of = [&](std::uint64_t count) {
    const auto [tile, rows] = tile_of(state, desc, state.tuning.scan_workgroup_size, count);
    plan.tile = tile;
    plan.rows = rows;
    return scan_max_tiles(tile, count);
  };
  // Scratch must not shrink where tiles grow.
  const std::uint64_t small_parts =
      parts_of(std::min<std::uint64_t>(desc.count.max, state.tuning.small_count));
  plan.max_parts = parts_of(desc.count.max);
  if (plan.path == ScanPath::look_back) {
    plan.state_offset =
        grid_is_indirect(desc.count, scan_items_per_group(plan.tile)) ? kGridScratchBytes : 0;
    plan.need.bytes =
        plan.state_offset + lookback_bytes(std::max(plan.max_parts, small_parts), size / 4);
  } else {
    plan.max_parts = scan_groups(state.tuning, plan.tile, plan.rows, plan.max_parts, kRowTurns);
    const std::uint64_t strips_per_group = plan.tile.workgroup_size / kSmallestSubgroup;
    plan.need.bytes = VKP_SCAN_FOLDS_OFFSET + plan.max_parts * (1 + strips_per_group) * size;
  }
  return plan;
}

Operand total_of(const ScanDesc& desc, const ScanBuffers& buffers) {
  const Fold fold = fold_of(desc);
  return {"total", buffers.total, buffers.total.address ? fold.bytes() : 0, fold.alignment(), true,
          "",      "one element"};
}

// Checks the views of a call whose descriptor is right.
Status check_buffers(const DeviceState& state, const ScanDesc& desc, const ScanBuffers& buffers) {
  const std::uint32_t in_size = input_size(desc), out_size = output_size(desc);
  const Operand in{"in", buffers.in, desc.count.max * in_size, input_alignment(desc), false};
  const Operand out{"out", buffers.out, desc.count.max * out_size, output_alignment(desc), true};
  return check_operands(
      "scan", {in, in_size == out_size ? in_place_of("in", out) : out, operand_of(desc.count),
               operand_of("initial", desc.initial, fold_of(desc).bytes()), total_of(desc, buffers),
               operand_of(buffers.scratch, plan_of(state, desc, buffers).need)});
}

// Kernels are compiled without the code for a total where none is wanted, which makes those of
// small input elements up to 12 % faster. NVIDIA's compiler makes a faster kernel of that for f64
// with it, so that one looks at the address (docs/measurements.md).
bool has_total_always(const ScanDesc& desc) { return !desc.own && desc.type == Type::f64; }

}  // namespace

ScratchNeed scan_scratch(const Device& device, const ScanDesc& desc) {
  if (!device || !check_scan_desc("scan", *device.state(), desc)) return {};
  return plan_of(*device.state(), desc, {}).need;
}

Status add_scan(Commands& commands, const ScanDesc& desc, const ScanBuffers& buffers) {
  const Operand total = total_of(desc, buffers);
  if (desc.count.max == 0 && !total.need) return {};
  const DeviceState& state = commands.state();
  const Plan plan = plan_of(state, desc, buffers);
  const Fold fold = fold_of(desc);
  const FoldType type = fold_type(desc.type);
  const std::uint32_t size = fold.bytes(), item_size = input_size(desc);
  const std::uint32_t out_size = output_size(desc);
  const bool as_type = desc.input == ScanInput::as_type;
  const std::uint32_t head = head_of(desc, buffers.in);
  const bool aligned =
      desc.count.max == 0 || ((buffers.out.address - head * out_size) % 16 == 0 &&
                              (!fold.own || (buffers.in.address - head * item_size) % 16 == 0));
  const Scratch states = part_of(buffers.scratch, plan.state_offset);
  const VkDeviceSize state_bytes = plan.need.bytes - plan.state_offset;
  const Access in = reads(buffers.in.address, desc.count.max * item_size);
  const Access out = writes(buffers.out.address, desc.count.max * out_size);
  const Access states_access = writes(states.address, state_bytes);
  const Operand count = operand_of(desc.count), initial = operand_of("initial", desc.initial, size);
  const abi::ScanPush push{.in_base = push_u64(buffers.in.address),
                           .out_base = push_u64(buffers.out.address),
                           .scratch = push_u64(states.address),
                           .total = push_u64(total),
                           .count = push_count(desc.count),
                           .max_parts = static_cast<std::uint32_t>(plan.max_parts),
                           .has_initial = desc.initial.given(),
                           .initial = push_element(desc.initial, fold)};
  Specialization constants = scan_specialization(desc, plan.tile, plan.rows, aligned);
  constants.set(VKP_SCAN_SPEC_ITEM_BYTES, as_type ? 0 : item_size)
      .set(VKP_SCAN_SPEC_TOTAL, total.need != 0 || has_total_always(desc))
      .set(VKP_SCAN_SPEC_ALONE, plan.path == ScanPath::alone);

  const Spirv* spirv = nullptr;
  if (plan.path == ScanPath::look_back) {
    Grid grid(desc.count, scan_items_per_group(plan.tile), buffers.scratch);
    VKPRIMS_TRY(commands.prepare(grid));
    VKPRIMS_TRY(commands.fill(states, 0, state_bytes, 0, beside(grid)));
    constants.lookback =
        lookback_constants(state, as_type && buffers.in.address == buffers.out.address);
    const bool wide = lookback_is_wide(state);
    VKPRIMS_TRY(find_kernel("scan", fold, MonoidKernel::scan_look_back_word32, wide,
                            spirv::scan_look_back(type, wide), spirv));
    return commands.dispatch(*spirv, constants, push, grid,
                             {count, initial, in, states_access, out, total});
  }
  const Grid grid(plan.max_parts);
  if (plan.path == ScanPath::multi_pass) {
    Specialization folding = constants;
    if (!fold.own) folding.row_words = 4;  // of the output, which this kernel does not write
    VKPRIMS_TRY(commands.fill(states, 0, 4));
    VKPRIMS_TRY(find_kernel("scan", fold, MonoidKernel::scan_multi_pass_fold,
                            spirv::scan_multi_pass_fold(type), spirv));
    VKPRIMS_TRY(
        commands.dispatch(*spirv, folding, push, grid, {count, initial, in, states_access, total}));
  }
  VKPRIMS_TRY(find_kernel("scan", fold, MonoidKernel::scan_multi_pass_scan,
                          spirv::scan_multi_pass_scan(type), spirv));
  return commands.dispatch(*spirv, constants, push, grid,
                           {count, initial, in, states_access, out, total});
}

namespace {

// Counts that have all plans.
std::array<std::uint64_t, 5> all_counts(const DeviceState& state, const ScanDesc& desc) {
  const std::uint32_t most = state.tuning.single_scan_bytes / fold_of(desc).bytes();
  const auto [one, few, most_alone] =
      alone_counts(state, cell_items(cell_words(desc)), std::max(most, 1u));
  return {one, few, most_alone, state.tuning.small_count, kMaxCount};
}

}  // namespace

Status warm_up_scan(Commands& commands, const ScanDesc& desc) {
  VKPRIMS_TRY(check_scan_desc("scan", commands.state(), desc));
  const VkDeviceAddress aligned = 1 << 20, unaligned = aligned + output_alignment(desc),
                        in = 1 << 21;
  ScanDesc any = desc;
  any.count = 0;
  VKPRIMS_TRY(add_scan(commands, any, {.total = {aligned}}));
  const auto add_at = [&](VkDeviceAddress from, VkDeviceAddress to) {
    VKPRIMS_TRY(add_scan(commands, any, {.in = {from}, .out = {to}}));
    return add_scan(commands, any, {.in = {from}, .out = {to}, .total = {aligned}});
  };
  for (const std::uint64_t count : all_counts(commands.state(), desc)) {
    any.count.max = count;
    VKPRIMS_TRY(add_at(in, aligned));
    VKPRIMS_TRY(add_at(in, unaligned));
    if (input_size(desc) != output_size(desc)) continue;
    VKPRIMS_TRY(add_at(in, in));
    VKPRIMS_TRY(add_at(unaligned, unaligned));
  }
  return {};
}

Status warm_up_scan_in_place(Commands& commands, const ScanDesc& desc) {
  ScanDesc any = desc;
  for (const std::uint64_t count : all_counts(commands.state(), desc)) {
    any.count.max = count;
    VKPRIMS_TRY(add_scan(commands, any, {.in = {16}, .out = {16}}));
  }
  return {};
}

Status record_scan(VkCommandBuffer cmd, const Device& device, const ScanDesc& desc,
                   const ScanBuffers& buffers) {
  return record_call("scan", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_scan_desc("scan", commands.state(), desc));
    VKPRIMS_TRY(check_buffers(commands.state(), desc, buffers));
    return add_scan(commands, desc, buffers);
  });
}

Status warm_up(const Device& device, const ScanDesc& desc) {
  return warm_up_call("scan", device,
                      [&](Commands& commands) { return warm_up_scan(commands, desc); });
}

}  // namespace vkprims
